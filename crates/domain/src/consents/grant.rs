//! Grants: a person's bounded advance approval of edits, in place of one approval for each call.
//!
//! What a grant is, what is left of it, and how it may change: it is used up and it ends, it never grows. Deliberately
//! absent: which call it covers, which is a rule (`bailiwick-policy`).

mod bounds;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::calls::Actor;
use crate::consents::ApprovalId;
use crate::intents::{Intent, IntentId, IntentStatus, Revision};
use crate::port_error::PortError;
use crate::values::{FileState, RepoPath, Timestamp};

pub use bounds::{GrantBounds, GrantBoundsError, GrantId, GrantIdError, GrantLimits};

/// What was granted, to whom, by whom; never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantTerms {
    /// The request that it answered.
    pub approval: ApprovalId,
    /// Who granted it.
    pub by: String,
    /// Whose calls it covers: exactly this actor's, none of its sub-agents'.
    pub actor: Actor,
    /// The intent.
    pub intent: IntentId,
    /// The revision of the intent.
    pub revision: Revision,
    /// The status of the intent; `None` in grants of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<IntentStatus>,
    /// The working copy that its paths are relative to, where it is known; linked worktrees share one store.
    pub worktree: Option<String>,
    /// What `HEAD` named.
    pub branch: String,
    /// How far it goes.
    pub bounds: GrantBounds,
    /// Since when.
    pub opened: Timestamp,
}

impl GrantTerms {
    /// Whether the intent is what it was when this was granted, and open.
    pub fn are_of(&self, intent: &Intent) -> bool {
        self.intent == *intent.id()
            && self.revision == *intent.revision()
            && self.status.is_none_or(|status| status == intent.status())
            && intent.is_selectable()
    }

    /// When it ends at the latest.
    pub fn expires(&self) -> Timestamp {
        self.opened.plus_seconds(u64::from(self.bounds.limits().seconds))
    }
}

/// One file that was changed under a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantFile {
    /// The path.
    pub path: RepoPath,
    /// Before the first of the grant's calls.
    pub before: FileState,
    /// After the last one.
    pub after: FileState,
}

/// What one call takes of a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantCost {
    /// Lines that it changes, as [`GrantLimits::max_lines`] counts them.
    pub lines: u32,
    /// The files that it changes.
    pub files: Vec<GrantFile>,
}

/// What a call that was let through has taken of a grant, for the comparison with what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantCharge {
    /// The grant.
    pub grant: GrantId,
    /// The lines that were counted before the call ran.
    pub lines: u32,
}

/// What was used of a grant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantUse {
    /// Calls.
    pub calls: u32,
    /// Lines.
    pub lines: u32,
    /// How often a call of the actor was refused meanwhile.
    pub blocks: u32,
    /// Files, in the order in which they were first changed.
    pub files: Vec<GrantFile>,
}

/// Why a grant ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantEnd {
    /// The turn is over: the agent stopped, the human prompted, or the session ended.
    TurnOver,
    /// Its time is over.
    Expired,
    /// Its calls or its lines are used up.
    UsedUp,
    /// A human took it back.
    Revoked {
        /// Who.
        by: String,
    },
    /// The intent has another revision or status, is frozen or over, or another intent is active.
    IntentChanged,
    /// `HEAD` stands on another branch.
    BranchChanged,
    /// Two calls of the actor were refused.
    TwoBlocks,
    /// A file changed, and no call explains it.
    Drift,
    /// A newer grant took its place.
    Replaced,
    /// What is stored of it does not agree with the decision log.
    Doubtful,
}

impl GrantEnd {
    /// The reason as the end of the sentence "it ended because …".
    pub fn because(&self) -> String {
        match self {
            Self::TurnOver => "the turn is over".to_owned(),
            Self::Expired => "it expired".to_owned(),
            Self::UsedUp => "it is used up".to_owned(),
            Self::Revoked { by } => alloc::format!("{by} revoked it"),
            Self::IntentChanged => "the intent changed".to_owned(),
            Self::BranchChanged => "the branch changed".to_owned(),
            Self::TwoBlocks => "two calls were refused".to_owned(),
            Self::Drift => "a file changed that no call explains".to_owned(),
            Self::Replaced => "a newer grant replaced it".to_owned(),
            Self::Doubtful => "its stored state does not agree with the decision log".to_owned(),
        }
    }
}

/// Where a grant stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum GrantStatus {
    /// It can cover calls.
    Live,
    /// It covers nothing any more.
    Ended {
        /// Why.
        why: GrantEnd,
        /// Since when.
        at: Timestamp,
    },
}

/// What a human said to the changes that were made under a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantReview {
    /// Who.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The files that were put back; all others were kept.
    pub reverted: Vec<RepoPath>,
}

