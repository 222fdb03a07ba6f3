//! Splits a command into the parts of a pipeline and those into literal words, or says what in it is not literal.
//!
//! The grammar is far smaller than any shell's: words of harmless characters, `'…'` and `"…"` without anything that a
//! shell expands, and `|` between parts. What every shell agrees on is accepted; everything else is refused, never
//! guessed.

/// One word after its quotes were removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text that the program gets.
    pub(crate) text: String,
    /// Whether any of it was quoted.
    pub(crate) quoted: bool,
    /// Whether it was one pair of single quotes and nothing else.
    pub(crate) single: bool,
}

/// Characters that mean themselves to every shell, wherever they stand in a word.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-./:,+@%".contains(c)
}

/// Inside quotes only letters and digits of other scripts are taken: a shell in another locale may see anything else
/// as something else.
fn is_quotable(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric())
}

/// The words of each part of a pipeline; a simple command is one part. No part of several is empty, so that `||` is none.
pub(crate) fn split(command: &str) -> Result<Vec<Vec<Word>>, String> {
    let (mut parts, mut words) = (Vec::new(), Vec::new());
    let mut rest = command.chars().peekable();
    loop {
        while rest.next_if_eq(&' ').is_some() {}
        let ends = rest.peek().is_none();
        if !ends && rest.next_if_eq(&'|').is_none() {
            words.push(word(&mut rest)?);
            continue;
        }
        if words.is_empty() && !(ends && parts.is_empty()) {
            return Err("a part of the pipeline is empty".to_owned());
        }
        parts.push(std::mem::take(&mut words));
        if ends {
            return Ok(parts);
        }
    }
}

/// Behind this word quotes mean nothing to PowerShell.
const STOPS_PARSING: &str = "--%";

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn word(rest: &mut Chars<'_>) -> Result<Word, String> {
    let mut word = Word { text: String::new(), quoted: false, single: false };
    let mut parts = 0_usize;
    while let Some(&c) = rest.peek() {
        match c {
            ' ' | '|' => break,
            '\'' | '"' => {
                rest.next();
                quoted(rest, c, &mut word.text)?;
                word.quoted = true;
                word.single = c == '\'' && parts == 0;
                parts += 1;
            }
            c => {
                word.text.push(unquoted(c, &word.text)?);
                word.single = false;
                parts += 1;
                rest.next();
            }
        }
    }
    word.single &= parts == 1;
    if word.text == STOPS_PARSING {
        return Err(format!("`{STOPS_PARSING}` changes how PowerShell reads the rest"));
    }
    Ok(word)
}

fn quoted(rest: &mut Chars<'_>, quote: char, text: &mut String) -> Result<(), String> {
    for c in rest.by_ref() {
        if c == quote {
            // fish reads `\'` inside of single quotes as a quote that does not end them.
            return if text.ends_with('\\') { Err("a quote ends behind `\\`".to_owned()) } else { Ok(()) };
        }
        if !is_quotable(c) || (quote == '"' && "$`\\!".contains(c)) {
            return Err(format!("{} stands inside quotes", named(c)));
        }
        text.push(c);
    }
    Err("a quote is not closed".to_owned())
}

/// An unquoted character, given the part of the word before it. `=` may start no word (zsh expands it there), `~` only
/// stands inside a revision such as `HEAD~2`.
fn unquoted(c: char, before: &str) -> Result<char, String> {
    let fits = match c {
        '=' => !before.is_empty(),
        '~' => before.ends_with(|last: char| last.is_ascii_alphanumeric()),
        c => is_plain(c),
    };
    if fits { Ok(c) } else { Err(format!("{} is not a plain character", named(c))) }
}

fn named(c: char) -> String {
    if c.is_ascii_graphic() { format!("`{c}`") } else { format!("the character U+{:04X}", u32::from(c)) }
}
