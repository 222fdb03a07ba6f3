//! The tree that intents are held against, with what is known of it once one of them has asked.

use std::collections::HashMap;

use bailiwick_domain::ScopePattern;

use super::World;
use crate::globs::scope_match::{Listed, literal_start};

/// A place in the tree, and whether it is a folder.
type Place<'a> = (&'a str, bool);

#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) world: World<'a>,
    pub(super) listed: Listed<'a>,
    /// By name, the first two places that are called so.
    called: Option<HashMap<&'a str, Vec<Place<'a>>>>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(world: &World<'a>) -> Self {
        Self { world: *world, listed: Listed::new(world.files), called: None }
    }

    /// A folder or file with the same last name as the pattern's literal beginning, somewhere else.
    pub(super) fn elsewhere(&mut self, pattern: &ScopePattern) -> Option<String> {
        let start = literal_start(pattern);
        let start = start.trim_end_matches('/');
        let wanted = start.rsplit('/').next().filter(|name| !name.is_empty())?;
        let files = self.world.files;
        let called =
            self.called.get_or_insert_with(|| named(files.iter().map(bailiwick_domain::RepoPath::as_str)));
        let (place, is_folder) = called.get(wanted)?.iter().find(|(place, _)| *place != start)?;
        Some(if *is_folder { format!("{place}/") } else { (*place).to_owned() })
    }
}

/// By name, the first two places that are called so; of a path that repeats a name, the upper one.
fn named<'a>(paths: impl Iterator<Item = &'a str>) -> HashMap<&'a str, Vec<Place<'a>>> {
    let mut called: HashMap<&str, Vec<Place<'_>>> = HashMap::new();
    for path in paths {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for (depth, end) in ends.enumerate() {
            let place = path.get(..end).unwrap_or_default();
            let name = place.rsplit('/').next().unwrap_or_default();
            let places = called.entry(name).or_default();
            let is_known = places.len() == 2 || places.iter().any(|(known, _)| *known == place);
            if !is_known && !path.split('/').take(depth).any(|above| above == name) {
                places.push((place, end < path.len()));
            }
        }
    }
    called
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn two_places_of_each_name_are_kept() {
        let called = named(["a/b/a", "a/c", "b", "d/b/x", "e/b"].into_iter());
        assert_eq!(called["a"], [("a", true)]);
        assert_eq!(called["b"], [("a/b", true), ("b", false)]);
        assert_eq!(called["x"], [("d/b/x", false)]);
    }
}
