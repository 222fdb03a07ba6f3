//! Whether two scopes may own the same file. Says yes when in doubt.

use bailiwick_domain::{OwnedScope, ScopePattern};

/// Whether some path could lie in both scopes, judged by the literal folders that their patterns start with.
pub fn may_overlap(one: &OwnedScope, other: &OwnedScope) -> bool {
    inclusions(one)
        .any(|left| inclusions(other).any(|right| left.starts_with(&right) || right.starts_with(&left)))
}

fn inclusions(scope: &OwnedScope) -> impl Iterator<Item = Vec<&str>> {
    scope.patterns().iter().filter(|pattern| !pattern.is_exclusion()).map(literal_start)
}

fn literal_start(pattern: &ScopePattern) -> Vec<&str> {
    pattern
        .glob()
        .split('/')
        .take_while(|segment| !segment.contains(['*', '?', '[', '{']))
        .filter(|s| !s.is_empty())
        .collect()
}
