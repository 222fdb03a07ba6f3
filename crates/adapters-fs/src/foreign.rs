//! Reads trace records that other programs wrote: Agent Trace in every version of it that is about, and the older names
//! of our own.
//!
//! Lenient, and nothing is made of it but a claim: such a record is never part of the ledger, has no approval, and proves
//! nothing that its hashes do not prove. What has no id or no files is no record and is counted. Deliberately absent:
//! which lines a claim still fits (`bailiwick trace blame`).

use bailiwick_domain::{ContentHash, RepoPath, Value};
use serde::Deserialize;

/// What a file of another program holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignTrace {
    /// The records, in the order of the file.
    pub records: Vec<ForeignRecord>,
    /// How many JSON values, or lines that are no JSON, are not records.
    pub others: usize,
}

/// A record of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignRecord {
    /// Its id, as it is spelled there.
    pub id: String,
    /// When it says that it was written, as it is spelled there.
    pub timestamp: Option<String>,
    /// The program that it says wrote it.
    pub tool: Option<String>,
    /// The revision that it says its lines are counted in.
    pub revision: Option<String>,
    /// The files.
    pub files: Vec<ForeignFile>,
    /// The whole record.
    pub value: Value,
}

/// A file that a foreign record claims lines of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignFile {
    /// The path as it is spelled there.
    pub spelled: String,
    /// The same as a path below the root; `None` for what is none.
    pub path: Option<RepoPath>,
    /// The runs of lines.
    pub ranges: Vec<ForeignRange>,
}

/// A run of lines that a foreign record claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignRange {
    /// The first line, counted from 1.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
    /// Its hash, where it is one that we can compute.
    pub content_hash: Option<ContentHash>,
    /// Who contributed: `human`, `ai`, `mixed`, `unknown`, or whatever the record says.
    pub contributor: String,
    /// The model.
    pub model: Option<String>,
    /// The conversation.
    pub conversation: Option<String>,
}

#[derive(Deserialize)]
struct Record {
    id: String,
    timestamp: Option<String>,
    tool: Option<Tool>,
    vcs: Option<Vcs>,
    agent: Option<Agent>,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct Tool {
    name: Option<String>,
    version: Option<String>,
}

#[derive(Deserialize)]
struct Vcs {
    revision: Option<String>,
    revision_id: Option<String>,
}

#[derive(Deserialize)]
struct Agent {
    contributor: Option<Contributor>,
}

#[derive(Clone, Default, Deserialize)]
struct Contributor {
    #[serde(alias = "entity_type")]
    r#type: Option<String>,
    #[serde(alias = "model_identifier")]
    model_id: Option<String>,
}

#[derive(Deserialize)]
struct File {
    path: Option<String>,
    relative_path: Option<String>,
    #[serde(default)]
    conversations: Vec<Conversation>,
}

#[derive(Deserialize)]
struct Conversation {
    url: Option<String>,
    contributor: Option<Contributor>,
    #[serde(default)]
    ranges: Vec<Range>,
}

#[derive(Deserialize)]
struct Range {
    start_line: usize,
    end_line: usize,
    content_hash: Option<String>,
    contributor: Option<Contributor>,
}

/// Reads what a file holds: JSON values one behind another, on a line each or not, or lists of them.
pub fn read_foreign_trace(bytes: &[u8]) -> ForeignTrace {
    let mut found = ForeignTrace::default();
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    loop {
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<Value>();
        match values.next() {
            None => return found,
            Some(Ok(value)) => {
                rest = rest.get(values.byte_offset()..).unwrap_or_default();
                take(value, &mut found);
            }
            Some(Err(_)) => {
                found.others += 1;
                let text = rest.trim_ascii_start();
                let line = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
                rest = text.get(line..).unwrap_or_default();
            }
        }
    }
}

fn take(value: Value, found: &mut ForeignTrace) {
    if let Value::Array(values) = value {
        values.into_iter().for_each(|value| take(value, found));
        return;
    }
    match Record::deserialize(&value) {
        Ok(record) => found.records.push(understood(record, value)),
        Err(_) => found.others += 1,
    }
}

fn understood(record: Record, value: Value) -> ForeignRecord {
    let by = record.agent.and_then(|agent| agent.contributor).unwrap_or_default();
    ForeignRecord {
        id: record.id,
        timestamp: record.timestamp,
        tool: record.tool.and_then(named),
        revision: record.vcs.and_then(|vcs| vcs.revision.or(vcs.revision_id)),
        files: record.files.into_iter().map(|file| file_of(file, &by)).collect(),
        value,
    }
}

fn named(tool: Tool) -> Option<String> {
    let name = tool.name.filter(|name| !name.is_empty())?;
    Some(tool.version.map_or_else(|| name.clone(), |version| format!("{name} {version}")))
}

fn file_of(file: File, by: &Contributor) -> ForeignFile {
    let spelled = file.path.or(file.relative_path).unwrap_or_default();
    let mut ranges = Vec::new();
    for talk in file.conversations {
        for range in talk.ranges {
            let near = [range.contributor.as_ref(), talk.contributor.as_ref(), Some(by)];
            let told = |of: fn(&Contributor) -> Option<&String>| {
                near.iter().flatten().find_map(|who| of(who)).cloned()
            };
            ranges.push(ForeignRange {
                start_line: range.start_line,
                end_line: range.end_line,
                content_hash: range.content_hash.as_deref().and_then(ContentHash::parse),
                contributor: told(|who| who.r#type.as_ref())
                    .map_or_else(|| "unknown".to_owned(), |kind| kind.to_lowercase()),
                model: told(|who| who.model_id.as_ref()),
                conversation: talk.url.clone(),
            });
        }
    }
    let path = RepoPath::new(spelled.trim_start_matches("./")).ok();
    ForeignFile { path, spelled, ranges }
}
