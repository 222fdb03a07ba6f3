//! `printf`: formats that store into no variable, and numbers that no shell computes.

use crate::read_only::options::Proof;

/// Conversions that print an argument as it is. `%n` stores into a variable, `%(` asks the clock.
const OF_TEXT: &str = "sbc";

/// Conversions for which some shells compute the argument, and what is computed may set a variable or run a command.
const OF_NUMBERS: &str = "diouxXeEfgG";

/// What may stand behind `\` in a format. Some shells take `\u0025` for the `%` of a conversion.
const ESCAPED: &str = "\\\"'abefnrtv01234567x";

/// Proves a call of `printf`.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    let words = match words {
        ["--", rest @ ..] => rest,
        words => words,
    };
    let (format, arguments) = words.split_first().ok_or("`printf` has no format")?;
    // No shell knows an option that begins with three dashes: it prints them, or says that it does not know it.
    if format.starts_with('-') && !format.starts_with("---") {
        return Err("`printf` has an option".to_owned());
    }
    let has_numbers = scan(format).ok_or("the format of `printf` does more than print")?;
    // The format is used again for what is left of the arguments, so any of them may meet any conversion.
    match arguments.iter().find(|argument| has_numbers && !is_number(argument)) {
        Some(argument) => Err(format!("some shells compute `{argument}` where `printf` prints a number")),
        None => Ok(Proof::default()),
    }
}

/// Whether a format prints numbers; nothing where it does more than print.
fn scan(format: &str) -> Option<bool> {
    let (mut rest, mut has_numbers) = (format, false);
    while let Some((at, sign)) = rest.char_indices().find(|(_, c)| matches!(c, '%' | '\\')) {
        let behind = rest.get(at + 1..)?;
        rest = if sign == '\\' {
            let name = behind.chars().next()?;
            let is_known = ESCAPED.contains(name) && !behind.starts_with("x{") && !is_long_code(behind);
            behind.get(name.len_utf8()..).filter(|_| is_known)?
        } else if let Some(behind) = behind.strip_prefix('%') {
            behind
        } else {
            let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.".contains(c));
            let name = behind.chars().next()?;
            has_numbers |= OF_NUMBERS.contains(name);
            behind.get(name.len_utf8()..).filter(|_| OF_NUMBERS.contains(name) || OF_TEXT.contains(name))?
        };
    }
    Some(has_numbers)
}

/// Whether more than two digits of a code follow: some shells take all of them, so that `\x025` is a `%`.
fn is_long_code(behind: &str) -> bool {
    let digits = behind.strip_prefix('x').unwrap_or_default().bytes().take_while(u8::is_ascii_hexdigit);
    digits.count() > 2
}

/// A number as it is written, decimal or hexadecimal, or one letter behind a quote, whose code is the number.
fn is_number(text: &str) -> bool {
    if let [b'\'' | b'"', sign] = text.as_bytes() {
        return sign.is_ascii_alphanumeric();
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let are_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match unsigned.strip_prefix("0x") {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => {
            unsigned.split_once('.').map_or(are_digits(unsigned), |(a, b)| are_digits(a) && are_digits(b))
        }
    }
}
