//! Scripts of `sed` that only print: addresses with `p`, `q`, `=` or `d`, and substitutions without a flag that writes or
//! runs something: `10,40p`, `/a/,/b/p`, `$=`, `5q`, `1,5d`, `s/a/b/g`.

use super::expression::past_expression;

/// Signs that may stand around the parts of a substitution.
const DELIMITERS: &[char] = &['/', '|', '#', ',', ':'];

/// Whether a script only prints.
pub(crate) fn only_prints(script: &str) -> Result<(), &str> {
    let mut rest = script.trim();
    loop {
        let after = command(rest).ok_or(rest)?.trim_start();
        if after.is_empty() {
            return Ok(());
        }
        rest = after.strip_prefix(';').ok_or(after)?.trim_start();
        if rest.is_empty() {
            return Ok(());
        }
    }
}

fn command(text: &str) -> Option<&str> {
    let mut rest = text;
    if let Some(after) = address(rest) {
        rest = after.trim_start();
        if let Some(second) = rest.strip_prefix(',') {
            let second = second.trim_start();
            rest = address(second.strip_prefix(['+', '~']).unwrap_or(second))?.trim_start();
        }
        rest = rest.strip_prefix('!').unwrap_or(rest).trim_start();
    }
    match rest.strip_prefix('s') {
        Some(substitution) => past_substitution(substitution),
        None => rest.strip_prefix(['p', 'q', '=', 'd']),
    }
}

/// Some programs look for classes in the replacement, too.
fn past_substitution(text: &str) -> Option<&str> {
    let end = text.chars().next().filter(|sign| DELIMITERS.contains(sign))?;
    let replacement = past_expression(text.get(1..)?, end)?;
    let flags = past_expression(replacement, end)?;
    Some(flags.trim_start_matches(|flag: char| flag.is_ascii_digit() || "gpiI".contains(flag)))
}

/// A line number, a step (`1~2`), the last line, or a regular expression between slashes.
fn address(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('$') {
        return Some(rest);
    }
    if let Some(expression) = text.strip_prefix('/') {
        let after = past_expression(expression, '/')?;
        return Some(after.strip_prefix('I').unwrap_or(after));
    }
    let rest = digits(text)?;
    match rest.strip_prefix('~') {
        Some(step) => digits(step),
        None => Some(rest),
    }
}

fn digits(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}
