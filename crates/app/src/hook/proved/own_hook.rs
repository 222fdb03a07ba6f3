//! Clients that run hooks of other hosts beside their own: where the client's own hook judges a session, the others step
//! aside, so that each call is judged once.

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_adapters_hooks::settings::{guards, turned_off};
use bailiwick_adapters_hooks::{HOSTS, Host, HostEvent};
use bailiwick_domain::{Actor, SessionStore as _};

use crate::site::Site;

/// Whether the client that sent this event to a hook of `host` has an own hook that judges it. Three things say so, and
/// no two of them are enough: the own hook is registered now, it was heard in this very session, and the event bears the
/// client's sign, which nobody but the client writes.
pub(in crate::hook) fn judges(host: &Host, event: &HostEvent, bytes: &[u8], site: &Site) -> bool {
    HOSTS
        .iter()
        .filter(|client| client.also_runs_hooks_of(host))
        .any(|client| is_registered(client, site) && was_heard(client, event, site) && client.has_sent(bytes))
}

fn is_registered(client: &Host, site: &Site) -> bool {
    let file = site.layout.root().join(client.profile.client.local);
    let text = client.settings.zip(std::fs::read_to_string(file).ok());
    text.is_some_and(|(settings, text)| guards(settings, &text) && turned_off(settings, &text).is_none())
}

fn was_heard(client: &Host, event: &HostEvent, site: &Site) -> bool {
    let (host, session) = (client.profile.name.to_owned(), event.actor.session.clone());
    let actor = Actor { host, session, agent: None };
    let known = pollster::block_on(FsSessionStore::new(site.layout.clone()).load(&actor));
    known.is_ok_and(|state| state.is_some())
}
