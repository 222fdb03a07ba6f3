//! Judges one commit: the evidence that it has, and who answers for each run of lines.

mod marks;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use bailiwick_adapters_fs::intents_of;
use bailiwick_domain::{
    ContentHash, FileState, IntentId, IntentSet, LedgerQuery, LedgerReader, Origin, RepoPath, StoredEntry,
    Timestamp, TraceEntry, Value,
};
use bailiwick_policy::scope_match::ScopeMatcher;

use self::marks::Work;
use super::commits::Commit;
use super::history::{self, Hunk, Run, State, Whole};
use super::removed::Removed;
use super::uncommitted::Uncommitted;
use crate::command::git::{self, Git};
use crate::command::trace::sources::contents::Kept;
use crate::command::trace::sources::held::{Once, once};
use crate::command::trace::sources::source::{SourceFile, entries};
use crate::command::{CommandError, Context};
use crate::compose::same_tokens;
use crate::evidence::{Account, Contents as _, IndexedText, Written, of_lines, traced, way};
use crate::lessons::is_lesson;
use crate::site::Site;

/// A commit is to stay quick: no more staged files are looked at, and no more times an entry for a file.
const MOST_FILES: usize = 200;
const MOST_LOOKS: usize = 20_000;

/// The texts of the segments that the working copy has.
fn segments_of(site: &Site) -> Vec<String> {
    let folder = std::fs::read_dir(site.layout.root().join(git::SEGMENTS));
    let files = folder.into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect()
}

/// Who answers for a run of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command::trace) enum Label {
    Traced,
    Layout,
    OutOfScope,
    Human,
    Unexplained,
    Unknown,
}

impl Label {
    pub(super) const ALL: &[Self] =
        &[Self::Traced, Self::Layout, Self::Human, Self::OutOfScope, Self::Unexplained, Self::Unknown];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Traced => "traced",
            Self::Layout => "layout",
            Self::OutOfScope => "out_of_scope",
            Self::Human => "human",
            Self::Unexplained => "unexplained",
            Self::Unknown => "unknown",
        }
    }

    pub(super) fn fails(self) -> bool {
        matches!(self, Self::OutOfScope | Self::Unexplained)
    }
}

/// A run of lines with who answers for it.
#[derive(Debug)]
pub(in crate::command::trace) struct Judged {
    pub(super) path: String,
    pub(super) hunk: Hunk,
    /// What it is where it is no run, but the file as a whole.
    whole: Option<Whole>,
    pub(in crate::command::trace) label: Label,
    pub(super) intents: BTreeSet<IntentId>,
    /// How many of its lines are traced although it is not.
    pub(super) traced_lines: Option<(usize, usize)>,
}

impl Judged {
    pub(in crate::command::trace) fn place(&self) -> String {
        let Hunk { first, count } = self.hunk;
        if let Some(whole) = self.whole {
            return format!("{}{}", self.path, whole.said());
        }
        match count {
            0 => format!("{}:{first} (removed lines)", self.path),
            1 => format!("{}:{first}", self.path),
            _ => format!("{}:{first}-{}", self.path, first + count - 1),
        }
    }
}

/// A commit, judged.
#[derive(Debug)]
pub(in crate::command::trace) struct Judgement {
    pub(super) commit: Commit,
    pub(super) marks: Vec<String>,
    pub(super) has_evidence: bool,
    work: Work,
    pub(in crate::command::trace) runs: Vec<Judged>,
    /// Of what is staged: the entries that say what it was made for, and are newer than what the last commit has.
    pub(in crate::command::trace) made_by: Vec<TraceEntry>,
    /// How many of its files were not looked at.
    pub(in crate::command::trace) passed_over: usize,
}

impl Judgement {
    /// Whether it is an agent's commit with a run that nobody answers for.
    pub(super) fn fails(&self) -> bool {
        !self.marks.is_empty() && self.runs.iter().any(|run| run.label.fails())
    }

    pub(super) fn intents(&self) -> impl Iterator<Item = &str> {
        let all: BTreeSet<&str> =
            self.runs.iter().flat_map(|run| run.intents.iter().map(IntentId::as_str)).collect();
        all.into_iter()
    }
}

