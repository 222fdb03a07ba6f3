//! Which entry wrote each line of a text of today: the newest claim on a line wins, and each says how sure it is.

use std::collections::HashMap;

use bailiwick_domain::LineHash;

use super::alignment::align;
use super::relocate::{Block, Copies, DISTINCT_IN_FILE, Place, relocate_with};
use super::text::IndexedText;

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
    /// The whole block was written into another file and now stands here, byte for byte.
    FromElsewhere,
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
        }
    }

    /// Whether the block's hash proves it.
    pub fn is_proof(self) -> bool {
        matches!(self, Self::InPlace | Self::Moved | Self::FromElsewhere)
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
    let (mut in_part, mut copies) = (Vec::new(), Copies::default());
    for (claim, block) in claims.iter().enumerate() {
        if !unowned.has_any_of(block) {
            continue;
        }
        let (lines, certainty) = match relocate_with(block, text, &mut copies) {
            Place::InPlace => (block.start..block.start.saturating_add(block.len), Certainty::InPlace),
            Place::Moved(lines) => (lines, Certainty::Moved),
            Place::Reformatted(lines) => (lines, Certainty::Reformatted),
            Place::Ambiguous(places) => {
                let Some(nearest) = places.into_iter().min_by_key(|lines| lines.start.abs_diff(block.start))
                else {
                    continue;
                };
                (nearest, Certainty::Ambiguous)
            }
            Place::Similar { .. } | Place::Gone => {
                in_part.push((claim, block));
                continue;
            }
        };
        unowned.give(lines, text, &mut owners, Owner { claim, certainty });
    }
    for (claim, block) in in_part {
        if unowned.has_any_of(block) {
            let aligned = align(block, text, DISTINCT_IN_FILE);
            unowned.give(aligned.lines(), text, &mut owners, Owner { claim, certainty: Certainty::Part });
        }
    }
    owners
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
