//! One host: its settings, its hooks in action, its MCP registration, its version, and what it lets through.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bailiwick_adapters_hooks::Host;
use bailiwick_adapters_hooks::claude_code::{
    FAIL_CLOSED_SINCE, NAME, claude_version, enough_for_fail_closed, mcp_registered,
};

use super::report::Report;
use super::{hooks, live, process};
use crate::command::CommandError;
use crate::command::claude_code::{Places, program};
use crate::command::init::team::TeamFiles;
use crate::command::judged::{self, Trouble};
use crate::hook::sub_agent_was_seen;
use crate::install_record::InstallRecord;
use crate::site::Site;

/// How long the client may take to say its version.
const PATIENCE: Duration = Duration::from_secs(30);

/// Checks a host that is hooked at this site.
///
/// # Errors
/// No home folder is known.
pub(super) fn check(host: &Host, site: &Site, report: &mut Report) -> Result<(), CommandError> {
    if host.profile.name != NAME {
        return Ok(());
    }
    report.section(host.profile.name);
    let places = Places::of(site.layout.root())?;
    let levels = hooks::levels(&places, report);
    let record = InstallRecord::read(&site.layout, host.profile.name);
    let is_hooked = levels.iter().any(|level| !level.hooks.is_empty());
    if record.is_none() && !is_hooked {
        report.trouble(&Trouble {
            effect: "Calls are not judged",
            why: format!("no hook is installed here for {NAME}"),
            next: format!("Run `bailiwick init --agent {NAME}`."),
        });
        return Ok(());
    }
    if !is_hooked && let Some(trouble) = judged::hooks_gone(site) {
        report.trouble(&trouble);
    }
    mixed(record.as_ref(), report);
    hooks::check(&levels, site.layout.user_state(), record.as_ref(), report);
    live::check(levels.iter().flat_map(|level| &level.hooks), &host.profile, site, report);
    registration(record.as_ref(), &places, site, report);
    version(site.layout.root(), report);
    sub_agents(host, site, report);
    report.mention(host.profile);
    Ok(())
}

/// Hooks of another version than this program keep working on the same state; a person should still know.
fn mixed(record: Option<&InstallRecord>, report: &mut Report) {
    let this = env!("CARGO_PKG_VERSION");
    if let Some(record) = record.filter(|record| record.version != this) {
        report.warn(format!(
            "the hooks were installed by version {}, this is {this}: `bailiwick init` brings them up to date",
            record.version
        ));
    }
}

/// Only the server that `init` registered is let through as ours.
fn registration(record: Option<&InstallRecord>, places: &Places, site: &Site, report: &mut Report) {
    let Some(record) = record else {
        return report.warn(
            "`init` left no record, so its MCP tools cannot be told from others'; run `bailiwick init`",
        );
    };
    let team = TeamFiles::of(site.layout.root());
    if team.has_server() && !record.server_is_shadowed() {
        return report.ok(format!("{}: the MCP server `bailiwick` is the team's", team.servers.display()));
    }
    let file = places.servers.display();
    let text = std::fs::read_to_string(&places.servers).unwrap_or_default();
    match mcp_registered(&text, &record.root) {
        Some(server) if server == record.server() && *record.servers.path == places.servers => {
            report.ok(format!("{file}: the MCP server `bailiwick` is ours"));
        }
        Some(server) => report.fail(format!(
            "{file}: the MCP server `bailiwick` is {}, not what `init` registered; its tools are not believed",
            server.command
        )),
        None => report.warn(format!("{file}: the MCP server is not registered; agents use `bailiwick tool`, or run `bailiwick init`")),
    }
}

/// Starting a sub-agent is free only once the calls of one were seen to meet the hook.
fn sub_agents(host: &Host, site: &Site, report: &mut Report) {
    if !host.profile.hooks_subagents {
        return;
    }
    match sub_agent_was_seen(host, &site.layout) {
        true => report.ok("a sub-agent's call has met the hook here, so starting one is not asked about"),
        false => report.note("no sub-agent's call has met the hook here yet, so starting one is asked about"),
    }
}

fn version(root: &Path, report: &mut Report) {
    let since =
        format!("{}.{}.{}", FAIL_CLOSED_SINCE.major, FAIL_CLOSED_SINCE.minor, FAIL_CLOSED_SINCE.patch);
    let Some(program) = program() else {
        return report.warn(format!(
            "`claude` is not on the search path, so its version is unknown; {since} is needed"
        ));
    };
    let asked = process::run(Command::new(&program).arg("--version").current_dir(root), b"", PATIENCE);
    let told = asked.ok().and_then(|ended| claude_version(&ended.stdout));
    let Some(found) = told else {
        return report.warn(format!("{} does not tell its version; {since} is needed", program.display()));
    };
    let number = format!("{}.{}.{}", found.major, found.minor, found.patch);
    if enough_for_fail_closed(found) {
        report.ok(format!("version {number} refuses when a hook fails"));
    } else if cfg!(windows) {
        report.fail(format!("version {number} ignores `onFailure`, so a hook that cannot start lets the call through; {since} is needed"));
    } else {
        report.warn(format!("version {number} ignores `onFailure`, so a hook over its time limit lets the call through; {since} is needed"));
    }
}
