//! `bailiwick init`: governs a repository and hooks the agents that are used in it (ADR 0008).
//!
//! Everything is read and parsed before anything is written, so that a file that does not parse stops it with nothing
//! changed. What is written for one person stays out of git; only `.orchestration/` is for the team.

pub(crate) mod exclude;
mod place;
mod plan;
pub(crate) mod questions;
mod report;
pub(crate) mod team;

use std::process::ExitCode;

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_hooks::settings::Launcher;
use bailiwick_adapters_hooks::{HOSTS, Host, host};

use crate::command::{CommandError, Context, client_files};
use crate::install_record::InstallRecord;
use crate::site::Site;
use plan::{Plan, Wanted};
use team::TeamFiles;

/// What `init` is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bailiwick init                       govern this repository, hook every agent that is found
  bailiwick init --agent claude-code   hook this agent, found or not
  bailiwick init --dry-run             show every change as a diff and make none
  bailiwick init --git                 also seal the ledger and add trailers at each commit, with git hooks
  bailiwick init --commands ask --edits each --ledger-in-git no
  bailiwick init --shared --launcher required   install for the whole team")]
pub(crate) struct Args {
    /// Hook this agent (may be given more than once); without it, every agent that is found
    #[arg(long = "agent", value_name = "NAME")]
    agents: Vec<String>,
    /// Show every change as a diff and make none
    #[arg(long)]
    dry_run: bool,
    /// Also install for the whole team: .claude/settings.json and .mcp.json run a launcher in the repository
    #[arg(long)]
    shared: bool,
    /// What the launcher does on a machine without Bailiwick; advisory, or what it is now, when not given
    #[arg(long, value_enum, value_name = "MODE", requires = "shared")]
    launcher: Option<team::Mode>,
    /// At each commit seal the ledger and add trailers to its message: blocks in git's own hooks
    #[arg(long)]
    git: bool,
    /// Whether commands that are proved to read only run without a question (commands.read_only)
    #[arg(long, value_enum, value_name = "ANSWER")]
    commands: Option<questions::Commands>,
    /// Whether you may answer with a bounded grant (approval.grants)
    #[arg(long, value_enum, value_name = "ANSWER")]
    edits: Option<questions::Edits>,
    /// Whether sealed segments of the ledger are committed (trace.in_git)
    #[arg(long, value_enum, value_name = "ANSWER")]
    ledger_in_git: Option<questions::InGit>,
    /// Ask nothing: what no flag answers stays as it is
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = place::to_govern(context)?;
    let hosts = hosts(&args.agents, &site)?;
    let answered = questions::answered(args, &site, context)?;
    let team = TeamFiles::of(site.layout.root());
    let wanted = args.launcher.map(Launcher::from).or_else(|| team.mode()).unwrap_or(Launcher::Advisory);
    let team = if args.shared { Some(team.installed(wanted)?) } else { None };
    let plan = Plan::make(&site, &hosts, Wanted { answered, team, seal_at_commit: args.git })?;
    let summary = plan.summary();
    if args.dry_run {
        report::dry_run(&plan, &summary, context);
    } else {
        plan.apply()?;
        report::done(&site, &summary, context);
    }
    Ok(ExitCode::SUCCESS)
}

/// The agents that are named, or else those that are found.
fn hosts(names: &[String], site: &Site) -> Result<Vec<&'static Host>, CommandError> {
    if names.is_empty() {
        return Ok(HOSTS.iter().filter(|host| is_found(host, &site.layout)).collect());
    }
    let mut hosts: Vec<&'static Host> = Vec::new();
    for name in names {
        let host = named(name)?;
        if hosts.iter().all(|known| known.profile.name != host.profile.name) {
            hosts.push(host);
        }
    }
    Ok(hosts)
}

/// A hook for all projects starts in each of them, so a person has to name its agent once.
fn is_found(host: &Host, layout: &Layout) -> bool {
    let is_wanted = match host.is_for_all_projects() {
        true => InstallRecord::read(layout, host.profile.name).is_some(),
        false => client_files::is_present(&host.profile.client, layout.root()),
    };
    host.settings.is_some() && is_wanted
}

/// The agent of that name.
///
/// # Errors
/// There is none.
pub(crate) fn named(name: &str) -> Result<&'static Host, CommandError> {
    host(name).ok_or_else(|| {
        let known: Vec<&str> = HOSTS.iter().map(|host| host.profile.name).collect();
        CommandError::Usage(format!("unknown agent `{name}`; known agents: {}", known.join(", ")))
    })
}
