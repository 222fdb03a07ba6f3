//! The grants of one root: one sealed file each, changed under one lock.
//!
//! A file never grants: the seal is made with a key outside the tree, over the grant and the store it is in, so that a
//! file that was written by hand, edited, or copied from elsewhere is not there. An old copy of a file has its seal;
//! it is told by the decision log, which is for the gate to look at. Without a key nothing is granted. Deliberately
//! absent: what a grant covers.

use std::collections::BTreeSet;
use std::path::PathBuf;

use async_trait::async_trait;
use bailiwick_domain::{
    ContentHash, Grant, GrantEnd, GrantError, GrantId, GrantStatus, GrantStore, GrantTerms, GrantUse,
    PortError, Timestamp, Value, json,
};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, create_once, json_names, read_optional, replace};
use crate::files::freeing::{Doing, Freed, remove};
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::state::consents::approvals::{SealKey, Seals};
use crate::state::consents::versions::{Effect, Versions, Written, settled};

/// How long a grant that nobody will ask for again is remembered, in seconds: a week.
const KEPT_S: u64 = 7 * 86_400;

/// The same for one whose changes nobody has reviewed: four weeks.
const KEPT_UNREVIEWED_S: u64 = 28 * 86_400;

/// The form that this program writes and reads; a grant of another form may mean what is not known here.
const FORMAT: u32 = 1;

/// The grants in private state.
#[derive(Clone, Debug)]
pub struct FsGrantStore {
    dir: PathBuf,
    seals: Seals,
    versions: Versions,
}

/// A grant with its seal.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    grant: Grant,
    /// How often it was written.
    #[serde(default)]
    version: u64,
    seal: ContentHash,
}

impl FsGrantStore {
    /// The grants of this root. There are none unless the layout knows the user's state folder, where the key is.
    pub fn new(layout: &Layout) -> Self {
        Self {
            dir: layout.private().join("grants"),
            seals: Seals::of(layout),
            versions: Versions::of(layout, "grants"),
        }
    }

    fn lock(&self) -> Result<FileLock, PortError> {
        FileLock::acquire(&self.dir.join("lock"), DEFAULT_WAIT)
    }

    fn key(&self) -> Result<&SealKey, PortError> {
        self.seals.needed("grants need")
    }

    fn file(&self, id: GrantId) -> PathBuf {
        self.dir.join(format!("{}.json", id.number()))
    }

    /// What the seal is over. What older versions wrote has no number.
    fn sealed(&self, grant: &Grant, version: u64) -> Value {
        let store = self.dir.display().to_string();
        match version {
            0 => json!({"grant": grant, "store": store}),
            _ => json!({"grant": grant, "store": store, "version": version}),
        }
    }

    fn bytes(&self, grant: &Grant, version: u64) -> Result<Vec<u8>, PortError> {
        let seal = self.key()?.seal(&self.sealed(grant, version));
        let stored = Stored { format: FORMAT, grant: grant.clone(), version, seal };
        serde_json::to_vec(&stored).map_err(|error| PortError::Unavailable(error.to_string()))
    }

    /// The grant as it counts: what is not sealed for this store and under this number is not there, and what is live
    /// in an older form than the last one neither.
    fn read(&self, id: GrantId) -> Result<Option<Grant>, PortError> {
        Ok(self.counting(id)?.map(|(grant, _)| grant))
    }

    /// The same with its number.
    fn counting(&self, id: GrantId) -> Result<Option<(Grant, u64)>, PortError> {
        if !self.seals.can_be_made() {
            return Ok(None);
        }
        let newest = self.versions.newest(&id.number().to_string())?;
        let Some(bytes) = read_optional(&self.file(id))? else { return Ok(None) };
        let Ok(stored) = serde_json::from_slice::<Stored>(&bytes) else { return Ok(None) };
        let is_known = stored.format == FORMAT && stored.grant.id == id;
        let is_whole =
            is_known && self.key()?.seal(&self.sealed(&stored.grant, stored.version)) == stored.seal;
        let is_over = stored.grant.status != GrantStatus::Live;
        let counts = is_whole && (is_over || stored.version >= newest);
        Ok(counts.then_some((stored.grant, stored.version)))
    }

    /// The same for who does not hold the lock.
    fn look(&self, id: GrantId) -> Result<Option<Grant>, PortError> {
        settled(&self.file(id), || self.lock(), || self.read(id))
    }

    /// The numbers that have a file, in their order.
    fn ids(&self) -> Result<Vec<GrantId>, PortError> {
        let numbers = json_names(&self.dir)?.into_iter().filter_map(|name| name.parse().ok());
        let mut ids: Vec<GrantId> = numbers.map(GrantId::new).collect();
        ids.sort();
        Ok(ids)
    }

