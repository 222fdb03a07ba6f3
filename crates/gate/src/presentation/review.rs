//! What a person reads of a request: the lines of its preview with their numbers, and which of them deserve the first
//! look, so that a bad line in a long diff is on the first screen.
//!
//! Pure functions of text. Deliberately absent: any verdict (a mark forbids nothing, and a line without one may be bad
//! all the same), colours, and what fits on a screen.

mod marks;
mod preview;

pub use marks::Mark;
pub use preview::{Line, LineKind};

use super::inert;
use bailiwick_policy::executable::can_run;

/// The longest part of a line that is shown in the digest, in characters.
const LONGEST: usize = 200;

/// A request's preview, understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// Every line, inert, in the order of the preview.
    pub lines: Vec<Line>,
    /// The lines to look at first, as places in `lines`: each kind of mark has its turn, the gravest first, so that
    /// many marks of one kind push no other off the screen.
    pub first: Vec<usize>,
    /// How many lines come.
    pub added: usize,
    /// How many lines go.
    pub removed: usize,
    /// How many files the preview shows.
    pub files: usize,
}

impl Review {
    /// Reads a preview.
    pub fn of(preview: &str) -> Self {
        let mut lines = preview::lines(preview);
        let marked = marks::mark(&mut lines);
        let count = |kind: LineKind| lines.iter().filter(|line| line.kind == kind).count();
        Self {
            added: count(LineKind::Added),
            removed: count(LineKind::Removed),
            files: count(LineKind::File),
            first: in_turns(&lines, marked),
            lines,
        }
    }

    /// The part of a marked line that shows why it is marked, when the line is too long to be shown whole.
    pub fn excerpt(line: &Line) -> String {
        let length = line.text.chars().count();
        if length <= LONGEST {
            return line.text.trim_start().to_owned();
        }
        let found = line.mark.map_or(0, |(_, at)| at);
        let from = found.saturating_sub(LONGEST / 4).min(length - LONGEST);
        let shown: String = line.text.chars().skip(from).take(LONGEST).collect();
        let (before, after) = (from, length - LONGEST - from);
        let more = |count: usize, text: &str| {
            if count == 0 { String::new() } else { format!("…{count} {text}… ") }
        };
        format!("{}{shown} {}", more(before, "before"), more(after, "more")).trim_end().to_owned()
    }
}

/// The marked lines, one of each kind in turn, the gravest kind first; within a kind as they come.
fn in_turns(lines: &[Line], marked: Vec<usize>) -> Vec<usize> {
    let mut by_kind: std::collections::BTreeMap<Mark, std::collections::VecDeque<usize>> = Default::default();
    for at in marked {
        if let Some((mark, _)) = lines.get(at).and_then(|line| line.mark) {
            by_kind.entry(mark).or_default().push_back(at);
        }
    }
    let mut order = Vec::new();
    while by_kind.values().any(|queue| !queue.is_empty()) {
        order.extend(by_kind.values_mut().filter_map(std::collections::VecDeque::pop_front));
    }
    order
}

/// Whether a path is one of those that run, or that decide what runs, when somebody builds, tests or pushes.
fn runs(path: &str) -> bool {
    bailiwick_domain::RepoPath::new(path).is_ok_and(|path| can_run(&path))
}

/// Whether making a line inert changed it, tabs apart.
fn hides_something(raw: &str, shown: &str) -> bool {
    raw.replace('\t', "    ") != shown
}

fn inert_line(raw: &str) -> String {
    inert::line(raw)
}

#[cfg(test)]
mod tests;
