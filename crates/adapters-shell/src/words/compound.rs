//! Commands that stand in others: `for`, `if`, brackets and `$(…)`.
//!
//! Nothing of it is judged here. A loop is unrolled, so that its commands stand there once for each word that it goes through; all
//! commands count alike, whether or not they come to run. None of it is read for PowerShell, which has a grammar of its own.

use super::Word;
use super::list::Reading;
use crate::names;

/// How deep commands may stand in each other.
const DEEPEST: usize = 8;

impl<'a> Reading<'a> {
    /// Reads a command that holds others, if one begins here.
    pub(super) fn compound(&mut self) -> Result<bool, String> {
        let is_one = self.rest.starts_with("for ") || self.begins("if") || self.rest.starts_with('(');
        if !is_one || !self.is_posix() {
            return Ok(false);
        }
        if self.eats("for") {
            self.nested(Self::unrolled)?;
        } else if self.eats("if") {
            self.nested(Self::branches)?;
        } else if self.rest.starts_with('(') && !self.rest.starts_with("((") {
            self.group()?;
        } else {
            return Ok(false);
        }
        self.skip_blanks(false);
        while self.redirection() {
            self.skip_blanks(false);
        }
        Ok(true)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth == DEEPEST {
            return Err(format!("more than {DEEPEST} commands stand in each other"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Commands between brackets, of which the first is passed.
    pub(super) fn bracketed(&mut self) -> Result<(), String> {
        self.nested(Self::closed_list)
    }

    fn closed_list(&mut self) -> Result<(), String> {
        self.brackets += 1;
        let read = self.list(&[")"]).map(drop);
        self.brackets -= 1;
        read
    }

    /// Brackets at the beginning are no more than the line itself: only a `cd` in them ends with them.
    fn group(&mut self) -> Result<(), String> {
        self.rest = self.rest.strip_prefix('(').unwrap_or(self.rest);
        if self.depth > 0 || !self.line.commands.is_empty() {
            return self.bracketed();
        }
        if self.brackets == DEEPEST {
            return Err(format!("more than {DEEPEST} commands stand in each other"));
        }
        self.closed_list()?;
        let count = self.line.commands.len();
        self.line.grouped.get_or_insert(count);
        Ok(())
    }

    fn branches(&mut self) -> Result<(), String> {
        self.list(&["then"])?;
        loop {
            match self.list(&["fi", "elif", "else"])? {
                "elif" => self.list(&["then"])?,
                "else" => return self.list(&["fi"]).map(drop),
                _ => return Ok(()),
            };
        }
    }

    fn unrolled(&mut self) -> Result<(), String> {
        let name: &'a str = self.rest.split(' ').next().unwrap_or_default();
        if !names::is_small(name) {
            return Err(format!("a loop over `{name}` is not read; call the variable `f`, `file` or `name`"));
        }
        if self.known.iter().any(|(known, _)| *known == name) {
            return Err(format!("`{name}` is the variable of two loops"));
        }
        self.rest = self.rest.get(name.len()..).unwrap_or_default().trim_start_matches(' ');
        if !self.rest.starts_with("in ") || !self.eats("in") {
            return Err(format!("`in` is missing behind `for {name}`"));
        }
        let values = self.values()?;
        self.rest = self.rest.trim_start_matches([' ', '\n']);
        if !self.eats("do") {
            return Err("`do` is missing behind `for`".to_owned());
        }
        let body = self.rest;
        for value in values {
            self.rest = body;
            self.known.push((name.into(), value));
            let read = self.list(&["done"]);
            self.known.pop();
            read?;
        }
        Ok(())
    }

    /// The words that a loop goes through. The files of a pattern are looked at for it.
    fn values(&mut self) -> Result<Vec<Word>, String> {
        let mut values = Vec::new();
        loop {
            self.skip_blanks(false);
            if let Some(after) = self.rest.strip_prefix([';', '\n']) {
                self.rest = after;
                break;
            }
            let before = self.rest.len();
            let word = self.word()?;
            if word.choices {
                return Err("a loop goes through choices in braces; write the words".to_owned());
            }
            if self.rest.len() == before {
                return Err("`;` or the next line is missing before `do`".to_owned());
            }
            if word.pattern {
                let plain = |text: &str| Word { text: text.to_owned(), ..Word::default() };
                self.push(vec![plain("ls"), plain("-d"), word.clone()], None)?;
            }
            values.push(word);
        }
        match values.is_empty() {
            true => Err("a loop goes through nothing".to_owned()),
            false => Ok(values),
        }
    }

    fn begins(&self, word: &str) -> bool {
        self.rest.strip_prefix(word).is_some_and(|after| after.starts_with([' ', '\n']))
    }

    /// Takes a word of the grammar, and the blanks behind it.
    fn eats(&mut self, word: &str) -> bool {
        let begins = self.begins(word);
        if begins {
            self.rest = self.rest.get(word.len()..).unwrap_or_default().trim_start_matches([' ', '\n']);
        }
        begins
    }
}
