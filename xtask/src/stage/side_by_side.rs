//! Work that waits more than it computes, two at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow};

const AT_ONCE: usize = 2;

/// Does each work, two at a time, in their order. The answers stand in that order, too, and a panic is an error.
pub(crate) fn side_by_side<W, R: Send>(
    works: impl IntoIterator<Item = W, IntoIter: Send>,
    play: impl Fn(W) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    let queue = Mutex::new(works.into_iter().enumerate());
    let ended = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, work)) = next else { return };
            let played = catch_unwind(AssertUnwindSafe(|| play(work)));
            let played = played.unwrap_or_else(|_| Err(anyhow!("it panicked")));
            ended.lock().unwrap_or_else(PoisonError::into_inner).push((place, played));
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    let mut ended = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    ended.sort_unstable_by_key(|(place, _)| *place);
    ended.into_iter().map(|(_, played)| played).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn two_are_played_at_once_and_each_answer_stands_in_its_place() {
        let both = Barrier::new(AT_ONCE);
        let answers = side_by_side(0..7, |number| {
            if number < 2 {
                both.wait();
            }
            assert!(number != 4, "the fifth one panics");
            Ok(number * 10)
        });
        let answers: Vec<Option<i32>> = answers.into_iter().map(Result::ok).collect();
        assert_eq!(answers, [Some(0), Some(10), Some(20), Some(30), None, Some(50), Some(60)]);
    }
}
