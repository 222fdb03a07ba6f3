//! Judges one commit: the evidence that it has, and who answers for each run of lines.

mod file;
mod gates;
mod marks;
mod taken_out;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use bailiwick_adapters_fs::{intents_of, read_file};
use bailiwick_domain::{
    ContentHash, IntentId, IntentSet, LedgerQuery, LedgerReader, Origin, RepoPath, StoredEntry, Timestamp,
    TraceEntry, Value,
};

use self::marks::Work;
use self::taken_out::TakenOut;
use super::commits::Commit;
use super::history::{self, Hunk, Kind, Touched, Whole};
use crate::command::git::{self, Blob, Git};
use crate::command::trace::sources::contents::Kept;
use crate::command::trace::sources::held::{Once, once};
use crate::command::{CommandError, Context};
use crate::site::Site;

/// A commit is to stay quick: no more staged files are looked at, and no more times an entry for a file.
const MOST_FILES: usize = 200;
const MOST_LOOKS: usize = 20_000;

/// The contents of so many files are read together.
const READ_AHEAD: usize = 64;

/// The texts of the segments that the working copy has, one at a time.
fn segments_of(site: &Site) -> impl Iterator<Item = String> {
    let folder = std::fs::read_dir(site.layout.root().join(git::SEGMENTS));
    let files = folder.into_iter().flatten().flatten();
    let files = files.filter(|file| file.file_type().is_ok_and(|kind| kind.is_file()));
    files.filter_map(|file| String::from_utf8(read_file(&file.path()).ok()?).ok())
}

/// The id of an entry as a segment has it.
fn quoted(id: &str) -> String {
    Value::from(id).to_string()
}

/// Who answers for a run of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command::trace) enum Label {
    Traced,
    Layout,
    Copied,
    OutOfScope,
    Human,
    Unexplained,
    Unknown,
    Tampered,
}

impl Label {
    pub(super) const ALL: &[Self] = &[
        Self::Traced,
        Self::Layout,
        Self::Human,
        Self::Copied,
        Self::OutOfScope,
        Self::Unexplained,
        Self::Unknown,
        Self::Tampered,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Traced => "traced",
            Self::Layout => "layout",
            Self::Copied => "copied",
            Self::OutOfScope => "out_of_scope",
            Self::Human => "human",
            Self::Unexplained => "unexplained",
            Self::Unknown => "unknown",
            Self::Tampered => "tampered",
        }
    }

    pub(super) fn fails(self) -> bool {
        matches!(self, Self::Copied | Self::OutOfScope | Self::Unexplained | Self::Tampered)
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
    /// Where all of its lines are known from another file alone: what they are at each place that the whole content came
    /// from, by the scope there.
    moved: Option<BTreeMap<String, Label>>,
    /// Why nobody can look.
    pub(super) why: Option<&'static str>,
}

