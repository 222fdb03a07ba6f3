//! Unified diffs as `git apply -p1` reads them: plain sections, and those under a `diff --git` line.

use super::git::{self, Header};
use super::lines::{Lines, plain};
use super::name::{self, Name};
use super::spent::Spent;
use super::{Hunk, HunkLine, ModeNote, Patch, PatchOp, foreign, hunk};
use crate::calls::terms::Unreadable;

/// A diff while it is read.
pub(super) struct Diff<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) spent: Spent,
    pub(super) ops: Vec<PatchOp>,
    pub(super) modes: Vec<ModeNote>,
    /// Whether names have a leading folder to strip; the same for all of a diff.
    has_folder: Option<bool>,
}

pub(super) fn parse(text: &str, spent: Spent) -> Result<Patch, Unreadable> {
    let mut diff =
        Diff { lines: Lines::of(text), spent, ops: Vec::new(), modes: Vec::new(), has_folder: None };
    let mut has_git = false;
    while let Some(line) = diff.lines.peek() {
        if line.starts_with("diff --git ") {
            has_git = true;
            diff.git_section()?;
        } else if line.starts_with("--- ") {
            diff.section()?;
        } else if foreign::acts(line) || has_git && foreign::belongs_to_git(line) {
            return Err(diff.lines.odd("it is in no section of the diff, but a program may act on it"));
        } else {
            diff.lines.next();
        }
    }
    Ok(Patch { ops: diff.ops, modes: diff.modes, is_disputed: false })
}

/// The two names of a section and what changes.
struct Change {
    old: Name,
    new: Name,
    hunks: Vec<Hunk>,
}

