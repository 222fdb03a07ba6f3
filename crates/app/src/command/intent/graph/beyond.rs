//! What hangs on no intent, or is not as the ledger has it: files that no open intent owns, by folder, and files that
//! changed without a record.
//!
//! It only gathers. Deliberately absent: what drift is (`trace verify --drift`), and how it is drawn (`mermaid`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bailiwick_adapters_fs::{FsPolicySource, FsScopeMeter};
use bailiwick_domain::{
    Intent, IntentSet, PolicySource, RepoPath, ScopeMeter, Settings, Value, WorkspacePath, json,
};
use bailiwick_policy::protection::{Protection, of_change};
use bailiwick_policy::scope_match::ScopeMatcher;
use pollster::block_on;

use super::Link;
use crate::command::CommandError;
use crate::command::trace::drift::{self, Drift};
use crate::counted::counted;
use crate::evidence::IntentMap;
use crate::site::Site;

/// Looking for drift ends after this time.
const DRIFT_TIME: Duration = Duration::from_secs(20);
/// So many groups of files that nobody owns are told.
const MOST_GROUPS: usize = 500;

/// The intents with what their scopes match.
pub(super) struct Scopes<'i>(Vec<(&'i Intent, ScopeMatcher)>);

/// Files that no open intent owns.
pub(super) struct Unowned {
    /// The largest first.
    pub(super) groups: Vec<Group>,
    /// So many groups are not among them.
    pub(super) left_out: usize,
    pub(super) files: usize,
    /// Whether every file of the tree was looked at.
    pub(super) is_complete: bool,
}

/// Those of one folder.
pub(super) struct Group {
    /// Nothing for the root.
    folder: Option<RepoPath>,
    /// Whether it is everything below the folder; else what lies directly in it.
    is_whole: bool,
    first: RepoPath,
    files: usize,
    /// So many of them the ledger knows.
    recorded: usize,
}

impl<'i> Scopes<'i> {
    pub(super) fn of(set: &'i IntentSet) -> Self {
        let with_scope = |intent: &'i Intent| Some((intent, ScopeMatcher::new(intent.owned_scope()).ok()?));
        Self(set.iter().filter_map(with_scope).collect())
    }

    fn has_open_owner(&self, file: &RepoPath) -> bool {
        self.0.iter().any(|(intent, scope)| intent.is_open() && scope.matches(file))
    }

    /// The open ones that own a file; where there is none, those that would.
    fn owners(&self, file: &RepoPath) -> Vec<&'i Intent> {
        let own = self.0.iter().filter(|(_, scope)| scope.matches(file));
        let all: Vec<&Intent> = own.map(|(intent, _)| *intent).collect();
        let has_open = all.iter().any(|intent| intent.is_open());
        all.into_iter().filter(|intent| intent.is_open() || !has_open).collect()
    }

    /// What nobody owns. What only a person changes is left out: no intent could own it.
    pub(super) fn unowned(&self, map: &IntentMap, site: &Site) -> Result<Unowned, CommandError> {
        let listing = block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
        let settings = block_on(FsPolicySource::new(site.layout.clone()).settings()).unwrap_or_default();
        let recorded: BTreeSet<&RepoPath> = map.changes().map(|change| change.file).collect();
        let mut shared: BTreeSet<RepoPath> = BTreeSet::new();
        let mut unowned = Vec::new();
        for file in &listing.files {
            if self.has_open_owner(file) {
                shared.extend(folders(file));
            } else if !file.is_in_orchestration() && !is_protected(file, &settings) {
                unowned.push(file);
            }
        }
        let mut groups: BTreeMap<(Option<RepoPath>, bool), Group> = BTreeMap::new();
        for file in &unowned {
            let whole = folders(file).into_iter().find(|folder| !shared.contains(folder));
            let is_whole = whole.is_some();
            let folder = whole.or_else(|| file.parent());
            let group = groups.entry((folder.clone(), is_whole)).or_insert_with(|| Group {
                folder,
                is_whole,
                first: (*file).clone(),
                files: 0,
                recorded: 0,
            });
            group.files += 1;
            group.recorded += usize::from(recorded.contains(file));
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| Reverse(group.files));
        let left_out = groups.len().saturating_sub(MOST_GROUPS);
        groups.truncate(MOST_GROUPS);
        Ok(Unowned { groups, left_out, files: unowned.len(), is_complete: listing.is_complete })
    }

    /// Each file that changed without a record, with the intent of its newest entry, or else with those that own it.
    pub(super) fn drifted<'m>(&self, drift: &Drift) -> Vec<Link<'m>> {
        let links = drift.files.iter().flat_map(|drifted| {
            let (file, change) = (drifted.path(), drifted.change());
            let intents = match drifted.last_intent() {
                Some(intent) => Vec::from([intent.clone()]),
                None => self.owners(file).into_iter().map(|intent| intent.id().clone()).collect(),
            };
            intents.into_iter().map(|intent| Link::Drifted { intent, file: file.clone(), change })
        });
        links.collect()
    }
}

/// Looks for drift, within a bounded time.
pub(super) fn drift(site: &Site) -> Result<Drift, CommandError> {
    drift::find(site, Some(DRIFT_TIME))
}

/// The folders that a file is in, the outermost first.
fn folders(file: &RepoPath) -> Vec<RepoPath> {
    let mut above: Vec<RepoPath> = std::iter::successors(file.parent(), RepoPath::parent).collect();
    above.reverse();
    above
}

fn is_protected(file: &RepoPath, settings: &Settings) -> bool {
    let path = WorkspacePath { folded: file.as_str().to_lowercase(), path: file.clone(), spelled: None };
    matches!(of_change(&path, settings), Protection::Protected(_))
}

impl Unowned {
    pub(super) fn as_json(&self) -> Value {
        json!({
            "complete": self.is_complete,
            "files": self.files,
            "groups": self.groups.iter().map(Group::as_json).collect::<Vec<_>>(),
            "more_groups": self.left_out,
        })
    }
}

impl Group {
    fn folder(&self) -> String {
        self.folder.as_ref().map_or_else(|| "./".to_owned(), |folder| format!("{folder}/"))
    }

    fn as_json(&self) -> Value {
        json!({
            "folder": self.folder(),
            "whole": self.is_whole,
            "files": self.files,
            "recorded": self.recorded,
            "first": self.first,
        })
    }

    /// What stands in its box.
    pub(super) fn label(&self) -> String {
        if self.files == 1 {
            let recorded = if self.recorded == 1 { " (recorded)" } else { "" };
            return format!("{}{recorded}", self.first);
        }
        let files = counted(self.files, "file", "files");
        let place = if self.is_whole { "" } else { " directly in it" };
        let recorded = match self.recorded {
            0 => String::new(),
            recorded => format!(", {recorded} recorded"),
        };
        format!("{} ({files}{place}{recorded})", self.folder())
    }
}
