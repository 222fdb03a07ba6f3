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
use super::reading::{self, Part};
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
    /// What of the change is not shown, for a person; nothing where all of it is.
    pub unseen: Option<String>,
}

impl Review {
    /// Reads a preview.
    pub fn of(preview: &str) -> Self {
        let mut lines = preview::lines(preview);
        let marked = marks::mark(&mut lines);
        let count = |kind: LineKind| lines.iter().filter(|line| line.kind == kind).count();
        let gaps = gaps(preview);
        let lost = |of: fn(&Gap<'_>) -> usize| gaps.iter().map(of).sum::<usize>();
        Self {
            added: count(LineKind::Added) + lost(|gap| gap.added),
            removed: count(LineKind::Removed) + lost(|gap| gap.removed),
            unseen: unseen(preview),
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

/// What of a preview's change is not shown, for a person; nothing where all of it is.
pub fn unseen(preview: &str) -> Option<String> {
    let gaps: Vec<&str> = gaps(preview).iter().map(|gap| gap.says).collect();
    (!gaps.is_empty()).then(|| gaps.join("; "))
}

fn gaps(preview: &str) -> Vec<Gap<'_>> {
    reading::read(preview).iter().filter_map(Gap::of).collect()
}

/// What a preview says of a part that it leaves out.
struct Gap<'p> {
    says: &'p str,
    added: usize,
    removed: usize,
}

impl<'p> Gap<'p> {
    fn of(part: &Part<'p>) -> Option<Self> {
        let Part::Plain(line) = part else { return None };
        let says = line.trim_end().strip_prefix(reading::LEFT_OUT)?.trim_end_matches(" …]");
        let count = |sign: char| {
            let number = says.split(' ').find_map(|word| word.strip_prefix(sign))?;
            number.parse().ok()
        };
        Some(Self { says, added: count('+').unwrap_or(0), removed: count('-').unwrap_or(0) })
    }
}

/// Of these lines of a file, those that deserve a look, each kind of mark in its turn.
pub(super) fn looked_at(path: &str, lines: impl Iterator<Item = (LineKind, String)>) -> Vec<usize> {
    let mut lines: Vec<Line> = lines.map(|(kind, raw)| Line::new(kind, &raw, path)).collect();
    let marked = marks::mark(&mut lines);
    in_turns(&lines, marked)
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
