//! What changed in the files while a check ran, as far as no call of an agent explains it: told, and written into the
//! decision log. It explains a change only where a person says that the check made it; others may have been at work.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::SystemTime;

use bailiwick_adapters_fs::{FsLedgerReader, FsScopeMeter, SystemClock};
use bailiwick_domain::{
    Action, Actor, Clock, DecisionRecord, FileState, IntentId, LedgerQuery, LedgerReader, RepoPath,
    ScopeMeter, State, StoredEntry, Timestamp,
};

use crate::command::CommandError;
use crate::gate::Gate;
use crate::redact::redact;
use crate::site::Site;

/// A line of the decision log names so many files at most.
const MOST_NAMED: usize = 200;

/// The files of the working copy, by what tells that one was written.
pub(super) struct Before {
    files: BTreeMap<RepoPath, Option<(u64, SystemTime)>>,
    at: Timestamp,
}

impl Before {
    pub(super) fn look(site: &Site) -> Result<Self, CommandError> {
        let listing = pollster::block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
        let look = |path: &RepoPath| {
            let meta = std::fs::symlink_metadata(site.layout.root().join(path.as_str())).ok()?;
            Some((meta.len(), meta.modified().ok()?))
        };
        let files = listing.files.into_iter().map(|path| (path.clone(), look(&path))).collect();
        Ok(Self { files, at: SystemClock.now() })
    }

    /// What is not as it was, and which no recorded call changed meanwhile.
    pub(super) fn changed(&self, site: &Site) -> Result<Vec<RepoPath>, CommandError> {
        let now = Self::look(site)?;
        let mut names: BTreeSet<&RepoPath> = self.files.keys().chain(now.files.keys()).collect();
        names.retain(|path| self.files.get(*path) != now.files.get(*path));
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut by_calls = BTreeSet::new();
        let mut take = |stored: StoredEntry| {
            if stored.entry.timestamp < self.at {
                return ControlFlow::Break(());
            }
            by_calls.extend(stored.entry.files.iter().map(|file| file.path.clone()));
            ControlFlow::Continue(())
        };
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        FsLedgerReader::new(&site.layout).visit(&query, &mut take)?;
        Ok(names.into_iter().filter(|path| !by_calls.contains(*path)).cloned().collect())
    }
}

/// A command that ran for a check.
pub(super) struct Ran<'r> {
    pub(super) command: &'r str,
    pub(super) intent: &'r IntentId,
    /// What lets it run: an allowance, or the person.
    pub(super) by: &'r str,
    pub(super) allowance: Option<bailiwick_domain::ApprovalId>,
    pub(super) end: &'r str,
    /// What changed meanwhile.
    pub(super) changed: &'r [RepoPath],
    /// What of it a person says that the check changed.
    pub(super) own: &'r [RepoPath],
}

/// Writes the line of the decision log.
pub(super) fn log(gate: &Gate, ran: &Ran<'_>) -> Result<(), CommandError> {
    let named = ran.changed.get(..MOST_NAMED).unwrap_or(ran.changed);
    let mut left = BTreeMap::new();
    for path in ran.own.iter().take(MOST_NAMED) {
        let state = pollster::block_on(gate.ports().tree.workspace.state(path));
        left.insert(path.to_string(), state.unwrap_or(FileState::Other));
    }
    let note = format!("{} ran a check of {}: {}", ran.by, ran.intent, ran.end);
    let actor = Actor::root(Actor::HUMAN, ran.by);
    let record = DecisionRecord {
        intent: Some(ran.intent.clone()),
        paths: named.iter().map(ToString::to_string).collect(),
        approval: ran.allowance.clone(),
        command: Some(redact(ran.command)),
        left,
        ..DecisionRecord::new(
            SystemClock.now(),
            actor,
            "verify",
            State::Request,
            Action::Allow,
            redact(&note),
        )
    };
    pollster::block_on(gate.ports().records.decisions.append(&record))?;
    Ok(())
}
