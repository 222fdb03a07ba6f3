//! `bailiwick trace locate ID`: where the code of an entry is now.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsLineIndex, FsWorkspace, SystemClock};
use bailiwick_domain::{
    Change, ChangedFile, Clock, LineHash, LineIndex, LinePlace, RepoPath, StoredEntry, Value, Workspace, json,
};
use pollster::block_on;

use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::trace::sources::claims::{Claimed, known_as};
use crate::command::trace::sources::contradicted::Contradictions;
use crate::command::trace::sources::departed::Departed;
use crate::command::trace::sources::source::entry;
use crate::command::{CommandError, Context};
use crate::evidence::{Block, Claim, IndexedText, Place, Proof, relocate, relocate_elsewhere};
use crate::inert;
use crate::site::Site;

/// A larger file is not looked into.
const LARGEST: u64 = 16 * 1024 * 1024;
/// So many other files are looked into, those first that share most with the block.
const OTHER_FILES: usize = 8;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
in place, moved       the same bytes: proof
reformatted           the same lines with different white space
similar               some of its lines, near one spot: a hint for people
ambiguous             equal copies, and nothing tells which is meant

Example:
  bailiwick trace locate 550e8400")]
pub(in crate::command) struct Args {
    /// The entry's id, or enough of its beginning
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    id: String,
    #[command(flatten)]
    pub(crate) claimed: Claimed,
}

/// Where one block is now.
#[derive(Debug)]
pub(in crate::command) struct Found<'a> {
    pub(in crate::command) claim: Claim<'a>,
    pub(in crate::command) place: Place,
    /// The file that it is in now.
    pub(in crate::command) path: RepoPath,
}

