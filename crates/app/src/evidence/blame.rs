//! Which entry wrote each line of a text of today: the newest claim on a line wins, and each says how sure it is.

use super::alignment::align;
use super::relocate::{Block, DISTINCT_IN_FILE, Place, relocate};
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
/// old one never takes the lines of another's whole.
pub fn blame(text: &IndexedText<'_>, claims: &[Block<'_>]) -> Vec<Option<Owner>> {
    let mut owners: Vec<Option<Owner>> = vec![None; text.len()];
    let mut in_part = Vec::new();
    for (claim, block) in claims.iter().enumerate() {
        let (lines, certainty) = match relocate(block, text) {
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
        own(&mut owners, lines, Owner { claim, certainty });
    }
    for (claim, block) in in_part {
        own(
            &mut owners,
            align(block, text, DISTINCT_IN_FILE).lines(),
            Owner { claim, certainty: Certainty::Part },
        );
    }
    owners
}

/// Gives the lines that nobody owns yet to an owner.
fn own(owners: &mut [Option<Owner>], lines: impl Iterator<Item = usize>, owner: Owner) {
    for line in lines {
        if let Some(free) = owners.get_mut(line).filter(|known| known.is_none()) {
            *free = Some(owner);
        }
    }
}
