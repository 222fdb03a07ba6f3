//! One host: its settings, its hooks in action, its MCP registration, its version, and what it lets through.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bailiwick_adapters_hooks::claude_code::{mcp_is_foreign, mcp_registered};
use bailiwick_adapters_hooks::settings::HookSettings;
use bailiwick_adapters_hooks::{Host, Version, claude_code};

use super::report::Report;
use super::{hooks, live, process};
use crate::command::CommandError;
use crate::command::client_files::{Places, has_servers, program, servers_file, turned_off_by};
use crate::command::judged::{self, Trouble};
use crate::command::setup::init::team::TeamFiles;
use crate::hook::sub_agent_was_seen;
use crate::install_record::InstallRecord;
use crate::site::Site;

/// How long the client may take to say its version.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the files of a host say, without running anything.
pub(super) fn files(host: &Host, site: &Site, report: &mut Report) {
    let (Some(settings), Ok(places)) = (host.settings, Places::of(host, site.layout.root())) else { return };
    let record = InstallRecord::read(&site.layout, host.profile.name);
    if record.is_some() || hooks::any_of_ours(&places, settings) {
        let levels = hooks::levels(&places, settings, site.layout.root(), report);
        check_files(host, (settings, &levels, record.as_ref()), site, report);
    }
}

fn check_files(
    host: &Host,
    (settings, levels, record): (&HookSettings, &[hooks::Level], Option<&InstallRecord>),
    site: &Site,
    report: &mut Report,
) {
    let is_hooked = levels.iter().any(|level| !level.hooks.is_empty());
    if !is_hooked && let Some(trouble) = judged::hooks_of_host_gone(host, site) {
        report.trouble(&trouble);
    }
    mixed(record, report);
    let installed = hooks::Installed { host, settings, levels, record };
    hooks::check(&installed, site.layout.user_state(), report);
    if let Some((file, switch)) = turned_off_by(host, site.layout.root()) {
        report.fail(format!("{}: `{switch}` turns every hook off; take it out", file.display()));
    }
    if let Some(form) = host.load_check.filter(|_| is_hooked) {
        hooks::check_load(form, host, site, report);
    }
}

/// Checks a host that is hooked at this site, and says whether it is.
///
/// # Errors
/// No home folder is known.
pub(super) fn check(host: &Host, site: &Site, report: &mut Report) -> Result<bool, CommandError> {
    let Some(settings) = host.settings else { return Ok(false) };
    let client = &host.profile.client;
    let places = Places::of(host, site.layout.root())?;
    let record = InstallRecord::read(&site.layout, host.profile.name);
    if record.is_none() && !hooks::any_of_ours(&places, settings) {
        return Ok(false);
    }
    report.section(host.profile.name);
    let levels = hooks::levels(&places, settings, site.layout.root(), report);
    check_files(host, (settings, &levels, record.as_ref()), site, report);
    live::check(levels.iter().flat_map(|level| &level.hooks), host, site, report);
    if has_servers(host) {
        registration(record.as_ref(), site, report)?;
    }
    version(host, site.layout.root(), report);
    sub_agents(host, site, report);
    if let Some(trust) = client.trust {
        report.note(trust);
    }
    report.mention(host.profile);
    Ok(true)
}

/// A host whose program is on this machine, while only others are hooked.
pub(super) fn unhooked(host: &Host, report: &mut Report) {
    let name = host.profile.name;
    if host.settings.is_some() && program(&host.profile.client).is_some() {
        report.section(name);
        report.warn(format!(
            "{name} is on this machine and not hooked here, so its calls are not judged: `bailiwick init --agent {name}`"
        ));
    }
}

