//! A preview as lines: which file and which line of it each one is, and whether it comes, goes or stays.
//!
//! Deliberately absent: what of a preview is the gate's and what an agent's (`reading`).

use super::{Mark, hides_something, inert_line, runs};
use crate::presentation::reading::{self, Head, Hunk, Part, Sign};

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

impl Line {
    /// A line of a file whose number is not known.
    pub(super) fn new(kind: LineKind, raw: &str, path: &str) -> Self {
        // A line end of another system is seen, and hides nothing.
        let (raw, end) = raw.strip_suffix('\r').map_or((raw, ""), |raw| (raw, "␍"));
        let shown = inert_line(raw);
        let had_hidden = hides_something(raw, &shown);
        let (text, path) = (shown + end, path.to_owned());
        Self { kind, text, path, number: None, mark: None, had_hidden, in_executable: false }
    }
}

/// Stands below a line without a line end.
const NO_END: &str = "\\ No newline at end of file";

/// The lines of a preview.
pub(super) fn lines(preview: &str) -> Vec<Line> {
    let mut shown = Shown::default();
    for part in reading::read(preview) {
        match part {
            Part::File(head) => shown.file(&head),
            Part::Hunk(hunk) => shown.hunk(&hunk),
            Part::Plain(line) => shown.push(LineKind::Note, unended(line), None),
            Part::Words(words) => shown.words(words),
        }
    }
    fold(shown.lines)
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

/// What was shown so far, and the file that it is about.
#[derive(Default)]
struct Shown {
    path: String,
    executable: bool,
    /// The last hunk breaks off, so that words may be the rest of it.
    breaks_off: bool,
    lines: Vec<Line>,
}

impl Shown {
    fn file(&mut self, head: &Head<'_>) {
        let what = match (head.is_new, head.is_gone) {
            (true, _) => "new file",
            (_, true) => "file is deleted",
            _ => "",
        };
        self.executable = runs(head.path);
        self.path = inert_line(head.path);
        self.push(LineKind::File, what, None);
    }

    fn hunk(&mut self, hunk: &Hunk<'_>) {
        self.push(LineKind::Hunk, hunk.head, None);
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        for line in &hunk.lines {
            old += usize::from(line.sign != Sign::Comes);
            new += usize::from(line.sign != Sign::Goes);
            let number = if line.sign == Sign::Goes { old } else { new };
            self.push(kind(line.sign), unended(line.text), Some(number));
            if !line.text.ends_with('\n') && hunk.text.contains(NO_END) {
                self.push(LineKind::Note, NO_END, None);
            }
        }
        self.breaks_off = !hunk.is_whole;
    }

    /// A command, or parameters line by line, whose texts have a sign.
    fn words(&mut self, words: &str) {
        if !self.breaks_off {
            (self.path, self.executable) = (String::new(), false);
        }
        let mut in_command = false;
        for line in unended(words).split('\n') {
            let command = line.strip_prefix("$ ").filter(|_| !self.breaks_off);
            let (kind, text) = match (in_command, command, line.get(..1)) {
                (true, ..) => (LineKind::Command, line),
                (false, Some(command), _) => (LineKind::Command, command),
                (.., Some("+")) => (LineKind::Added, line.get(1..).unwrap_or_default()),
                (.., Some("-")) => (LineKind::Removed, line.get(1..).unwrap_or_default()),
                _ => (LineKind::Note, line),
            };
            in_command |= kind == LineKind::Command;
            self.push(kind, text, None);
        }
    }

    fn push(&mut self, kind: LineKind, raw: &str, number: Option<usize>) {
        let line = Line::new(kind, raw, &self.path);
        self.lines.push(Line { number, in_executable: self.executable, ..line });
    }
}

fn kind(sign: Sign) -> LineKind {
    match sign {
        Sign::Stays => LineKind::Context,
        Sign::Goes => LineKind::Removed,
        Sign::Comes => LineKind::Added,
    }
}

fn unended(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}