/// A grant with what was used of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its number.
    pub id: GrantId,
    /// What was granted.
    pub terms: GrantTerms,
    /// What was used.
    pub used: GrantUse,
    /// Where it stands.
    pub status: GrantStatus,
    /// The line of the decision log that tells the last of it: its beginning, a use, a refused call. A later line about
    /// it means that this is an old copy.
    pub log_seq: u64,
    /// What a human said to the changes; `None` before that.
    pub review: Option<GrantReview>,
}

impl Grant {
    /// How many refused calls end it.
    pub const BLOCKS: u32 = 2;

    /// Whether it can cover calls, as far as its status and its time say.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.status == GrantStatus::Live && self.terms.opened <= now && now < self.terms.expires()
    }

    /// Whether it is over, by its status or its time, and has changes that no human has looked at.
    pub fn is_to_review(&self, now: Timestamp) -> bool {
        !self.is_live(now) && self.review.is_none() && !self.used.files.is_empty()
    }

    /// What it knows of a file.
    pub fn file(&self, path: &RepoPath) -> Option<&GrantFile> {
        self.used.files.iter().find(|file| file.path == *path)
    }

    /// It after a call that it covered; it ends when nothing is left.
    #[must_use]
    pub fn spent(&self, cost: &GrantCost, log_seq: u64, now: Timestamp) -> Self {
        let mut after = Self { log_seq, ..self.clone() };
        after.used.calls = after.used.calls.saturating_add(1);
        after.used.lines = after.used.lines.saturating_add(cost.lines);
        for changed in &cost.files {
            match after.used.files.iter_mut().find(|known| known.path == changed.path) {
                Some(known) => known.after = changed.after.clone(),
                None => after.used.files.push(changed.clone()),
            }
        }
        if after.is_used_up() { after.ended(GrantEnd::UsedUp, now) } else { after }
    }

    /// It after a call turned out to have done something else than was predicted: the files as they are, and the lines
    /// that were not counted before.
    #[must_use]
    pub fn amended(&self, left: &[(RepoPath, FileState)], more_lines: u32, now: Timestamp) -> Self {
        let mut after = self.clone();
        after.used.lines = after.used.lines.saturating_add(more_lines);
        for file in &mut after.used.files {
            if let Some((_, state)) = left.iter().find(|(path, _)| *path == file.path) {
                file.after = state.clone();
            }
        }
        if after.is_used_up() { after.ended(GrantEnd::UsedUp, now) } else { after }
    }

    fn is_used_up(&self) -> bool {
        let limits = self.terms.bounds.limits();
        self.used.calls >= limits.max_calls || self.used.lines >= limits.max_lines
    }

    /// It after a call of its actor was refused; the second one ends it.
    #[must_use]
    pub fn blocked(&self, log_seq: u64, now: Timestamp) -> Self {
        let mut after = Self { log_seq, ..self.clone() };
        after.used.blocks = after.used.blocks.saturating_add(1);
        if after.used.blocks >= Self::BLOCKS { after.ended(GrantEnd::TwoBlocks, now) } else { after }
    }

    /// It after it ended; what has ended stays so for its first reason.
    #[must_use]
    pub fn ended(&self, why: GrantEnd, at: Timestamp) -> Self {
        match self.status {
            GrantStatus::Live => Self { status: GrantStatus::Ended { why, at }, ..self.clone() },
            GrantStatus::Ended { .. } => self.clone(),
        }
    }

    /// Whether a store may put that in its place: the terms stay, what is used never shrinks, what has ended never
    /// comes back, and a review is given once.
    pub fn may_become(&self, after: &Self) -> bool {
        let kept = |file: &GrantFile| after.file(&file.path).is_some_and(|now| now.before == file.before);
        let grows = after.used.calls >= self.used.calls
            && after.used.lines >= self.used.lines
            && after.used.blocks >= self.used.blocks
            && after.log_seq >= self.log_seq
            && self.used.files.iter().all(kept);
        let stays_ended = match &self.status {
            GrantStatus::Live => after.review.is_none() || after.status != GrantStatus::Live,
            ended @ GrantStatus::Ended { .. } => *ended == after.status,
        };
        self.id == after.id
            && self.terms == after.terms
            && grows
            && stays_ended
            && (self.review.is_none() || self.review == after.review)
    }
}

/// What happened to a grant that a call wanted to use or a human wanted to end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// No grant of that number.
    #[error("there is no {0}")]
    Unknown(GrantId),
    /// It is not any more what it was when it was looked at, or it may not become that.
    #[error("{0} changed meanwhile")]
    Changed(GrantId),
    /// The store failed.
    #[error(transparent)]
    Port(#[from] PortError),
}
