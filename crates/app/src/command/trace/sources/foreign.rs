//! Trace records of other programs (`--from FILE`): what they claim, labelled with who claims it. They are never part of
//! the ledger, and nothing here says that anybody approved them.

use std::path::PathBuf;

use bailiwick_adapters_fs::{ForeignRange, ForeignRecord, ForeignTrace, read_file, read_foreign_trace};
use bailiwick_domain::{ContentHash, RepoPath, Value, json};

use crate::command::output::reading;
use crate::command::output::terminal::{DIM, HEADING};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::evidence::{Block, Certainty, IndexedText, blame};
use crate::inert;

/// What is asked with `--from`.
#[derive(Debug, clap::Args)]
pub(crate) struct FromFile {
    /// A file of trace records of another program (Agent Trace), such as .agent-trace/traces.jsonl
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

impl FromFile {
    pub(crate) fn is_given(&self) -> bool {
        self.from.is_some()
    }

    /// The records, when a file was named; what is no record is told.
    pub(crate) fn read(&self, context: &Context) -> Result<Option<ForeignTrace>, CommandError> {
        let Some(path) = &self.from else { return Ok(None) };
        let bytes = read_file(path).map_err(|source| CommandError::io(path.display().to_string(), source))?;
        let trace = read_foreign_trace(&bytes);
        if trace.others > 0 && !context.json {
            let file = inert::line(&path.display().to_string());
            let others = counted(trace.others, "value is no trace record", "values are no trace records");
            context.terminal.warning(&format!("{file}: {others}"));
        }
        Ok(Some(trace))
    }
}

/// The newest records that touch a path, the newest last as the file has them.
pub(crate) fn log(trace: &ForeignTrace, path: Option<&str>, limit: usize, context: &Context) {
    let touches = |record: &&ForeignRecord| {
        path.is_none_or(|path| {
            let paths = record.files.iter().filter_map(|file| file.path.as_ref());
            paths.into_iter().any(|file| crate::command::trace::is_at_or_below(file, path))
        })
    };
    let found: Vec<&ForeignRecord> = trace.records.iter().filter(touches).collect();
    let found = found.get(found.len().saturating_sub(limit)..).unwrap_or_default();
    if context.json {
        let records: Vec<&Value> = found.iter().map(|record| &record.value).collect();
        return context.terminal.json(&json!({ "foreign": records, "not_records": trace.others }));
    }
    for record in found {
        context.terminal.say(line(record));
    }
}

fn line(record: &ForeignRecord) -> String {
    let files: Vec<String> = record
        .files
        .iter()
        .map(|file| {
            let ranges: Vec<String> = file.ranges.iter().map(lines_of).collect();
            if ranges.is_empty() {
                file.spelled.clone()
            } else {
                format!("{}:{}", file.spelled, ranges.join(","))
            }
        })
        .collect();
    format!(
        "{DIM}{}{DIM:#} {} {HEADING}{}{HEADING:#} {} {DIM}not of this ledger{DIM:#}",
        inert::line(record.timestamp.as_deref().unwrap_or("at an unknown time")),
        inert::line(record.id.get(..8).unwrap_or(&record.id)),
        inert::line(tool(record)),
        inert::line(&files.join(", ")),
    )
}

fn lines_of(range: &ForeignRange) -> String {
    reading::lines(range.start_line, range.end_line)
}

fn tool(record: &ForeignRecord) -> &str {
    record.tool.as_deref().unwrap_or("unknown tool")
}

/// The one record whose id begins so, whole.
pub(crate) fn show(trace: &ForeignTrace, id: &str, context: &Context) -> Result<(), CommandError> {
    let mut found = trace.records.iter().filter(|record| record.id.starts_with(id));
    let record = match (found.next(), found.next()) {
        (Some(record), None) => record,
        (None, _) => {
            return Err(CommandError::Other(format!("the file has no record `{}`", inert::line(id))));
        }
        (Some(_), Some(_)) => {
            return Err(CommandError::Other(format!("several records begin with `{}`", inert::line(id))));
        }
    };
    if context.json {
        context.terminal.json(&json!({ "foreign": record.value }));
        return Ok(());
    }
    let terminal = &context.terminal;
    terminal.styled(HEADING, inert::line(&record.id));
    let facts = [
        ("recorded", record.timestamp.as_deref().unwrap_or("not told")),
        ("tool", tool(record)),
        ("commit", record.revision.as_deref().unwrap_or("not told")),
        ("approved", "not known here: another program wrote this record"),
    ];
    for (name, value) in facts {
        terminal.say(format_args!("  {DIM}{name:<12}{DIM:#} {}", inert::line(value)));
    }
    for file in &record.files {
        terminal.say(format_args!("  {}", inert::line(&file.spelled)));
        for range in &file.ranges {
            let by =
                [Some(range.contributor.as_str()), range.model.as_deref(), range.conversation.as_deref()];
            let by: Vec<&str> = by.into_iter().flatten().collect();
            terminal.say(format_args!("    {DIM}{}{DIM:#} {}", lines_of(range), inert::line(&by.join(" "))));
        }
    }
    Ok(())
}

/// What a foreign record claims of one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claimed<'a> {
    record: &'a ForeignRecord,
    range: &'a ForeignRange,
    /// How its hash proves it; `None` where there is no hash that could.
    proof: Option<Certainty>,
}

