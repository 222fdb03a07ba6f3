//! Content hashes: SHA-256, written as `sha256:` and 64 lowercase hexadecimal digits.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};

const PREFIX: &str = "sha256:";
const DIGITS: usize = 64;
const LENGTH: usize = PREFIX.len() + DIGITS;

/// `sha256:` and 64 lower-case hexadecimal digits.
///
/// Records hold very many: they are part of what holds them, and nothing is allocated for one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; LENGTH]);

impl ContentHash {
    /// The hash of these bytes.
    ///
    /// ```
    /// use bailiwick_domain::ContentHash;
    /// assert!(ContentHash::of(b"").as_str().starts_with("sha256:e3b0c442"));
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_digest(&Sha256::digest(bytes).into())
    }

    /// Whether this is the hash of these bytes.
    ///
    /// ```
    /// use bailiwick_domain::ContentHash;
    /// let hash = ContentHash::of(b"one");
    /// assert!(hash.is_of(b"one") && !hash.is_of(b"two"));
    /// ```
    pub fn is_of(&self, bytes: &[u8]) -> bool {
        *self == Self::of(bytes)
    }

    /// The hash with this SHA-256 digest, for content that was hashed in pieces.
    pub fn from_digest(digest: &[u8; 32]) -> Self {
        let mut text = [0; LENGTH];
        let (prefix, digits) = text.split_at_mut(PREFIX.len());
        prefix.copy_from_slice(PREFIX.as_bytes());
        for ([high, low], byte) in digits.as_chunks_mut().0.iter_mut().zip(digest) {
            (*high, *low) = (digit(byte >> 4), digit(byte & 15));
        }
        Self(text)
    }

    /// The whole text, prefix included.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The 64 digits alone, for file names.
    pub fn digits(&self) -> &str {
        self.as_str().strip_prefix(PREFIX).unwrap_or_default()
    }

    /// The 32 bytes of the digest.
    pub fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(self.digits().as_bytes().as_chunks::<2>().0) {
            let pair = core::str::from_utf8(pair).unwrap_or_default();
            *byte = u8::from_str_radix(pair, 16).unwrap_or_default();
        }
        bytes
    }

    /// Reads the text form; `None` when it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let text: &[u8; LENGTH] = text.as_bytes().try_into().ok()?;
        let digits = text.strip_prefix(PREFIX.as_bytes())?;
        // Without a way out in the middle the loop is done many bytes at a time.
        let are_digits =
            digits.iter().fold(true, |all, byte| all & matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        are_digits.then_some(Self(*text))
    }
}

/// A number below sixteen as a lower-case digit.
fn digit(number: u8) -> u8 {
    if number < 10 { b'0' + number } else { b'a' + number - 10 }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("ContentHash").field(&self.as_str()).finish()
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.as_str().into()
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(Text)
    }
}

/// Reads one without a copy of its text.
struct Text;

impl Visitor<'_> for Text {
    type Value = ContentHash;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("`sha256:` and 64 lower-case hexadecimal digits")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ContentHash, E> {
        ContentHash::parse(text)
            .ok_or_else(|| E::custom("not `sha256:` and 64 lower-case hexadecimal digits"))
    }
}

/// What is on disk at a path, as one comparable value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// Nothing is there.
    Absent,
    /// A regular file with this content.
    Content(ContentHash),
    /// A directory, device or something else that has no content hash.
    Other,
}

impl FileState {
    /// The hash of its content, where it is a regular file.
    pub fn content(&self) -> Option<&ContentHash> {
        match self {
            Self::Content(hash) => Some(hash),
            Self::Absent | Self::Other => None,
        }
    }
}

/// The hash of a block of lines: lines joined with LF, CRLF read as LF, a bare CR kept, no final newline, nothing
/// trimmed.
///
/// ```
/// use bailiwick_domain::block_hash;
/// assert_eq!(block_hash(b"a\r\nb\r\n"), block_hash(b"a\nb"));
/// assert_ne!(block_hash(b"a \nb"), block_hash(b"a\nb"));
/// ```
pub fn block_hash(block: &[u8]) -> ContentHash {
    if !block.contains(&b'\r') {
        return ContentHash::of(block.strip_suffix(b"\n").unwrap_or(block));
    }
    let mut bytes: Vec<u8> = Vec::with_capacity(block.len());
    let mut rest = block.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if !(byte == b'\r' && rest.peek() == Some(&b'\n')) {
            bytes.push(byte);
        }
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    ContentHash::of(&bytes)
}
