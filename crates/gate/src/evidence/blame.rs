//! Which entry wrote each line of a text of today: the newest claim on a line wins, and each says how sure it is.

use std::collections::HashMap;
use std::ops::Range;

use bailiwick_domain::LineHash;

use super::alignment::align;
use super::block::Block;
use super::relocate::{Copies, DISTINCT_IN_FILE, Place, relocate_with};
use super::text::IndexedText;
use crate::shares::by_share;

/// So many claims are looked for at once, by several threads; then they are given what is theirs, one after the other.
const CLAIMS_AT_ONCE: usize = 4_096;

/// How sure it is that an entry wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The whole block stands where it was written, byte for byte.
    InPlace,
    /// The whole block stands elsewhere in the file, byte for byte.
    Moved,
    /// The block stands there with other blanks.
    Reformatted,
    /// Of several equal blocks this is the nearest one.
    Ambiguous,
    /// The block was changed; this line of it is still there.
    Part,
    /// Lines that were written into another file now stand here too, and were not here before.
    FromElsewhere,
    /// The way of the line leaves a doubt, or an entry without lineage wrote its block.
    Likely,
    /// Nobody vouches for the entry, and its lines stood there before it: the commit that it names has them.
    Contradicted,
}

impl Certainty {
    /// The word for it in what is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InPlace => "in_place",
            Self::Moved => "moved",
            Self::Reformatted => "reformatted",
            Self::Ambiguous => "ambiguous",
            Self::Part => "part",
            Self::FromElsewhere => "from_elsewhere",
            Self::Likely => "likely",
            Self::Contradicted => "contradicted",
        }
    }

    /// Whether that is proof.
    pub fn is_proof(self) -> bool {
        matches!(self, Self::InPlace | Self::Moved)
    }

    /// The same of an entry that does not say how its lines follow from those before them.
    pub fn at_most_likely(self) -> Self {
        if self.is_proof() { Self::Likely } else { self }
    }
}

/// Who wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The claim, as counted in what was given.
    pub claim: usize,
    /// How sure that is.
    pub certainty: Certainty,
}

/// The owner of each line, `None` where no claim fits. Claims come newest first: what was written later covers what
/// was there before.
///
/// Two passes: a block that is there as a whole is found before any block that is there in part, so that a part of an
/// old one never takes the lines of another's whole. A block none of whose lines is left to own is not looked for.
pub fn blame(text: &IndexedText<'_>, claims: &[Block<'_>]) -> Vec<Option<Owner>> {
    let mut owners: Vec<Option<Owner>> = vec![None; text.len()];
    let mut unowned = Unowned::of(text, &owners);
    let mut in_part = Vec::new();
    for (nth, batch) in claims.chunks(CLAIMS_AT_ONCE).enumerate() {
        let places = places(batch, text, &unowned);
        for (claim, (block, place)) in (nth * CLAIMS_AT_ONCE..).zip(batch.iter().zip(places)) {
            if !unowned.has_any_of(block) {
                continue;
            }
            match place.and_then(|place| as_a_whole(place, block)) {
                Some((lines, certainty)) => {
                    unowned.give(lines, text, &mut owners, Owner { claim, certainty });
                }
                None => in_part.push((claim, block)),
            }
        }
    }
    for (claim, block) in in_part {
        if unowned.has_any_of(block) {
            let aligned = align(block, text, DISTINCT_IN_FILE);
            unowned.give(aligned.lines(), text, &mut owners, Owner { claim, certainty: Certainty::Part });
        }
    }
    owners
}

