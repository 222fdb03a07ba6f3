//! What changed in the governed files without any record: gathers what is known, looks at the files, and says which of
//! them nothing explains. A person asks for it, or `status` within a bounded time; never a hook.
//!
//! Deliberately absent: naming anybody. Evidence says what the gate saw, and this is what it did not see.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{
    FsDecisionLog, FsIntentRepo, FsLedgerReader, FsPendingStore, FsScopeMeter, FsWorkspace, SystemClock,
};
use bailiwick_adapters_git::GitVcs;
use bailiwick_domain::{
    Clock, FileState, Intent, IntentId, IntentRepo, LedgerQuery, LedgerReader, LineHash, PendingStore,
    RepoPath, ScopeMeter, StoredEntry, Value, Vcs, Workspace, json,
};
use bailiwick_policy::scope_match::ScopeMatcher;
use pollster::block_on;

use crate::command::git::Git;
use crate::command::output::reading;
use crate::command::output::terminal::{DIM, GOOD, WARN};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::evidence::{
    Explanation, IndexedText, Knowledge, LastEntry, Versioned, unexplained_lines, written,
};
use crate::inert;
use crate::site::Site;

/// A larger file is known by its hash alone, in bytes.
const LARGEST: u64 = 16 << 20;

/// A file that nothing explains.
#[derive(Debug)]
pub(in crate::command) struct Drifted {
    path: RepoPath,
    change: &'static str,
    /// The newest entry that knows the file; what came after it is what nobody recorded.
    last: Option<LastEntry>,
    /// The lines that are neither recorded nor were there before; `None` where that cannot be told.
    lines: Option<Vec<(usize, usize)>>,
}

impl Drifted {
    /// The file.
    pub(in crate::command) fn path(&self) -> &RepoPath {
        &self.path
    }

