//! Lines of a text on their way back through older contents of the file, as runs of lines that stay together.

use bailiwick_domain::Hunk;

/// Lines that stand together in a content, and were together in the text that is asked about. Counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Where they stand in the content.
    pub(super) at: usize,
    /// Where they stand in the text.
    pub(super) line: usize,
    /// How many.
    pub(super) len: usize,
}

impl Run {
    fn end(&self) -> usize {
        self.at + self.len
    }

    /// The part of it that stands within these lines of the content.
    fn within(&self, start: usize, end: usize) -> Option<Self> {
        let (from, to) = (self.at.max(start), self.end().min(end));
        (from < to).then(|| Self { at: from, line: self.line + (from - self.at), len: to - from })
    }
}

/// All lines that nobody is known for yet, in the order of the content.
#[derive(Clone, Debug)]
pub(super) struct Runs(Vec<Run>);

impl Runs {
    /// All lines of a text, in the text itself.
    pub(super) fn all(len: usize) -> Self {
        Self(if len == 0 { Vec::new() } else { vec![Run { at: 0, line: 0, len }] })
    }

    /// These runs, which are in order.
    pub(super) fn of(runs: Vec<Run>) -> Self {
        Self(runs)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.0.iter()
    }

    /// The lines that stand within these of the content, counted from 0, the end not included.
    pub(super) fn within(&self, start: usize, end: usize) -> impl Iterator<Item = Run> {
        let first = self.0.partition_point(|run| run.end() <= start);
        let rest = self.0.get(first..).unwrap_or_default().iter().take_while(move |run| run.at < end);
        rest.filter_map(move |run| run.within(start, end))
    }

    /// Goes back over a change: what it brought is told, the rest stands where it stood before.
    pub(super) fn undo(&mut self, hunks: &[Hunk], mut brought: impl FnMut(Run)) {
        // From the last one on, so that what is above keeps its place.
        for hunk in hunks.iter().rev() {
            let start = hunk.new_start.saturating_sub(1);
            let end = start.saturating_add(hunk.new_count);
            let first = self.0.partition_point(|run| run.end() <= start);
            let behind = first
                + self.0.get(first..).unwrap_or_default().partition_point(|run| run.at < end.max(start));
            let mut next = behind;
            if behind > first {
                let touched: Vec<Run> = self.0.get(first..behind).unwrap_or_default().to_vec();
                touched.iter().filter_map(|run| run.within(start, end)).for_each(&mut brought);
                let above = touched.first().and_then(|run| run.within(0, start));
                let below = touched.last().and_then(|run| run.within(end, usize::MAX));
                next = first + usize::from(above.is_some());
                self.0.splice(first..behind, above.into_iter().chain(below));
            }
            for run in self.0.get_mut(next..).unwrap_or_default() {
                run.at = (run.at - hunk.new_count).saturating_add(hunk.old_count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // REQ 163
        #[test]
        fn going_back_over_changes_is_what_they_did(
            start in 0..30_usize,
            changes in prop::collection::vec(
                prop::collection::vec((0..6_usize, 0..4_usize, 0..4_usize), 0..4), 0..6),
        ) {
            // Each line is the step that brought it and its number there.
            let mut text: Vec<(usize, usize)> = (0..start).map(|line| (0, line)).collect();
            let mut steps = Vec::new();
            for (nth, change) in changes.iter().enumerate() {
                let (mut next, mut hunks, mut at) = (Vec::new(), Vec::new(), 0);
                for (skip, gone, come) in change {
                    let kept = (at + skip + usize::from(at > 0)).min(text.len());
                    next.extend_from_slice(&text[at..kept]);
                    let gone = (*gone).min(text.len() - kept);
                    hunks.push(Hunk::from([kept + 1, gone, next.len() + 1, *come]));
                    next.extend((0..*come).map(|_| (nth + 1, 0)));
                    at = kept + gone;
                }
                next.extend_from_slice(&text[at..]);
                for (line, owner) in next.iter_mut().enumerate() {
                    if owner.0 == nth + 1 {
                        owner.1 = line;
                    }
                }
                text = next;
                steps.push(hunks);
            }
            let mut found = vec![None; text.len()];
            let mut runs = Runs::all(text.len());
            for (nth, hunks) in steps.iter().enumerate().rev() {
                runs.undo(hunks, |run| {
                    for offset in 0..run.len {
                        found[run.line + offset] = Some((nth + 1, run.at + offset));
                    }
                });
            }
            for run in runs.iter() {
                for offset in 0..run.len {
                    found[run.line + offset] = Some((0, run.at + offset));
                }
            }
            let text: Vec<_> = text.into_iter().map(Some).collect();
            prop_assert_eq!(found, text);
        }
    }
}