/// The entries that took lines out.
enum Took<'e> {
    /// All lines of a run that only go: they took them out, or replaced them.
    All(Vec<&'e StoredEntry>),
    /// At least one line, where the run as a whole is not theirs.
    Part(Vec<&'e StoredEntry>),
}

/// What every commit is judged with.
pub(super) struct Judge<'a> {
    git: &'a Git,
    authors: &'a [String],
    ledger: Box<dyn LedgerReader>,
    kept: Kept,
    /// The texts of segments, as commits have them.
    segments: RefCell<BTreeMap<ContentHash, Rc<str>>>,
}

/// What counts at one commit.
struct Evidence {
    segments: BTreeSet<ContentHash>,
    until: Timestamp,
    intents: IntentSet,
}

impl Evidence {
    /// Entries of segments that the commit has, and those that were made up to the commit: they may have been sealed with a
    /// later one, as for `git commit PATH`. `is_on_it` is told a revision, and says whether that is the commit or comes
    /// after it.
    fn has(&self, stored: &StoredEntry, is_on_it: impl Fn(&str) -> bool) -> bool {
        let is_sealed = matches!(&stored.origin, Origin::Segment(name) if self.segments.contains(name));
        is_sealed || stored.entry.timestamp <= self.until && !self.is_later(stored, is_on_it)
    }

