//! Whether calls are judged here at all: one answer for `doctor`, `status` and `watch`, with the one next step.
//!
//! It looks at what is on disk. Deliberately absent: firing a hook, which `doctor` does, and mending anything.

use bailiwick_adapters_fs::{FsPolicySource, FsSessionStore, SystemClock};
use bailiwick_adapters_hooks::settings::{guards, installed_hooks, turned_off};
use bailiwick_adapters_hooks::{HOSTS, Host, claude_code};
use bailiwick_domain::{
    Actor, Clock, Health, HealthFault, IgnoreSource, PolicySource, Timestamp, Value, json,
};

use super::client_files::{Places, turned_off_by};
use super::output::reading;
use crate::gate::ignore_fault;
use crate::install_record::InstallRecord;
use crate::site::Site;

/// A halted session that has been quiet for longer is over, in seconds.
const DAY_S: u64 = 86_400;

/// What keeps calls from being judged, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    /// What happens to calls, in a few words.
    pub(super) effect: &'static str,
    /// Why.
    pub(super) why: String,
    /// The one next step, as a sentence.
    pub(super) next: String,
}

impl Trouble {
    pub(super) fn as_json(&self) -> Value {
        json!({ "effect": self.effect, "why": self.why, "next": self.next })
    }
}

/// The gravest trouble: what refuses every call first, then what refuses every change, then what lets all of them
/// through, then what refuses the calls of one session.
pub(super) fn trouble(site: &Site) -> Option<Trouble> {
    let of_all = store(site).or_else(|| ignore(site)).or_else(|| ledger(site)).or_else(|| hooks_gone(site));
    of_all.or_else(|| halted(site).into_iter().next())
}

/// Sessions that acted lately and in which every call is refused.
pub(super) fn halted(site: &Site) -> Vec<Trouble> {
    let store = FsSessionStore::new(site.layout.clone());
    let (recent, now) = (store.recent().unwrap_or_default(), SystemClock.now());
    let is_over = |actor: &Actor, last: Timestamp| store.has_ended(actor) || now >= last.plus_seconds(DAY_S);
    let halted = recent.into_iter().filter(|(actor, _, last)| !is_over(actor, *last));
    halted.filter_map(|(actor, state, _)| Some(halt(&actor, &state.quarantine?))).collect()
}

fn halt(actor: &Actor, why: &str) -> Trouble {
    Trouble {
        effect: "Every call of a session is refused",
        why: format!("{} is halted: {why}", reading::actor(actor)),
        next: format!(
            "Start a new session, or lift the halt with `bailiwick select INTENT --session {}`.",
            reading::session(actor)
        ),
    }
}

/// The store cannot be trusted.
pub(super) fn store(site: &Site) -> Option<Trouble> {
    if let Some(trouble) = not_begun(site) {
        return Some(trouble);
    }
    let policy = FsPolicySource::new(site.layout.clone());
    let Health::Broken(mut fault) = pollster::block_on(policy.health()) else { return None };
    // Behind the hint how to correct the file the way out would read as a part of that.
    let way_out = if let HealthFault::Invalid(found) = &mut fault { found.way_out.take() } else { None };
    let or = way_out.map(|way_out| format!(" Or {way_out}.")).unwrap_or_default();
    let next = match &fault {
        HealthFault::Invalid(found) if found.line > 0 => {
            format!("Correct {}, line {}.{or}", found.file, found.line)
        }
        HealthFault::Invalid(found) => format!("Correct {}.{or}", found.file),
        HealthFault::Missing(_) => "Run `bailiwick init` to create what is missing.".to_owned(),
        HealthFault::StateUnavailable(_) => "Make the private state writable for you.".to_owned(),
        HealthFault::NoRoot => "Run `bailiwick init` in the repository.".to_owned(),
    };
    Some(Trouble { effect: "Every call is refused", why: said(&fault), next })
}

/// Whether `init` did not run in this clone, and nothing here asks the gate: what the repository brings is no state of it.
pub(super) fn not_begun(site: &Site) -> Option<Trouble> {
    let is_begun = site.layout.private().exists();
    let trouble = if is_begun { None } else { nobody_hooked(site) }?;
    let why = "`bailiwick init` has not run in this clone, and no agent is hooked here".to_owned();
    Some(Trouble { why, ..trouble })
}

