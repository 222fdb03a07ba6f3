//! The approval queue: one file per request, one answer per request, one use per approval.
//!
//! Every change happens under one lock. A file never approves: what was asked and what was answered carry a
//! seal made with a key outside the tree, and an answer without its seal counts as not given. That keeps accidents
//! and tools that may write files from approving; a hostile process of the same user can read the key and is not held
//! off until commands run confined. Deliberately absent: asking anybody.

mod record;
pub(crate) mod seal;
mod wait;

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_domain::{
    Answer, Approval, ApprovalError, ApprovalId, ApprovalQueue, ApprovalRequest, ApprovalStatus, CallId,
    Fingerprint, PortError, Timestamp,
};

use crate::Layout;
use crate::files::atomic::{Durability, create_once, json_names, read_optional, remove_optional, replace};
use crate::files::freeing::{Doing, Freed};
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::state::consents::versions::{Effect, Versions, Written, settled};
use record::Stored;
pub(crate) use seal::{SealKey, Seals};

const KEPT_AFTER_LAPSE_S: u64 = 86_400;
const PRUNED_AT_ONCE: usize = 64;

/// The approval queue in private state.
#[derive(Clone, Debug)]
pub struct FsApprovalQueue {
    dir: PathBuf,
    seals: Seals,
    versions: Versions,
}

/// How long nothing is cleared up after it was, so that asking costs the same however many requests there are.
const CLEAR_EVERY_S: u64 = 3600;

impl FsApprovalQueue {
    /// The queue of this root. Answers are sealed when the layout knows the user's state folder.
    pub fn new(layout: Layout) -> Self {
        Self {
            dir: layout.private().join("approvals"),
            seals: Seals::of(&layout),
            versions: Versions::of(&layout, "approvals"),
        }
    }

    fn lock(&self) -> Result<FileLock, PortError> {
        FileLock::acquire(&self.dir.join("lock"), DEFAULT_WAIT)
    }

    fn file(&self, id: &ApprovalId) -> Option<PathBuf> {
        let digits = id.0.strip_prefix("ap-")?;
        let valid = (8..=64).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        valid.then(|| self.dir.join(format!("{}.json", id.0)))
    }

    fn link(&self, fingerprint: &Fingerprint) -> PathBuf {
        self.dir.join("by-fingerprint").join(fingerprint.hash().digits())
    }

    /// The request as it counts: unsealed answers are open; unsealed requests, and those that were put back as they stood before
    /// their answer or its use, are not there.
    fn read(&self, id: &ApprovalId) -> Result<Option<Approval>, PortError> {
        Ok(self.counting(id)?.map(|(approval, _)| approval))
    }

    /// The same with its number.
    fn counting(&self, id: &ApprovalId) -> Result<Option<(Approval, u64)>, PortError> {
        let Some(path) = self.file(id) else { return Ok(None) };
        let newest = self.versions.newest(&id.0)?;
        let Some(bytes) = read_optional(&path)? else { return Ok(None) };
        let Some(stored) = Stored::parse(&bytes).filter(|stored| stored.approval().id == *id) else {
            return Ok(None);
        };
        let version = stored.version();
        if version < newest {
            return Ok(None);
        }
        Ok(stored.trusted(&self.store(), self.seals.key()?).map(|approval| (approval, version)))
    }

    /// The same for who does not hold the lock.
    fn look(&self, id: &ApprovalId) -> Result<Option<Approval>, PortError> {
        let Some(file) = self.file(id) else { return Ok(None) };
        settled(&file, || self.lock(), || self.read(id))
    }

    /// What a seal says of the place that it is for.
    fn store(&self) -> String {
        self.dir.display().to_string()
    }

    fn sealed(&self, approval: &Approval, version: u64) -> Result<Stored, PortError> {
        Ok(Stored::seal(approval, &self.store(), version, self.seals.key()?))
    }

