//! `bailiwick doctor`: proves that the gate is live, and says what a host lets through whatever the gate says.
//!
//! It inspects and probes; it repairs nothing. It leaves only the decision-log lines of its own probes.

mod client;
mod hooks;
mod live;
mod probe;
mod process;
mod report;
mod state;
mod store;
mod worktrees;

use std::process::ExitCode;

use bailiwick_adapters_hooks::HOSTS;

use crate::command::judged::Trouble;
use crate::command::{CommandError, Context};
use crate::site::Site;
use report::Report;
pub(super) use worktrees::other_copies;

/// What is wrong with the hooks by what the files of the hosts say.
pub(in crate::command) fn hooks_in_trouble(site: &Site) -> Option<Trouble> {
    let mut report = Report::default();
    HOSTS.iter().for_each(|host| client::files(host, site, &mut report));
    let why = report.first_failure()?.to_owned();
    Some(Trouble { effect: "The hooks need a look", why, next: "Run `bailiwick doctor`.".to_owned() })
}

/// What `doctor` is asked for.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = "\
Exit status: 0 all is well or only warnings, 1 something failed, 2 not governed.

Examples:
  bailiwick doctor          check this repository and the agents that are hooked in it
  bailiwick doctor --json   the same as one JSON value")]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let mut report = Report::default();
    store::check(&site, &mut report);
    state::check(&site, &mut report);
    let mut unhooked = Vec::new();
    for host in HOSTS {
        if !client::check(host, &site, &mut report)? {
            unhooked.push(host);
        }
    }
    match unhooked.len() == HOSTS.len() {
        true => client::nobody(&mut report),
        false => unhooked.into_iter().for_each(|host| client::unhooked(host, &mut report)),
    }
    worktrees::check(&site, &mut report);
    report.print(&site, context);
    Ok(if report.has_failed() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
