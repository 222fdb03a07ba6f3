//! What the signs of a pattern mean by gitignore(5), spelled so that `globset` reads the same: braces are signs, a class
//! has named classes and escapes and never holds a `/`, and `**` is deep only where it stands alone.

/// How a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// What is read.
    pub(crate) of: Kind,
    /// How case counts.
    pub(crate) case: Case,
}

/// What a pattern is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A path of a scope.
    Scope,
    /// A name in an ignore rule.
    Name,
    /// A path in an ignore rule: git compares its literal beginning alone, so that `a**/b` goes deep.
    Path,
}

/// How case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Counts,
    Folds,
    /// As to git: it compares the path in lower case, so a capital alone in a class fits nothing.
    FoldsAsGit,
}

/// The globs that a pattern stands for.
///
/// # Errors
/// Why it is none.
pub(crate) fn spelled(pattern: &str, reading: Reading) -> Result<Vec<String>, String> {
    let signs: Vec<char> = pattern.chars().collect();
    let literal = signs.iter().position(|sign| matches!(sign, '*' | '?' | '[' | '\\')).unwrap_or(signs.len());
    let mut speller = Speller { signs: &signs, at: 0, literal, reading, out: String::new(), fork: None };
    while speller.at < signs.len() {
        speller.sign()?;
    }
    let Speller { out, fork, .. } = speller;
    let Some((at, either)) = fork else { return Ok(vec![out]) };
    let (before, after) = out.split_at_checked(at).unwrap_or((&out, ""));
    Ok(either.iter().map(|between| format!("{before}{between}{after}")).collect())
}

/// The literal pieces of a glob that [`spelled`] made, each between what is none. Slashes are left out: `**/` may stand
/// for none.
pub(crate) fn literals(spelled: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut signs = spelled.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => pieces.last_mut().into_iter().for_each(|piece| piece.extend(signs.next())),
            '*' | '?' | '/' => pieces.push(String::new()),
            '[' => {
                // Behind the first sign, which may be a `]`, the next one closes the class.
                let body = signs.as_str().strip_prefix('!').unwrap_or(signs.as_str());
                let end = body.char_indices().skip(1).find(|(_, sign)| *sign == ']');
                signs = end.and_then(|(at, _)| body.get(at + 1..)).unwrap_or_default().chars();
                pieces.push(String::new());
            }
            sign => pieces.last_mut().into_iter().for_each(|piece| piece.push(sign)),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// How many signs the class at a place has; `None` where it is not closed.
pub(crate) fn class_length(signs: &[char], at: usize) -> Option<usize> {
    let reading = Reading { of: Kind::Scope, case: Case::Counts };
    let mut reader = Speller { signs, at, literal: 0, reading, out: String::new(), fork: None };
    reader.class().ok().map(|_| reader.at - at)
}

struct Speller<'a> {
    signs: &'a [char],
    at: usize,
    /// How many signs the literal beginning has.
    literal: usize,
    reading: Reading,
    out: String,
    /// A place in `out` where one text or the other belongs.
    fork: Option<(usize, [&'static str; 2])>,
}

/// What a class holds.
struct Class {
    is_negated: bool,
    ranges: Vec<(char, char)>,
}

const UNCLOSED: &str = "a `[` is not closed";

impl Speller<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.signs.get(self.at + ahead).copied()
    }

    fn take(&mut self) -> Option<char> {
        let sign = self.peek(0);
        self.at += 1;
        sign
    }

    fn sign(&mut self) -> Result<(), String> {
        match self.peek(0) {
            Some('*') => self.stars(),
            Some('?') => {
                self.at += 1;
                self.out.push('?');
            }
            Some('[') => {
                let class = self.class()?;
                self.out.push_str(&class.spelled(self.reading.case));
            }
            _ => {
                let sign = self.escaped().ok_or("nothing follows the last `\\`")?;
                if "*?[]{},!\\".contains(sign) {
                    self.out.push('\\');
                }
                self.out.push(sign);
            }
        }
        Ok(())
    }

    /// One sign, without the back-slash before it.
    fn escaped(&mut self) -> Option<char> {
        match self.take() {
            Some('\\') => self.take(),
            sign => sign,
        }
    }

    /// How many signs there are in a `/`, which may have a back-slash before it.
    fn slash(&self) -> Option<usize> {
        match (self.peek(0), self.peek(1)) {
            (Some('/'), _) => Some(1),
            (Some('\\'), Some('/')) => Some(2),
            _ => None,
        }
    }

    fn stars(&mut self) {
        let start = self.at;
        while self.peek(0) == Some('*') {
            self.at += 1;
        }
        let count = self.at - start;
        let is_deep = self.is_deep(count);
        let after_slash = start == 0 || self.signs.get(start - 1) == Some(&'/');
        let forks = self.reading.of == Kind::Path && start == self.literal && !after_slash;
        let is_last = self.at >= self.signs.len();
        match self.slash() {
            _ if !is_deep || !(after_slash || forks) => self.out.push('*'),
            None if is_last && forks => self.fork = Some((self.out.len(), ["*", "*/**"])),
            None if is_last => self.out.push_str("**"),
            None => self.out.push('*'),
            Some(slash) => {
                self.at += slash;
                self.skip_deep();
                if forks {
                    self.fork = Some((self.out.len(), ["", "*/**/"]));
                } else {
                    self.out.push_str("**/");
                }
            }
        }
    }

    /// Whether so many stars may stand for folders.
    fn is_deep(&self, count: usize) -> bool {
        if self.reading.of == Kind::Scope { count == 2 } else { count > 1 }
    }

    /// Passes over every other `**/`: the first one says it all. One at the end stays.
    fn skip_deep(&mut self) {
        loop {
            let start = self.at;
            while self.peek(0) == Some('*') {
                self.at += 1;
            }
            match self.slash() {
                Some(slash) if self.is_deep(self.at - start) => self.at += slash,
                _ => {
                    self.at = start;
                    return;
                }
            }
        }
    }

    fn class(&mut self) -> Result<Class, String> {
        self.at += 1;
        let is_negated = matches!(self.peek(0), Some('!' | '^'));
        self.at += usize::from(is_negated);
        let mut ranges = Vec::new();
        let mut is_first = true;
        while is_first || self.peek(0) != Some(']') {
            is_first = false;
            if let Some(named) = self.named_class()? {
                ranges.extend(named);
                continue;
            }
            let low = self.escaped().ok_or(UNCLOSED)?;
            if self.peek(0) == Some('-') && self.peek(1).is_some_and(|next| next != ']') {
                self.at += 1;
                let high = self.escaped().ok_or(UNCLOSED)?;
                if high < low {
                    return Err("a range in brackets goes backwards".to_owned());
                }
                ranges.push((low, high));
            } else {
                ranges.push((low, low));
            }
            if self.at >= self.signs.len() {
                return Err(UNCLOSED.to_owned());
            }
        }
        self.at += 1;
        Ok(Class { is_negated, ranges })
    }

    /// `[:alpha:]` and its like inside of brackets.
    fn named_class(&mut self) -> Result<Option<Vec<(char, char)>>, String> {
        if self.peek(0) != Some('[') || self.peek(1) != Some(':') {
            return Ok(None);
        }
        let rest = self.signs.get(self.at + 2..).unwrap_or_default();
        let end = rest.iter().position(|sign| *sign == ']').ok_or(UNCLOSED)?;
        let Some(name) = rest.get(..end).and_then(|name| name.strip_suffix(&[':'])) else { return Ok(None) };
        let name: String = name.iter().collect();
        let ranges =
            named_ranges(&name).ok_or_else(|| format!("`[:{name}:]` is not a class of characters"))?;
        self.at += end + 3;
        Ok(Some(ranges))
    }
}

