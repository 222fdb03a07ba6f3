//! Unified diffs, plain or as git writes them: `---`/`+++`, renames, copies, `/dev/null`.

use std::iter::Peekable;

use super::{Hunk, HunkLine, PatchOp};

type Lines<'a> = Peekable<std::str::Lines<'a>>;

/// One file's part while it is read.
#[derive(Default)]
struct Part {
    git: Option<(String, String)>,
    old: Option<String>,
    new: Option<String>,
    renamed: (Option<String>, Option<String>),
    copied: (Option<String>, Option<String>),
    created: bool,
    deleted: bool,
    hunks: Vec<Hunk>,
}

pub(super) fn parse(text: &str) -> Result<Vec<PatchOp>, String> {
    let mut lines = text.lines().peekable();
    let mut ops = Vec::new();
    let mut part = Part::default();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("diff --git ") {
            ops.extend(std::mem::take(&mut part).finish()?);
            part.git = Some(git_pair(rest)?);
        } else if let Some(path) = line.strip_prefix("--- ") {
            if part.old.is_some() {
                ops.extend(std::mem::take(&mut part).finish()?);
            }
            let new = lines.next().and_then(|next| next.strip_prefix("+++ "));
            part.new = Some(named(new.ok_or("a `---` line without its `+++` line")?)?);
            part.old = Some(named(path)?);
        } else if let Some(header) = line.strip_prefix("@@ ") {
            if part.old.is_none() {
                return Err("a hunk before any `---` and `+++` line".to_owned());
            }
            part.hunks.push(hunk(header, &mut lines)?);
        } else {
            part.note(line)?;
        }
    }
    ops.extend(part.finish()?);
    Ok(ops)
}

impl Part {
    /// Reads one of git's extended header lines; other text between files is prose, unless it looks like a change.
    fn note(&mut self, line: &str) -> Result<(), String> {
        let path = |prefix: &str| line.strip_prefix(prefix).map(named).transpose();
        if let Some(found) = path("rename from ")? {
            self.renamed.0 = Some(found);
        } else if let Some(found) = path("rename to ")? {
            self.renamed.1 = Some(found);
        } else if let Some(found) = path("copy from ")? {
            self.copied.0 = Some(found);
        } else if let Some(found) = path("copy to ")? {
            self.copied.1 = Some(found);
        } else if line.starts_with("new file mode ") {
            self.created = true;
        } else if line.starts_with("deleted file mode ") {
            self.deleted = true;
        } else if line.starts_with("+++ ")
            || line.starts_with("*** ")
            || line.starts_with("Index: ") && self.old.is_some()
        {
            return Err(format!("the diff has a line that is not understood: `{line}`"));
        }
        Ok(())
    }

    fn finish(self) -> Result<Option<PatchOp>, String> {
        let hunks = self.hunks;
        if let (Some(path), Some(to)) = self.copied {
            return Ok(Some(PatchOp::Copy { path, to, hunks }));
        }
        if let (Some(path), Some(to)) = self.renamed {
            return Ok(Some(PatchOp::Update { path, move_to: Some(to), hunks }));
        }
        let (old, new) = match (self.old, self.new, self.git) {
            (Some(old), Some(new), git) => sides(old, new, git.is_some()),
            (_, _, Some((old, new))) => match (self.created, self.deleted) {
                (true, _) => (None, Some(new)),
                (_, true) => (Some(old), None),
                _ => (Some(old), Some(new)),
            },
            _ => return Ok(None),
        };
        Ok(Some(match (old, new) {
            (None, Some(path)) => PatchOp::Add { path, content: added(&hunks) },
            (Some(path), None) => PatchOp::Delete { path },
            (Some(path), Some(new)) if path == new => PatchOp::Update { path, move_to: None, hunks },
            (Some(path), Some(new)) => PatchOp::Update { path, move_to: Some(new), hunks },
            (None, None) => return Err("a diff from `/dev/null` to `/dev/null`".to_owned()),
        }))
    }
}

