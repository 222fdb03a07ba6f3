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
    is_refused(&limited(limits, "f(12345678)", "f(12345678) "), MutationMethod::Limit, "too large");
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
    is_refused(&limited(limits, &text, &format!("{text} ")), MutationMethod::Limit, "ran out of time");
}

/// The fewest steps with which a set is classified as it is without end.
fn steps_needed(case: &Case) -> usize {
    let (mut too_few, mut enough) = (0, 1 << 24);
    assert_ne!(case.with(enough).method, MutationMethod::Limit, "{}", case.path);
    while too_few + 1 < enough {
        let middle = usize::midpoint(too_few, enough);
        let is_cut = case.with(middle).method == MutationMethod::Limit;
        *if is_cut { &mut too_few } else { &mut enough } = middle;
    }
    enough
}

struct Case {
    path: &'static str,
    before: &'static str,
    after: &'static str,
}

impl Case {
    fn with(&self, steps: usize) -> Mutation {
        let path = path_of(self.path);
        let change = FileChange {
            path: &path,
            before: Some(self.before.as_bytes()),
            after: Some(self.after.as_bytes()),
        };
        AstReader::with_limits(Limits { steps, ..usual() }).classify(&[change])
    }
}

/// One for each kind of proof, and one that nothing proves.
fn cases() -> Vec<Case> {
    let case = |path, before, after| Case { path, before, after };
    vec![
        case("a.js", "f(1, 2)", "f(\n1,\n2,\n)"),
        case(
            "a.ts",
            "import { a, b } from 'x'\nfunction f() {}\nfunction g() {}\n",
            "import { b, a } from 'x'\nfunction g() {}\nfunction f() {}\n",
        ),
        case(
            "a.go",
            "package x\nfunc f(a int) int { return a }\n",
            "package x\nfunc f(b int) int { return b }\n",
        ),
        case("a.rs", "fn first() {}\npub fn g() { first() }\n", "fn second() {}\npub fn g() { second() }\n"),
        case(
            "A.java",
            "class A { void f() { g(5); } }",
            "class A { private static final int SIZE = 5; void f() { g(SIZE); } }",
        ),
        case(
            "a.py",
            "def f(v):\n    return v.g('x')\n",
            "def f(v):\n    return _d(v)\n\n\ndef _d(w):\n    return w.g('x')\n",
        ),
        case("a.ts", "function f() { const a = g(); return h(a) }\n", "function f() { return h(g()) }\n"),
        case(
            "a.py",
            "def f():\n    if not a:\n        g()\n    else:\n        h()\n",
            "def f():\n    if a:\n        h()\n    else:\n        g()\n",
        ),
        case(
            "a.cs",
            "class A { int F(int a) { return g(b => a + b); } }",
            "class A { int F(int a) { return g(c => a + c); } }",
        ),
        case("a.c", "int f(int a) { return g(a + 1); }", "int f(int a) { return g(a + 2); }"),
    ]
}

// REQ 165: what is cut short proves nothing, wherever it is cut.
#[test]
fn a_proof_that_is_cut_short_ends_in_the_limit() {
    for case in cases() {
        let full = case.with(usize::MAX);
        let needed = steps_needed(&case);
        assert_eq!(case.with(needed).class, full.class);
        for steps in 0..needed {
            let cut = case.with(steps);
            assert!(!cut.is_refactor(), "{} at {steps} of {needed}", case.path);
            assert_eq!(cut.method, MutationMethod::Limit, "{} at {steps} of {needed}", case.path);
            assert!(!cut.evidence.is_empty());
        }
    }
}

// REQ 165: what a proof costs grows with the text, not with its square.
#[test]
fn a_text_of_twice_the_size_takes_about_twice_the_steps() {
    let function = |n: usize, plus: usize| {
        format!(
            "class C{n} {{ int f{n}(int a) {{ int b = g(a, {n}); if (b > a) {{ return h(b); }} return b + {plus}; }} }}\n"
        )
    };
    let cost = |count: usize| {
        let text = |plus: usize| -> &'static str {
            let all: String = (0..count).map(|n| function(n, if n == 3 { plus } else { 0 })).collect();
            all.leak()
        };
        steps_needed(&Case { path: "A.java", before: text(0), after: text(1) })
    };
    let (one, two) = (cost(40), cost(80));
    assert!(two < one * 3, "{one} steps, then {two}");
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
