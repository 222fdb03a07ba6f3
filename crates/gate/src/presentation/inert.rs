//! Makes text inert before a person sees it: no escape sequence, bidirectional control or carriage return reaches a
//! terminal, and long padding is folded.

use std::borrow::Cow;

use bailiwick_domain::is_invisible;

/// The lines of a text, each with control and invisible characters made visible.
pub fn lines(text: &str) -> Vec<String> {
    fold(text.split('\n').map(line).collect())
}

/// A text of several lines as one: its line breaks stay, and nothing else in it controls anything.
pub fn text(text: &str) -> String {
    lines(text.trim_end()).join("\n")
}

/// So many blanks in a row are shown within a line, and so many before it; of more the line says how many there are.
const INNER: usize = 40;
const INDENTATION: usize = 80;

/// One line with control and invisible characters made visible and long runs of blanks folded; tabs become spaces.
pub fn line(text: &str) -> String {
    shown(text).into_owned()
}

/// The same without a copy of what is plain: what is borrowed is ASCII that can be seen.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !has_long_run(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut run = Run::default();
    for (at, c) in text.chars().enumerate() {
        if is_blank(c) {
            run.takes(c, at == 0 || (at == 1 && text.starts_with(['+', '-'])));
            continue;
        }
        run.ends(&mut out);
        match c {
            c if c.is_control() || is_invisible(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    run.ends(&mut out);
    Cow::Owned(out)
}

/// Whether nobody sees it, although it takes its place.
fn is_blank(c: char) -> bool {
    matches!(c, '\t' | '\u{2800}') || (c.is_whitespace() && !c.is_control() && !is_invisible(c))
}

fn has_long_run(text: &str) -> bool {
    text.as_bytes()
        .chunk_by(|one, next| one == next)
        .any(|run| run.len() > INNER && run.first() == Some(&b' '))
}

/// Blanks that follow each other.
#[derive(Default)]
struct Run {
    text: String,
    columns: usize,
    is_indentation: bool,
    is_plain: bool,
}

impl Run {
    fn takes(&mut self, c: char, is_first: bool) {
        if self.columns == 0 {
            (self.is_indentation, self.is_plain) = (is_first, true);
        }
        let (shown, columns) = if c == '\t' { (' ', 4) } else { (c, 1) };
        self.columns += columns;
        self.is_plain &= shown == ' ';
        self.text.extend(std::iter::repeat_n(shown, columns));
    }

    fn ends(&mut self, out: &mut String) {
        let Self { text, columns, is_indentation, is_plain } = std::mem::take(self);
        if columns > if is_indentation { INDENTATION } else { INNER } {
            let blanks = if is_plain { "spaces" } else { "blanks" };
            out.push_str(&format!("‹{columns} {blanks}›"));
        } else {
            out.push_str(&text);
        }
    }
}

/// A text of at most about `limit` bytes: of a longer one the beginning and the end, and how much is left out between
/// them, so that nothing hides behind padding.
pub fn both_ends(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(limit / 2);
    let tail = text.ceil_char_boundary(text.len() - limit / 2);
    let (shown, end) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    format!(
        "{shown}\n… {} bytes are not shown here; `bailiwick approval list` shows all …\n{end}",
        tail - head
    )
}

/// More than three blank lines in a row say how many they are, so that nothing hides below them.
fn fold(lines: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut out = Vec::with_capacity(lines.len());
    let mut blank = 0;
    for text in lines {
        let body = text.trim_start_matches(['+', '-', ' ']);
        if body.is_empty() {
            blank += 1;
            if blank <= SHOWN {
                out.push(text);
            }
            continue;
        }
        if blank > SHOWN {
            out.push(format!("… {} more blank lines …", blank - SHOWN));
        }
        blank = 0;
        out.push(text);
    }
    if blank > SHOWN {
        out.push(format!("… {} more blank lines …", blank - SHOWN));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{both_ends, line, lines};

    // threat G1
    #[test]
    fn a_long_run_of_blanks_says_how_long_it_is_and_an_indentation_stays() {
        let run = |blank: &str, count: usize| blank.repeat(count);
        assert_eq!(line(&format!("a{}b", run(" ", 3_000))), "a‹3000 spaces›b");
        assert_eq!(line(&format!("a{}b", run("\t", 20))), "a‹80 spaces›b");
        for blank in ["\u{a0}", "\u{2800}", "\u{3000}", "\u{2003}"] {
            assert_eq!(line(&format!("a{}b", run(blank, 50))), "a‹50 blanks›b", "{blank:?}");
        }
        for kept in
            [run(" ", 80) + "x", "+".to_owned() + &run(" ", 80) + "x", "a".to_owned() + &run(" ", 40) + "b"]
        {
            assert_eq!(line(&kept), kept);
        }
        assert_eq!(lines(&format!("+{}x\ny", run(" ", 81))), ["+‹81 spaces›x", "y"]);
    }

    // threat G1
    #[test]
    fn a_long_text_shows_both_ends_and_how_much_is_left_out() {
        assert_eq!(both_ends("short", 100), "short");
        let text = format!("HEAD{}TAIL", "\u{e9}".repeat(5_000));
        let shown = both_ends(&text, 1_000);
        assert!(shown.starts_with("HEAD") && shown.ends_with("TAIL") && shown.len() < 1_200);
        assert!(shown.contains(" bytes are not shown here"));
    }
}
