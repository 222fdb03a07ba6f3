//! One word.

use super::Word;
use super::choices;
use super::document;
use super::list::{Reading, ends_a_word};
use super::signs::{is_plain, is_wild, refused};
use super::variable::is_name;

/// Behind this word quotes mean nothing to PowerShell.
const STOPS_PARSING: &str = "--%";

impl<'a> Reading<'a> {
    pub(super) fn word(&mut self) -> Result<Word, String> {
        if let Some((sign, after, is_same)) = lone_sign(self.rest)
            && (is_same || self.is_posix())
        {
            self.rest = after;
            return Ok(Word { text: sign.to_owned(), ..Word::default() });
        }
        if let Some(read) = document::literal(self.rest).filter(|_| self.is_posix()) {
            let (text, after) = read?;
            self.rest = after;
            return match ends_a_word(after) {
                true => Ok(Word { text, quoted: true, ..Word::default() }),
                false => Err("a here-document is a part of a word".to_owned()),
            };
        }
        self.of_parts()
    }

    fn of_parts(&mut self) -> Result<Word, String> {
        let (mut word, mut parts, mut is_glob) = (Word::default(), 0_usize, false);
        while let Some(c) = self.rest.chars().next() {
            if let Some((entry, after)) = log_entry(&word.text, self.rest)
                && !word.quoted
                && self.is_posix()
            {
                word.text.push_str(entry);
                (word.braces, self.rest) = (true, after);
                parts += 1;
                continue;
            }
            if let Some((group, after)) =
                choices::begun(self.rest).filter(|_| !word.text.ends_with('@') && self.is_posix())
            {
                word.text.push_str(group);
                (word.choices, self.rest) = (true, after);
                parts += 1;
                continue;
            }
            if let Some((class, after)) = class(self.rest).filter(|_| !word.text.starts_with('-'))
                && self.is_posix()
            {
                word.text.push_str(class);
                self.rest = after;
                (is_glob, word.single) = (true, false);
                parts += 1;
                continue;
            }
            match c {
                ' ' | '|' | ';' | '\n' => break,
                ')' if self.closes() => break,
                '&' if self.rest.starts_with("&&") => break,
                '\'' | '"' => {
                    self.skip(c);
                    self.quoted(c, &mut word)?;
                    word.quoted = true;
                    word.single = c == '\'' && parts == 0;
                }
                '$' => {
                    self.variable(&mut word, false)?;
                    word.single = false;
                }
                '\\' if let Some((sign, after)) = escaped(self.rest, &word.text)
                    && self.is_posix() =>
                {
                    self.rest = after;
                    word.text.push(sign);
                    (word.quoted, word.single) = (true, false);
                }
                c => {
                    word.sets |= c == '=' && !word.quoted && is_name(&word.text);
                    is_glob |= is_wild(c) && !word.text.starts_with("--");
                    self.skip(c);
                    word.text.push(unquoted(c, &word.text, self.rest)?);
                    word.single = false;
                }
            }
            parts += 1;
        }
        word.single &= parts == 1;
        let is_of_loop = word.pattern;
        word.pattern |= is_glob;
        if is_glob && (word.quoted || word.open || word.braces) {
            return Err("a pattern of files is partly quoted".to_owned());
        }
        // With more of it than the name of one of a loop's files it is no path of such a file.
        if is_of_loop && (word.open || word.braces || !is_below_one(&word.text)) {
            (word.pattern, word.open) = (false, true);
        }
        if word.choices && (word.quoted || word.open || word.braces || word.sets || is_of_loop) {
            return Err("a word with braces is partly quoted, or stands for something else".to_owned());
        }
        if word.text == STOPS_PARSING {
            return Err(format!("`{STOPS_PARSING}` changes how PowerShell reads the rest"));
        }
        Ok(word)
    }

    /// Passes over a sign that stands here.
    pub(super) fn skip(&mut self, sign: char) {
        self.rest = self.rest.get(sign.len_utf8()..).unwrap_or_default();
    }
}

