//! Which files of a listing patterns match, found by where they stand in it: a pattern that begins with a folder looks at
//! that folder alone, and one that several scopes have is read and looked up once.

use std::collections::HashMap;
use std::ops::Range;

use bailiwick_domain::{OwnedScope, RepoPath, ScopePattern};

use super::{Case, Purpose, Rule, ScopeMatcher, rules_of};

/// The files of a tree, sorted, that many scopes are held against.
#[derive(Debug)]
pub(crate) struct Listed<'f> {
    files: &'f [RepoPath],
    read: HashMap<String, (Vec<Rule>, Places)>,
}

/// Places in a listing: runs of neighbours, in order, apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(Vec<Range<usize>>);

impl<'f> Listed<'f> {
    pub(crate) fn new(files: &'f [RepoPath]) -> Self {
        Self { files, read: HashMap::new() }
    }

    /// A scope, ready to be asked, and the places of the files that it owns.
    ///
    /// # Errors
    /// Names the pattern that is not a glob.
    pub(crate) fn owned(&mut self, scope: &OwnedScope) -> Result<(ScopeMatcher, Places), String> {
        let (mut included, mut excluded) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for pattern in scope.patterns() {
            let (rules, places) = if pattern.is_exclusion() { &mut excluded } else { &mut included };
            let read = self.read(pattern)?;
            rules.extend(read.0.iter().cloned());
            places.extend(read.1.0.iter().cloned());
        }
        let matcher = ScopeMatcher::over(included.0, excluded.0);
        let all = || Places::joined(vec![self.everything()]);
        let owned = if matcher.all_but { all() } else { Places::joined(included.1) };
        Ok((matcher, owned.without(&Places::joined(excluded.1))))
    }

    /// Whether a pattern by itself matches a file; an exclusion counts by what it takes out. One that is no glob is
    /// complained about elsewhere.
    pub(crate) fn has_any(&mut self, pattern: &ScopePattern) -> bool {
        self.read(pattern).is_ok_and(|(_, places)| !places.0.is_empty())
    }

    fn read(&mut self, pattern: &ScopePattern) -> Result<&(Vec<Rule>, Places), String> {
        // One that is there is looked up twice; the borrow of it would last too long otherwise.
        if !self.read.contains_key(pattern.as_str()) {
            let rules = rules_of(pattern, Purpose::Owns, Case::Counts)?;
            let places = rules.iter().flat_map(|rule| self.places(rule)).collect();
            let read = (rules, Places::joined(places));
            self.read.insert(pattern.as_str().to_owned(), read);
        }
        self.read.get(pattern.as_str()).ok_or_else(|| format!("scope pattern `{pattern}` was not read"))
    }

    fn everything(&self) -> Range<usize> {
        0..self.files.len()
    }

    fn places(&self, rule: &Rule) -> Vec<Range<usize>> {
        match rule {
            Rule::All => vec![self.everything()],
            Rule::Bare(text) | Rule::Tree(text) => {
                vec![self.called(text), self.beginning(&format!("{text}/"))]
            }
            Rule::Below(text) => vec![self.beginning(&format!("{text}/"))],
            Rule::Wild(wild) => {
                let within = self.beginning(&wild.head);
                let files = self.files.iter().enumerate().skip(within.start).take(within.len());
                files.filter(|(_, path)| wild.matches(path.as_str())).map(|(at, _)| at..at + 1).collect()
            }
        }
    }

    fn called(&self, text: &str) -> Range<usize> {
        match self.files.binary_search_by(|path| path.as_str().cmp(text)) {
            Ok(at) => at..at + 1,
            Err(at) => at..at,
        }
    }

    /// Those that begin so stand together.
    fn beginning(&self, head: &str) -> Range<usize> {
        let from = self.files.partition_point(|path| path.as_str() < head);
        let behind = self.files.get(from..).unwrap_or_default();
        from..from + behind.partition_point(|path| path.as_str().starts_with(head))
    }
}

impl Places {
    fn joined(mut runs: Vec<Range<usize>>) -> Self {
        runs.retain(|run| !run.is_empty());
        runs.sort_by_key(|run| run.start);
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(runs.len());
        for run in runs {
            match joined.last_mut().filter(|last| last.end >= run.start) {
                Some(last) => last.end = last.end.max(run.end),
                None => joined.push(run),
            }
        }
        Self(joined)
    }

