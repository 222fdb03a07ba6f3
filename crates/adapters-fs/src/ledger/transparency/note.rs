//! Signed notes: a text, a blank line, and lines of signatures (C2SP `signed-note`), with Ed25519 keys of logs and of
//! witnesses (C2SP `tlog-cosignature`). Deliberately absent: what the text says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// Notes are small; what is longer is none.
const MAX_BYTES: usize = 64 * 1024;
const MAX_SIGNATURES: usize = 64;
const DASH: &str = "\u{2014} ";
/// What a key signs: a note as it is, or a note with the time at which a witness saw it.
const PLAIN: u8 = 1;
const COSIGNED: u8 = 4;

/// Why a text is no signed note, or a key no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// More than a note has.
    #[error("larger than a signed note may be")]
    TooLarge,
    /// The form is another one.
    #[error("not a signed note: {0}")]
    Form(&'static str),
    /// Not `name+hash+key`.
    #[error("not a verifier key of the form `name+hash+key`")]
    Key,
}

/// A text with its signatures, which are not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct NoteSignature {
    name: String,
    /// The first bytes are the key's id.
    bytes: Vec<u8>,
}

/// The public half of a key that signs notes, with the name that it signs under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteKey {
    name: String,
    algorithm: u8,
    public: [u8; 32],
}

impl NoteKey {
    /// The key of a log of that name.
    pub(super) fn of_log(name: &str, public: [u8; 32]) -> Self {
        Self { name: name.to_owned(), algorithm: PLAIN, public }
    }

    /// Reads `name+hash+key`, the form in which logs and witnesses publish their keys.
    ///
    /// # Errors
    /// It has another form, the hash is not that of the key, or the kind of the key is not known.
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(NoteError::Key);
        };
        let bytes = BASE64.decode(key).map_err(|_| NoteError::Key)?;
        let (algorithm, public) = match bytes.split_first() {
            Some((algorithm @ (&PLAIN | &COSIGNED), public)) => (*algorithm, public),
            _ => return Err(NoteError::Key),
        };
        let public = public.try_into().map_err(|_| NoteError::Key)?;
        let key = Self { name: name.to_owned(), algorithm, public };
        let spelled: String = key.id().iter().map(|byte| format!("{byte:02x}")).collect();
        if is_name(name) && spelled == id { Ok(key) } else { Err(NoteError::Key) }
    }

    /// The name that it signs under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The published form of it: `name+hash+key`.
    pub fn to_text(&self) -> String {
        let spelled: String = self.id().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}+{spelled}+{}", self.name, BASE64.encode(self.typed()))
    }

    fn typed(&self) -> Vec<u8> {
        [&[self.algorithm], self.public.as_slice()].concat()
    }

    fn id(&self) -> [u8; 4] {
        let hash = Sha256::new().chain_update(&self.name).chain_update(b"\n").chain_update(self.typed());
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
        [a, b, c, d]
    }

    fn verifies(&self, text: &str, signature: &[u8]) -> bool {
        let (said, signature) = match (self.algorithm, signature.split_first_chunk::<8>()) {
            (PLAIN, _) => (text.to_owned(), signature),
            (_, Some((time, signature))) => {
                (format!("cosignature/v1\ntime {}\n{text}", u64::from_be_bytes(*time)), signature)
            }
            (_, None) => return false,
        };
        let key = VerifyingKey::from_bytes(&self.public).ok();
        let signature = Signature::from_slice(signature).ok();
        key.zip(signature)
            .is_some_and(|(key, signature)| key.verify_strict(said.as_bytes(), &signature).is_ok())
    }
}

impl Note {
    /// A text with one signature, by the key of a log.
    pub(in crate::ledger) fn signed(
        text: String,
        key: &NoteKey,
        sign: impl FnOnce(&[u8]) -> [u8; 64],
    ) -> Self {
        let bytes = [key.id().as_slice(), &sign(text.as_bytes())].concat();
        Self { text, signatures: vec![NoteSignature { name: key.name.clone(), bytes }] }
    }

    /// Reads a note. Signatures of kinds that are not known are kept and never count.
    ///
    /// # Errors
    /// It is too large, or has another form.
    pub fn parse(note: &str) -> Result<Self, NoteError> {
        if note.len() > MAX_BYTES {
            return Err(NoteError::TooLarge);
        }
        if note.chars().any(|c| c.is_control() && c != '\n') {
            return Err(NoteError::Form("it has control characters"));
        }
        let (body, signatures) =
            note.rsplit_once("\n\n").ok_or(NoteError::Form("no blank line parts text and signatures"))?;
        let signatures =
            signatures.strip_suffix('\n').ok_or(NoteError::Form("its last line is unfinished"))?;
        let lines: Vec<&str> = signatures.split('\n').collect();
        if lines.len() > MAX_SIGNATURES {
            return Err(NoteError::TooLarge);
        }
        let signatures = lines.into_iter().map(read_signature).collect::<Option<_>>();
        let signatures = signatures.ok_or(NoteError::Form("a signature line is malformed"))?;
        Ok(Self { text: format!("{body}\n"), signatures })
    }

