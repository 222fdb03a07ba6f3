//! What git says of the commits of a range: their messages, their parents, and the runs of lines that each changed.

use std::collections::BTreeSet;

use bailiwick_domain::{ContentHash, FileState, RepoPath};

use crate::command::CommandError;
use crate::command::git::Git;

/// A commit of the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parents: Vec<String>,
    /// When it was committed, in seconds.
    pub(super) at_s: i64,
    pub(super) author: String,
    pub(super) subject: String,
    pub(super) message: String,
}

/// A run of changed lines, as git tells it: first line and count on the new side, 1-based; 0 lines where text only goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hunk {
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Hunk {
    /// Its lines, counted from 0.
    pub(super) fn lines(self) -> std::ops::Range<usize> {
        let start = self.first.saturating_sub(1);
        start..start + self.count
    }
}

/// The commits of a range, oldest first.
pub(super) fn commits(git: &Git, range: &str) -> Result<Vec<Commit>, CommandError> {
    /// Between the fields of a commit, and between commits.
    const FORM: &str = "--format=%H%x1f%P%x1f%ct%x1f%an <%ae>%x1f%s%x1f%B%x1e";
    let words = ["log", "--reverse", "--topo-order", FORM, "--end-of-options", range, "--"];
    let listed = git
        .text(&words)
        .map_err(|_| CommandError::Usage(format!("git knows no commits `{}`", crate::inert::line(range))))?;
    let commit = |text: &str| {
        let mut fields = text.trim_start_matches('\n').split('\u{1f}');
        let mut next = || fields.next().map(str::to_owned);
        Some(Commit {
            id: next().filter(|id| !id.is_empty())?,
            parents: next()?.split(' ').filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            at_s: next()?.parse().ok()?,
            author: next()?,
            subject: next()?,
            message: next()?,
        })
    };
    Ok(listed.split('\u{1e}').filter_map(commit).collect())
}

/// The paths that a commit changed; of a merge those that are as none of its parents has them.
pub(super) fn changed(git: &Git, commit: &Commit) -> Result<Vec<String>, CommandError> {
    let kind = if commit.parents.len() > 1 { "-c" } else { "--root" };
    let words = ["diff-tree", "-r", "-z", "--no-commit-id", "--name-only", "--no-renames", kind, &commit.id];
    let listed = git.text(&words)?;
    let names: BTreeSet<String> =
        listed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Ok(names.into_iter().collect())
}

/// What a commit has at a path, with its content.
pub(super) fn state(git: &Git, revision: &str, path: &str) -> (FileState, Option<Vec<u8>>) {
    match git.file_at(revision, path) {
        Some(bytes) => (FileState::Content(ContentHash::of(&bytes)), Some(bytes)),
        None => (FileState::Absent, None),
    }
}

/// The runs of lines that a commit changed in a file, against its parent. Of a merge only lines that no parent has count,
/// and what only goes is one parent's doing.
pub(super) fn hunks(git: &Git, commit: &Commit, path: &RepoPath) -> Result<Vec<Hunk>, CommandError> {
    let Some((first, others)) = commit.parents.split_first() else {
        let root = ["diff-tree", "-p", "-U0", "--root", "--no-commit-id", "--no-ext-diff", "--no-textconv"];
        return Ok(read(&git.text(&[&root[..], &[&commit.id, "--", &literal(path)]].concat())?));
    };
    let mut found = against(git, first, commit, path)?;
    for other in others {
        let theirs: BTreeSet<usize> =
            against(git, other, commit, path)?.into_iter().flat_map(Hunk::lines).collect();
        found = found
            .into_iter()
            .flat_map(|hunk| runs(hunk.lines().filter(|line| theirs.contains(line))))
            .collect();
    }
    Ok(found)
}

fn against(git: &Git, parent: &str, commit: &Commit, path: &RepoPath) -> Result<Vec<Hunk>, CommandError> {
    let words = ["diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
    Ok(read(&git.text(&[&words[..], &[parent, &commit.id, "--", &literal(path)]].concat())?))
}

fn literal(path: &RepoPath) -> String {
    format!(":(literal,top){path}")
}

/// Lines that follow each other are one run.
fn runs(lines: impl Iterator<Item = usize>) -> Vec<Hunk> {
    let mut runs: Vec<Hunk> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some(run) if run.first + run.count == line + 1 => run.count += 1,
            _ => runs.push(Hunk { first: line + 1, count: 1 }),
        }
    }
    runs
}

/// The heads of the runs in a patch without context. Lines of the text itself begin with `+`, `-` or a backslash.
fn read(patch: &str) -> Vec<Hunk> {
    patch.lines().filter(|line| line.starts_with("@@ -")).filter_map(head).collect()
}

/// `@@ -1,2 +3,4 @@`; a count of one is left out.
fn head(line: &str) -> Option<Hunk> {
    let new = line.split(' ').nth(2)?.strip_prefix('+')?;
    let (first, count) = new.split_once(',').unwrap_or((new, "1"));
    Some(Hunk { first: first.parse().ok()?, count: count.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::{Hunk, read, runs};

    #[test]
    fn the_heads_of_a_patch_are_its_runs() {
        let patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@ fn a()\n-@@ -9 +9 @@\n+x\n+@@ -7 +7 @@\n@@ -5,2 +6,0 @@\n-a\n-b\n";
        assert_eq!(read(patch), [Hunk { first: 1, count: 2 }, Hunk { first: 6, count: 0 }]);
        assert_eq!(runs([0, 1, 4].into_iter()), [Hunk { first: 1, count: 2 }, Hunk { first: 5, count: 1 }]);
    }
}