/// The two names without `/dev/null` and without the `a/` and `b/` that git puts before them.
fn sides(old: String, new: String, git: bool) -> (Option<String>, Option<String>) {
    let is_null = |path: &str| path == "/dev/null";
    let prefixed = |path: &str, prefix| is_null(path) || path.starts_with(prefix);
    let strip = git || (prefixed(&old, "a/") && prefixed(&new, "b/"));
    let clean = |path: String, prefix| {
        let bare = if strip { path.strip_prefix(prefix).unwrap_or(&path).to_owned() } else { path };
        (!is_null(&bare)).then_some(bare)
    };
    (clean(old, "a/"), clean(new, "b/"))
}

fn named(text: &str) -> Result<String, String> {
    let path = text.split('\t').next().unwrap_or_default().trim_end();
    if path.is_empty() || path.starts_with('"') {
        return Err(format!("the diff has a path that is not understood: `{text}`"));
    }
    Ok(path.to_owned())
}

/// The names of `diff --git a/X b/Y`; a name with a blank is only clear when both are the same.
fn git_pair(rest: &str) -> Result<(String, String), String> {
    let unclear = || format!("the diff has a path that is not understood: `{rest}`");
    let body = rest.strip_prefix("a/").filter(|_| !rest.contains('"')).ok_or_else(unclear)?;
    let splits: Vec<(&str, &str)> = body
        .match_indices(" b/")
        .filter_map(|(at, sep)| Some((body.get(..at)?, body.get(at + sep.len()..)?)))
        .collect();
    let same = splits.iter().find(|(old, new)| old == new);
    let (old, new) = match (same, splits.as_slice()) {
        (Some(pair), _) => *pair,
        (None, [pair]) => *pair,
        _ => return Err(unclear()),
    };
    Ok((old.to_owned(), new.to_owned()))
}

/// Reads `-l,s +l,s @@` and exactly the lines that it counts.
fn hunk(header: &str, lines: &mut Lines<'_>) -> Result<Hunk, String> {
    let odd = || format!("the diff has a hunk header that is not understood: `@@ {header}`");
    let mut words = header.split_whitespace();
    let (start, mut old) = words.next().and_then(|word| range(word, '-')).ok_or_else(odd)?;
    let (_, mut new) = words.next().and_then(|word| range(word, '+')).ok_or_else(odd)?;
    let mut hunk = Hunk { start: Some(start), ..Hunk::default() };
    while old > 0 || new > 0 {
        let line = lines.next().ok_or("a hunk is shorter than its header says")?;
        let short = || "a hunk does not have the lines that its header counts".to_owned();
        if let Some(text) = line.strip_prefix('+') {
            new = new.checked_sub(1).ok_or_else(short)?;
            hunk.lines.push(HunkLine::Add(text.to_owned()));
        } else if let Some(text) = line.strip_prefix('-') {
            old = old.checked_sub(1).ok_or_else(short)?;
            hunk.lines.push(HunkLine::Remove(text.to_owned()));
        } else if line.is_empty() || line.starts_with(' ') {
            old = old.checked_sub(1).ok_or_else(short)?;
            new = new.checked_sub(1).ok_or_else(short)?;
            hunk.lines.push(HunkLine::Context(line.strip_prefix(' ').unwrap_or_default().to_owned()));
        } else if !line.starts_with('\\') {
            return Err(short());
        }
    }
    lines.next_if(|line| line.starts_with('\\'));
    Ok(hunk)
}

fn range(word: &str, sign: char) -> Option<(usize, usize)> {
    let body = word.strip_prefix(sign)?;
    let (start, count) = body.split_once(',').unwrap_or((body, "1"));
    Some((start.parse().ok()?, count.parse().ok()?))
}

fn added(hunks: &[Hunk]) -> String {
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter_map(|line| if let HunkLine::Add(text) = line { Some(format!("{text}\n")) } else { None })
        .collect()
}
