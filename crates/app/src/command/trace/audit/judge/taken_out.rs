//! What a commit takes out of its files, or with them: what it brings elsewhere of that was moved, and not copied.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::RepoPath;

use super::super::commits::Commit;
use super::super::history::{Kind, Touched};
use super::{Judge, Judgement};

#[derive(Debug, Default)]
pub(super) struct TakenOut {
    /// How many of each line go; a line of blanks is nobody's.
    lines: BTreeMap<Vec<u8>, usize>,
    /// The files that go. What was written into one since the parent is in no commit.
    files: BTreeSet<RepoPath>,
}

impl TakenOut {
    /// Whether all of these lines, each with the file that it was written into, are among those that go.
    pub(super) fn has_all<'l>(&self, lines: impl Iterator<Item = (&'l [u8], &'l RepoPath)>) -> bool {
        let mut wanted: BTreeMap<&[u8], usize> = BTreeMap::new();
        let left = lines.filter(|(_, from)| !self.files.contains(*from)).map(|(line, _)| line.trim_ascii());
        for line in left.filter(|line| !line.is_empty()) {
            *wanted.entry(line).or_default() += 1;
        }
        wanted.iter().all(|(line, count)| self.lines.get(*line).is_some_and(|gone| gone >= count))
    }

    fn add(&mut self, before: &[u8], after: &[u8]) {
        let mut left = counted(before);
        for (line, count) in counted(after) {
            left.entry(line).and_modify(|gone| *gone = gone.saturating_sub(count));
        }
        for (line, count) in left {
            *self.lines.entry(line.to_vec()).or_default() += count;
        }
    }
}

fn counted(text: &[u8]) -> BTreeMap<&[u8], usize> {
    let mut lines: BTreeMap<&[u8], usize> = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

impl Judge<'_> {
    pub(super) fn taken_out(&self, commit: &Commit, judgement: &Judgement) -> TakenOut {
        let mut all = TakenOut::default();
        for touched in judgement.changed.iter().filter(|touched| touched.was_there()) {
            self.add_taken(commit, touched, &mut all);
            all.files.extend(touched.path().filter(|_| touched.after == Kind::Nothing));
        }
        all
    }

    fn add_taken(&self, commit: &Commit, touched: &Touched, all: &mut TakenOut) {
        let [(_, before), (_, after)] = self.states(commit, touched);
        let Some(before) = before.filter(|bytes| !bytes.contains(&0)) else { return };
        all.add(&before, after.as_deref().unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::RepoPath;

    use super::TakenOut;

    #[test]
    fn as_many_of_a_line_can_come_elsewhere_as_go() {
        let mut all = TakenOut::default();
        all.add(b"  a\nb\nb\nc\n", b"c\nb\n");
        let from = RepoPath::new("from").unwrap();
        let has = |all: &TakenOut, lines: &[&[u8]]| all.has_all(lines.iter().map(|line| (*line, &from)));
        assert!(has(&all, &[b"a", b"", b"\tb"]));
        assert!(!has(&all, &[b"b", b"b"]), "one of them stayed");
        assert!(!has(&all, &[b"c"]));
        all.files.insert(from.clone());
        assert!(has(&all, &[b"c", b"never committed"]), "the file that they were written into goes");
    }
}
