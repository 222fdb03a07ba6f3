//! Finds the block of an entry in a text of today: the ladder from proof to likeness, stopping at the first rung that
//! holds.

use std::collections::HashMap;
use std::ops::Range;

use bailiwick_domain::{ContentHash, LineHash};

use super::alignment::align;
use super::block::Block;
use super::text::IndexedText;

/// So many letters and digits make a block that stands once in its file known again without its neighbours (git's `-M`).
pub(super) const DISTINCT_IN_FILE: usize = 20;
/// The same for a block that went to another file (git's `-C`).
const DISTINCT_ELSEWHERE: usize = 40;
/// Where a line with more places than this stands is asked once for all blocks that are alike.
const FEW_PLACES: usize = 16;
/// A text and a block without line hashes are only searched when their product is below this.
const SLIDING_LIMIT: usize = 4_000_000;

/// Where a block is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The same bytes on the same lines.
    InPlace,
    /// The same bytes on other lines of the text, and nowhere else in it.
    Moved(Range<usize>),
    /// The same bytes more than once, and nothing tells which is meant.
    Ambiguous(Vec<Range<usize>>),
    /// The same lines but for blanks at their ends and blank lines.
    Reformatted(Range<usize>),
    /// Lines of it, at least half of their weight: a hint for people, never evidence.
    Similar {
        /// From the first such line to the last.
        lines: Range<usize>,
        /// How much of the block's weight is there, in percent.
        percent: u8,
    },
    /// Nothing of it is left that can be told from chance.
    Gone,
}

/// What tells blocks apart of which the same copies are found.
type Alike<'b> = (&'b ContentHash, usize, &'b [LineHash]);

/// Where copies of common blocks stand in one text: a closing brace is written again and again.
#[derive(Debug, Default)]
pub(super) struct Copies<'b>(HashMap<Alike<'b>, Vec<usize>>);

/// Where the block is in the text of its own file.
pub fn relocate(block: &Block<'_>, text: &IndexedText<'_>) -> Place {
    relocate_with(block, text, &mut Copies::default())
}

/// The same for one of many blocks and one text.
pub(super) fn relocate_with<'b>(block: &Block<'b>, text: &IndexedText<'_>, copies: &mut Copies<'b>) -> Place {
    let here = block.start..block.start.saturating_add(block.len);
    if text.block_hash(here.clone()).as_ref() != Some(block.hash) {
        return anywhere(block, text, DISTINCT_IN_FILE, copies);
    }
    if named_neighbours(block) == 0 || has_neighbours(block, text, block.start, DISTINCT_IN_FILE / 4) {
        return Place::InPlace;
    }
    match anywhere(block, text, DISTINCT_IN_FILE, copies) {
        Place::Moved(lines) if lines != here => Place::Moved(lines),
        _ if text.letters(here) >= DISTINCT_IN_FILE => Place::InPlace,
        other => other,
    }
}

/// Where the block is in another file's text; there, more is asked before a copy counts as the block itself.
pub fn relocate_elsewhere(block: &Block<'_>, text: &IndexedText<'_>) -> Place {
    anywhere(block, text, DISTINCT_ELSEWHERE, &mut Copies::default())
}

fn anywhere<'b>(block: &Block<'b>, text: &IndexedText<'_>, letters: usize, copies: &mut Copies<'b>) -> Place {
    if let Some(place) = exactly(block, text, letters, copies) {
        return place;
    }
    if let Some(only) = reformatted(block, text).filter(|only| text.letters(only.clone()) >= letters) {
        return Place::Reformatted(only);
    }
    align(block, text, letters)
        .nearby(block.len)
        .map_or(Place::Gone, |(lines, percent)| Place::Similar { lines, percent })
}

/// How many neighbours the record names; blank ones tell nothing.
fn named_neighbours(block: &Block<'_>) -> usize {
    block.above.iter().chain(block.below).filter(|hash| !hash.is_blank()).count()
}

