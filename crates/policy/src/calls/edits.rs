//! What a file's bytes become when a host's own tools edit or write it, by the rules of that host.
//!
//! Pure bytes; touches no file. How much is looked through and how large a result may become is checked before it is
//! done.

mod quotes;
mod text;

use bailiwick_domain::EditRules;

use crate::calls::patch::Patch;
use crate::calls::preview;
use crate::calls::terms::{AnchorFact, Edit};
use text::Text;

/// The largest text that edits may make, in bytes.
pub const MOST_TEXT: usize = 16 << 20;

/// How many bytes of text one call's edits of a file may look through together: always so many, more for each byte of
/// the file and of the edits, and never more than the last.
const SCANNED_ALWAYS: usize = 8 << 20;
const SCANNED_FOR_A_BYTE: usize = 64;
const MOST_SCANNED: usize = 64 << 20;

/// What each place that an edit quotes costs, in bytes that are looked through.
const COST_OF_A_PLACE: usize = 16;

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// What is wrong with a quoted text.
    Anchor(AnchorFact),
    /// More than is looked through, or a larger result than is made.
    TooLarge,
    /// The host writes something, or nothing, that is not known before.
    Unknown,
}

/// What edits make of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How well what they quote is there.
    pub anchor: AnchorFact,
    /// What they do beside what they say, as sentences for a person.
    pub notes: Vec<&'static str>,
}

/// Replaces what edits quote, each in what the ones before it made.
///
/// ```
/// use bailiwick_domain::EditRules;
/// use bailiwick_policy::edits::edited;
/// use bailiwick_policy::Edit;
/// let rules = EditRules { keeps_line_ends: true, ..EditRules::LITERAL };
/// let after = edited(&rules, b"a\r\nb\r\n", &[Edit::once("a\nb", "x\ny")]).unwrap();
/// assert_eq!(after.bytes, b"x\r\ny\r\n");
/// ```
///
/// # Errors
/// What is wrong with the first edit that does not fit.
pub fn edited(rules: &EditRules, before: &[u8], edits: &[Edit]) -> Result<Edited, Fault> {
    if edits.is_empty() {
        return Err(Fault::Anchor(AnchorFact::NotQuoted));
    }
    let form = Text::of(rules, before);
    let original = match &form {
        Some(form) => form.text.clone(),
        None => String::from_utf8_lossy(before).into_owned(),
    };
    let mut work = Work { rules, scanned: 0, most: most_scanned(before, edits), notes: Vec::new() };
    let mut text = original.clone();
    let mut anchor = AnchorFact::Found;
    for edit in edits {
        let (next, quoted) = work.apply(&text, edit)?;
        if !preview::quotes_a_line(&original, edit, &quoted) {
            anchor = AnchorFact::FoundLoosely;
        }
        text = next;
    }
    match form {
        Some(form) => {
            // Who quotes nothing writes the file as a whole.
            let is_whole = edits.iter().all(|edit| edit.old.is_empty());
            let bytes = form.bytes(if is_whole { form.without_mark(&text) } else { &text });
            Ok(Edited { bytes: bytes.ok_or(Fault::TooLarge)?, anchor, notes: work.notes })
        }
        None => Err(Fault::Unknown),
    }
}

/// How well what edits quote is there, even where it is not known what the host makes of it.
///
/// # Errors
/// More would be looked through, or a larger text be made, than there may be.
pub fn anchor_of(rules: &EditRules, before: &[u8], edits: &[Edit]) -> Result<AnchorFact, Fault> {
    match edited(rules, before, edits) {
        Ok(edited) => Ok(edited.anchor),
        Err(Fault::Anchor(AnchorFact::Missing)) if is_there_with_crlf(rules, before, edits) => {
            Ok(AnchorFact::OtherLineEnds)
        }
        Err(Fault::Anchor(fact)) => Ok(fact),
        Err(Fault::Unknown) => Ok(AnchorFact::FoundLoosely),
        Err(Fault::TooLarge) => Err(Fault::TooLarge),
    }
}

/// Whether the edits would fit if they ended their lines as the file does.
fn is_there_with_crlf(rules: &EditRules, before: &[u8], edits: &[Edit]) -> bool {
    let with_crlf = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    let ended = |edit: &Edit| Edit { old: with_crlf(&edit.old), new: with_crlf(&edit.new), ..edit.clone() };
    let ended: Vec<Edit> = edits.iter().map(ended).collect();
    before.windows(2).any(|pair| pair == b"\r\n") && edited(rules, before, &ended).is_ok()
}

/// What a file holds after it was written whole; `None` where that is not known.
pub fn written(rules: &EditRules, before: Option<&[u8]>, content: &str) -> Option<Vec<u8>> {
    match before.filter(|before| rules.keeps_marks && !before.is_empty()) {
        Some(before) => Text::of(rules, before)?.written(content),
        None => Some(content.as_bytes().to_vec()),
    }
}

/// Whether these rules are more than a guess for that file, these edits of it, and that text in its place.
///
/// ```
/// use bailiwick_domain::EditRules;
/// use bailiwick_policy::edits::are_known;
/// let rules = EditRules { plain_only: true, ..EditRules::LITERAL };
/// assert!(are_known(&rules, Some(b"a\n"), &[], Some("b\n")));
/// assert!(!are_known(&rules, Some(b"a\r\n"), &[], Some("b\n")));
/// ```
pub fn are_known(rules: &EditRules, before: Option<&[u8]>, edits: &[Edit], content: Option<&str>) -> bool {
    let says = edits.iter().flat_map(|edit| [edit.old.as_bytes(), edit.new.as_bytes()]);
    let mut texts = before.into_iter().chain(says).chain(content.map(str::as_bytes));
    let quotes = edits.iter().all(|edit| !edit.old.is_empty() && !edit.new.is_empty() && !edit.whole_lines);
    !rules.is_guess && (!rules.plain_only || (quotes && texts.all(is_plain)))
}

