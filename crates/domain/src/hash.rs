//! Content hashes and canonical bytes (K-20, K-22, D-24).

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

const PREFIX: &str = "sha256:";

/// `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(String);

impl ContentHash {
    /// The hash of these bytes.
    ///
    /// ```
    /// use bailiwick_domain::ContentHash;
    /// assert!(ContentHash::of(b"").as_str().starts_with("sha256:e3b0c442"));
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let mut text = String::with_capacity(PREFIX.len() + 64);
        text.push_str(PREFIX);
        for byte in digest {
            for nibble in [byte >> 4, byte & 15] {
                text.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
            }
        }
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

    /// Reads the text form; `None` when it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(PREFIX)?;
        let valid = digits.len() == 64 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        valid.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for ContentHash {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not `sha256:` and 64 lower-case hexadecimal digits")
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.0
    }
}

/// What is on disk at a path, as one comparable value (K-10).
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

/// The hash of a block of lines: lines joined with LF, CRLF read as LF, a bare CR kept, no final newline, nothing
/// trimmed (D-24).
///
/// ```
/// use bailiwick_domain::block_hash;
/// assert_eq!(block_hash(b"a\r\nb\r\n"), block_hash(b"a\nb"));
/// assert_ne!(block_hash(b"a \nb"), block_hash(b"a\nb"));
/// ```
pub fn block_hash(block: &[u8]) -> ContentHash {
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

/// A JSON value as one line with sorted keys and no insignificant blanks, for fingerprints.
///
/// The order of keys is by Unicode code point; numbers and strings are written as `serde_json` writes them.
pub fn canonical_json(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            out.push('{');
            for (index, key) in keys.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string_compact());
                out.push(':');
                write_canonical(map.get(key).unwrap_or(&Value::Null), out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string_compact()),
    }
}

trait Compact {
    fn to_string_compact(&self) -> String;
}

impl Compact for Value {
    fn to_string_compact(&self) -> String {
        // Through the serializer, not `Display`: a third of the work.
        serde_json::to_string(self).unwrap_or_default()
    }
}
