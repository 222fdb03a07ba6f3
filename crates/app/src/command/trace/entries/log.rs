//! `bailiwick trace log`: the entries of the ledger, one line each.

use std::ops::ControlFlow;
use std::process::ExitCode;

use bailiwick_adapters_fs::SystemClock;
use bailiwick_domain::{
    Change, ChangedFile, Clock, LedgerQuery, LedgerReader, Order, StoredEntry, Timestamp, TraceContext,
    Trust, Value, json,
};

use crate::command::output::columns::hanging;
use crate::command::output::reading;
use crate::command::output::terminal::{DIM, HEADING};
use crate::command::trace::entries::show::{AMENDED, UNAPPROVED};
use crate::command::trace::sources::claims::{Claimed, known_as};
use crate::command::trace::sources::contradicted::Contradictions;
use crate::command::trace::sources::damage::tell_of_damage;
use crate::command::trace::sources::departed::Departed;
use crate::command::trace::sources::filter::Filter;
use crate::command::trace::sources::foreign::{self, FromFile};
use crate::command::trace::sources::source::reader;
use crate::command::trace::sources::turns::Turns;
use crate::command::{CommandError, Context};
use crate::evidence::Proof;
use crate::inert;
use crate::site::Site;

/// The columns of how long ago it was.
const AGO: usize = 13;

#[derive(Debug, clap::Args)]
pub(in crate::command) struct Args {
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    from: FromFile,
    /// How many entries, newest last
    #[arg(long, short = 'n', default_value_t = 50, value_parser = reading::limit)]
    limit: usize,
    /// Only entries that are older than this one, by its id or enough of the beginning: the page before
    #[arg(long, value_name = "ENTRY", conflicts_with = "from")]
    before: Option<String>,
    /// Where that entry stands, as `seq` of its record says, with its whole id: the page is then found at once
    #[arg(long, value_name = "PLACE", requires = "before")]
    seq: Option<u64>,
    #[command(flatten)]
    pub(crate) claimed: Claimed,
}

impl Args {
    /// Whether it reads a file that is named on the command line.
    pub(crate) fn reads_a_file(&self) -> bool {
        self.from.is_given()
    }
}

