//! What stands behind a `$`.

use super::Word;
use super::list::Reading;
use super::signs::is_plain;
use crate::{MAX_BYTES, OPEN_VARIABLES};

/// A number in the shells that know it, and no command in the others.
const STATUS: &str = "$?";

/// The statuses of the commands of a pipe.
const STATUSES: &str = "PIPESTATUS[";

impl<'a> Reading<'a> {
    /// Takes what begins with the `$` that stands here.
    pub(super) fn variable(&mut self, word: &mut Word, is_quoted: bool) -> Result<(), String> {
        if let Some(after) = self.rest.strip_prefix(STATUS).filter(|after| !goes_on(after)) {
            return self.open(word, STATUS, after);
        }
        let unknown = || Err("`$` stands for what only the shell knows".to_owned());
        if !self.is_posix() {
            return unknown();
        }
        if let Some(after) = self.rest.strip_prefix("$(").filter(|after| !after.starts_with('(')) {
            self.rest = after;
            self.bracketed()?;
            return self.open(word, "$(…)", self.rest);
        }
        let Some((name, after, is_braced)) = named(self.rest) else { return unknown() };
        if !is_braced && goes_on(after) {
            return Err(format!(
                "some shells take what stands behind `${name}` for a part of it; write `${{{name}}}`"
            ));
        }
        if OPEN_VARIABLES.contains(&name) || is_statuses(name) {
            return self.open(word, &format!("${name}"), after);
        }
        let Some(value) = self.value_of(name).cloned() else {
            return Err(format!("`${name}` stands for what only the shell knows"));
        };
        let is_one = value.pattern || is_quoted || is_one_word(&value.text);
        if value.open || !is_one {
            return self.open(word, &format!("${name}"), after);
        }
        if word.text.len() + value.text.len() > MAX_BYTES {
            return Err("a word stands for too much text".to_owned());
        }
        word.text.push_str(&value.text);
        word.pattern |= value.pattern;
        word.splits |= value.pattern && (value.splits || !is_quoted);
        // Neither a keyword nor a variable before a command comes out of one.
        word.quoted = true;
        self.rest = after;
        Ok(())
    }

    /// Takes what only the shell knows for a part of the word.
    fn open(&mut self, word: &mut Word, spelled: &str, after: &'a str) -> Result<(), String> {
        word.text.push_str(spelled);
        (word.open, self.rest) = (true, after);
        Ok(())
    }

    fn value_of(&self, name: &str) -> Option<&Word> {
        self.known.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// Whether a shell that puts a text there unquoted neither splits it nor looks for files by it.
fn is_one_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|sign| is_plain(sign) || "~^=".contains(sign))
}

/// Whether some shell takes what follows a variable without braces for a part of it: a letter of another script, what stands behind a
/// line that goes on, an index, in which zsh computes and sets variables, or a modifier.
fn goes_on(after: &str) -> bool {
    let mut signs = after.chars();
    match signs.next() {
        Some('[' | '\\') => true,
        Some(':') => signs.next().is_some_and(|sign| !matches!(sign, ' ' | '"' | '\n')),
        sign => sign.is_some_and(|sign| !sign.is_ascii()),
    }
}

/// The name of the variable that a text begins with, what follows it, and whether it stands in braces.
fn named(text: &str) -> Option<(&str, &str, bool)> {
    let spelled = text.strip_prefix('$')?;
    if let Some(braced) = spelled.strip_prefix('{') {
        let (name, after) = braced.split_once('}')?;
        return (is_name(name) || is_statuses(name)).then_some((name, after, true));
    }
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let length = spelled.find(|sign| !is_part(sign)).unwrap_or(spelled.len());
    let (name, after) = spelled.split_at_checked(length)?;
    is_name(name).then_some((name, after, false))
}

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_')
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}

fn is_statuses(name: &str) -> bool {
    let index = name.strip_prefix(STATUSES).and_then(|rest| rest.strip_suffix(']'));
    index.is_some_and(|index| {
        matches!(index, "@" | "*") || (!index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()))
    })
}
