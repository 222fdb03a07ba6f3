//! The content that an entry left, made again from the content before it, the entry's own hashes, and a text in which most
//! of its lines still stand.

use std::collections::HashMap;
use std::rc::Rc;

use bailiwick_domain::{ChangedFile, ChangedRange, ContentHash, FileState, LineHash};

/// A line with its end.
pub(super) type Line = Rc<[u8]>;

/// No longer text is made of lines that nobody knows.
const MOST_LINES: usize = 100_000;

/// How a line begins that is not known.
const UNKNOWN: u8 = 0;

/// What was made.
#[derive(Clone, Debug)]
pub(super) struct Rebuilt {
    /// The lines. One that is not known is told from every other, and nothing else.
    pub(super) lines: Vec<Line>,
    /// Whether that is exactly the content: its hash says so. Else the blanks of a line may be others.
    pub(super) is_exact: bool,
}

/// The lines of a text.
pub(super) fn lines_of(text: &[u8]) -> Vec<Line> {
    text.split_inclusive(|byte| *byte == b'\n').map(Line::from).collect()
}

/// The same by their loose hashes.
pub(super) fn by_hash(text: &[u8]) -> HashMap<LineHash, Line> {
    let mut texts = HashMap::new();
    for line in lines_of(text) {
        texts.entry(LineHash::of(&line)).or_insert(line);
    }
    texts
}

/// Makes it again of the lines before it and those of a text that is like it; `None` where the entry does not say enough.
pub(super) fn rebuilt(file: &ChangedFile, old: &[Line], texts: &HashMap<LineHash, Line>) -> Option<Rebuilt> {
    let lineage = file.lineage.as_ref()?;
    let hashes = own_hashes(file);
    let (mut lines, mut at): (Vec<Line>, _) = (Vec::new(), 0);
    for hunk in &lineage.hunks {
        let start = hunk.old_start.checked_sub(1).filter(|start| (at..=old.len()).contains(start))?;
        lines.extend_from_slice(old.get(at..start)?);
        if lines.len() + 1 != hunk.new_start {
            return None;
        }
        for line in hunk.new_start..hunk.new_start.saturating_add(hunk.new_count) {
            let text = hashes.get(&line).and_then(|hash| texts.get(hash));
            lines.push(text.map_or_else(|| unknown(file, line), Rc::clone));
        }
        at = start.saturating_add(hunk.old_count);
    }
    lines.extend_from_slice(old.get(at..)?);
    let is_whole = lines.iter().all(|line| line.first() != Some(&UNKNOWN));
    let is_exact = is_whole && file.after == FileState::Content(ContentHash::of(&lines.concat()));
    Some(Rebuilt { lines, is_exact })
}

/// What an entry found, where nobody has that text: of its lines only those beside the entry's changes are known.
pub(super) fn found_by(file: &ChangedFile, texts: &HashMap<LineHash, Line>) -> Option<Rebuilt> {
    let hunks = &file.lineage.as_ref()?.hunks;
    let mut beside: HashMap<usize, LineHash> = HashMap::new();
    let mut end = 0;
    for hunk in hunks {
        let start = hunk.old_start.checked_sub(1)?;
        let (below, stop) =
            (start.saturating_add(hunk.old_count), hunk.new_start.saturating_add(hunk.new_count));
        let of =
            |wanted: fn(&ChangedRange) -> usize, line| file.ranges.iter().find(|range| wanted(range) == line);
        if let Some(range) = of(|range| range.start_line, hunk.new_start) {
            let above = range.landmarks.above.as_slice().iter().rev();
            beside.extend((0..start).rev().zip(above.copied()));
        }
        if let Some(range) = of(|range| range.end_line + 1, stop) {
            beside.extend((below..).zip(range.landmarks.below.as_slice().iter().copied()));
        }
        end = end.max(below);
    }
    let last = beside.keys().max().map_or(end, |last| end.max(last + 1));
    if last > MOST_LINES {
        return None;
    }
    let line = |at: usize| {
        let text = beside.get(&at).and_then(|hash| texts.get(hash));
        text.map_or_else(|| missing(&file.before, at), Rc::clone)
    };
    Some(Rebuilt { lines: (0..last).map(line).collect(), is_exact: false })
}

/// Makes a text that is only known in part as long as a step found it.
pub(super) fn lengthen(lines: &mut Vec<Line>, file: &ChangedFile) {
    let hunks = file.lineage.iter().flat_map(|lineage| &lineage.hunks);
    let end = hunks.map(|hunk| hunk.old_start.saturating_sub(1).saturating_add(hunk.old_count)).max();
    let end = end.unwrap_or_default().min(MOST_LINES);
    lines.extend((lines.len()..end).map(|at| missing(&file.before, at)));
}

/// A line of which nothing stands in the text: like no other, also where more entries follow.
fn unknown(file: &ChangedFile, line: usize) -> Line {
    missing(&file.after, line)
}

fn missing(state: &FileState, line: usize) -> Line {
    let name = format!("{line} {state:?}\n");
    [&[UNKNOWN], name.as_bytes()].concat().into()
}

/// The loose hash of each line that the entry wrote, by its number.
fn own_hashes(file: &ChangedFile) -> HashMap<usize, LineHash> {
    let ranges = file.ranges.iter();
    let lines =
        ranges.flat_map(|range| (range.start_line..).zip(range.landmarks.lines.as_slice().iter().copied()));
    lines.collect()
}
