//! Simple commands and what stands between them.

use std::borrow::Cow;

use super::choices::{self, Readings};
use super::{Before, Line, Simple, Word};
use crate::names;

/// A line does not stand for more commands than this, its loops unrolled, and for no more text in bytes, each word as one more.
const MOST_COMMANDS: usize = 128;
const MOST_TEXT: usize = 32 << 10;

/// Redirections that write no file, longest first.
#[rustfmt::skip]
const REDIRECTIONS: &[&str] = &[
    "2> /dev/null", "1> /dev/null", "&> /dev/null", "2>/dev/null", "1>/dev/null", "&>/dev/null", "> /dev/null",
    ">/dev/null", "2>&1", "1>&2", ">&2",
];

/// The end of the text, where commands up to an end are read.
pub(super) const END: &str = "";

/// A text of which some is read.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) rest: &'a str,
    pub(super) line: Line,
    /// The variables of the loops around this place, and those that were set before it, with what they stand for here.
    pub(super) known: Vec<(Cow<'a, str>, Word)>,
    /// How many `for`, `if` and `$(…)` are around it.
    pub(super) depth: usize,
    /// How many brackets are.
    pub(super) brackets: usize,
    /// What stands before the outermost of them.
    before: Before,
    /// How much text its commands may still have.
    left: usize,
}

impl<'a> Reading<'a> {
    /// All of a text.
    pub(super) fn of(text: &'a str) -> Result<Line, String> {
        let mut reading = Self {
            rest: text,
            line: Line::default(),
            known: Vec::new(),
            depth: 0,
            brackets: 0,
            before: Before::Start,
            left: MOST_TEXT,
        };
        reading.list(&[END])?;
        Ok(reading.line)
    }

    /// Whether something is read that PowerShell reads in another way: not on Windows, where a host may hand any command to it.
    pub(super) fn is_posix(&mut self) -> bool {
        self.line.posix = true;
        !cfg!(windows)
    }

    /// Passes over blanks, and lines that go on: behind a `\` at their end, and where a command must follow. A shell takes that `\` out
    /// before it looks for words and signs, so it counts behind a blank alone; PowerShell takes it for a word.
    pub(super) fn skip_blanks(&mut self, is_open: bool) {
        let mut is_behind_blank = false;
        loop {
            let rest = self.rest.trim_start_matches(' ');
            is_behind_blank |= rest.len() < self.rest.len();
            self.rest = rest;
            if let Some(after) = rest.strip_prefix("\\\n").filter(|_| is_behind_blank && self.is_posix()) {
                self.rest = after;
            } else if let Some(after) = rest.strip_prefix('\n').filter(|_| is_open) {
                self.rest = after;
            } else {
                return;
            }
        }
    }

