//! `bailiwick trace export`: entries for other programs, as Agent Trace records, as stored, or as a table.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use bailiwick_adapters_fs::strict_record;
use bailiwick_domain::{ChangedFile, ChangedRange, LedgerReader, Order, RepoPath, StoredEntry, json};

use crate::command::trace::sources::filter::Filter;
use crate::command::trace::sources::source::{reader_of, with_bar};
use crate::command::{CommandError, Context};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
agent-trace  Agent Trace 0.1.0, strict: only the members that its schema knows, the chain under metadata
json         the records as they are stored, with the older names beside
csv          a heading, and one row for each range of changed lines

Example:
  bailiwick trace export --format csv --since 7days > changes.csv")]
pub(in crate::command) struct Args {
    /// In which form; one record a line
    #[arg(long, value_enum)]
    format: Format,
    #[command(flatten)]
    filter: Filter,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    pub(crate) fn writes_a_file(&self) -> bool {
        self.output.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    AgentTrace,
    Json,
    Csv,
}

pub(crate) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    if context.json && args.format == Format::Csv {
        return Err(CommandError::Usage("`--format csv` is no JSON: leave out `--json`".to_owned()));
    }
    let name =
        args.output.as_ref().map_or_else(|| "standard output".into(), |file| file.display().to_string());
    let out: Box<dyn Write + Send> = match &args.output {
        Some(path) => Box::new(File::create(path).map_err(|source| CommandError::io(&name, source))?),
        None => Box::new(io::stdout()),
    };
    let mut sheet = Sheet::new(args.format, BufWriter::new(out));
    let (mut written, mut is_empty) = (Ok(()), true);
    let filter = args.filter.seen_from_here(site, context)?;
    let mut take = |stored: StoredEntry| {
        if filter.wants(&stored) {
            (written, is_empty) = (sheet.write(&stored), false);
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let is_apart = args.output.is_some() || !io::stdout().is_terminal();
    // Every entry is wanted, whoever vouches for it: nobody's signature has to be looked at.
    let reader = reader_of(site);
    let reader = if is_apart { with_bar(reader, context) } else { reader };
    reader.visit(&filter.query(Order::OldestFirst), &mut take)?;
    drop(reader);
    if let Some(short) = filter.too_short().filter(|_| is_empty) {
        context.terminal.warning(&inert::line(&short));
    }
    match written.and_then(|()| sheet.end()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(CommandError::io(&name, error)),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

enum Sheet<W: Write> {
    Lines { is_strict: bool, out: W },
    Table { is_begun: bool, out: Box<csv::Writer<W>> },
}

impl<W: Write> Sheet<W> {
    fn new(format: Format, out: W) -> Self {
        match format {
            Format::Csv => Self::Table { is_begun: false, out: Box::new(csv::Writer::from_writer(out)) },
            Format::AgentTrace => Self::Lines { is_strict: true, out },
            Format::Json => Self::Lines { is_strict: false, out },
        }
    }

    fn write(&mut self, stored: &StoredEntry) -> io::Result<()> {
        match self {
            Self::Lines { is_strict: true, out } => {
                writeln!(out, "{}", strict_record(crate::command::trace::record(stored)))
            }
            Self::Lines { is_strict: false, out } => writeln!(out, "{}", stored.record),
            Self::Table { is_begun, out } => rows(stored).iter().try_for_each(|row| {
                *is_begun = true;
                out.serialize(row).map_err(cause)
            }),
        }
    }

    fn end(self) -> io::Result<()> {
        match self {
            Self::Lines { mut out, .. } => out.flush(),
            Self::Table { is_begun: true, mut out } => out.flush(),
            Self::Table { is_begun: false, mut out } => {
                out.write_record(COLUMNS).map_err(cause)?;
                out.flush()
            }
        }
    }
}

/// What failed below the table, such as a pipe that was closed.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The heading of a table without a row: the fields of [`Row`] in their order.
const COLUMNS: [&str; 19] = [
    "entry",
    "timestamp",
    "intent",
    "revision",
    "requirements",
    "session",
    "tool",
    "approved_by",
    "commit",
    "path",
    "change",
    "start_line",
    "end_line",
    "content_hash",
    "symbol",
    "structural_hash",
    "mutation",
    "approved_at",
    "moved_from",
];

/// One row of the table.
#[derive(Debug, serde::Serialize)]
struct Row<'a> {
    entry: &'a str,
    timestamp: String,
    intent: &'a str,
    revision: &'a str,
    requirements: String,
    session: String,
    tool: String,
    approved_by: Option<&'a str>,
    commit: Option<&'a str>,
    path: &'a str,
    change: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
    content_hash: Option<&'a str>,
    symbol: Option<&'a str>,
    structural_hash: Option<&'a str>,
    mutation: Option<String>,
    approved_at: Option<String>,
    moved_from: Option<&'a str>,
}

/// A row for each range, and one for a file without any.
fn rows(stored: &StoredEntry) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for file in &stored.entry.files {
        if file.ranges.is_empty() {
            rows.push(row(stored, file, None));
        }
        rows.extend(file.ranges.iter().map(|range| row(stored, file, Some(range))));
    }
    rows
}

fn row<'a>(stored: &'a StoredEntry, file: &'a ChangedFile, range: Option<&'a ChangedRange>) -> Row<'a> {
    let (entry, context) = (&stored.entry, &stored.entry.context);
    let symbol = range.and_then(|range| range.symbol.as_ref());
    Row {
        entry: &entry.id,
        timestamp: entry.timestamp.to_string(),
        intent: context.intent.as_str(),
        revision: context.revision.short(),
        requirements: context.requirements.join(" "),
        // A terminal shows a table as it is.
        session: inert::line(&context.actor.session),
        tool: inert::line(&context.tool),
        approved_by: context.approved_by.as_deref(),
        commit: entry.vcs.commit(),
        path: file.path.as_str(),
        change: json!(file.change).as_str().unwrap_or_default().to_owned(),
        start_line: range.map(|range| range.start_line),
        end_line: range.map(|range| range.end_line),
        content_hash: range.map(|range| range.content_hash.as_str()),
        symbol: symbol.map(|symbol| symbol.path.as_str()),
        structural_hash: symbol.map(|symbol| symbol.structural_hash.as_str()),
        mutation: context.mutation.as_ref().map(|mutation| mutation.class.to_string()),
        approved_at: context.approved_at.map(|at| at.to_string()),
        moved_from: file.moved_from.as_ref().map(RepoPath::as_str),
    }
}
