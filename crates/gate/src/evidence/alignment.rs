//! Which lines of a block are still there when the block as a whole is not: unique lines are the fixed points, equal
//! neighbours follow them (patience), and what lost its order is looked for again.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use bailiwick_domain::LineHash;

use crate::change::increasing;

use super::block::Block;
use super::text::IndexedText;

/// A line with fewer letters and digits than this is no fixed point: braces and `end` stand everywhere.
const FIXED_POINT: usize = 4;
/// Aligned lines that stand no further apart than this belong to one run.
const REACH: usize = 4;
/// From this share of the weight on, in percent, the lines near one spot are called similar.
const SIMILAR: u8 = 50;

/// Lines of a block that stand in a text, in the order of the text.
#[derive(Debug)]
pub(super) struct Alignment {
    /// The line in the text and its weight.
    lines: Vec<(usize, f64)>,
    /// The weight of the whole block.
    whole: f64,
}

/// Aligns a block with a text. A run of aligned lines counts when it holds so many letters and digits.
pub(super) fn align(block: &Block<'_>, text: &IndexedText<'_>, letters: usize) -> Alignment {
    let weight = |hash: &LineHash| match text.places(*hash).len() {
        _ if hash.is_blank() => 0.0,
        count => f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX)).sqrt().recip(),
    };
    let weight_of = |line: usize| text.hash(line).as_ref().map_or(0.0, weight);
    Alignment {
        lines: lines(block, text, letters).into_iter().map(|line| (line, weight_of(line))).collect(),
        whole: block.lines.iter().map(weight).sum(),
    }
}

/// The aligned lines of the text: those in the block's order first, then what is left of it elsewhere.
fn lines(block: &Block<'_>, text: &IndexedText<'_>, letters: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut points = fixed_points(block, text);
    while !points.is_empty() {
        let chain = increasing(&points);
        let pairs = extended(block, text, &chain);
        let runs = pairs.chunk_by(|one, next| next.0 - one.0 <= REACH && next.1 - one.1 <= REACH);
        let counting = runs.filter(|run| {
            run.iter().map(|(_, line)| text.letters(*line..line.saturating_add(1))).sum::<usize>() >= letters
        });
        found.extend(counting.flatten().map(|(_, line)| *line));
        points.retain(|point| chain.binary_search(point).is_err());
    }
    found
}

impl Alignment {
    /// All aligned lines of the text.
    pub(super) fn lines(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().map(|(line, _)| *line)
    }

    /// The heaviest group of lines that stand near each other, with its share of the block in percent, when that is at
    /// least half.
    pub(super) fn nearby(&self, block_len: usize) -> Option<(Range<usize>, u8)> {
        let reach = block_len.saturating_mul(2).saturating_add(20);
        let groups = self.lines.chunk_by(|(one, _), (next, _)| next - one <= reach);
        let weighed = groups.map(|group| (group, group.iter().map(|(_, weight)| weight).sum::<f64>()));
        let (group, weight) = weighed.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let percent = percent_of(weight, self.whole)?;
        let lines = group.first()?.0..group.last()?.0.saturating_add(1);
        (percent >= SIMILAR).then_some((lines, percent))
    }
}

/// Below one hundred: a block of which all is there in order is not merely similar.
fn percent_of(part: f64, whole: f64) -> Option<u8> {
    let share = part * 100.0 / whole;
    (0..100).rev().find(|percent| f64::from(*percent) <= share)
}

type Pair = (usize, usize);

/// Lines that stand once in the block and once in the text, in the block's order.
fn fixed_points(block: &Block<'_>, text: &IndexedText<'_>) -> Vec<Pair> {
    let mut counts: HashMap<LineHash, usize> = HashMap::new();
    for hash in block.lines {
        *counts.entry(*hash).or_default() += 1;
    }
    let in_text = |hash: &LineHash| match text.places(*hash) {
        [only] if counts.get(hash) == Some(&1) => Some(*only),
        _ => None,
    };
    let points = block.lines.iter().enumerate().filter_map(|(at, hash)| in_text(hash).map(|line| (at, line)));
    points.filter(|(_, line)| text.letters(*line..line.saturating_add(1)) >= FIXED_POINT).collect()
}

/// The fixed points and all equal lines that follow or precede them without a gap.
fn extended(block: &Block<'_>, text: &IndexedText<'_>, points: &[Pair]) -> Vec<Pair> {
    let equal = |(at, line): Pair| block.lines.get(at).is_some_and(|hash| text.hash(line) == Some(*hash));
    let mut pairs: Vec<Pair> = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let floor = pairs.last().copied();
        let mut up = Vec::new();
        let mut pair = *point;
        while let Some(higher) = pair.0.checked_sub(1).zip(pair.1.checked_sub(1)).filter(|pair| equal(*pair))
        {
            if floor.is_some_and(|floor| higher.0 <= floor.0 || higher.1 <= floor.1) {
                break;
            }
            up.push(higher);
            pair = higher;
        }
        pairs.extend(up.into_iter().rev());
        if floor.is_none_or(|floor| floor.0 < point.0) {
            pairs.push(*point);
        }
        let ceiling = points.get(index + 1).copied().unwrap_or((usize::MAX, usize::MAX));
        let mut lower = (point.0 + 1, point.1 + 1);
        while lower.0 < ceiling.0 && lower.1 < ceiling.1 && equal(lower) {
            pairs.push(lower);
            lower = (lower.0 + 1, lower.1 + 1);
        }
    }
    pairs
}
