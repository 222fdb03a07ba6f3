//! What a change of the host's settings during a session means for the gate.
//!
//! Hosts reload their settings while they run, and git carries settings: a branch that a person lets an agent switch
//! to must not turn the gate off. Whoever wants it off has `bailiwick pause` and `bailiwick uninstall`. What a session
//! starts with is not ours to refuse; `doctor` tells it.

use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_hooks::settings::{HookSettings, guards, takes_hooks_away};
use bailiwick_adapters_hooks::{Host, HostEvent, Reply};
use bailiwick_domain::ToolError;

use crate::gate::Gate;
use crate::install_record::InstallRecord;
use crate::refusals::EventFault;

/// Refuses a change that takes the hooks away; the host then keeps the settings that it has.
pub(super) async fn reply(
    host: &Host,
    event: &HostEvent,
    changed: Option<&str>,
    layout: &Layout,
    gate: &Gate,
) -> Reply {
    let record = InstallRecord::read(layout, host.profile.name);
    if record.as_ref().is_some_and(|record| record.leaving) {
        // A human is taking them out.
        return Reply::NoOpinion;
    }
    let Some(settings) = host.settings else { return Reply::NoOpinion };
    let held_ours = record.map(|record| holder(settings, record));
    let mut files = candidates(changed, held_ours.as_deref()).into_iter();
    let Some((path, why)) = files.find_map(|path| {
        let text = std::fs::read_to_string(&path).ok();
        let why = takes_hooks_away(settings, text.as_deref(), held_ours.as_ref() == Some(&path))?;
        Some((path.display().to_string(), why))
    }) else {
        return Reply::NoOpinion;
    };
    let error = refusal(&path, why);
    // The refusal holds whether the log can be written or not.
    let _ = gate.turns().settings_refused(&event.actor, &path, &error).await;
    Reply::deny(error)
}

/// The file that held our hooks: the team's while it has them, else this person's own.
fn holder(settings: &HookSettings, record: InstallRecord) -> PathBuf {
    let team = record.settings.path.with_file_name("settings.json");
    if std::fs::read_to_string(&team).is_ok_and(|text| guards(settings, &text)) {
        team
    } else {
        record.settings.path
    }
}

/// The file that changed, and those of the working copy: a host that takes over one change reads all of them anew.
fn candidates(changed: Option<&str>, held_ours: Option<&Path>) -> Vec<PathBuf> {
    let shared = held_ours.and_then(Path::parent).map(|folder| folder.join("settings.json"));
    let mut files: Vec<PathBuf> = changed.map(PathBuf::from).into_iter().collect();
    files.extend(held_ours.map(Path::to_path_buf));
    files.extend(shared);
    files
}

fn refusal(path: &str, why: &str) -> ToolError {
    EventFault::Settings { path, why }.into()
}