    /// A commit names its second alone: what was written in that second may already stand on the commit.
    fn is_later(&self, stored: &StoredEntry, is_on_it: impl Fn(&str) -> bool) -> bool {
        let second = |at: Timestamp| at.unix_ms().div_euclid(1000);
        let is_within = second(stored.entry.timestamp) == second(self.until);
        is_within && stored.entry.vcs.commit().is_some_and(is_on_it)
    }
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        site: &Site,
        git: &'a Git,
        authors: &'a [String],
        ledger: Box<dyn LedgerReader>,
    ) -> Self {
        Self { git, authors, ledger, kept: Kept::of(site), segments: RefCell::default() }
    }

    pub(super) fn commit(&self, commit: Commit) -> Result<Judgement, CommandError> {
        let segments = self.git.segments_at(&commit.id)?;
        let intents = self.git.file_at(&commit.id, bailiwick_adapters_fs::Layout::INTENTS);
        let evidence = Evidence {
            segments,
            until: Timestamp::from_unix_ms(commit.at_s.saturating_mul(1000).saturating_add(999)),
            intents: intents.map(|bytes| intents_of(&bytes)).unwrap_or_default(),
        };
        let changed = history::changed(self.git, &commit)?;
        let mut judgement = Judgement {
            has_evidence: !evidence.segments.is_empty(),
            marks: Vec::new(),
            work: Work::default(),
            runs: Vec::new(),
            made_by: Vec::new(),
            passed_over: 0,
            commit: commit.clone(),
        };
        let lacks_parent = self.git.lacks_parent(&commit.id);
        for name in &changed {
            let Ok(path) = RepoPath::new(name) else { continue };
            if path.is_in_orchestration() {
                continue;
            }
            if lacks_parent {
                judgement.runs.push(whole(name, Label::Unknown));
                continue;
            }
            self.file(&path, &evidence, &mut judgement)?;
        }
        self.mark(&evidence, &changed, &mut judgement)?;
        Ok(judgement)
    }

    /// Whether an entry of this clone about one of these files is in no segment of its working copy, so that sealing brings
    /// it along.
    pub(super) fn has_unsealed(&self, site: &Site, files: &BTreeSet<&str>) -> Result<bool, CommandError> {
        if files.is_empty() {
            return Ok(false);
        }
        let sealed = segments_of(site);
        let mut is_found = false;
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        self.ledger.visit(&query, &mut |stored: StoredEntry| {
            let id = Value::from(stored.entry.id.as_str()).to_string();
            is_found = !matches!(stored.origin, Origin::Segment(_))
                && stored.entry.files.iter().any(|file| files.contains(file.path.as_str()))
                && !sealed.iter().any(|text| text.contains(&id));
            if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(is_found)
    }

    /// Whether the commit has the entry in one of its segments. The same entry may be sealed on several branches, and is
    /// read from one of them.
    fn is_in_segments(&self, commit: &Commit, at: &Evidence, stored: &StoredEntry) -> bool {
        let holds = |text: &str| text.contains(&Value::from(stored.entry.id.as_str()).to_string());
        matches!(stored.origin, Origin::Segment(_))
            && at.segments.iter().any(|name| self.segment(commit, name).is_some_and(|text| holds(&text)))
    }

    /// The text of a segment that a commit has.
    fn segment(&self, commit: &Commit, name: &ContentHash) -> Option<Rc<str>> {
        if let Some(known) = self.segments.borrow().get(name) {
            return Some(Rc::clone(known));
        }
        let place = format!("{}/{}.jsonl", git::SEGMENTS, name.digits());
        let bytes = self.git.file_at(&commit.id, &place)?;
        let text: Rc<str> = String::from_utf8_lossy(&bytes).into();
        self.segments.borrow_mut().insert(name.clone(), Rc::clone(&text));
        Some(text)
    }

    /// Whose removal it is that lines of the parent go in a run.
    fn took<'e>(&self, old: &[u8], run: &Run, removed: &mut Removed<'e>) -> Took<'e> {
        let lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
        let gone = run.gone.clone().and_then(|gone| Some((lines.get(gone.clone())?, gone)));
        let Some((lines, gone)) = gone else { return Took::Part(Vec::new()) };
        let all = || removed.take(lines).or_else(|| removed.replaced(old, gone, &self.kept));
        match (run.hunk.count == 0).then(all).flatten() {
            Some(by) => Took::All(by),
            None => Took::Part(removed.some(lines)),
        }
    }

    /// What the commit's first parent and the commit have at a path.
    fn states(&self, commit: &Commit, path: &RepoPath) -> [State; 2] {
        let before = match commit.parents.first() {
            Some(parent) => history::state(self.git, parent, path.as_str()),
            None => (FileState::Absent, None),
        };
        [before, history::state(self.git, &commit.id, path.as_str())]
    }

    fn file(&self, path: &RepoPath, at: &Evidence, judgement: &mut Judgement) -> Result<(), CommandError> {
        let commit = judgement.commit.clone();
        let states = self.states(&commit, path);
        let [before, after] = &states;
        let runs = history::runs(self.git, &commit, path)?;
        let as_a_whole = runs.is_none().then(|| Whole::of(before.1.as_deref(), after.1.as_deref()));
        let runs = runs.unwrap_or_else(|| vec![Run::at(Hunk::WHOLE)]);
        let mut source = SourceFile { path: path.clone(), text: after.1.clone().unwrap_or_default() };
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        let mut found = entries(self.ledger.as_ref(), &source, &IndexedText::new(&source.text), &query)?;
        let is_on_it = |revision: &str| !commit.is_staged() && self.kept.follows(revision, &commit.id);
        found.retain(|stored| at.has(stored, is_on_it) || self.is_in_segments(&commit, at, stored));
        judgement.has_evidence |= !found.is_empty();
        judgement.work.look_into(&found);
        let [(before, old), (after, new)] = match history::as_checked_out(path, &states, &found) {
            None => states,
            Some([before, after]) => {
                source.text = after.1.clone().unwrap_or_default();
                [before, after]
            }
        };
        let indexed = IndexedText::new(&source.text);
        let all: Vec<&StoredEntry> = found.iter().collect();
        let base = commit.parents.first().filter(|_| commit.is_staged());
        let unsaid = base.map(|base| Uncommitted { git: self.git, base, found: &found });
        if let Some(intents) = way(path, &before, &after, &all) {
            judgement.made_by.extend(unsaid.into_iter().flat_map(|unsaid| unsaid.of_way(path, &intents)));
            let by = of_way(path, &intents, &all);
            let label = label_of(path, &by, at);
            judgement.work.take(by);
            judgement.runs.extend(runs.into_iter().map(|run| Judged {
                hunk: run.hunk,
                whole: as_a_whole,
                intents: intents.clone(),
                ..whole(path.as_str(), label)
            }));
            return Ok(());
        }
        let nobody = nobody(path, old.as_deref(), new.as_deref());
        let is_text = !source.text.contains(&0);
        let written = is_text.then(|| traced(path, &source.text, &indexed, &found, &self.kept));
        let written = written.unwrap_or_default();
        let owners = owners(&written);
        let lines: Vec<&[u8]> = source.text.split(|byte| *byte == b'\n').collect();
        let is_blank = |line: usize| lines.get(line).is_some_and(|line| line.trim_ascii().is_empty());
        let mut explained = Vec::new();
        let mut removed = Removed::since(&before, path, &found);
        for changed in runs {
            let hunk = changed.hunk;
            let mut run = Judged { hunk, whole: as_a_whole, ..whole(path.as_str(), nobody) };
            let told = told(hunk, &lines, &written);
            told.iter().for_each(|(text, by)| judgement.work.take_line(text, by));
            match of_lines(hunk.lines(), &owners, is_blank) {
                Account::Traced(intents) => {
                    let by: Vec<&StoredEntry> = told.iter().map(|(_, by)| by.claim.stored).collect();
                    run.label = label_of(path, &by, at);
                    run.intents = intents;
                    explained.extend(told);
                }
                Account::Untraced { .. } if hunk.count == 0 && run.label == Label::Layout => {}
                Account::Untraced { traced, of } => {
                    match self.took(old.as_deref().unwrap_or_default(), &changed, &mut removed) {
                        Took::All(by) => {
                            run.intents =
                                by.iter().map(|stored| stored.entry.context.intent.clone()).collect();
                            run.label = label_of(path, &by, at);
                            judgement.work.take(by);
                        }
                        Took::Part(by) => {
                            run.traced_lines = (hunk.count > 0).then_some((traced, of));
                            judgement.work.take(by);
                        }
                    }
                }
            }
            judgement.runs.push(run);
        }
        judgement.made_by.extend(unsaid.into_iter().flat_map(|unsaid| unsaid.of_lines(&explained)));
        Ok(())
    }
}

