//! Whether a change is made on what the actor was shown.
//!
//! Compares values only; who observed what, and what is on disk, is the gate's to find out (`gathering`).

use bailiwick_domain::{FileState, NeverRead, Observation, Shown};

use crate::calls::facts::{Explained, TargetFact};
use crate::calls::terms::{Access, AnchorFact};

/// Why a change would not be made on what the actor has seen. The names go to `details.cause`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleCause {
    /// The content differs from what was last read or written.
    Changed,
    /// Version control put other content there: a switch, merge, rebase or stash.
    Imported,
    /// A person took back what the actor wrote.
    TakenBack,
    /// It was there and is gone, and the change needs what was there.
    DeletedSince,
    /// It was not there and now is.
    CreatedSince,
    /// It is there and was never read.
    NeverRead,
    /// Only a part of it was read, and the change would replace the whole.
    PartlyRead,
    /// The quoted text is not there.
    AnchorNotFound,
    /// The quoted text is there with CRLF as the end of its lines, and quoted with LF.
    LineEnds,
    /// The quoted text is there more often than the call expects.
    AnchorAmbiguous,
    /// The hash that came with the call is not that of the disk and of the last reading.
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
            Self::PartlyRead => "partly_read",
            Self::AnchorNotFound => "anchor_not_found",
            Self::LineEnds => "line_ends",
            Self::AnchorAmbiguous => "anchor_ambiguous",
            Self::ReadHashMismatch => "read_hash_mismatch",
        }
    }
}

/// What a person must know of a change that may be asked about, and that no grant covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// The file was never read.
    NeverRead,
    /// Only a part of it was read.
    PartlyRead,
    /// It was read and is gone since.
    Gone,
}

/// How current a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Nothing speaks against it.
    Fresh,
    /// It is a person's to say, with this in the question.
    Ask(Unseen),
    /// It must not be made.
    Stale(StaleCause),
}

/// How current the change of one target is. Reading is always fresh.
pub fn freshness(target: &TargetFact, never_read: NeverRead) -> Freshness {
    if !target.access.mutates() {
        return Freshness::Fresh;
    }
    if has_wrong_claim(target) {
        return Freshness::Stale(StaleCause::ReadHashMismatch);
    }
    match (target.access, target.anchor) {
        // Nothing can be quoted from a file that is gone.
        (Access::Anchored, AnchorFact::Missing)
            if was_shown(target) && target.current == FileState::Absent =>
        {
            return explained(Freshness::Stale(StaleCause::DeletedSince), target.explained);
        }
        (Access::Anchored, AnchorFact::Missing) => return Freshness::Stale(StaleCause::AnchorNotFound),
        (Access::Anchored, AnchorFact::OtherLineEnds) => return Freshness::Stale(StaleCause::LineEnds),
        (Access::Anchored, AnchorFact::Ambiguous) => return Freshness::Stale(StaleCause::AnchorAmbiguous),
        // What quotes a place needs no more than to have been shown some of the file, whatever changed since.
        (Access::Anchored, AnchorFact::Found | AnchorFact::FoundLoosely) if was_shown(target) => {
            return Freshness::Fresh;
        }
        _ => {}
    }
    match explained(compared(target, never_read), target.explained) {
        // Who has only tools that nobody knows cannot read it again.
        Freshness::Stale(_) if target.access == Access::Anything => Freshness::Ask(Unseen::NeverRead),
        freshness => freshness,
    }
}

fn has_wrong_claim(target: &TargetFact) -> bool {
    let Some(claimed) = &target.claimed else { return false };
    let is_claimed = |state: &FileState| matches!(state, FileState::Content(hash) if hash == claimed);
    !(is_claimed(&target.current) && target.observed.as_ref().is_some_and(|seen| is_claimed(&seen.state)))
}

/// Whether some of the file's content was ever shown.
fn was_shown(target: &TargetFact) -> bool {
    target.observed.as_ref().is_some_and(|seen| matches!(seen.state, FileState::Content(_)))
}

/// What explains a change says more than that there is one; the file must be read again all the same.
fn explained(freshness: Freshness, by: Option<Explained>) -> Freshness {
    use StaleCause::{Changed, CreatedSince, DeletedSince};
    match (freshness, by) {
        (Freshness::Stale(Changed | CreatedSince | DeletedSince), Some(Explained::Imported)) => {
            Freshness::Stale(StaleCause::Imported)
        }
        (Freshness::Stale(Changed | CreatedSince | DeletedSince), Some(Explained::TakenBack)) => {
            Freshness::Stale(StaleCause::TakenBack)
        }
        _ => freshness,
    }
}

fn compared(target: &TargetFact, never_read: NeverRead) -> Freshness {
    match (&target.observed, &target.current) {
        (None | Some(Observation { state: FileState::Absent, .. }), FileState::Absent) => Freshness::Fresh,
        (None, _) => never_shown(target, never_read),
        (Some(seen), now) if seen.state == *now => enough(target, seen.shown, never_read),
        (Some(Observation { state: FileState::Absent, .. }), _) => Freshness::Stale(StaleCause::CreatedSince),
        // What is put where nothing is any more needs nothing of what was there.
        (Some(_), FileState::Absent) if makes_anew(target) => Freshness::Ask(Unseen::Gone),
        (Some(_), FileState::Absent) => Freshness::Stale(StaleCause::DeletedSince),
        (Some(_), _) => Freshness::Stale(StaleCause::Changed),
    }
}

fn makes_anew(target: &TargetFact) -> bool {
    match target.access {
        Access::Overwrite | Access::MoveTo => true,
        // An empty quotation makes a file.
        Access::Anchored => target.anchor == AnchorFact::Found,
        Access::Read
        | Access::Look
        | Access::Patch
        | Access::Anything
        | Access::Delete
        | Access::MoveFrom => false,
    }
}

fn never_shown(target: &TargetFact, never_read: NeverRead) -> Freshness {
    let quotes = matches!(target.access, Access::Anchored | Access::Patch);
    match never_read {
        _ if quotes && target.anchor == AnchorFact::Found => Freshness::Ask(Unseen::NeverRead),
        NeverRead::Block => Freshness::Stale(StaleCause::NeverRead),
        NeverRead::Allow if !quotes => Freshness::Fresh,
        NeverRead::Ask | NeverRead::Allow => Freshness::Ask(Unseen::NeverRead),
    }
}

/// Whether what was shown of this very content is enough.
fn enough(target: &TargetFact, shown: Shown, never_read: NeverRead) -> Freshness {
    let replaces_all = match target.access {
        Access::Overwrite | Access::Anything | Access::Delete | Access::MoveTo => true,
        Access::Patch => target.anchor == AnchorFact::NotQuoted,
        Access::Read | Access::Look | Access::Anchored | Access::MoveFrom => false,
    };
    match (shown, never_read) {
        (Shown::Part, NeverRead::Block) if replaces_all => Freshness::Stale(StaleCause::PartlyRead),
        (Shown::Part, NeverRead::Ask) if replaces_all => Freshness::Ask(Unseen::PartlyRead),
        _ => Freshness::Fresh,
    }
}

/// A file's state as `details.expected` and `details.actual` show it.
pub(crate) fn shown(state: Option<&FileState>, was_there: bool) -> Option<String> {
    Some(match state? {
        FileState::Content(hash) => hash.to_string(),
        FileState::Absent if was_there => "DELETED".to_owned(),
        FileState::Absent => "ABSENT".to_owned(),
        FileState::Other => "OTHER".to_owned(),
    })
}
