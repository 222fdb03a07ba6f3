//! What a drafted scope reaches for: everything, or a place that only a person changes.
//!
//! Two questions about patterns alone. Deliberately absent: how many files a scope owns now, which the gate measures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bailiwick_domain::{OwnedScope, RepoPath, ScopePattern};

use crate::globs::scope_match::{CaselessMatcher, ScopeMatcher};
use crate::guarded::protection::protected_patterns;

/// Paths that have nothing in common. A scope that owns all of them owns everything, however it is spelled.
const ANYWHERE: &[&str] = &["q", "q.w", "q/w", "q/w/e.r", ".q/w", "Q1/w/e/r/t"];

/// Whether these patterns include everything, whatever is excluded from it again.
///
/// # Errors
/// Names the pattern that is not a glob.
pub fn owns_everything(scope: &OwnedScope) -> Result<bool, String> {
    let included = scope.patterns().iter().filter(|pattern| !pattern.is_exclusion());
    let included = OwnedScope::new(included.cloned().collect(), true).map_err(|why| why.to_string())?;
    let matcher = ScopeMatcher::new(&included)?;
    Ok(ANYWHERE.iter().all(|path| RepoPath::new(path).is_ok_and(|path| matcher.matches(&path))))
}

/// The protected place that a pattern names, if it names one. A wildcard that only happens to match one names nothing:
/// `src/**` and `*.json` are ordinary, `.orch*/**` and `**/[.]git/**` are not.
pub fn names_protected(pattern: &ScopePattern) -> Option<&'static str> {
    let glob = pattern.glob();
    if !may_name_one(glob) {
        return None;
    }
    let whole = read(glob);
    let mut beginnings: BTreeMap<usize, Option<CaselessMatcher>> = BTreeMap::new();
    protected_patterns().iter().copied().find(|protected| {
        let place = place_of(protected);
        let depth = place.split('/').count();
        let begins = beginnings.entry(depth).or_insert_with(|| read(&beginning(glob, depth)));
        is_meant(whole.as_ref(), &format!("{place}/q")) || is_meant(begins.as_ref(), &place)
    })
}

fn place_of(protected: &str) -> String {
    protected.trim_end_matches("/**").replace('*', "")
}

/// Told by the first segment: one without a wildcard must be the first segment of a protected place.
fn may_name_one(glob: &str) -> bool {
    static FIRSTS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let first = |protected: &&str| place_of(protected).split('/').next().map(str::to_owned);
        protected_patterns().iter().filter_map(first).collect()
    });
    let first = glob.split('/').next().unwrap_or_default();
    first.contains(['*', '?', '[', '{', '\\']) || FIRSTS.contains(&first.to_lowercase())
}

fn read(glob: &str) -> Option<CaselessMatcher> {
    let pattern = ScopePattern::new(glob).ok()?;
    CaselessMatcher::new([&pattern]).ok()
}

/// The first segments of a pattern, without what only says "at any depth".
fn beginning(glob: &str, depth: usize) -> String {
    let segments = glob.trim_start_matches("**/").split('/');
    segments.take(depth).collect::<Vec<_>>().join("/")
}

/// Whether a pattern matches this place because it says so, and not every place of that form.
fn is_meant(pattern: Option<&CaselessMatcher>, place: &str) -> bool {
    let matches = |path: &str| {
        RepoPath::new(path).is_ok_and(|path| pattern.is_some_and(|pattern| pattern.matches(&path)))
    };
    let elsewhere = format!("x{}", place.trim_start_matches('.'));
    matches(place) && !matches(&elsewhere)
}

#[cfg(test)]
mod tests {
    use super::{names_protected, owns_everything};
    use bailiwick_domain::{OwnedScope, ScopePattern};

    // D-31
    #[test]
    fn everything_is_everything_however_it_is_spelled() {
        for scope in
            [&["**"][..], &["**/*"], &["."], &["**", "!docs/"], &["*", "*/**"], &["{**,src/}"], &["**/**"]]
        {
            let scope = OwnedScope::parse(scope.iter().copied()).unwrap();
            assert_eq!(owns_everything(&scope), Ok(true), "{scope:?}");
        }
        for scope in
            [&["src/"][..], &["src/**", "docs/**"], &["**/*.rs"], &["?*/src/**"], &["crates/", "*.toml"]]
        {
            let scope = OwnedScope::parse(scope.iter().copied()).unwrap();
            assert_eq!(owns_everything(&scope), Ok(false), "{scope:?}");
        }
    }

    // D-31, D-13, A15
    #[test]
    fn a_pattern_names_a_protected_place_however_it_is_spelled() {
        for pattern in [
            ".orchestration/**",
            ".orch*/**",
            "[.]git/**",
            ".git/config",
            "[.]git/config",
            "**/.git/**",
            ".GIT/",
            "{src,.git}/**",
            ".claude/settings*.json",
            "**/.mcp.json",
            ".intentignore",
        ] {
            assert!(names_protected(&ScopePattern::new(pattern).unwrap()).is_some(), "{pattern}");
        }
        for pattern in
            ["src/**", "**", "*.json", "**/*.json", "crates/git/**", ".github/workflows/ci.yml", "?git/**"]
        {
            assert_eq!(names_protected(&ScopePattern::new(pattern).unwrap()), None, "{pattern}");
        }
    }

    #[test]
    fn every_protected_place_is_named_by_its_own_pattern() {
        for protected in crate::guarded::protection::protected_patterns() {
            for spelled in [protected.to_string(), protected.to_uppercase(), format!("./{protected}")] {
                assert!(names_protected(&ScopePattern::new(&spelled).unwrap()).is_some(), "{spelled}");
            }
        }
    }
}
