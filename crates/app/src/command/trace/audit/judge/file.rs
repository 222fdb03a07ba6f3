//! One file of a commit: the entries that may tell of it, and who answers for its mode and each of its runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bailiwick_domain::{FileState, IntentId, LedgerQuery, RepoPath, StoredEntry};
use bailiwick_policy::scope_match::ScopeMatcher;

use super::super::commits::Commit;
use super::super::history::{self, Hunk, Kind, Run, State, Touched, Whole};
use super::super::removed::Removed;
use super::super::uncommitted::Uncommitted;
use super::{Evidence, Judge, Judged, Judgement, Label, whole};
use crate::command::CommandError;
use crate::command::trace::sources::source::{SourceFile, entries};
use crate::compose::same_tokens;
use crate::evidence::{
    Account, Contents as _, IndexedText, Written, moved_here, of_lines, parts, traced, way,
};
use crate::lessons::is_lesson;

const FILTERED: &str = "git keeps this file through a filter";

/// A file of a commit, with the entries that may tell of it, the newest first.
struct InCommit<'f> {
    path: &'f RepoPath,
    commit: &'f Commit,
    at: &'f Evidence,
    states: [State; 2],
    runs: Vec<Run>,
    /// What it is where it is no run.
    as_a_whole: Option<Whole>,
    found: &'f [StoredEntry],
    is_filtered: bool,
    /// The files that go in the commit, and whose whole content comes here.
    from: Vec<RepoPath>,
}

/// The entries that took lines out.
enum Took<'e> {
    /// All lines of a run that only go: they took them out, or replaced them.
    All(Vec<&'e StoredEntry>),
    /// At least one line, where the run as a whole is not theirs.
    Part(Vec<&'e StoredEntry>),
}

impl InCommit<'_> {
    /// Of what is staged: what tells the entries that no commit has.
    fn unsaid<'f>(&'f self, judge: &Judge<'f>) -> Option<Uncommitted<'f>> {
        let base = self.commit.parents.first().filter(|_| self.commit.is_staged())?;
        Some(Uncommitted { git: judge.git, base, found: self.found })
    }

    /// What lines of these entries are where the file as a whole came from.
    fn labels_before(&self, by: &[&StoredEntry]) -> BTreeMap<String, Label> {
        self.from.iter().map(|from| (from.as_str().to_owned(), label_of(from, by, self.at))).collect()
    }

    fn run(&self, hunk: Hunk, label: Label) -> Judged {
        let is_open = matches!(label, Label::Human | Label::Unexplained);
        let why = Some(FILTERED).filter(|_| self.is_filtered && is_open);
        Judged { hunk, whole: self.as_a_whole, why, ..whole(self.path.as_str(), label) }
    }
}

