//! The first halves of checksums by their place in a chain, in pages: a chain may have a million entries, and pieces of it
//! may be missing. Deliberately absent: what they are compared with.

use std::collections::BTreeMap;
use std::num::NonZeroU128;

/// So many places stand on a page.
const PAGE: u64 = 128;

/// The halves that are known.
#[derive(Debug, Default)]
pub(super) struct Halves(BTreeMap<u64, Box<[Option<NonZeroU128>]>>);

impl Halves {
    /// The one at that place.
    pub(super) fn get(&self, seq: u64) -> Option<NonZeroU128> {
        let (page, at) = place(seq)?;
        self.0.get(&page)?.get(at).copied().flatten()
    }

    /// Remembers it.
    pub(super) fn insert(&mut self, seq: u64, half: NonZeroU128) {
        let Some((page, at)) = place(seq) else { return };
        let page = self.0.entry(page).or_insert_with(|| (0..PAGE).map(|_| None).collect());
        if let Some(known) = page.get_mut(at) {
            *known = Some(half);
        }
    }
}

/// The page of a place, and where it is there.
fn place(seq: u64) -> Option<(u64, usize)> {
    Some((seq / PAGE, usize::try_from(seq % PAGE).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_found_at_its_place_alone() {
        let half = |number: u64| NonZeroU128::new(u128::from(number) + 1).unwrap();
        let places = [0, 1, PAGE - 1, PAGE, 3 * PAGE + 7, u64::MAX];
        let mut halves = Halves::default();
        places.into_iter().for_each(|seq| halves.insert(seq, half(seq)));
        for seq in places {
            assert_eq!(halves.get(seq), Some(half(seq)));
        }
        for seq in [2, PAGE + 1, 2 * PAGE, u64::MAX - 1] {
            assert_eq!(halves.get(seq), None);
        }
    }
}