/// Whether it is more than a guess that a patch leaves `after` in a file; what is moved without one stays as it is. `before` is
/// what the patch changes, and nothing where it puts a whole file there.
pub fn is_patch_known(
    rules: &EditRules,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    patch: Option<&Patch>,
) -> bool {
    let Some(patch) = patch else { return true };
    let ends_so = |after: &[u8]| ends_with_a_line(after) || before.is_none() && after.is_empty();
    let began_so = |before: &[u8]| is_plain(before) && ends_with_a_line(before);
    let is_measured = || !patch.is_disputed && before.is_none_or(began_so) && after.is_none_or(ends_so);
    !rules.is_guess && (!rules.plain_only || is_measured())
}

/// Whether a text ends with a line that is not empty, and with its LF: appliers add one that is missing, leave out an empty last
/// line, and put in front of one what they append.
fn ends_with_a_line(text: &[u8]) -> bool {
    text.strip_suffix(b"\n").is_some_and(|lines| !lines.is_empty() && !lines.ends_with(b"\n"))
}

fn is_plain(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| !text.contains(['\r', '\0', '\u{feff}']))
}

fn most_scanned(before: &[u8], edits: &[Edit]) -> usize {
    let said: usize = edits.iter().map(|edit| edit.old.len().saturating_add(edit.new.len())).sum();
    let bytes = before.len().saturating_add(said);
    bytes.saturating_mul(SCANNED_FOR_A_BYTE).saturating_add(SCANNED_ALWAYS).min(MOST_SCANNED)
}

struct Work<'a> {
    rules: &'a EditRules,
    scanned: usize,
    most: usize,
    notes: Vec<&'static str>,
}

impl Work<'_> {
    /// The text after one edit, and what it found of what the edit quotes.
    fn apply(&mut self, text: &str, edit: &Edit) -> Result<(String, String), Fault> {
        self.scan(text.len().saturating_add(edit.old.len()))?;
        if edit.old.is_empty() {
            let is_empty = text.is_empty() || (self.rules.keeps_marks && text.trim().is_empty());
            let created = is_empty.then(|| (edit.new.clone(), String::new()));
            return created.ok_or(Fault::Anchor(AnchorFact::NotQuoted));
        }
        if edit.whole_lines {
            let next = preview::apply_lines(text, edit).map_err(Fault::Anchor)?;
            return Ok((next, edit.old.clone()));
        }
        let found = self.find(text, &edit.old).ok_or(Fault::Anchor(AnchorFact::Missing))?;
        let count = text.matches(found.as_str()).count();
        self.scan(count.saturating_mul(COST_OF_A_PLACE))?;
        let every = every(edit, count).map_err(Fault::Anchor)?;
        let new = if found == edit.old { edit.new.clone() } else { quotes::curled(&found, &edit.new) };
        let (target, count) = match self.with_line_end(text, &found, &new) {
            Some(line) => {
                let count = text.matches(line.as_str()).count();
                (line, count)
            }
            None => (found.clone(), count),
        };
        let places = if every { count } else { 1 };
        let grown = places.checked_mul(new.len()).and_then(|grown| grown.checked_add(text.len()));
        if grown.is_none_or(|size| size > MOST_TEXT) {
            return Err(Fault::TooLarge);
        }
        let next = if every { text.replace(&target, &new) } else { text.replacen(&target, &new, 1) };
        Ok((next, found))
    }

    /// Looks through so many bytes more.
    fn scan(&mut self, bytes: usize) -> Result<(), Fault> {
        self.scanned = self.scanned.saturating_add(bytes);
        if self.scanned > self.most { Err(Fault::TooLarge) } else { Ok(()) }
    }

    /// What stands in the text for what an edit quotes.
    fn find(&mut self, text: &str, quoted: &str) -> Option<String> {
        if text.contains(quoted) {
            return Some(quoted.to_owned());
        }
        let found = self.rules.curls_quotes.then(|| quotes::find(text, quoted)).flatten()?;
        self.note("The host treats straight and curly quotes alike here, and keeps the file's.");
        Some(found)
    }

    fn with_line_end(&mut self, text: &str, found: &str, new: &str) -> Option<String> {
        if !self.rules.takes_the_line || !new.is_empty() || found.ends_with('\n') {
            return None;
        }
        let line = format!("{found}\n");
        if !text.contains(&line) {
            return None;
        }
        self.note("The host also removes the line end where it replaces text by nothing.");
        Some(line)
    }

    fn note(&mut self, note: &'static str) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Whether every place is replaced.
fn every(edit: &Edit, count: usize) -> Result<bool, AnchorFact> {
    match (count, edit.expected) {
        (found, Some(expected)) if found == expected => Ok(true),
        (_, Some(expected)) if expected > 1 => Err(AnchorFact::Ambiguous),
        (_, _) if edit.replace_all => Ok(true),
        (1, _) => Ok(false),
        _ => Err(AnchorFact::Ambiguous),
    }
}