impl Judged {
    pub(in crate::command::trace) fn place(&self) -> String {
        let Hunk { first, count } = self.hunk;
        if let Some(whole) = self.whole {
            return format!("{}{}", self.path, whole.said());
        }
        match count {
            0 if first == 0 => format!("{} (removed lines)", self.path),
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
    /// Files of the gate that give permission, which the commit changed.
    pub(super) permissions: Vec<String>,
    /// Whether it changed files of the gate alone.
    pub(super) is_gates_own: bool,
    work: Work,
    pub(in crate::command::trace) runs: Vec<Judged>,
    /// Of what is staged: the entries that say what it was made for, and are newer than what the last commit has.
    pub(in crate::command::trace) made_by: Vec<TraceEntry>,
    /// How many of its files were not looked at.
    pub(in crate::command::trace) passed_over: usize,
    /// The paths that the commit changed, but the gate's own.
    changed: Vec<Touched>,
}

impl Judgement {
    fn of(commit: Commit) -> Self {
        Self {
            changed: Vec::new(),
            marks: Vec::new(),
            has_evidence: false,
            permissions: Vec::new(),
            is_gates_own: false,
            work: Work::default(),
            runs: Vec::new(),
            made_by: Vec::new(),
            passed_over: 0,
            commit,
        }
    }

    /// Whether it is an agent's commit with a run that nobody answers for, or anybody's that changes the evidence.
    pub(super) fn fails(&self) -> bool {
        self.is_tampering() || self.is_unexplained()
    }

    pub(super) fn is_unexplained(&self) -> bool {
        let is_open = |run: &Judged| run.label.fails() && run.label != Label::Tampered;
        !self.marks.is_empty() && self.runs.iter().any(is_open)
    }

    pub(super) fn is_tampering(&self) -> bool {
        self.runs.iter().any(|run| run.label == Label::Tampered)
    }

    /// A file that goes and comes as a whole elsewhere in the commit was moved: who answers for its lines there answers
    /// for its going. Where entries wrote the new place itself, that is no move.
    fn follow_moves(&mut self) {
        let mut found: BTreeMap<&str, (Label, BTreeSet<IntentId>)> = BTreeMap::new();
        for gone in self.changed.iter().filter(|gone| gone.after == Kind::Nothing) {
            let mut new_places = self.changed.iter().filter(|there| gone.went_to(there));
            let by = new_places.find_map(|there| self.moved_to(&there.name, &gone.name));
            found.extend(by.map(|by| (gone.name.as_str(), by)));
        }
        for run in self.runs.iter_mut().filter(|run| run.label == Label::Human) {
            if let Some((label, intents)) = found.get(run.path.as_str()) {
                (run.label, run.intents) = (*label, intents.clone());
            }
        }
    }

    /// Who answers for a file whose lines all come from another one, which goes. Each of the two is in a scope or not.
    fn moved_to(&self, name: &str, gone: &str) -> Option<(Label, BTreeSet<IntentId>)> {
        let lines = |run: &&Judged| run.path == name && run.hunk.count > 0;
        let at_gone = |run: &Judged| run.moved.as_ref()?.get(gone).copied();
        let labels: Option<Vec<Label>> = self.runs.iter().filter(lines).map(at_gone).collect();
        let labels = labels?;
        let worst = labels.iter().find(|label| **label != Label::Traced).or_else(|| labels.first());
        let intents = self.runs.iter().filter(lines).flat_map(|run| run.intents.iter().cloned());
        Some((*worst?, intents.collect()))
    }

    pub(super) fn intents(&self) -> impl Iterator<Item = &str> {
        let all: BTreeSet<&str> =
            self.runs.iter().flat_map(|run| run.intents.iter().map(IntentId::as_str)).collect();
        all.into_iter()
    }
}

/// What every commit is judged with.
pub(super) struct Judge<'a> {
    git: &'a Git,
    authors: &'a [String],
    ledger: Box<dyn LedgerReader>,
    kept: Kept,
    /// The texts of segments, as commits have them.
    segments: RefCell<BTreeMap<ContentHash, Rc<str>>>,
    /// Contents that were read ahead, by what git calls them.
    read: RefCell<BTreeMap<String, Blob>>,
}

/// What counts at one commit.
struct Evidence {
    segments: BTreeSet<ContentHash>,
    until: Timestamp,
    intents: IntentSet,
    /// The files that git keeps as something else than their text.
    filtered: BTreeSet<String>,
    /// The lines that the commit takes out of its files; looked for once, where somebody asks.
    taken_out: OnceCell<TakenOut>,
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
        Self {
            git,
            authors,
            ledger,
            kept: Kept::of(site),
            segments: RefCell::default(),
            read: RefCell::default(),
        }
    }