pub(crate) fn run(
    args: &Args,
    site: &Site,
    departed: &Departed,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let stored = [entry(&args.id, site, context)?];
    let search = Search::new(site, context);
    let found = search.find_all(Claim::all(&stored).collect())?;
    drop(search);
    let is_all_there = found.iter().all(|found| found.place != Place::Gone);
    let [stored] = &stored;
    let contradictions = Contradictions::among([stored], site);
    if context.json {
        let blocks: Vec<Value> = found.iter().map(|found| as_json(found, &contradictions)).collect();
        let answer = json!({ "entry": stored.entry.id, "blocks": blocks });
        context.terminal.json(&departed.with(contradictions.with_trust(answer, stored)));
    } else {
        say(stored, &found, &contradictions, context);
    }
    Ok(if is_all_there { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Looks for blocks in the files as they are now.
pub(in crate::command) struct Search {
    workspace: FsWorkspace,
    index: FsLineIndex,
}

impl Search {
    /// A search that shows how far it is.
    pub(in crate::command) fn new(site: &Site, context: &Context) -> Self {
        let index = FsLineIndex::new(&site.layout);
        let index = match context.progress("reading files") {
            Some(bar) => index.with_progress(bar),
            None => index,
        };
        Self { workspace: FsWorkspace::new(site.layout.clone()), index }
    }

    /// Where each of them is, for blocks in the order of their files. A file is read once for all blocks that were written
    /// into it, and the index of lines is asked once for all that are not there any more.
    pub(in crate::command) fn find_all<'a>(
        &self,
        claims: Vec<Claim<'a>>,
    ) -> Result<Vec<Found<'a>>, CommandError> {
        let mut found: Vec<Found<'a>> = Vec::with_capacity(claims.len());
        for of_file in claims.chunk_by(|one, next| one.file.path == next.file.path) {
            let path = of_file.first().map(|claim| claim.file.path.clone());
            let text = path.as_ref().map(|path| self.text(path)).transpose()?.flatten();
            let indexed = text.as_deref().map(IndexedText::new);
            for claim in of_file {
                let block = claim.block();
                let place = indexed.as_ref().map_or(Place::Gone, |text| relocate(&block, text));
                found.push(Found { claim: *claim, place, path: claim.file.path.clone() });
            }
        }
        let is_missing = |found: &Found<'_>| rank(&found.place) > rank(&Place::Ambiguous(Vec::new()));
        let missing = found.iter().filter(|found| is_missing(found));
        let wanted: BTreeSet<LineHash> =
            missing.flat_map(|found| found.claim.block().lines).copied().collect();
        if wanted.is_empty() {
            return Ok(found);
        }
        let wanted: Vec<LineHash> = wanted.into_iter().collect();
        let mut places: BTreeMap<LineHash, Vec<LinePlace>> = BTreeMap::new();
        for place in block_on(self.index.places(&wanted))? {
            places.entry(place.hash).or_default().push(place);
        }
        let mut texts = BTreeMap::new();
        for found in found.iter_mut().filter(|found| is_missing(found)) {
            self.find_elsewhere(found, &places, &mut texts)?;
        }
        Ok(found)
    }

    /// Looks for a block in the files that share most with it.
    fn find_elsewhere(
        &self,
        found: &mut Found<'_>,
        places: &BTreeMap<LineHash, Vec<LinePlace>>,
        texts: &mut BTreeMap<RepoPath, Option<Vec<u8>>>,
    ) -> Result<(), CommandError> {
        let block = found.claim.block();
        let mut copies = Vec::new();
        for other in candidates(&block, &found.claim.file.path, places) {
            if !texts.contains_key(&other) {
                texts.insert(other.clone(), self.text(&other)?);
            }
            let Some(text) = texts.get(&other).and_then(Option::as_ref) else { continue };
            let place = relocate_elsewhere(&block, &IndexedText::new(text));
            if matches!(place, Place::Moved(_) | Place::Ambiguous(_)) {
                copies.push(other.clone());
            }
            if rank(&place) < rank(&found.place) {
                (found.place, found.path) = (place, other);
            }
        }
        if let (Place::Moved(lines), [_, _, ..]) = (&found.place, copies.as_slice()) {
            found.place = Place::Ambiguous(Vec::from([lines.clone()]));
        }
        Ok(())
    }

    fn text(&self, path: &RepoPath) -> Result<Option<Vec<u8>>, CommandError> {
        Ok(block_on(self.workspace.read(path, LARGEST)).ok().flatten())
    }
}

/// The other files that share most of the block's lines, rare lines counting more.
fn candidates(
    block: &Block<'_>,
    home: &RepoPath,
    places: &BTreeMap<LineHash, Vec<LinePlace>>,
) -> Vec<RepoPath> {
    let mut votes: BTreeMap<&RepoPath, f64> = BTreeMap::new();
    let lines: BTreeSet<&LineHash> = block.lines.iter().collect();
    for all in lines.into_iter().filter_map(|line| places.get(line)) {
        let weight = f64::from(u32::try_from(all.len()).unwrap_or(u32::MAX)).sqrt().recip();
        for place in all.iter().filter(|place| place.path != *home) {
            *votes.entry(&place.path).or_default() += weight;
        }
    }
    let mut ranked: Vec<(&RepoPath, f64)> = votes.into_iter().collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    ranked.into_iter().take(OTHER_FILES).map(|(path, _)| path.clone()).collect()
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
    pub(in crate::command) fn is_elsewhere(&self) -> bool {
        self.path != self.claim.file.path
    }

    /// How sure it is that the block is there, and the entry's.
    fn proof(&self, contradictions: &Contradictions) -> Proof {
        let Claim { stored, file, .. } = self.claim;
        match contradictions.in_file(stored, &file.path) {
            Some(_) => Proof::Unknown,
            None => Proof::from(&self.place),
        }
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

fn as_json(found: &Found<'_>, contradictions: &Contradictions) -> Value {
    let Claim { file, range, .. } = found.claim;
    let percent = if let Place::Similar { percent, .. } = found.place { Some(percent) } else { None };
    let lines = found.lines();
    json!({
        "written": {"path": file.path, "start_line": range.start_line, "end_line": range.end_line},
        "content_hash": range.content_hash,
        "place": found.word(),
        "proof": found.proof(contradictions).as_str(),
        "path": (!lines.is_empty()).then_some(&found.path),
        "lines": lines.iter().map(|lines| json!({"start_line": lines.start + 1, "end_line": lines.end})).collect::<Vec<_>>(),
        "percent": percent,
    })
}

fn say(stored: &StoredEntry, found: &[Found<'_>], contradictions: &Contradictions, context: &Context) {
    let (entry, terminal) = (&stored.entry, &context.terminal);
    let at = reading::when(entry.timestamp, SystemClock.now());
    let (id, intent) = (inert::line(reading::id(&entry.id)), inert::line(entry.context.intent.as_str()));
    let known = inert::line(&known_as(stored));
    terminal.say(format_args!("{HEADING}{id}{HEADING:#} {intent} {DIM}{at}, {known}{DIM:#}"));
    if let Some(by) = contradictions.of(stored) {
        terminal.styled(WARN, format_args!("  contradicted: {}", inert::line(&by.said())));
    }
    for found in found {
        let style = match found.place {
            Place::InPlace | Place::Moved(_) => GOOD,
            Place::Gone => BAD,
            _ => WARN,
        };
        let Claim { file, range, .. } = found.claim;
        let written = format!("{}:{}", file.path, reading::lines(range.start_line, range.end_line));
        let word = said(found, contradictions);
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

/// How sure it is, and what became of it.
fn said(found: &Found<'_>, contradictions: &Contradictions) -> String {
    if found.place == Place::Gone {
        return "gone: nothing of it is there".to_owned();
    }
    format!("{}, {}", found.proof(contradictions).as_str(), found.word().replace('_', " "))
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
    let places = places.map(|lines| format!("{}:{}", found.path, reading::lines(lines.start + 1, lines.end)));
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
