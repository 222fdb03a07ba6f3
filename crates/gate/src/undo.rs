//! Undo with evidence: back to what was there before a call, a session, or the calls of a grant.
//!
//! A plan is made first and shown to a person; carrying it out changes exactly the files of the plan, and only as they
//! were when it was made. Deliberately absent: terminals and wires, which show plans (`command`), and the writing
//! itself (the port `WorkspaceWriter`).

mod chain;
mod review;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bailiwick_domain::{
    Actor, ContentHash, FileState, GrantId, IntentId, LedgerQuery, LedgerReader, Location, Origin, PutBack,
    RepoPath, Restores, Revision, StoredEntry, Timestamp, TraceContext, TraceEntry, WorkspaceWriter, json,
};
use bailiwick_policy::protection::{Protection, of_change};

use crate::consent::grants::Grants;
use crate::recording::Recording;
use crate::recording::own_change::{LARGEST, OwnChange, OwnChangeError};
use crate::recording::post::Told;
use crate::{PostReport, closed};
pub use chain::{Chain, Open, chains, unrestored};
pub use review::{GrantChange, GrantChanges, ReviewError, Reviewed};

/// How a put-back is called in the ledger.
const TOOL: &str = "restore";

/// What shall be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What one call changed: the host's id of the call, or the id of its ledger entry or enough of its beginning.
    Call(String),
    /// What a session changed, sub-agents included: `HOST/SESSION`, or the session's id.
    Session(String),
}

/// One file of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// The path.
    pub path: RepoPath,
    /// What is there now.
    pub now: FileState,
    /// Its bytes.
    pub now_bytes: Option<Vec<u8>>,
    /// What will be there; `None` for no file.
    pub then: Option<Vec<u8>>,
    /// Whether the file changed while a call ran otherwise than the call announced: by somebody, or by a formatter.
    pub amended: bool,
    /// Whether it may be run, where it returns.
    executable: bool,
    authority: Authority,
    entries: Vec<String>,
}

/// Under what a change was made that is taken back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Authority {
    intent: IntentId,
    revision: Revision,
    requirements: Vec<String>,
    derived: bool,
}

impl Authority {
    fn of(context: &TraceContext) -> Self {
        Self {
            intent: context.intent.clone(),
            revision: context.revision.clone(),
            requirements: context.requirements.clone(),
            derived: context.derived,
        }
    }
}

/// A file that cannot be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The path.
    pub path: RepoPath,
    /// Why, in one sentence without a final period.
    pub why: String,
}

/// What putting back would do. With an obstacle nothing is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestorePlan {
    /// The files that will change.
    pub files: Vec<PlannedFile>,
    /// The files that cannot be put back.
    pub obstacles: Vec<Obstacle>,
    /// Files that are as they were before already.
    pub already: Vec<RepoPath>,
    /// How many more entries fit that changed files of other working copies.
    pub elsewhere: usize,
    grant: Option<GrantId>,
}

impl RestorePlan {
    /// The ledger entries that are taken back, at least in part, newest first.
    pub fn entries(&self) -> Vec<&str> {
        entries_of(&self.files)
    }

    /// The same for these files alone.
    fn only(&self, paths: &[RepoPath]) -> Self {
        let keep = |path: &RepoPath| paths.contains(path);
        Self {
            files: self.files.iter().filter(|file| keep(&file.path)).cloned().collect(),
            obstacles: self.obstacles.iter().filter(|obstacle| keep(&obstacle.path)).cloned().collect(),
            already: self.already.iter().filter(|path| keep(path)).cloned().collect(),
            ..*self
        }
    }

    /// One change for each authority that the changes were made under, as this person's own.
    fn taking_back(&self, by: &str) -> Vec<OwnChange> {
        let mut groups: BTreeMap<&Authority, Vec<&PlannedFile>> = BTreeMap::new();
        for file in &self.files {
            groups.entry(&file.authority).or_default().push(file);
        }
        let change = |(authority, files): (&Authority, Vec<&PlannedFile>)| {
            let entries = entries_of(files.iter().copied()).into_iter().map(str::to_owned).collect();
            let restores = Restores { entries, grant: self.grant };
            OwnChange {
                tool: TOOL,
                params: json!(restores),
                actor: Actor::root(Actor::HUMAN, by),
                by: Some(by.to_owned()),
                intent: authority.intent.clone(),
                revision: authority.revision.clone(),
                requirements: authority.requirements.clone(),
                derived: authority.derived,
                restores: Some(restores),
                files: files.into_iter().map(PlannedFile::order).collect(),
            }
        };
        groups.into_iter().map(change).collect()
    }
}

