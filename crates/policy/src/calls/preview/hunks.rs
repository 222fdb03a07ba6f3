//! The text that the hunks of a patch make, in one walk through the file.

use std::iter::once;

use crate::calls::budget::{ANCHOR_LOOKS, HUNK_LOOKS, LOOKS_AT_A_LINE};
use crate::calls::patch::{Hunk, HunkLine};
use crate::calls::terms::AnchorFact;

/// The text after the hunks of a patch. `None` when a hunk does not fit, or when finding its place takes more looks than
/// the budget has.
pub fn apply_hunks(current: &str, hunks: &[Hunk]) -> Option<String> {
    let mut walk = Walk::of(current, hunks);
    for hunk in hunks {
        walk.take(hunk)?;
    }
    Some(walk.finish())
}

/// Whether what the hunks of a patch take for granted is in the text: [`AnchorFact::Found`] where each names at least
/// one line, and all of its lines stand together at one place alone. Where that takes more looks than the budget has, it
/// is [`AnchorFact::FoundLoosely`].
pub fn anchor_of_hunks(current: &str, hunks: &[&Hunk]) -> AnchorFact {
    if hunks.is_empty() {
        return AnchorFact::NotQuoted;
    }
    let mut walk = Walk::of(current, &[]);
    let quoted: usize = hunks.iter().map(|hunk| hunk.lines.len()).sum();
    let scans = walk.old.len().saturating_mul(hunks.len()).saturating_add(quoted);
    walk.looks = scans.saturating_mul(LOOKS_AT_A_LINE).min(ANCHOR_LOOKS);
    let mut is_loose = false;
    for hunk in hunks {
        let wanted: Vec<&str> = hunk.lines.iter().filter_map(old_side).collect();
        if wanted.is_empty() {
            is_loose = true;
            continue;
        }
        let Some(first) = walk.first_place(&wanted, 0) else {
            return if walk.looks == 0 { AnchorFact::FoundLoosely } else { AnchorFact::Missing };
        };
        let is_elsewhere = walk.first_place(&wanted, first + 1).is_some() || walk.looks == 0;
        is_loose |= is_elsewhere || wanted.iter().all(|line| line.trim().is_empty());
    }
    if is_loose { AnchorFact::FoundLoosely } else { AnchorFact::Found }
}

struct Walk<'a> {
    old: Vec<&'a str>,
    /// The first old line that no hunk accounts for.
    from: usize,
    new: String,
    carriage: bool,
    open_end: bool,
    looks: usize,
}

impl<'a> Walk<'a> {
    fn of(current: &'a str, hunks: &[Hunk]) -> Self {
        let old: Vec<&str> = current.split_terminator('\n').collect();
        let quoted: usize = hunks.iter().map(|hunk| hunk.lines.len() + hunk.context.len() + 1).sum();
        Self {
            from: 0,
            new: String::with_capacity(current.len()),
            carriage: old.first().is_some_and(|line| line.ends_with('\r')),
            open_end: !current.is_empty() && !current.ends_with('\n'),
            looks: (old.len() + quoted) * HUNK_LOOKS,
            old,
        }
    }

    fn take(&mut self, hunk: &Hunk) -> Option<()> {
        let mut floor = self.from;
        for line in &hunk.context {
            floor = self.first_place(&[line], floor)? + 1;
        }
        let wanted: Vec<&str> = hunk.lines.iter().filter_map(old_side).collect();
        let place = self.place_of(hunk, &wanted, floor)?;
        self.keep_up_to(place);
        self.replace(hunk);
        let ends = self.from == self.old.len();
        if hunk.old_open || hunk.new_open {
            let fits = ends && (hunk.old_open == self.open_end || wanted.is_empty());
            self.open_end = hunk.new_open;
            return fits.then_some(());
        }
        let forgets_end = ends && self.open_end && hunk.start.is_some() && !wanted.is_empty();
        (!forgets_end).then_some(())
    }

    fn place_of(&mut self, hunk: &Hunk, wanted: &[&str], floor: usize) -> Option<usize> {
        let Some(start) = hunk.start else {
            return match (wanted.is_empty(), hunk.context.is_empty()) {
                (false, _) => self.first_place(wanted, floor),
                (true, false) => Some(floor),
                (true, true) => Some(self.old.len()),
            };
        };
        let claimed = if wanted.is_empty() { start } else { start.saturating_sub(1) };
        let last = self.old.len().checked_sub(wanted.len())?;
        // As `git apply` has it: what claims the first line is there, what no line follows is at the end.
        let low =
            if matches!(hunk.lines.last(), Some(HunkLine::Context(_))) { floor } else { floor.max(last) };
        let high = if start <= 1 { 0 } else { last };
        self.nearest_place(wanted, claimed, low, high)
    }

    /// The place next to the claimed one: outward, the later of two first.
    fn nearest_place(&mut self, wanted: &[&str], claimed: usize, low: usize, high: usize) -> Option<usize> {
        if low > high {
            return None;
        }
        let claimed = claimed.clamp(low, high);
        for distance in 0..=high - low {
            let later = claimed.checked_add(distance).filter(|place| *place <= high);
            let earlier = claimed.checked_sub(distance).filter(|place| *place >= low && distance > 0);
            for place in later.into_iter().chain(earlier) {
                if self.is_at(wanted, place)? {
                    return Some(place);
                }
            }
        }
        None
    }

    fn first_place(&mut self, wanted: &[&str], floor: usize) -> Option<usize> {
        let last = self.old.len().checked_sub(wanted.len())?;
        for place in floor..=last {
            if self.is_at(wanted, place)? {
                return Some(place);
            }
        }
        None
    }

    /// Whether the lines stand there; `None` when no look is left.
    fn is_at(&mut self, wanted: &[&str], place: usize) -> Option<bool> {
        let plain = |line| str::strip_suffix(line, '\r').unwrap_or(line);
        for (line, wanted) in self.old.iter().skip(place).zip(wanted) {
            self.looks = self.looks.checked_sub(1)?;
            if plain(line) != plain(wanted) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn keep_up_to(&mut self, place: usize) {
        while self.from < place {
            self.keep();
        }
    }

    /// A line that stays keeps the file's own spelling of its end.
    fn keep(&mut self) {
        if let Some(line) = self.old.get(self.from) {
            self.new.extend(once(*line).chain(once("\n")));
        }
        self.from += 1;
    }

    fn replace(&mut self, hunk: &Hunk) {
        for line in &hunk.lines {
            match line {
                HunkLine::Context(_) => self.keep(),
                HunkLine::Remove(_) => self.from += 1,
                HunkLine::Add(text) => {
                    self.new.push_str(text);
                    self.new.push_str(if self.carriage && !text.ends_with('\r') { "\r\n" } else { "\n" });
                }
            }
        }
    }

    fn finish(mut self) -> String {
        self.keep_up_to(self.old.len());
        if self.open_end {
            self.new.pop();
        }
        self.new
    }
}

fn old_side(line: &HunkLine) -> Option<&str> {
    match line {
        HunkLine::Context(text) | HunkLine::Remove(text) => Some(text),
        HunkLine::Add(_) => None,
    }
}
