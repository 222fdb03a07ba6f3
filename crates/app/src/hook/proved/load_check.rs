//! Hosts that go on without a plugin that they could not load: whoever asks before their tools says in each session that
//! it is there, and a second hook asks about that before each tool.

use bailiwick_adapters_fs::AgentProcesses;
use bailiwick_adapters_hooks::{Host, HostEvent, Reply};
use bailiwick_domain::{PortError, ToolError};

use crate::hook::log;
use crate::refusals::EventFault;
use crate::site::Site;

/// Notes that what sent the event is loaded.
///
/// # Errors
/// The note cannot be written.
pub(in crate::hook) fn note(host: &Host, event: &HostEvent, site: &Site) -> Result<(), PortError> {
    match host.load_check {
        Some(_) => {
            AgentProcesses::new(site.layout.clone()).note_loaded(host.profile.name, &event.actor.session)
        }
        None => Ok(()),
    }
}

/// A refusal where no call of this session can be judged.
pub(in crate::hook) fn reply(host: &Host, event: &HostEvent, site: &Site) -> Reply {
    let name = host.profile.name;
    if AgentProcesses::new(site.layout.clone()).is_loaded(name, &event.actor.session) {
        return Reply::NoOpinion;
    }
    let error = ToolError::from(EventFault::NotLoaded { host: name, trust: host.profile.client.trust });
    log::append(site, &event.actor, None, &event.name, &error);
    Reply::deny(error)
}
