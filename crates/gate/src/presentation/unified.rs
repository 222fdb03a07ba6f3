//! A change as a unified diff for people, shortened in the middle. What changed is found out by `change`.

use similar::{ChangeTag, group_diff_ops};

use super::reading::LEFT_OUT;
use super::review::{self, LineKind};
use crate::change::compared;

/// How many unchanged lines surround a change.
const CONTEXT: usize = 3;

/// A unified diff with three lines of context. What exceeds `max_bytes` is left out in the middle, and the gap is
/// named with how many lines come and go there, so that neither end of a long change can hide; what deserves a look there is
/// shown all the same. Heads count what is shown, so that the rest is still a diff.
pub fn unified_diff(path: &str, before: Option<&[u8]>, after: Option<&[u8]>, max_bytes: usize) -> String {
    let name = |side: &str, content: Option<&[u8]>| match content {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let head = format!("--- {}\n+++ {}\n", name("a", before), name("b", after));
    let text = |content: Option<&[u8]>| String::from_utf8(content.unwrap_or_default().to_vec());
    let (Ok(old), Ok(new)) = (text(before), text(after)) else {
        return format!("{head}binary content differs\n");
    };
    let rows = rows(&old, &new);
    let total: usize = rows.iter().map(Row::bytes).sum();
    if rows.is_empty() {
        return String::new();
    }
    if total <= max_bytes {
        return head + &hunks(&rows);
    }
    let (first, last) = ends(&rows, max_bytes / 2);
    let is_whole = |row: &&Row<'_>| !row.is_cut;
    let (begin, end) = (first.iter().filter(is_whole).count(), last.iter().filter(is_whole).count());
    let hidden = rows.get(begin..rows.len() - end).unwrap_or_default();
    let (looked_at, more) = looked_at(path, hidden, max_bytes / 4);
    let gap = gap(&rows, [&first, &looked_at, &last], more);
    format!("{head}{}{gap}{}{}", hunks(&first), hunks(&looked_at), hunks(&last))
}

/// Says how much of these lines is not among those that are shown, and how many of it deserve a look.
fn gap(rows: &[Row<'_>], shown: [&[Row<'_>]; 3], more: usize) -> String {
    let bytes = |rows: &[Row<'_>]| rows.iter().map(|row| row.text.len()).sum::<usize>();
    let count = |rows: &[Row<'_>], tag: ChangeTag| {
        let mut places: Vec<(usize, usize)> =
            rows.iter().filter(|row| row.tag == tag).map(|row| (row.old, row.new)).collect();
        places.dedup();
        places.len()
    };
    let all = bytes(rows);
    let left = all.saturating_sub(shown.iter().map(|rows| bytes(rows)).sum());
    let shown = shown.concat();
    let lost = |tag: ChangeTag| count(rows, tag).saturating_sub(count(&shown, tag));
    let marked = if more > 0 { format!(", {more} marked lines among them") } else { String::new() };
    let (come, go) = (lost(ChangeTag::Insert), lost(ChangeTag::Delete));
    format!("{LEFT_OUT}{left} of {all} bytes are not shown, +{come} -{go} lines{marked} …]\n")
}

/// The longest piece of a line that is shown for its mark, in bytes; pieces overlap by a part of it.
const PIECE: usize = 600;

/// What of these lines deserves a look, as far as it fits into so many bytes, in its order; and how many pieces do not fit.
fn looked_at<'t>(path: &str, rows: &[Row<'t>], most: usize) -> (Vec<Row<'t>>, usize) {
    let pieces: Vec<Row<'t>> = rows.iter().flat_map(|row| row.pieces()).collect();
    let lines = pieces.iter().map(|row| (kind(row.tag), row.text.trim_end_matches('\n').to_owned()));
    let mut wanted = review::looked_at(path, lines);
    let fits = fitting(wanted.iter().filter_map(|at| pieces.get(*at)), most);
    let more = wanted.len() - fits;
    wanted.truncate(fits);
    wanted.sort_unstable();
    (wanted.into_iter().filter_map(|at| pieces.get(at).copied()).collect(), more)
}

fn kind(tag: ChangeTag) -> LineKind {
    match tag {
        ChangeTag::Equal => LineKind::Context,
        ChangeTag::Delete => LineKind::Removed,
        ChangeTag::Insert => LineKind::Added,
    }
}

/// One line of a hunk.
#[derive(Clone, Copy)]
struct Row<'t> {
    hunk: usize,
    tag: ChangeTag,
    /// How many lines of each side are before it.
    old: usize,
    new: usize,
    text: &'t str,
    /// It is longer than that.
    is_cut: bool,
}

impl<'t> Row<'t> {
    /// The bytes that it takes, sign included.
    fn bytes(&self) -> usize {
        self.text.len() + 1
    }

    /// Whether another one is the line below it.
    fn is_above(&self, next: &Self) -> bool {
        let old = self.old + usize::from(self.tag != ChangeTag::Insert);
        let new = self.new + usize::from(self.tag != ChangeTag::Delete);
        self.hunk == next.hunk && (old, new) == (next.old, next.new)
    }