impl Class {
    /// The class as `globset` reads it, where a back-slash is a sign, `]` may stand first only and `-` last only. A NUL
    /// stands first where nothing else has to: no path holds one, and behind it `!` and `^` are signs.
    fn spelled(&self, case: Case) -> String {
        let mut singles = String::new();
        let mut ranges = String::new();
        for (low, high) in self.ranges.iter().copied() {
            if case == Case::FoldsAsGit && low == high && low.is_ascii_uppercase() {
                continue;
            }
            let has_slash = (low..=high).contains(&'/');
            let pieces = if has_slash { vec![(low, '.'), ('0', high)] } else { vec![(low, high)] };
            for (mut low, mut high) in pieces {
                while low <= high && is_special(low) {
                    singles.push(low);
                    low = next(low);
                }
                while low <= high && is_special(high) {
                    singles.push(high);
                    high = previous(high);
                }
                if low < high {
                    ranges.extend([low, '-', high]);
                } else if low == high {
                    ranges.push(low);
                }
            }
        }
        let has = |sign| singles.contains(sign);
        let mut out = String::from(if self.is_negated { "[!" } else { "[" });
        out.push(if has(']') { ']' } else { '\0' });
        out.push_str(&ranges);
        if self.is_negated {
            out.push('/');
        }
        out.extend(['!', '^'].into_iter().filter(|sign| has(*sign)));
        if has('-') {
            out.push('-');
        }
        out + "]"
    }
}

/// Signs that mean something to `globset` in a class.
fn is_special(sign: char) -> bool {
    matches!(sign, ']' | '-' | '!' | '^')
}

fn next(sign: char) -> char {
    char::from_u32(u32::from(sign) + 1).unwrap_or(char::MAX)
}

fn previous(sign: char) -> char {
    char::from_u32(u32::from(sign).saturating_sub(1)).unwrap_or_default()
}

fn named_ranges(name: &str) -> Option<Vec<(char, char)>> {
    const LOWER: (char, char) = ('a', 'z');
    const UPPER: (char, char) = ('A', 'Z');
    const DIGIT: (char, char) = ('0', '9');
    Some(match name {
        "alnum" => vec![LOWER, UPPER, DIGIT],
        "alpha" => vec![LOWER, UPPER],
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
