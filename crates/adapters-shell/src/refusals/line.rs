//! Splits a whole command line into its simple commands as a POSIX shell would, to tell words in a command's place from
//! words that are only text: messages, patterns, documents.
//!
//! This proves nothing. What it cannot follow is an error, and the caller then takes every piece of text for a command.

/// How deep commands may stand in each other.
const DEEPEST: usize = 16;

/// The words of each simple command, substitutions among them.
///
/// # Errors
/// A quote or a substitution is not closed, or they are nested too deep.
pub(super) fn commands(text: &str) -> Result<Vec<Vec<String>>, Unclear> {
    let mut line = Line { rest: text, found: Vec::new(), documents: Vec::new() };
    line.list(None, 0)?;
    Ok(line.found)
}

/// The line cannot be followed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unclear;

struct Line<'a> {
    rest: &'a str,
    found: Vec<Vec<String>>,
    /// Here-documents that begin after the next line feed.
    documents: Vec<Document>,
}

struct Document {
    end: String,
    is_literal: bool,
    is_indented: bool,
}

/// The simple command that is being read.
#[derive(Default)]
struct Simple {
    words: Vec<String>,
    word: Option<String>,
    /// Whether the next word is the target of a redirection.
    redirects: bool,
}

impl Simple {
    fn push(&mut self, sign: char) {
        self.word.get_or_insert_default().push(sign);
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take()
            && !std::mem::take(&mut self.redirects)
        {
            self.words.push(word);
        }
    }

    fn end(&mut self, found: &mut Vec<Vec<String>>) {
        self.end_word();
        self.redirects = false;
        if !self.words.is_empty() {
            found.push(std::mem::take(&mut self.words));
        }
    }
}

