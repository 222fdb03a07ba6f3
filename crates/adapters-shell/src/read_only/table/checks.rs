//! What must be true of the words of some programs besides.

use crate::OPEN_VARIABLES;
use crate::read_only::options::Parsed;

/// Longer numbers are none that a person types, and too long to be computed exactly.
const LONGEST_NUMBER: usize = 12;

/// How long `sleep` may take in all, in seconds.
const LONGEST_SLEEP: f64 = 600.0;

/// How many numbers `seq` may print.
const MOST_NUMBERS: f64 = 1e6;

/// What `ps` may tell of a process by an operand without a hyphen: `e` would tell its environment.
const PROCESS_LETTERS: &str = "ajluwx";

/// Columns of `ps` that do not tell a process's environment.
#[rustfmt::skip]
const COLUMNS: &[&str] = &[
    "pid", "ppid", "pgid", "sid", "uid", "user", "ruser", "group", "comm", "ucomm", "cmd", "command", "args", "%cpu", "pcpu",
    "%mem", "pmem", "rss", "vsz", "time", "cputime", "etime", "etimes", "start", "lstart", "stat", "state", "tty", "tt", "ni",
    "nice", "pri", "nlwp", "wchan", "psr",
];

/// Nothing.
pub(super) fn none(_: &Parsed<'_>) -> Result<(), String> {
    Ok(())
}

/// The script of `sed` is the one that an option gives, for every program: some take the first operand for it where that stands
/// before the option.
pub(super) fn scripts(parsed: &Parsed<'_>) -> Result<(), String> {
    if parsed.mixed && parsed.has(&["e", "expression"]) {
        return Err("an operand of `sed` stands before an option".to_owned());
    }
    Ok(())
}

/// `lsof` is asked who uses a port, and not who uses a file.
pub(super) fn ports(parsed: &Parsed<'_>) -> Result<(), String> {
    let is_port = |text: &str| {
        let (protocol, port) = text.split_once(':').unwrap_or((text, ""));
        let is_known = ["", "4", "6"].contains(&protocol)
            || ["tcp", "udp"].iter().any(|one| one.eq_ignore_ascii_case(protocol));
        is_known && port.bytes().all(|sign| sign.is_ascii_digit() || b",-".contains(&sign))
    };
    let mut asked = parsed.values(&["i"]).chain(parsed.operands.iter().copied());
    match parsed.has(&["i"]) && asked.all(is_port) {
        true => Ok(()),
        false => Err("`lsof` is only asked who uses a port here, as `lsof -i :8080`".to_owned()),
    }
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

/// `ps` tells no environment.
pub(super) fn processes(parsed: &Parsed<'_>) -> Result<(), String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let are_letters = |operand: &str| operand.chars().all(|letter| PROCESS_LETTERS.contains(letter));
    let is_column = |column: &str| COLUMNS.contains(&column.split('=').next().unwrap_or(column));
    let is_told = match parsed.operands.as_slice() {
        [] => true,
        [operand] => are_letters(operand) || is_number(operand),
        _ => false,
    };
    let mut columns = parsed.values(&["o"]).flat_map(|list| list.split(','));
    let mut processes = parsed.values(&["p"]).flat_map(|list| list.split(','));
    if is_told && columns.all(is_column) && processes.all(is_number) {
        Ok(())
    } else {
        Err("`ps` may tell what is in the environment of a process".to_owned())
    }
}

/// `printenv` tells nothing that may be a secret.
pub(super) fn variables(parsed: &Parsed<'_>) -> Result<(), String> {
    match parsed.operands.iter().find(|name| !OPEN_VARIABLES.contains(name)) {
        Some(name) => Err(format!("`{name}` may hold a secret")),
        None if parsed.operands.is_empty() => Err("`printenv` alone tells every variable".to_owned()),
        None => Ok(()),
    }
}

/// No word of `strings` stands for options in a file. It looks for these before it tells values from operands.
pub(super) fn of_binaries(parsed: &Parsed<'_>) -> Result<(), String> {
    let values = parsed.options.iter().filter_map(|(_, value)| *value);
    if let Some(word) = values.chain(parsed.operands.iter().copied()).find(|word| word.starts_with('@')) {
        return Err(format!("`{word}` may stand for options in a file"));
    }
    let is_count = |value: &str| number(value).is_some();
    let is_base = |value: &str| matches!(value, "o" | "d" | "x");
    if parsed.values(&["n"]).all(is_count) && parsed.values(&["t"]).all(is_base) {
        Ok(())
    } else {
        Err("`strings` takes a number behind `-n`, and `o`, `d` or `x` behind `-t`".to_owned())
    }
}

/// A plain decimal number.
fn number(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = text.len() <= LONGEST_NUMBER && are_digits(whole) && are_digits(part);
    text.parse().ok().filter(|_| is_plain)
}