/// The ledger entries that these files are taken back from, each once.
fn entries_of<'a>(files: impl IntoIterator<Item = &'a PlannedFile>) -> Vec<&'a str> {
    let mut ids: Vec<&str> = Vec::new();
    for id in files.into_iter().flat_map(|file| &file.entries) {
        if !ids.contains(&id.as_str()) {
            ids.push(id);
        }
    }
    ids
}

impl PlannedFile {
    fn order(&self) -> PutBack {
        PutBack {
            path: self.path.clone(),
            expected: self.now.clone(),
            content: self.then.clone(),
            executable: self.executable,
            origin: None,
        }
    }
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Nothing in this clone's ledger fits.
    #[error("the ledger of this clone has no change of {0}; `bailiwick trace log` shows what it has")]
    Unknown(String),
    /// It was recorded in another working copy.
    #[error("{0} changed files of another working copy of this repository; run this there")]
    InAnotherPlace(String),
    /// Several calls fit.
    #[error("several entries fit `{0}`; name one of them: {1}")]
    Several(String, String),
    /// It was let through, and what became of it is not recorded.
    #[error(
        "the outcome of `{0}` is not recorded yet; `bailiwick trace repair` settles calls without a recorded end"
    )]
    Open(String),
    /// No grant of that number.
    #[error("there is no {0}")]
    NoGrant(GrantId),
    /// The grant still covers calls.
    #[error("{0} is live; it is reviewed when the turn is over, or after `bailiwick approval revoke {n}`", n = .0.number())]
    Live(GrantId),
    /// It was reviewed before.
    #[error("{0} was already reviewed")]
    Reviewed(GrantId),
    /// It was given in another working copy.
    #[error("{0} was given in {1}; review it there")]
    Elsewhere(GrantId, String),
    /// A file that was named is none that would change.
    #[error("`{0}` is not one of its files")]
    NotAmong(String),
    /// A store failed.
    #[error(transparent)]
    Port(#[from] bailiwick_domain::PortError),
}

part! {
    /// Puts files back.
    pub(crate) struct Undo {
        from rules: policy;
        from tree: workspace, lock;
        from records: pendings;
        from chance: clock;
        with recording: Recording, grants: Grants;
        keeps worktree: Option<&'g str>;
    }
}

/// Makes and carries out plans over one gate.
#[derive(Debug)]
pub struct Restorer<'a> {
    pub(crate) undo: Undo<'a>,
    /// The ledger, read back.
    pub(crate) reader: Box<dyn LedgerReader + 'a>,
    /// The only writer of governed files.
    pub(crate) writer: Box<dyn WorkspaceWriter + 'a>,
}

