//! The lines that git writes under `diff --git`: names, modes, renames, copies, binary content.

use super::lines::{Lines, plain};
use super::{ModeNote, name};
use crate::calls::terms::Unreadable;

/// The lines up to the content of a section, once they fit together.
#[derive(Default)]
pub(super) struct Header {
    old: Option<String>,
    new: Option<String>,
    /// Whether the old file stays.
    pub(super) is_copy: bool,
    /// Whether the content is binary.
    pub(super) is_binary: bool,
    modes: (Option<String>, Option<String>),
}

impl Header {
    /// The old file; `None` where the section makes one.
    pub(super) fn before(&self) -> Option<&str> {
        self.old.as_deref()
    }

    /// The new file; `None` where the section removes one.
    pub(super) fn after(&self) -> Option<&str> {
        self.new.as_deref()
    }

    /// Whether a new file is one of text that nothing runs.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.modes.1.as_deref(), Some("100644" | "100755"))
    }

    /// The mode that the file gets, unless it is that of a new plain one.
    pub(super) fn mode_note(&self) -> Option<ModeNote> {
        let path = self.new.clone()?;
        let new = self.modes.1.clone()?;
        let is_usual = self.old.is_none() && new == "100644";
        (!is_usual).then(|| ModeNote { path, old: self.modes.0.clone(), new })
    }
}

/// The heads of lines that may stand in a header; each at most once.
const HEADS: [&str; 11] = [
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "similarity index ",
    "dissimilarity index ",
    "index ",
];

/// What the lines said, in the order of [`HEADS`].
#[derive(Default)]
struct Said<'a>([Option<&'a str>; HEADS.len()]);

impl<'a> Said<'a> {
    fn of(&self, head: &str) -> Option<&'a str> {
        self.0.iter().zip(HEADS).find(|(_, known)| *known == head).and_then(|(said, _)| *said)
    }

    /// Both of two lines, neither, or an odd header.
    fn both(&self, first: &str, second: &str) -> Option<Option<(&'a str, &'a str)>> {
        match (self.of(first), self.of(second)) {
            (Some(first), Some(second)) => Some(Some((first, second))),
            (None, None) => Some(None),
            _ => None,
        }
    }
}

/// Reads a header from its `diff --git` line on; binary content is passed over.
pub(super) fn header(lines: &mut Lines<'_>) -> Result<Header, Unreadable> {
    let first = lines.next().unwrap_or_default();
    let pairs = name::pairs(plain(first).strip_prefix("diff --git ").unwrap_or_default());
    let mut said = Said::default();
    while let Some((slot, value)) = lines.peek().and_then(|line| slot(plain(line), &mut said)) {
        if slot.replace(value).is_some() {
            return Err(lines.odd("the section has such a line already"));
        }
        lines.next();
    }
    let mut header = together(&said, &pairs).ok_or_else(|| {
        lines.odd_before(first, "the lines of this section of the diff do not fit together")
    })?;
    header.is_binary = binary(lines)?;
    Ok(header)
}

fn slot<'a, 's>(line: &'a str, said: &'s mut Said<'a>) -> Option<(&'s mut Option<&'a str>, &'a str)> {
    let mut slots = said.0.iter_mut().zip(HEADS);
    slots.find_map(|(slot, head)| Some((slot, line.strip_prefix(head)?)))
}

/// The header that all of the lines agree on.
fn together(said: &Said<'_>, pairs: &[(String, String)]) -> Option<Header> {
    let changed = said.both("old mode ", "new mode ")?;
    let renamed = said.both("rename from ", "rename to ")?;
    let copied = said.both("copy from ", "copy to ")?;
    let (created, deleted) = (said.of("new file mode "), said.of("deleted file mode "));
    let sure = |first: bool, second: bool, third: bool, fourth: bool| {
        [first, second, third, fourth].iter().filter(|is| **is).count() <= 1
    };
    if !sure(renamed.is_some(), copied.is_some(), created.is_some(), deleted.is_some()) {
        return None;
    }
    if changed.is_some() && (created.is_some() || deleted.is_some()) {
        return None;
    }
    let modes = (changed.map(|(old, _)| old).or(deleted), changed.map(|(_, new)| new).or(created));
    let mode = |text: Option<&str>| text.map_or(Some(None), |text| known_mode(text).map(Some));
    let modes = (mode(modes.0)?, mode(modes.1)?);
    let stripped = pairs.iter().filter_map(|(a, b)| Some((name::stripped(a)?, name::stripped(b)?)));
    let (old, new) = match renamed.or(copied) {
        Some((from, to)) => {
            let (from, to) = (name::alone(from)?, name::alone(to)?);
            stripped.into_iter().find(|(old, new)| *old == from && *new == to)?
        }
        None => {
            let mut same = stripped.filter(|(old, new)| old == new);
            let pair = same.next()?;
            if same.next().is_some() {
                return None;
            }
            pair
        }
    };
    if renamed.or(copied).is_some() && old == new {
        return None;
    }
    Some(Header {
        old: created.is_none().then_some(old),
        new: deleted.is_none().then_some(new),
        is_copy: copied.is_some(),
        is_binary: false,
        modes,
    })
}

fn known_mode(text: &str) -> Option<String> {
    let text = text.trim_end();
    matches!(text, "100644" | "100755" | "120000" | "160000").then(|| text.to_owned())
}

/// Passes over binary content: what git writes with `--binary`, or the line that stands for it.
fn binary(lines: &mut Lines<'_>) -> Result<bool, Unreadable> {
    let stands_for = |line: &str| line.starts_with("Binary files ") && plain(line).ends_with(" differ");
    if lines.next_if(stands_for).is_some() {
        return Ok(true);
    }
    if lines.next_if(|line| plain(line) == "GIT binary patch").is_none() {
        return Ok(false);
    }
    let mut parts = 0;
    while lines.next_if(is_binary_head).is_some() {
        parts += 1;
        while lines.next_if(|line| is_encoded(plain(line))).is_some() {}
        if lines.next_if(|line| plain(line).is_empty()).is_none() {
            return Err(lines.odd("it is no line of the binary content before it"));
        }
    }
    if (1..=2).contains(&parts) { Ok(true) } else { Err(lines.odd("no binary content stands here")) }
}

fn is_binary_head(line: &str) -> bool {
    let size = plain(line).strip_prefix("literal ").or_else(|| plain(line).strip_prefix("delta "));
    size.is_some_and(|size| !size.is_empty() && size.bytes().all(|digit| digit.is_ascii_digit()))
}

/// One line of git's base 85: a letter that counts the bytes, and five signs for each four of them.
fn is_encoded(line: &str) -> bool {
    let Some((head, signs)) = line.split_at_checked(1) else { return false };
    let bytes = match head.bytes().next() {
        Some(letter @ b'A'..=b'Z') => usize::from(letter - b'A') + 1,
        Some(letter @ b'a'..=b'z') => usize::from(letter - b'a') + 27,
        _ => return false,
    };
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || b"!#$%&()*+-;<=>?@^_`{|}~".contains(&sign);
    signs.len() == bytes.div_ceil(4) * 5 && signs.bytes().all(is_sign)
}