/// An ignore file cannot be understood, so nobody knows what it takes away.
pub(super) fn ignore(site: &Site) -> Option<Trouble> {
    let policy = FsPolicySource::new(site.layout.clone());
    let why = ignore_fault(pollster::block_on(policy.ignore()))?;
    let file = why.split(':').next().filter(|file| !file.is_empty()).unwrap_or(".intentignore").to_owned();
    Some(Trouble { effect: "Every change is refused", why, next: format!("Correct {file}.") })
}

/// What it means that there is no ignore file, for somebody who expects one.
pub(super) const IGNORES_NOTHING: &str = "no `.intentignore`: only scopes limit what agents may change";

/// Whether there is no ignore file at all.
pub(super) fn ignores_nothing(site: &Site) -> bool {
    let policy = FsPolicySource::new(site.layout.clone());
    pollster::block_on(policy.ignore()) == IgnoreSource::Absent
}

/// The ledger is not what was written.
pub(super) fn ledger(site: &Site) -> Option<Trouble> {
    let why = format!("the ledger cannot be continued: {}", super::trace::fault_of_end(site)?);
    let next = "Run `bailiwick trace verify` to see where, then `bailiwick trace repair`.".to_owned();
    Some(Trouble { effect: "Every change is refused", why, next })
}

/// `init` installed hooks, and they are no longer there or turned off, for the first host of which that is so.
pub(super) fn hooks_gone(site: &Site) -> Option<Trouble> {
    HOSTS.iter().find_map(|host| hooks_of_host_gone(host, site))
}

/// The same for one host.
pub(super) fn hooks_of_host_gone(host: &Host, site: &Site) -> Option<Trouble> {
    let settings = host.settings?;
    InstallRecord::read(&site.layout, host.profile.name)?;
    let places = Places::of(host, site.layout.root()).ok()?;
    let files = places.all();
    let texts: Vec<String> = files.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let effect = "Calls are not judged";
    if let Some(switch) = texts.iter().find_map(|text| turned_off(settings, text)) {
        let why = format!("the agent's settings turn every hook off (`{switch}`)");
        return Some(Trouble { effect, why, next: format!("Take `{switch}` out of the settings.") });
    }
    if let Some((file, switch)) = turned_off_by(host, site.layout.root()) {
        let why = format!("{} turns every hook off (`{switch}`)", file.display());
        return Some(Trouble { effect, why, next: format!("Take `{switch}` out of that file.") });
    }
    if texts.iter().any(|text| guards(settings, text)) {
        return None;
    }
    let why = format!("the hooks are gone from {}", places.local.display());
    Some(Trouble {
        effect,
        why,
        next: format!("Run `bailiwick init --agent {}` to install them again.", host.profile.name),
    })
}

/// No host is hooked here.
pub(super) fn nobody_hooked(site: &Site) -> Option<Trouble> {
    let usual = claude_code::HOST.profile.name;
    is_hooked_nowhere(site).then(|| Trouble {
        effect: "Calls are not judged",
        why: "no agent is hooked here".to_owned(),
        next: format!("Run `bailiwick init --agent {usual}`, or name another agent."),
    })
}

/// Whether no host has a hook here: none was installed, and no file of any host names one. Without hooks nothing is
/// judged but what comes by an own tool.
fn is_hooked_nowhere(site: &Site) -> bool {
    HOSTS.iter().all(|host| !is_hooked(host, site))
}

fn is_hooked(host: &Host, site: &Site) -> bool {
    let Some(settings) = host.settings else { return false };
    let names_us = |places: Places| {
        let texts = places.all().into_iter().filter_map(|path| std::fs::read_to_string(path).ok());
        texts.into_iter().any(|text| !installed_hooks(settings, &text).is_empty())
    };
    InstallRecord::read(&site.layout, host.profile.name).is_some()
        || Places::of(host, site.layout.root()).is_ok_and(names_us)
}

/// A fault as a sentence.
pub(super) fn said(fault: &HealthFault) -> String {
    match fault {
        HealthFault::NoRoot => "no governed root".to_owned(),
        HealthFault::Missing(why) | HealthFault::StateUnavailable(why) => why.clone(),
        HealthFault::Invalid(diagnostic) => diagnostic.to_string(),
    }
}
