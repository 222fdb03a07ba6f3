//! The texts of contents that nobody kept, made again from what the entries say of them.

use std::rc::Rc;

use bailiwick_domain::{ContentHash, RepoPath};

use super::super::compare::lines;
use super::{Place, STEPS, Step, Walk, content};
use crate::evidence::rebuilt::{by_hash, rebuilt};

impl<'a> Walk<'a, '_> {
    /// The lines that a step left, without their ends, and whether they are exactly those. They are told from the last
    /// content before it of which there is a text, the hashes of the steps since then, and a text that is like it.
    pub(super) fn left_by(&mut self, nth: usize, like: &[u8]) -> Option<(Vec<Vec<u8>>, bool)> {
        let (steps, text) = self.since_a_text(nth)?;
        let mut left: Vec<Vec<u8>> =
            text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let (texts, mut is_exact) = (by_hash(like), true);
        for step in steps.into_iter().rev() {
            let made = rebuilt(step.file, &left, &texts)?;
            (left, is_exact) = (made.lines, made.is_exact);
            if let Some(content) = content(&step.file.after).filter(|_| is_exact) {
                self.rebuilt.insert(content, left.concat().into());
            }
        }
        let bare = |line: &Vec<u8>| match is_exact {
            true => lines(line).concat(),
            false => line.trim_ascii().to_vec(),
        };
        Some((left.iter().map(bare).collect(), is_exact))
    }

    /// A content before this step of which there is a text, and the steps that lead from it to what this one left, the
    /// newest first.
    fn since_a_text(&self, nth: usize) -> Option<(Vec<Step<'a>>, Rc<[u8]>)> {
        let file = self.steps.get(nth)?.file;
        let mut place = Place { path: file.path.clone(), content: content(&file.after)?.clone(), since: 0 };
        let (mut steps, mut left_it) = (Vec::new(), Some(nth));
        while steps.len() < STEPS {
            if let Some(text) = self.text(&place.path, &place.content) {
                return Some((steps, text));
            }
            let nth = left_it?;
            let step = *self.steps.get(nth)?;
            steps.push(step);
            let Some(before) = self.before(&step) else { return Some((steps, Rc::from(&b""[..]))) };
            // Whichever older step left this content, it is the same.
            left_it = self.made.get(&before.content).and_then(|all| all.iter().copied().find(|at| *at > nth));
            place = before;
        }
        None
    }

    /// The text of a content: one that was kept, or was made again.
    pub(super) fn text(&self, path: &RepoPath, hash: &ContentHash) -> Option<Rc<[u8]>> {
        self.rebuilt.get(hash).map(Rc::clone).or_else(|| self.contents.text(path, hash))
    }
}