/// What is claimed of each line of a file: the newest record whose hash fits, else the newest without a hash that names
/// the line. A record whose hash fits nothing any more claims nothing.
pub(crate) fn claims<'a>(
    path: &RepoPath,
    text: &IndexedText<'_>,
    trace: &'a ForeignTrace,
) -> Vec<Option<Claimed<'a>>> {
    let of_file = trace.records.iter().rev().flat_map(|record| {
        let files = record.files.iter().filter(|file| file.path.as_ref() == Some(path));
        files.flat_map(move |file| file.ranges.iter().map(move |range| (record, range)))
    });
    let (hashed, bare): (Vec<_>, Vec<_>) = of_file.partition(|(_, range)| range.content_hash.is_some());
    let blocks: Vec<Block<'a>> = hashed.iter().filter_map(|(_, range)| block(range)).collect();
    let mut lines: Vec<Option<Claimed<'a>>> = blame(text, &blocks)
        .into_iter()
        .map(|owner| {
            let owner = owner.filter(|owner| owner.certainty.is_proof())?;
            let (record, range) = hashed.get(owner.claim)?;
            Some(Claimed { record, range, proof: Some(owner.certainty) })
        })
        .collect();
    for (record, range) in bare {
        let named = range.start_line.saturating_sub(1)..range.end_line.min(lines.len());
        for line in lines.get_mut(named).into_iter().flatten().filter(|line| line.is_none()) {
            *line = Some(Claimed { record, range, proof: None });
        }
    }
    lines
}

fn block(range: &ForeignRange) -> Option<Block<'_>> {
    let hash: &ContentHash = range.content_hash.as_ref()?;
    let start = range.start_line.saturating_sub(1);
    let len = range.end_line.saturating_sub(start);
    Some(Block { start, len, hash, lines: &[], above: &[], below: &[] })
}

impl Claimed<'_> {
    fn certainty(&self) -> &'static str {
        self.proof.map_or("claimed", Certainty::as_str)
    }

    pub(crate) fn as_json(&self) -> Value {
        json!({
            "tool": self.record.tool,
            "id": self.record.id,
            "timestamp": self.record.timestamp,
            "contributor": self.range.contributor,
            "model": self.range.model,
            "certainty": self.certainty(),
        })
    }

    /// The fields of a porcelain line between its number and its text.
    pub(crate) fn porcelain(&self) -> String {
        let time = self.record.timestamp.as_deref().unwrap_or("-");
        let fields = [self.certainty(), "-", "-", tool(self.record), time, self.record.id.as_str(), "-"];
        fields.map(inert::line).join("\t")
    }

    /// What stands before the line's number: tool, no class, contributor, id and day.
    pub(crate) fn columns(&self) -> [String; 5] {
        let day = self.record.timestamp.as_deref().unwrap_or_default();
        let texts = [tool(self.record), "-", &self.range.contributor, &self.record.id, day];
        texts.map(ToOwned::to_owned)
    }

    /// `?` where nothing proves it.
    pub(crate) fn mark(&self) -> char {
        if self.proof.is_some() { ' ' } else { '?' }
    }
}
