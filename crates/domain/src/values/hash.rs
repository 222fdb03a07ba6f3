//! Content hashes: SHA-256, written as `sha256:` and 64 lowercase hexadecimal digits.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const PREFIX: &str = "sha256:";

/// `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ContentHash(String);

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

    /// The hash with this SHA-256 digest, for content that was hashed in pieces.
    pub fn from_digest(digest: &[u8; 32]) -> Self {
        let mut digits = [0; 64];
        for ([high, low], byte) in digits.as_chunks_mut().0.iter_mut().zip(digest) {
            (*high, *low) = (digit(byte >> 4), digit(byte & 15));
        }
        let mut text = String::with_capacity(PREFIX.len() + digits.len());
        text.push_str(PREFIX);
        text.push_str(core::str::from_utf8(&digits).unwrap_or_default());
        Self(text)
    }

    /// The whole text, prefix included.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The 64 digits alone, for file names.
    pub fn digits(&self) -> &str {
        self.0.strip_prefix(PREFIX).unwrap_or(&self.0)
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
        Self::is_one(text).then(|| Self(text.to_owned()))
    }

    fn is_one(text: &str) -> bool {
        // Without a way out in the middle the loop is done many bytes at a time.
        let are_digits = |digits: &[u8; 64]| {
            digits.iter().fold(true, |all, byte| all & matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        text.strip_prefix(PREFIX).is_some_and(|digits| digits.as_bytes().try_into().is_ok_and(are_digits))
    }
}

/// A number below sixteen as a lower-case digit.
fn digit(number: u8) -> u8 {
    if number < 10 { b'0' + number } else { b'a' + number - 10 }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for ContentHash {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::is_one(&text).then_some(Self(text)).ok_or("not `sha256:` and 64 lower-case hexadecimal digits")
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.0
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