    /// A long line in parts.
    fn pieces(&self) -> Vec<Self> {
        if self.text.len() <= PIECE {
            return vec![*self];
        }
        let starts = (0..self.text.len()).step_by(PIECE - PIECE / 4);
        let part = |from: usize| {
            let end = self.text.floor_char_boundary((from + PIECE).min(self.text.len()));
            let text = self.text.get(self.text.floor_char_boundary(from)..end).unwrap_or_default();
            Self { text: text.trim_end_matches('\n'), is_cut: true, ..*self }
        };
        starts.map(part).collect()
    }
}

fn rows<'t>(old: &'t str, new: &'t str) -> Vec<Row<'t>> {
    // As every other reader of a file counts them: a carriage return alone ends no line.
    let lines = |text: &'t str| text.split_inclusive('\n').collect::<Vec<&str>>();
    let (old, new) = (lines(old), lines(new));
    let hunks = group_diff_ops(compared(&old, &new), CONTEXT);
    let mut rows = Vec::new();
    for (hunk, ops) in hunks.iter().enumerate() {
        let start = ops.first().map(|op| (op.old_range().start, op.new_range().start));
        let (mut at_old, mut at_new) = start.unwrap_or_default();
        for change in ops.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let tag = change.tag();
            rows.push(Row { hunk, tag, old: at_old, new: at_new, text: change.value(), is_cut: false });
            at_old += usize::from(tag != ChangeTag::Insert);
            at_new += usize::from(tag != ChangeTag::Delete);
        }
    }
    rows
}

/// As many whole lines of both ends as fit into so many bytes each; of a first line that is too long, what fits.
fn ends<'t>(rows: &[Row<'t>], most: usize) -> (Vec<Row<'t>>, Vec<Row<'t>>) {
    let mut first: Vec<Row<'t>> = rows.iter().take(fitting(rows.iter(), most)).copied().collect();
    if let (true, Some(row)) = (first.is_empty(), rows.first()) {
        let text = row.text.get(..row.text.floor_char_boundary(most)).unwrap_or_default();
        first.push(Row { text, is_cut: true, ..*row });
    }
    let count = fitting(rows.iter().skip(first.len()).rev(), most);
    let mut last: Vec<Row<'t>> = rows.iter().skip(rows.len() - count).copied().collect();
    if let (true, Some(row)) = (last.is_empty(), rows.last()) {
        let from = row.text.len().saturating_sub(most);
        let text = row.text.get(row.text.ceil_char_boundary(from)..).unwrap_or_default();
        last.push(Row { text, is_cut: true, ..*row });
    }
    (first, last)
}

/// How many of these lines fit into so many bytes.
fn fitting<'r, 't: 'r>(rows: impl Iterator<Item = &'r Row<'t>>, most: usize) -> usize {
    let sums = rows.scan(0_usize, |sum, row| {
        *sum = sum.saturating_add(row.bytes());
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= most).count()
}

/// The hunks of these lines, each with a head that counts them.
fn hunks(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for hunk in rows.chunk_by(Row::is_above) {
        let Some(first) = hunk.first() else { continue };
        let count = |not: ChangeTag| hunk.iter().filter(|row| row.tag != not).count();
        let old = side(first.old, count(ChangeTag::Insert));
        let new = side(first.new, count(ChangeTag::Delete));
        text.push_str(&format!("@@ -{old} +{new} @@\n"));
        for row in hunk {
            let end = match row.text.ends_with('\n') {
                true => "",
                false if row.is_cut => "\n",
                false => "\n\\ No newline at end of file\n",
            };
            text.push_str(&format!("{}{}{end}", row.tag, row.text));
        }
    }
    text
}

/// One side of a hunk's head: its first line and how many; without lines, the line before.
fn side(before: usize, count: usize) -> String {
    match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn a_unified_diff_names_both_sides() {
        let diff = unified_diff("src/a.rs", Some(b"a\nb\n"), Some(b"a\nc\n"), 1000);
        assert_eq!(diff, "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        let new = unified_diff("src/a.rs", None, Some(b"x\n"), 1000);
        assert!(new.starts_with("--- /dev/null\n+++ b/src/a.rs\n"), "{new}");
    }

    // threat G1
    #[test]
    fn a_long_diff_shows_both_ends() {
        let after: String = (0..10_000).map(|line| format!("line é {line}\n")).collect();
        let diff = unified_diff("src/a.rs", Some(b""), Some(after.as_bytes()), 2_000);
        assert!(diff.len() < 2_400, "{}", diff.len());
        assert!(diff.contains("+line é 0\n") && diff.ends_with("+line é 9999\n"), "{diff}");
        assert!(diff.contains("bytes are not shown"), "{diff}");
        let one_line = unified_diff("src/a.rs", Some(b""), Some("é".repeat(9_000).as_bytes()), 1_001);
        assert!(one_line.len() < 1_200, "{}", one_line.len());
    }

    // threat G1
    #[test]
    fn a_single_line_at_the_limit_is_no_underflow() {
        for length in [999, 1_000, 1_001] {
            let diff = unified_diff("src/a.rs", None, Some("x".repeat(length).as_bytes()), 1_000);
            assert!(!diff.contains("184467"), "{diff}");
        }
    }
}
