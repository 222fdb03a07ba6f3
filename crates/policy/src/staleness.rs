//! Whether a change is made on what the actor has seen (rows 145, 166, 167; K-10, K-11, K-46, D-09).
//!
//! Compares values only; who observed what, and what is on disk, is `app`'s to find out.

use bailiwick_domain::{FileState, NeverRead};

use crate::facts::{Access, AnchorFact, Explained, TargetFact};

/// Why a change would not be made on what the actor has seen. The names go to `details.cause`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleCause {
    /// The content differs from what was last read or written.
    Changed,
    /// Version control put another content there: a switch, merge, rebase or stash (D-10).
    Imported,
    /// A human took back what the actor wrote (D-09).
    TakenBack,
    /// It was there and is gone.
    DeletedSince,
    /// It was not there and now is.
    CreatedSince,
    /// It is there and was never read.
    NeverRead,
    /// The quoted text is not there.
    AnchorNotFound,
    /// The quoted text is there more often than the call expects.
    AnchorAmbiguous,
    /// The hash that came with the call is not that of the disk and of the last reading (K-46).
    ReadHashMismatch,
}

impl StaleCause {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Imported => "imported",
            Self::TakenBack => "taken_back",
            Self::DeletedSince => "deleted_since",
            Self::CreatedSince => "created_since",
            Self::NeverRead => "never_read",
            Self::AnchorNotFound => "anchor_not_found",
            Self::AnchorAmbiguous => "anchor_ambiguous",
            Self::ReadHashMismatch => "read_hash_mismatch",
        }
    }
}

/// How current a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Nothing speaks against it.
    Fresh,
    /// The file was never read and the settings leave that to a human.
    AskNeverRead,
    /// It must not be made.
    Stale(StaleCause),
}

/// How current the change of one target is. Reading is always fresh.
pub fn freshness(target: &TargetFact, never_read: NeverRead) -> Freshness {
    if !target.access.mutates() {
        return Freshness::Fresh;
    }
    if let Some(claimed) = &target.claimed {
        let is_claimed = |state: &FileState| matches!(state, FileState::Content(hash) if hash == claimed);
        if !(is_claimed(&target.current) && target.observed.as_ref().is_some_and(is_claimed)) {
            return Freshness::Stale(StaleCause::ReadHashMismatch);
        }
    }
    match (target.access, target.anchor) {
        (Access::Anchored, AnchorFact::Found) => Freshness::Fresh,
        (Access::Anchored, AnchorFact::Missing) => Freshness::Stale(StaleCause::AnchorNotFound),
        (Access::Anchored, AnchorFact::Ambiguous) => Freshness::Stale(StaleCause::AnchorAmbiguous),
        _ => explained(compared(&target.current, target.observed.as_ref(), never_read), target.explained),
    }
}

/// What explains a change says more than that there is one; the file must be read again all the same.
fn explained(freshness: Freshness, by: Option<Explained>) -> Freshness {
    use StaleCause::{Changed, CreatedSince, DeletedSince};
    match (freshness, by) {
        (Freshness::Stale(Changed | CreatedSince | DeletedSince), Some(by)) => Freshness::Stale(match by {
            Explained::Imported => StaleCause::Imported,
            Explained::TakenBack => StaleCause::TakenBack,
        }),
        _ => freshness,
    }
}

fn compared(current: &FileState, observed: Option<&FileState>, never_read: NeverRead) -> Freshness {
    match (observed, current) {
        (None, FileState::Absent) => Freshness::Fresh,
        (None, _) => match never_read {
            NeverRead::Block => Freshness::Stale(StaleCause::NeverRead),
            NeverRead::Ask => Freshness::AskNeverRead,
            NeverRead::Allow => Freshness::Fresh,
        },
        (Some(seen), now) if seen == now => Freshness::Fresh,
        (Some(FileState::Absent), _) => Freshness::Stale(StaleCause::CreatedSince),
        (Some(_), FileState::Absent) => Freshness::Stale(StaleCause::DeletedSince),
        (Some(_), _) => Freshness::Stale(StaleCause::Changed),
    }
}

/// A file's state as `details.expected` and `details.actual` show it (K-10).
pub(crate) fn shown(state: Option<&FileState>, was_there: bool) -> Option<String> {
    Some(match state? {
        FileState::Content(hash) => hash.to_string(),
        FileState::Absent if was_there => "DELETED".to_owned(),
        FileState::Absent => "ABSENT".to_owned(),
        FileState::Other => "OTHER".to_owned(),
    })
}
