//! Where a value of the tree stands in the text, for whoever changes one place and leaves the rest as it is.

use std::ops::Range;

use super::tree::{Mark, Node, Value};

/// The place of a mark in the text. A byte order mark has no column.
pub(crate) fn offset(text: &str, at: Mark) -> Option<usize> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let lines = text.get(start..)?.split_inclusive('\n');
    let line_start: usize = start + lines.clone().take(at.line.checked_sub(1)?).map(str::len).sum::<usize>();
    let line = lines.clone().nth(at.line - 1)?;
    let within: usize = line.chars().take(at.column.checked_sub(1)?).map(char::len_utf8).sum();
    Some(line_start + within)
}

/// Where a scalar of one line stands in the text, its quotes included.
pub(crate) fn source(text: &str, node: &Node) -> Option<Range<usize>> {
    let Value::Scalar(scalar) = &node.value else { return None };
    let start = offset(text, node.at)?;
    let rest = text.get(start..)?;
    if scalar.plain {
        return rest.starts_with(&scalar.text).then(|| start..start + scalar.text.len());
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let body = rest.get(1..)?.split('\n').next()?;
    // A quote inside would have to be escaped; such texts are left to a human.
    let end = body.find(quote).filter(|end| body.get(..*end) == Some(scalar.text.as_str()))?;
    Some(start..start + end + 2)
}

/// The text with another part in place of that one.
pub(crate) fn replaced(text: &str, at: Range<usize>, new: &str) -> String {
    let mut changed = text.to_owned();
    changed.replace_range(at, new);
    changed
}