/// Where each block is; not looked for are those of which no line is left already.
fn places(blocks: &[Block<'_>], text: &IndexedText<'_>, unowned: &Unowned) -> Vec<Option<Place>> {
    by_share(blocks, |blocks| {
        let mut copies = Copies::default();
        let place = |block| unowned.has_any_of(block).then(|| relocate_with(block, text, &mut copies));
        blocks.iter().map(place).collect()
    })
}

/// The lines of a block that is there as a whole.
fn as_a_whole(place: Place, block: &Block<'_>) -> Option<(Range<usize>, Certainty)> {
    match place {
        Place::InPlace => Some((block.start..block.start.saturating_add(block.len), Certainty::InPlace)),
        Place::Moved(lines) => Some((lines, Certainty::Moved)),
        Place::Reformatted(lines) => Some((lines, Certainty::Reformatted)),
        Place::Ambiguous(places) => {
            let nearest = places.into_iter().min_by_key(|lines| lines.start.abs_diff(block.start));
            nearest.map(|lines| (lines, Certainty::Ambiguous))
        }
        Place::Similar { .. } | Place::Gone => None,
    }
}

/// How many lines of each hash nobody owns yet.
#[derive(Debug)]
pub(super) struct Unowned(HashMap<LineHash, usize>);

impl Unowned {
    /// The lines of a text that have no owner.
    pub(super) fn of<O>(text: &IndexedText<'_>, owners: &[Option<O>]) -> Self {
        let mut counts = HashMap::new();
        for (line, _) in owners.iter().enumerate().filter(|(_, owner)| owner.is_none()) {
            if let Some(hash) = text.hash(line) {
                *counts.entry(hash).or_default() += 1;
            }
        }
        Self(counts)
    }

    /// Whether a line of the block may be among them. A block of which not all lines are known may have any.
    pub(super) fn has_any_of(&self, block: &Block<'_>) -> bool {
        block.lines.len() < block.len
            || block.lines.iter().any(|hash| self.0.get(hash).is_some_and(|count| *count > 0))
    }

    /// Gives the lines that nobody owns yet to an owner.
    fn give(
        &mut self,
        lines: impl Iterator<Item = usize>,
        text: &IndexedText<'_>,
        owners: &mut [Option<Owner>],
        owner: Owner,
    ) {
        for line in lines {
            if let Some(free) = owners.get_mut(line).filter(|known| known.is_none()) {
                *free = Some(owner);
                let count = text.hash(line).and_then(|hash| self.0.get_mut(&hash));
                count.into_iter().for_each(|count| *count = count.saturating_sub(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{LineHashes, block_hash};

    use super::*;
    use crate::evidence::relocate;

    /// One claim after the other, each of them looked for.
    fn naive(text: &IndexedText<'_>, claims: &[Block<'_>]) -> Vec<Option<Owner>> {
        let mut owners: Vec<Option<Owner>> = vec![None; text.len()];
        let mut give = |lines: Vec<usize>, owner: Owner| {
            for line in lines.into_iter().filter(|line| *line < text.len()) {
                owners[line].get_or_insert(owner);
            }
        };
        let mut in_part = Vec::new();
        for (claim, block) in claims.iter().enumerate() {
            match as_a_whole(relocate(block, text), block) {
                Some((lines, certainty)) => give(lines.collect(), Owner { claim, certainty }),
                None => in_part.push(claim),
            }
        }
        for claim in in_part {
            let lines = align(&claims[claim], text, DISTINCT_IN_FILE).lines().collect();
            give(lines, Owner { claim, certainty: Certainty::Part });
        }
        owners
    }

    // REQ 163
    #[test]
    fn many_claims_find_the_same_owners_as_one_after_the_other() {
        const LINES: usize = 1_500;
        let line = |number: usize| match number % 4 {
            0 => "}\n".to_owned(),
            _ => format!("let value_{} = compute({number});\n", number % 700),
        };
        let lines: Vec<String> = (0..LINES).map(line).collect();
        let (text, mut claims) = (lines.concat(), Vec::new());
        for number in 0..CLAIMS_AT_ONCE + 1_500 {
            let reach = if number < CLAIMS_AT_ONCE { LINES / 2 } else { LINES };
            let (start, count) = (number * 37 % reach, 1 + number % 3);
            let mut block = lines[start..(start + count).min(LINES)].concat();
            if number % 5 == 0 {
                block += "nothing like it\n";
            }
            claims.push((start + number % 2, block_hash(block.as_bytes()), LineHashes::of(block.as_bytes())));
        }
        let blocks = claims.iter().map(|(start, hash, lines)| Block {
            start: *start,
            len: lines.as_slice().len(),
            hash,
            lines: lines.as_slice(),
            above: &[],
            below: &[],
        });
        let claims: Vec<Block<'_>> = blocks.collect();
        let text = IndexedText::new(text.as_bytes());
        let found = blame(&text, &claims);
        assert_eq!(found, naive(&text, &claims));
        assert!(found.iter().flatten().any(|owner| owner.claim > CLAIMS_AT_ONCE));
    }
}