/// A sign that is taken for itself within a word, as in `a\ b` and `app/\[id\]/page.tsx`, and what stands behind it.
fn escaped<'a>(rest: &'a str, before: &str) -> Option<(char, &'a str)> {
    let after = rest.strip_prefix('\\')?;
    let sign = after.chars().next().filter(|sign| " []()".contains(*sign))?;
    let after = after.get(1..).filter(|after| !before.is_empty() && (sign != ' ' || !ends_a_word(after)))?;
    Some((sign, after))
}

/// The signs in brackets of which a shell puts one there, as in `app/[id]/page.tsx`: where no file has such a name, the word is itself.
fn class(rest: &str) -> Option<(&str, &str)> {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "._-".contains(sign);
    let inner = rest.strip_prefix('[')?;
    let name = inner.get(..inner.find(|sign| !is_part(sign))?).filter(|name| !name.is_empty())?;
    inner.strip_prefix(name)?.strip_prefix(']')?;
    rest.split_at_checked(name.len() + 2)
}

/// Whether a text is a pattern of files and what may stand around it in a path.
fn is_below_one(text: &str) -> bool {
    text.chars().all(|sign| is_plain(sign) || is_wild(sign) || "[]".contains(sign))
}

/// Signs that are a word by themselves, as in `[ -f a ]` and `find . \( ! -name a \) -exec wc {} \;`, what the program
/// gets, and whether PowerShell takes them for themselves, too. No shell looks for files or for an older command by them.
fn lone_sign(text: &str) -> Option<(&'static str, &str, bool)> {
    const SIGNS: &[(&str, &str)] = &[
        ("[", "["),
        ("]", "]"),
        ("[[", "[["),
        ("]]", "]]"),
        ("!", "!"),
        ("\\(", "("),
        ("\\)", ")"),
        ("\\;", ";"),
        ("{}", "{}"),
        ("-I{}", "-I{}"),
    ];
    SIGNS.iter().find_map(|(spelled, sign)| {
        let after = text.strip_prefix(spelled).filter(|after| ends_a_word(after))?;
        Some((*sign, after, !spelled.contains(['\\', '{'])))
    })
}

/// The `{1}` of `HEAD@{1}`, which names an entry of a log to git, and the `{u}` of `@{u}`. A single word in braces is itself to the shells of a
/// system where they follow POSIX, and to cmd.exe; on Windows a host may hand any command to PowerShell.
fn log_entry<'a>(before: &str, rest: &'a str) -> Option<(&'a str, &'a str)> {
    let (number, _) = rest.strip_prefix('{')?.split_once('}')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = is_number || matches!(number, "u" | "upstream" | "push");
    let is_read = before.ends_with('@') && is_known;
    is_read.then(|| rest.split_at_checked(number.len() + 2)).flatten()
}

/// An unquoted character, given the part of the word before it. `=` may start no word (zsh expands it there), `~` only
/// stands inside a revision such as `HEAD~2`, and of options `*` only stands in the value of a long one: whatever a shell
/// puts there still is a value of that option.
fn unquoted(c: char, before: &str, behind: &str) -> Result<char, String> {
    let fits = match c {
        '=' => !before.is_empty(),
        '*' if before.starts_with("--") => before.contains('='),
        c if is_wild(c) => !before.starts_with('-'),
        '~' => before.ends_with(ends_a_revision),
        '^' => is_parent(before, behind),
        c => is_plain(c),
    };
    if fits { Ok(c) } else { Err(refused(c)) }
}

fn ends_a_revision(last: char) -> bool {
    last.is_ascii_alphanumeric() || matches!(last, '^' | '}' | '@')
}

/// Whether a `^` stands where it means a parent to git, as in `HEAD^`, `HEAD^2~3` and `main^..main`. zsh may take it for a
/// pattern of names that begin like the revision, and cmd.exe drops it, with what ends a command if that were behind it.
fn is_parent(before: &str, behind: &str) -> bool {
    let follows = |next: char| next.is_ascii_digit() || " ~^.:".contains(next);
    before.ends_with(ends_a_revision) && behind.chars().next().is_none_or(follows)
}
