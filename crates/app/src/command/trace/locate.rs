//! `bailiwick trace locate ID`: where the code of an entry is now (row 163).

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsLineIndex, FsWorkspace, SystemClock};
use bailiwick_domain::{
    Change, ChangedFile, Clock, LineIndex, RepoPath, StoredEntry, Value, Workspace, json,
};
use pollster::block_on;

use super::source::entry;
use crate::command::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context, reading};
use crate::evidence::{Block, Claim, IndexedText, Place, relocate, relocate_elsewhere};
use crate::inert;
use crate::site::Site;

/// A larger file is not looked into.
const LARGEST: u64 = 16 * 1024 * 1024;
/// So many other files are looked into, those first that share most with the block.
const OTHER_FILES: usize = 8;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
in place, moved       the same bytes: proof
reformatted           the same lines with other blanks
similar               some of its lines, near one spot: a hint for people
ambiguous             equal copies, and nothing tells which is meant

Example:
  bailiwick trace locate 550e8400")]
pub(in crate::command) struct Args {
    /// The entry's id, or enough of its beginning
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    id: String,
}

/// Where one block is now.
#[derive(Debug)]
struct Found<'a> {
    claim: Claim<'a>,
    place: Place,
    /// The file that it is in now.
    path: RepoPath,
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let stored = [entry(&args.id, site, context)?];
    let index = FsLineIndex::new(&site.layout);
    let index = match context.progress("reading files") {
        Some(bar) => index.with_progress(bar),
        None => index,
    };
    let search = Search { workspace: FsWorkspace::new(site.layout.clone()), index };
    let found = Claim::all(&stored).map(|claim| search.find(claim)).collect::<Result<Vec<_>, _>>()?;
    drop(search);
    let is_all_there = found.iter().all(|found| found.place != Place::Gone);
    let [stored] = &stored;
    if context.json {
        let blocks: Vec<Value> = found.iter().map(as_json).collect();
        context.terminal.json(&json!({ "entry": stored.entry.id, "blocks": blocks }));
    } else {
        say(stored, &found, context);
    }
    Ok(if is_all_there { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

struct Search {
    workspace: FsWorkspace,
    index: FsLineIndex,
}

impl Search {
    fn find<'a>(&self, claim: Claim<'a>) -> Result<Found<'a>, CommandError> {
        let (block, path) = (claim.block(), &claim.file.path);
        let here = self.text(path)?;
        let at_home = here.map_or(Place::Gone, |text| relocate(&block, &IndexedText::new(&text)));
        if rank(&at_home) <= rank(&Place::Ambiguous(Vec::new())) {
            return Ok(Found { claim, place: at_home, path: path.clone() });
        }
        let mut best = (at_home, path.clone());
        let mut copies = Vec::new();
        for other in self.candidates(&block, path)? {
            let Some(text) = self.text(&other)? else { continue };
            let place = relocate_elsewhere(&block, &IndexedText::new(&text));
            if matches!(place, Place::Moved(_) | Place::Ambiguous(_)) {
                copies.push(other.clone());
            }
            if rank(&place) < rank(&best.0) {
                best = (place, other);
            }
        }
        if let (Place::Moved(lines), [_, _, ..]) = (&best.0, copies.as_slice()) {
            best.0 = Place::Ambiguous(Vec::from([lines.clone()]));
        }
        Ok(Found { claim, place: best.0, path: best.1 })
    }

    fn text(&self, path: &RepoPath) -> Result<Option<Vec<u8>>, CommandError> {
        Ok(block_on(self.workspace.read(path, LARGEST)).ok().flatten())
    }

    /// The other files that share most of the block's lines, rare lines counting more.
    fn candidates(&self, block: &Block<'_>, home: &RepoPath) -> Result<Vec<RepoPath>, CommandError> {
        let places = block_on(self.index.places(block.lines))?;
        let mut counts = BTreeMap::new();
        for place in &places {
            *counts.entry(place.hash).or_insert(0_u32) += 1;
        }
        let mut votes: BTreeMap<&RepoPath, f64> = BTreeMap::new();
        for place in places.iter().filter(|place| place.path != *home) {
            let count = counts.get(&place.hash).copied().unwrap_or(1);
            *votes.entry(&place.path).or_default() += f64::from(count).sqrt().recip();
        }
        let mut ranked: Vec<(&RepoPath, f64)> = votes.into_iter().collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        Ok(ranked.into_iter().take(OTHER_FILES).map(|(path, _)| path.clone()).collect())
    }
}

