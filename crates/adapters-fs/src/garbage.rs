//! Old records of private state go, for a person who asks for it: pre-images, requests, grants, closed files of the
//! decision log, records of agents that no longer run, prompts of yesterday, and what killed writers left.
//!
//! What is open stays whatever its age: pre-images of pending calls and of grants that wait for a review, and what a
//! live grant is told by. A grant waits four weeks for its review. The ledger is never touched. Hooks may run beside:
//! each kind goes under the lock that its writers take, pre-images in small portions, and each portion looks again at
//! what is needed by then. Deliberately absent: how old is too old, which the settings say.

mod images;

use std::path::Path;

use bailiwick_domain::{Grant, GrantStatus, PortError, Timestamp};
use serde::Serialize;

use crate::Layout;
use crate::files::freeing::{Doing, Freed, entries, modified, remove};
use crate::state::{AgentProcesses, FsApprovalQueue, FsDecisionLog, FsGrantStore, FsPrompts};

/// How long what a killed writer left beside its file is taken for work under way, in seconds.
const UNDER_WAY_S: u64 = 3600;

/// How long records are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Pre-images and closed files of the decision log that are younger stay, in days.
    pub days: u32,
    /// So much of closed files of the decision log stays at most, in bytes.
    pub log_bytes: u64,
}

/// What went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// Contents from before calls.
    pub preimages: Freed,
    /// Requests that lapsed, with their answers.
    pub approvals: Freed,
    /// Grants that are over and reviewed, or were never reviewed.
    pub grants: Freed,
    /// Closed files of the decision log.
    pub decisions: Freed,
    /// Records of agents that do not run any more.
    pub agents: Freed,
    /// What a person asked for more than a day ago.
    pub prompts: Freed,
    /// What killed writers left.
    pub leftovers: Freed,
}

/// The old records of one root.
#[derive(Clone, Debug)]
pub struct Garbage {
    layout: Layout,
}

impl Garbage {
    /// The old records of this root.
    pub fn new(layout: &Layout) -> Self {
        Self { layout: layout.clone() }
    }

    /// Collects or counts what is too old.
    ///
    /// # Errors
    /// Something could not be looked at or removed, or a lock was held for too long; what went until then is gone.
    pub async fn collect(
        &self,
        retention: &Retention,
        now: Timestamp,
        doing: Doing,
    ) -> Result<Collected, PortError> {
        let old = Timestamp::from_unix_ms(
            now.unix_ms().saturating_sub(i64::from(retention.days).saturating_mul(86_400_000)),
        );
        let grants = FsGrantStore::new(&self.layout);
        let (forgotten, gone) = grants.forget_old(now, doing)?;
        // Where it is only counted they are there still, and count as gone.
        let mut kept = bailiwick_domain::GrantStore::list(&grants).await?;
        kept.retain(|grant| !gone.contains(&grant.id));
        let told_by = kept.iter().filter_map(needs_log).min();
        Ok(Collected {
            preimages: images::Collection { layout: &self.layout, old, now, gone: &gone }.run(doing).await?,
            approvals: FsApprovalQueue::new(self.layout.clone()).forget_lapsed(now, doing)?,
            grants: forgotten,
            decisions: FsDecisionLog::new(self.layout.clone()).forget_closed(
                old,
                retention.log_bytes,
                told_by,
                doing,
            )?,
            agents: AgentProcesses::new(self.layout.clone()).forget_gone(doing)?,
            prompts: FsPrompts::new(&self.layout).forget_old(now, doing)?,
            leftovers: self.leftovers(now, doing)?,
        })
    }

    /// Files that are written beside another one and were never put in its place.
    fn leftovers(&self, now: Timestamp, doing: Doing) -> Result<Freed, PortError> {
        let mut freed = Freed::default();
        let mut folders = vec![self.layout.private().to_owned()];
        while let Some(folder) = folders.pop() {
            for (path, meta) in entries(&folder)? {
                if meta.is_dir() {
                    // The ledger is repaired by `trace repair` alone.
                    if path != self.layout.private().join("ledger") {
                        folders.push(path);
                    }
                } else if is_leftover(&path) && modified(&meta).plus_seconds(UNDER_WAY_S) < now {
                    freed.add(meta.len());
                    remove(&path, doing)?;
                }
            }
        }
        Ok(freed)
    }
}

/// The line of the log from which on a grant is told by it: that of a live one.
fn needs_log(grant: &Grant) -> Option<u64> {
    (grant.status == GrantStatus::Live).then_some(grant.log_seq)
}

fn is_leftover(path: &Path) -> bool {
    let name = path.file_name().map(std::ffi::OsStr::as_encoded_bytes).unwrap_or_default();
    name.starts_with(b".") && name.ends_with(b".tmp")
}