    /// Reads commands up to one of these ends, and the end.
    pub(super) fn list(&mut self, ends: &[&'static str]) -> Result<&'static str, String> {
        let (mut before, mut is_empty) = (Before::Start, true);
        loop {
            self.skip_blanks(!before.is_soft());
            if before.is_soft() {
                self.rest = past_idle_lines(self.rest);
                if let Some(end) = self.end(ends).filter(|_| !is_empty) {
                    return Ok(end);
                }
            }
            if self.depth == 0 {
                self.before = before;
            }
            if !self.compound()? {
                self.simple()?;
            }
            is_empty = false;
            match separator(self.rest) {
                Some((next, after)) => (before, self.rest) = (next, after),
                None => {
                    let is_closed = self.rest.is_empty() || self.rest.starts_with(')');
                    let end = self.end(ends).filter(|_| is_closed);
                    return end.ok_or_else(|| self.unexpected(ends));
                }
            }
        }
    }

    fn unexpected(&self, ends: &[&str]) -> String {
        match (self.rest.chars().next(), ends.first()) {
            (None, Some(end)) => format!("`{end}` is missing at the end of the line"),
            (Some(sign), _) => super::signs::refused(sign),
            (None, None) => "the line does not end".to_owned(),
        }
    }

    /// The end that stands here, if one of these does.
    fn end(&mut self, ends: &[&'static str]) -> Option<&'static str> {
        let after = |end: &&'static str| match *end {
            END => self.rest.is_empty().then_some((END, "")),
            end => {
                let after = self.rest.strip_prefix(end)?;
                (end == ")" || ends_a_word(after)).then_some((end, after))
            }
        };
        let (end, after) = ends.iter().find_map(after)?;
        self.rest = after;
        Some(end)
    }

    /// Whether a bracket that is open is closed here.
    pub(super) fn closes(&self) -> bool {
        self.brackets > 0 && self.rest.starts_with(')')
    }

    fn simple(&mut self) -> Result<(), String> {
        let (mut words, mut input): (Vec<Word>, Option<String>) = (Vec::new(), None);
        let (mut tells_errors, mut is_redirected, first) = (false, false, self.line.commands.len());
        loop {
            self.skip_blanks(false);
            let joins = self.rest.starts_with("2>&1");
            if !words.is_empty() && self.redirection() {
                tells_errors |= joins;
                is_redirected = true;
                continue;
            }
            if self.rest.starts_with('<') && !words.is_empty() && input.is_none() {
                input = self.input_file()?;
                self.line.redirects = true;
                continue;
            }
            if self.rest.is_empty() || self.closes() || separator(self.rest).is_some() {
                break;
            }
            let word = self.word()?;
            if words.is_empty() && word.text == "!" {
                return Err("`!` turns around what a command ends with".to_owned());
            }
            words.push(word);
        }
        if words.is_empty() {
            return Err("a command of the line is empty".to_owned());
        }
        if input.is_none() && !is_redirected && self.is_assignment(&words) {
            self.remember(&words);
            self.push(words, None)?;
            if let Some(command) = self.line.commands.last_mut() {
                command.assigns = true;
            }
            return Ok(());
        }
        match choices::made(&words)? {
            None => self.push(words, input)?,
            Some(Readings { made, left }) => {
                self.line.has_choices = true;
                self.push(made, input.clone())?;
                self.push(left, input)?;
            }
        }
        for command in self.line.commands.iter_mut().skip(first) {
            command.tells_errors = tells_errors;
        }
        Ok(())
    }

    /// Whether the words set variables that no program knows, and do nothing else.
    fn is_assignment(&self, words: &[Word]) -> bool {
        let is_piped = matches!(separator(self.rest), Some((Before::Bar, _))) || self.before == Before::Bar;
        let is_one = |word: &Word| {
            // zsh looks for a program by what stands behind a second `=`.
            let is_free = word
                .text
                .split_once('=')
                .is_some_and(|(name, value)| names::is_small(name) && !value.contains('='));
            word.sets && is_free && !(word.pattern || word.braces || word.choices)
        };
        self.depth == 0 && self.brackets == 0 && !is_piped && words.iter().all(is_one)
    }

    /// Remembers what variables are set to. Behind `&&` and `||` they may be something else.
    fn remember(&mut self, words: &[Word]) {
        let is_sure = self.before.is_soft();
        for word in words {
            let Some((name, value)) = word.text.split_once('=') else { continue };
            let value = Word { text: value.to_owned(), open: word.open || !is_sure, ..Word::default() };
            self.known.push((name.to_owned().into(), value));
        }
    }

    pub(super) fn push(&mut self, words: Vec<Word>, input: Option<String>) -> Result<(), String> {
        if self.line.commands.len() == MOST_COMMANDS {
            return Err(format!("the line stands for more than {MOST_COMMANDS} commands"));
        }
        let text: usize = words.iter().map(|word| word.text.len() + 1).sum();
        self.left = self.left.checked_sub(text).ok_or("the line stands for too much text")?;
        let (before, within) = (self.before, self.depth > 0);
        let (surely, elsewhere, tells_errors) = (vec![None], Vec::new(), false);
        let is_cut = matches!(before, Before::Joint(";" | "||"));
        self.line.commands.push(Simple {
            before,
            within,
            assigns: false,
            is_cut,
            surely,
            elsewhere,
            words,
            tells_errors,
            input,
        });
        Ok(())
    }

    /// Takes a redirection that writes no file, and nothing glued to it.
    pub(super) fn redirection(&mut self) -> bool {
        let behind = REDIRECTIONS.iter().find_map(|sign| self.rest.strip_prefix(sign));
        let Some(after) = behind.filter(|after| ends_a_word(after)) else { return false };
        self.line.redirects = true;
        self.line.splits |= self.rest.starts_with('&');
        self.rest = after;
        true
    }

    /// The file behind `<`; one of the files of a loop counts as read by a command of its own. With another sign behind that, a
    /// shell writes to the file or takes a text for it.
    fn input_file(&mut self) -> Result<Option<String>, String> {
        let after = self.rest.strip_prefix('<').unwrap_or(self.rest);
        if after.starts_with('<') {
            return Err("a here-document is not read here; use echo or printf, or a file".to_owned());
        }
        self.rest = after.trim_start_matches(' ');
        let file = self.word()?;
        if file.pattern && file.quoted {
            let cat = Word { text: "cat".to_owned(), ..Word::default() };
            self.depth += 1;
            let pushed = self.push(vec![cat, file], None);
            self.depth -= 1;
            return pushed.map(|()| None);
        }
        if file.text.is_empty() || file.pattern || file.open || file.braces || file.choices {
            return Err("what stands behind `<` is no plain file".to_owned());
        }
        Ok(Some(file.text))
    }
}

/// Whether nothing that stands here can belong to the word before it.
pub(super) fn ends_a_word(after: &str) -> bool {
    after.is_empty() || after.starts_with([' ', '|', '&', ';', '\n', ')'])
}

/// What follows empty lines, and lines of a comment that would be harmless words to a shell that knows no comments.
fn past_idle_lines(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\n']);
        let Some(comment) = rest.strip_prefix('#') else { return rest };
        let (comment, after) = comment.split_once('\n').unwrap_or((comment, ""));
        // PowerShell obeys `#requires`.
        let is_note = comment.is_empty() || comment.starts_with(' ');
        if !is_note || !comment.chars().all(|c| c == ' ' || super::signs::is_plain(c)) {
            return rest;
        }
        rest = after;
    }
}

fn separator(rest: &str) -> Option<(Before, &str)> {
    const JOINTS: &[&str] = &["&&", "||", ";"];
    if let Some(after) = rest.strip_prefix('\n') {
        return Some((Before::Joint(";"), after));
    }
    let joint =
        JOINTS.iter().find_map(|sign| rest.strip_prefix(sign).map(|after| (Before::Joint(sign), after)));
    joint.or_else(|| rest.strip_prefix('|').map(|after| (Before::Bar, after)))
}