/// No host is hooked here.
pub(super) fn nobody(report: &mut Report) {
    let usual = claude_code::HOST.profile.name;
    report.section(usual);
    report.trouble(&Trouble {
        effect: "Calls are not judged",
        why: format!("no hook is installed here for {usual}"),
        next: format!("Run `bailiwick init --agent {usual}`."),
    });
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
fn registration(
    record: Option<&InstallRecord>,
    site: &Site,
    report: &mut Report,
) -> Result<(), CommandError> {
    let Some(record) = record else {
        report.warn(
            "`init` left no record, so its MCP tools cannot be told from others'; run `bailiwick init`",
        );
        return Ok(());
    };
    let team = TeamFiles::of(site.layout.root());
    if team.has_server() && !record.server_is_shadowed() {
        report.ok(format!("{}: the MCP server `bailiwick` is the team's", team.servers.display()));
        return Ok(());
    }
    let servers = servers_file()?;
    let file = servers.display();
    let text = std::fs::read_to_string(&servers).unwrap_or_default();
    let is_recorded = record.servers.as_ref().is_some_and(|edited| edited.is_at(&servers));
    if mcp_is_foreign(&text, &record.root) {
        report.warn(format!(
            "{file}: you have another MCP server called `bailiwick`; its tools are not believed, and agents use `bailiwick tool`. Give yours another name and run `bailiwick init`"
        ));
        return Ok(());
    }
    match mcp_registered(&text, &record.root) {
        Some(server) if server == record.server() && is_recorded => {
            report.ok(format!("{file}: the MCP server `bailiwick` is ours"));
        }
        Some(server) => report.fail(format!(
            "{file}: the MCP server `bailiwick` is {}, not what `init` registered; its tools are not believed",
            server.command
        )),
        None => report.warn(format!("{file}: the MCP server is not registered; agents use `bailiwick tool`, or run `bailiwick init`")),
    }
    Ok(())
}

/// Starting a sub-agent is free only once the calls of one were seen to meet the hook.
fn sub_agents(host: &Host, site: &Site, report: &mut Report) {
    if !host.profile.hooks_subagents {
        return;
    }
    match sub_agent_was_seen(host, &site.layout) {
        true => report.ok("calls of sub-agents reach the hook here, so starting one needs no approval"),
        false => report
            .note("no call of a sub-agent has reached the hook here yet, so starting one needs approval"),
    }
}

/// Whether the client is new enough to read its hooks, and to refuse when one fails, on hosts that have a switch for that.
fn version(host: &Host, root: &Path, report: &mut Report) {
    let client = &host.profile.client;
    let name = client.programs.first().copied().unwrap_or(host.profile.name);
    let since = client.fails_closed_since.map(|since| format!("; {since} is needed")).unwrap_or_default();
    let Some(program) = program(client) else {
        return report.warn(format!("`{name}` is not on the search path, so its version is unknown{since}"));
    };
    let asked = process::run(Command::new(&program).arg("--version").current_dir(root), b"", PATIENCE);
    let told = asked.ok().and_then(|ended| (host.version)(&ended.stdout));
    let Some(number) = told else {
        return report.warn(format!("{} does not say its version{since}", program.display()));
    };
    if let Some(note) = unmeasured(host, number) {
        report.note(note);
    }
    let mut hooked = client.hooked_since.iter();
    let hooked = hooked.find(|(name, _)| program.file_stem() == Some(OsStr::new(name)));
    if let Some((name, needed)) = hooked.filter(|(_, needed)| number < *needed) {
        return report.fail(format!(
            "version {number} of `{name}` does not read {}, so its calls are not judged; {needed} is needed",
            client.local
        ));
    }
    match client.fails_closed_since {
        None => report.ok(format!("version {number}")),
        Some(since) if number >= since => {
            report.ok(format!("version {number} refuses when a hook fails"));
        }
        Some(_) if cfg!(windows) => report.fail(format!(
            "version {number} ignores `onFailure`, so a hook that cannot start lets the call through{since}"
        )),
        Some(_) => report.warn(format!(
            "version {number} ignores `onFailure`, so a hook over its time limit lets the call through{since}"
        )),
    }
}

/// That the edits of this version were not measured, where that is so.
fn unmeasured(host: &Host, version: Version) -> Option<String> {
    let edits = host.edits.filter(|edits| !edits.is_measured(version))?;
    let what_follows = match edits.told {
        Some(_) => "so no grant covers them",
        None => "but a grant covers them: its hooks are not told the version",
    };
    Some(format!(
        "what the edits of version {version} leave in a file was not measured (of {} it was), {what_follows}",
        edits.span()
    ))
}
