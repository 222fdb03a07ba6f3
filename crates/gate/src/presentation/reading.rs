//! A preview, read: which of its lines are the gate's own, which are of a file, and from where on it is other words.
//!
//! Everything that shows a preview reads it here, so that a terminal and a diff editor never see two different things.
//!
//! Deliberately absent: what a person sees of it (`review` for lines, a surface for its editor).

use std::iter::Peekable;
use std::str::SplitInclusive;

/// A part of a preview; all parts together are the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'p> {
    /// A file's part begins.
    File(Head<'p>),
    /// Lines of the file before.
    Hunk(Hunk<'p>),
    /// A line of the gate's own words: a mode, a place, what is left out.
    Plain(&'p str),
    /// The rest, which an agent may have written: a command, parameters. Nothing in it is a file or a hunk, whatever it
    /// looks like.
    Words(&'p str),
}

/// The two lines that a file's part begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'p> {
    /// As they came, both of them.
    pub text: &'p str,
    /// The file's path.
    pub path: &'p str,
    /// There is no file yet.
    pub is_new: bool,
    /// The file goes.
    pub is_gone: bool,
}

/// Lines that follow each other in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'p> {
    /// As it came, whole.
    pub text: &'p str,
    /// Its first line, without the line's end.
    pub head: &'p str,
    /// Where it begins in the text before, counted from 0.
    pub old_start: usize,
    /// Where it begins in the text after, counted from 0.
    pub new_start: usize,
    /// What it holds.
    pub lines: Vec<HunkLine<'p>>,
    /// All lines that its head promises are there.
    pub is_whole: bool,
}

/// A line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HunkLine<'p> {
    /// On which side it stands.
    pub sign: Sign,
    /// Its text, with its line end where the file has one there.
    pub text: &'p str,
}

/// On which side of a change a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// On both.
    Stays,
    /// Before.
    Goes,
    /// After.
    Comes,
}

/// What stands below a file's head when no hunk does.
pub const IN_PLACE_OF_A_HUNK: [&str; 2] = ["binary content differs", "what was there before is not kept"];

/// What stands for bytes that are left out, at the start of its line.
pub const LEFT_OUT: &str = "[… ";

/// The parts of a preview.
///
/// Inside a hunk every line begins with the gate's own sign, and the hunk's head says how many there are, so nothing that
/// an agent wrote can pass as a head there. Elsewhere only the gate's own lines are passed over: at the first other one
/// the rest is words.
pub fn read(preview: &str) -> Vec<Part<'_>> {
    let mut reader = Reader { preview, at: 0, lines: preview.split_inclusive('\n').peekable() };
    let mut parts = Vec::new();
    let mut in_file = false;
    while let Some(part) = reader.part(in_file) {
        in_file |= matches!(part, Part::File(_));
        let goes_on = match &part {
            Part::Hunk(hunk) => hunk.is_whole,
            Part::File(_) | Part::Plain(_) => true,
            Part::Words(_) => false,
        };
        parts.push(part);
        if !goes_on {
            parts.extend(reader.rest());
            return parts;
        }
    }
    parts
}

/// Whether some of it is words, behind which no file is read.
pub(crate) fn has_words(preview: &str) -> bool {
    read(preview).iter().any(|part| matches!(part, Part::Words(_)))
}

struct Reader<'p> {
    preview: &'p str,
    /// How many bytes were read.
    at: usize,
    lines: Peekable<SplitInclusive<'p, char>>,
}

