//! Wildcards of paths: `?`, `*`, `**` and classes, as gitignore(5) means them. Knows nothing of scopes, ignore rules or
//! braces.
//!
//! A pattern is read by characters or by bytes: git does the latter, so that its `?` is half of an `é`. Matching takes
//! time in the product of both lengths, whatever the pattern is.

use std::ops::RangeInclusive;

/// What one sign of a pattern or path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Character,
    Byte,
}

impl Unit {
    /// A text in these units.
    pub(crate) fn split(self, text: &str) -> Vec<u32> {
        match self {
            Self::Character => text.chars().map(u32::from).collect(),
            Self::Byte => text.bytes().map(u32::from).collect(),
        }
    }
}

/// How a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) unit: Unit,
    /// Whether case counts for nothing; the text is then in lower case.
    pub(crate) folds_case: bool,
    /// Whether `**` right behind the literal beginning of a pattern counts as if a `/` stood there, as in git.
    pub(crate) as_git: bool,
}

/// A pattern, ready to be asked.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    tokens: Vec<Token>,
    folds_case: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Sign(u32),
    /// `?`
    One,
    /// `*`
    Many,
    /// `**` at the end: everything below.
    All,
    /// `**/`: nothing, or what [`Token::Folders`] behind it stands for.
    Deep,
    /// Any folders with the `/` behind them.
    Folders,
    Class {
        negated: bool,
        ranges: Vec<RangeInclusive<u32>>,
    },
}

const SLASH: u32 = '/' as u32;

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Why it is none.
    pub(crate) fn new(text: &str, reading: Reading) -> Result<Self, String> {
        let signs = reading.unit.split(text);
        let is_special = |sign: &u32| "*?[\\".chars().any(|special| *sign == u32::from(special));
        let literal = signs.iter().position(is_special).unwrap_or(signs.len());
        let stars_begin = if reading.as_git { literal } else { 0 };
        let mut parser = Parser { signs: &signs, at: 0, stars_begin, reading, tokens: Vec::new() };
        while parser.at < signs.len() {
            parser.token()?;
        }
        Ok(Self { tokens: parser.tokens, folds_case: reading.folds_case })
    }

    /// Whether the whole text has the pattern's form.
    pub(crate) fn matches(&self, text: &[u32]) -> bool {
        let mut states = vec![false; self.tokens.len() + 1];
        self.enter(&mut states, 0);
        for sign in text {
            let mut next = vec![false; states.len()];
            let mut any = false;
            for (at, token) in self.tokens.iter().enumerate() {
                if !states.get(at).copied().unwrap_or_default() {
                    continue;
                }
                let (stays, goes_on) = self.step(token, *sign);
                if stays {
                    self.enter(&mut next, at);
                }
                if goes_on {
                    self.enter(&mut next, at + 1);
                }
                any |= stays || goes_on;
            }
            if !any {
                return false;
            }
            states = next;
        }
        states.last().copied().unwrap_or_default()
    }

    /// Marks a place, and those behind what may stand for nothing.
    fn enter(&self, states: &mut [bool], at: usize) {
        let Some(state) = states.get_mut(at) else { return };
        if std::mem::replace(state, true) {
            return;
        }
        match self.tokens.get(at) {
            Some(Token::Many | Token::All) => self.enter(states, at + 1),
            Some(Token::Deep) => {
                self.enter(states, at + 1);
                self.enter(states, at + 2);
            }
            _ => {}
        }
    }

    /// Whether a token takes the sign and stays, and whether it takes it and is over.
    fn step(&self, token: &Token, sign: u32) -> (bool, bool) {
        match token {
            Token::Sign(wanted) => (false, self.is_sign(*wanted, sign)),
            Token::One => (false, sign != SLASH),
            Token::Many => (sign != SLASH, false),
            Token::All => (true, false),
            Token::Deep => (false, false),
            Token::Folders => (true, sign == SLASH),
            Token::Class { negated, ranges } => {
                let holds = |sign: u32| ranges.iter().any(|range| range.contains(&sign));
                let found = holds(sign) || self.folds_case && upper(sign).is_some_and(holds);
                (false, sign != SLASH && found != *negated)
            }
        }
    }

    fn is_sign(&self, wanted: u32, sign: u32) -> bool {
        wanted == sign || self.folds_case && upper(sign) == Some(wanted)
    }
}