impl Restorer<'_> {
    /// What taking that back would do; with `only` for these files alone.
    ///
    /// # Errors
    /// Nothing fits, or too much does, or a store fails.
    pub async fn plan(&self, wanted: &Wanted, only: &[RepoPath]) -> Result<RestorePlan, PlanError> {
        let entries = self.entries(|stored| is_exactly(stored, wanted))?;
        let meant = self.meant(wanted, &entries).await;
        let elsewhere = match (&meant, wanted) {
            (Ok(_), Wanted::Call(_)) => 0,
            _ => self.elsewhere(wanted)?,
        };
        let meant = match meant {
            Err(PlanError::Unknown(what)) if elsewhere > 0 => return Err(PlanError::InAnotherPlace(what)),
            meant => meant?,
        };
        let open = unrestored(&entries);
        let is_open = |entry: &str, path: &RepoPath| open.contains(&(entry.to_owned(), path.clone()));
        let wanted_files = with_moves(only, &meant);
        let mut plan = RestorePlan { elsewhere, ..RestorePlan::default() };
        for chain in chains(&meant, is_open) {
            if only.is_empty() || wanted_files.contains(&chain.path) {
                self.add(&mut plan, &chain, &entries, &open).await?;
            }
        }
        let known = |path: &&RepoPath| meant.iter().any(|stored| stored.entry.changes(path));
        match only.iter().find(|path| !known(path)) {
            Some(path) => Err(PlanError::NotAmong(path.to_string())),
            None => Ok(plan),
        }
    }

    /// Does what a plan says, all of it or nothing, and records it as that person's change.
    ///
    /// # Errors
    /// A file is not what was expected any more, or the evidence cannot be written: nothing was changed, unless the
    /// error says otherwise. What cannot be recorded afterwards stays pending.
    pub async fn restore(&self, plan: &RestorePlan, by: &str) -> Result<Vec<PostReport>, OwnChangeError> {
        if plan.files.is_empty() || !plan.obstacles.is_empty() {
            return Ok(Vec::new());
        }
        let _held = self.undo.lock.acquire().await.map_err(closed)?;
        self.undo.recording.make(&plan.taking_back(by), &*self.writer).await
    }

    /// Finds out what became of put-backs whose process was killed.
    ///
    /// # Errors
    /// As for [`crate::Gate::settle`].
    pub async fn settle(&self) -> Result<(), OwnChangeError> {
        let _held = self.undo.lock.acquire().await.map_err(closed)?;
        let all = self.undo.pendings.all().await.map_err(closed)?;
        for pending in all.iter().filter(|pending| pending.restores.is_some()) {
            for file in &pending.files {
                let known: Vec<FileState> =
                    file.predicted.iter().cloned().chain([file.before.clone()]).collect();
                // What is not known stays where it is, and the next put-back of that file names it.
                drop(self.writer.clear_up(&file.path, &known).await);
            }
            self.undo.recording.settle_one(pending, Told::Nothing).await?;
        }
        Ok(())
    }

    /// The entries of this working copy's own chain, newest first, up to one that nothing older can say more about.
    fn entries(&self, is_last: impl Fn(&StoredEntry) -> bool + Sync) -> Result<Vec<StoredEntry>, PlanError> {
        let mut entries = Vec::new();
        let mut take = |stored: StoredEntry| {
            let own = !matches!(stored.origin, Origin::Segment(_));
            if !own || !stored.is_from_here {
                return ControlFlow::Continue(());
            }
            let is_last = is_last(&stored);
            entries.push(stored);
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        self.reader.visit(&query, &mut take)?;
        Ok(entries)
    }

    /// How many entries fit that were written from other working copies.
    fn elsewhere(&self, wanted: &Wanted) -> Result<usize, PlanError> {
        let mut count = 0;
        let mut take = |stored: StoredEntry| {
            let is_own = !matches!(stored.origin, Origin::Segment(_));
            count += usize::from(is_own && !stored.is_from_here && fits(&stored, wanted));
            ControlFlow::Continue(())
        };
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        self.reader.visit(&query, &mut take)?;
        Ok(count)
    }

    async fn meant<'e>(
        &self,
        wanted: &Wanted,
        entries: &'e [StoredEntry],
    ) -> Result<Vec<&'e StoredEntry>, PlanError> {
        let meant: Vec<&StoredEntry> = entries.iter().filter(|stored| fits(stored, wanted)).collect();
        if let Wanted::Call(id) = wanted {
            if meant.len() > 1 {
                let ids: Vec<&str> = meant.iter().map(|stored| stored.entry.id.as_str()).collect();
                return Err(PlanError::Several(id.clone(), ids.join(", ")));
            }
            let pendings = self.undo.pendings.all().await?;
            if meant.is_empty() && pendings.iter().any(|pending| pending.call.0 == *id) {
                return Err(PlanError::Open(id.clone()));
            }
        }
        match wanted {
            Wanted::Call(id) if meant.is_empty() => Err(PlanError::Unknown(format!("the call `{id}`"))),
            Wanted::Session(name) if meant.is_empty() => {
                Err(PlanError::Unknown(format!("the session `{name}`")))
            }
            _ => Ok(meant),
        }
    }

    /// Adds one file to a plan: what it will be, or why it cannot be that.
    async fn add(
        &self,
        plan: &mut RestorePlan,
        chain: &Chain<'_>,
        entries: &[StoredEntry],
        open: &Open,
    ) -> Result<(), PlanError> {
        let now = self.undo.workspace.state(&chain.path).await?;
        if now == chain.before {
            plan.already.push(chain.path.clone());
            return Ok(());
        }
        if let Some(gap) = &chain.gap {
            let why = format!("it was changed otherwise between the calls, before {gap}");
            plan.obstacles.push(Obstacle { path: chain.path.clone(), why });
            return Ok(());
        }
        if now != chain.after {
            let why = changed_since(chain, entries, open);
            plan.obstacles.push(Obstacle { path: chain.path.clone(), why });
            return Ok(());
        }
        let file = self.planned(&chain.path, now, &chain.before).await?;
        match file {
            Ok((now_bytes, then)) => plan.files.push(PlannedFile {
                path: chain.path.clone(),
                now: chain.after.clone(),
                now_bytes,
                then,
                amended: chain.entries.iter().any(|stored| stored.entry.context.amended),
                executable: self.was_executable(chain).await?,
                authority: chain.authority(),
                entries: chain.entries.iter().map(|stored| stored.entry.id.clone()).collect(),
            }),
            Err(why) => plan.obstacles.push(Obstacle { path: chain.path.clone(), why }),
        }
        Ok(())
    }

    /// Whether the file could be run when it was first taken away; until then every change kept that.
    async fn was_executable(&self, chain: &Chain<'_>) -> Result<bool, PlanError> {
        let files = chain.entries.iter().flat_map(|stored| &stored.entry.files);
        let mut gone = files.filter(|file| file.path == chain.path && file.after == FileState::Absent);
        match gone.next_back().map(|file| &file.before) {
            Some(FileState::Content(hash)) => Ok(self.undo.pendings.was_executable(hash).await?),
            _ => Ok(false),
        }
    }

    /// The bytes that are there and those that shall be; else why not.
    async fn planned(
        &self,
        path: &RepoPath,
        now: FileState,
        before: &FileState,
    ) -> Result<Result<(Option<Vec<u8>>, Option<Vec<u8>>), String>, PlanError> {
        let settings = self.undo.policy.settings().await?;
        match self.undo.workspace.locate(path.as_str(), None).await {
            Location::Inside(found) if found.path == *path => {
                if let Protection::Protected(pattern) = of_change(&found, &settings) {
                    return Ok(Err(format!("it is protected ({pattern})")));
                }
            }
            _ => return Ok(Err("its path leads elsewhere now".to_owned())),
        }
        let now_bytes = match &now {
            FileState::Content(_) => match self.undo.workspace.read(path, LARGEST).await {
                Ok(bytes) => bytes,
                Err(error) => return Ok(Err(error.to_string())),
            },
            FileState::Absent => None,
            FileState::Other => return Ok(Err("it is no longer a file".to_owned())),
        };
        let then = match before {
            FileState::Absent => None,
            FileState::Other => return Ok(Err("it was not a file before".to_owned())),
            FileState::Content(hash) => match self.undo.pendings.kept(hash).await {
                Ok(Some(bytes)) => Some(bytes),
                Ok(None) => return Ok(Err(not_kept(hash, self.undo.pendings.collected_before().await?))),
                Err(error) => return Ok(Err(error.to_string())),
            },
        };
        Ok(Ok((now_bytes, then)))
    }
}