/// From proof to nothing.
fn rank(place: &Place) -> u8 {
    match place {
        Place::InPlace => 0,
        Place::Moved(_) => 1,
        Place::Ambiguous(_) => 2,
        Place::Reformatted(_) => 3,
        Place::Similar { percent, .. } => 104 - percent.min(&100),
        Place::Gone => 105,
    }
}

impl Found<'_> {
    fn is_elsewhere(&self) -> bool {
        self.path != self.claim.file.path
    }

    fn word(&self) -> &'static str {
        match self.place {
            Place::InPlace => "in_place",
            Place::Moved(_) if self.is_elsewhere() => "moved_file",
            Place::Moved(_) => "moved",
            Place::Ambiguous(_) => "ambiguous",
            Place::Reformatted(_) => "reformatted",
            Place::Similar { .. } => "similar",
            Place::Gone => "gone",
        }
    }

    fn lines(&self) -> Vec<Range<usize>> {
        let block = self.claim.block();
        let one = match &self.place {
            Place::InPlace => block.start..block.start.saturating_add(block.len),
            Place::Moved(lines) | Place::Reformatted(lines) | Place::Similar { lines, .. } => lines.clone(),
            Place::Ambiguous(places) => return places.clone(),
            Place::Gone => return Vec::new(),
        };
        Vec::from([one])
    }
}

fn as_json(found: &Found<'_>) -> Value {
    let Claim { file, range, .. } = found.claim;
    let percent = if let Place::Similar { percent, .. } = found.place { Some(percent) } else { None };
    let lines = found.lines();
    json!({
        "written": {"path": file.path, "start_line": range.start_line, "end_line": range.end_line},
        "content_hash": range.content_hash,
        "place": found.word(),
        "path": (!lines.is_empty()).then_some(&found.path),
        "lines": lines.iter().map(|lines| json!({"start_line": lines.start + 1, "end_line": lines.end})).collect::<Vec<_>>(),
        "percent": percent,
    })
}

fn say(stored: &StoredEntry, found: &[Found<'_>], context: &Context) {
    let (entry, terminal) = (&stored.entry, &context.terminal);
    let at = reading::when(entry.timestamp, SystemClock.now());
    let (id, intent) = (inert::line(reading::id(&entry.id)), inert::line(entry.context.intent.as_str()));
    terminal.say(format_args!("{HEADING}{id}{HEADING:#} {intent} {DIM}{at}{DIM:#}"));
    for found in found {
        let style = match found.place {
            Place::InPlace | Place::Moved(_) => GOOD,
            Place::Gone => BAD,
            _ => WARN,
        };
        let Claim { file, range, .. } = found.claim;
        let written = format!("{}:{}-{}", file.path, range.start_line, range.end_line);
        let word = found.word().replace('_', " ");
        terminal.say(format_args!("  {} {style}{word}{style:#}{}", inert::line(&written), now(found)));
    }
    for file in entry.files.iter().filter(|file| file.ranges.is_empty()) {
        terminal.say(format_args!(
            "  {} {DIM}{}{DIM:#}",
            inert::line(file.path.as_str()),
            without_lines(file)
        ));
    }
}

fn now(found: &Found<'_>) -> String {
    if found.place == Place::InPlace {
        return String::new();
    }
    let percent = match found.place {
        Place::Similar { percent, .. } => format!(", {percent} %"),
        _ => String::new(),
    };
    let places = found.lines().into_iter();
    let places = places.map(|lines| format!("{}:{}-{}", found.path, lines.start + 1, lines.end));
    let places = places.collect::<Vec<_>>().join(", ");
    if places.is_empty() { String::new() } else { format!(" {}{percent}", inert::line(&places)) }
}

fn without_lines(file: &ChangedFile) -> &'static str {
    match (file.binary, file.change) {
        (_, Change::Deleted) => "was deleted",
        (true, _) => "is not text",
        (false, Change::Created) if file.moved_from.is_some() => "was moved here as it was",
        (false, Change::Created) => "was made empty",
        (false, Change::Modified) if file.removed.is_empty() => "has the same lines",
        (false, Change::Modified) => "only lost lines",
    }
}
