//! Whether patterns stay inside a scope, told by the patterns as written: what a person bounds a grant with must lie in
//! what the intent owns.
//!
//! Says no when in doubt, but takes a bare name for the file or the folder that it names. It decides no call: each call is
//! held against scope and bounds by what it changes.

use std::cell::LazyCell;

use bailiwick_domain::{OwnedScope, RepoPath, ScopePattern};

use crate::globs::scope_match::ScopeMatcher;

/// More folders than this in a pattern are not looked into.
const MOST_SEGMENTS: usize = 32;

/// The first of these patterns that names something outside the scope. A pattern that excludes names nothing.
///
/// ```
/// use bailiwick_domain::OwnedScope;
/// use bailiwick_policy::within::outside;
/// let scope = OwnedScope::parse(["src/auth/**"]).unwrap();
/// assert_eq!(outside(&OwnedScope::parse(["src/auth/jwt/"]).unwrap(), &scope), None);
/// assert!(outside(&OwnedScope::parse(["src/"]).unwrap(), &scope).is_some());
/// ```
pub fn outside<'p>(paths: &'p OwnedScope, scope: &OwnedScope) -> Option<&'p ScopePattern> {
    let includes = |pattern: &&ScopePattern| !pattern.is_exclusion();
    let owned: Vec<&ScopePattern> = scope.patterns().iter().filter(includes).collect();
    let matcher = LazyCell::new(|| ScopeMatcher::new(scope).ok());
    let is_in = |path: &ScopePattern| {
        owned.iter().any(|own| contains(own, path))
            || matcher.as_ref().is_some_and(|matcher| owns_literally(matcher, path))
    };
    paths.patterns().iter().filter(includes).find(|path| !is_in(path))
}

/// Whether a path without any wildcard is owned: the file itself, or everything in the folder.
fn owns_literally(scope: &ScopeMatcher, path: &ScopePattern) -> bool {
    let text = path.glob();
    if text.contains(['*', '?', '[', '{', '\\']) {
        return false;
    }
    let folder = text.trim_end_matches('/');
    let owns = |path: &str| RepoPath::new(path).is_ok_and(|path| scope.matches(&path));
    // A pattern of so many levels owns what lies so deep, and not the folder.
    let owns_all_below =
        || (1..=MOST_SEGMENTS).all(|depth| owns(&format!("{folder}{}", "/~ any ~".repeat(depth))));
    (!text.ends_with('/') && owns(folder)) || owns_all_below()
}

/// Whether every path that `path` names is one that `own` names.
fn contains(own: &ScopePattern, path: &ScopePattern) -> bool {
    let (own, path) = (segments(own), segments(path));
    own.len() <= MOST_SEGMENTS && path.len() <= MOST_SEGMENTS && holds(&own, &path)
}

/// The segments of a pattern, with the subtree that a folder or a bare name stands for; a wildcard at the end stands for
/// one level, as in a scope.
fn segments(pattern: &ScopePattern) -> Vec<&str> {
    let glob = pattern.glob();
    let mut segments: Vec<&str> = glob.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_wild = segments.last().is_some_and(|last| last.contains(['*', '?', '[', '{']));
    if glob.ends_with('/') || !is_wild {
        segments.push("**");
    }
    segments.dedup_by(|one, other| *one == "**" && *other == "**");
    segments
}

/// Segment by segment of `path`: which numbers of segments of `own` can stand for all of it up to there.
fn holds(own: &[&str], path: &[&str]) -> bool {
    let mut reached = after_stars(own, vec![0]);
    for step in path {
        let mut next = Vec::new();
        for at in reached {
            match own.get(at) {
                Some(&"**") => next.push(at),
                Some(segment) if *step != "**" && (*segment == "*" || segment == step) => next.push(at + 1),
                Some(_) | None => {}
            }
        }
        next.dedup();
        reached = after_stars(own, next);
    }
    reached.contains(&own.len())
}

/// With the places behind a `**`, which may stand for nothing.
fn after_stars(own: &[&str], reached: Vec<usize>) -> Vec<usize> {
    let mut all = Vec::with_capacity(reached.len());
    for mut at in reached {
        all.push(at);
        while own.get(at) == Some(&"**") {
            at += 1;
            all.push(at);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