    /// What is signed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether this key signed it: `None` where no signature is under its name and id.
    pub fn is_signed_by(&self, key: &NoteKey) -> Option<bool> {
        let id = key.id();
        let by_it =
            |signature: &&NoteSignature| signature.name == key.name && signature.bytes.starts_with(&id);
        let mut found = self.signatures.iter().filter(by_it).peekable();
        found.peek()?;
        Some(found.all(|signature| {
            signature.bytes.split_first_chunk::<4>().is_some_and(|(_, bytes)| key.verifies(&self.text, bytes))
        }))
    }

    /// Whether a signature is under that name, whoever's it is.
    pub fn has_signature_of(&self, name: &str) -> bool {
        self.signatures.iter().any(|signature| signature.name == name)
    }

    /// The note as it is kept and sent.
    pub fn to_text(&self) -> String {
        let lines = self.signatures.iter();
        let lines = lines.map(|one| format!("{DASH}{} {}\n", one.name, BASE64.encode(&one.bytes)));
        format!("{}\n{}", self.text, lines.collect::<String>())
    }
}

fn read_signature(line: &str) -> Option<NoteSignature> {
    let (name, bytes) = line.strip_prefix(DASH)?.split_once(' ')?;
    let bytes = BASE64.decode(bytes).ok()?;
    (is_name(name) && bytes.len() > 4).then(|| NoteSignature { name: name.to_owned(), bytes })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification of signed notes.
    const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const NOTE: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your \
                        problem is.\n\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    #[test]
    fn a_note_of_another_program_is_read_and_its_signature_holds() {
        let (key, note) = (NoteKey::parse(KEY).unwrap(), Note::parse(NOTE).unwrap());
        assert_eq!(note.is_signed_by(&key), Some(true));
        assert_eq!((note.to_text().as_str(), key.to_text().as_str()), (NOTE, KEY));
    }

    #[test]
    fn another_text_or_key_does_not_hold() {
        let key = NoteKey::parse(KEY).unwrap();
        let changed = Note::parse(&NOTE.replace("answer", "Answer")).unwrap();
        assert_eq!(changed.is_signed_by(&key), Some(false));
        assert_eq!(Note::parse(NOTE).unwrap().is_signed_by(&NoteKey::of_log("PeterNeumann", [7; 32])), None);
        assert_eq!(NoteKey::parse(&KEY.replace("c74f20a3", "c74f20a4")), Err(NoteError::Key));
    }

    #[test]
    fn what_is_no_note_is_refused() {
        for text in [
            "",
            "text\n",
            "text\n\n",
            "text\n\n\u{2014} a b",
            "text\n\n\u{2014} a AAAA\n",
            "a\rb\n\n\u{2014} x AAAAAAAA\n",
        ] {
            assert!(Note::parse(text).is_err(), "{text:?}");
        }
        let many = format!("text\n\n{}", "\u{2014} a AAAAAAAA\n".repeat(65));
        assert_eq!(Note::parse(&many), Err(NoteError::TooLarge));
    }

    // D-25
    #[test]
    fn a_witness_signs_the_note_with_the_time_at_which_it_saw_it() {
        use ed25519_dalek::{Signer as _, SigningKey};
        let signing = SigningKey::from_bytes(&[9; 32]);
        let public = signing.verifying_key().to_bytes();
        let witness = NoteKey { name: "witness.example".to_owned(), algorithm: COSIGNED, public };
        assert_eq!(NoteKey::parse(&witness.to_text()), Ok(witness.clone()));
        let text = "origin\n1\nroot\n";
        let signature = signing.sign(format!("cosignature/v1\ntime 1700000000\n{text}").as_bytes());
        let bytes =
            [witness.id().as_slice(), &1_700_000_000_u64.to_be_bytes(), &signature.to_bytes()].concat();
        let name = witness.name.clone();
        let note = Note { text: text.to_owned(), signatures: vec![NoteSignature { name, bytes }] };
        assert_eq!(note.is_signed_by(&witness), Some(true));
        let other = Note { text: "origin\n2\nroot\n".to_owned(), ..note };
        assert_eq!(other.is_signed_by(&witness), Some(false));
    }
}
