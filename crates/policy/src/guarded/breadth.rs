//! What a drafted scope reaches for: everything, or a place that only a person changes.
//!
//! Two questions about patterns alone. Deliberately absent: how many files a scope owns now, which the gate measures.

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
    protected_patterns().iter().copied().find(|protected| {
        let place = protected.trim_end_matches("/**").replace('*', "");
        let depth = place.split('/').count();
        let whole = (pattern.glob().to_owned(), format!("{place}/q"));
        let begins = (beginning(pattern.glob(), depth), place);
        [whole, begins].iter().any(|(glob, place)| is_meant(glob, place))
    })
}

/// The first segments of a pattern, without what only says "at any depth".
fn beginning(glob: &str, depth: usize) -> String {
    let segments = glob.trim_start_matches("**/").split('/');
    segments.take(depth).collect::<Vec<_>>().join("/")
}

/// Whether a pattern matches this place because it says so, and not every place of that form.
fn is_meant(glob: &str, place: &str) -> bool {
    let Ok(pattern) = ScopePattern::new(glob) else { return false };
    let Ok(matcher) = CaselessMatcher::new([&pattern]) else { return false };
    let matches = |path: &str| RepoPath::new(path).is_ok_and(|path| matcher.matches(&path));
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
}