    fn without(self, others: &Self) -> Self {
        let mut left = Vec::with_capacity(self.0.len());
        for run in self.0 {
            let first = others.0.partition_point(|other| other.end <= run.start);
            let mut from = run.start;
            for other in others.0.iter().skip(first).take_while(|other| other.start < run.end) {
                left.push(from..other.start.max(from));
                from = other.end;
            }
            left.push(from..run.end.max(from));
        }
        Self::joined(left)
    }

    /// The runs, in order.
    pub(crate) fn runs(&self) -> &[Range<usize>] {
        &self.0
    }

    /// How many places.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(Range::len).sum()
    }

    /// The nth place, from 0.
    pub(crate) fn nth(&self, mut nth: usize) -> Option<usize> {
        for run in &self.0 {
            match nth.checked_sub(run.len()) {
                Some(rest) => nth = rest,
                None => return Some(run.start + nth),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Listed, Places};
    use crate::globs::scope_match::ScopeMatcher;
    use bailiwick_domain::{OwnedScope, RepoPath, ScopePattern};
    use proptest::prelude::*;

    const SEGMENT: &str = "(a|b|a-b|a\\.rs|b\\.rs|é|c)";
    const PATTERN: &str =
        "!?(\\*\\*|\\*|a|b|a-b|a\\*|\\?|\\*\\.rs|\\{a,b\\})(/(\\*\\*|\\*|a|b|c|\\*\\.rs)){0,3}/?";

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn a_listing_is_asked_as_each_path_is(
            paths in prop::collection::vec(prop::collection::vec(SEGMENT, 1..5), 0..24),
            scopes in prop::collection::vec(prop::collection::vec(PATTERN, 1..4), 1..3),
        ) {
            let mut files: Vec<RepoPath> =
                paths.iter().map(|path| RepoPath::new(&path.join("/")).unwrap()).collect();
            files.sort();
            files.dedup();
            let mut listed = Listed::new(&files);
            for scope in scopes {
                let patterns: Vec<ScopePattern> =
                    scope.iter().map(|text| ScopePattern::new(text).unwrap()).collect();
                let scope = OwnedScope::new(patterns, true).unwrap();
                let (read, places) = listed.owned(&scope).unwrap();
                let matcher = ScopeMatcher::new(&scope).unwrap();
                let owned = |matcher: &ScopeMatcher| -> Vec<usize> {
                    (0..files.len()).filter(|at| matcher.matches(&files[*at])).collect()
                };
                let found: Vec<usize> = places.runs().iter().flat_map(Clone::clone).collect();
                prop_assert_eq!(&found, &owned(&matcher), "{:?}", scope);
                prop_assert_eq!(&found, &owned(&read));
                prop_assert_eq!(places.len(), found.len());
                for (nth, place) in found.iter().enumerate() {
                    prop_assert_eq!(places.nth(nth), Some(*place));
                }
                prop_assert_eq!(places.nth(found.len()), None);
                for pattern in scope.patterns() {
                    let alone = OwnedScope::new(vec![ScopePattern::new(pattern.glob()).unwrap()], true).unwrap();
                    let any = !owned(&ScopeMatcher::new(&alone).unwrap()).is_empty();
                    prop_assert_eq!(listed.has_any(pattern), any, "{}", pattern);
                }
            }
        }
    }

    #[test]
    fn the_shortest_name_that_a_pattern_takes_is_listed() {
        let files: Vec<RepoPath> = ["a", "ab", "b/a", "b/ab"].map(|path| RepoPath::new(path).unwrap()).into();
        for (pattern, expected) in [("b/a*", 2..4), ("b/ab*", 3..4)] {
            let scope = OwnedScope::new(vec![ScopePattern::new(pattern).unwrap()], true).unwrap();
            let (_, places) = Listed::new(&files).owned(&scope).unwrap();
            assert_eq!(places.runs(), [expected], "{pattern}");
        }
    }

    #[test]
    fn runs_that_touch_are_one() {
        assert_eq!(Places::joined(vec![4..6, 0..2, 2..3, 3..3]).runs(), [0..3, 4..6]);
    }
}