/// The capital of a sign, where it is one sign.
fn upper(sign: u32) -> Option<u32> {
    let mut capitals = char::from_u32(sign)?.to_uppercase();
    let capital = capitals.next()?;
    capitals.next().is_none().then(|| u32::from(capital))
}

struct Parser<'a> {
    signs: &'a [u32],
    at: usize,
    /// Where `**` may stand as if behind a `/`.
    stars_begin: usize,
    reading: Reading,
    tokens: Vec<Token>,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.signs.get(self.at + ahead).copied().and_then(char::from_u32)
    }

    fn take(&mut self) -> Option<u32> {
        let sign = self.signs.get(self.at).copied();
        self.at += 1;
        sign
    }

    fn token(&mut self) -> Result<(), String> {
        match self.peek(0) {
            Some('*') => self.stars(),
            Some('?') => {
                self.at += 1;
                self.tokens.push(Token::One);
            }
            Some('[') => {
                let class = self.class()?;
                self.tokens.push(class);
            }
            _ => {
                let sign = self.escaped()?;
                self.tokens.push(Token::Sign(sign));
            }
        }
        Ok(())
    }

    /// One sign, without the back-slash before it.
    fn escaped(&mut self) -> Result<u32, String> {
        let sign = self.take();
        let sign = if sign == Some(u32::from('\\')) { self.take() } else { sign };
        sign.ok_or_else(|| "nothing stands behind the last `\\`".to_owned())
    }

    fn stars(&mut self) {
        let start = self.at;
        while self.peek(0) == Some('*') {
            self.at += 1;
        }
        let behind_slash = start == 0
            || start == self.stars_begin
            || self.signs.get(start - 1).is_some_and(|sign| *sign == SLASH);
        let escaped_slash = self.peek(0) == Some('\\') && self.peek(1) == Some('/');
        match self.peek(0) {
            _ if self.at - start < 2 || !behind_slash => self.tokens.push(Token::Many),
            None => self.tokens.push(Token::All),
            Some('/') => {
                self.at += 1;
                self.tokens.extend([Token::Deep, Token::Folders]);
            }
            _ if escaped_slash => {
                self.at += 2;
                self.tokens.extend([Token::Deep, Token::Folders]);
            }
            _ => self.tokens.push(Token::Many),
        }
    }

    fn class(&mut self) -> Result<Token, String> {
        self.at += 1;
        let negated = matches!(self.peek(0), Some('!' | '^'));
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        let mut first = true;
        while first || self.peek(0) != Some(']') {
            first = false;
            if let Some(named) = self.named_class()? {
                ranges.extend(named);
                continue;
            }
            let unclosed = |_| "a `[` is not closed".to_owned();
            let low = self.escaped().map_err(unclosed)?;
            if self.peek(0) == Some('-') && self.peek(1).is_some_and(|next| next != ']') {
                self.at += 1;
                let high = self.escaped().map_err(unclosed)?;
                if high < low && self.reading.unit == Unit::Character {
                    return Err("a range in brackets goes backwards".to_owned());
                }
                ranges.push(low..=high);
            } else {
                ranges.push(low..=low);
            }
            if self.at >= self.signs.len() {
                return Err("a `[` is not closed".to_owned());
            }
        }
        self.at += 1;
        Ok(Token::Class { negated, ranges })
    }

    /// `[:alpha:]` and its like inside of brackets.
    fn named_class(&mut self) -> Result<Option<Vec<RangeInclusive<u32>>>, String> {
        if self.peek(0) != Some('[') || self.peek(1) != Some(':') {
            return Ok(None);
        }
        let rest = self.signs.get(self.at + 2..).unwrap_or_default();
        let Some(end) = rest.iter().position(|sign| *sign == u32::from(']')) else {
            return Err("a `[` is not closed".to_owned());
        };
        let Some(name) = rest.get(..end).and_then(|name| name.strip_suffix(&[u32::from(':')])) else {
            return Ok(None);
        };
        let name: String = name.iter().copied().filter_map(char::from_u32).collect();
        let ranges = named_ranges(&name, self.reading.folds_case)
            .ok_or_else(|| format!("`[:{name}:]` is no class of signs"))?;
        self.at += end + 3;
        Ok(Some(ranges.into_iter().map(|(low, high)| u32::from(low)..=u32::from(high)).collect()))
    }
}

