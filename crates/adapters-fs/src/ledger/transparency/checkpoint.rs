//! Checkpoints: which ledger, how many entries, and the root of the tree over them (C2SP `tlog-checkpoint`).
//! Deliberately absent: signatures (`note`).

use bailiwick_domain::ContentHash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::note::{Note, NoteError, NoteKey};
use super::tree::Hash;
use crate::ledger::sign::{KnownKey, TraceKey, Until};

/// What the name of a ledger begins with; the checksum of its first entry follows.
const ORIGIN: &str = "bailiwick.dev/chain/";

/// The name of the ledger that begins with the entry of this checksum.
pub(in crate::ledger) fn origin_of(first: &ContentHash) -> String {
    format!("{ORIGIN}{}", first.digits())
}

/// A ledger at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the ledger.
    pub origin: String,
    /// How many entries it has.
    pub size: u64,
    /// The root of the tree over them.
    pub root: [u8; 32],
}

impl Checkpoint {
    /// Reads the text of a note as one.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
        let origin = lines.next().filter(|line| !line.is_empty());
        let size = lines.next().and_then(decimal);
        let root = lines.next().and_then(hash_from);
        match (origin, size, root) {
            (Some(origin), Some(size), Some(root)) if lines.all(|line| !line.is_empty()) => {
                Ok(Self { origin: origin.to_owned(), size, root })
            }
            _ => Err(NoteError::Form("its text is no checkpoint: origin, size and root on a line each")),
        }
    }

    /// The entries that it signed, as those that a stolen key counts for; `None` where it is of another program.
    pub fn until(&self) -> Option<Until> {
        let digits = self.origin.strip_prefix(ORIGIN)?;
        Some(Until { chain: ContentHash::parse(&format!("sha256:{digits}"))?, entries: self.size })
    }

    /// Whether a key counts for all of it: one that was stolen does for what is known to be from before.
    pub fn counts_by(&self, known: &KnownKey) -> bool {
        known.counts(self.until().map(|until| until.chain).as_ref(), self.size)
    }

    /// The text that is signed.
    pub fn to_text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, BASE64.encode(self.root))
    }
}

/// The key of a user as the key of a log of that name.
pub(in crate::ledger) fn note_key(origin: &str, key: &TraceKey) -> NoteKey {
    NoteKey::of_log(origin, key.bytes())
}

impl Note {
    /// Whether the key of a user signed this checkpoint as the log's key: `None` where no signature is under it.
    pub fn is_checkpoint_of(&self, checkpoint: &Checkpoint, key: &TraceKey) -> Option<bool> {
        self.is_signed_by(&note_key(&checkpoint.origin, key))
    }
}

/// A number in its only spelling.
pub(super) fn decimal(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// A hash on a line of its own.
pub(in crate::ledger) fn hash_from(line: &str) -> Option<Hash> {
    BASE64.decode(line).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_specification_is_read_and_written() {
        let text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
        let checkpoint = Checkpoint::parse(text).unwrap();
        assert_eq!(
            (checkpoint.origin.as_str(), checkpoint.size),
            ("example.com/behind-the-sofa", 20_852_163)
        );
        assert_eq!(checkpoint.to_text(), text);
    }

    #[test]
    fn another_spelling_is_none() {
        let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
        for text in [
            format!("\n1\n{root}\n"),
            format!("o\n01\n{root}\n"),
            format!("o\n+1\n{root}\n"),
            format!("o\n1\n{}\n", root.trim_start_matches('C')),
            "o\n1\n".to_owned(),
            format!("o\n1\n{root}\n\nmore\n"),
        ] {
            assert!(Checkpoint::parse(&text).is_err(), "{text:?}");
        }
    }
}
