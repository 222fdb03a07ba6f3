//! Signs that are none: half of a pair of `\u` escapes, and bytes that are no UTF-8. A program that cuts a text anywhere
//! writes them, and most readers put the sign for an unknown one there.

use std::borrow::Cow;

/// A line with the sign for an unknown one in the place of each sign that is none. Whoever reads it so must hand it on so.
pub fn legible(line: &[u8]) -> Cow<'_, [u8]> {
    let line = match String::from_utf8_lossy(line) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    let halves = halves(&line);
    if halves.is_empty() {
        return line;
    }
    let mut line = line.into_owned();
    for half in halves {
        if let Some(digits) = line.get_mut(half..half.saturating_add(4)) {
            digits.copy_from_slice(b"fffd");
        }
    }
    Cow::Owned(line)
}

/// Where the digits of each escape begin that is half a pair.
fn halves(line: &[u8]) -> Vec<usize> {
    let (mut halves, mut at) = (Vec::new(), 0_usize);
    while let Some(next) = line.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at = at.saturating_add(next);
        let step = match unit(line, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(line, at.saturating_add(6)), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                halves.push(at.saturating_add(2));
                6
            }
            _ => 2,
        };
        at = at.saturating_add(step);
    }
    halves
}

/// The number of the escape that begins here.
fn unit(line: &[u8], at: usize) -> Option<u16> {
    let digits = line.get(at..at.saturating_add(6))?.strip_prefix(b"\\u")?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    u16::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_hex)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_pair_and_bytes_that_are_no_text_become_the_sign_for_that() {
        for (line, legible_line) in [
            (&br#""a\ud83d""#[..], &br#""a\ufffd""#[..]),
            (br#""\ude00b""#, br#""\ufffdb""#),
            (br#""\ud83d\ud83d\ude00""#, br#""\ufffd\ud83d\ude00""#),
            (br#""\uD83D\uDE00 \\ud83d \n\u00e9""#, br#""\uD83D\uDE00 \\ud83d \n\u00e9""#),
            (br#""\\\ud83d""#, br#""\\\ufffd""#),
            (br#""\ud83"#, br#""\ud83"#),
            (b"\"\xf0\x9f\"", "\"\u{fffd}\"".as_bytes()),
            (br#"\"#, br#"\"#),
        ] {
            assert_eq!(legible(line), legible_line, "{}", String::from_utf8_lossy(line));
        }
    }
}
