//! What is drift and what is not, against histories in which the author of every state is known (D-09, D-10, D-21).

use std::collections::{BTreeMap, BTreeSet};

use bailiwick::evidence::{Explanation, Knowledge, Versioned, unexplained_lines};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Change, ChangedFile, ContentHash, FileState, Origin, RepoPath, Restores, StoredEntry, TraceEntry,
};
use proptest::prelude::*;

const FILES: [&str; 3] = ["src/auth/a.rs", "src/auth/b.rs", "src/auth/c.rs"];

/// What happens to one file.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// An agent's call, recorded.
    Agent,
    /// An agent's call that removes the file, recorded.
    AgentRemoves,
    /// A formatter behind the agent's own call, adopted.
    Formatter,
    /// Somebody commits everything.
    Commit,
    /// Version control puts one of the contents there that it keeps.
    Switch(usize),
    /// A human changes it, unrecorded.
    Human,
    /// A human takes it back to what the newest call found there.
    TakesBack,
    /// A human takes the newest call back with a put-back, which is recorded.
    PutsBack,
    /// A human puts a content there that some call found or left, however long ago.
    Again(usize),
    /// Another working copy of the clone records a call on a file of that name.
    Elsewhere,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    Evidence,
    Git,
    Nobody,
}

#[derive(Default)]
struct History {
    now: BTreeMap<&'static str, (FileState, Option<Author>)>,
    /// What any call found or left.
    met: BTreeMap<&'static str, Vec<FileState>>,
    store: BTreeSet<String>,
    /// What the newest entry found, but a put-back, and what it left.
    newest: BTreeMap<&'static str, (Option<FileState>, FileState)>,
    /// What a formatter behind the newest entry left.
    formatted: BTreeMap<&'static str, FileState>,
    knowledge: Knowledge,
    clock: i64,
}

impl History {
    fn fresh(&mut self) -> FileState {
        self.clock += 1;
        FileState::Content(ContentHash::of(self.clock.to_string().as_bytes()))
    }

    fn state(&self, file: &'static str) -> FileState {
        self.now.get(file).map_or(FileState::Absent, |(state, _)| state.clone())
    }

    fn entry(&mut self, file: &'static str, before: FileState, after: FileState) -> TraceEntry {
        self.clock += 1;
        let mut entry: TraceEntry =
            sample::trace_entry(&self.clock.to_string(), &sample::intent("INT-001", &["src/"]));
        entry.timestamp = sample::now().plus_seconds(self.clock.try_into().unwrap());
        entry.files = vec![ChangedFile {
            path: sample::path(file),
            change: Change::Modified,
            before,
            after,
            ranges: Vec::new(),
            removed: Vec::new(),
            binary: false,
            moved_from: None,
            moved_to: None,
            lineage: None,
        }];
        entry
    }

    fn take(&mut self, entry: TraceEntry, is_from_here: bool) {
        let checksum = ContentHash::of(entry.id.as_bytes());
        let stored = StoredEntry {
            origin: Origin::Live,
            trust: None,
            is_from_here,
            seq: 0,
            checksum,
            entry,
            record: String::new(),
        };
        self.knowledge.take_entry(&stored);
    }

    fn agent(&mut self, file: &'static str, after: FileState) {
        let before = self.state(file);
        self.met.entry(file).or_default().extend([before.clone(), after.clone()]);
        let entry = self.entry(file, before.clone(), after.clone());
        self.take(entry, true);
        self.newest.insert(file, (Some(before), after.clone()));
        self.formatted.remove(file);
        self.now.insert(file, (after, Some(Author::Evidence)));
    }

    /// Who answers for a content that is put there by hand: the newest call, its own put-back or formatter, git, or nobody.
    fn author_of(&self, file: &'static str, state: &FileState) -> Author {
        let of_newest = |(before, after): &(Option<FileState>, FileState)| {
            before.as_ref() == Some(state) || after == state
        };
        if self.newest.get(file).is_some_and(of_newest) || self.formatted.get(file) == Some(state) {
            Author::Evidence
        } else if *state != FileState::Absent && self.store.contains(&format!("{state:?}")) {
            Author::Git
        } else {
            Author::Nobody
        }
    }

