//! A preview as lines: which file and which line of it each one is, and whether it comes, goes or stays.
//!
//! The gate writes previews (`gate::preview`, `gate::diff`); inside a hunk every line begins with the gate's sign, and a
//! hunk's head says how many lines it has, so no line of an agent can pass as a head.

use super::{Mark, hides_something, inert_line, runs};

/// What a line of a preview is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The head of a file's part.
    File,
    /// The head of a hunk.
    Hunk,
    /// Comes with the change.
    Added,
    /// Goes with the change.
    Removed,
    /// Stays.
    Context,
    /// A line of a command.
    Command,
    /// The gate's words, or a parameter that is in no diff.
    Note,
}

/// One line of a preview, inert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub kind: LineKind,
    /// Its text without the sign.
    pub text: String,
    /// The file that it is of; empty for commands and notes.
    pub path: String,
    /// Its number in the file: after the change, or before it where it goes.
    pub number: Option<usize>,
    /// Why it deserves a look, and at which character.
    pub mark: Option<(Mark, usize)>,
    /// Whether control or invisible characters were made visible in it.
    pub had_hidden: bool,
    /// Whether its file runs, or decides what runs, when somebody builds, tests or pushes.
    pub in_executable: bool,
}

/// Where the reader is in the preview.
#[derive(Default)]
struct Reader {
    path: String,
    executable: bool,
    old: usize,
    new: usize,
    old_left: usize,
    new_left: usize,
    in_command: bool,
    lines: Vec<Line>,
}

/// The lines of a preview.
pub(super) fn lines(preview: &str) -> Vec<Line> {
    let mut reader = Reader::default();
    let text = preview.strip_suffix('\n').unwrap_or(preview);
    let mut rest = text.split('\n').peekable();
    while let Some(line) = rest.next() {
        match rest.peek() {
            Some(next) if !reader.in_hunk() && !reader.in_command && is_head(line, next) => {
                let next = rest.next().unwrap_or_default();
                reader.file(line, next);
            }
            _ => reader.line(line),
        }
    }
    fold(reader.lines)
}

/// More than three blank lines in a row say how many they are, so that nothing hides below them.
fn fold(lines: Vec<Line>) -> Vec<Line> {
    const SHOWN: usize = 3;
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut blank = 0;
    let say = |out: &mut Vec<Line>, blank: usize| {
        if let Some(count) = blank.checked_sub(SHOWN).filter(|count| *count > 0)
            && let Some(last) = out.last().cloned()
        {
            let text = format!("… {count} more blank lines …");
            out.push(Line { kind: LineKind::Note, text, number: None, ..last });
        }
    };
    for line in lines {
        let is_blank = line.text.trim().is_empty() && line.kind != LineKind::File;
        if !is_blank {
            say(&mut out, blank);
        }
        blank = if is_blank { blank + 1 } else { 0 };
        if blank <= SHOWN {
            out.push(line);
        }
    }
    say(&mut out, blank);
    out
}

fn is_head(line: &str, next: &str) -> bool {
    line.starts_with("--- ") && next.starts_with("+++ ")
}

impl Reader {
    fn in_hunk(&self) -> bool {
        self.old_left + self.new_left > 0
    }

    fn file(&mut self, old: &str, new: &str) {
        let name =
            |text: &str, side: &str| text.get(4..).unwrap_or_default().strip_prefix(side).map(str::to_owned);
        let (before, after) = (name(old, "a/"), name(new, "b/"));
        let (path, what) = match (before, after) {
            (None, Some(path)) => (path, "new file"),
            (Some(path), None) => (path, "file is deleted"),
            (_, Some(path)) => (path, ""),
            (None, None) => (new.to_owned(), ""),
        };
        self.executable = runs(&path);
        self.path = inert_line(&path);
        self.push(LineKind::File, what, None);
    }

    fn line(&mut self, line: &str) {
        if self.in_command {
            return self.push(LineKind::Command, line, None);
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| !self.in_hunk() && self.path.is_empty()) {
            self.in_command = true;
            return self.push(LineKind::Command, command, None);
        }
        if !self.in_hunk()
            && let Some((old, new)) = hunk(line)
        {
            (self.old, self.old_left) = old;
            (self.new, self.new_left) = new;
            return self.push(LineKind::Hunk, line, None);
        }
        self.body(line);
    }

    /// A line below a head, or of a preview that is no diff.
    fn body(&mut self, line: &str) {
        let text = line.get(1..).unwrap_or_default();
        match line.as_bytes().first() {
            Some(b'+') => {
                let number = self.new_number();
                self.push(LineKind::Added, text, number);
            }
            Some(b'-') => {
                let number = self.old_number();
                self.push(LineKind::Removed, text, number);
            }
            Some(b' ') if self.in_hunk() => {
                self.old_number();
                let number = self.new_number();
                self.push(LineKind::Context, text, number);
            }
            Some(b'[') if line.starts_with("[… ") => {
                (self.old_left, self.new_left) = (0, 0);
                self.push(LineKind::Note, line, None);
            }
            _ => self.push(LineKind::Note, line, None),
        }
    }

    fn new_number(&mut self) -> Option<usize> {
        self.new_left = self.new_left.checked_sub(1)?;
        self.new += 1;
        Some(self.new - 1)
    }

    fn old_number(&mut self) -> Option<usize> {
        self.old_left = self.old_left.checked_sub(1)?;
        self.old += 1;
        Some(self.old - 1)
    }

    fn push(&mut self, kind: LineKind, raw: &str, number: Option<usize>) {
        // A line end of another system is seen, and hides nothing.
        let (raw, end) = raw.strip_suffix('\r').map_or((raw, ""), |raw| (raw, "␍"));
        let shown = inert_line(raw);
        let had_hidden = hides_something(raw, &shown);
        let text = shown + end;
        self.lines.push(Line {
            kind,
            had_hidden,
            text,
            path: self.path.clone(),
            number,
            mark: None,
            in_executable: self.executable,
        });
    }
}

/// The start and length of both sides of `@@ -1,2 +3,4 @@`.
fn hunk(line: &str) -> Option<((usize, usize), (usize, usize))> {
    let inside = line.strip_prefix("@@ -")?.split_once(" @@")?.0;
    let (old, new) = inside.split_once(" +")?;
    Some((side(old)?, side(new)?))
}

fn side(text: &str) -> Option<(usize, usize)> {
    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, length.parse().ok()?))
}