/// Whether equal bytes are the block itself and not another one by chance: by what stands in it, or by its neighbours.
fn is_itself(block: &Block<'_>, text: &IndexedText<'_>, start: usize, letters: usize) -> bool {
    text.letters(start..start.saturating_add(block.len)) >= letters
        || has_neighbours(block, text, start, letters * 3 / 4)
}

/// Whether neighbours of the block stand around that place and prove something: all of them, or the block and they hold
/// so many letters and digits. `return None;` above a brace stands in many functions.
fn has_neighbours(block: &Block<'_>, text: &IndexedText<'_>, start: usize, letters: usize) -> bool {
    let around = surroundings(block, text, start);
    let found = neighbours_in(block, text, start, &around);
    found > 0 && (found == named_neighbours(block) || text.letters(around) >= letters)
}

fn exactly<'b>(
    block: &Block<'b>,
    text: &IndexedText<'_>,
    letters: usize,
    copies: &mut Copies<'b>,
) -> Option<Place> {
    let lines_at = |start: usize| start..start.saturating_add(block.len);
    let found;
    let starts = match copies.of(block, text) {
        Some(known) => known,
        None => {
            found = exact_starts(block, text);
            &found
        }
    };
    let is_itself = |start: usize| is_itself(block, text, start, letters);
    match starts {
        [] => None,
        [only] => is_itself(*only).then(|| Place::Moved(lines_at(*only))),
        [first, ..] => match best_among(starts, block, text) {
            Some((best, true)) if is_itself(best) => Some(Place::Moved(lines_at(best))),
            best => {
                let is_known = is_itself(best.map_or(*first, |(best, _)| best));
                is_known.then(|| Place::Ambiguous(starts.iter().map(|start| lines_at(*start)).collect()))
            }
        },
    }
}

/// The first of the places around which most of the block's neighbours stand, and whether it is the only one with so
/// many; `None` where there are none.
fn best_among(starts: &[usize], block: &Block<'_>, text: &IndexedText<'_>) -> Option<(usize, bool)> {
    let (mut best, mut most, mut is_alone) = (None, 0, true);
    let mut look = |start: usize| {
        let around = neighbours(block, text, start);
        if around > most {
            (best, most, is_alone) = (Some(start), around, true);
        } else if around == most {
            is_alone = false;
        }
    };
    match beside(starts, block, text) {
        Some(few) => few.into_iter().for_each(&mut look),
        None => starts.iter().copied().for_each(&mut look),
    }
    best.map(|best| (best, is_alone))
}

