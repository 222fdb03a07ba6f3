//! Which lines of two texts are the same: as fine as a bound of work lets, and the same on every machine.
//!
//! A text that would cost more is split at lines that stand once on both sides. What still costs too much counts as
//! replaced. Deliberately absent: what the lines are of, and a clock.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff};

/// The work that two texts are worth; so many lines cost their number times its square root.
const WORK: usize = 4_000_000;

/// So many lines are looked at as possible points to split at.
const CANDIDATES: usize = 1 << 17;

type Pair = (usize, usize);

/// The steps from the old lines to the new ones, in order.
pub(crate) fn compared<T: Hash + Ord>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut steps = Steps { old, new, ops: Vec::new(), left: WORK };
    let (whole_old, whole_new) = (0..old.len(), 0..new.len());
    if !steps.exactly(&whole_old, &whole_new) {
        let mut at = (0, 0);
        for (one, other) in increasing(&fixed_points(old, new)) {
            steps.between(at.0..one, at.1..other);
            steps.equal(one, other, 1);
            at = (one + 1, other + 1);
        }
        steps.between(at.0..old.len(), at.1..new.len());
    }
    steps.ops
}

struct Steps<'t, T> {
    old: &'t [T],
    new: &'t [T],
    ops: Vec<DiffOp>,
    left: usize,
}

impl<T: Hash + Ord> Steps<'_, T> {
    /// Compares two runs line by line, where the work is left for that.
    fn exactly(&mut self, old: &Range<usize>, new: &Range<usize>) -> bool {
        let (head, tail) = self.kept_ends(old, new);
        let lines = (old.len() + new.len()).saturating_sub(2 * (head + tail));
        let Some(left) = self.left.checked_sub(lines.saturating_mul(lines.isqrt())) else { return false };
        self.left = left;
        for op in capture_diff(Algorithm::Myers, self.old, old.clone(), self.new, new.clone()) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => self.equal(old_index, new_index, len),
                other => self.ops.push(other),
            }
        }
        true
    }

    fn between(&mut self, old: Range<usize>, new: Range<usize>) {
        if self.exactly(&old, &new) {
            return;
        }
        let (head, tail) = self.kept_ends(&old, &new);
        self.equal(old.start, new.start, head);
        let (old_end, new_end) = (old.end - tail, new.end - tail);
        let (old_index, new_index) = (old.start + head, new.start + head);
        let (old_len, new_len) = (old_end - old_index, new_end - new_index);
        self.ops.push(DiffOp::Replace { old_index, old_len, new_index, new_len });
        self.equal(old_end, new_end, tail);
    }

    /// How many lines two runs share at their beginning, and how many of the rest at their end.
    fn kept_ends(&self, old: &Range<usize>, new: &Range<usize>) -> (usize, usize) {
        let (old, new) = (self.old.get(old.clone()), self.new.get(new.clone()));
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let head = old.iter().zip(new).take_while(|(one, other)| one == other).count();
        let tails = old.iter().skip(head).rev().zip(new.iter().skip(head).rev());
        (head, tails.take_while(|(one, other)| one == other).count())
    }

    fn equal(&mut self, old_index: usize, new_index: usize, len: usize) {
        match self.ops.last_mut() {
            _ if len == 0 => {}
            Some(DiffOp::Equal { old_index: from, new_index: at, len: before })
                if *from + *before == old_index && *at + *before == new_index =>
            {
                *before += len;
            }
            _ => self.ops.push(DiffOp::Equal { old_index, new_index, len }),
        }
    }
}

