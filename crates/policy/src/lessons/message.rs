//! From what a command printed to one line that says the same for the same failure.

/// The longest message, in characters.
const LONGEST: usize = 120;

/// So many lines of an output are looked at.
const MOST_LINES: usize = 4_000;

/// So many places are tried for a file.
const MOST_FILES: usize = 40;

/// Whole words of a line that may tell a failure.
const TELLS: &[&str] = &[
    "assert",
    "assertion",
    "error",
    "fail",
    "fails",
    "failed",
    "failure",
    "expected",
    "exception",
    "mismatch",
    "mismatched",
    "cannot",
    "undefined",
];

/// How lines begin that tell of work, and not of what came of it.
const NOISE: &[&str] = &[
    "Compiling ",
    "Running ",
    "Checking ",
    "Downloading ",
    "Downloaded ",
    "Finished ",
    "Blocking ",
    "Collecting ",
    "warning",
    "> ",
    "$ ",
    "+ ",
    "make: Entering",
];

/// The line that tells the failure, without what differs from run to run; empty where no line does. A line that can only be
/// a failure comes before one that may be.
pub fn message_of(output: &str) -> String {
    let lines: Vec<String> = output.lines().take(MOST_LINES).map(uncoloured).collect();
    let found =
        lines.iter().find(|line| is_failure(line)).or_else(|| lines.iter().find(|line| may_fail(line)));
    found.map(|line| plain(&stable(line), LONGEST)).unwrap_or_default()
}

/// Whether a line has the form in which tools tell failures.
fn is_failure(line: &str) -> bool {
    let text = line.trim();
    let lower = text.to_lowercase();
    if is_noise(text) {
        return false;
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    // `TypeError:`, `java.lang.IllegalStateException:`
    let is_thrown =
        first.strip_suffix(':').is_some_and(|name| name.ends_with("Error") || name.ends_with("Exception"));
    is_thrown
        || line.starts_with("E   ")
        || lower.starts_with("error[")
        || lower.starts_with("error:")
        || lower.contains(": error:")
        || lower.contains(": error ts")
        || text.contains("AssertionError")
        || words(text).any(|word| ["FAILED", "FAIL", "panicked"].contains(&word))
}

/// Whether a word of the line is one that failures are told with.
fn may_fail(line: &str) -> bool {
    let text = line.trim();
    let lower = text.to_lowercase();
    !is_noise(text) && (lower.contains("not found") || words(&lower).any(|word| TELLS.contains(&word)))
}

fn is_noise(text: &str) -> bool {
    NOISE.iter().any(|head| text.starts_with(head))
        || text.contains(" 0 failed")
        || text.contains(" 0 errors")
}

/// The words of a line. A name with a dash, a line or a slash in it is one word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| c.is_whitespace() || "()[]{}<>\"'`,;|=!".contains(c));
    parts.map(|word| word.trim_matches(|c: char| ":.*-".contains(c))).filter(|word| !word.is_empty())
}

/// Words of an output that may name a file, in their order, without line numbers.
pub fn files_in(output: &str) -> Vec<String> {
    let is_end = |c: char| c.is_whitespace() || "()[]{}<>\"'`,;|=".contains(c);
    let mut found: Vec<String> = Vec::new();
    for line in output.lines().take(MOST_LINES) {
        for word in uncoloured(line).split(is_end) {
            let path = word.split(':').next().unwrap_or_default().trim_start_matches("./");
            let is_path =
                path.contains('.') && path.chars().all(|c| c.is_alphanumeric() || "/._-+@".contains(c));
            let is_name = path.chars().any(char::is_alphabetic) && !path.starts_with(['.', '/', '-']);
            if is_path && is_name && !found.iter().any(|known| known == path) {
                found.push(path.to_owned());
            }
            if found.len() >= MOST_FILES {
                return found;
            }
        }
    }
    found
}

/// A line without escape sequences.
fn uncoloured(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign != '\u{1b}' {
            out.push(sign);
        } else if signs.next_if_eq(&'[').is_some() {
            while signs.next().is_some_and(|sign| !sign.is_ascii_alphabetic()) {}
        }
    }
    out
}

/// Numbers, addresses and hashes become `N`: they differ from run to run.
fn stable(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut word = String::new();
    for sign in line.chars().chain(['\n']) {
        if sign.is_ascii_alphanumeric() {
            word.push(sign);
            continue;
        }
        out.push_str(&without_numbers(&word));
        word.clear();
        out.push(sign);
    }
    out.trim().to_owned()
}