impl Judge<'_> {
    pub(super) fn file(
        &self,
        touched: &Touched,
        path: &RepoPath,
        at: &Evidence,
        judgement: &mut Judgement,
    ) -> Result<(), CommandError> {
        let commit = judgement.commit.clone();
        let states = self.states(&commit, touched);
        let (runs, as_a_whole) = history::changes(self.git, &commit, path, touched, &states)?;
        let text = states.last().and_then(|(_, bytes)| bytes.clone()).unwrap_or_default();
        let found = self.entries_for(path, text, &commit, at)?;
        judgement.has_evidence |= !found.is_empty();
        judgement.work.look_into(&found);
        let states = history::as_checked_out(path, &states, &found).unwrap_or(states);
        let is_filtered = at.filtered.contains(path.as_str());
        let gone = judgement.changed.iter().filter(|gone| gone.went_to(touched));
        let from = gone.filter_map(Touched::path).collect();
        let file = InCommit {
            path,
            commit: &commit,
            at,
            states,
            runs,
            as_a_whole,
            found: &found,
            is_filtered,
            from,
        };
        if touched.has_new_mode() && !self.was_moved_with_its_mode(&file, touched) {
            judgement.runs.push(Judged { whole: Some(Whole::Mode), ..whole(path.as_str(), Label::Human) });
        }
        match self.way(&file) {
            Some(intents) => self.by_way(&file, &intents, judgement),
            None => self.by_lines(&file, judgement),
        }
        Ok(())
    }

    /// The entries that count at the commit and may tell of the file.
    fn entries_for(
        &self,
        path: &RepoPath,
        text: Vec<u8>,
        commit: &Commit,
        at: &Evidence,
    ) -> Result<Vec<StoredEntry>, CommandError> {
        let source = SourceFile { path: path.clone(), text };
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        let mut found = entries(self.ledger.as_ref(), &source, &IndexedText::new(&source.text), &query)?;
        let is_on_it = |revision: &str| !commit.is_staged() && self.kept.follows(revision, &commit.id);
        found.retain(|stored| at.has(stored, is_on_it) || self.is_in_segments(commit, at, stored));
        Ok(found)
    }

    /// What the commit's first parent and the commit have there.
    pub(super) fn states(&self, commit: &Commit, touched: &Touched) -> [State; 2] {
        let [was, is] = &touched.ids;
        let of = |kind: Kind, id: &str, revision: &str| match self.read.borrow().get(id) {
            Some(bytes) if kind.is_file() => history::content(bytes.clone()),
            _ => history::state_of(self.git, kind, revision, &touched.name),
        };
        let before = match commit.parents.first() {
            Some(parent) => of(touched.first(), was, parent),
            None => (FileState::Absent, None),
        };
        [before, of(touched.after, is, &commit.id)]
    }

    /// Reads the contents of these files together: a process for each takes longer than all the rest.
    pub(super) fn read_ahead(&self, files: &[&Touched]) {
        let ids = files.iter().flat_map(|touched| {
            let kinds = [touched.first(), touched.after];
            touched.ids.iter().zip(kinds).filter(|(_, kind)| kind.is_file()).map(|(id, _)| id.clone())
        });
        let ids: Vec<String> = ids.collect();
        let found = self.git.blobs(&ids).unwrap_or_default();
        *self.read.borrow_mut() =
            ids.into_iter().zip(found).filter_map(|(id, blob)| Some((id, blob?))).collect();
    }

    /// Whether the file is a program because it was one where calls moved it from. Entries know of no mode.
    fn was_moved_with_its_mode(&self, file: &InCommit<'_>, touched: &Touched) -> bool {
        let Some(parent) = file.commit.parents.first() else { return false };
        let is_new = touched.after == Kind::Executable && !touched.was_there();
        is_new
            && moved_here(file.path, file.found)
                .iter()
                .any(|from| history::is_executable(self.git, parent, from))
    }

    /// The intents of the calls that lead from what the parent has to the file as it is.
    fn way(&self, file: &InCommit<'_>) -> Option<BTreeSet<IntentId>> {
        let [(before, _), (after, _)] = &file.states;
        let others: RefCell<BTreeMap<RepoPath, Vec<FileState>>> = RefCell::default();
        let of = |path: &RepoPath| match file.commit.parents.first() {
            Some(parent) => history::states(self.git, parent, path),
            None => vec![FileState::Absent],
        };
        let had = |path: &RepoPath, then: &FileState| match path == file.path {
            true => then == before,
            false => others.borrow_mut().entry(path.clone()).or_insert_with(|| of(path)).contains(then),
        };
        way(file.path, after, &file.found.iter().collect::<Vec<_>>(), had)
    }

    fn by_way(&self, file: &InCommit<'_>, intents: &BTreeSet<IntentId>, judgement: &mut Judgement) {
        let unsaid = file.unsaid(self);
        judgement.made_by.extend(unsaid.into_iter().flat_map(|unsaid| unsaid.of_way(file.path, intents)));
        let by = of_way(file.path, intents, file.found);
        let label = label_of(file.path, &by, file.at);
        judgement.work.take(by);
        let runs = file.runs.iter();
        judgement
            .runs
            .extend(runs.map(|run| Judged { intents: intents.clone(), ..file.run(run.hunk, label) }));
    }

    fn by_lines(&self, file: &InCommit<'_>, judgement: &mut Judgement) {
        // Nobody can look for their work in what is no text.
        let is_hidden = file.is_filtered || file.as_a_whole.is_some_and(Whole::has_content);
        if is_hidden {
            judgement.work.hide(file.found);
        }
        let [(before, old), (_, new)] = &file.states;
        let nobody = nobody(file.path, old.as_deref(), new.as_deref());
        let text = new.as_deref().unwrap_or_default();
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let written = self.written(file, text, lines.len());
        let owners = owners(&written);
        let is_blank = |line: usize| lines.get(line).is_some_and(|line| line.trim_ascii().is_empty());
        let mut explained = Vec::new();
        let mut removed = Removed::since(before, file.path, file.found);
        for changed in &file.runs {
            let hunk = changed.hunk;
            told(hunk.lines(), &lines, &written)
                .iter()
                .for_each(|(text, by)| judgement.work.take_line(text, by));
            if !matches!(of_lines(hunk.lines(), &owners, is_blank), Account::Traced(_)) {
                let is_nobodys = file.found.is_empty() || hunk.count == 0 && nobody == Label::Layout;
                let took = || self.took(old.as_deref().unwrap_or_default(), changed, &mut removed);
                match (!is_nobodys).then(took) {
                    Some(Took::All(by)) => {
                        let intents = by.iter().map(|stored| stored.entry.context.intent.clone()).collect();
                        let label = label_of(file.path, &by, file.at);
                        judgement.work.take(by);
                        judgement.runs.push(Judged { intents, ..file.run(hunk, label) });
                        continue;
                    }
                    Some(Took::Part(by)) => judgement.work.take(by),
                    None => {}
                }
            }
            let own = self.own(hunk.lines(), file, judgement, &lines, &written);
            let own = own.as_deref().unwrap_or(&owners);
            let parts: Vec<Range<usize>> = match nobody {
                Label::Layout => vec![hunk.lines()],
                _ => {
                    let owned = parts(hunk.lines(), &owners, is_blank).into_iter();
                    owned.flat_map(|part| parts(part, own, is_blank)).collect()
                }
            };
            let is_whole = parts.len() == 1;
            for part in parts {
                let hunk = if is_whole { hunk } else { Hunk::of(&part) };
                let is_own = matches!(of_lines(part.clone(), own, is_blank), Account::Traced(_));
                let run = match of_lines(part.clone(), &owners, is_blank) {
                    Account::Traced(intents) => {
                        let told = told(part, &lines, &written);
                        let by: Vec<&StoredEntry> = told.iter().map(|(_, by)| by.claim.stored).collect();
                        let label = match label_of(file.path, &by, file.at) {
                            Label::Traced if !is_own => Label::Copied,
                            label => label,
                        };
                        let is_moved = told.iter().all(|(_, by)| by.claim.file.path != *file.path);
                        let moved = is_moved.then(|| file.labels_before(&by));
                        explained.extend(told.into_iter().filter(|_| is_own));
                        Judged { intents, moved, ..file.run(hunk, label) }
                    }
                    Account::Untraced { .. } => file.run(hunk, nobody),
                };
                judgement.runs.push(run);
            }
        }
        let unsaid = file.unsaid(self);
        judgement.made_by.extend(unsaid.into_iter().flat_map(|unsaid| unsaid.of_lines(&explained)));
    }

    /// Who wrote each line. Where no entry may tell of the file, all its commits are not worth a look.
    fn written<'f>(&'f self, file: &InCommit<'f>, text: &'f [u8], count: usize) -> Vec<Option<Written<'f>>> {
        match (text.contains(&0), file.found.is_empty()) {
            (true, _) => Vec::new(),
            (_, true) => std::iter::repeat_with(|| None).take(count).collect(),
            _ => traced(file.path, text, &IndexedText::new(text), file.found, &self.kept),
        }
    }

    /// The owners of lines without those of a run's lines that were written into another file: nobody who is known put them
    /// here, unless the commit moves them. `None` where there are no such lines.
    fn own(
        &self,
        run: Range<usize>,
        file: &InCommit<'_>,
        judgement: &Judgement,
        lines: &[&[u8]],
        written: &[Option<Written<'_>>],
    ) -> Option<Vec<Option<IntentId>>> {
        let names = moved_here(file.path, file.found);
        let is_copied = |by: &Written<'_>| {
            let from = &by.claim.file.path;
            !by.certainty.is_proof() && from != file.path && !names.contains(from)
        };
        let mut copied = told(run, lines, written);
        copied.retain(|(_, by)| is_copied(by));
        if copied.is_empty() {
            return None;
        }
        let taken_out = file.at.taken_out.get_or_init(|| self.taken_out(file.commit, judgement));
        if taken_out.has_all(copied.iter().map(|(line, by)| (*line, &by.claim.file.path))) {
            return None;
        }
        let own: Vec<Option<Written<'_>>> = written.iter().map(|by| by.filter(|by| !is_copied(by))).collect();
        Some(owners(&own))
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
    run: Range<usize>,
    lines: &[&'t [u8]],
    written: &'w [Option<Written<'e>>],
) -> Vec<(&'t [u8], &'w Written<'e>)> {
    let texts = lines.get(run.clone()).unwrap_or_default();
    let by = written.get(run).unwrap_or_default();
    texts.iter().zip(by).filter_map(|(text, by)| Some((*text, by.as_ref()?))).collect()
}

/// The entries of a file under these intents, which led it to where the commit has it.
fn of_way<'e>(
    path: &RepoPath,
    intents: &BTreeSet<IntentId>,
    entries: &'e [StoredEntry],
) -> Vec<&'e StoredEntry> {
    let is_of_way =
        |stored: &&StoredEntry| stored.entry.changes(path) && intents.contains(&stored.entry.context.intent);
    entries.iter().filter(is_of_way).collect()
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