pub(crate) fn run(
    args: &Args,
    site: &Site,
    departed: &Departed,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let filter = args.filter.seen_from_here(site, context)?;
    if let Some(trace) = args.from.read(context)? {
        let path = filter.only_path()?;
        foreign::log(&trace, path, args.limit, context);
        return Ok(ExitCode::SUCCESS);
    }
    let found = found(args, &filter, site, context)?;
    tell_of_damage(site, context);
    let entries = || found.iter().map(|stored| &stored.entry);
    let turns = Turns::of(entries(), site)?;
    let contradictions = Contradictions::among(&found, site);
    if context.json {
        let records: Vec<Value> = found.iter().map(crate::command::trace::record).collect();
        let trust: Vec<Value> = found.iter().map(|stored| trust_of(stored, &contradictions)).collect();
        let answer = json!({ "entries": records, "trust": trust, "turns": turns.as_json(entries()) });
        context.terminal.json(&departed.with(answer));
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() && args.limit > 0 {
        context.terminal.hint(&nothing(&filter, context));
    }
    let now = SystemClock.now();
    for stored in &found {
        context.terminal.say(line(stored, now));
        if let Some(by) = contradictions.of(stored) {
            context.terminal.say(format_args!("  {DIM}contradicted:{DIM:#} {}", inert::line(&by.said())));
        }
        if let Some(turn) = turns.line_after(&stored.entry) {
            context.terminal.say(format_args!("  {DIM}turn:{DIM:#} {}", inert::line(&turn)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Why nothing is shown. That claimed entries are hidden is said behind every answer, with what shows them.
fn nothing(filter: &Filter, context: &Context) -> String {
    if let Some(short) = filter.too_short() {
        return inert::line(&short);
    }
    let said = match filter.is_any() {
        _ if context.claims.passed_over() => "no entry that you recorded or that a key signed that you trust",
        true if filter.has_path() => "no entry matches; name a file or a folder, without a pattern",
        true => "no entry matches; `bailiwick trace log` without a filter shows the newest",
        false => "nothing yet; each change that an agent makes through the gate is recorded here",
    };
    said.to_owned()
}

/// The newest of the wanted entries, or those behind the place that was named; the oldest first.
fn found(
    args: &Args,
    filter: &Filter,
    site: &Site,
    context: &Context,
) -> Result<Vec<StoredEntry>, CommandError> {
    let known = match (&args.before, args.seq) {
        (Some(id), Some(seq)) => reader(site, context).behind(id, seq)?,
        _ => None,
    };
    let searched = args.before.as_deref().filter(|_| known.is_none());
    let before = searched.map(|id| place(id, site, context)).transpose()?;
    let mut found: Vec<StoredEntry> = Vec::new();
    let mut is_older = before.is_none();
    let mut take = |stored: StoredEntry| {
        if !is_older {
            is_older = before.as_ref().is_some_and(|before| before.entry.id == stored.entry.id);
            return ControlFlow::Continue(());
        }
        if found.len() < args.limit && filter.wants(&stored) {
            found.push(stored);
        }
        if found.len() < args.limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let query = match &before {
        // Where the filter leaves the place itself out, so may the query that is made of it.
        Some(before) if !filter.wants(before) => {
            LedgerQuery { order: Order::NewestFirst, ..LedgerQuery::default() }
        }
        _ => filter.query(Order::NewestFirst),
    };
    known.unwrap_or_else(|| reader(site, context)).visit(&query, &mut take)?;
    found.reverse();
    Ok(found)
}

/// The one entry whose id begins so, whatever else is asked for.
fn place(id: &str, site: &Site, context: &Context) -> Result<StoredEntry, CommandError> {
    if id.is_empty() {
        return Err(CommandError::Usage("`--before` needs the id of an entry, or its beginning".to_owned()));
    }
    let mut found: Vec<StoredEntry> = Vec::new();
    let mut take = |stored: StoredEntry| {
        let is_whole = stored.entry.id == id;
        let is_known = found.iter().any(|one| one.entry.id == stored.entry.id);
        if stored.entry.id.starts_with(id) && !is_known {
            found.push(stored);
        }
        if is_whole || found.len() > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let query = LedgerQuery {
        order: Order::NewestFirst,
        containing: Some(id.to_owned()),
        without_records: true,
        ..LedgerQuery::default()
    };
    reader(site, context).visit(&query, &mut take)?;
    let id = inert::line(id);
    match (found.pop(), found.pop()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => {
            let (other, one) = (other.entry.id, one.entry.id);
            Err(CommandError::Usage(format!("several entries begin with `{id}`, such as {other} and {one}")))
        }
        (None, _) => Err(CommandError::Usage(format!("no entry begins with `{id}`"))),
    }
}

/// How an entry is known, and what contradicts it.
fn trust_of(stored: &StoredEntry, contradictions: &Contradictions) -> Value {
    let entry = json!({"entry": stored.entry.id, "proof": Proof::of_entry(stored).as_str()});
    contradictions.with_trust(entry, stored)
}

fn line(stored: &StoredEntry, now: Timestamp) -> String {
    let entry = &stored.entry;
    let id = reading::id(&entry.id);
    let shown = entry.files.iter().filter(|file| file.moved_to.is_none());
    let files: Vec<String> = shown.map(changed).collect();
    let class = entry.context.mutation.as_ref().map(|mutation| mutation.class.to_string());
    let proof = match Proof::of_entry(stored) {
        Proof::Proved => String::new(),
        other => format!("{}, ", other.as_str()),
    };
    let said = format!(
        "{} {HEADING}{}{HEADING:#} {} {} {DIM}{} {proof}{}{DIM:#}",
        inert::line(id),
        inert::line(entry.context.intent.as_str()),
        inert::line(&entry.context.tool),
        inert::line(&files.join(", ")),
        class.unwrap_or_default(),
        inert::line(&approved(stored)),
    );
    let (ago, columns) = (reading::ago(entry.timestamp, now), AGO);
    format!("{DIM}{ago:<columns$}{DIM:#} {}", hanging(&said, columns + 1))
}

/// `src/a.rs:3-7,9`, with a sign for what came and what went, and from where it was moved.
pub(crate) fn changed(file: &ChangedFile) -> String {
    let ranges: Vec<String> =
        file.ranges.iter().map(|range| reading::lines(range.start_line, range.end_line)).collect();
    let places = if ranges.is_empty() { String::new() } else { format!(":{}", ranges.join(",")) };
    match (&file.moved_from, &file.moved_to) {
        (Some(from), _) => return format!("{from} → {}{places}", file.path),
        (None, Some(to)) => return format!("-{} (moved to {to})", file.path),
        (None, None) => {}
    }
    match file.change {
        Change::Created => format!("+{}", file.path),
        Change::Deleted => format!("-{}", file.path),
        Change::Modified => format!("{}{places}", file.path),
    }
}

/// Who approved it, and how that is known where it is not one's own record.
fn approved(stored: &StoredEntry) -> String {
    match stored.trust {
        Some(Trust::Signed(_) | Trust::Unvouched) => {
            format!("{}, {}", told(&stored.entry.context), known_as(stored))
        }
        Some(Trust::Own) | None => told(&stored.entry.context),
    }
}

/// By whose word it was made, and whether it is what was approved.
fn told(context: &TraceContext) -> String {
    let amended = if context.amended { AMENDED } else { "" };
    format!("{}{amended}", authority(context))
}

fn authority(context: &TraceContext) -> String {
    let by = context.approved_by.as_deref();
    if context.restores.is_some() {
        return format!("put back by {}", by.unwrap_or("a person"));
    }
    if context.actor.is_no_agent() {
        return format!("written by {}", by.unwrap_or("Bailiwick"));
    }
    if context.passed_in_pause() {
        return UNAPPROVED.to_owned();
    }
    let grant = context.approval.as_ref().filter(|id| id.0.starts_with("grant#"));
    let under = grant.map(|id| format!(", {}", id.0)).unwrap_or_default();
    by.map_or_else(|| "approved at the host".to_owned(), |by| format!("approved by {by}{under}"))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ApprovalId, Pause};

    use super::{authority, told};

    #[test]
    fn what_was_not_approved_or_not_as_approved_says_so() {
        let mut context = sample::trace_entry("3f9c2b7a", &sample::intent("INT-001", &["src/**"])).context;
        context.approved_by = Some("dana".to_owned());
        context.amended = true;
        assert!(told(&context).starts_with("approved by dana"));
        assert!(told(&context).ends_with(", not exactly as predicted"));
        context.approved_by = None;
        context.approval = Some(ApprovalId(Pause::MARK.to_owned()));
        assert_eq!(authority(&context), "not approved: paused");
    }
}