    pub(super) fn commit(&self, commit: Commit) -> Result<Judgement, CommandError> {
        let segments = self.git.segments_at(&commit.id)?;
        let intents = self.git.file_at(&commit.id, bailiwick_adapters_fs::Layout::INTENTS);
        let changed = history::changed(self.git, &commit)?;
        let paths: Vec<RepoPath> = changed.iter().filter_map(Touched::path).collect();
        let names: Vec<&str> = paths.iter().map(RepoPath::as_str).collect();
        let evidence = Evidence {
            segments,
            until: Timestamp::from_unix_ms(commit.at_s.saturating_mul(1000).saturating_add(999)),
            intents: intents.map(|bytes| intents_of(&bytes)).unwrap_or_default(),
            filtered: self.git.filtered_paths(&commit.id, &names),
            taken_out: OnceCell::new(),
        };
        let mut judgement = Judgement::of(commit);
        judgement.has_evidence = !evidence.segments.is_empty();
        let lacks_parent = self.git.lacks_parent(&judgement.commit.id);
        let (gates, others): (Vec<&Touched>, Vec<&Touched>) =
            changed.iter().partition(|touched| gates::is_gates(touched));
        judgement.is_gates_own = !gates.is_empty() && others.is_empty();
        if !lacks_parent {
            self.gates_files(&gates, &mut judgement);
        }
        judgement.changed = others.iter().map(|touched| (*touched).clone()).collect();
        for together in others.chunks(READ_AHEAD) {
            if !lacks_parent {
                self.read_ahead(together);
            }
            for touched in together {
                match touched.path() {
                    Some(path) if !lacks_parent => self.file(touched, &path, &evidence, &mut judgement)?,
                    Some(_) => judgement.runs.push(whole(&touched.name, Label::Unknown)),
                    None => judgement.runs.push(whole(&touched.name, Label::Human)),
                }
            }
        }
        judgement.follow_moves();
        self.mark(&evidence, &names, &mut judgement)?;
        Ok(judgement)
    }

    /// Whether an entry of this clone about one of these files is in no segment of its working copy, so that sealing brings
    /// it along.
    pub(super) fn has_unsealed(&self, site: &Site, files: &BTreeSet<&str>) -> Result<bool, CommandError> {
        if files.is_empty() {
            return Ok(false);
        }
        let mut unsealed = BTreeSet::new();
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        self.ledger.visit(&query, &mut |stored: StoredEntry| {
            let is_about = stored.entry.files.iter().any(|file| files.contains(file.path.as_str()));
            if is_about && !matches!(stored.origin, Origin::Segment(_)) {
                unsealed.insert(quoted(&stored.entry.id));
            }
            ControlFlow::Continue(())
        })?;
        segments_of(site).for_each(|text| unsealed.retain(|id| !text.contains(id)));
        Ok(!unsealed.is_empty())
    }

    /// Whether the commit has the entry in one of its segments. The same entry may be sealed on several branches, and is
    /// read from one of them.
    fn is_in_segments(&self, commit: &Commit, at: &Evidence, stored: &StoredEntry) -> bool {
        let holds = |text: &str| text.contains(&quoted(&stored.entry.id));
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
}

fn whole(path: &str, label: Label) -> Judged {
    Judged {
        path: path.to_owned(),
        hunk: Hunk::WHOLE,
        whole: Some(Whole::Unsaid),
        label,
        intents: BTreeSet::new(),
        moved: None,
        why: None,
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
        filtered: BTreeSet::new(),
        taken_out: OnceCell::new(),
    };
    let Once { ledger, count, files: known } = once(site, context)?;
    let judge = Judge::new(site, git, &[], ledger);
    let mut changed = history::changed(git, &commit)?;
    changed.retain(|touched| !gates::is_gates(touched));
    let staged = changed.len();
    let paths: Vec<(RepoPath, &Touched)> =
        changed.iter().filter_map(|touched| Some((touched.path()?, touched))).collect();
    let (first, rest): (Vec<_>, Vec<_>) = paths.iter().partition(|(path, _)| known.contains(path));
    let most = MOST_FILES.min(MOST_LOOKS.div_euclid(count.max(1)).max(1));
    let looked_at = if count == 0 { 0 } else { most };
    let passed_over = if count == 0 { 0 } else { staged.saturating_sub(paths.len().min(most)) };
    let mut judgement = Judgement::of(commit);
    judgement.passed_over = passed_over;
    judgement.changed.clone_from(&changed);
    for (path, touched) in first.into_iter().chain(rest).take(looked_at) {
        judge.file(touched, path, &evidence, &mut judgement)?;
    }
    judgement.follow_moves();
    Ok(judgement)
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
            filtered: <_>::default(),
            taken_out: <_>::default(),
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
