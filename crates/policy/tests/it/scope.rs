//! Scope matching: the seeds' vectors, and a naive matcher that must agree on random patterns and paths.

use bailiwick_domain::{OwnedScope, ScopePattern};
use bailiwick_policy::scope_match::{CaselessMatcher, ScopeMatcher};
use proptest::prelude::*;

use crate::support::repo;

pub(crate) fn scope(patterns: &[&str]) -> OwnedScope {
    OwnedScope::new(patterns.iter().map(|text| ScopePattern::new(text).unwrap()).collect(), true).unwrap()
}

fn owns(patterns: &[&str], path: &str) -> bool {
    ScopeMatcher::new(&scope(patterns)).unwrap().matches(&repo(path))
}

#[track_caller]
fn check(patterns: &[&str], inside: &[&str], outside: &[&str]) {
    for path in inside {
        assert!(owns(patterns, path), "{patterns:?} should own {path}");
    }
    for path in outside {
        assert!(!owns(patterns, path), "{patterns:?} should not own {path}");
    }
}

#[test]
fn req_046_a_pattern_may_start_with_a_dot_segment_and_repeat_slashes() {
    check(&["./src//a/./b"], &["src/a/b", "src/a/b/c"], &["src/a"]);
}

// REQ 53, REQ 89
#[test]
fn req_047_back_slashes_separate() {
    check(&[r"src\a.ts", r"lib\\b.ts", r"win\"], &["src/a.ts", "lib/b.ts", "win/x/y"], &["src"]);
}

#[test]
fn req_048_hidden_files_match() {
    check(&["src/**"], &["src/.env.x", "src/.a/.b"], &[]);
    check(&["src/*"], &["src/.env.x"], &["src/a/b"]);
}

#[test]
fn req_049_case_matters() {
    check(&["SRC/**", "Lib/*.RS"], &["SRC/a"], &["src/a", "lib/a.rs", "Lib/a.rs"]);
}

// REQ 53, REQ 89
#[test]
fn req_050_exclusions_win_whatever_their_place() {
    check(&["src/**", "!**/*.test.ts"], &["src/a.ts"], &["src/a.test.ts", "src/b/c.test.ts"]);
    check(&["!**/*.test.ts", "src/**", "src/a.test.ts"], &["src/a.ts"], &["src/a.test.ts"]);
}

#[test]
fn req_051_an_empty_scope_owns_nothing() {
    check(&[], &[], &["a", "src/a"]);
}

#[test]
fn req_052_only_exclusions_own_everything_else() {
    check(&["!src/**"], &["lib/a", "src"], &["src/a"]);
}

#[test]
fn req_018_a_directory_owns_its_subtree() {
    // K-38
    check(
        &["src/utils/"],
        &["src/utils/helper.ts", "src/utils/a/b", "src/utils"],
        &["src/utils2/a", "src/core/main.ts"],
    );
    check(&["src/utils"], &["src/utils/helper.ts", "src/utils"], &["src/utilsx", "src"]);
    check(&["docs"], &["docs/a/b"], &["docs2/a", "x/docs/a"]);
    check(
        &["packages/*/src"],
        &["packages/a/src/x/y", "packages/a/src"],
        &["packages/a/b/src/x", "packages/a"],
    );
}

#[test]
fn req_141_globs_and_exact_files_mix() {
    check(
        &["src/auth/**", "src/middleware/jwt.ts"],
        &["src/auth/a/b", "src/middleware/jwt.ts"],
        &["src/middleware/x.ts"],
    );
}

#[test]
fn a_star_stays_in_its_segment() {
    // threat C12
    check(&["src/*.rs"], &["src/a.rs", "src/.rs"], &["src/a/b.rs", "src/a.rs/b", "a.rs"]);
    check(&["src/**/*.rs"], &["src/a.rs", "src/a/b/c.rs"], &["lib/a.rs"]);
    check(&["**/test"], &["test/a", "a/b/test/c", "test"], &["tests/a"]);
    check(&["a?c", "[x-z]1"], &["abc", "y1"], &["a/c", "ac", "w1"]);
    check(&["**"], &["a", "a/b/.c"], &[]);
}

#[test]
fn scope_is_by_segment_never_by_prefix() {
    // threat C2
    check(&["src/**", "proj/"], &["src/f"], &["src2/f", "proj-evil/f"]);
}

#[test]
fn braces_are_read_as_patterns_of_their_own() {
    check(&["{src,tests}/auth"], &["src/auth/a", "tests/auth"], &["{src,tests}/auth"]);
    check(&["a/{b,c/{d,e}}.rs"], &["a/b.rs", "a/c/d.rs", "a/c/e.rs"], &["a/c.rs"]);
    check(&["*.{js,ts}"], &["a.js", "a.ts"], &["a.rs"]);
    check(&[r"\{a,b\}"], &["{a,b}"], &["a"]);
}

#[test]
fn escapes_survive() {
    check(&[r"\!keep.md", r"a\*b", r"c\[1\]"], &["!keep.md", "a*b", "c[1]"], &["keep.md", "axb", "c1"]);
    check(&[r"src/a\*b"], &["src/a*b", "src/a*b/below"], &["src/axb", "src/axb/below"]);
}

#[test]
fn an_exclusion_that_can_be_read_in_two_ways_is_read_in_both() {
    check(&["src/**", r"!src\*.key"], &["src/a.rs"], &["src/a.key", "src*.key"]);
}

#[test]
fn an_invalid_glob_is_named() {
    for bad in ["src/[a", "{a,b", "a}", "src/[z-a]"] {
        let error = ScopeMatcher::new(&scope(&["ok/**", bad])).unwrap_err();
        assert!(error.contains(bad), "{error}");
    }
    let many = "{a,b}".repeat(9);
    assert!(ScopeMatcher::new(&scope(&[&many])).unwrap_err().contains("256"));
}

#[test]
fn only_a_pattern_without_wildcards_names_a_path_literally() {
    // D-13
    let names = |patterns: &[&str]| {
        ScopeMatcher::new(&scope(patterns)).unwrap().names_literally(&repo("sub/CLAUDE.md"))
    };
    assert!(names(&["sub/CLAUDE.md"]) && names(&["sub/{CLAUDE,X}.md"]));
    for not in
        [["sub/**"], ["sub/CLAUDE.md/"], ["sub/CLAUDE.m?"], ["**/CLAUDE.md"], ["sub"], ["sub/claude.md"]]
    {
        assert!(!names(&not), "{not:?}");
    }
    assert!(!names(&["sub/CLAUDE.md", "!sub/CLAUDE.md"]));
}

/// The naive matcher: recursion over segments and signs, straight from the grammar's text; no shared code.
pub(crate) mod naive {
    pub(crate) fn owns(patterns: &[String], path: &str) -> bool {
        let signs: Vec<&str> = path.split('/').collect();
        let bytes = by_bytes(path);
        let bytes: Vec<&str> = bytes.split('/').collect();
        let hit = |wanted: bool| {
            let mut meant = patterns.iter().filter(|text| text.starts_with('!') == wanted);
            meant.any(|text| {
                let text = text.trim_start_matches('!');
                one(text, &signs) || wanted && one(&by_bytes(text), &bytes)
            })
        };
        let only_exclusions = !patterns.is_empty() && patterns.iter().all(|text| text.starts_with('!'));
        (only_exclusions || hit(false)) && !hit(true)
    }

    /// The text with one character for each byte.
    fn by_bytes(text: &str) -> String {
        text.bytes().map(char::from).collect()
    }

    fn one(pattern: &str, path: &[&str]) -> bool {
        let trailing = pattern.ends_with('/');
        let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        let bare = parts.last().is_some_and(|last| !last.contains(['*', '?', '[']));
        let lengths = if trailing || bare { 1..path.len() + 1 } else { path.len()..path.len() + 1 };
        lengths.into_iter().any(|length| segments(&parts, &path[..length]))
    }

    fn segments(parts: &[&str], path: &[&str]) -> bool {
        match (parts, path) {
            ([], []) => true,
            (["**"], []) => false,
            (["**"], _) => true,
            (["**", rest @ ..], _) => (0..=path.len()).any(|skipped| segments(rest, &path[skipped..])),
            ([part, rest @ ..], [segment, below @ ..]) => {
                let (part, segment): (Vec<char>, Vec<char>) =
                    (part.chars().collect(), segment.chars().collect());
                signs(&part, &segment) && segments(rest, below)
            }
            _ => false,
        }
    }

    fn signs(part: &[char], segment: &[char]) -> bool {
        match (part, segment) {
            ([], []) => true,
            (['*', rest @ ..], _) => (0..=segment.len()).any(|taken| signs(rest, &segment[taken..])),
            (['?', rest @ ..], [_, below @ ..]) => signs(rest, below),
            (['[', low, '-', high, ']', rest @ ..], [sign, below @ ..]) => {
                low <= sign && sign <= high && signs(rest, below)
            }
            ([wanted, rest @ ..], [sign, below @ ..]) => wanted == sign && signs(rest, below),
            _ => false,
        }
    }
}

pub(crate) fn any_pattern() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[ab.é]{1,2}".prop_filter("a name", |text| text != "." && text != ".."),
        1 => Just("**".to_owned()),
        1 => Just("*".to_owned()),
        1 => "[ab]?[*?]{1,2}[abé]?".prop_filter("one star", |text| !text.contains("**")),
        1 => Just("[a-b]".to_owned()),
    ];
    let body = (prop::collection::vec(part, 1..4), any::<bool>());
    let body = body.prop_map(|(parts, trailing)| parts.join("/") + if trailing { "/" } else { "" });
    (prop::bool::weighted(0.3), body).prop_map(|(out, body)| if out { format!("!{body}") } else { body })
}

