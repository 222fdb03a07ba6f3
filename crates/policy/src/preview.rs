//! What a file's text becomes, and whether what a call quotes is there. Pure text; touches no file.

use crate::facts::AnchorFact;

mod hunks;

pub use hunks::{anchor_of_hunks, apply_hunks};

/// One quoted replacement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// The file, as spelled, when the call edits several.
    pub path: Option<String>,
    /// The text that must be there; empty to create a file.
    pub old: String,
    /// The text that takes its place.
    pub new: String,
    /// Whether every occurrence is replaced.
    pub replace_all: bool,
    /// How many occurrences the call expects; all of them are replaced.
    pub expected: Option<usize>,
    /// The 1-based line where the old text starts, as the call claims; tells equal places apart.
    pub line: Option<usize>,
    /// Whether both texts are whole lines, each ended by LF.
    pub whole_lines: bool,
}

impl Edit {
    /// A replacement of the only occurrence.
    pub fn once(old: &str, new: &str) -> Self {
        Self { old: old.to_owned(), new: new.to_owned(), ..Self::default() }
    }
}

/// Whether what the edits quote is in the text; each edit is looked up in what the ones before it made (D-09).
///
/// ```
/// use bailiwick_policy::{AnchorFact, preview::{Edit, anchor_of}};
/// assert_eq!(anchor_of("a\nb", &[Edit::once("a", "c")]), AnchorFact::Found);
/// assert_eq!(anchor_of("a b", &[Edit::once("a", "c")]), AnchorFact::FoundLoosely);
/// assert_eq!(anchor_of("a a", &[Edit::once("a", "c")]), AnchorFact::Ambiguous);
/// assert_eq!(anchor_of("b", &[Edit::once("a", "c")]), AnchorFact::Missing);
/// ```
pub fn anchor_of(current: &str, edits: &[Edit]) -> AnchorFact {
    match edits {
        [] => AnchorFact::NotQuoted,
        edits if apply_edits(current, edits).is_ok() => {
            let loose = edits.iter().any(|edit| !quotes_a_line(current, edit));
            if loose { AnchorFact::FoundLoosely } else { AnchorFact::Found }
        }
        edits => apply_edits(current, edits).err().unwrap_or(AnchorFact::Missing),
    }
}

/// Whether an edit quotes at least one whole line of the text, blanks around it apart, at one place alone. What creates
/// a file quotes all that is there; what quotes the result of an edit before it quotes nothing that is there.
fn quotes_a_line(text: &str, edit: &Edit) -> bool {
    if edit.old.is_empty() {
        return text.is_empty();
    }
    let quoted = edit.old.lines().any(|line| !line.trim().is_empty());
    if edit.whole_lines || edit.replace_all || edit.expected.is_some_and(|count| count > 1) {
        return quoted && edit.whole_lines;
    }
    let Some(start) = text.find(&edit.old) else { return false };
    let end = start.saturating_add(edit.old.len());
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let starts = before.rsplit('\n').next().unwrap_or_default().trim().is_empty();
    let ends = after.split('\n').next().unwrap_or_default().trim().is_empty();
    let mut lines: Vec<&str> = edit.old.split('\n').collect();
    if !ends {
        lines.pop();
    }
    let whole = if starts { lines.as_slice() } else { lines.get(1..).unwrap_or_default() };
    whole.iter().any(|line| !line.trim().is_empty())
}

/// The text after the edits.
///
/// # Errors
/// What is wrong with the first quotation that does not fit; [`AnchorFact::NotQuoted`] for no edits, and for an empty
/// old text, which quotes nothing unless the text is empty too (creation).
pub fn apply_edits(current: &str, edits: &[Edit]) -> Result<String, AnchorFact> {
    if edits.is_empty() {
        return Err(AnchorFact::NotQuoted);
    }
    edits.iter().try_fold(current.to_owned(), |text, edit| apply_edit(&text, edit))
}

fn apply_edit(text: &str, edit: &Edit) -> Result<String, AnchorFact> {
    if edit.old.is_empty() {
        return if text.is_empty() { Ok(edit.new.clone()) } else { Err(AnchorFact::NotQuoted) };
    }
    if edit.whole_lines {
        return apply_lines(text, edit);
    }
    match (text.matches(edit.old.as_str()).count(), edit.expected) {
        (0, _) => Err(AnchorFact::Missing),
        (found, Some(expected)) if found == expected => Ok(text.replace(&edit.old, &edit.new)),
        (_, Some(expected)) if expected > 1 => Err(AnchorFact::Ambiguous),
        (_, _) if edit.replace_all => Ok(text.replace(&edit.old, &edit.new)),
        (1, _) => Ok(text.replacen(&edit.old, &edit.new, 1)),
        _ => Err(AnchorFact::Ambiguous),
    }
}

fn apply_lines(text: &str, edit: &Edit) -> Result<String, AnchorFact> {
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
