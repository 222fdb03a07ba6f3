//! `bailiwick log`: the decision log (D-07): why was this blocked?

use std::process::ExitCode;

use bailiwick_adapters_fs::FsDecisionLog;
use bailiwick_domain::{Action, DecisionRecord, json};

use super::doctor::PROBES;
use super::terminal::{BAD, DIM, GOOD, WARN};
use super::{CommandError, Context};
use crate::inert;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only what was refused
    #[arg(long)]
    blocked: bool,
    /// Only this session, as HOST/SESSION or the session's id
    #[arg(long)]
    session: Option<String>,
    /// How many lines, newest last
    #[arg(long, short = 'n', default_value_t = 50)]
    limit: usize,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let wanted = |record: &DecisionRecord| {
        let session = args
            .session
            .as_ref()
            .is_none_or(|name| record.actor.session == *name || record.actor.to_string() == *name);
        session && (!args.blocked || record.action == Action::Block)
    };
    let mut records = FsDecisionLog::new(site.layout).read_recent(args.limit, wanted)?;
    records.reverse();
    if context.json {
        context.terminal.json(&json!({ "decisions": records }));
        return Ok(ExitCode::SUCCESS);
    }
    if records.is_empty() && args.limit > 0 {
        let is_chosen = args.blocked || args.session.is_some();
        context.terminal.hint(match is_chosen {
            true => "no call fits; `bailiwick log` without a filter shows the newest ones",
            false => "no call to show: `bailiwick doctor` proves that the gate sees an agent's calls",
        });
    }
    for record in &records {
        context.terminal.say(line(record));
    }
    Ok(ExitCode::SUCCESS)
}

/// What `bailiwick doctor` has refused to itself is none of an agent's doing.
fn is_probe(record: &DecisionRecord) -> bool {
    record.actor.agent.is_none() && record.actor.session == PROBES
}

fn line(record: &DecisionRecord) -> String {
    let (style, word) = match record.action {
        _ if is_probe(record) => (DIM, "probe"),
        Action::Allow | Action::Approved => (GOOD, "allow"),
        Action::Granted | Action::GrantEnded | Action::GrantReviewed => (WARN, "grant"),
        Action::Block | Action::Rejected => (BAD, "block"),
        Action::WaitForApproval => (WARN, "ask"),
        Action::Drift => (WARN, "drift"),
        Action::Paused => (WARN, "pause"),
        Action::Imported => (DIM, "vcs"),
        Action::Adopted => (DIM, "adopt"),
        Action::HumanAmended => (DIM, "human"),
        Action::Transition => (DIM, "state"),
        Action::Recorded => (DIM, "done"),
    };
    let code = record.code.map(|code| format!(" {}", code.as_str())).unwrap_or_default();
    let paths = inert::line(&record.paths.join(", "));
    let mut note = inert::line(&record.note);
    if is_probe(record) {
        note = format!("`bailiwick doctor` asked, to see the gate refuse: {note}");
    }
    format!(
        "{DIM}{}{DIM:#} {style}{word:<5}{style:#}{code} {} {paths} {DIM}{note}{DIM:#}",
        record.at,
        inert::line(&record.tool)
    )
}
