//! What a file's text becomes, and whether what a call quotes is there. Pure text; touches no file.

use crate::calls::terms::{AnchorFact, Edit};

mod hunks;

pub use hunks::{anchor_of_hunks, apply_hunks};

/// Whether an edit quotes at least one whole line of the text, blanks around it apart, at one place alone; `found` is
/// what stands there for what it quotes. What creates a file quotes all that is there; what quotes the result of an edit
/// before it quotes nothing that is there.
pub(crate) fn quotes_a_line(text: &str, edit: &Edit, found: &str) -> bool {
    if edit.old.is_empty() {
        return text.trim().is_empty();
    }
    let lines = || found.split('\n').map(str::trim);
    if edit.whole_lines {
        return lines().any(|line| !line.is_empty());
    }
    if edit.replace_all || edit.expected.is_some_and(|count| count > 1) {
        return false;
    }
    let Some((before, after)) = text.split_once(found) else { return false };
    let starts = before.rsplit('\n').next().unwrap_or_default().trim().is_empty();
    let ends = after.split('\n').next().unwrap_or_default().trim().is_empty();
    let last = lines().count().saturating_sub(1);
    let is_whole = |index: usize| (index > 0 || starts) && (index < last || ends);
    lines().enumerate().any(|(index, line)| !line.is_empty() && is_whole(index))
}

/// The text after an edit that quotes whole lines.
///
/// # Errors
/// What is wrong with what it quotes.
pub(crate) fn apply_lines(text: &str, edit: &Edit) -> Result<String, AnchorFact> {
    let mut page = Page::of(text);
    let old: Vec<&str> = edit.old.lines().collect();
    let places = page.places(&old, 0);
    let claimed = edit.line.and_then(|line| line.checked_sub(1)).filter(|line| places.contains(line));
    let place = match (claimed, places.as_slice()) {
        (Some(place), _) => place,
        (None, [place]) => *place,
        (None, []) => return Err(AnchorFact::Missing),
        (None, _) => return Err(AnchorFact::Ambiguous),
    };
    page.replace(place, old.len(), edit.new.lines().map(str::to_owned));
    Ok(page.text())
}

/// A text as lines, with what is needed to put it together again.
struct Page {
    lines: Vec<String>,
    carriage: bool,
    open_end: bool,
}

impl Page {
    fn of(text: &str) -> Self {
        let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
        let carriage = lines.first().is_some_and(|line| line.ends_with('\r'));
        Self { lines, carriage, open_end: !text.is_empty() && !text.ends_with('\n') }
    }

    fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        if !(self.open_end || self.lines.is_empty()) {
            text.push('\n');
        }
        text
    }

    /// Every line index from `from` on where these lines stand; none for no lines.
    fn places(&self, wanted: &[&str], from: usize) -> Vec<usize> {
        if wanted.is_empty() {
            return Vec::new();
        }
        let plain = |line: &str| line.strip_suffix('\r').unwrap_or(line).to_owned();
        let wanted: Vec<String> = wanted.iter().map(|line| plain(line)).collect();
        let fits =
            |window: &[String]| window.iter().zip(&wanted).all(|(line, wanted)| plain(line) == *wanted);
        let windows = self.lines.windows(wanted.len()).enumerate().skip(from);
        windows.filter(|(_, window)| fits(window)).map(|(index, _)| index).collect()
    }

    fn replace(&mut self, place: usize, length: usize, new: impl Iterator<Item = String>) {
        let carriage = self.carriage;
        let ended = new.map(|line| if carriage && !line.ends_with('\r') { line + "\r" } else { line });
        let end = place.saturating_add(length).min(self.lines.len());
        self.lines.splice(place.min(end)..end, ended);
    }
}