fn without_numbers(word: &str) -> String {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let is_hex = digits.len() >= 8 && digits.chars().all(|c| c.is_ascii_hexdigit());
    if (is_hex || digits.len() < word.len()) && word.chars().any(|c| c.is_ascii_digit()) {
        return "N".to_owned();
    }
    // A name such as `test_2` or `E0308` says something; a bare number, also with a unit, does not.
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.to_owned();
    }
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("N{unit}")
}

/// A text in one line of at most so many characters that means nothing to a reader of Markdown: no code, link, HTML, import,
/// control or invisible character.
pub fn plain(text: &str, most: usize) -> String {
    let sign = |c: char| match c {
        '`' | '"' | '\u{2018}'..='\u{201f}' => '\'',
        '<' | '[' | '{' => '(',
        '>' | ']' | '}' => ')',
        c if c.is_alphanumeric() || " '_.,:;()=+-*/%#&|!?".contains(c) => c,
        _ => ' ',
    };
    let spaced: String = text.chars().map(sign).collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= most {
        return words;
    }
    let mut cut: String = words.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::{files_in, message_of};

    #[test]
    fn the_same_failure_says_the_same() {
        for (output, message) in [
            (
                "running 2 tests\ntest auth::reused ... FAILED\n\ntest result: FAILED. 0 passed; finished in 0.31s",
                "test auth::reused ... FAILED",
            ),
            ("\u{1b}[31merror[E0308]\u{1b}[0m: mismatched types", "error(E0308): mismatched types"),
            ("AssertionError: 17 != 42 at 0x7ffd3a1c", "AssertionError: N != N at N"),
            ("FAIL src/a.test.ts > refuses `x` (12 ms)", "FAIL src/a.test.ts ) refuses 'x' (N ms)"),
            ("all is well\n", ""),
            (
                "   Compiling thiserror v1.0.69\nthread 'a' panicked at src/a.rs:3:5:\nexpected 1",
                "thread 'a' panicked at src/a.rs:N:N:",
            ),
            ("2 errors, 3 failures so far\n--- FAIL: TestLogin (0.00s)", "--- FAIL: TestLogin (N.Ns)"),
            ("tests/test_error_paths.py ..F\nE   assert 1 == 2", "E assert N == N"),
            (
                "> app@1.0.0 test\n> jest --expected-failures\n\nTypeError: x is undefined",
                "TypeError: x is undefined",
            ),
            ("src/a.ts(3,5): error TS2322: Type", "src/a.ts(N,N): error TS2322: Type"),
            ("test result: ok. 5 passed; 0 failed\nlinking failed", "linking failed"),
            ("an expected line\nFAILED a", "FAILED a"),
            ("", ""),
        ] {
            assert_eq!(message_of(output), message, "{output}");
        }
    }

    #[test]
    fn a_line_in_any_form_of_a_failure_comes_before_one_that_may_be_a_failure() {
        for line in [
            "RangeError: x",
            "java.lang.IllegalStateException: x",
            "E   x",
            "error(E1): x",
            "error: x",
            "a.c:y: error: x",
            "a.ts(y): error TS: x",
            "an AssertionError",
            "--- FAIL: x",
            "test a ... FAILED",
            "thread a panicked",
        ] {
            let line = line.replace("error(E1)", "error[Eab]");
            let told = message_of(&format!("what was expected\n{line}\n"));
            assert_eq!(told, line.split_whitespace().collect::<Vec<_>>().join(" ").replace("[Eab]", "(Eab)"));
        }
    }

    #[test]
    fn numbers_that_differ_from_run_to_run_are_told_from_names() {
        for (said, told) in [
            ("0x7f", "N"),
            ("deadbeef1", "N"),
            ("deadbeef", "deadbeef"),
            ("a1b2", "a1b2"),
            ("test_2", "test_N"),
            ("E0308", "E0308"),
            ("12ms", "Nms"),
        ] {
            assert_eq!(message_of(&format!("error: {said}")), format!("error: {told}"));
        }
    }

    #[test]
    fn what_lies_outside_or_has_no_letter_names_no_file() {
        let output = "at /usr/lib/x.so and ../up.rs with -Dx.y=1.5 in 0.31 s, 10.0.0.1 ...";
        assert_eq!(files_in(output), [""; 0]);
    }

    #[test]
    fn files_are_named_without_their_lines() {
        let output = "thread 'a' panicked at src/auth/jwt.rs:12:5:\n  --> ./src/lib.rs:3\n at f (web/a.test.ts:1:2) v1.2.3 a.b";
        assert_eq!(files_in(output), ["src/auth/jwt.rs", "src/lib.rs", "web/a.test.ts", "v1.2.3", "a.b"]);
    }
}
