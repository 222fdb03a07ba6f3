//! What must be true of the words of some programs besides.

use crate::read_only::options::Parsed;

/// Longer numbers are none that a person types, and too long to be computed exactly.
const LONGEST_NUMBER: usize = 12;

/// How long `sleep` may take in all, in seconds.
const LONGEST_SLEEP: f64 = 600.0;

/// How many numbers `seq` may print.
const MOST_NUMBERS: f64 = 1e6;

/// Nothing.
pub(super) fn none(_: &Parsed<'_>) -> Result<(), String> {
    Ok(())
}

/// `sleep` ends soon.
pub(super) fn sleeps(parsed: &Parsed<'_>) -> Result<(), String> {
    let seconds = |operand: &&str| match operand.strip_suffix('m') {
        Some(minutes) => number(minutes).map(|minutes| minutes * 60.0),
        None => number(operand.strip_suffix('s').unwrap_or(operand)),
    };
    let all: Option<f64> = parsed.operands.iter().map(seconds).sum();
    match all {
        Some(all) if all <= LONGEST_SLEEP => Ok(()),
        _ => Err(format!("`sleep` is not known to end within {LONGEST_SLEEP} seconds")),
    }
}

/// `seq` prints not too many numbers.
pub(super) fn counts(parsed: &Parsed<'_>) -> Result<(), String> {
    let numbers: Option<Vec<f64>> = parsed.operands.iter().map(|operand| number(operand)).collect();
    let count = match numbers.as_deref() {
        Some([last]) => *last,
        Some([first, last]) => (last - first).abs(),
        Some([first, step, last]) => (last - first).abs() / step,
        _ => f64::INFINITY,
    };
    // A step of 0 from a number to itself gives no count at all.
    if count <= MOST_NUMBERS {
        Ok(())
    } else {
        Err(format!("`seq` may print more than {MOST_NUMBERS} numbers"))
    }
}

/// A plain decimal number.
fn number(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = text.len() <= LONGEST_NUMBER && are_digits(whole) && are_digits(part);
    text.parse().ok().filter(|_| is_plain)
}
