//! `bailiwick log`: the decision log, which answers "why was this blocked?".

use std::cell::{Cell, RefCell};
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsDecisionLog, SystemClock};
use bailiwick_domain::{Action, Clock, DecisionRecord, Timestamp, json};

use crate::command::output::columns::hanging;
use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, WARN};
use crate::command::{CommandError, Context};
use crate::inert;
use crate::probe;

/// The columns of a moment, and of the word behind it.
const WHEN: usize = 13;
const WORD: usize = 6;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what was refused
    #[arg(long)]
    blocked: bool,
    /// Only this session, as HOST/SESSION, the session's id, or the beginning of it
    #[arg(long)]
    session: Option<String>,
    /// Also what `bailiwick doctor` tried out
    #[arg(long)]
    probes: bool,
    /// How many lines, newest last
    #[arg(long, short = 'n', default_value_t = 50, value_parser = reading::limit)]
    limit: usize,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let order = Order::default();
    let wanted = |record: &DecisionRecord| {
        order.met(record.seq);
        let session = args.session.as_ref().is_none_or(|said| reading::is_session(&record.actor, said));
        let probe = !is_probe(record) || args.probes || args.session.is_some();
        session && probe && (!args.blocked || record.action == Action::Block)
    };
    let mut records = FsDecisionLog::new(site.layout).read_recent(args.limit, wanted)?;
    records.reverse();
    if context.json {
        context.terminal.json(&json!({ "decisions": records, "gaps": order.gaps() }));
        return Ok(ExitCode::SUCCESS);
    }
    if records.is_empty() && args.limit > 0 {
        context.terminal.hint(&nothing(args));
    }
    let now = SystemClock.now();
    for record in &records {
        context.terminal.say(line(record, now));
    }
    for (earlier, later) in order.gaps() {
        context.terminal.warning(&format!(
            "line {later} of the log stands behind line {earlier}: somebody took lines out or put some in"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the lines follow one another. Anybody who may write git's folder may write the log.
#[derive(Debug, Default)]
struct Order {
    last: Cell<Option<u64>>,
    gaps: RefCell<Vec<(u64, u64)>>,
}

impl Order {
    /// Takes the number of the line before the one that was met last.
    fn met(&self, seq: u64) {
        let later = self.last.replace(Some(seq));
        if let Some(later) = later.filter(|later| seq.checked_add(1) != Some(*later)) {
            self.gaps.borrow_mut().push((seq, later));
        }
    }

    /// The numbers of lines that stand beside each other and do not follow one another, oldest first.
    fn gaps(&self) -> Vec<(u64, u64)> {
        self.gaps.borrow().iter().rev().copied().collect()
    }
}

/// Why nothing is shown.
fn nothing(args: &Args) -> String {
    if let Some(short) = args.session.as_deref().and_then(reading::too_short) {
        return inert::line(&short);
    }
    let said = match args.blocked || args.session.is_some() {
        true => "no line matches; `bailiwick log` without a filter shows the newest",
        false => "nothing yet; `bailiwick doctor` checks that the gate sees an agent's calls",
    };
    said.to_owned()
}

/// What `bailiwick doctor` has refused to itself is none of an agent's doing.
fn is_probe(record: &DecisionRecord) -> bool {
    record.actor.agent.is_none() && record.actor.session == probe::SESSION
}

fn line(record: &DecisionRecord, now: Timestamp) -> String {
    let (style, word) = match record.action {
        _ if is_probe(record) => (DIM, "probe"),
        Action::Allow => (GOOD, "allow"),
        Action::Approved => (GOOD, "answer"),
        Action::Rejected => (BAD, "answer"),
        Action::Granted | Action::GrantEnded | Action::GrantReviewed => (WARN, "grant"),
        Action::Block => (BAD, "block"),
        Action::WaitForApproval => (WARN, "ask"),
        Action::Drift => (WARN, "drift"),
        Action::Paused => (WARN, "pause"),
        Action::Imported => (DIM, "vcs"),
        Action::Adopted => (DIM, "adopt"),
        Action::HumanAmended => (DIM, "human"),
        Action::Transition => (DIM, "state"),
        Action::Recorded => (DIM, "done"),
    };
    let code = record.code.map(|code| code.as_str().to_owned()).unwrap_or_default();
    // What a call is about: the files, and where it names none, the command.
    let object = match &record.command {
        Some(command) if record.paths.is_empty() => format!("$ {command}"),
        Some(command) => format!("{} $ {command}", record.paths.join(", ")),
        None => record.paths.join(", "),
    };
    let object = inert::line(&object);
    let mut note = reading::note(&inert::line(&record.note), now);
    if is_probe(record) {
        note = format!("`bailiwick doctor` checked that the gate refuses: {note}");
    }
    // A line about a grant, a pause or a prompt has that word once.
    let is_said = record.tool == word || note.starts_with(&record.tool);
    let tool = inert::line(if is_said { "" } else { &record.tool });
    let said = [code.as_str(), &tool, &object, &note].map(str::trim);
    let said: Vec<&str> = said.into_iter().filter(|part| !part.is_empty()).collect();
    // Time and word stand before it.
    let said = hanging(&said.join(" "), WHEN + 1 + WORD + 1);
    format!("{DIM}{:<WHEN$}{DIM:#} {style}{word:<WORD$}{style:#} {said}", reading::ago(record.at, now))
}
