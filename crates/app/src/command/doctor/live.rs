//! Fires the installed hooks exactly as the client would, and demands that they deny.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bailiwick_adapters_hooks::HostProfile;
use bailiwick_adapters_hooks::claude_code::InstalledHook;

use super::process::{Ended, run};
use super::report::Report;
use super::{probe, state};
use crate::site::Site;

/// A hook that takes longer is as good as dead.
const PATIENCE: Duration = Duration::from_secs(20);

/// Fires each hook that stands before a tool.
pub(super) fn check<'a>(
    hooks: impl Iterator<Item = &'a InstalledHook>,
    profile: &HostProfile,
    site: &Site,
    report: &mut Report,
) {
    let traces = state::Traces::before(site);
    for hook in hooks.filter(|hook| hook.event == "PreToolUse") {
        forbidden(hook, profile, site.layout.root(), report);
        malformed(hook, profile, site.layout.root(), report);
    }
    traces.remove();
}

fn forbidden(hook: &InstalledHook, profile: &HostProfile, root: &Path, report: &mut Report) {
    let fired = fire(hook, profile, root, &probe::must_deny(root));
    match fired.and_then(|ended| Ok((probe::denial(&ended)?, ended.took))) {
        Ok((code, _)) if probe::is_breakdown(&code) => {
            report.fail(format!(
                "fired: a forbidden write is denied, but only because the gate is broken ({code})"
            ));
        }
        Ok((code, took)) => {
            report.ok(format!("fired: a forbidden write is denied with {code}, in {} ms", took.as_millis()))
        }
        Err(why) => report.fail(format!("fired: a forbidden write is NOT denied as JSON: {why}")),
    }
}

fn malformed(hook: &InstalledHook, profile: &HostProfile, root: &Path, report: &mut Report) {
    match fire(hook, profile, root, crate::probe::MALFORMED).and_then(|ended| probe::stops(&ended)) {
        Ok(how) => report.ok(format!("fired: an event that breaks off is refused ({how})")),
        Err(why) => report.fail(format!("fired: an event that breaks off is NOT refused: {why}")),
    }
}

fn fire(hook: &InstalledHook, profile: &HostProfile, root: &Path, event: &[u8]) -> Result<Ended, String> {
    let mut command = match &hook.arguments {
        Some(arguments) => {
            let mut command = Command::new(&hook.command);
            command.args(arguments);
            command
        }
        None => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &hook.command]);
            shell
        }
    };
    if let Some(variable) = profile.project_dir_variable {
        command.env(variable, root);
    }
    run(command.current_dir(root), event, PATIENCE).map_err(|error| error.to_string())
}