    /// Writes it in place of one of that number.
    fn write(&self, approval: &Approval, there: u64) -> Result<(), PortError> {
        let Some(path) = self.file(&approval.id) else {
            return Err(PortError::Unavailable(format!("`{}` is not an approval id", approval.id.0)));
        };
        let next = self.versions.next(&approval.id.0, there)?;
        let stored = self.sealed(approval, next.version)?;
        let effect = match &approval.status {
            ApprovalStatus::Open | ApprovalStatus::Approved { .. } | ApprovalStatus::WithHost { .. } => {
                Effect::Gives
            }
            // A call that uses it runs only when both are written, so that a yes which no call used stays one.
            ApprovalStatus::Used { .. } | ApprovalStatus::NotRun { .. } => Effect::UsesUp,
            ApprovalStatus::Rejected { .. } | ApprovalStatus::Void { .. } => Effect::TakesBack,
        };
        let record = Written { next, effect, durability: Durability::Os };
        self.versions.written(&approval.id.0, record, || replace(&path, &stored.bytes(), Durability::Os))
    }

    fn create(&self, request: &ApprovalRequest, now: Timestamp) -> Result<Approval, PortError> {
        loop {
            let digits = uuid::Uuid::new_v4().simple().to_string();
            let approval = Approval {
                id: ApprovalId(format!("ap-{}", digits.get(..8).unwrap_or(&digits))),
                request: request.clone(),
                created: now,
                expires: now.plus_seconds(Approval::LIFETIME_S),
                status: ApprovalStatus::Open,
                amended: None,
            };
            let Some(path) = self.file(&approval.id) else { continue };
            if create_once(&path, &self.sealed(&approval, 0)?.bytes(), Durability::Os)? {
                replace(&self.link(&request.fingerprint), approval.id.0.as_bytes(), Durability::Os)?;
                return Ok(approval);
            }
        }
    }

    /// The newest request with that fingerprint, by this way to read one.
    fn lookup(
        &self,
        fingerprint: &Fingerprint,
        read: impl Fn(&ApprovalId) -> Result<Option<Approval>, PortError>,
    ) -> Result<Option<Approval>, PortError> {
        let Some(bytes) = read_optional(&self.link(fingerprint))? else { return Ok(None) };
        let Ok(id) = String::from_utf8(bytes) else { return Ok(None) };
        Ok(read(&ApprovalId(id))?.filter(|approval| approval.request.fingerprint == *fingerprint))
    }

    /// The ids that have a file.
    fn ids(&self) -> Result<Vec<ApprovalId>, PortError> {
        let ids = json_names(&self.dir)?.into_iter().map(ApprovalId);
        Ok(ids.filter(|id| self.file(id).is_some()).collect())
    }

    /// The ids whose file holds no request that counts: it is damaged, or nobody here wrote it.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn unread(&self) -> Result<Vec<ApprovalId>, PortError> {
        let mut unread = Vec::new();
        for id in self.ids()? {
            // One that was cleared up meanwhile is none.
            let is_there = || self.file(&id).is_some_and(|path| path.exists());
            if self.look(&id)?.is_none() && is_there() {
                unread.push(id);
            }
        }
        Ok(unread)
    }

    /// Whether an hour went by since the last time, noted in a small file.
    fn is_time_to_prune(&self, now: Timestamp) -> Result<bool, PortError> {
        let note = self.dir.join("cleared");
        let last = read_optional(&note)?.and_then(|bytes| String::from_utf8(bytes).ok());
        let last = last.and_then(|text| Timestamp::parse(&text).ok());
        if last.is_some_and(|last| now < last.plus_seconds(CLEAR_EVERY_S)) {
            return Ok(false);
        }
        replace(&note, now.to_string().as_bytes(), Durability::Os)?;
        Ok(true)
    }

    /// Forgets requests that lapsed a day ago, a bounded number of them.
    fn prune(&self, now: Timestamp) -> Result<(), PortError> {
        self.forget(now, PRUNED_AT_ONCE, Doing::Collect).map(drop)
    }

    /// Forgets, or counts, all requests that lapsed a day ago.
    pub(crate) fn forget_lapsed(&self, now: Timestamp, doing: Doing) -> Result<Freed, PortError> {
        let _held = self.lock()?;
        self.forget(now, usize::MAX, doing)
    }

    fn forget(&self, now: Timestamp, most: usize, doing: Doing) -> Result<Freed, PortError> {
        let mut freed = Freed::default();
        if doing == Doing::Collect {
            self.versions
                .forget_older_than(Duration::from_secs(Approval::LIFETIME_S + KEPT_AFTER_LAPSE_S))?;
        }
        for id in self.ids()?.into_iter().take(most) {
            let Some(path) = self.file(&id) else { continue };
            let Some(bytes) = read_optional(&path)? else { continue };
            let Some(stored) = Stored::parse(&bytes) else { continue };
            let approval = stored.approval();
            if approval.expires.plus_seconds(KEPT_AFTER_LAPSE_S) >= now {
                continue;
            }
            freed.add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            if doing == Doing::Count {
                continue;
            }
            let link = self.link(&approval.request.fingerprint);
            if read_optional(&link)?.as_deref() == Some(id.0.as_bytes()) {
                remove_optional(&link)?;
            }
            remove_optional(&path)?;
        }
        Ok(freed)
    }

    fn change(
        &self,
        id: &ApprovalId,
        next: impl FnOnce(&Approval) -> Result<Approval, ApprovalError>,
    ) -> Result<Approval, ApprovalError> {
        let _held = self.lock()?;
        let (before, there) = self.counting(id)?.ok_or_else(|| ApprovalError::Unknown(id.0.clone()))?;
        let after = next(&before)?;
        self.write(&after, there)?;
        Ok(after)
    }
}

