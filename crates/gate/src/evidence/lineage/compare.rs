//! Two texts line by line, with one fixed comparison: which line of the one is which of the other, and how sure that is.

use std::collections::HashMap;
use std::ops::Range;

use bailiwick_domain::Hunk;
use imara_diff::{Algorithm, Diff, InternedInput};

use crate::change::doubtful;

/// Lines that moved within a file hold so many letters and digits (git's `-M`).
const MOVED: usize = 20;
/// Blocks with more lines are not compared word by word.
const WORDS_LIMIT: usize = 2_000;

/// Where a line was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Came {
    /// The line in the text before, counted from 0.
    pub(super) from: usize,
    /// Whether nothing speaks for another one.
    pub(super) is_sure: bool,
    /// Whether it stayed as it was, in its order.
    pub(super) is_kept: bool,
}

/// For each line of the new text the line of the old one that it is; `None` for one that is new.
pub(super) fn compare(old: &[&[u8]], new: &[&[u8]]) -> Vec<Option<Came>> {
    let hunks = hunks(old, new);
    let mut came = kept(&hunks, old.len(), new.len());
    for run in doubtful(old, new, &hunks) {
        came.get_mut(run).into_iter().flatten().flatten().for_each(|came| came.is_sure = false);
    }
    for hunk in together(&hunks, new) {
        reshaped(old, new, &hunk, &mut came);
    }
    moved(old, new, &hunks, &mut came);
    came
}

/// For each line of the old text the line of the new one that it surely still is, in the same order. A line beside a change
/// that could as well be part of it is not sure.
///
/// ```
/// use bailiwick_gate::evidence::stayed;
/// let old = b"the first of three long lines\nthe second of three\nthe last of three long lines\n";
/// let new = b"the first of three long lines\nthe last of three long lines\n";
/// assert_eq!(stayed(old, new), [Some(0), None, Some(1)]);
/// ```
pub fn stayed(old: &[u8], new: &[u8]) -> Vec<Option<usize>> {
    let (old, new) = (lines(old), lines(new));
    let mut stayed = vec![None; old.len()];
    for (at, came) in compare(&old, &new).into_iter().enumerate() {
        if let Some(came) = came.filter(|came| came.is_sure && came.is_kept)
            && let Some(slot) = stayed.get_mut(came.from)
        {
            *slot = Some(at);
        }
    }
    stayed
}

/// The lines without their ends: CRLF and LF are no difference, nor is a missing last one.
pub(super) fn lines(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let bare = |line: &'_ [u8]| {
        line.strip_suffix(b"\n").map_or(line.len(), |line| line.strip_suffix(b"\r").unwrap_or(line).len())
    };
    lines.map(|line| line.get(..bare(line)).unwrap_or_default()).collect()
}

fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let hunk = |hunk: imara_diff::Hunk| {
        Hunk::from([
            number(hunk.before.start) + 1,
            hunk.before.len(),
            number(hunk.after.start) + 1,
            hunk.after.len(),
        ])
    };
    diff.hunks().map(hunk).collect()
}

fn kept(hunks: &[Hunk], old: usize, new: usize) -> Vec<Option<Came>> {
    let mut came = vec![None; new];
    let (mut at, mut from) = (0, 0);
    let end = Hunk::from([old + 1, 0, new + 1, 0]);
    for hunk in hunks.iter().chain([&end]) {
        while at + 1 < hunk.new_start {
            if let Some(slot) = came.get_mut(at) {
                *slot = Some(Came { from, is_sure: true, is_kept: true });
            }
            (at, from) = (at + 1, from + 1);
        }
        (at, from) = (at + hunk.new_count, from + hunk.old_count);
    }
    came
}

/// The hunks, those as one between which only lines stay that hardly say anything: where a formatter went over all
/// others, such a line may have been taken for any of its like.
fn together(hunks: &[Hunk], new: &[&[u8]]) -> Vec<Hunk> {
    let mut all: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        if let Some(last) = all.last_mut() {
            let stayed = last.new_start - 1 + last.new_count..hunk.new_start - 1;
            let is_weak = |line: &&[u8]| !line.iter().any(u8::is_ascii_alphanumeric);
            let whole = Hunk {
                old_count: hunk.old_start + hunk.old_count - last.old_start,
                new_count: hunk.new_start + hunk.new_count - last.new_start,
                ..*last
            };
            if whole.old_count + whole.new_count <= WORDS_LIMIT
                && new.get(stayed).is_some_and(|stayed| stayed.iter().all(is_weak))
            {
                *last = whole;
                continue;
            }
        }
        all.push(*hunk);
    }
    all
}

