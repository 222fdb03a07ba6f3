//! The texts of contents that nobody kept, made again from what the entries say of them.

use std::collections::HashMap;
use std::rc::Rc;

use bailiwick_domain::{ContentHash, LineHash, RepoPath};

use super::super::compare::lines;
use super::{Place, STEPS, Step, Walk, content};
use crate::evidence::rebuilt::{Line, Rebuilt, by_hash, found_by, lengthen, lines_of, rebuilt};

/// The text that contents are like which are made again, and what was made of it.
pub(super) struct Like<'t> {
    text: &'t [u8],
    by_hash: Option<HashMap<LineHash, Line>>,
    made: HashMap<ContentHash, Rebuilt>,
}

impl<'t> Like<'t> {
    pub(super) fn to(text: &'t [u8]) -> Self {
        Self { text, by_hash: None, made: HashMap::new() }
    }
}

impl<'a> Walk<'a, '_> {
    /// The lines that a step left, without their ends, and whether they are exactly those. They are told from the last
    /// content before it that is known, the hashes of the steps since then, and a text that is like it.
    pub(super) fn left_by(&mut self, nth: usize, like: &mut Like<'_>) -> Option<(Vec<Vec<u8>>, bool)> {
        let (steps, known) = self.since_what_is_known(nth, like)?;
        let texts = like.by_hash.get_or_insert_with(|| by_hash(like.text));
        let mut left = match (known, steps.last()) {
            (Some(known), _) => known,
            (None, oldest) => found_by(oldest?.file, texts)?,
        };
        for step in steps.into_iter().rev() {
            if !left.is_exact {
                lengthen(&mut left.lines, step.file);
            }
            left = rebuilt(step.file, &left.lines, texts)?;
            match content(&step.file.after) {
                Some(content) if left.is_exact => {
                    drop(self.rebuilt.insert(content, left.lines.concat().into()))
                }
                Some(content) => drop(like.made.insert(content.clone(), left.clone())),
                None => {}
            }
        }
        let bare = |line: &Line| match left.is_exact {
            true => lines(line).concat(),
            false => line.trim_ascii().to_vec(),
        };
        Some((left.lines.iter().map(bare).collect(), left.is_exact))
    }

    /// A content before this step that is known, and the steps that lead from it to what this one left, the newest first;
    /// without one, all steps back to what no step left.
    fn since_what_is_known(&self, nth: usize, like: &Like<'_>) -> Option<(Vec<Step<'a>>, Option<Rebuilt>)> {
        let known = |text: &[u8]| Rebuilt { lines: lines_of(text), is_exact: true };
        let file = self.steps.get(nth)?.file;
        let mut place = Place { path: file.path.clone(), content: content(&file.after)?.clone(), since: 0 };
        let (mut steps, mut left_it) = (Vec::new(), Some(nth));
        while steps.len() < STEPS {
            let text = self.text(&place.path, &place.content).map(|text| known(&text));
            if let Some(found) = text.or_else(|| like.made.get(&place.content).cloned()) {
                return Some((steps, Some(found)));
            }
            let Some(nth) = left_it else { return Some((steps, None)) };
            let step = *self.steps.get(nth)?;
            steps.push(step);
            let Some(before) = self.before(&step) else { return Some((steps, Some(known(b"")))) };
            // Whichever older step left this content, it is the same.
            left_it = self.made.steps(&before.content).find(|at| *at > nth);
            place = before;
        }
        None
    }

    /// The text of a content: one that was kept, or was made again.
    pub(super) fn text(&self, path: &RepoPath, hash: &ContentHash) -> Option<Rc<[u8]>> {
        self.rebuilt.get(hash).map(Rc::clone).or_else(|| self.contents.text(path, hash))
    }
}