    /// What happened to it.
    pub(in crate::command) fn change(&self) -> &'static str {
        self.change
    }

    /// The intent of the newest entry that knows it.
    pub(in crate::command) fn last_intent(&self) -> Option<&IntentId> {
        self.last.as_ref().map(|last| &last.intent)
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(in crate::command) struct Drift {
    pub(in crate::command) files: Vec<Drifted>,
    /// Whether every governed file was looked at.
    pub(in crate::command) is_complete: bool,
    /// Files of calls whose outcome is not known yet.
    open: BTreeSet<RepoPath>,
}

/// Everything that is looked at.
struct Look {
    knowledge: Knowledge,
    reader: FsLedgerReader,
    workspace: FsWorkspace,
    pendings: FsPendingStore,
    vcs: Option<GitVcs>,
    git: Option<Git>,
}

/// Finds it. With a time, what is not looked at by then is left out, and lines are not told.
pub(in crate::command) fn find(site: &Site, within: Option<Duration>) -> Result<Drift, CommandError> {
    let deadline = within.map(|time| Instant::now() + time);
    let is_late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let (look, all_known) = Look::open(site, &is_late)?;
    let known: Vec<RepoPath> = look.knowledge.paths().cloned().collect();
    // What was not read of the ledger may explain a file that only a scope names.
    let (owned, all_listed) = if all_known { look.owned(site)? } else { (BTreeSet::new(), false) };
    let mut drift = Drift { is_complete: all_known && all_listed, ..Drift::default() };
    let mut suspects = Vec::new();
    for path in known.iter().chain(owned.iter().filter(|path| look.knowledge.last(path).is_none())) {
        if is_late() {
            drift.is_complete = false;
            break;
        }
        let now = look.state(path)?;
        match look.knowledge.explain(path, &now, || look.versioned(path, &now)) {
            Some(Explanation::Open) => drop(drift.open.insert(path.clone())),
            None if now != FileState::Other || look.workspace.link(path).is_some() => {
                suspects.push((path.clone(), now));
            }
            _ => {}
        }
    }
    let tracked = look.tracked(&suspects);
    let moved_away = look.moved_away(&suspects, &tracked);
    suspects.retain(|(path, _)| !moved_away.contains(path));
    suspects.dedup();
    let drifted = |(path, now): &(RepoPath, FileState)| look.drifted(path, now, &tracked, deadline.is_none());
    drift.files = suspects.iter().map(drifted).collect();
    drift.files.sort_by(|one, other| one.path.cmp(&other.path));
    drift.files.dedup_by(|one, other| one.path == other.path);
    Ok(drift)
}

impl Look {
    /// Gathers what is known, and says whether that is everything.
    fn open(site: &Site, is_late: &(dyn Fn() -> bool + Sync)) -> Result<(Self, bool), CommandError> {
        let layout = &site.layout;
        let (mut knowledge, mut is_whole) = (Knowledge::default(), true);
        let reader = FsLedgerReader::new(layout);
        let mut take = |stored: StoredEntry| {
            knowledge.take_entry(&stored);
            is_whole = !is_late();
            if is_whole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        reader.visit(&LedgerQuery { without_records: true, ..LedgerQuery::default() }, &mut take)?;
        for record in FsDecisionLog::new(layout.clone()).explained()? {
            knowledge.take_decision(&record);
        }
        let pendings = FsPendingStore::new(layout.clone());
        for pending in block_on(pendings.all())? {
            knowledge.take_pending(&pending);
        }
        let place = site.git.as_ref();
        let look = Self {
            knowledge,
            reader,
            workspace: FsWorkspace::new(layout.clone()),
            pendings,
            vcs: place.map(|place| GitVcs::new(place.git_dir.clone(), place.common_dir.clone())),
            git: place.map(|_| Git::new(layout.root())),
        };
        Ok((look, is_whole))
    }

    /// The files that a live intent owns, there or tracked, and whether that is all of them. Without version control there
    /// is nothing that a file could be compared with which no entry knows.
    fn owned(&self, site: &Site) -> Result<(BTreeSet<RepoPath>, bool), CommandError> {
        let Some(vcs) = &self.vcs else { return Ok((BTreeSet::new(), true)) };
        let intents = block_on(FsIntentRepo::new(site.layout.clone()).load())?;
        let live = intents.selectable().map(Intent::owned_scope);
        let scopes: Vec<ScopeMatcher> = live.filter_map(|scope| ScopeMatcher::new(scope).ok()).collect();
        let listing = block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
        let is_owned =
            |path: &RepoPath| !path.is_in_orchestration() && scopes.iter().any(|scope| scope.matches(path));
        let files = listing.files.into_iter().chain(vcs.tracked());
        Ok((files.filter(is_owned).collect(), listing.is_complete))
    }

    /// What stands at a path. A folder or a pipe in the place of a file that the ledger knows: the file is gone. A folder
    /// that leads out of the working copy is a link in the place of each file in it.
    fn state(&self, path: &RepoPath) -> Result<FileState, CommandError> {
        let has_link = || self.workspace.link(path).is_some();
        match block_on(self.workspace.state(path)) {
            Err(_) if has_link() => Ok(FileState::Other),
            Ok(FileState::Other) if self.knowledge.last(path).is_some() && !has_link() => {
                Ok(FileState::Absent)
            }
            other => Ok(other?),
        }
    }

    /// Whether version control keeps what is there: of a link, what it says.
    fn versioned(&self, path: &RepoPath, now: &FileState) -> Versioned {
        let Some(vcs) = &self.vcs else { return Versioned::default() };
        let bytes = match now {
            FileState::Absent => None,
            FileState::Other => self.workspace.link(path),
            FileState::Content(hash) => {
                let bytes = block_on(self.workspace.read(path, LARGEST)).ok().flatten();
                bytes.filter(|bytes| hash.is_of(bytes))
            }
        };
        Versioned { keeps: bytes.is_some_and(|bytes| block_on(vcs.has_content(&bytes))) }
    }

    /// The files that version control tracks.
    fn tracked(&self, suspects: &[(RepoPath, FileState)]) -> BTreeSet<RepoPath> {
        let Some(vcs) = &self.vcs else { return BTreeSet::new() };
        let paths: BTreeSet<&str> = suspects.iter().map(|(path, _)| path.as_str()).collect();
        let found = vcs.tracked_of(&paths);
        suspects.iter().map(|(path, _)| path).filter(|path| found.contains(path.as_str())).cloned().collect()
    }

    /// Of the files that are gone, those that version control knew on some ref and tracks no more: a switch, a stash, a
    /// merge took them along. Git is asked once, and what it cannot be asked about stays unexplained.
    fn moved_away(
        &self,
        suspects: &[(RepoPath, FileState)],
        tracked: &BTreeSet<RepoPath>,
    ) -> BTreeSet<RepoPath> {
        let Some(git) = &self.git else { return BTreeSet::new() };
        let gone = suspects.iter().filter(|(_, now)| *now == FileState::Absent).map(|(path, _)| path);
        let untracked: BTreeSet<&str> =
            gone.filter(|path| !tracked.contains(*path)).map(RepoPath::as_str).collect();
        let known =
            if untracked.is_empty() { BTreeSet::new() } else { git.ever_had(&untracked).unwrap_or_default() };
        known.iter().filter_map(|path| RepoPath::new(path).ok()).collect()
    }

    fn drifted(
        &self,
        path: &RepoPath,
        now: &FileState,
        tracked: &BTreeSet<RepoPath>,
        with_lines: bool,
    ) -> Drifted {
        let last = self.knowledge.last(path).cloned();
        let was_there = match &last {
            Some(last) => last.after != FileState::Absent,
            None => tracked.contains(path),
        };
        let change = match (was_there, now) {
            (_, FileState::Absent) => "deleted",
            (false, _) => "created",
            (true, FileState::Other) => "replaced by a link",
            (true, _) => "modified",
        };
        let lines = if with_lines { self.lines(path, now, last.as_ref()) } else { None };
        Drifted { path: path.clone(), change, last, lines }
    }

    /// The lines that neither stood there before the newest entry nor were written by any; before the first entry, those
    /// that are not as git has them staged.
    fn lines(
        &self,
        path: &RepoPath,
        now: &FileState,
        last: Option<&LastEntry>,
    ) -> Option<Vec<(usize, usize)>> {
        let FileState::Content(_) = now else { return None };
        let text = block_on(self.workspace.read(path, LARGEST)).ok().flatten()?;
        let base = match last.map(|last| &last.before) {
            Some(FileState::Content(hash)) => block_on(self.pendings.kept(hash)).ok().flatten()?,
            Some(FileState::Absent) => Vec::new(),
            Some(FileState::Other) => return None,
            None => self.git.as_ref()?.staged(path.as_str()).unwrap_or_default(),
        };
        if [&text, &base].iter().any(|bytes| bytes.contains(&0)) {
            return None;
        }
        let indexed = IndexedText::new(&text);
        let entries = self.entries_of(path, &indexed)?;
        let recorded = written(path, &indexed, &entries);
        let own = entries.iter().flat_map(|stored| &stored.entry.files).filter(|file| file.path == *path);
        let own = own.flat_map(|file| &file.ranges).flat_map(|range| range.landmarks.lines.as_slice());
        let lines: BTreeSet<LineHash> = own.copied().collect();
        // A block that was cut in two is too small to be found again; its lines are still known one by one.
        let is_known =
            |line: usize| indexed.line(line).is_some_and(|text| lines.contains(&LineHash::of(text)));
        Some(unexplained_lines(&base, &text, |line| {
            recorded.get(line).is_some_and(Option::is_some) || is_known(line)
        }))
    }

    /// The entries that may have written a line of a file, read again for it: all of them at once may be more than fits.
    fn entries_of(&self, path: &RepoPath, text: &IndexedText<'_>) -> Option<Vec<StoredEntry>> {
        let mut entries = Vec::new();
        let mut take = |stored: StoredEntry| {
            entries.push(stored);
            ControlFlow::Continue(())
        };
        let touching = Some(text.touching(BTreeSet::from([path.clone()])));
        let query = LedgerQuery { touching, without_records: true, ..LedgerQuery::default() };
        self.reader.visit(&query, &mut take).ok()?;
        Some(entries)
    }
}

impl Drift {
    pub(super) fn as_json(&self) -> Value {
        let file = |drifted: &Drifted| {
            let last = drifted.last.as_ref();
            json!({
                "path": drifted.path,
                "change": drifted.change,
                "last_known": last.map(|last| json!({"entry": last.id, "intent": last.intent, "at": last.at})),
                "lines": drifted.lines,
            })
        };
        json!({
            "complete": self.is_complete,
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
            "open": self.open,
        })
    }

    pub(super) fn say(&self, context: &Context) {
        let terminal = &context.terminal;
        for file in &self.files {
            terminal.say(format_args!("{WARN}drift{WARN:#} {}", inert::line(&said(file))));
        }
        if !self.open.is_empty() {
            let open = self.open.len();
            terminal.say(format_args!(
                "{DIM}{}{DIM:#}",
                counted(
                    open,
                    "file is judged when its call is over",
                    "files are judged when their calls are over"
                )
            ));
        }
        match self.files.len() {
            0 => terminal.styled(GOOD, format_args!("no drift{}", self.cut())),
            count => terminal.say(format_args!("{}{}", in_words(count), self.cut())),
        }
    }

    fn cut(&self) -> &'static str {
        if self.is_complete { "" } else { "; not every governed file was looked at" }
    }
}

/// So many files, as a sentence.
pub(in crate::command) fn in_words(count: usize) -> String {
    counted(count, "file changed without a record", "files changed without a record")
}

fn said(file: &Drifted) -> String {
    let runs = file.lines.as_deref().unwrap_or_default().iter();
    let runs: Vec<String> = runs
        .map(|(start, end)| if start == end { end.to_string() } else { format!("{start}-{end}") })
        .collect();
    let noun =
        if matches!(file.lines.as_deref(), Some([(start, end)]) if start == end) { "line" } else { "lines" };
    let place = if runs.is_empty() { String::new() } else { format!(", {noun} {}", runs.join(",")) };
    let since = match &file.last {
        Some(last) => {
            let id = last.id.get(..8).unwrap_or(&last.id);
            format!(
                "last known from entry {id} ({}, {})",
                last.intent,
                reading::local(last.at, SystemClock.now())
            )
        }
        None => "known to no entry, and not as version control keeps it".to_owned(),
    };
    format!("{}: {}{place}; {since}", file.path, file.change)
}
