//! `bailiwick trace log`: the entries of the ledger, one line each.

use std::ops::ControlFlow;
use std::process::ExitCode;

use bailiwick_adapters_fs::FsLedgerReader;
use bailiwick_domain::{Change, ChangedFile, LedgerQuery, LedgerReader, StoredEntry, Value, json};

use crate::command::terminal::{DIM, HEADING};
use crate::command::{CommandError, Context};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
pub(in crate::command) struct Args {
    /// Only entries of this intent
    #[arg(long, value_name = "ID")]
    intent: Option<String>,
    /// Only entries that changed this file or something below this folder, relative to the root
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Only this session, as HOST/SESSION or the session's id
    #[arg(long)]
    session: Option<String>,
    /// How many entries, newest last
    #[arg(long, short = 'n', default_value_t = 50)]
    limit: usize,
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let mut found: Vec<StoredEntry> = Vec::new();
    let mut take = |stored: StoredEntry| {
        if found.len() < args.limit && args.want(&stored) {
            found.push(stored);
        }
        if found.len() < args.limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    FsLedgerReader::new(&site.layout).visit(&args.query(), &mut take)?;
    found.reverse();
    if context.json {
        let records: Vec<Value> = found.iter().map(super::record).collect();
        context.terminal.json(&json!({ "entries": records }));
        return Ok(ExitCode::SUCCESS);
    }
    for stored in &found {
        context.terminal.say(line(stored));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// What every wanted record has in it as it is stored.
    fn query(&self) -> LedgerQuery {
        let words =
            [self.session.as_deref().and_then(|name| name.rsplit('/').next()), self.intent.as_deref()];
        let word = words.into_iter().flatten().find(|word| !word.is_empty());
        LedgerQuery { containing: word.map(as_stored), ..LedgerQuery::default() }
    }

    fn want(&self, stored: &StoredEntry) -> bool {
        let context = &stored.entry.context;
        let intent = self.intent.as_ref().is_none_or(|id| context.intent.as_str() == id);
        let session = self
            .session
            .as_ref()
            .is_none_or(|name| context.actor.session == *name || context.actor.to_string() == *name);
        intent
            && session
            && self.file.as_ref().is_none_or(|path| stored.entry.files.iter().any(|file| touches(file, path)))
    }
}

/// A text as it is spelled inside a stored string.
fn as_stored(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}

fn touches(file: &ChangedFile, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let rest = file.path.as_str().strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn line(stored: &StoredEntry) -> String {
    let entry = &stored.entry;
    let id = entry.id.get(..8).unwrap_or(&entry.id);
    let files: Vec<String> = entry.files.iter().map(changed).collect();
    format!(
        "{DIM}{}{DIM:#} {} {HEADING}{}{HEADING:#} {} {} {DIM}{}{DIM:#}",
        entry.timestamp,
        inert::line(id),
        inert::line(entry.context.intent.as_str()),
        inert::line(&entry.context.tool),
        inert::line(&files.join(", ")),
        inert::line(&approved(stored)),
    )
}

/// `src/a.rs:3-7,9`, with a sign for what came and what went.
pub(super) fn changed(file: &ChangedFile) -> String {
    let ranges: Vec<String> = file
        .ranges
        .iter()
        .map(|range| match range.end_line {
            end if end == range.start_line => end.to_string(),
            end => format!("{}-{end}", range.start_line),
        })
        .collect();
    let places = if ranges.is_empty() { String::new() } else { format!(":{}", ranges.join(",")) };
    match file.change {
        Change::Created => format!("+{}", file.path),
        Change::Deleted => format!("-{}", file.path),
        Change::Modified => format!("{}{places}", file.path),
    }
}

fn approved(stored: &StoredEntry) -> String {
    let by = stored.entry.context.approved_by.as_deref();
    by.map_or_else(|| "approved at the host".to_owned(), |by| format!("approved by {by}"))
}