/// Those of the places that have a neighbour of the block right beside them, in order, where that is soon told: other
/// places have none at all. `None` where the nearest neighbour is blank, or stands on more lines than there are places.
fn beside(starts: &[usize], block: &Block<'_>, text: &IndexedText<'_>) -> Option<Vec<usize>> {
    let nearest = [block.above.last(), block.below.first()];
    if nearest.iter().flatten().any(|hash| hash.is_blank()) {
        return None;
    }
    let [above, below] = nearest.map(|hash| hash.map(|hash| text.places(*hash)).unwrap_or_default());
    if above.len() + below.len() > starts.len() {
        return None;
    }
    let after = above.iter().map(|line| line + 1);
    let before = below.iter().filter_map(|line| line.checked_sub(block.len));
    let mut found: Vec<usize> =
        after.chain(before).filter(|start| starts.binary_search(start).is_ok()).collect();
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// How many of the block's neighbours stand around that place, counted from the block outwards until one differs.
fn neighbours(block: &Block<'_>, text: &IndexedText<'_>, start: usize) -> usize {
    neighbours_in(block, text, start, &surroundings(block, text, start))
}

fn neighbours_in(block: &Block<'_>, text: &IndexedText<'_>, start: usize, around: &Range<usize>) -> usize {
    let end = start.saturating_add(block.len);
    let hashes = (around.start..start).chain(end..around.end).filter_map(|line| text.hash(line));
    hashes.filter(|hash| !hash.is_blank()).count()
}

/// The lines of the block at that place and those of its neighbours that stand around it.
fn surroundings(block: &Block<'_>, text: &IndexedText<'_>, start: usize) -> Range<usize> {
    let end = start.saturating_add(block.len);
    let above = (0..start).rev().filter_map(|line| text.hash(line));
    let below = (end..text.len()).filter_map(|line| text.hash(line));
    let above = alike(block.above.iter().rev().copied(), above);
    start.saturating_sub(above)..end.saturating_add(alike(block.below.iter().copied(), below))
}

fn alike(one: impl Iterator<Item = LineHash>, other: impl Iterator<Item = LineHash>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

impl<'b> Copies<'b> {
    /// Where copies of a common block stand; `None` for one with a line that is rare.
    fn of(&mut self, block: &Block<'b>, text: &IndexedText<'_>) -> Option<&[usize]> {
        let (_, rarest) = rarest(block.lines.iter().copied(), text)?;
        let is_common = text.places(rarest).len() > FEW_PLACES;
        let alike = (block.hash, block.len, block.lines);
        is_common.then(|| self.0.entry(alike).or_insert_with(|| exact_starts(block, text)).as_slice())
    }
}

/// All places where exactly these bytes stand, in order.
fn exact_starts(block: &Block<'_>, text: &IndexedText<'_>) -> Vec<usize> {
    let lines_at = |start: usize| start..start.saturating_add(block.len);
    let is_block = |start: usize| text.block_hash(lines_at(start)).as_ref() == Some(block.hash);
    if block.lines.is_empty() {
        let is_small = text.len().saturating_mul(block.len) < SLIDING_LIMIT;
        return (0..text.len()).filter(|start| is_small && is_block(*start)).collect();
    }
    let Some((offset, rarest)) = rarest(block.lines.iter().copied(), text) else { return Vec::new() };
    let starts = text.places(rarest).iter().filter_map(|place| place.checked_sub(offset));
    let alike = |start: &usize| text.hashes(*start..start.saturating_add(block.lines.len())) == block.lines;
    let mut hashed: Vec<(usize, bool)> = Vec::new();
    let mut matches = |start: &usize| {
        let is_copy = |known: usize| text.lines(lines_at(known)) == text.lines(lines_at(*start));
        let known = hashed.iter().find(|(known, _)| is_copy(*known)).map(|(_, is_block)| *is_block);
        known.unwrap_or_else(|| {
            let found = is_block(*start);
            hashed.push((*start, found));
            found
        })
    };
    starts.filter(alike).filter(|start| matches(start)).collect()
}

/// The only place where the block's lines stand in their order, blank lines apart. The search ends with the second one,
/// for a common line stands in very many.
fn reformatted(block: &Block<'_>, text: &IndexedText<'_>) -> Option<Range<usize>> {
    let wanted: Vec<LineHash> = block.lines.iter().copied().filter(|hash| !hash.is_blank()).collect();
    let (offset, rarest) = rarest(wanted.iter().copied(), text)?;
    if block.lines.len() < block.len {
        return None;
    }
    let starts = text
        .places(rarest)
        .iter()
        .filter_map(|line| text.dense().binary_search(line).ok().and_then(|place| place.checked_sub(offset)));
    let lines = starts.filter_map(|start| text.dense().get(start..start.saturating_add(wanted.len())));
    let mut found = lines
        .filter(|lines| lines.iter().map(|line| text.hash(*line)).eq(wanted.iter().copied().map(Some)))
        .filter_map(|lines| Some(*lines.first()?..lines.last()?.saturating_add(1)));
    found.next().filter(|_| found.next().is_none())
}

/// The line with the fewest places in the text, and where in the block it stands.
fn rarest(lines: impl Iterator<Item = LineHash>, text: &IndexedText<'_>) -> Option<(usize, LineHash)> {
    lines.enumerate().filter(|(_, hash)| !hash.is_blank()).min_by_key(|(_, hash)| text.places(*hash).len())
}

#[cfg(test)]
mod tests;
