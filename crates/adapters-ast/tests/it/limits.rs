//! What is not looked at is an evolution, with the limit named.

use std::time::Duration;

use bailiwick_adapters_ast::{AstReader, Limits};
use bailiwick_domain::testing::sample::path as path_of;
use bailiwick_domain::{FileChange, Mutation, MutationClassifier as _, MutationMethod};

use crate::pairs::{classify, reader};

fn limited(limits: Limits, before: &str, after: &str) -> Mutation {
    let path = path_of("a.js");
    let change = FileChange { path: &path, before: Some(before.as_bytes()), after: Some(after.as_bytes()) };
    AstReader::with_limits(limits).classify(&[change])
}

fn usual() -> Limits {
    Limits { time: Duration::from_secs(60), ..Limits::default() }
}

#[track_caller]
fn is_refused(mutation: &Mutation, method: MutationMethod, why: &str) {
    assert!(!mutation.is_refactor());
    assert_eq!(mutation.method, method);
    assert!(mutation.evidence.iter().any(|evidence| evidence.what.contains(why)), "{:?}", mutation.evidence);
}

#[test]
fn a_big_file_is_not_looked_at() {
    let limits = Limits { bytes: 10, ..usual() };
    is_refused(&limited(limits, "f(12345678)", "f(12345678) "), MutationMethod::Limit, "too big");
}

#[test]
fn a_deep_file_is_not_looked_at() {
    let deep = |space: &str| format!("{}{space}{}", "[".repeat(3_000), "]".repeat(3_000));
    is_refused(&limited(usual(), &deep(""), &deep(" ")), MutationMethod::Limit, "too deeply");
}

#[test]
fn without_time_nothing_is_proved() {
    let limits = Limits { time: Duration::ZERO, ..usual() };
    let text = "f(1);\n".repeat(5_000);
    is_refused(&limited(limits, &text, &format!("{text} ")), MutationMethod::Limit, "not enough time");
}

#[test]
fn a_new_syntax_error_is_no_refactor() {
    is_refused(&limited(usual(), "f(1)", "f(1"), MutationMethod::Syntax, "syntax error");
}

// K-27
#[test]
fn whole_files_unknown_languages_and_binaries_are_evolutions() {
    let path = path_of("a.rs");
    let some = |bytes: &'static [u8]| Some(bytes);
    let cases = [(None, some(b"fn f() {}")), (some(b"fn f() {}"), None), (some(b"\xff"), some(b"\xfe"))];
    for (before, after) in cases {
        let mutation = reader().classify(&[FileChange { path: &path, before, after }]);
        assert_eq!(mutation.method, MutationMethod::WholeFile);
        assert!(!mutation.is_refactor());
    }
    assert_eq!(classify("a.xyz", "a", "b").method, MutationMethod::UnknownLanguage);
}

#[test]
fn nothing_changed_is_a_refactor() {
    assert!(classify("a.rs", "fn f() {}", "fn f() {}").is_refactor());
    assert!(reader().classify(&[]).is_refactor());
}
