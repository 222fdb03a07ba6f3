//! The three words in which every answer about code says how sure it is.

use bailiwick_domain::{ChangedFile, StoredEntry, Trust};

use super::blame::Certainty;
use super::relocate::Place;

/// How sure an answer is; what is surer is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// Nothing tells.
    #[default]
    Unknown,
    /// It looks so, and could be otherwise.
    Likely,
    /// Nothing speaks for another answer.
    Proved,
}

impl Proof {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Likely => "likely",
            Self::Unknown => "unknown",
        }
    }

    /// How sure it is that an entry changed what it says. Entries of older versions do not say how the lines of a file
    /// follow from those before; and what nobody vouches for could have been written by anybody.
    pub fn of_entry(stored: &StoredEntry) -> Self {
        let says_all = |file: &ChangedFile| file.lineage.is_some() || file.ranges.is_empty();
        match stored.trust {
            Some(Trust::Unvouched) => Self::Unknown,
            _ if stored.entry.files.iter().all(says_all) => Self::Proved,
            _ => Self::Likely,
        }
    }
}

impl From<Certainty> for Proof {
    fn from(certainty: Certainty) -> Self {
        match certainty {
            Certainty::Contradicted => Self::Unknown,
            certainty if certainty.is_proof() => Self::Proved,
            _ => Self::Likely,
        }
    }
}

impl From<&Place> for Proof {
    fn from(place: &Place) -> Self {
        match place {
            Place::InPlace | Place::Moved(_) => Self::Proved,
            Place::Ambiguous(_) | Place::Reformatted(_) | Place::Similar { .. } => Self::Likely,
            Place::Gone => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ChangedRange, ContentHash, Landmarks, Lineage, Origin, block_hash};

    use super::*;

    // REQ 163
    #[test]
    fn an_entry_without_lineage_is_at_most_likely_and_one_that_nobody_vouches_for_proves_nothing() {
        let mut entry = sample::trace_entry("3f9c2b7a", &sample::intent("INT-001", &["src/**"]));
        for file in &mut entry.files {
            file.lineage = None;
            file.ranges = vec![ChangedRange {
                start_line: 1,
                end_line: 1,
                content_hash: block_hash(b"x"),
                landmarks: Landmarks::default(),
                symbol: None,
            }];
        }
        let checksum = ContentHash::of(b"");
        let (origin, record) = (Origin::Live, String::new());
        let mut stored =
            StoredEntry { origin, seq: 0, checksum, entry, record, is_from_here: true, trust: None };
        assert_eq!(Proof::of_entry(&stored), Proof::Likely);
        let lineage = Lineage { hunks: Vec::new(), doubtful: Vec::new() };
        stored.entry.files.iter_mut().for_each(|file| file.lineage = Some(lineage.clone()));
        assert_eq!(Proof::of_entry(&stored), Proof::Proved);
        stored.trust = Some(Trust::Unvouched);
        assert_eq!(Proof::of_entry(&stored), Proof::Unknown);
    }
}
