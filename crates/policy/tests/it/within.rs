//! Bounds of a grant against the scope of its intent (D-02): what names something outside is told, nothing else.

use bailiwick_domain::{OwnedScope, RepoPath};
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::within::outside;
use proptest::prelude::*;

fn scope(patterns: &[&str]) -> OwnedScope {
    OwnedScope::parse(patterns.iter().copied()).unwrap()
}

// A6, D-02
#[test]
fn what_lies_in_the_scope_is_no_stranger() {
    for (own, path) in [
        ("src/auth/**", "src/auth/**"),
        ("src/auth/**", "src/auth/"),
        ("src/auth/", "src/auth/jwt.rs"),
        ("src/auth", "src/auth/**/*.rs"),
        ("**/*.rs", "src/**/*.rs"),
        ("**/*.rs", "src/a.rs"),
        ("src/{a,b}/**", "src/a/"),
        ("src/*/lib/", "src/*/lib/x.rs"),
        ("src/[ab].rs", "src/[ab].rs"),
        ("**", "anything"),
    ] {
        assert_eq!(outside(&scope(&[path]), &scope(&[own])), None, "{path} in {own}");
    }
    assert_eq!(outside(&OwnedScope::default(), &scope(&["src/"])), None, "all of the scope");
}

// A6, D-02
#[test]
fn what_names_more_than_the_scope_is_told() {
    for (own, path) in [
        ("src/auth/**", "src/"),
        ("src/auth/**", "**"),
        ("src/auth/**", "lib/"),
        ("src/auth/**", "src/auth2/"),
        ("src/auth/*.rs", "src/auth/**"),
        ("src/*/lib/", "src/**/lib/"),
        ("src/a.rs", "src/*.rs"),
    ] {
        let paths = scope(&["src/auth/jwt.rs", path]);
        let owned = scope(&[own, "src/auth/jwt.rs"]);
        assert_eq!(outside(&paths, &owned).map(|found| found.as_str()), Some(path), "{path} in {own}");
    }
}

#[test]
fn a_pattern_of_more_folders_than_are_looked_into_lies_in_no_other() {
    let own = |depth: usize| scope(&[&format!("{}a*/", "**/a/".repeat(depth))]);
    let path = |depth: usize| scope(&[&format!("{}a*/x*", "a/".repeat(depth))]);
    let is_in = |own: &OwnedScope, path: &OwnedScope| outside(path, own).is_none();
    assert!(is_in(&own(15), &path(15)), "32 segments in the scope");
    assert!(!is_in(&own(16), &path(16)), "34 segments in the scope");
    assert!(is_in(&scope(&["a/"]), &path(30)), "32 segments");
    assert!(!is_in(&scope(&["a/"]), &path(31)), "33 segments");
}

fn any_pattern() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec!["a", "b", "*", "**", "a*"]);
    prop::collection::vec(segment, 1..4).prop_map(|segments| segments.join("/"))
}

fn any_path() -> impl Strategy<Value = RepoPath> {
    let names = prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", "c"]), 1..5);
    names.prop_map(|names| RepoPath::new(&names.join("/")).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    // A6, D-02: a bare name is taken for the file or the folder that it names, and `a/**` for the folder `a` as well
    #[test]
    fn patterns_inside_match_nothing_that_the_scope_does_not(own in any_pattern(), bound in any_pattern(), path in any_path()) {
        let (own, bound) = (scope(&[&own]), scope(&[&bound]));
        if outside(&bound, &own).is_none() && ScopeMatcher::new(&bound).unwrap().matches(&path) {
            let owned = ScopeMatcher::new(&own).unwrap();
            let owns = |path: &str| owned.matches(&RepoPath::new(path).unwrap());
            let parts: Vec<&str> = path.segments().collect();
            let above = (1..parts.len()).any(|depth| owns(&parts.iter().take(depth).copied().collect::<Vec<_>>().join("/")));
            prop_assert!(
                owns(path.as_str()) || above || owns(&format!("{path}/x")),
                "{bound:?} in {own:?}: {path}"
            );
        }
    }
}
