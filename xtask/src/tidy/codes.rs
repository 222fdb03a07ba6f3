//! Comments of product code give reasons. The numbers of requirements, decisions and attacks stand in tests, where
//! `cargo xtask status` counts them.
//!
//! It looks at line comments only. What stands in backticks is an example and may be any name.

use crate::generated::status::SCENARIOS;
use crate::rust_source::RustSource;

/// A word that is followed by a number or a letter of some list.
const NUMBERED: &[&str] = &["row", "rows", "REQ", "decision", "decisions"];
const LETTERED: &[&str] = &["threat", "threats", "list", "lists"];

/// Beginnings of names that only a list of requirements explains.
const BEGINNINGS: &[&str] = &["D-", "K-", "N-", "REQ-"];

/// Finds the codes in the comments of one product file.
pub(crate) fn check(source: &RustSource<'_>) -> Vec<String> {
    if !source.path.contains("/src/") || source.path.starts_with(SCENARIOS) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let line_number = index + 1;
        if source.is_test_line(line_number) {
            continue;
        }
        for code in comment(line).map(codes).unwrap_or_default() {
            let path = source.path;
            findings
                .push(format!("{path}:{line_number}: codes: `{code}`; a comment gives the reason instead"));
        }
    }
    findings
}

/// The comment of a line; `//` behind an open quotation mark is text.
fn comment(line: &str) -> Option<&str> {
    let is_code = |at: usize| line.get(..at).is_some_and(|before| before.matches('"').count() % 2 == 0);
    let (at, _) = line.match_indices("//").find(|(at, _)| is_code(*at))?;
    line.get(at + 2..)
}

fn codes(comment: &str) -> Vec<String> {
    let prose: String = comment.split('`').step_by(2).collect::<Vec<_>>().join("` `");
    let words: Vec<&str> = prose.split_whitespace().collect();
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let bare = bare(word);
        let next = words.get(index + 1).map(|next| self::bare(next)).unwrap_or_default();
        if is_pair(bare, next) {
            found.push(format!("{bare} {next}"));
        } else if is_name(bare) || (word.starts_with('(') && is_lettered_number(bare)) {
            found.push(bare.to_owned());
        }
    }
    found
}

/// `row 85`, `threats C4`, `list C`, `design §5`.
fn is_pair(word: &str, next: &str) -> bool {
    let lower = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    let is_letter = next.len() == 1 && next.starts_with(|char: char| char.is_ascii_uppercase());
    (lower(NUMBERED) && next.starts_with(|char: char| char.is_ascii_digit()))
        || (lower(LETTERED) && (is_letter || is_lettered_number(next)))
        || (word == "design" && next.starts_with('§'))
}

/// `D-17`, `K-24`, `REQ-TRACE-004`.
fn is_name(word: &str) -> bool {
    let rest = BEGINNINGS.iter().find_map(|beginning| word.strip_prefix(beginning));
    rest.is_some_and(|rest| {
        let last = rest.rsplit('-').next().unwrap_or_default();
        !last.is_empty() && last.chars().all(|char| char.is_ascii_digit())
    })
}

/// `C6`, the number of a class of attacks.
fn is_lettered_number(word: &str) -> bool {
    let number = word.strip_prefix(|char: char| ('A'..='H').contains(&char)).unwrap_or_default();
    (1..=2).contains(&number.len()) && number.chars().all(|char| char.is_ascii_digit())
}

fn bare(word: &str) -> &str {
    word.trim_matches(|char: char| !char.is_alphanumeric() && char != '§' && char != '`')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::TextFile;

    fn check_text(path: &str, text: &str) -> Vec<String> {
        let file = TextFile::sample(path, text);
        check(&RustSource::parse(&file).unwrap())
    }

    #[track_caller]
    fn finds(comment: &str, expected: &[&str]) {
        assert_eq!(codes(comment), expected, "{comment}");
    }

    #[test]
    fn codes_in_product_comments_are_named_with_their_line() {
        let text = "//! Patches (row 85).\n/// Bound to the call (D-17).\nfn f() {} // K-24\n";
        assert_eq!(
            check_text("crates/x/src/a.rs", text),
            [
                "crates/x/src/a.rs:1: codes: `row 85`; a comment gives the reason instead",
                "crates/x/src/a.rs:2: codes: `D-17`; a comment gives the reason instead",
                "crates/x/src/a.rs:3: codes: `K-24`; a comment gives the reason instead",
            ]
        );
    }

    #[test]
    fn tests_carry_codes() {
        let text = "//! x\n#[cfg(test)]\nmod tests {\n    // D-17\n    #[test]\n    fn t() {} // row 85\n}\n";
        assert_eq!(check_text("crates/x/src/a.rs", text), [""; 0]);
        assert_eq!(check_text("crates/x/src/a/tests.rs", "//! D-17\n"), [""; 0]);
        assert_eq!(check_text("crates/x/tests/it/a.rs", "//! D-17\n"), [""; 0]);
        assert_eq!(check_text("xtask/src/e2e/scenarios/a.rs", "//! D-17\n"), [""; 0]);
    }

    #[test]
    fn code_and_texts_are_not_comments() {
        let text = "//! x\nconst A: &str = \"D-17 // K-24\";\nconst B: &str = \"https://x/D-17\";\n";
        assert_eq!(check_text("crates/x/src/a.rs", text), [""; 0]);
    }

    #[test]
    fn every_form_of_a_code_is_found() {
        finds("the answer (rows 66, 152; D-06)", &["rows 66", "D-06"]);
        finds("proved (REQ-TRACE-004), REQ 83", &["REQ-TRACE-004", "REQ 83"]);
        finds("a swap (threats C3, C6), Threat D11", &["threats C3", "Threat D11"]);
        finds("obeyed (A4), from list C; see design §5.", &["A4", "list C", "design §5"]);
        finds("resolves it (D-16 c)", &["D-16"]);
    }

    #[test]
    fn look_alikes_are_prose() {
        finds("such as `INT-001` or `REQ-001`, `D-17` in `threat C4`", &[]);
        finds("UTF-8, SHA-256, ADR 0007, RFC 8785 (JCS), an F1 key, a row of ten, a list A-Z, D-Bus", &[]);
        finds("one row `7` (Q3)", &[]);
    }
}
