//! Work on many items, shared among threads. It does not know what the work is.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the shares come back in order: how many threads there are changes nothing of what comes out"
)]

use std::thread::{Builder, available_parallelism, scope};

/// A thread of its own pays for itself from so many items on.
const ITEMS_FOR_A_THREAD: usize = 512;

/// What `make` makes of each item, in their order.
pub fn in_shares<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    by_share(items, |items| items.iter().map(&make).collect())
}

/// What `work` makes of the items of each share, in their order: for work that remembers something from item to item.
pub fn by_share<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let threads = available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(ITEMS_FOR_A_THREAD);
    let (own, others) = items.split_at(share.min(items.len()));
    let work = &work;
    scope(|scope| {
        let thread = |items| Builder::new().spawn_scoped(scope, move || work(items)).map_err(|_| items);
        let others: Vec<_> = others.chunks(share).map(thread).collect();
        let mut all = work(own);
        for other in others {
            all.extend(match other {
                Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(items) => work(items),
            });
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_back_in_order() {
        for count in [0, 1, ITEMS_FOR_A_THREAD, ITEMS_FOR_A_THREAD + 1, 5 * ITEMS_FOR_A_THREAD + 3] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(
                in_shares(&items, |item| item * 2),
                items.iter().map(|item| item * 2).collect::<Vec<_>>()
            );
        }
    }
}
