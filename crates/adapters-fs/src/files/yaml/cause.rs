//! What a person did that makes a text no YAML, told by the lines around the place where reading it ended. A parser
//! often ends lines away from the cause.

use super::tree::Mark;

/// One cause, where it stands, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub(super) at: Mark,
    pub(super) message: &'static str,
    pub(super) fix: &'static str,
}

/// The likely cause, when reading ended at that place.
pub(super) fn of(text: &str, ended: Mark) -> Option<Cause> {
    conflict(text)
        .or_else(|| fence(text))
        .or_else(|| control(text))
        .or_else(|| tab(text, ended))
        .or_else(|| colon(text, ended))
        .or_else(|| deeper(text, ended))
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines())
}

fn conflict(text: &str) -> Option<Cause> {
    let (line, _) = lines(text).find(|(_, line)| line.starts_with("<<<<<<< "))?;
    Some(Cause {
        at: Mark { line, column: 1 },
        message: "a merge conflict is not resolved here",
        fix: "keep one of the two sides, and take out the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    })
}

fn fence(text: &str) -> Option<Cause> {
    let (line, _) = lines(text).find(|(_, line)| line.starts_with("```"))?;
    Some(Cause {
        at: Mark { line, column: 1 },
        message: "this line belongs to Markdown",
        fix: "take out the lines with three back-quotes",
    })
}

fn control(text: &str) -> Option<Cause> {
    let is_strange = |sign: char| sign.is_control() && !matches!(sign, '\t' | '\r' | '\n' | '\u{85}');
    let (line, column) =
        lines(text).find_map(|(line, signs)| Some((line, signs.chars().position(is_strange)?)))?;
    Some(Cause {
        at: Mark { line, column: column + 1 },
        message: "a control character stands here",
        fix: "take it out",
    })
}

/// The next line that is indented with a tab; reading ends at the end of the line before it.
fn tab(text: &str, ended: Mark) -> Option<Cause> {
    let mut near = lines(text).skip(ended.line.saturating_sub(1)).take(2);
    let (line, column) = near.find_map(|(line, signs)| {
        let mut indent = signs.chars().take_while(|sign| sign.is_whitespace());
        Some((line, indent.position(|sign| sign == '\t')?))
    })?;
    Some(Cause {
        at: Mark { line, column: column + 1 },
        message: "a tab is used for indentation",
        fix: "indent with spaces",
    })
}

/// A line with two `: `, of which the second was meant as text.
fn colon(text: &str, ended: Mark) -> Option<Cause> {
    let (_, signs) = lines(text).nth(ended.line.checked_sub(1)?)?;
    let (first, behind) = signs.split_once(": ")?;
    let is_plain = !behind.trim_start().starts_with(['"', '\'', '{', '[', '|', '>', '#']);
    let is_second = first.chars().count() + 1 < ended.column;
    (is_plain && is_second && behind.contains(": ")).then_some(Cause {
        at: ended,
        message: "a `: ` in a text begins another value",
        fix: "put the whole text in quotes",
    })
}

/// A key that stands deeper than the key with a value on the line above.
fn deeper(text: &str, ended: Mark) -> Option<Cause> {
    let depth = |signs: &str| signs.len() - signs.trim_start_matches([' ', '-']).len();
    let own = lines(text).nth(ended.line.checked_sub(1)?)?.1;
    let above = lines(text).nth(ended.line.checked_sub(2)?)?.1;
    let is_key = own.split_once(':').is_some_and(|(key, _)| key.chars().count() + 1 == ended.column);
    (is_key && above.contains(": ") && depth(own) > depth(above)).then_some(Cause {
        at: Mark { line: ended.line, column: depth(own) + 1 },
        message: "this key is indented deeper than the one above it",
        fix: "indent both alike",
    })
}
