//! The review of a grant: everything that was done under it as one cumulative change, kept or put back.
//!
//! Deliberately absent: surfaces; the terminal, the screen and the wire show what is found here and say what was chosen.

use bailiwick_domain::{FileState, Grant, GrantFile, GrantId, RepoPath, StoredEntry, Timestamp, ToolError};

use super::{Authority, Obstacle, PlanError, PlannedFile, RestorePlan, Restorer};
use crate::presentation::unified_diff;
use crate::recording::own_change::{LARGEST, OwnChangeError};

/// So far may a clock have been set back while a grant was live, in seconds.
const STEP_S: u64 = 24 * 60 * 60;

/// Why a review was not written down.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReviewError {
    /// What shall be put back cannot be found out, or is none of the grant's.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A file cannot be put back; nothing was.
    #[error("{path} cannot be put back: {why}; nothing was put back", path = .0.path, why = .0.why)]
    Obstacle(Obstacle),
    /// Putting back failed.
    #[error(transparent)]
    Restore(#[from] OwnChangeError),
    /// The review could not be written down.
    #[error("{}", .0.message())]
    Gate(Box<ToolError>),
}

/// One file that was changed under a grant, from before its first call to now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantChange {
    /// The path.
    pub path: RepoPath,
    /// The unified diff; empty where the file is as it was before.
    pub diff: String,
    /// Why it cannot be put back, if so.
    pub obstacle: Option<String>,
}

/// Everything that was done under a grant.
#[derive(Clone, Debug)]
pub struct GrantChanges {
    /// The grant.
    pub grant: Grant,
    /// Its files, in the order in which they were first changed.
    pub files: Vec<GrantChange>,
    plan: RestorePlan,
}

impl GrantChanges {
    /// All diffs as one text.
    pub fn diff(&self) -> String {
        self.files.iter().map(|file| file.diff.as_str()).collect()
    }

    /// Every file of it.
    pub fn paths(&self) -> Vec<RepoPath> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// The files that can be put back.
    pub fn revertible(&self) -> Vec<RepoPath> {
        self.plan.files.iter().map(|file| file.path.clone()).collect()
    }
}

/// What came of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The grant with its review.
    pub grant: Grant,
    /// The ledger entries of what was put back.
    pub trace_ids: Vec<String>,
}

/// The largest diff of one file, in bytes.
const DIFF_BYTES: usize = 200_000;

