//! Who accounts for lines that the witness has not seen.
//!
//! A writer that is killed between the ledger and the witness leaves such a line; somebody who appends one by hand leaves
//! it too, and its chain is as good. So it must carry a good signature by this user's key, or be the one line whose call
//! was let through and predicted exactly this. Any other is a stranger's: nothing goes on behind it until a person
//! decides.

use bailiwick_domain::{FileState, PendingCall, PortError, RepoPath, TraceEntry};

use crate::Layout;
use crate::files::atomic::invalid;
use crate::ledger::FsLedger;
use crate::ledger::record::{LedgerLine, SignedBy, read_ledger_line, signed_by};
use crate::ledger::sign::{TraceKey, TraceKeys};
use crate::state::FsPendingStore;

/// How many unseen lines are looked at: that many writers were killed in a row.
pub(in crate::ledger) const MAX_UNSEEN: u64 = 64;

/// What is known of who may have written a line.
#[derive(Debug)]
pub(in crate::ledger) struct Accounts {
    own: Option<TraceKey>,
    pendings: FsPendingStore,
}

impl Accounts {
    pub(in crate::ledger) fn of(layout: &Layout) -> Self {
        let own = TraceKeys::open(layout).ok().and_then(|keys| keys.own().cloned());
        Self { own, pendings: FsPendingStore::new(layout.clone()) }
    }

    /// Which of these lines is the first that nobody accounts for; they are all that the witness has not seen.
    pub(in crate::ledger) fn stranger<'l>(
        &self,
        unseen: impl Iterator<Item = &'l LedgerLine>,
    ) -> Option<usize> {
        let mut count = 0;
        let others = unseen.enumerate().inspect(|_| count += 1).filter(|(_, line)| !self.is_ours(line));
        // Only the first is needed, but whether it stands alone is known when all were looked at.
        let first = others.fold(None, |first, other| first.or(Some(other)));
        first.filter(|(_, line)| count > 1 || !self.was_let_through(line)).map(|(nth, _)| nth)
    }

    fn is_ours(&self, line: &LedgerLine) -> bool {
        matches!(signed_by(line), SignedBy::Key(key) if Some(&key) == self.own.as_ref())
    }

    /// Whether the call was let through, did not end yet, and was to leave exactly what the line says.
    fn was_let_through(&self, line: &LedgerLine) -> bool {
        if signed_by(line) != SignedBy::Nobody {
            return false;
        }
        let context = &line.entry.context;
        let pending = self.pendings.find(&context.actor, &context.call).ok().flatten();
        pending.is_some_and(|pending| predicted(&pending, &line.entry))
    }
}

fn predicted(pending: &PendingCall, entry: &TraceEntry) -> bool {
    let context = &entry.context;
    let approved = pending.approval == context.approval && pending.approved_by == context.approved_by;
    let same = pending.intent == context.intent
        && pending.revision == context.revision
        && pending.fingerprint == context.fingerprint;
    let is_known = |after: &FileState, before: &FileState, path: &RepoPath| {
        pending.files.iter().any(|file| {
            file.path == *path && file.before == *before && file.predicted.as_ref() == Some(after)
        })
    };
    let files = &entry.files;
    same && approved
        && !files.is_empty()
        && files.iter().all(|file| is_known(&file.after, &file.before, &file.path))
}

impl FsLedger {
    /// Looks at the lines behind the first `seen`, newest first, of which `skip` are known to be ours.
    ///
    /// # Errors
    /// One of them is a stranger's, or they are too many to be looked at.
    pub(in crate::ledger) fn account_for(&self, seen: u64, skip: usize) -> Result<(), PortError> {
        let mut unseen = Vec::new();
        let mut lines = self.newest_first()?;
        while let Some(line) = lines.next()? {
            // What is no record is looked at, and set aside, where the chain goes on.
            let Ok(line) = read_ledger_line(&line) else { continue };
            if line.seq < seen {
                break;
            }
            if u64::try_from(unseen.len()).is_ok_and(|count| count >= MAX_UNSEEN) {
                return Err(self.unaccounted(line.seq, "there are too many of them to check"));
            }
            unseen.push(line);
        }
        let others: Vec<LedgerLine> = unseen.into_iter().skip(skip).rev().collect();
        let stranger = Accounts::of(&self.layout).stranger(others.iter());
        match stranger.and_then(|nth| others.get(nth)) {
            None => Ok(()),
            Some(line) => Err(self.unaccounted(line.seq, "nobody accounts for it")),
        }
    }

    fn unaccounted(&self, seq: u64, why: &str) -> PortError {
        let message = format!(
            "the witness has not seen entry {seq}, and {why}; run `bailiwick trace verify`, \
             and `bailiwick trace repair` to decide"
        );
        invalid(&self.live, message)
    }
}