impl Line<'_> {
    fn next(&mut self) -> Option<char> {
        let mut signs = self.rest.chars();
        let sign = signs.next()?;
        self.rest = signs.as_str();
        Some(sign)
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Commands up to the sign that ends them, or to the end of the line.
    fn list(&mut self, until: Option<char>, depth: usize) -> Result<(), Unclear> {
        if depth > DEEPEST {
            return Err(Unclear);
        }
        let mut simple = Simple::default();
        while let Some(sign) = self.next() {
            if Some(sign) == until {
                simple.end(&mut self.found);
                return Ok(());
            }
            match sign {
                '\n' => {
                    simple.end(&mut self.found);
                    self.skip_documents(depth)?;
                }
                ';' | '&' | '|' | ')' => simple.end(&mut self.found),
                '(' => {
                    simple.end(&mut self.found);
                    self.list(Some(')'), depth + 1)?;
                }
                sign if sign.is_whitespace() => simple.end_word(),
                '#' if simple.word.is_none() => self.skip_comment(),
                '<' | '>' => self.redirection(sign, &mut simple, depth)?,
                sign => self.part(sign, &mut simple, depth)?,
            }
        }
        simple.end(&mut self.found);
        if until.is_none() { Ok(()) } else { Err(Unclear) }
    }

    /// One sign of a word, or a quoted part of it.
    fn part(&mut self, sign: char, simple: &mut Simple, depth: usize) -> Result<(), Unclear> {
        match sign {
            '\\' => match self.next() {
                Some('\n') | None => {}
                Some(escaped) => simple.push(escaped),
            },
            '\'' => {
                let (text, rest) = self.rest.split_once('\'').ok_or(Unclear)?;
                simple.word.get_or_insert_default().push_str(text);
                self.rest = rest;
            }
            '"' => self.double_quoted(simple, depth)?,
            '`' => self.list(Some('`'), depth + 1)?,
            '$' if self.eat("(") => self.list(Some(')'), depth + 1)?,
            // `$'…'` has escapes of its own.
            '$' if self.rest.starts_with('\'') => return Err(Unclear),
            sign => simple.push(sign),
        }
        Ok(())
    }

    fn double_quoted(&mut self, simple: &mut Simple, depth: usize) -> Result<(), Unclear> {
        simple.word.get_or_insert_default();
        loop {
            match self.next().ok_or(Unclear)? {
                '"' => return Ok(()),
                '\\' => simple.push(self.next().ok_or(Unclear)?),
                '`' => self.list(Some('`'), depth + 1)?,
                '$' if self.eat("(") => self.list(Some(')'), depth + 1)?,
                sign => simple.push(sign),
            }
        }
    }

    fn redirection(&mut self, sign: char, simple: &mut Simple, depth: usize) -> Result<(), Unclear> {
        // `2` of `2>&1` is no word.
        if simple.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            simple.word = None;
        }
        simple.end_word();
        if self.eat("(") {
            return self.list(Some(')'), depth + 1);
        }
        if sign == '<' && self.eat("<") && !self.eat("<") {
            return self.document();
        }
        while self.eat(">") || self.eat("&") || self.eat("|") || self.eat("<") {}
        simple.redirects = true;
        Ok(())
    }

    /// The word that ends a here-document.
    fn document(&mut self) -> Result<(), Unclear> {
        let is_indented = self.eat("-");
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let stops = |sign: char| sign.is_whitespace() || ";&|<>()`".contains(sign);
        let length = self.rest.find(stops).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(length).ok_or(Unclear)?;
        let is_quote = |sign: char| matches!(sign, '\'' | '"' | '\\');
        let end: String = word.chars().filter(|sign| !is_quote(*sign)).collect();
        if end.is_empty() || end.contains('$') {
            return Err(Unclear);
        }
        self.documents.push(Document { end, is_literal: word.contains(is_quote), is_indented });
        self.rest = rest;
        Ok(())
    }

    /// Passes over the bodies that begin here; what a shell would run inside of them is looked at.
    fn skip_documents(&mut self, depth: usize) -> Result<(), Unclear> {
        for document in std::mem::take(&mut self.documents) {
            let mut body = String::new();
            loop {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                if self.rest.is_empty() {
                    return Err(Unclear);
                }
                self.rest = rest;
                let end = if document.is_indented { line.trim_start_matches('\t') } else { line };
                if end == document.end {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            if !document.is_literal {
                self.substitutions(&body, depth)?;
            }
        }
        Ok(())
    }

    /// The commands that stand in a text which a shell expands.
    fn substitutions(&mut self, text: &str, depth: usize) -> Result<(), Unclear> {
        let quoted = format!("{}\"", text.replace('"', "\\\""));
        let mut inner = Line { rest: &quoted, found: Vec::new(), documents: Vec::new() };
        inner.double_quoted(&mut Simple::default(), depth + 1)?;
        self.found.append(&mut inner.found);
        Ok(())
    }

    fn skip_comment(&mut self) {
        let length = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = self.rest.get(length..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::{Unclear, commands};

    fn check(text: &str, expected: &[&[&str]]) {
        assert_eq!(commands(text).unwrap(), expected, "{text}");
    }

    #[test]
    fn words_are_told_as_a_shell_tells_them() {
        check("a 'b c' \"d e\" f\\ g", &[&["a", "b c", "d e", "f g"]]);
        check("a;b&&c||d|e & f\ng", &[&["a"], &["b"], &["c"], &["d"], &["e"], &["f"], &["g"]]);
        check("a 2>&1 >x b <y", &[&["a", "b"]]);
        check("a \\\n b # c d", &[&["a", "b"]]);
        check("(a; b) x", &[&["a"], &["b"], &["x"]]);
    }

    #[test]
    fn substitutions_are_commands_wherever_a_shell_runs_them() {
        check("a \"$(b c)\" `d`", &[&["b", "c"], &["d"], &["a", ""]]);
        check("a '$(b c)'", &[&["a", "$(b c)"]]);
        check("a <(b)", &[&["b"], &["a"]]);
    }

    #[test]
    fn documents_are_text() {
        check("git commit -F - <<'E'\nb c\n$(d)\nE\ne", &[&["git", "commit", "-F", "-"], &["e"]]);
        check("a <<E\n\"x $(b c) y\nE\n", &[&["a"], &["b", "c"]]);
        check("a \"$(cat <<'E'\nb; c\nE\n)\"", &[&["cat"], &["a", ""]]);
    }

    #[test]
    fn what_is_not_closed_is_unclear() {
        let deep = "$(".repeat(40);
        for text in ["a 'b", "a \"b", "a $(b", "a `b", "a <<E\nb", "a $'b'", deep.as_str()] {
            assert_eq!(commands(text), Err(Unclear), "{text}");
        }
    }
}
