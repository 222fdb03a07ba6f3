//! Whether a commit takes another one back. Anybody can write that it does: what counts is what it does to the files.

use std::collections::BTreeMap;

use super::{Blob, Git};

/// How `git revert` says it, before the name of the other commit.
const WORDS: &str = "This reverts commit ";

/// The commits that a message says its commit takes back.
pub(in crate::command) fn named(message: &str) -> impl Iterator<Item = &str> {
    let rests = message.split(WORDS).skip(1);
    let ids = rests.filter_map(|rest| rest.split(|sign: char| !sign.is_ascii_hexdigit()).next());
    ids.filter(|id| matches!(id.len(), 40 | 64))
}

/// Whether a commit takes back at a path what another one did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum TakesBack {
    Yes,
    No,
    /// The file went away before, and git finds no other that it became.
    Unseen,
}

impl Git {
    /// Whether a commit has a path as it was before that other one changed it, or takes out at least what that one put
    /// there and brings at least what it took out, as a revert does over newer changes. A file that was moved in between is
    /// looked at where it is now, as a revert finds it.
    pub(in crate::command) fn takes_back_at(&self, commit: &str, other: &str, path: &str) -> TakesBack {
        let (parent, origin) = (format!("{commit}^"), format!("{other}^"));
        let Some([there, was]) = self.both([other, &origin], path) else { return TakesBack::No };
        let Some([mut now, mut before]) = self.both([commit, &parent], path) else { return TakesBack::No };
        let is_gone = now.is_none() && before.is_none() && there.is_some();
        let moved = is_gone.then(|| self.moved_between([other, &parent], path)).flatten();
        if let Some(moved) = &moved {
            let Some(both) = self.both([commit, &parent], moved) else { return TakesBack::No };
            [now, before] = both;
        }
        let path_now = moved.as_deref().unwrap_or(path);
        // Nothing was read where nothing is, and where there is too much.
        let is_nowhere = || self.mode_at(commit, path_now).is_none() && self.mode_at(&origin, path).is_none();
        let is_same = now == was && (now.is_some() || is_nowhere());
        let put = changes(was.as_deref(), there.as_deref());
        let done = changes(before.as_deref(), now.as_deref());
        let is_undone = |(line, count): (&&[u8], &isize)| {
            let done = done.get(*line).copied().unwrap_or_default();
            if *count > 0 { done <= -count } else { done >= -count }
        };
        match there != was && (is_same || !put.is_empty() && put.iter().all(is_undone)) {
            true => TakesBack::Yes,
            false if is_gone && moved.is_none() => TakesBack::Unseen,
            false => TakesBack::No,
        }
    }

    /// What two commits have at a path.
    fn both(&self, revisions: [&str; 2], path: &str) -> Option<[Option<Blob>; 2]> {
        self.blobs(&revisions.map(|revision| format!("{revision}:{path}"))).ok()?.try_into().ok()
    }
}

/// How many more of each line there are than before; only lines of which that changed.
fn changes<'t>(before: Option<&'t [u8]>, after: Option<&'t [u8]>) -> BTreeMap<&'t [u8], isize> {
    let mut changes: BTreeMap<&[u8], isize> = BTreeMap::new();
    for (text, by) in [(before, -1), (after, 1)] {
        let lines = text.unwrap_or_default().split_inclusive(|byte| *byte == b'\n');
        lines.for_each(|line| *changes.entry(line).or_default() += by);
    }
    changes.retain(|_, count| *count != 0);
    changes
}

#[cfg(test)]
mod tests {
    use super::{changes, named};

    #[test]
    fn a_message_names_whole_commits_alone() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let message = format!("Revert\n\nThis reverts commit {id}, reversing\nThis reverts commit abc.\n");
        assert_eq!(named(&message).collect::<Vec<_>>(), [id]);
        assert_eq!(named("This reverts nothing").count(), 0);
    }

    #[test]
    fn lines_are_counted_wherever_they_stand() {
        let changed = changes(Some(b"a\nb\nb\n"), Some(b"b\na\nc\n"));
        let changed: Vec<(&[u8], isize)> = changed.into_iter().collect();
        assert_eq!(changed, [(&b"b\n"[..], -1), (&b"c\n"[..], 1)]);
    }
}