/// Lines that stand once in either text, in the order of the old one. Of very many lines some are looked at, by what they
/// say.
fn fixed_points<T: Hash + Ord>(old: &[T], new: &[T]) -> Vec<Pair> {
    let every = u64::try_from((old.len() + new.len()) / CANDIDATES + 1).unwrap_or(1);
    let is_candidate = |line: &T| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        hasher.finish().is_multiple_of(every)
    };
    let mut places: HashMap<&T, Option<Pair>> = HashMap::new();
    for (at, line) in old.iter().enumerate().filter(|(_, line)| is_candidate(line)) {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some((at, usize::MAX)));
    }
    for (at, line) in new.iter().enumerate() {
        if let Some(place) = places.get_mut(line) {
            *place = place.and_then(|(from, before)| (before == usize::MAX).then_some((from, at)));
        }
    }
    let mut points: Vec<Pair> = places.into_values().flatten().filter(|(_, at)| *at != usize::MAX).collect();
    points.sort_unstable();
    points
}

/// The longest part of the pairs in which the second members increase too.
pub(crate) fn increasing(pairs: &[Pair]) -> Vec<Pair> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let line_of = |index: usize| pairs.get(index).map_or(0, |pair| pair.1);
    for (index, (_, line)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| line_of(*end) < *line);
        before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        ends.truncate(length + usize::from(length < ends.len()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        chain.extend(pairs.get(index).copied());
        next = before.get(index).copied().flatten();
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::{Algorithm, DiffOp, capture_diff_slices};

    use super::{Steps, compared, fixed_points, increasing};

    /// What the steps make of the old lines.
    fn applied(ops: &[DiffOp], old: &[u32], new: &[u32]) -> Vec<u32> {
        let (mut from, mut at) = (0, 0);
        let mut made = Vec::new();
        for op in ops {
            assert_eq!((op.old_range().start, op.new_range().start), (from, at), "without a gap: {ops:?}");
            (from, at) = (op.old_range().end, op.new_range().end);
            match op {
                DiffOp::Equal { .. } => made.extend(&old[op.old_range()]),
                _ => made.extend(&new[op.new_range()]),
            }
        }
        assert_eq!((from, at), (old.len(), new.len()), "to the end: {ops:?}");
        made
    }

    #[test]
    fn few_lines_are_compared_exactly() {
        let (old, new) = ([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 9, 6]);
        assert_eq!(compared(&old, &new), capture_diff_slices(Algorithm::Myers, &old, &new));
    }

    #[test]
    fn many_lines_are_split_where_one_stands_once_on_both_sides() {
        let old: Vec<u32> = (0..60_000).collect();
        let mut new = old.clone();
        (new[10], new[59_990]) = (70_001, 70_002);
        let changed = |ops: &[DiffOp]| {
            ops.iter()
                .filter(|op| !matches!(op, DiffOp::Equal { .. }))
                .map(DiffOp::new_range)
                .collect::<Vec<_>>()
        };
        let ops = compared(&old, &new);
        assert_eq!(changed(&ops), [10..11, 59_990..59_991]);
        assert_eq!(applied(&ops, &old, &new), new);
    }

    #[test]
    fn what_costs_too_much_counts_as_replaced_between_its_ends() {
        let old: Vec<u32> = (0..200_000).map(|line| line % 2).collect();
        let new: Vec<u32> = (0..200_000).map(|line| u32::from(line % 3 == 0)).collect();
        let ops = compared(&old, &new);
        assert!(ops.iter().filter(|op| matches!(op, DiffOp::Replace { .. })).count() == 1, "{}", ops.len());
        assert_eq!(applied(&ops, &old, &new), new);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_steps_lead_from_the_old_lines_to_the_new_ones(
            old in prop::collection::vec(0_u32..12, 0..40),
            new in prop::collection::vec(0_u32..12, 0..40),
            left in 0_usize..200,
        ) {
            prop_assert_eq!(&applied(&compared(&old, &new), &old, &new), &new);
            let mut steps = Steps { old: &old, new: &new, ops: Vec::new(), left };
            steps.between(0..old.len(), 0..new.len());
            prop_assert_eq!(&applied(&steps.ops, &old, &new), &new);
            let points = fixed_points(&old, &new);
            prop_assert!(points.iter().all(|(from, at)| old[*from] == new[*at]));
            prop_assert!(increasing(&points).is_sorted());
        }
    }
}