    /// The grants whose file does not count: it is older than what was written last, or nobody here wrote it.
    ///
    /// # Errors
    /// The folder or the key cannot be read.
    pub fn unread(&self) -> Result<Vec<GrantId>, PortError> {
        let mut unread = Vec::new();
        for id in self.ids()?.into_iter().filter(|_| self.seals.can_be_made()) {
            // One that was cleared up meanwhile is none.
            if self.look(id)?.is_none() && self.file(id).exists() {
                unread.push(id);
            }
        }
        Ok(unread)
    }

    /// The number after the highest that was ever given, which a small file remembers beyond the grants themselves.
    fn next(&self) -> Result<GrantId, PortError> {
        let noted = read_optional(&self.dir.join("last"))?.and_then(|bytes| String::from_utf8(bytes).ok());
        let noted: u64 = noted.and_then(|text| text.trim().parse().ok()).unwrap_or_default();
        let highest = self.ids()?.last().map_or(0, |id| id.number());
        Ok(GrantId::new(noted.max(highest).saturating_add(1)))
    }

    /// Forgets, or counts, what is long over, and says which grants that are.
    pub(crate) fn forget_old(
        &self,
        now: Timestamp,
        doing: Doing,
    ) -> Result<(Freed, BTreeSet<GrantId>), PortError> {
        let _held = self.lock()?;
        self.prune(now, doing)
    }

    fn prune(&self, now: Timestamp, doing: Doing) -> Result<(Freed, BTreeSet<GrantId>), PortError> {
        let (mut freed, mut gone) = (Freed::default(), BTreeSet::new());
        for id in self.ids()? {
            let Some(grant) = self.read(id)? else { continue };
            let over = match &grant.status {
                GrantStatus::Ended { at, .. } => *at,
                GrantStatus::Live => grant.terms.expires(),
            };
            let kept = if grant.is_to_review(now) { KEPT_UNREVIEWED_S } else { KEPT_S };
            if over.plus_seconds(kept) < now {
                let path = self.file(id);
                freed.add(path.symlink_metadata().map_or(0, |meta| meta.len()));
                remove(&path, doing)?;
                gone.insert(id);
            }
        }
        Ok((freed, gone))
    }
}

#[async_trait]
impl GrantStore for FsGrantStore {
    fn can_grant(&self) -> bool {
        self.seals.can_be_made()
    }

    async fn open(&self, terms: &GrantTerms) -> Result<Grant, PortError> {
        let _held = self.lock()?;
        self.prune(terms.opened, Doing::Collect)?;
        let mut id = self.next()?;
        loop {
            let grant = Grant {
                id,
                terms: terms.clone(),
                used: GrantUse::default(),
                status: GrantStatus::Live,
                log_seq: 0,
                review: None,
            };
            replace(&self.dir.join("last"), id.number().to_string().as_bytes(), Durability::Os)?;
            let name = id.number().to_string();
            let version = self.versions.next(&name, 0)?.version;
            let bytes = self.bytes(&grant, version)?;
            // None was there that noting it first would take away.
            self.versions.note(&name, version, Durability::Os)?;
            if create_once(&self.file(id), &bytes, Durability::Os)? {
                return Ok(grant);
            }
            id = GrantId::new(id.number().saturating_add(1));
        }
    }

    async fn get(&self, id: GrantId) -> Result<Option<Grant>, PortError> {
        self.look(id)
    }

    async fn list(&self) -> Result<Vec<Grant>, PortError> {
        let mut all = Vec::new();
        for id in self.ids()? {
            all.extend(self.look(id)?);
        }
        Ok(all)
    }

    async fn replace(&self, before: &Grant, after: &Grant) -> Result<(), GrantError> {
        let _held = self.lock()?;
        let (stored, there) = self.counting(before.id)?.ok_or(GrantError::Unknown(before.id))?;
        if stored != *before || !before.may_become(after) {
            return Err(GrantError::Changed(before.id));
        }
        let name = before.id.number().to_string();
        let next = self.versions.next(&name, there)?;
        let bytes = self.bytes(after, next.version)?;
        // The call that uses it up runs only when both are written.
        let effect = match &after.status {
            GrantStatus::Live => Effect::Gives,
            GrantStatus::Ended { why: GrantEnd::UsedUp, .. } => Effect::UsesUp,
            GrantStatus::Ended { .. } => Effect::TakesBack,
        };
        let record = Written { next, effect, durability: Durability::Os };
        let write = || replace(&self.file(before.id), &bytes, Durability::Os);
        Ok(self.versions.written(&name, record, write)?)
    }
}