fn named_ranges(name: &str, folds_case: bool) -> Option<Vec<(char, char)>> {
    const LOWER: (char, char) = ('a', 'z');
    const UPPER: (char, char) = ('A', 'Z');
    const DIGIT: (char, char) = ('0', '9');
    Some(match name {
        "alnum" => vec![LOWER, UPPER, DIGIT],
        "alpha" => vec![LOWER, UPPER],
        "lower" | "upper" if folds_case => vec![LOWER, UPPER],
        "lower" => vec![LOWER],
        "upper" => vec![UPPER],
        "digit" => vec![DIGIT],
        "xdigit" => vec![DIGIT, ('a', 'f'), ('A', 'F')],
        "blank" => vec![(' ', ' '), ('\t', '\t')],
        "space" => vec![(' ', ' '), ('\t', '\r')],
        "cntrl" => vec![('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "graph" => vec![('!', '~')],
        "print" => vec![(' ', '~')],
        "punct" => vec![('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Reading, Unit};

    fn matches(pattern: &str, text: &str, unit: Unit) -> bool {
        let reading = Reading { unit, folds_case: false, as_git: false };
        Pattern::new(pattern, reading).unwrap().matches(&unit.split(text))
    }

    #[test]
    fn wildcards_mean_what_gitignore_says() {
        for (pattern, text, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a/b.rs", false),
            ("**/a", "a", true),
            ("**/a", "x/y/a", true),
            ("**/a", "xa", false),
            ("a/**", "a/b/c", true),
            ("a/**", "a", false),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "axb", false),
            ("a**b", "axyb", true),
            ("a**b", "a/b", false),
            ("?", "/", false),
            ("[!a]", "/", false),
            ("[!a]", "b", true),
            ("[]a]", "]", true),
            ("[a-c]", "b", true),
            ("[a-]", "-", true),
            ("[[:digit:]x]", "7", true),
            (r"\*", "*", true),
            (r"[\]]", "]", true),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, text, Unit::Character), expected, "{pattern} {text}");
            assert_eq!(matches(pattern, text, Unit::Byte), expected, "{pattern} {text}");
        }
    }

    // A15
    #[test]
    fn one_sign_is_a_character_or_a_byte() {
        for (pattern, text, by_character, by_byte) in [
            ("?", "\u{e9}", true, false),
            ("??", "\u{e9}", false, true),
            ("[\u{e9}]", "\u{e9}", true, false),
            ("[\u{e9}][\u{e9}]", "\u{e9}", false, true),
            ("[!a]", "\u{e9}", true, false),
            ("*", "\u{e9}", true, true),
        ] {
            assert_eq!(matches(pattern, text, Unit::Character), by_character, "{pattern} {text}");
            assert_eq!(matches(pattern, text, Unit::Byte), by_byte, "{pattern} {text}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_an_error() {
        for pattern in ["[", "[a", "[]", "[!", "[a-", "[z-a]", "a\\", "[[:nothing:]]", "[[:alpha:"] {
            let reading = Reading { unit: Unit::Character, folds_case: false, as_git: false };
            assert!(Pattern::new(pattern, reading).is_err(), "{pattern}");
        }
    }

    // A16 in spirit: the time is bounded by the product of the lengths
    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(2_000), Unit::Byte));
    }
}