fn not_kept(hash: &ContentHash, collected: Option<Timestamp>) -> String {
    let collected =
        collected.map(|before| format!("; `bailiwick gc` collected what was older than {before}"));
    let collected = collected.unwrap_or_default();
    format!("its earlier content ({hash}) is no longer kept, or was too large to keep{collected}")
}

/// Whether it is the one entry that is meant, by its whole id: no other has it, and what was done since came before.
fn is_exactly(stored: &StoredEntry, wanted: &Wanted) -> bool {
    matches!(wanted, Wanted::Call(id) if stored.entry.id == *id)
}

fn fits(stored: &StoredEntry, wanted: &Wanted) -> bool {
    /// Fewer digits of an entry's id could be a call's id by chance.
    const FEWEST: usize = 4;
    let (entry, context) = (&stored.entry, &stored.entry.context);
    match wanted {
        Wanted::Call(id) => context.call.0 == *id || (id.len() >= FEWEST && entry.id.starts_with(id)),
        Wanted::Session(name) => {
            let session = context.actor.parent();
            context.restores.is_none() && (session.session == *name || session.to_string() == *name)
        }
    }
}

/// These files, and those that a call moved there or moved from there: half of a move would lose the content.
fn with_moves(only: &[RepoPath], meant: &[&StoredEntry]) -> Vec<RepoPath> {
    let mut paths = only.to_vec();
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        at += 1;
        let files = meant.iter().flat_map(|stored| &stored.entry.files).filter(|file| file.path == path);
        for other in files.flat_map(|file| [&file.moved_from, &file.moved_to]).flatten() {
            if !paths.contains(other) {
                paths.push(other.clone());
            }
        }
    }
    paths
}

/// Who changed a file after the changes that shall be taken back, as far as the ledger knows; what was taken back since
/// changed nothing.
fn changed_since(chain: &Chain<'_>, entries: &[StoredEntry], open: &Open) -> String {
    let later: Vec<&TraceEntry> = entries
        .iter()
        .map(|stored| &stored.entry)
        .take_while(|entry| chain.newest.entry.id != entry.id)
        .filter(|entry| entry.changes(&chain.path))
        .collect();
    let came_later = |id: &String| later.iter().any(|entry| entry.id == *id);
    let undoes_later = |entry: &TraceEntry| {
        entry.context.restores.as_ref().is_some_and(|restores| restores.entries.iter().all(came_later))
    };
    let counts =
        |entry: &&&TraceEntry| open.contains(&(entry.id.clone(), chain.path.clone())) && !undoes_later(entry);
    match later.iter().rfind(counts) {
        Some(entry) => format!("{} changed it later, in entry {}", entry.context.actor, entry.id),
        None => "it changed since, and no call explains it".to_owned(),
    }
}