#[async_trait]
impl ApprovalQueue for FsApprovalQueue {
    async fn open(&self, request: &ApprovalRequest, now: Timestamp) -> Result<Approval, PortError> {
        let _held = self.lock()?;
        let known = self.lookup(&request.fingerprint, |id| self.read(id))?;
        if let Some(open) = known.filter(|found| found.is_open(now)) {
            return Ok(open);
        }
        let created = self.create(request, now)?;
        if self.is_time_to_prune(now)? {
            self.prune(now)?;
        }
        Ok(created)
    }

    async fn get(&self, id: &ApprovalId) -> Result<Option<Approval>, PortError> {
        self.look(id)
    }

    async fn find(&self, fingerprint: &Fingerprint) -> Result<Option<Approval>, PortError> {
        self.lookup(fingerprint, |id| self.look(id))
    }

    async fn list(&self) -> Result<Vec<Approval>, PortError> {
        let mut all = Vec::new();
        for id in self.ids()? {
            all.extend(self.look(&id)?);
        }
        all.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
        Ok(all)
    }

    async fn answer(
        &self,
        id: &ApprovalId,
        answer: &Answer,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.answered(answer, now))
    }

    async fn take_back(&self, id: &ApprovalId, by: &str, now: Timestamp) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.taken_back(by, now))
    }

    async fn hand_over(
        &self,
        id: &ApprovalId,
        call: &CallId,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.handed_over(call, now))
    }

    async fn settle_host(
        &self,
        id: &ApprovalId,
        call: &CallId,
        by: Option<String>,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| before.settled_by_host(call, by.as_deref(), now))
    }

    async fn consume(
        &self,
        id: &ApprovalId,
        fingerprint: &Fingerprint,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError> {
        self.change(id, |before| match &before.status {
            _ if before.request.fingerprint != *fingerprint => Err(ApprovalError::Unknown(id.0.clone())),
            ApprovalStatus::Approved { by, .. } if now < before.expires => {
                Ok(Approval { status: ApprovalStatus::Used { by: by.clone(), at: now }, ..before.clone() })
            }
            ApprovalStatus::Used { .. }
            | ApprovalStatus::Void { .. }
            | ApprovalStatus::Rejected { .. }
            | ApprovalStatus::NotRun { .. } => Err(ApprovalError::Answered(id.0.clone())),
            ApprovalStatus::WithHost { .. } => Err(ApprovalError::WithHost(id.0.clone())),
            _ if now >= before.expires => Err(ApprovalError::Lapsed(id.0.clone())),
            _ => Err(ApprovalError::Unknown(id.0.clone())),
        })
    }
}
