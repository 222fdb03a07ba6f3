//! `bailiwick trace show ID`: one entry of the ledger, whole.

use std::process::ExitCode;

use bailiwick_adapters_fs::{SignedBy, SystemClock, TraceKeys, Whose, read_ledger_line, signed_by};
use bailiwick_domain::{Clock, Mutation, Origin, StoredEntry, TraceContext, TraceEntry, Trust, VcsRevision};

use crate::command::output::reading;
use crate::command::output::terminal::{DIM, HEADING};
use crate::command::trace::sources::claims::Claimed;
use crate::command::trace::sources::contradicted::Contradictions;
use crate::command::trace::sources::foreign::{self, FromFile};
use crate::command::trace::sources::turns::Turns;
use crate::command::{CommandError, Context};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
pub(in crate::command) struct Args {
    /// The entry's id, or enough of its beginning
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    id: String,
    #[command(flatten)]
    from: FromFile,
    #[command(flatten)]
    pub(crate) claimed: Claimed,
}

impl Args {
    /// Whether it reads a file that is named on the command line.
    pub(crate) fn reads_a_file(&self) -> bool {
        self.from.is_given()
    }
}

pub(crate) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    if let Some(trace) = args.from.read(context)? {
        foreign::show(&trace, &args.id, context)?;
        return Ok(ExitCode::SUCCESS);
    }
    let stored = crate::command::trace::sources::source::entry(&args.id, site, context)?;
    if context.json {
        context.terminal.json(&crate::command::trace::record(&stored));
    } else {
        let turns = Turns::of(std::iter::once(&stored.entry), site)?;
        show(&stored, &turns, signed(&stored, site), context);
        if let Some(by) = Contradictions::among([&stored], site).of(&stored) {
            let said = inert::line(&by.said()).to_string();
            context.terminal.say(format_args!("  {DIM}contradicted{DIM:#} {said}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(stored: &StoredEntry, turns: &Turns, signed: String, context: &Context) {
    let terminal = &context.terminal;
    let entry = &stored.entry;
    terminal.styled(HEADING, inert::line(&entry.id));
    let more = meaning(&stored.entry, turns).into_iter().chain([("signed", signed)]);
    for (name, value) in facts(stored).into_iter().chain(more) {
        terminal.say(format_args!("  {DIM}{name:<12}{DIM:#} {}", inert::line(&value)));
    }
    for file in &entry.files {
        terminal.say(format_args!("  {}", inert::line(&super::log::changed(file))));
        for range in &file.ranges {
            let hash = &range.content_hash;
            let unit = range.symbol.as_ref().map(|symbol| format!(" in {}", inert::line(&symbol.path)));
            let unit = unit.unwrap_or_default();
            let lines = reading::lines(range.start_line, range.end_line);
            terminal.say(format_args!("    {DIM}{lines} {hash}{DIM:#}{unit}"));
        }
    }
}

fn facts(stored: &StoredEntry) -> Vec<(&'static str, String)> {
    let (entry, context) = (&stored.entry, &stored.entry.context);
    let place = match &stored.origin {
        Origin::Live => format!("entry {} of this clone's ledger", stored.seq),
        Origin::Ended(number) => format!("entry {} of the ended ledger {number}", stored.seq),
        Origin::Segment(name) => format!("entry {} in the segment {}", stored.seq, name.digits()),
    };
    let vcs = match &entry.vcs {
        VcsRevision::Commit(commit) => commit.clone(),
        VcsRevision::None(why) => format!("none: {why}"),
    };
    let derived = if context.derived { " (derived)" } else { "" };
    vec![
        ("recorded", reading::when(entry.timestamp, SystemClock.now())),
        ("place", place),
        ("intent", format!("{} at {}", context.intent, context.revision.hash())),
        ("requirements", format!("{}{derived}", context.requirements.join(", "))),
        ("tool", context.tool.clone()),
        ("who", context.actor.to_string()),
        ("model", context.model.clone().unwrap_or_else(|| "not known".to_owned())),
        ("approved", approval(context)),
        ("commit", vcs),
        ("fingerprint", context.fingerprint.hash().to_string()),
        ("checksum", stored.checksum.to_string()),
    ]
}

/// What the change means by itself, what the agent claimed, and what its turn meant.
pub(crate) fn meaning(entry: &TraceEntry, turns: &Turns) -> Vec<(&'static str, String)> {
    let mutation = entry.context.mutation.as_ref();
    let said = mutation.map_or_else(|| "not known".to_owned(), Mutation::in_a_line);
    let mut facts = vec![("meaning", said)];
    let claimed = mutation.and_then(|mutation| mutation.claimed);
    facts.extend(claimed.map(|claimed| ("claimed", claimed.to_string())));
    facts.extend(turns.line_of(entry).map(|turn| ("turn", turn)));
    facts
}

/// By whom the record is signed, as far as it is known here.
fn signed(stored: &StoredEntry, site: &Site) -> String {
    let Ok(line) = read_ledger_line(stored.record.as_bytes()) else { return "not known".to_owned() };
    match signed_by(&line) {
        SignedBy::Nobody => "no".to_owned(),
        SignedBy::Missing => "the signature is gone".to_owned(),
        SignedBy::Wrong => "with a signature that does not fit this record".to_owned(),
        SignedBy::Key(key) => {
            let keys = TraceKeys::open(&site.layout).unwrap_or_default();
            let by = match (&stored.trust, keys.whose(&key, None, u64::MAX)) {
                (_, Whose::You) => "you".to_owned(),
                (Some(Trust::Signed(name)), _) => name.clone(),
                (_, Whose::Known(name)) => name.to_owned(),
                (_, Whose::Stolen(name)) => format!("whoever has the key that was stolen from {name},"),
                (_, Whose::Nobody) => "somebody who is not known here".to_owned(),
            };
            format!("by {by} with {key}")
        }
    }
}

/// What is said of a change that passed in a pause.
pub(in crate::command) const UNAPPROVED: &str = "not approved: paused";

/// What is said where the result differs from what was approved.
pub(in crate::command) const AMENDED: &str = ", not exactly as predicted";

pub(crate) fn approval(context: &TraceContext) -> String {
    let by = context.approved_by.as_deref().unwrap_or("the person at the host");
    let id = context.approval.as_ref().map(|id| format!(" ({})", id.0)).unwrap_or_default();
    let now = SystemClock.now();
    let at = context.approved_at.map(|at| format!(", {}", reading::local(at, now))).unwrap_or_default();
    let override_note = if context.scope_override { ", over the scope" } else { "" };
    let late = if context.late { ", found later" } else { "" };
    let amended = if context.amended { AMENDED } else { "" };
    if let Some(restores) = &context.restores {
        let under = restores.grant.map(|grant| format!(", in the review of {grant}")).unwrap_or_default();
        return format!("put back by {by}{under}{late}{amended}; takes back {}", restores.entries.join(", "));
    }
    if context.passed_in_pause() {
        let outside = if context.scope_override { ", outside the scope" } else { "" };
        return format!("{UNAPPROVED}{outside}{late}{amended}");
    }
    format!("by {by}{id}{at}{override_note}{late}{amended}")
}