impl Diff<'_> {
    /// `---`, `+++` and hunks without a line of git's.
    fn section(&mut self) -> Result<(), Unreadable> {
        self.spent.section()?;
        let first = self.lines.peek().unwrap_or_default();
        let Change { old, new, hunks } = self.change()?;
        let (old_path, new_path) = (self.path(&old)?, self.path(&new)?);
        let refuse = |why: &str| Err(self.lines.odd_before(first, why));
        self.ops.push(match (old_path, new_path) {
            (None, None) => return refuse("the section before it is about no file"),
            (Some(old), Some(new)) if old != new => {
                return refuse(&format!(
                    "the section before it names `{old}` and `{new}`; write a renaming as git does"
                ));
            }
            (None, Some(path)) => {
                let content = self.whole(&hunks)?;
                PatchOp::Add { path, content }
            }
            (Some(path), Some(_)) if old.is_epoch => {
                let content = self.whole(&hunks)?;
                PatchOp::Add { path, content }
            }
            (Some(path), None) => self.deletion(path, &hunks)?,
            (Some(path), Some(_)) if new.is_epoch => self.deletion(path, &hunks)?,
            (Some(path), Some(_)) => PatchOp::Update { path, move_to: None, hunks },
        });
        Ok(())
    }

    fn git_section(&mut self) -> Result<(), Unreadable> {
        self.spent.section()?;
        let header = git::header(&mut self.lines)?;
        if self.has_folder.replace(true) == Some(false) {
            return Err(self
                .lines
                .odd("some names before it have no leading folder, as `a/`, and others have"));
        }
        if header.is_binary {
            return self.take(&header, None);
        }
        if !self.lines.peek().is_some_and(|line| line.starts_with("--- ")) {
            return self.take(&header, Some(Vec::new()));
        }
        let Change { old, new, hunks } = self.change()?;
        let fits = |name: &Name, path: Option<&str>| match path {
            Some(path) => !name.is_null() && name::stripped(&name.path).as_deref() == Some(path),
            None => name.is_null(),
        };
        if !fits(&old, header.before()) || !fits(&new, header.after()) {
            return Err(self
                .lines
                .odd("the names of the section before it are not those of its `diff --git` line"));
        }
        self.take(&header, Some(hunks))
    }

    /// Adds what a section of git's says; without hunks of text its content is not known.
    fn take(&mut self, header: &Header, hunks: Option<Vec<Hunk>>) -> Result<(), Unreadable> {
        self.modes.extend(header.mode_note());
        let op = match (header.before(), header.after(), hunks) {
            (Some(path), None, Some(hunks)) => self.deletion(path.to_owned(), &hunks)?,
            (Some(path), None, None) => PatchOp::Delete { path: path.to_owned() },
            (None, Some(path), Some(hunks)) if header.is_plain() => {
                let content = if hunks.is_empty() { String::new() } else { self.whole(&hunks)? };
                PatchOp::Add { path: path.to_owned(), content }
            }
            (None, Some(path), hunks) => opaque(path, hunks),
            (Some(path), Some(to), Some(hunks)) if header.is_copy => {
                PatchOp::Copy { path: path.to_owned(), to: to.to_owned(), hunks }
            }
            (Some(path), Some(to), Some(hunks)) => {
                PatchOp::Update { path: path.to_owned(), move_to: (path != to).then(|| to.to_owned()), hunks }
            }
            (Some(path), Some(to), None) if path == to => opaque(path, None),
            _ => {
                return Err(self.lines.odd(
                    "before it a file changes its name and its binary content; send these as two files",
                ));
            }
        };
        self.ops.push(op);
        Ok(())
    }

    /// Two lines with names and one hunk or more.
    fn change(&mut self) -> Result<Change, Unreadable> {
        let crlf = self.lines.second().is_some_and(|line| line.ends_with('\r'));
        let old = self.name("--- ")?;
        let new = self.name("+++ ")?;
        let mut hunks = Vec::new();
        while hunks.is_empty() || self.lines.peek().is_some_and(|line| line.starts_with("@@ -")) {
            hunks.push(hunk::read(&mut self.lines, crlf, &mut self.spent)?);
        }
        Ok(Change { old, new, hunks })
    }

    fn name(&mut self, sign: &str) -> Result<Name, Unreadable> {
        let text = self.lines.peek().and_then(|line| plain(line).strip_prefix(sign));
        let name = text.and_then(name::in_header).ok_or_else(|| {
            self.lines.odd(&format!(
                "`{}` and a name must stand here, which ends with the line or a TAB",
                sign.trim()
            ))
        })?;
        self.lines.next();
        Ok(name)
    }

    /// What a name of a plain section means: without its first folder, or as it is where no name of the diff has one.
    fn path(&mut self, name: &Name) -> Result<Option<String>, Unreadable> {
        if name.is_null() {
            return Ok(None);
        }
        let has_folder = name.path.contains('/');
        let path = if has_folder {
            name::stripped(&name.path)
        } else {
            name::is_clean(&name.path).then(|| name.path.clone())
        };
        if *self.has_folder.get_or_insert(has_folder) != has_folder {
            return Err(self
                .lines
                .odd("some names before it have no leading folder, as `a/`, and others have"));
        }
        path.map(Some)
            .ok_or_else(|| self.lines.odd(&format!("the name `{}` before it cannot be used", name.path)))
    }

    /// The whole text of a new file.
    fn whole(&self, hunks: &[Hunk]) -> Result<String, Unreadable> {
        let [Hunk { lines, new_open, .. }] = hunks else {
            return Err(self.lines.odd("a new file before it has more than one hunk"));
        };
        let added =
            |line: &HunkLine| if let HunkLine::Add(text) = line { Some(format!("{text}\n")) } else { None };
        let mut text = lines
            .iter()
            .map(added)
            .collect::<Option<String>>()
            .ok_or_else(|| self.lines.odd("a new file before it has old lines"))?;
        if *new_open {
            text.pop();
        }
        Ok(text)
    }

    fn deletion(&self, path: String, hunks: &[Hunk]) -> Result<PatchOp, Unreadable> {
        let goes = |line: &HunkLine| matches!(line, HunkLine::Remove(_));
        if hunks.iter().flat_map(|hunk| &hunk.lines).all(goes) {
            Ok(PatchOp::Delete { path })
        } else {
            Err(self.lines.odd("a deleted file before it has lines that stay"))
        }
    }
}

fn opaque(path: &str, hunks: Option<Vec<Hunk>>) -> PatchOp {
    PatchOp::Opaque { path: path.to_owned(), hunks: hunks.unwrap_or_default() }
}