impl Restorer<'_> {
    /// The grants of this working copy whose changes nobody has looked at, oldest first.
    ///
    /// # Errors
    /// The store fails.
    pub async fn to_review(&self) -> Result<Vec<Grant>, PlanError> {
        let now = self.undo.clock.now();
        let mut grants = self.undo.grants.all().await?;
        grants.retain(|grant| grant.is_to_review(now) && self.is_here(grant));
        Ok(grants)
    }

    fn is_here(&self, grant: &Grant) -> bool {
        let (theirs, ours) = (grant.terms.worktree.as_deref(), self.undo.worktree);
        theirs.is_none() || ours.is_none() || theirs == ours
    }

    /// Everything that was done under a grant that is over.
    ///
    /// # Errors
    /// There is no such grant, it is live, was reviewed, or belongs to another working copy; or a store fails.
    pub async fn changes_of(&self, id: GrantId) -> Result<GrantChanges, PlanError> {
        let entries = self.entries_since(&[id]).await?;
        self.changes_among(id, &entries).await
    }

    /// The same of several grants, each with what hinders it alone. The ledger is read once.
    pub async fn changes_of_each(&self, ids: &[GrantId]) -> Vec<Result<GrantChanges, PlanError>> {
        if ids.is_empty() {
            return Vec::new();
        }
        let entries = self.entries_since(ids).await;
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            found.push(match &entries {
                Ok(entries) => self.changes_among(*id, entries).await,
                Err(error) => Err(error.clone()),
            });
        }
        found
    }

    /// What was recorded since the first of these grants was given.
    async fn entries_since(&self, ids: &[GrantId]) -> Result<Vec<StoredEntry>, PlanError> {
        let mut since: Option<Timestamp> = None;
        for id in ids {
            let opened = self.undo.grants.find(*id).await?.map(|grant| grant.terms.opened);
            since = [since, opened].into_iter().flatten().min();
        }
        match since {
            Some(since) => self.entries(|stored| stored.entry.timestamp.plus_seconds(STEP_S) < since),
            None => Ok(Vec::new()),
        }
    }

    async fn changes_among(&self, id: GrantId, entries: &[StoredEntry]) -> Result<GrantChanges, PlanError> {
        let grant = self.undo.grants.find(id).await?.ok_or(PlanError::NoGrant(id))?;
        if grant.review.is_some() {
            return Err(PlanError::Reviewed(id));
        }
        if grant.is_live(self.undo.clock.now()) {
            return Err(PlanError::Live(id));
        }
        if !self.is_here(&grant) {
            return Err(PlanError::Elsewhere(id, grant.terms.worktree.clone().unwrap_or_default()));
        }
        let approval = id.as_approval();
        let own: Vec<_> = entries
            .iter()
            .filter(|stored| stored.entry.context.approval.as_ref() == Some(&approval))
            .collect();
        let mut found = GrantChanges {
            plan: RestorePlan { grant: Some(id), ..RestorePlan::default() },
            files: Vec::new(),
            grant: grant.clone(),
        };
        for file in &grant.used.files {
            let mut ids: Vec<String> = Vec::new();
            let mut authority = Authority::of_grant(&grant);
            for stored in own.iter().filter(|stored| stored.entry.changes(&file.path)) {
                if ids.is_empty() {
                    authority = Authority::of(&stored.entry.context);
                }
                ids.push(stored.entry.id.clone());
            }
            self.add_change(&mut found, file, authority, ids).await?;
        }
        Ok(found)
    }

    async fn add_change(
        &self,
        found: &mut GrantChanges,
        file: &GrantFile,
        authority: Authority,
        entries: Vec<String>,
    ) -> Result<(), PlanError> {
        let path = file.path.clone();
        let now = self.undo.workspace.state(&path).await?;
        if now == file.before {
            found.plan.already.push(path.clone());
            found.files.push(GrantChange { path, diff: String::new(), obstacle: None });
            return Ok(());
        }
        let planned = self.planned(&path, now.clone(), &file.before).await?;
        let diff = match &planned {
            Ok((now, then)) => unified_diff(path.as_str(), then.as_deref(), now.as_deref(), DIFF_BYTES),
            Err(_) => self.diff_as_far_as_known(file).await,
        };
        let planned = planned.and_then(|bytes| match now == file.after {
            true => Ok(bytes),
            false => Err("it changed after the grant's last call".to_owned()),
        });
        let obstacle = match planned {
            Ok((now_bytes, then)) => {
                found.plan.files.push(PlannedFile {
                    path: path.clone(),
                    now,
                    now_bytes,
                    then,
                    // No grant covers that a file goes, so none returns.
                    // A review shows all that became of the file.
                    amended: false,
                    executable: false,
                    authority,
                    entries,
                });
                None
            }
            Err(why) => {
                found.plan.obstacles.push(Obstacle { path: path.clone(), why: why.clone() });
                Some(why)
            }
        };
        found.files.push(GrantChange { path, diff, obstacle });
        Ok(())
    }

    async fn diff_as_far_as_known(&self, file: &GrantFile) -> String {
        let before = match &file.before {
            FileState::Content(hash) => self.undo.pendings.kept(hash).await.ok().flatten(),
            FileState::Absent | FileState::Other => None,
        };
        let now = self.undo.workspace.read(&file.path, LARGEST).await.ok().flatten();
        if before.is_none() && matches!(file.before, FileState::Content(_)) {
            return format!("--- a/{0}\n+++ b/{0}\nwhat was there before is not kept\n", file.path);
        }
        unified_diff(file.path.as_str(), before.as_deref(), now.as_deref(), DIFF_BYTES)
    }

    /// Puts these files back, keeps all others, and writes the review down.
    ///
    /// # Errors
    /// One of them cannot be put back, or is none of the grant's: then nothing is done.
    pub async fn review(
        &self,
        changes: &GrantChanges,
        revert: &[RepoPath],
        by: &str,
    ) -> Result<Reviewed, ReviewError> {
        let known = |path: &&RepoPath| changes.files.iter().any(|file| file.path == **path);
        if let Some(path) = revert.iter().find(|path| !known(path)) {
            return Err(PlanError::NotAmong(path.to_string()).into());
        }
        let plan = changes.plan.only(revert);
        if let Some(obstacle) = plan.obstacles.first() {
            return Err(ReviewError::Obstacle(obstacle.clone()));
        }
        let reports = self.restore(&plan, by).await?;
        let trace_ids = reports.into_iter().flat_map(|report| report.trace_ids).collect();
        let grant = self.undo.grants.reviewed(changes.grant.id, by, revert).await;
        let grant = grant.map_err(|error| ReviewError::Gate(Box::new(error)))?;
        Ok(Reviewed { grant, trace_ids })
    }
}

impl Authority {
    /// Where no entry of the ledger says more.
    fn of_grant(grant: &Grant) -> Self {
        Self {
            intent: grant.terms.intent.clone(),
            revision: grant.terms.revision.clone(),
            requirements: vec![format!("REQ-{}", grant.terms.intent)],
            derived: true,
        }
    }
}
