//! The lines of a patch with their numbers, and the refusals that name a line.

use crate::calls::terms::Unreadable;

/// How much of a line a refusal shows, in characters.
const SHOWN: usize = 80;

/// A walk over the lines; a line ends with LF alone and keeps its CR.
pub(super) struct Lines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text, number: 1 }
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        Some(self.rest.split_once('\n').map_or(self.rest, |(line, _)| line))
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        self.number += 1;
        Some(line)
    }

    pub(super) fn next_if(&mut self, is_wanted: impl Fn(&str) -> bool) -> Option<&'a str> {
        self.peek().filter(|line| is_wanted(line))?;
        self.next()
    }

    /// The line after the next one.
    pub(super) fn second(&self) -> Option<&'a str> {
        let (_, rest) = self.rest.split_once('\n')?;
        Self { rest, number: 0 }.peek()
    }

    /// Refuses the next line.
    pub(super) fn odd(&self, why: &str) -> Unreadable {
        refused(self.number, self.peek(), why)
    }

    /// Refuses the line that was read last.
    pub(super) fn odd_before(&self, line: &str, why: &str) -> Unreadable {
        refused(self.number.saturating_sub(1), Some(line), why)
    }
}

fn refused(number: usize, line: Option<&str>, why: &str) -> Unreadable {
    let Some(line) = line else {
        return Unreadable::Malformed(format!("at the end of the patch: {why}"));
    };
    let shown: String = line.chars().take(SHOWN).collect();
    Unreadable::Malformed(format!("line {number} of the patch, `{}`: {why}", shown.escape_debug()))
}

/// The line without the CR of a CRLF.
pub(super) fn plain(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}
