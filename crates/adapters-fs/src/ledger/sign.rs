//! Signatures of records: one Ed25519 key for each person and machine, in the user's state folder, made at first
//! use.
//!
//! What is signed is the record's checksum, so a signature vouches for the whole line and, through `prev`, for every line
//! before it. The record names its key under the checksum: a signature that was taken off shows. Deliberately absent:
//! how a record is signed (`record`), which keys of others are believed (`keys`), and what follows from a bad signature (`verify`).

mod keys;

use std::path::Path;

use bailiwick_domain::{ContentHash, PortError};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::files::atomic::{Durability, create_once, invalid, read_optional};

pub use keys::{KnownKey, TraceKeys, Until, Whose, listed};

const KEY_FILE: &str = "trace.key";
const KEY_BYTES: usize = 32;
/// Before every key and signature in text form.
const SCHEME: &str = "ed25519:";
/// What tells a signature of a record from any other use of the key.
const PURPOSE: &[u8] = b"bailiwick trace record 1\n";

/// The public half of a key: `ed25519:` and 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TraceKey(String);

impl TraceKey {
    /// Reads the text form; `None` when it is none, or no key has these bytes.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; KEY_BYTES] = from_text(text)?;
        VerifyingKey::from_bytes(&bytes).ok().filter(|key| !key.is_weak()).map(|_| Self(text.to_owned()))
    }

    /// The text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> [u8; KEY_BYTES] {
        from_text(&self.0).unwrap_or_default()
    }

    /// Whether it signed a record with this checksum so.
    pub(super) fn verifies(&self, checksum: &ContentHash, signature: &str) -> bool {
        let key = from_text(&self.0).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
        let signature = from_text(signature).map(|bytes| Signature::from_bytes(&bytes));
        key.zip(signature)
            .is_some_and(|(key, signature)| key.verify_strict(&said(checksum), &signature).is_ok())
    }
}

impl std::fmt::Display for TraceKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

/// The key of this user on this machine.
pub(super) struct Signer(SigningKey);

impl std::fmt::Debug for Signer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Signer(..)")
    }
}

impl Signer {
    /// The key in the user's state folder; made at first use, by exactly one process.
    ///
    /// # Errors
    /// There is no such folder, or the key cannot be made or read, has another form, or is open to other users.
    pub(super) fn load_or_create(user_state: Option<&Path>) -> Result<Self, PortError> {
        let missing = || PortError::Unavailable("no state folder to keep a signing key in".to_owned());
        let folder = user_state.ok_or_else(missing)?;
        if let Some(signer) = Self::load(folder)? {
            return Ok(signer);
        }
        let fresh = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
        let fresh: Vec<u8> = fresh.iter().flat_map(|part| part.as_bytes().iter().copied()).collect();
        let seed =
            sha2::Digest::finalize(sha2::Digest::chain_update(<sha2::Sha256 as sha2::Digest>::new(), fresh));
        create_once(&folder.join(KEY_FILE), &seed, Durability::Synced)?;
        Self::load(folder)?.ok_or_else(|| invalid(&folder.join(KEY_FILE), "it disappeared while it was made"))
    }

    /// The key, when there is one.
    ///
    /// # Errors
    /// As for [`Signer::load_or_create`].
    pub(super) fn load(folder: &Path) -> Result<Option<Self>, PortError> {
        let path = folder.join(KEY_FILE);
        let Some(bytes) = read_optional(&path)? else { return Ok(None) };
        let seed: [u8; KEY_BYTES] =
            bytes.as_slice().try_into().map_err(|_| invalid(&path, "not a 32-byte key"))?;
        only_ours(&path)?;
        Ok(Some(Self(SigningKey::from_bytes(&seed))))
    }

    /// The public half.
    pub(super) fn public(&self) -> TraceKey {
        TraceKey(to_text(self.0.verifying_key().as_bytes()))
    }

    /// The signature of a record with this checksum.
    pub(super) fn sign(&self, checksum: &ContentHash) -> String {
        to_text(&self.0.sign(&said(checksum)).to_bytes())
    }
}

impl Signer {
    /// Puts the key aside, so that the next one is another; it is never deleted.
    pub(super) fn put_aside(folder: &Path) -> Result<(), PortError> {
        let key = folder.join(KEY_FILE);
        let mut names = (1_u32..).map(|number| folder.join(format!("{KEY_FILE}.{number}")));
        let Some(aside) = names.find(|aside| !aside.exists()) else { return Ok(()) };
        std::fs::rename(&key, &aside).map_err(|error| crate::files::atomic::unavailable(&key, &error))
    }

    /// The signature of a note. Its text begins with the name of a ledger, which no record that is signed begins with.
    pub(super) fn sign_note(&self, text: &[u8]) -> [u8; 64] {
        self.0.sign(text).to_bytes()
    }
}

/// A key that other users can read is nobody's.
#[cfg(unix)]
fn only_ours(path: &Path) -> Result<(), PortError> {
    use std::os::unix::fs::PermissionsExt;
    let meta = std::fs::metadata(path).map_err(|error| crate::files::atomic::unavailable(path, &error))?;
    if meta.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(invalid(path, "other users can read this key: `chmod 600` it if none of them did, else delete it"))
}

#[cfg(not(unix))]
fn only_ours(_: &Path) -> Result<(), PortError> {
    Ok(())
}

fn said(checksum: &ContentHash) -> Vec<u8> {
    [PURPOSE, checksum.as_str().as_bytes()].concat()
}

fn to_text(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = SCHEME.to_owned();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The bytes of a key or a signature; only the one spelling that is written counts.
fn from_text<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.strip_prefix(SCHEME)?.as_bytes();
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some((value(*high)? << 4) | value(*low)?)).collect();
    bytes?.try_into().ok()
}