pub(crate) fn any_path() -> impl Strategy<Value = String> {
    let segment = "[ab.éà]{1,2}".prop_filter("a name", |text| text != "." && text != "..");
    prop::collection::vec(segment, 1..5).prop_map(|segments| segments.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    // REQ 44, REQ 53
    #[test]
    fn req_038_the_matcher_agrees_with_a_naive_one(
        patterns in prop::collection::vec(any_pattern(), 0..4),
        paths in prop::collection::vec(any_path(), 1..6),
    ) {
        let texts: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let matcher = ScopeMatcher::new(&scope(&texts)).unwrap();
        for path in paths {
            prop_assert_eq!(matcher.matches(&repo(&path)), naive::owns(&patterns, &path), "{:?} {}", patterns, path);
        }
    }
}

#[test]
fn one_sign_is_a_character_and_an_exclusion_takes_away_by_bytes_too() {
    // D-45, A15
    let owns =
        |patterns: &[&str], path: &str| ScopeMatcher::new(&scope(patterns)).unwrap().matches(&repo(path));
    assert!(owns(&["src/?.ts"], "src/\u{e9}.ts"));
    assert!(!owns(&["src/??.ts"], "src/\u{e9}.ts"), "two bytes are one sign of a name");
    assert!(!owns(&["src/", "!src/?.ts"], "src/\u{e9}.ts"));
    assert!(!owns(&["src/", "!src/??.ts"], "src/\u{e9}.ts"));
    assert!(!owns(&["src/", "!src/[\u{e0}-\u{ff}].ts"], "src/\u{e9}.ts"));
    assert!(!owns(&["src/", "!src/[!a].ts"], "src/\u{e9}.ts"));
    assert!(!owns(&["src[!a]b"], "src/b"), "no class holds a slash");
}

#[test]
fn what_takes_away_does_so_in_every_reading_and_is_taken_back_in_one() {
    // D-45, A15
    let takes = |patterns: &[&str], path: &str| {
        ScopeMatcher::that_takes_away(&scope(patterns)).unwrap().matches(&repo(path))
    };
    assert!(takes(&["k/?.key"], "k/\u{e9}.key") && takes(&["k/??.key"], "k/\u{e9}.key"));
    assert!(takes(&["k/", "!k/??.key"], "k/\u{e9}.key"), "two bytes take back nothing");
    assert!(!takes(&["k/", "!k/?.key"], "k/\u{e9}.key"));
    let excluded = scope(&["src/", "!src/[[:upper:]]"]);
    let left = CaselessMatcher::left_by_exclusions(&excluded).unwrap().unwrap();
    assert!(!left.matches(&repo("src/a")) && left.matches(&repo("src/1")));
}
