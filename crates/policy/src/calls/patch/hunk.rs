//! One hunk of a unified diff.

use super::lines::{Lines, plain};
use super::spent::Spent;
use super::{Hunk, HunkLine};
use crate::calls::terms::Unreadable;

/// How many lines a hunk still has on each side.
struct Left {
    old: usize,
    new: usize,
}

/// Reads `@@ -l,s +l,s @@` and exactly the lines that it counts. With `crlf` the whole diff has CRLF, so that the CR of
/// a line is none of its text.
pub(super) fn read(lines: &mut Lines<'_>, crlf: bool, spent: &mut Spent) -> Result<Hunk, Unreadable> {
    let (start, mut left) = lines
        .peek()
        .and_then(|line| header(plain(line)))
        .ok_or_else(|| lines.odd("a hunk starts with `@@ -LINE,COUNT +LINE,COUNT @@`"))?;
    lines.next();
    spent.hunk()?;
    let mut hunk = Hunk { start: Some(start), ..Hunk::default() };
    if left.old == 0 && left.new == 0 {
        return Err(lines.odd("the hunk before it counts no line"));
    }
    while left.old > 0 || left.new > 0 {
        let line = lines.peek().ok_or_else(|| lines.odd("a hunk is shorter than its header says"))?;
        if is_marker(line) {
            note_open_end(&mut hunk, lines)?;
        } else {
            let text = if crlf { plain(line) } else { line };
            take(text, &mut left, &mut hunk)
                .ok_or_else(|| lines.odd("the hunk does not have the lines that its header counts"))?;
            spent.line(hunk.lines.len())?;
        }
        lines.next();
    }
    if lines.peek().is_some_and(is_marker) {
        note_open_end(&mut hunk, lines)?;
        lines.next();
    }
    match lines.peek() {
        Some(line) if goes_on(line) => Err(lines.odd("the hunk before it is longer than its header says")),
        _ => Ok(hunk),
    }
}

/// One counted line; `None` where the header counts no such line, or none may follow the end of a file.
fn take(line: &str, left: &mut Left, hunk: &mut Hunk) -> Option<()> {
    let (old, new, read) = if let Some(text) = line.strip_prefix('+') {
        (0, 1, HunkLine::Add(text.to_owned()))
    } else if let Some(text) = line.strip_prefix('-') {
        (1, 0, HunkLine::Remove(text.to_owned()))
    } else {
        let text = line.strip_prefix(' ').or_else(|| line.is_empty().then_some(""))?;
        (1, 1, HunkLine::Context(text.to_owned()))
    };
    if old > 0 && hunk.old_open || new > 0 && hunk.new_open {
        return None;
    }
    left.old = left.old.checked_sub(old)?;
    left.new = left.new.checked_sub(new)?;
    hunk.lines.push(read);
    Some(())
}

fn is_marker(line: &str) -> bool {
    line.starts_with('\\')
}

/// `\ No newline at end of file`, in whatever language: the line before it is the last of its side, without LF.
fn note_open_end(hunk: &mut Hunk, lines: &Lines<'_>) -> Result<(), Unreadable> {
    let is_known = lines.peek().is_some_and(|line| line.starts_with("\\ ") && line.len() >= 12);
    match hunk.lines.last() {
        Some(HunkLine::Context(_)) if is_known => (hunk.old_open, hunk.new_open) = (true, true),
        Some(HunkLine::Remove(_)) if is_known => hunk.old_open = true,
        Some(HunkLine::Add(_)) if is_known => hunk.new_open = true,
        _ => return Err(lines.odd("it is not `\\ No newline at end of file` behind a line of a hunk")),
    }
    Ok(())
}

/// Whether a line behind a whole hunk looks like one more of its lines. `-- ` ends a mail, and `--- ` starts a section.
fn goes_on(line: &str) -> bool {
    let is_other = line.trim_end() == "--" || line.starts_with("--- ") || line.trim().is_empty();
    line.starts_with(['+', '-', ' ', '\\']) && !is_other
}

fn header(line: &str) -> Option<(usize, Left)> {
    let (ranges, tail) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let ((start, old), (_, new)) = (range(old)?, range(new)?);
    (tail.is_empty() || tail.starts_with(' ')).then_some((start, Left { old, new }))
}

fn range(text: &str) -> Option<(usize, usize)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((number(start)?, number(count)?))
}

fn number(text: &str) -> Option<usize> {
    let is_short = (1..=9).contains(&text.len());
    if is_short && text.bytes().all(|digit| digit.is_ascii_digit()) { text.parse().ok() } else { None }
}