impl<'p> Reader<'p> {
    fn part(&mut self, in_file: bool) -> Option<Part<'p>> {
        let line = *self.lines.peek()?;
        if let Some(head) = self.head() {
            return Some(Part::File(head));
        }
        if let Some(mut hunk) = hunk(line).filter(|_| in_file) {
            let start = self.at;
            self.next();
            self.fill(&mut hunk);
            hunk.read.text = self.preview.get(start..self.at).unwrap_or_default();
            return Some(Part::Hunk(hunk.read));
        }
        if is_plain(line) {
            self.next();
            return Some(Part::Plain(line));
        }
        self.rest()
    }

    fn next(&mut self) -> Option<&'p str> {
        let line = self.lines.next()?;
        self.at += line.len();
        Some(line)
    }

    fn rest(&mut self) -> Option<Part<'p>> {
        let rest = self.preview.get(self.at..).filter(|rest| !rest.is_empty())?;
        self.at = self.preview.len();
        Some(Part::Words(rest))
    }

    /// `--- a/…` and `+++ b/…`, with a hunk below, or the words for bytes that are no text.
    fn head(&mut self) -> Option<Head<'p>> {
        let mut ahead = self.lines.clone();
        let (first, second, third) = (ahead.next()?, ahead.next()?, ahead.next()?);
        let old = first.strip_prefix("--- ")?.trim_end_matches('\n');
        let new = second.strip_prefix("+++ ")?.trim_end_matches('\n');
        let (before, after) = (old.strip_prefix("a/"), new.strip_prefix("b/"));
        let path = after.or(before)?;
        hunk(third).map(drop).or(IN_PLACE_OF_A_HUNK.contains(&third.trim_end_matches('\n')).then_some(()))?;
        let text = self.preview.get(self.at..self.at + first.len() + second.len())?;
        self.next();
        self.next();
        Some(Head { text, path, is_new: before.is_none(), is_gone: after.is_none() })
    }

    /// Takes the hunk's lines, as many as its head says.
    fn fill(&mut self, hunk: &mut Promised<'p>) {
        while hunk.old + hunk.new > 0 {
            let Some(line) = self.lines.peek().copied() else { return };
            let sign = match line.as_bytes().first() {
                Some(b' ') => Sign::Stays,
                Some(b'-') => Sign::Goes,
                Some(b'+') => Sign::Comes,
                _ => return,
            };
            let old = if sign == Sign::Comes { Some(hunk.old) } else { hunk.old.checked_sub(1) };
            let new = if sign == Sign::Goes { Some(hunk.new) } else { hunk.new.checked_sub(1) };
            let (Some(old), Some(new)) = (old, new) else { return };
            self.next();
            (hunk.old, hunk.new) = (old, new);
            let mut text = line.get(1..).unwrap_or_default();
            if self.lines.peek().is_some_and(|next| next.starts_with("\\ No newline")) {
                self.next();
                text = text.strip_suffix('\n').unwrap_or(text);
            }
            hunk.read.lines.push(HunkLine { sign, text });
        }
        hunk.read.is_whole = true;
    }
}

/// A hunk, and how many lines of each side are still to come.
struct Promised<'p> {
    read: Hunk<'p>,
    old: usize,
    new: usize,
}

/// `@@ -1,2 +3,4 @@`.
fn hunk(line: &str) -> Option<Promised<'_>> {
    let head = line.trim_end_matches('\n');
    let (old, new) = head.strip_prefix("@@ -")?.strip_suffix(" @@")?.split_once(" +")?;
    let (old_start, old) = side(old)?;
    let (new_start, new) = side(new)?;
    let read = Hunk { text: line, head, old_start, new_start, lines: Vec::new(), is_whole: false };
    Some(Promised { read, old, new })
}

/// Where one side starts, counted from 0, and how many lines it has.
fn side(text: &str) -> Option<(usize, usize)> {
    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
    let (start, length) = (start.parse::<usize>().ok()?, length.parse().ok()?);
    // A side without lines names the line before it.
    Some((if length == 0 { start } else { start.saturating_sub(1) }, length))
}

/// A line of the gate between the parts of a preview.
fn is_plain(line: &str) -> bool {
    let line = line.trim_end_matches('\n');
    line.is_empty()
        || IN_PLACE_OF_A_HUNK.contains(&line)
        || ["mode ", "move from ", "move to ", LEFT_OUT].iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{Part, read};

    fn text(parts: &[Part<'_>]) -> String {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::File(head) => text.push_str(head.text),
                Part::Plain(line) | Part::Words(line) => text.push_str(line),
                Part::Hunk(hunk) => {
                    text.push_str(hunk.head);
                    text.push('\n');
                    for line in &hunk.lines {
                        let end =
                            if line.text.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
                        text.push_str(&format!("{}{}{end}", [' ', '-', '+'][line.sign as usize], line.text));
                    }
                }
            }
        }
        text
    }

    // threat G1: all that a preview says is in one of its parts, in its order
    proptest::proptest! {
        #[test]
        fn nothing_of_a_preview_is_lost(
            lines in proptest::collection::vec(
                proptest::sample::select(vec![
                    "--- a/x", "+++ b/x", "--- /dev/null", "@@ -1 +1 @@", "@@ -0,0 +1,2 @@", "@@ -1,2 +1 @@", "-a", "+b",
                    " c", "", "$ sh", "in /x", "mode 1", "move to y", "[… 1 of 2 bytes", "binary content differs", "é",
                ]),
                0..24,
            ),
        ) {
            let preview: String = lines.iter().map(|line| format!("{line}\n")).collect();
            proptest::prop_assert_eq!(text(&read(&preview)), preview);
        }
    }
}
