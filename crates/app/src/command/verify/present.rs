//! What is there now, as far as a result of a check says something of it: the files that the intent owns and those that
//! the check names, the commit, and what was recorded under the intent.
//!
//! A folder that a command names counts by the files below it.
//!
//! Deliberately absent: how a result counts (`bailiwick_policy::verified`). Files that nobody tracks and git ignores are not
//! looked at, nor are those that Bailiwick itself writes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use bailiwick_adapters_fs::{FsDecisionLog, FsLedgerReader, FsScopeMeter};
use bailiwick_adapters_git::GitVcs;
use bailiwick_domain::{
    Action, Check, CheckResult, Classification, ContentHash, DecisionRecord, Intent, IntentId, LedgerQuery,
    LedgerReader, NamedCheck, RepoPath, ScopeMeter, StoredEntry, Timestamp, Vcs, VcsRevision,
};
use bailiwick_policy::scope_match::ScopeMatcher;
use pollster::block_on;

use crate::command::CommandError;
use crate::command::git::Git;
use crate::gate::READ_BY_AGENTS;
use crate::lessons::is_work;
use crate::site::Site;

/// More files, or more bytes of them, are not digested.
const MOST_FILES: usize = 5000;
const MOST_BYTES: u64 = 64 << 20;

/// What git calls a commit without files.
const NOTHING: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// What is there now for one intent.
#[derive(Clone, Debug)]
pub(super) struct Present<'p> {
    site: &'p Site,
    scope: Option<ScopeMatcher>,
    files: Option<Rc<BTreeSet<RepoPath>>>,
    /// Each file that the intent owns with its content; none where they are too many or not known.
    owned: Option<String>,
    pub(super) commit: Option<String>,
    /// When something was last recorded under it in this clone.
    pub(super) last_work: Option<Timestamp>,
    /// When an agent last ran a command under it that does more than read.
    last_command: Option<Timestamp>,
}

/// What is the same for all intents that are looked at together; the files are listed and the ledger is walked once.
pub(super) struct Moment<'p> {
    site: &'p Site,
    commit: Option<String>,
    /// The files that are there or tracked; nothing where they are too many.
    files: Option<Rc<BTreeSet<RepoPath>>>,
    last_work: BTreeMap<IntentId, Timestamp>,
    last_command: BTreeMap<IntentId, Timestamp>,
}

impl<'p> Moment<'p> {
    pub(super) fn look(site: &'p Site, intents: &BTreeSet<&IntentId>) -> Result<Self, CommandError> {
        let vcs = vcs(site);
        let commit = match vcs.as_ref().map(|vcs| block_on(vcs.revision())) {
            Some(VcsRevision::Commit(id)) => Some(id),
            Some(VcsRevision::None(_)) | None => None,
        };
        let (files, last_work) = (files(site, vcs.as_ref())?.map(Rc::new), last_work(site, intents)?);
        Ok(Self { site, commit, files, last_work, last_command: last_command(site, intents)? })
    }

    /// What is there now for one of these intents.
    pub(super) fn of(&self, intent: &Intent) -> Present<'p> {
        let scope = Some(intent.owned_scope()).filter(|scope| !scope.is_empty());
        let scope = scope.and_then(|scope| ScopeMatcher::new(scope).ok());
        let owned = scope.as_ref().zip(self.files.as_ref());
        Present {
            site: self.site,
            owned: owned.and_then(|(scope, files)| owned_of(self.site, files, scope)),
            scope,
            files: self.files.clone(),
            commit: self.commit.clone(),
            last_work: self.last_work.get(intent.id()).copied(),
            last_command: self.last_command.get(intent.id()).copied(),
        }
    }
}

impl<'p> Present<'p> {
    pub(super) fn look(site: &'p Site, intent: &Intent) -> Result<Self, CommandError> {
        Ok(Moment::look(site, &BTreeSet::from([intent.id()]))?.of(intent))
    }

    /// A digest of what a result of this check would say something of.
    pub(super) fn over(&self, check: &NamedCheck) -> Option<ContentHash> {
        let mut text = self.owned.clone()?;
        let mut room = MOST_BYTES;
        for path in named(check) {
            take(&mut text, self.site.layout.root(), &path, &mut room)?;
            self.take_below(&mut text, check, &path, &mut room)?;
        }
        Some(ContentHash::of(text.as_bytes()))
    }

