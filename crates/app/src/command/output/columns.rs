//! Text fitted to the width of a screen.

use std::io::IsTerminal as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The columns that text for people is laid out for.
pub(crate) const WIDTH: usize = 100;

/// The columns of the terminal that is written to; `None` where it is none, or does not know them, and nothing has to be
/// cut.
pub(crate) fn of_terminal() -> Option<usize> {
    if std::io::stdout().is_terminal() { width() } else { None }
}

fn width() -> Option<usize> {
    let width = crossterm::terminal::size().map_or(WIDTH, |(columns, _)| usize::from(columns));
    Some(width).filter(|width| *width > 0)
}

/// The same for what is written beside the answer: problems, hints and warnings.
fn of_stderr() -> Option<usize> {
    if std::io::stderr().is_terminal() { width() } else { None }
}

/// The text in lines of at most so many columns, parted at blanks; a longer word stays whole.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| shown(line) + 1 + shown(word) <= width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The columns that a text takes; what only colours it takes none.
fn shown(text: &str) -> usize {
    match text.contains('\u{1b}') {
        true => anstream::adapter::strip_str(text).to_string().width(),
        false => text.width(),
    }
}

/// The text as it goes on a terminal behind so many columns: parted at blanks, and each further line below the first.
/// What goes elsewhere stays one line.
pub(crate) fn hanging(text: &str, indent: usize) -> String {
    of_terminal().map_or_else(|| text.to_owned(), |width| below(text, indent, width))
}

/// The same for a line on standard error.
pub(crate) fn hanging_aside(text: &str, indent: usize) -> String {
    of_stderr().map_or_else(|| text.to_owned(), |width| below(text, indent, width))
}

/// The same for a terminal of so many columns.
pub(crate) fn below(text: &str, indent: usize, width: usize) -> String {
    /// Narrower than this, words would stand alone.
    const LEAST: usize = 20;
    let between = format!("\n{:indent$}", "");
    wrapped(text, width.saturating_sub(indent).max(LEAST)).join(&between)
}

/// The text in so many columns; what does not fit is gone, and a sign says so where there is a column for it.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut columns = 1;
    for sign in text.chars() {
        columns += sign.width().unwrap_or(0);
        if columns > width {
            break;
        }
        kept.push(sign);
    }
    if width > 0 {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_parted_at_blanks() {
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("abcdef g", 3), ["abcdef", "g"]);
        assert_eq!(wrapped("", 3), [""]);
        assert_eq!(wrapped("日本 語", 5), ["日本", "語"]);
        assert_eq!(wrapped("\u{1b}[1ma\u{1b}[0m bc def", 4), ["\u{1b}[1ma\u{1b}[0m bc", "def"]);
    }

    #[test]
    fn what_goes_on_stands_below_what_is_before_it() {
        assert_eq!(below("one two three four five", 4, 24), "one two three four\n    five");
        assert_eq!(below("one", 4, 1), "one");
    }

    #[test]
    fn what_is_cut_has_a_sign_and_fits() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 0), "");
    }
}
