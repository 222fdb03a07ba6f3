//! What one does without the product: the files that the message names, then all of their folders.

use std::collections::BTreeSet;

/// A file's name counts from so many letters on.
const LEAST: usize = 3;

/// So many files of the tree at most, the named ones first.
pub(super) fn scope<'t>(message: &str, tree: &[&'t str], room: usize) -> BTreeSet<&'t str> {
    let message = message.to_lowercase();
    let words: BTreeSet<&str> = message
        .split(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '_' | '-' | '.' | '/'))
        .map(|word| word.trim_matches(['.', '/', '-']))
        .filter(|word| word.len() >= LEAST)
        .collect();
    let named: Vec<&str> = tree.iter().copied().filter(|path| is_named(path, &words)).collect();
    let folders: BTreeSet<&str> = named.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    let is_below = |path: &&str| path.rsplit_once('/').is_some_and(|(folder, _)| folders.contains(folder));
    let below = tree.iter().copied().filter(is_below);
    let mut scope = BTreeSet::new();
    for path in named.iter().copied().chain(below) {
        if scope.len() < room {
            scope.insert(path);
        }
    }
    scope
}

/// By its path, its name, or its name without the ending.
fn is_named(path: &str, words: &BTreeSet<&str>) -> bool {
    let path = path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or_default();
    [path.as_str(), name, stem].iter().any(|spelled| words.contains(spelled))
}

#[cfg(test)]
mod tests {
    use super::scope;

    #[test]
    fn named_files_come_first_and_their_folders_after_them() {
        let tree = ["a/one.rs", "a/two.rs", "b/retry.rs", "b/zero.rs", "c.rs"];
        let found = |message: &str, room: usize| scope(message, &tree, room).into_iter().collect::<Vec<_>>();
        assert_eq!(found("Fix retry", 5), ["b/retry.rs", "b/zero.rs"]);
        assert_eq!(found("Fix retry", 1), ["b/retry.rs"]);
        assert_eq!(found("Fix a/two.rs", 5), ["a/one.rs", "a/two.rs"]);
        assert!(found("Nothing here", 5).is_empty());
    }
}