    fn step(&mut self, file: &'static str, step: Step) {
        match step {
            Step::Agent => {
                let after = self.fresh();
                self.agent(file, after);
            }
            Step::AgentRemoves => self.agent(file, FileState::Absent),
            Step::Formatter => {
                let after = self.fresh();
                let mut record = sample::decision("formatted");
                record.at = sample::now().plus_seconds(self.clock.try_into().unwrap());
                record.left = BTreeMap::from([(file.to_owned(), after.clone())]);
                self.knowledge.take_decision(&record);
                self.met.entry(file).or_default().push(after.clone());
                self.formatted.insert(file, after.clone());
                self.now.insert(file, (after, Some(Author::Evidence)));
            }
            Step::Commit => {
                for (state, author) in self.now.values_mut() {
                    self.store.insert(format!("{state:?}"));
                    if *state != FileState::Absent && *author == Some(Author::Nobody) {
                        *author = Some(Author::Git);
                    }
                }
            }
            Step::Switch(which) => {
                let after = self.fresh();
                let kept: Vec<FileState> = self.met.values().flatten().cloned().collect();
                let kept = kept.into_iter().filter(|state| {
                    *state != FileState::Absent && self.store.contains(&format!("{state:?}"))
                });
                let kept: Vec<FileState> = kept.chain([after]).collect();
                let after = kept[which % kept.len()].clone();
                self.store.insert(format!("{after:?}"));
                self.now.insert(file, (after, Some(Author::Git)));
            }
            Step::Human => {
                let after = self.fresh();
                self.now.insert(file, (after, Some(Author::Nobody)));
            }
            Step::TakesBack => {
                if let Some((Some(before), _)) = self.newest.get(file).cloned() {
                    self.now.insert(file, (before, Some(Author::Evidence)));
                }
            }
            Step::PutsBack => {
                let Some((Some(before), after)) = self.newest.get(file).cloned() else { return };
                if after != self.state(file) {
                    return;
                }
                let mut entry = self.entry(file, after, before.clone());
                entry.context.restores = Some(Restores { entries: vec!["1".to_owned()], grant: None });
                self.take(entry, true);
                self.newest.insert(file, (None, before.clone()));
                self.formatted.remove(file);
                self.now.insert(file, (before, Some(Author::Evidence)));
            }
            Step::Again(which) => {
                let met = self.met.get(file).filter(|met| !met.is_empty()).cloned().unwrap_or_default();
                let Some(state) = met.get(which % met.len().max(1)).cloned() else { return };
                let author = self.author_of(file, &state);
                self.now.insert(file, (state, Some(author)));
            }
            Step::Elsewhere => {
                let (before, after) = (self.fresh(), self.fresh());
                let entry = self.entry(file, before, after);
                self.take(entry, false);
            }
        }
    }

    fn explained(&self, file: &'static str) -> Option<Explanation> {
        let now = self.state(file);
        let never_there = now == FileState::Absent && !self.now.contains_key(file);
        let keeps = never_there || now != FileState::Absent && self.store.contains(&format!("{now:?}"));
        self.knowledge.explain(&sample::path(file), &now, || Versioned { keeps })
    }
}

fn steps() -> impl Strategy<Value = Vec<(usize, Step)>> {
    let step = prop_oneof![
        4 => Just(Step::Agent),
        1 => Just(Step::AgentRemoves),
        2 => Just(Step::Formatter),
        2 => Just(Step::Commit),
        2 => any::<usize>().prop_map(Step::Switch),
        3 => Just(Step::Human),
        1 => Just(Step::TakesBack),
        1 => Just(Step::PutsBack),
        2 => any::<usize>().prop_map(Step::Again),
        1 => Just(Step::Elsewhere),
    ];
    prop::collection::vec((0..FILES.len(), step), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    // D-21, D-10, D-09: drift is exactly what nobody recorded, moved or adopted.
    #[test]
    fn drift_is_what_nobody_recorded_adopted_or_keeps(history in steps()) {
        let mut world = History::default();
        for (file, step) in history {
            world.step(FILES[file], step);
            for file in FILES {
                let author = world.now.get(file).and_then(|(_, author)| *author);
                let explained = world.explained(file);
                prop_assert_eq!(explained.is_none(), author == Some(Author::Nobody), "{} {:?}", file, explained);
            }
        }
    }
}

// D-21: a file that a call is about to change is not judged.
#[test]
fn a_call_under_way_leaves_its_files_unjudged() {
    let mut knowledge = Knowledge::default();
    knowledge.take_pending(&sample::pending("c1", &sample::actor(), sample::now()));
    let now = FileState::Content(ContentHash::of(b"half"));
    let path = RepoPath::new("src/auth/jwt.rs").unwrap();
    assert_eq!(knowledge.explain(&path, &now, Versioned::default), Some(Explanation::Open));
}

#[test]
fn a_file_that_is_gone_and_that_nothing_keeps_is_drift() {
    let mut history = History::default();
    history.step(FILES[0], Step::Agent);
    history.now.insert(FILES[0], (FileState::Absent, None));
    // The call found no file there, so that taking it away takes the call back.
    assert_eq!(history.explained(FILES[0]), Some(Explanation::TakenBack));
    history.step(FILES[1], Step::Human);
    history.step(FILES[1], Step::Agent);
    history.now.insert(FILES[1], (FileState::Absent, None));
    assert_eq!(history.explained(FILES[1]), None);
}

#[test]
fn the_lines_of_drift_are_those_that_are_neither_old_nor_recorded() {
    let (base, now) = (b"a\nb\nc\n", b"a\nagent\nhuman\nc\nmore\nof it\n");
    assert_eq!(unexplained_lines(base, now, |line| line == 1), [(3, 3), (5, 6)]);
    assert_eq!(unexplained_lines(base, b"a\r\nc\r\n", |_| false), []);
}