/// Who answers for what nobody recorded, before anything says that the commit is an agent's.
fn nobody(path: &RepoPath, old: Option<&[u8]>, new: Option<&[u8]>) -> Label {
    let is_layout = old.zip(new).is_some_and(|(old, new)| old != new && same_tokens(path, old, new));
    if is_layout { Label::Layout } else { Label::Human }
}

/// The intent under which each line was written, where its writer is known.
fn owners(written: &[Option<Written<'_>>]) -> Vec<Option<IntentId>> {
    let intent = |by: &Written<'_>| by.claim.stored.entry.context.intent.clone();
    written.iter().map(|by| by.as_ref().map(intent)).collect()
}

/// The lines of a run whose writer is known, with it.
fn told<'t, 'w, 'e>(
    hunk: Hunk,
    lines: &[&'t [u8]],
    written: &'w [Option<Written<'e>>],
) -> Vec<(&'t [u8], &'w Written<'e>)> {
    let texts = lines.get(hunk.lines()).unwrap_or_default();
    let by = written.get(hunk.lines()).unwrap_or_default();
    texts.iter().zip(by).filter_map(|(text, by)| Some((*text, by.as_ref()?))).collect()
}

fn whole(path: &str, label: Label) -> Judged {
    Judged {
        path: path.to_owned(),
        hunk: Hunk::WHOLE,
        whole: Some(Whole::Unsaid),
        label,
        intents: BTreeSet::new(),
        traced_lines: None,
    }
}

