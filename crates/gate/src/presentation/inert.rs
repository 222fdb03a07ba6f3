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

/// One line with control and invisible characters made visible; tabs become spaces.
pub fn line(text: &str) -> String {
    shown(text).into_owned()
}

/// The same without a copy of what is plain: what is borrowed is ASCII that can be seen.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if c.is_control() || is_invisible(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
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
    use super::both_ends;

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
