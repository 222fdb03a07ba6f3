//! A file's bytes as a host's tools read and write them: encoding, byte order mark, line ends.

use bailiwick_domain::EditRules;

use super::MOST_TEXT;

/// How far from the start a host looks for line ends, in bytes.
const SAMPLE: usize = 4096;

/// How far from the start a host looks for a NUL, in bytes.
const NUL_SAMPLE: usize = 8192;

/// A file as a text, with what is needed to write it again.
pub(super) struct Text {
    pub(super) text: String,
    form: Form,
    crlf: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Utf8,
    MarkedUtf8,
    MarkedUtf16,
}

impl Text {
    /// `None` where it is not known how the host writes such a file.
    pub(super) fn of(rules: &EditRules, bytes: &[u8]) -> Option<Self> {
        let (form, raw) = match bytes {
            [0xFF, 0xFE, rest @ ..] if rules.keeps_marks => (Form::MarkedUtf16, from_utf16(rest)?),
            [0xEF, 0xBB, 0xBF, rest @ ..] if rules.keeps_marks => {
                (Form::MarkedUtf8, String::from_utf8(rest.to_vec()).ok()?)
            }
            _ => (Form::Utf8, String::from_utf8(bytes.to_vec()).ok()?),
        };
        let near_start = bytes.get(..NUL_SAMPLE.min(bytes.len())).unwrap_or_default();
        if rules.keeps_marks && form != Form::MarkedUtf16 && near_start.contains(&0) {
            return None;
        }
        if !rules.keeps_line_ends {
            return Some(Self { text: raw, form, crlf: false });
        }
        let crlf = has_crlf(&raw, form)?;
        Some(Self { text: raw.replace("\r\n", "\n"), form, crlf })
    }

    /// The bytes of an edited text; `None` where they are more than there may be.
    pub(super) fn bytes(&self, text: &str) -> Option<Vec<u8>> {
        if !self.crlf {
            return self.marked(text);
        }
        let ends = text.bytes().filter(|byte| *byte == b'\n').count();
        if text.len().saturating_add(ends) > MOST_TEXT {
            return None;
        }
        self.marked(&text.replace("\r\n", "\n").replace('\n', "\r\n"))
    }

    /// The bytes of a text that is written over the file: behind its mark, which is not doubled. Nothing has no mark.
    pub(super) fn written(&self, text: &str) -> Option<Vec<u8>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        self.marked(self.without_mark(text))
    }

    /// A text for a file that has its mark already.
    pub(super) fn without_mark<'a>(&self, text: &'a str) -> &'a str {
        text.strip_prefix('\u{feff}').filter(|_| self.form != Form::Utf8).unwrap_or(text)
    }

    fn marked(&self, text: &str) -> Option<Vec<u8>> {
        if text.len() > MOST_TEXT {
            return None;
        }
        Some(match self.form {
            Form::Utf8 => text.as_bytes().to_vec(),
            Form::MarkedUtf8 => [&[0xEF, 0xBB, 0xBF], text.as_bytes()].concat(),
            Form::MarkedUtf16 => {
                [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
            }
        })
    }
}

fn from_utf16(bytes: &[u8]) -> Option<String> {
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    let units = pairs.filter_map(|pair| pair.try_into().ok()).map(u16::from_le_bytes);
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

/// Whether most lines near the start end in CRLF; `None` where that depends on how the start is measured.
fn has_crlf(text: &str, form: Form) -> Option<bool> {
    let majority = |sample: &str| {
        let pairs = sample.matches("\r\n").count();
        pairs > sample.matches('\n').count().saturating_sub(pairs)
    };
    if text.len() <= SAMPLE && form != Form::MarkedUtf16 {
        return Some(majority(text));
    }
    let until = |at: usize| text.get(..text.floor_char_boundary(at)).unwrap_or(text);
    let by_signs = text.char_indices().nth(SAMPLE).map_or(text, |(at, _)| until(at));
    let answers = [majority(until(SAMPLE)), majority(until(SAMPLE / 2)), majority(by_signs), majority(text)];
    let measured = if form == Form::Utf8 && text.is_ascii() { answers.first() } else { None };
    match measured {
        Some(answer) => Some(*answer),
        None => answers.iter().all(|answer| Some(answer) == answers.first()).then(|| majority(text)),
    }
}