/// A formatter leaves the words: a new line all of whose words are those of whole old lines is one of them.
fn reshaped(old: &[&[u8]], new: &[&[u8]], hunk: &Hunk, came: &mut [Option<Came>]) {
    let (from, at) = (hunk.old_start - 1, hunk.new_start - 1);
    let gone = old.get(from..from + hunk.old_count).unwrap_or_default();
    let come = new.get(at..at + hunk.new_count).unwrap_or_default();
    if gone.is_empty() || come.is_empty() || gone.len() + come.len() > WORDS_LIMIT {
        return;
    }
    let mut has_new = false;
    for (offset, source) in sources_by_words(gone, come).into_iter().enumerate() {
        let Some(slot) = source.and_then(|_| came.get_mut(at + offset)) else { continue };
        let source = source.map(|source| from + source);
        if slot.map(|came| came.from) != source {
            *slot = source.map(|from| Came { from, is_sure: false, is_kept: false });
            has_new = true;
        }
    }
    if has_new {
        blank_between(old, new, at..at + come.len(), came);
    }
}

/// For each line that came, the line that went away whose words it has.
fn sources_by_words(gone: &[&[u8]], come: &[&[u8]]) -> Vec<Option<usize>> {
    let (before, after) = (words(gone), words(come));
    let [texts_before, texts_after] =
        [&before, &after].map(|words| words.iter().map(|word| word.1).collect::<Vec<_>>());
    let hunks = hunks(&texts_before, &texts_after);
    let pairs = kept(&hunks, before.len(), after.len());
    let mut is_whole = vec![true; gone.len()];
    let mut used = vec![false; before.len()];
    for pair in pairs.iter().flatten() {
        used.get_mut(pair.from).into_iter().for_each(|used| *used = true);
    }
    for ((line, _), used) in before.iter().zip(used) {
        is_whole.get_mut(*line).into_iter().for_each(|whole| *whole &= used);
    }
    let (old_lines, new_lines) = (by_line(&before, gone.len()), by_line(&after, come.len()));
    let source = |words: &Range<usize>| {
        let pairs = pairs.get(words.clone()).unwrap_or_default().iter();
        let sources: Vec<Option<usize>> =
            pairs.map(|pair| before.get((*pair)?.from).map(|(line, _)| *line)).collect();
        let mut known: Vec<usize> = sources.iter().flatten().copied().collect();
        known.sort_unstable();
        let most = *known.chunk_by(|one, next| one == next).max_by_key(|same| same.len())?.first()?;
        let is_of_one = sources.iter().all(|source| *source == Some(most));
        let is_whole = is_of_one && is_whole.get(most).copied().unwrap_or_default();
        // The words of another line may begin, or end, like those of this one.
        let theirs = old_lines.get(most).and_then(|line| texts_before.get(line.clone()));
        (is_whole || theirs == texts_after.get(words.clone())).then_some(most)
    };
    new_lines.iter().map(source).collect()
}

/// Which words each line has.
fn by_line(words: &[(usize, &[u8])], lines: usize) -> Vec<Range<usize>> {
    let start = |line: usize| words.partition_point(|(of, _)| *of < line);
    (0..lines).map(|line| start(line)..start(line + 1)).collect()
}

/// A blank line has no words: it is the one that stood beside the same line before.
fn blank_between(old: &[&[u8]], new: &[&[u8]], lines: Range<usize>, came: &mut [Option<Came>]) {
    let is_blank = |text: Option<&&[u8]>| text.is_some_and(|text| text.trim_ascii().is_empty());
    let reshaped = |came: &[Option<Came>], line: usize| {
        came.get(line).copied().flatten().filter(|came| !came.is_kept).map(|came| came.from)
    };
    let take = |line: usize, beside: usize, is_below: bool, came: &mut [Option<Came>]| {
        let from = reshaped(came, beside);
        let from = from.and_then(|from| if is_below { from.checked_add(1) } else { from.checked_sub(1) });
        let from = from.filter(|from| is_blank(new.get(line)) && is_blank(old.get(*from)));
        if let (Some(from), Some(slot)) = (from, came.get_mut(line)) {
            *slot = Some(Came { from, is_sure: false, is_kept: false });
        }
    };
    for line in lines.clone().skip(1) {
        take(line, line - 1, true, came);
    }
    for line in lines.rev().skip(1) {
        if came.get(line).is_some_and(Option::is_none) {
            take(line, line + 1, false, came);
        }
    }
}

