//! Names of files in the headers of a diff: quoted as git quotes them, with timestamps, with one leading folder to strip.
//!
//! A name that `git apply` and GNU `patch` may take for two different ones is no name.

/// A name behind `---` or `+++`.
pub(super) struct Name {
    /// As it is written, with the leading folder.
    pub(super) path: String,
    /// Whether its timestamp is the one that stands for "there was no file".
    pub(super) is_epoch: bool,
}

impl Name {
    pub(super) fn is_null(&self) -> bool {
        self.path == "/dev/null"
    }
}

/// The longest header line that is looked at, in bytes.
const MAX_HEADER: usize = 16_384;

/// Reads what stands behind `--- ` or `+++ `: a name that ends with the line or with a TAB.
pub(super) fn in_header(text: &str) -> Option<Name> {
    if text.len() > MAX_HEADER {
        return None;
    }
    let (path, stamp) = if text.starts_with('"') {
        let (path, rest) = unquoted(text)?;
        (path, rest.strip_prefix('\t').or_else(|| rest.is_empty().then_some(""))?)
    } else {
        let (path, stamp) = match text.split_once('\t') {
            Some((path, stamp)) => (path, stamp),
            None if text.contains(char::is_whitespace) => return None,
            None => (text, ""),
        };
        if is_padded(path) || path.contains(char::is_control) {
            return None;
        }
        (path.to_owned(), stamp)
    };
    let is_epoch = stamp.starts_with("1970-01-01 ") || stamp.starts_with("1969-12-31 ");
    (!path.is_empty() && is_stamp(stamp)).then_some(Name { path, is_epoch })
}

/// A whole line that is one name, as behind `rename from `.
pub(super) fn alone(text: &str) -> Option<String> {
    if text.starts_with('"') {
        return unquoted(text).filter(|(_, rest)| rest.is_empty()).map(|(path, _)| path);
    }
    let is_plain = !text.is_empty() && !is_padded(text) && !text.contains(char::is_control);
    is_plain.then(|| text.to_owned())
}

/// Every way to read `A B` behind `diff --git ` as two names.
pub(super) fn pairs(text: &str) -> Vec<(String, String)> {
    if text.len() > MAX_HEADER || text.contains(char::is_control) {
        return Vec::new();
    }
    if text.starts_with('"') {
        let second = |rest: &str| alone(rest.strip_prefix(' ')?);
        let pair = unquoted(text).and_then(|(first, rest)| Some((first, second(rest)?)));
        return pair.into_iter().collect();
    }
    let splits = text.match_indices(' ').filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + 1..)?)));
    splits.filter_map(|(first, second)| Some((alone(first)?, alone(second)?))).collect()
}

/// A path without its first folder; `None` where nothing is left or a part of it leads elsewhere.
pub(super) fn stripped(path: &str) -> Option<String> {
    let (_, rest) = path.split_once('/')?;
    is_clean(path).then(|| rest.to_owned())
}

/// Whether no part of the path is empty or leads elsewhere.
pub(super) fn is_clean(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn is_padded(text: &str) -> bool {
    text.trim() != text
}

/// A date, or what holds no dash and can therefore not be taken for a part of a date.
fn is_stamp(text: &str) -> bool {
    let is_word = |text: &str| !text.contains(['-', '"']) && !text.contains(char::is_control);
    is_word(text) || is_date(text)
}

/// `2026-01-31 08:00:00`, with a fraction and an offset where there is one.
fn is_date(text: &str) -> bool {
    let shape: String =
        text.chars().map(|sign| if sign.is_ascii_digit() { '0' } else { sign }).take(64).collect();
    let Some(rest) = shape.strip_prefix("0000-00-00 00:00:00") else { return false };
    let rest = rest.strip_prefix('.').map_or(rest, |fraction| fraction.trim_start_matches('0'));
    matches!(rest, "" | " +0000" | " -0000")
}

/// A text in double quotes with C's escapes, and what follows it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        let sign = rest.chars().next()?;
        rest = rest.strip_prefix(sign)?;
        match sign {
            '"' => return Some((String::from_utf8(bytes).ok()?, rest)),
            '\\' => {
                let (byte, after) = escaped(rest)?;
                bytes.push(byte);
                rest = after;
            }
            sign if sign.is_control() => return None,
            sign => bytes.extend(sign.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

fn escaped(rest: &str) -> Option<(u8, &str)> {
    if let Some((digits, after)) = rest.split_at_checked(3)
        && digits.bytes().all(|digit| matches!(digit, b'0'..=b'7'))
    {
        return Some((u8::from_str_radix(digits, 8).ok()?, after));
    }
    let sign = rest.chars().next()?;
    let byte = match sign {
        'a' => 7,
        'b' => 8,
        't' => b'\t',
        'n' => b'\n',
        'v' => 11,
        'f' => 12,
        'r' => b'\r',
        '"' => b'"',
        '\\' => b'\\',
        _ => return None,
    };
    Some((byte, rest.strip_prefix(sign)?))
}
