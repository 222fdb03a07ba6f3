//! Which pre-images nobody can go back to any more, and when that was looked at last.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use bailiwick_domain::{
    ContentHash, FileState, GrantId, GrantStore, LedgerQuery, LedgerReader, PendingStore, PortError,
    StoredEntry, Timestamp, WorkspaceLock,
};

use crate::files::freeing::{Doing, Freed, entries, modified, remove};
use crate::state::pending::note_collected;
use crate::{FsGrantStore, FsLedgerReader, FsPendingStore, FsWorkspaceLock, Layout};

/// How many go while the lock of the root is held once, so that a hook that waits for it hardly notices.
const PORTION: usize = 256;

/// Entries that were recorded this long before the first look are looked at again in each portion, in seconds.
const MARGIN_S: i64 = 3600;

/// Which pre-images go.
pub(super) struct Collection<'a> {
    pub(super) layout: &'a Layout,
    /// They are older than that.
    pub(super) old: Timestamp,
    pub(super) now: Timestamp,
    /// Grants that go in the same run, so that they need none.
    pub(super) gone: &'a BTreeSet<GrantId>,
}

impl Collection<'_> {
    /// Removes, or counts, those that nothing needs.
    pub(super) async fn run(&self, doing: Doing) -> Result<Freed, PortError> {
        let &Self { layout, old, now, gone } = self;
        let mut needed = BTreeSet::new();
        of_entries(layout, old, ControlFlow::Continue(()), &mut needed)?;
        let candidates = candidates(layout, old, &needed)?;
        let mut freed = Freed::default();
        let since = Timestamp::from_unix_ms(now.unix_ms().saturating_sub(MARGIN_S * 1000));
        for portion in candidates.chunks(PORTION) {
            let _held = FsWorkspaceLock::new(layout.clone()).acquire().await?;
            if doing == Doing::Collect {
                note_collected(&images(layout), old)?;
            }
            let mut needed = BTreeSet::new();
            of_entries(layout, since, ControlFlow::Break(()), &mut needed)?;
            of_open_calls(layout, &mut needed).await?;
            of_grants(layout, gone, &mut needed).await?;
            for (path, _, bytes) in portion.iter().filter(|(_, hash, _)| !needed.contains(hash)) {
                freed.add(*bytes);
                remove(path, doing)?;
            }
        }
        Ok(freed)
    }
}

type Candidate = (PathBuf, ContentHash, u64);

fn candidates(
    layout: &Layout,
    old: Timestamp,
    needed: &BTreeSet<ContentHash>,
) -> Result<Vec<Candidate>, PortError> {
    let mut found = Vec::new();
    for (folder, meta) in entries(&images(layout))? {
        if !meta.is_dir() {
            continue;
        }
        for (path, meta) in entries(&folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let Some(hash) = ContentHash::parse(&format!("sha256:{name}")) else { continue };
            if meta.is_file() && modified(&meta) < old && !needed.contains(&hash) {
                found.push((path, hash, meta.len()));
            }
        }
    }
    Ok(found)
}

fn images(layout: &Layout) -> PathBuf {
    layout.private().join("preimages")
}

/// What was there before each change that was recorded since then. Entries come newest first; `older` says whether those
/// behind one that is older are looked at as well.
fn of_entries(
    layout: &Layout,
    since: Timestamp,
    older: ControlFlow<()>,
    needed: &mut BTreeSet<ContentHash>,
) -> Result<(), PortError> {
    let mut take = |stored: StoredEntry| {
        if stored.entry.timestamp < since {
            return older;
        }
        needed.extend(stored.entry.files.iter().filter_map(|file| hash(&file.before)));
        ControlFlow::Continue(())
    };
    FsLedgerReader::new(layout).visit(&LedgerQuery::default(), &mut take)
}

async fn of_open_calls(layout: &Layout, needed: &mut BTreeSet<ContentHash>) -> Result<(), PortError> {
    for pending in FsPendingStore::new(layout.clone()).all().await? {
        for file in &pending.files {
            needed.extend(hash(&file.before));
            needed.extend(file.predicted.as_ref().and_then(hash));
        }
    }
    Ok(())
}

/// What was there before the calls of grants that are live, or that nobody has looked at.
async fn of_grants(
    layout: &Layout,
    gone: &BTreeSet<GrantId>,
    needed: &mut BTreeSet<ContentHash>,
) -> Result<(), PortError> {
    for grant in FsGrantStore::new(layout).list().await? {
        if grant.review.is_none() && !gone.contains(&grant.id) {
            needed.extend(grant.used.files.iter().filter_map(|file| hash(&file.before)));
        }
    }
    Ok(())
}

fn hash(state: &FileState) -> Option<ContentHash> {
    match state {
        FileState::Content(hash) => Some(hash.clone()),
        FileState::Absent | FileState::Other => None,
    }
}
