//! Steps by a content that they found or left.

use std::collections::HashMap;

use bailiwick_domain::ContentHash;

/// The steps of each content, the newest first. Nearly every content has one step: none gets a list of its own.
#[derive(Debug)]
pub(super) struct ByContent<'a> {
    newest: HashMap<&'a ContentHash, usize>,
    /// For each step the next older one of the same content.
    older: Vec<Option<usize>>,
}

impl<'a> ByContent<'a> {
    /// The contents of all steps, that of the newest first.
    pub(super) fn of(
        contents: impl DoubleEndedIterator<Item = Option<&'a ContentHash>> + ExactSizeIterator,
    ) -> Self {
        let mut newest = HashMap::with_capacity(contents.len());
        let older = contents.enumerate().rev().map(|(nth, content)| newest.insert(content?, nth));
        let mut older: Vec<Option<usize>> = older.collect();
        older.reverse();
        Self { newest, older }
    }

    /// The steps of a content.
    pub(super) fn steps(&self, content: &ContentHash) -> impl Iterator<Item = usize> + Clone {
        let newest = self.newest.get(content).copied();
        std::iter::successors(newest, |nth| self.older.get(*nth).copied().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_content_has_its_steps_the_newest_first() {
        let [one, two, three] = [b"1", b"2", b"3"].map(|text| ContentHash::of(text));
        let contents = [Some(&one), None, Some(&two), Some(&one), Some(&one)];
        let by_content = ByContent::of(contents.into_iter());
        let steps = |content| by_content.steps(content).collect::<Vec<_>>();
        assert_eq!((steps(&one), steps(&two), steps(&three)), (vec![0, 3, 4], vec![2], vec![]));
    }
}