/// The words and signs of some lines with their line. Quotes are all alike, and commas and semicolons are left out: they
/// come and go where lines are wrapped.
fn words<'t>(lines: &[&'t [u8]]) -> Vec<(usize, &'t [u8])> {
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut rest = *line;
        while let Some(first) = rest.first() {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
            let length = match is_word(first) {
                true => rest.iter().take_while(|byte| is_word(byte)).count(),
                false => 1,
            };
            let (word, behind) = rest.split_at(length);
            rest = behind;
            match first {
                b' ' | b'\t' | b'\r' | b',' | b';' => {}
                b'\'' | b'"' | b'`' => found.push((number, &b"\""[..])),
                _ => found.push((number, word)),
            }
        }
    }
    found
}

/// Runs of new lines that are runs of lines which went away at the same time: they were moved.
fn moved(old: &[&[u8]], new: &[&[u8]], hunks: &[Hunk], came: &mut [Option<Came>]) {
    let mut gone: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for hunk in hunks {
        for line in hunk.old_start - 1..hunk.old_start - 1 + hunk.old_count {
            if let Some(text) = old.get(line) {
                gone.entry(text).or_default().push(line);
            }
        }
    }
    let is_gone = |line: usize| {
        old.get(line).is_some_and(|text| gone.get(text).is_some_and(|all| all.binary_search(&line).is_ok()))
    };
    let mut at = 0;
    while at < new.len() {
        let is_new = |line: usize, came: &[Option<Came>]| came.get(line).is_some_and(Option::is_none);
        let starts = new.get(at).filter(|_| is_new(at, came)).and_then(|text| gone.get(text));
        let run = |start: usize| {
            (0..)
                .take_while(|on| {
                    is_new(at + on, came) && is_gone(start + on) && old.get(start + on) == new.get(at + on)
                })
                .count()
        };
        let best = starts
            .into_iter()
            .flatten()
            .take(WORDS_LIMIT)
            .map(|start| (run(*start), *start))
            .max_by_key(|(length, _)| *length);
        let Some((length, start)) = best else {
            at += 1;
            continue;
        };
        let letters: usize = new
            .get(at..at + length)
            .unwrap_or_default()
            .iter()
            .map(|line| line.iter().filter(|byte| byte.is_ascii_alphanumeric()).count())
            .sum();
        if letters >= MOVED {
            for offset in 0..length {
                if let Some(slot) = came.get_mut(at + offset) {
                    *slot = Some(Came { from: start + offset, is_sure: false, is_kept: false });
                }
            }
        }
        at += length.max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // REQ 163
    #[test]
    fn blank_lines_that_a_formatter_left_do_not_part_a_line_from_what_it_was() {
        let part = |name: &str| {
            [1, 2, 3].map(|line| format!("let {name}_{line} = compute('{name}', {line});")).join("\n")
        };
        let parts: Vec<String> = ('a'..='l').map(|name| part(&format!("part_{name}"))).collect();
        let old = parts.join("\n\n");
        let old = lines(old.as_bytes());
        // A person left some parts of them, and a formatter went over those.
        for (first, count) in (0..12).flat_map(|first| (1..=12 - first).map(move |count| (first, count))) {
            let new = parts[first..first + count].join("\n\n").replace('\'', "\"");
            let new: Vec<String> =
                new.lines().map(|line| format!("    {line}").trim_end().to_owned()).collect();
            let came = compare(&old, &new.iter().map(String::as_bytes).collect::<Vec<_>>());
            let from: Vec<_> = came.iter().map(|came| came.map(|came| came.from)).collect();
            assert_eq!(from, (0..count * 4 - 1).map(|line| Some(line + first * 4)).collect::<Vec<_>>());
        }
    }

    // REQ 163
    #[test]
    fn changes_with_hardly_a_word_between_them_are_looked_at_as_one() {
        let hunks = |between: &str| {
            let text = |first: &str, last: &str| [first, between, last].join("\n");
            let (old, new) = (text("a(1);", "b(1);"), text("  a(1);", "  b(1);"));
            let (old, new) = (lines(old.as_bytes()), lines(new.as_bytes()));
            together(&super::hunks(&old, &new), &new)
        };
        assert_eq!(hunks("}\n"), [Hunk::from([1, 4, 1, 4])]);
        assert_eq!(hunks("stays();").len(), 2);
    }
}
