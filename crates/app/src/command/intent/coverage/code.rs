//! Where the code is now that was written for requirements: file by file, by the newest entries that wrote there.
//!
//! The ledger is walked once and each file read once. What is kept of the entries is bounded; what does not fit is
//! `unknown`. How a block is found again is `trace locate`'s.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use bailiwick_adapters_fs::FsWorkspace;
use bailiwick_domain::{FileState, IntentId, LedgerQuery, LedgerReader, RepoPath, StoredEntry, Workspace};
use pollster::block_on;

use crate::command::output::terminal::{BAD, DIM, GOOD, WARN};
use crate::command::trace::{Search, reader};
use crate::command::{CommandError, Context};
use crate::evidence::{Claim, IntentMap, Place, Proof};
use crate::lessons::is_lesson;
use crate::site::Site;

/// So many entries that wrote lines of one file under one intent are looked for again.
const MOST_OF_A_FILE: usize = 4;
/// So many are kept in all.
const MOST_IN_ALL: usize = 10_000;

/// What an intent did to a file, and what is there now.
pub(super) struct Code {
    pub(super) intent: IntentId,
    pub(super) file: RepoPath,
    pub(super) symbols: BTreeSet<String>,
    pub(super) requirements: BTreeSet<String>,
    pub(super) proof: Proof,
    pub(super) state: State,
    /// Where it is now.
    pub(super) now: Option<RepoPath>,
}

/// How much of it is there; what is better is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    Present,
    Moved,
    Changed,
    Gone,
    Unknown,
}

impl State {
    pub(super) const ALL: [Self; 5] = [Self::Present, Self::Moved, Self::Changed, Self::Gone, Self::Unknown];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Unknown => "unknown",
        }
    }

    pub(super) fn style(self) -> anstyle::Style {
        match self {
            Self::Present | Self::Moved => GOOD,
            Self::Changed => WARN,
            Self::Gone => BAD,
            Self::Unknown => DIM,
        }
    }
}

type Key = (IntentId, RepoPath);

/// What is kept of the entries of one file under one intent, without those that were taken back.
#[derive(Default)]
struct Kept {
    /// What the newest of them left; nothing where all were taken back.
    left: Option<FileState>,
    /// The newest that wrote lines, each with this file alone.
    wrote: Vec<StoredEntry>,
    is_cut: bool,
}

/// What is kept of the walk through the ledger.
struct Walk {
    kept: BTreeMap<Key, Kept>,
    /// The changes that a person took back, by entry and file.
    taken_back: BTreeSet<(String, RepoPath)>,
    room: usize,
}

/// Reads the ledger and looks for what it tells of. A lesson is no code.
pub(super) fn look(site: &Site, context: &Context) -> Result<Vec<Code>, CommandError> {
    let mut map = IntentMap::default();
    let mut walk = Walk { kept: BTreeMap::new(), taken_back: BTreeSet::new(), room: MOST_IN_ALL };
    let mut take = |stored: StoredEntry| {
        if !is_lesson(&stored.entry) {
            map.take(&stored);
            walk.keep(&stored);
        }
        ControlFlow::Continue(())
    };
    let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
    reader(site, context).visit(&query, &mut take)?;
    let places = places(&walk.kept, site, context)?;
    let code = map.changes().map(|change| {
        let key = (change.intent.clone(), change.file.clone());
        let (state, now) = places.get(&key).cloned().unwrap_or((State::Unknown, None));
        Code {
            intent: key.0,
            file: key.1,
            symbols: change.symbols.clone(),
            requirements: change.requirements.clone(),
            proof: change.proof,
            state,
            now,
        }
    });
    Ok(code.collect())
}

impl Walk {
    /// Keeps what is looked for later; entries come newest first, so that a taking-back is known before what it took back.
    fn keep(&mut self, stored: &StoredEntry) {
        for file in &stored.entry.files {
            let key = (stored.entry.context.intent.clone(), file.path.clone());
            let one = self.kept.entry(key).or_default();
            if self.taken_back.contains(&(stored.entry.id.clone(), file.path.clone())) {
                continue;
            }
            // What was put back is work from before, and none of its own.
            if let Some(restores) = &stored.entry.context.restores {
                self.taken_back.extend(restores.entries.iter().map(|id| (id.clone(), file.path.clone())));
                continue;
            }
            one.left.get_or_insert_with(|| file.after.clone());
            if file.ranges.is_empty() || one.wrote.len() >= MOST_OF_A_FILE {
                continue;
            }
            if self.room == 0 {
                one.is_cut = true;
                continue;
            }
            self.room -= 1;
            let mut alone = stored.clone();
            alone.entry.files.retain(|other| other.path == file.path);
            alone.entry.files.iter_mut().for_each(|file| file.lineage = None);
            one.wrote.push(alone);
        }
    }
}

fn places(
    kept: &BTreeMap<Key, Kept>,
    site: &Site,
    context: &Context,
) -> Result<BTreeMap<Key, (State, Option<RepoPath>)>, CommandError> {
    let workspace = FsWorkspace::new(site.layout.clone());
    let mut now: BTreeMap<&RepoPath, FileState> = BTreeMap::new();
    for (_, file) in kept.keys() {
        if !now.contains_key(file) {
            now.insert(file, block_on(workspace.state(file)).unwrap_or(FileState::Other));
        }
    }
    let mut found: BTreeMap<Key, (State, Option<RepoPath>)> = BTreeMap::new();
    let mut sought: BTreeMap<(&RepoPath, &IntentId), &Kept> = BTreeMap::new();
    for (key, one) in kept {
        let there = now.get(&key.1);
        let state = if there.is_some() && there == one.left.as_ref() {
            State::Present
        } else if one.is_cut && one.wrote.is_empty() {
            State::Unknown
        } else if one.left.is_none() {
            State::Gone
        } else {
            sought.insert((&key.1, &key.0), one);
            match there {
                Some(FileState::Content(_)) if one.wrote.is_empty() => State::Changed,
                _ => State::Gone,
            }
        };
        let is_there = matches!(there, Some(FileState::Content(_)));
        let place = (is_there && state != State::Gone).then(|| key.1.clone());
        found.insert(key.clone(), (state, place));
    }
    // The search wants the blocks of one file together.
    let claims = sought.values().flat_map(|one| Claim::all(&one.wrote));
    for block in Search::new(site, context).find_all(claims.collect())? {
        let state = match &block.place {
            Place::InPlace | Place::Moved(_) | Place::Ambiguous(_) if !block.is_elsewhere() => State::Present,
            Place::InPlace | Place::Moved(_) | Place::Ambiguous(_) => State::Moved,
            Place::Reformatted(_) | Place::Similar { .. } => State::Changed,
            Place::Gone => continue,
        };
        let key = (block.claim.stored.entry.context.intent.clone(), block.claim.file.path.clone());
        let best = found.entry(key).or_insert((State::Gone, None));
        if state < best.0 {
            *best = (state, Some(block.path.clone()));
        }
    }
    Ok(found)
}