    /// Adds the files below a folder that a command names; nothing where they are too many or cannot be read.
    fn take_below(
        &self,
        text: &mut String,
        check: &NamedCheck,
        folder: &RepoPath,
        room: &mut u64,
    ) -> Option<()> {
        let root = self.site.layout.root();
        let is_folder =
            || std::fs::symlink_metadata(root.join(folder.as_str())).is_ok_and(|meta| meta.is_dir());
        let (Check::Run(_), Some(all), true) = (&check.check, &self.files, is_folder()) else {
            return Some(());
        };
        let is_below = |path: &&RepoPath| {
            let rest = path.as_str().strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let below: Vec<&RepoPath> = all.iter().filter(is_below).take(MOST_FILES + 1).collect();
        if below.len() > MOST_FILES {
            return None;
        }
        below.into_iter().try_for_each(|path| take(text, root, path, room))
    }

    /// Whether more lies below a folder that the check names than can be looked at, so that nobody knows whether it is the
    /// same.
    fn names_too_much(&self, check: &NamedCheck) -> bool {
        let (mut text, mut room) = (String::new(), MOST_BYTES);
        named(check).iter().any(|path| self.take_below(&mut text, check, path, &mut room).is_none())
    }

    /// Whether what a result was made over is still there. Where that could not be digested, the commit and the commands
    /// of agents say so.
    pub(super) fn is_same(&self, result: &CheckResult) -> bool {
        match (&result.over, self.over(&result.check)) {
            (Some(then), Some(now)) => *then == now && self.only_kept(result.commit.as_deref()),
            _ if self.names_too_much(&result.check) => false,
            _ => result.commit == self.commit && self.last_command.is_none_or(|last| last <= result.at),
        }
    }

    /// Whether the commits since then hold nothing but what the intent owns, whose content is known to be the same, and what
    /// Bailiwick writes.
    fn only_kept(&self, then: Option<&str>) -> bool {
        let (Some(now), Some(scope)) = (&self.commit, &self.scope) else { return then.is_none() };
        if then == Some(now.as_str()) {
            return true;
        }
        let words = ["diff-tree", "-r", "--name-only", "-z", then.unwrap_or(NOTHING), now];
        let Ok(names) = Git::new(self.site.layout.root()).text(&words) else { return false };
        names
            .split('\0')
            .filter(|name| !name.is_empty())
            .all(|name| RepoPath::new(name).is_ok_and(|path| is_own(&path) || scope.matches(&path)))
    }

    /// Whether no work under the intent is there: nothing recorded, no command of an agent, and its files are those of the
    /// commit.
    pub(super) fn is_before_work(&self) -> bool {
        let Some(scope) = &self.scope else { return false };
        if self.last_work.is_some() || self.last_command.is_some() {
            return false;
        }
        let git = Git::new(self.site.layout.root());
        let looks: [&[&str]; 2] = [
            &["diff", "--name-only", "--no-renames", "-z", "HEAD"],
            &["ls-files", "--others", "--exclude-standard", "-z"],
        ];
        looks.iter().all(|words| {
            let Ok(names) = git.text(words) else { return false };
            names.split('\0').all(|name| !RepoPath::new(name).is_ok_and(|path| scope.matches(&path)))
        })
    }

    /// Whether something happened since another look, as far as a result of these checks depends on it.
    pub(super) fn differs(&self, before: &Self, checks: &[NamedCheck]) -> bool {
        let facts = |one: &Self| (one.commit.clone(), one.last_work, one.last_command);
        facts(self) != facts(before) || checks.iter().any(|check| self.over(check) != before.over(check))
    }
}

/// The paths that a check names.
fn named(check: &NamedCheck) -> Vec<RepoPath> {
    let words: Vec<&str> = match &check.check {
        Check::Run(command) => {
            command.split(|c: char| c.is_whitespace() || "'\"|&;<>()=".contains(c)).collect()
        }
        Check::File(path) => vec![path.as_str()],
        Check::Human => Vec::new(),
    };
    let path = |word: &str| RepoPath::new(word.strip_prefix("./").unwrap_or(word).trim_end_matches('/')).ok();
    words.into_iter().filter_map(path).collect()
}

fn vcs(site: &Site) -> Option<GitVcs> {
    site.git.as_ref().map(|place| GitVcs::new(place.git_dir.clone(), place.common_dir.clone()))
}

/// Whether Bailiwick writes this file, also because of a check: the files of lessons as well.
fn is_own(path: &RepoPath) -> bool {
    path.is_in_orchestration() || READ_BY_AGENTS.contains(&path.as_str())
}

/// The files that are there or tracked, without those that Bailiwick writes.
fn files(site: &Site, vcs: Option<&GitVcs>) -> Result<Option<BTreeSet<RepoPath>>, CommandError> {
    let listing = block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
    if !listing.is_complete {
        return Ok(None);
    }
    let tracked = vcs.map(GitVcs::tracked).unwrap_or_default();
    Ok(Some(listing.files.into_iter().chain(tracked).filter(|path| !is_own(path)).collect()))
}

/// Each file that the scope owns with its content.
fn owned_of(site: &Site, files: &BTreeSet<RepoPath>, scope: &ScopeMatcher) -> Option<String> {
    let files: Vec<&RepoPath> = files.iter().filter(|path| scope.matches(path)).collect();
    if files.len() > MOST_FILES {
        return None;
    }
    let (mut text, mut room) = (String::new(), MOST_BYTES);
    let is_whole = files.iter().all(|path| take(&mut text, site.layout.root(), path, &mut room).is_some());
    is_whole.then_some(text)
}

/// Adds a file with what is in it; nothing where it cannot be read or there is no room.
fn take(text: &mut String, root: &Path, path: &RepoPath, room: &mut u64) -> Option<()> {
    let file = root.join(path.as_str());
    let state = match std::fs::symlink_metadata(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return None,
        Err(_) => "absent".to_owned(),
        Ok(meta) if meta.is_symlink() => {
            format!(
                "link {}",
                ContentHash::of(std::fs::read_link(&file).ok()?.as_os_str().as_encoded_bytes())
            )
        }
        Ok(meta) if meta.is_file() => {
            *room = room.checked_sub(meta.len())?;
            ContentHash::of(&std::fs::read(&file).ok()?).to_string()
        }
        Ok(_) => "other".to_owned(),
    };
    writeln!(text, "{path:?} {state}").ok()
}

/// When something was last recorded under each of these intents in this clone.
fn last_work(
    site: &Site,
    intents: &BTreeSet<&IntentId>,
) -> Result<BTreeMap<IntentId, Timestamp>, CommandError> {
    let mut last = BTreeMap::new();
    let mut take = |stored: StoredEntry| {
        let intent = &stored.entry.context.intent;
        if intents.contains(intent) && !last.contains_key(intent) && is_work(&stored.entry) {
            last.insert(intent.clone(), stored.entry.timestamp);
        }
        if last.len() == intents.len() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let alone = intents.first().filter(|_| intents.len() == 1);
    let containing = alone.map(|intent| intent.to_string());
    let query = LedgerQuery { containing, without_records: true, ..LedgerQuery::default() };
    FsLedgerReader::new(&site.layout).visit(&query, &mut take)?;
    Ok(last)
}

/// When an agent last ran a command under each of these intents that does more than read.
fn last_command(
    site: &Site,
    intents: &BTreeSet<&IntentId>,
) -> Result<BTreeMap<IntentId, Timestamp>, CommandError> {
    let seen = RefCell::new(BTreeMap::new());
    let ran = |record: &DecisionRecord| {
        let Some(intent) = record.intent.as_ref().filter(|intent| intents.contains(intent)) else {
            return false;
        };
        let counts = record.command.is_some()
            && !record.actor.is_no_agent()
            && record.class != Some(Classification::Safe)
            && matches!(record.action, Action::Allow | Action::Approved | Action::Recorded | Action::Paused);
        counts && seen.try_borrow_mut().is_ok_and(|mut seen| seen.insert(intent.clone(), ()).is_none())
    };
    let found = FsDecisionLog::new(site.layout.clone()).read_recent(intents.len(), ran)?;
    Ok(found.into_iter().filter_map(|record| Some((record.intent?, record.at))).collect())
}
