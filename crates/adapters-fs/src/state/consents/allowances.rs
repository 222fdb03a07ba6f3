//! The commands that a person trusts in one root: one sealed file, changed under one lock.
//!
//! A file never allows: the seal is made with a key outside the tree, over what is allowed and the store it is in, so that
//! a file that was written by hand, edited, or copied from elsewhere allows nothing. Without a key nothing is allowed.
//! Deliberately absent: which call an allowance covers, and whether the files that it depends on are what they were.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{
    Allowance, AllowanceId, AllowanceStore, AllowanceTerms, ContentHash, MOST_ALLOWANCES, PortError, json,
};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, replace};
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::state::consents::approvals::{SealKey, Seals};
use crate::state::consents::versions::{Effect, Versions, Written, settled};

/// The allowances in private state.
#[derive(Clone, Debug)]
pub struct FsAllowanceStore {
    file: PathBuf,
    seals: Seals,
    versions: Versions,
}

/// The one record that is kept of them.
const RECORD: &str = "allowed";

/// What is allowed, with the highest number that was ever given.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Allowed {
    last: u64,
    /// How often it was written.
    #[serde(default, skip_serializing_if = "is_first")]
    version: u64,
    allowances: Vec<Allowance>,
}

/// The form that this program writes and reads; another one may mean what is not known here.
const FORMAT: u32 = 1;

/// The same with its seal.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    allowed: Allowed,
    seal: ContentHash,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first(version: &u64) -> bool {
    *version == 0
}

impl FsAllowanceStore {
    /// The allowances of this root. There are none unless the layout knows the user's state folder, where the key is.
    pub fn new(layout: &Layout) -> Self {
        Self {
            file: layout.private().join("allowances").join("allowed.json"),
            seals: Seals::of(layout),
            versions: Versions::of(layout, "allowances"),
        }
    }

    fn key(&self) -> Result<&SealKey, PortError> {
        self.seals.needed("allowing commands needs")
    }

    fn seal(&self, allowed: &Allowed) -> Result<ContentHash, PortError> {
        Ok(self.key()?.seal(&json!({"allowed": allowed, "store": self.file.display().to_string()})))
    }

    /// What counts: what is not sealed for this store, or older than what was written last, is not there. No number is given
    /// twice all the same.
    fn read(&self) -> Result<Allowed, PortError> {
        if !self.seals.can_be_made() {
            return Ok(Allowed::default());
        }
        match self.counting()? {
            Some(allowed) => Ok(allowed),
            None => Ok(Allowed {
                last: self.versions.next(RECORD, 0)?.version.saturating_sub(1),
                ..Allowed::default()
            }),
        }
    }

    /// The same for who does not hold the lock.
    fn look(&self) -> Result<Option<Allowed>, PortError> {
        settled(&self.file, || self.lock(), || self.counting())
    }

    fn counting(&self) -> Result<Option<Allowed>, PortError> {
        let newest = self.versions.newest(RECORD)?;
        let Some(bytes) = read_optional(&self.file)? else { return Ok(None) };
        let stored = serde_json::from_slice(&bytes).ok().filter(|stored: &Stored| stored.format == FORMAT);
        let Some(Stored { allowed, seal, .. }) = stored else { return Ok(None) };
        Ok((self.seal(&allowed)? == seal && allowed.version >= newest).then_some(allowed))
    }

    /// The file of allowed commands where it does not count: it is older than what was written last, or nobody here wrote it.
    ///
    /// # Errors
    /// The file or the key cannot be read.
    pub fn unread(&self) -> Result<Option<&Path>, PortError> {
        let is_unread = self.seals.can_be_made() && self.file.exists() && self.look()?.is_none();
        Ok(is_unread.then_some(&self.file))
    }

    fn write(&self, mut allowed: Allowed, effect: Effect) -> Result<(), PortError> {
        let next = self.versions.next(RECORD, allowed.version)?;
        allowed.version = next.version;
        let seal = self.seal(&allowed)?;
        let bytes = serde_json::to_vec(&Stored { format: FORMAT, allowed, seal })
            .map_err(|error| PortError::Unavailable(error.to_string()))?;
        let record = Written { next, effect, durability: Durability::Synced };
        self.versions.written(RECORD, record, || replace(&self.file, &bytes, Durability::Synced))
    }

    fn lock(&self) -> Result<FileLock, PortError> {
        FileLock::acquire(&self.file.with_file_name("lock"), DEFAULT_WAIT)
    }
}

#[async_trait]
impl AllowanceStore for FsAllowanceStore {
    async fn list(&self) -> Result<Vec<Allowance>, PortError> {
        let allowed = if self.seals.can_be_made() { self.look()? } else { None };
        Ok(allowed.unwrap_or_default().allowances)
    }

    async fn allow(&self, terms: &AllowanceTerms) -> Result<Allowance, PortError> {
        self.key()?;
        let _held = self.lock()?;
        let mut allowed = self.read()?;
        allowed.allowances.retain(|known| !known.terms.is_same(terms));
        if allowed.allowances.len() >= MOST_ALLOWANCES {
            let why = format!("{MOST_ALLOWANCES} commands are allowed here; revoke some first");
            return Err(PortError::Unavailable(why));
        }
        allowed.last = allowed.last.saturating_add(1);
        let allowance = Allowance { id: AllowanceId::new(allowed.last), terms: terms.clone() };
        allowed.allowances.push(allowance.clone());
        self.write(allowed, Effect::Gives)?;
        Ok(allowance)
    }

    async fn revoke(&self, id: AllowanceId) -> Result<Option<Allowance>, PortError> {
        let _held = self.lock()?;
        let mut allowed = self.read()?;
        let Some(place) = allowed.allowances.iter().position(|known| known.id == id) else { return Ok(None) };
        let revoked = allowed.allowances.remove(place);
        self.write(allowed, Effect::TakesBack)?;
        Ok(Some(revoked))
    }
}
