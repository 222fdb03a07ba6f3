//! How much of a file a call has shown, from its parameters and from what the host says of it. Pure text.

use bailiwick_domain::{ContentHash, Pages, Params, Showed, Value};

/// Parameters of reading tools that leave nothing of the file out.
const HARMLESS: [&str; 8] = [
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "target_file",
    "AbsolutePath",
    "description",
    "explanation",
];

/// Whether a reading tool's parameters ask for all of each file.
///
/// ```
/// use bailiwick_domain::json;
/// use bailiwick_policy::shown::asks_for_all;
/// assert!(asks_for_all(json!({"path": "a.rs", "limit": null}).as_object().unwrap()));
/// assert!(!asks_for_all(json!({"path": "a.rs", "limit": 1}).as_object().unwrap()));
/// ```
pub fn asks_for_all(params: &Params) -> bool {
    params.iter().all(|(key, value)| match value {
        Value::Null => true,
        _ if HARMLESS.contains(&key.as_str()) => true,
        // Several files, each by its name alone.
        Value::Array(entries) if matches!(key.as_str(), "files" | "paths" | "file_paths" | "filePaths") => {
            entries.iter().all(|entry| match entry {
                Value::String(_) => true,
                Value::Object(entry) => asks_for_all(entry),
                _ => false,
            })
        }
        Value::Number(number) => key == "offset" && number.as_u64().is_some_and(|first| first <= 1),
        _ => false,
    })
}

/// Whether a command goes on after its call is over, so that nothing was shown yet.
pub fn goes_on(params: &Params) -> bool {
    ["run_in_background", "is_background", "isBackground", "background"]
        .iter()
        .any(|key| params.get(*key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false))))
}

/// Every reading tool that we know shows at least so many lines at once.
const PAGE: usize = 200;

/// Whether a reading tool shows all of this content at once, where its host does not say what it showed.
pub fn fits_a_page(content: &[u8]) -> bool {
    content.split_inclusive(|byte| *byte == b'\n').count() <= PAGE
}

/// What of a content a call has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All of it.
    Whole,
    /// These of its lines, of so many; a last line without a sign need not be shown.
    Lines(Pages, u64),
}

/// How much of this content a call has shown, by what its host hands on; `None` where it showed something else: the
/// content changed while the tool looked, or the output was cut.
pub fn of_content(content: &[u8], showed: &Showed) -> Option<Sight> {
    match showed {
        Showed::Nothing => None,
        Showed::Content(hash) => (ContentHash::of(content) == *hash).then_some(Sight::Whole),
        Showed::Printed(text) => {
            let content = String::from_utf8_lossy(content);
            text.contains(content.trim()).then_some(Sight::Whole)
        }
        Showed::Lines { first, total, text } => {
            let content = decoded(content);
            let skipped = usize::try_from(first.saturating_sub(1)).ok()?;
            let shown = if text.is_empty() && *first > 1 { 0 } else { text.split('\n').count() };
            let here = content.split('\n').skip(skipped).take(shown);
            let is_same = here.eq(text.split('\n'));
            let is_all = skipped == 0 && u64::try_from(shown).is_ok_and(|shown| shown >= *total);
            let is_whole = is_all && content.split('\n').count() == shown;
            is_same.then(|| if is_whole { Sight::Whole } else { lines_of(&content, *first, shown) })
        }
    }
}

fn lines_of(content: &str, first: u64, shown: usize) -> Sight {
    let count = |lines: usize| u64::try_from(lines).unwrap_or(u64::MAX);
    let first = first.max(1);
    let last = first.saturating_add(count(shown)).saturating_sub(1);
    Sight::Lines(Pages::of(first, last), count(content.lines().count()))
}

/// A content as a reading tool shows it: what a byte order mark says, and LF as the end of each line.
fn decoded(content: &[u8]) -> String {
    let text = match content {
        [0xFF, 0xFE, rest @ ..] => {
            let units = rest.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(u16::from_le_bytes);
            char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        bytes => String::from_utf8_lossy(bytes).into_owned(),
    };
    text.replace("\r\n", "\n")
}
