//! Lines with who wrote them. No two are alike, so that nobody can take one for another.

use std::collections::BTreeMap;

/// Who wrote a line, or took it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    Agent,
    Person,
}

/// How a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) by: Hand,
    /// Whether something came with the same change.
    pub(super) is_replaced: bool,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) text: String,
    pub(super) by: Hand,
}

/// Files by path.
pub(super) type Files = BTreeMap<String, Vec<Line>>;

/// The text of a file.
pub(super) fn text_of(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect()
}

/// A line of that number, as somebody writes it who does not care for layout.
pub(super) fn new_line(path: &str, number: u64, by: Hand) -> Line {
    let is_code = is_code(path);
    let text = if is_code {
        format!("fn f{number}(a:u32)->u32{{a+{number}}}\n")
    } else {
        format!("This is note {number}.\n")
    };
    Line { number, text, by }
}

pub(super) fn is_code(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// The line as a formatter leaves it.
pub(super) fn formatted(line: &Line) -> Line {
    let number = line.number;
    Line { text: format!("fn f{number}(a: u32) -> u32 {{ a + {number} }}\n"), ..line.clone() }
}