/// What is staged, judged as the commit that it would be next; without a commit it is the first one. Each file is looked
/// for in all of the ledger, so the more that has the fewer are looked at, those that it names before others.
pub(in crate::command::trace) fn judged_staged(
    site: &Site,
    git: &Git,
    context: &Context,
) -> Result<Judgement, CommandError> {
    let base = match git.commit("HEAD") {
        Some((id, _)) => id,
        None => git.filtered(&["hash-object", "-t", "tree", "--stdin"], "")?.trim().to_owned(),
    };
    let commit = Commit::staged(&base);
    let intents = git.staged(bailiwick_adapters_fs::Layout::INTENTS);
    let evidence = Evidence {
        segments: git.staged_segments()?.into_iter().collect(),
        until: Timestamp::from_unix_ms(i64::MAX),
        intents: intents.map(|bytes| intents_of(&bytes)).unwrap_or_default(),
    };
    let Once { ledger, count, files: known } = once(site, context)?;
    let judge = Judge::new(site, git, &[], ledger);
    let names = history::changed(git, &commit)?;
    let paths: Vec<Option<RepoPath>> = names
        .iter()
        .map(|name| RepoPath::new(name).ok())
        .filter(|path| !path.as_ref().is_some_and(RepoPath::is_in_orchestration))
        .collect();
    let staged = paths.len();
    let paths: Vec<RepoPath> = paths.into_iter().flatten().collect();
    let (first, rest): (Vec<&RepoPath>, Vec<&RepoPath>) =
        paths.iter().partition(|path| known.contains(*path));
    let most = MOST_FILES.min(MOST_LOOKS.div_euclid(count.max(1)).max(1));
    let looked_at = if count == 0 { 0 } else { most };
    let passed_over = if count == 0 { 0 } else { staged.saturating_sub(paths.len().min(most)) };
    let mut judgement = Judgement {
        has_evidence: false,
        marks: Vec::new(),
        work: Work::default(),
        runs: Vec::new(),
        made_by: Vec::new(),
        passed_over,
        commit,
    };
    for path in first.into_iter().chain(rest).take(looked_at) {
        judge.file(path, &evidence, &mut judgement)?;
    }
    Ok(judgement)
}

/// The entries of a file under these intents, which led it to where the commit has it.
fn of_way<'e>(
    path: &RepoPath,
    intents: &BTreeSet<IntentId>,
    entries: &[&'e StoredEntry],
) -> Vec<&'e StoredEntry> {
    let is_of_way =
        |stored: &&StoredEntry| stored.entry.changes(path) && intents.contains(&stored.entry.context.intent);
    entries.iter().copied().filter(is_of_way).collect()
}

/// What becomes of lines that these entries answer for, where the commit has them.
fn label_of(path: &RepoPath, by: &[&StoredEntry], at: &Evidence) -> Label {
    if by.iter().all(|stored| is_in_scope(path, stored, at)) { Label::Traced } else { Label::OutOfScope }
}

/// Whether an entry's intent owns the path as the commit has it. Where the commit has the intent no more, or in another
/// revision, the gate's own look at the time counts, and so does a person's yes to a file beyond the scope; but the gate
/// looked at the files of the entry, and at no other. A lesson stands where agents read it, whatever the scope is.
fn is_in_scope(path: &RepoPath, stored: &StoredEntry, at: &Evidence) -> bool {
    let context = &stored.entry.context;
    let was_looked_at = stored.entry.changes(path);
    let Some(intent) = at.intents.get(&context.intent) else { return was_looked_at };
    let is_told =
        context.scope_override || context.revision != *intent.revision() || is_lesson(&stored.entry);
    (was_looked_at && is_told)
        || ScopeMatcher::new(intent.owned_scope()).is_ok_and(|scope| scope.matches(path))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ContentHash, IntentSet, Origin, StoredEntry, Timestamp, VcsRevision};

    use super::Evidence;

    /// An entry of this clone, made then and on that commit.
    fn entry(at_ms: i64, revision: &str) -> StoredEntry {
        let mut entry = sample::trace_entry("one", &sample::intent("INT-001", &["src/**"]));
        entry.timestamp = Timestamp::from_unix_ms(at_ms);
        entry.vcs = VcsRevision::Commit(revision.to_owned());
        StoredEntry {
            origin: Origin::Live,
            seq: 0,
            checksum: ContentHash::of(b""),
            entry,
            record: String::new(),
            is_from_here: true,
            trust: None,
        }
    }

    // D-43
    #[test]
    fn what_was_written_on_a_commit_within_its_second_is_no_evidence_for_it() {
        let at = Evidence {
            segments: <_>::default(),
            until: Timestamp::from_unix_ms(5_999),
            intents: IntentSet::default(),
        };
        let is_on_it = |revision: &str| revision == "this";
        for (at_ms, revision, is_evidence) in [
            (4_000, "parent", true),
            (5_700, "parent", true),
            (5_700, "this", false),
            (6_000, "parent", false),
        ] {
            assert_eq!(at.has(&entry(at_ms, revision), is_on_it), is_evidence, "{at_ms} {revision}");
        }
    }
}
