//! Fires the installed hooks exactly as the client would, and demands that they deny.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bailiwick_adapters_hooks::Host;
use bailiwick_adapters_hooks::settings::InstalledHook;

use super::process::{Ended, run};
use super::report::Report;
use super::{probe, state};
use crate::site::Site;

/// A hook that takes longer is as good as dead.
const PATIENCE: Duration = Duration::from_secs(20);

/// Fires each hook that stands before a tool.
pub(super) fn check<'a>(
    hooks: impl Iterator<Item = &'a InstalledHook>,
    host: &Host,
    site: &Site,
    report: &mut Report,
) {
    let traces = state::Traces::before(site, host);
    let before = host.settings.and_then(|settings| settings.events.first()).map(|event| event.name);
    for hook in hooks.filter(|hook| Some(hook.event.as_str()) == before) {
        forbidden(hook, host, site.layout.root(), report);
        malformed(hook, host, site.layout.root(), report);
    }
    traces.remove();
}

fn forbidden(hook: &InstalledHook, host: &Host, root: &Path, report: &mut Report) {
    let fired = fire(hook, host, root, &probe::must_deny(host, root));
    match fired.and_then(|ended| Ok((probe::denial(host, &ended)?, ended.took))) {
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

fn malformed(hook: &InstalledHook, host: &Host, root: &Path, report: &mut Report) {
    match fire(hook, host, root, crate::probe::MALFORMED).and_then(|ended| probe::stops(host, &ended)) {
        Ok(how) => report.ok(format!("fired: a cut-off event is refused ({how})")),
        Err(why) => report.fail(format!("fired: a cut-off event is NOT refused: {why}")),
    }
}

fn fire(hook: &InstalledHook, host: &Host, root: &Path, event: &[u8]) -> Result<Ended, String> {
    let mut command = match &hook.arguments {
        Some(arguments) => {
            let mut command = Command::new(&hook.command);
            command.args(arguments);
            command
        }
        None => {
            let own = std::env::var_os("SHELL").filter(|_| host.profile.client.login_shell);
            let flags = if own.is_some() { "-lc" } else { "-c" };
            let mut shell = Command::new(own.unwrap_or_else(|| "sh".into()));
            shell.args([flags, &hook.command]);
            shell
        }
    };
    if let Some(variable) = host.profile.project_dir_variable {
        command.env(variable, root);
    }
    run(command.current_dir(root), event, PATIENCE).map_err(|error| error.to_string())
}
