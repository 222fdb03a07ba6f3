//! Words that sound like a limit and are none.

use bailiwick_domain::{Intent, IntentRule, WrittenIntent};

use super::{Note, head};

/// How good something shall be, without saying how good that is.
const VAGUE: &[&str] = &[
    "fast",
    "faster",
    "quick",
    "quickly",
    "slow",
    "efficient",
    "performant",
    "optimal",
    "scalable",
    "secure",
    "securely",
    "safe",
    "safely",
    "robust",
    "reliable",
    "stable",
    "simple",
    "easy",
    "clean",
    "nice",
    "good",
    "better",
    "improve",
    "improved",
    "proper",
    "properly",
    "appropriate",
    "reasonable",
    "reasonably",
    "flexible",
    "intuitive",
    "user-friendly",
    "seamless",
    "modern",
    "etc",
    "various",
    "several",
    "as needed",
    "and so on",
    "best practices",
];

/// Texts of criteria and constraints that have neither a number nor a check.
pub(super) fn vague(written: &WrittenIntent, intent: &Intent, note: &mut Note<'_>) {
    let lines = written.criteria.iter().chain(&written.constraints);
    for line in lines.filter(|line| line.value.checks.is_empty()) {
        if let Some(word) = line.value.text.as_deref().and_then(word_of) {
            let message = format!("`{word}` can mean anything");
            let fix = "say a number, or give it a `check:`";
            note(IntentRule::VagueWord, (line.line, line.column), message, fix);
        }
    }
    if let Some(word) = word_of(intent.name()).filter(|_| written.criteria.is_empty()) {
        let message = format!("`{word}` in the name can mean anything, and no criterion says what");
        note(IntentRule::VagueWord, head(written), message, "add an acceptance criterion with a number");
    }
}

/// The first vague word of a text without a digit.
fn word_of(text: &str) -> Option<&'static str> {
    if text.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    (0..words.len()).find_map(|at| {
        let begins = |vague: &&str| {
            let mut said = words.iter().skip(at);
            vague.split(' ').all(|word| said.next() == Some(&word))
        };
        VAGUE.iter().copied().find(begins)
    })
}

#[cfg(test)]
mod tests {
    use super::word_of;

    #[test]
    fn vague_words_are_whole_words_without_a_number() {
        for (text, word) in [
            ("The page loads fast", Some("fast")),
            ("Handles logins, sessions, etc.", Some("etc")),
            ("Retry as needed", Some("as needed")),
            ("The page loads fast: under 200 ms", None),
            ("Breakfast is served", None),
            ("Public token format stays the same", None),
        ] {
            assert_eq!(word_of(text), word, "{text}");
        }
    }
}
