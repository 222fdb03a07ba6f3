//! Lines of which a comparison says more than it knows: another one that is as good says something else, or they stand
//! beside a change and could as well be part of it.
//!
//! Deliberately absent: the comparison itself, and whose a line is.

use std::collections::HashSet;
use std::ops::Range;

use bailiwick_domain::Hunk;

/// A line with so many letters and digits is known again by itself.
const DISTINCT_LINE: usize = 12;
/// So many together are known again beside a change (git's `-M`).
const DISTINCT_EDGE: usize = 20;
/// So many of a change are a text that is there twice (git's `-C`).
const DISTINCT_TEXT: usize = 40;
/// Unchanged lines between two changes, and beside a block, need so many, some four lines: a text that was written over
/// another may have a few with it.
const DISTINCT_ISLAND: usize = 160;
/// So many lines in the place of others are a block.
const BLOCK: usize = 4;
/// A paragraph that is longer is not one.
const PARAGRAPH: usize = 24;

/// The runs of lines of the new text that are doubtful, in order, counted from 0.
///
/// Seven kinds: lines that a change could slide over, lines beside a change that the change has as well, lines of a change
/// that stood there before it, lines beside a change that hardly say anything, such as a brace, a few lines beside a block that
/// came in the place of others, the paragraph beside a change that brings a text which stayed as well, and lines without a
/// letter between any of these.
pub(crate) fn doubtful(old: &[&[u8]], new: &[&[u8]], hunks: &[Hunk]) -> Vec<Range<usize>> {
    let spans: Vec<Span> = hunks.iter().map(Span::of).collect();
    let mut found = Vec::new();
    let went: HashSet<&[u8]> =
        spans.iter().flat_map(|span| old.get(span.old.clone()).unwrap_or_default()).copied().collect();
    for (nth, span) in spans.iter().enumerate() {
        let floor =
            nth.checked_sub(1).and_then(|before| spans.get(before)).map_or(0, |before| before.new.end);
        let ceiling = spans.get(nth + 1).map_or(new.len(), |next| next.new.start);
        slides(old, new, span, floor..ceiling, &mut found);
        repeated(old, new, span, &went, &mut found);
        had_as_well(old, new, &spans, nth, &mut found);
        found.push(edge_above(new, floor, span.new.start));
        found.push(edge_below(new, span.new.end, ceiling));
        if !span.old.is_empty() && span.new.len() >= BLOCK {
            let up = few(new, (floor..span.new.start).rev());
            let down = few(new, span.new.end..ceiling);
            found.extend([span.new.start - up..span.new.start, span.new.end..span.new.end + down]);
        }
        if nth > 0 && letters(new, &(floor..span.new.start)) < DISTINCT_ISLAND {
            found.push(floor..span.new.start);
        }
    }
    beside_repeated(new, &spans, &mut found);
    merged(new, found)
}

/// A change as two ranges, counted from 0.
struct Span {
    old: Range<usize>,
    new: Range<usize>,
}

impl Span {
    fn of(hunk: &Hunk) -> Self {
        let range = |start: usize, count: usize| {
            let start = start.saturating_sub(1);
            start..start.saturating_add(count)
        };
        Self { old: range(hunk.old_start, hunk.old_count), new: range(hunk.new_start, hunk.new_count) }
    }
}

/// Lines alone that came, or that went, may be those above or below them just as well.
fn slides(old: &[&[u8]], new: &[&[u8]], span: &Span, within: Range<usize>, found: &mut Vec<Range<usize>>) {
    let (text, gone) = match (span.old.is_empty(), span.new.is_empty()) {
        (true, false) => (new, &span.new),
        (false, true) => (old, &span.old),
        _ => return,
    };
    let same = |one: Option<usize>, other: Option<usize>| match (one, other) {
        (Some(one), Some(other)) => text.get(one).is_some_and(|line| text.get(other) == Some(line)),
        _ => false,
    };
    let (above, below) = (span.new.start - within.start, within.end.saturating_sub(span.new.end));
    let up = (0..above)
        .take_while(|back| same(gone.start.checked_sub(back + 1), gone.end.checked_sub(back + 1)))
        .count();
    let down = (0..below).take_while(|on| same(Some(gone.start + on), Some(gone.end + on))).count();
    let all = span.new.start - up..span.new.end + down;
    let (certain, rest) = (span.new.start + down, span.new.end.saturating_sub(up));
    if certain < rest {
        found.extend([all.start..certain, rest..all.end]);
    } else if up + down > 0 {
        found.push(all);
    }
}

/// Lines that stayed beside a change which went away with it as well, or came with it as well, in the same order: those of
/// the change may be the ones that stayed, and nothing else would differ.
fn had_as_well(old: &[&[u8]], new: &[&[u8]], spans: &[Span], nth: usize, found: &mut Vec<Range<usize>>) {
    let Some(span) = spans.get(nth) else { return };
    let gone = old.get(span.old.clone()).unwrap_or_default();
    let come = new.get(span.new.clone()).unwrap_or_default();
    let start = |nth: usize| spans.get(nth).map_or(new.len(), |span| span.new.start);
    let end = |nth: usize| spans.get(nth).map_or(new.len(), |span| span.new.end);
    let above = || (0..=nth).rev().flat_map(|nth| (nth.checked_sub(1).map_or(0, end)..start(nth)).rev());
    let below = || (nth..spans.len()).flat_map(|nth| end(nth)..start(nth + 1));
    let upwards = |lines: &[&[u8]]| in_order(new, above(), lines.iter().rev().copied());
    let downwards = |lines: &[&[u8]]| in_order(new, below(), lines.iter().copied());
    let mut came = HashSet::new();
    for line in upwards(come).into_iter().chain(downwards(come)) {
        came.extend(new.get(line).copied());
        found.push(line..line + 1);
    }
    found.extend(upwards(gone).into_iter().chain(downwards(gone)).map(|line| line..line + 1));
    let is_one = |line: &usize| new.get(*line).is_some_and(|line| came.contains(line));
    found.extend(span.new.clone().filter(is_one).map(|line| line..line + 1));
}

/// Those of some lines, from the first on, that stand in others in the same order.
fn in_order<'t>(
    new: &[&[u8]],
    lines: impl Iterator<Item = usize>,
    mut others: impl Iterator<Item = &'t [u8]>,
) -> Vec<usize> {
    lines.take_while(|line| new.get(*line).is_some_and(|line| others.any(|other| other == *line))).collect()
}

/// Where a change brings a text that stayed in the file as well, one was written over the other, such as a licence over the
/// same licence. What is the same in both looks as if it had stayed, so nobody knows how far the change went.
fn beside_repeated(new: &[&[u8]], spans: &[Span], found: &mut Vec<Range<usize>>) {
    let came = |span: &Span| {
        let lines = new.get(span.new.clone()).unwrap_or_default().iter().copied();
        lines.filter(|line| letters(&[line], &(0..1)) >= DISTINCT_LINE).collect::<HashSet<&[u8]>>()
    };
    let all: HashSet<&[u8]> = spans.iter().flat_map(came).collect();
    if all.is_empty() {
        return;
    }
    let floor =
        |nth: usize| nth.checked_sub(1).and_then(|before| spans.get(before)).map_or(0, |one| one.new.end);
    let ceiling = |nth: usize| spans.get(nth).map_or(new.len(), |one| one.new.start);
    let stayed = (0..=spans.len()).flat_map(|nth| floor(nth)..ceiling(nth));
    let twice: HashSet<&[u8]> =
        stayed.filter_map(|line| new.get(line).copied()).filter(|line| all.contains(line)).collect();
    let is_text = |line: &usize| new.get(*line).is_some_and(|line| !line.trim_ascii().is_empty());
    for (nth, span) in spans.iter().enumerate() {
        let repeated: Vec<&[u8]> = came(span).into_iter().filter(|line| twice.contains(line)).collect();
        if letters(&repeated, &(0..repeated.len())) >= DISTINCT_TEXT {
            let up = (floor(nth)..span.new.start).rev().take(PARAGRAPH).take_while(is_text).count();
            let down = (span.new.end..ceiling(nth + 1)).take(PARAGRAPH).take_while(is_text).count();
            found.extend([span.new.start - up..span.new.start, span.new.end..span.new.end + down]);
        }
    }
}

/// Lines that came in the place of others which were the same, or that say something and went elsewhere in the file: then
/// they were moved.
fn repeated(old: &[&[u8]], new: &[&[u8]], span: &Span, went: &HashSet<&[u8]>, found: &mut Vec<Range<usize>>) {
    let here: HashSet<&[u8]> = old.get(span.old.clone()).unwrap_or_default().iter().copied().collect();
    let is_one = |line: &usize| {
        let says = || letters(new, &(*line..line + 1)) > 0;
        new.get(*line).is_some_and(|text| here.contains(text) || (went.contains(text) && says()))
    };
    found.extend(span.new.clone().filter(is_one).map(|line| line..line + 1));
}

fn edge_above(new: &[&[u8]], floor: usize, end: usize) -> Range<usize> {
    end - vague(new, (floor..end).rev())..end
}

fn edge_below(new: &[&[u8]], start: usize, ceiling: usize) -> Range<usize> {
    start..start + vague(new, start..ceiling)
}

/// How many lines beside a change do not say enough.
fn vague(new: &[&[u8]], lines: impl Iterator<Item = usize>) -> usize {
    let mut together = 0;
    let mut count = 0;
    for line in lines {
        let here = letters(new, &(line..line + 1));
        if here >= DISTINCT_LINE || together >= DISTINCT_EDGE {
            break;
        }
        together += here;
        count += 1;
    }
    count
}

/// How many lines beside a block may be the block's by chance.
fn few(new: &[&[u8]], lines: impl Iterator<Item = usize>) -> usize {
    let mut together = 0;
    let is_one = |line: &usize| {
        let before = together;
        together += letters(new, &(*line..line + 1));
        before < DISTINCT_ISLAND
    };
    lines.take_while(is_one).count()
}

/// How many letters and digits these lines hold.
fn letters(text: &[&[u8]], lines: &Range<usize>) -> usize {
    let lines = text.get(lines.clone()).unwrap_or_default().iter();
    lines.map(|line| line.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count()).sum()
}

/// In order and without overlaps. What stands between two of them and has no letter is no surer than they are.
fn merged(new: &[&[u8]], mut runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    runs.retain(|run| !run.is_empty());
    runs.sort_unstable_by_key(|run| run.start);
    let mut all: Vec<Range<usize>> = Vec::with_capacity(runs.len());
    for run in runs {
        match all.last_mut() {
            Some(last) if run.start <= last.end || letters(new, &(last.end..run.start)) == 0 => {
                last.end = last.end.max(run.end)
            }
            _ => all.push(run),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, hunks: &[[usize; 4]], expected: &[(usize, usize)]) {
        let lines = |text: &'static str| -> Vec<&'static [u8]> {
            text.split_inclusive('\n').map(str::as_bytes).collect()
        };
        let hunks: Vec<Hunk> = hunks.iter().copied().map(Hunk::from).collect();
        let (old, new) = (lines(old.to_owned().leak()), lines(new.to_owned().leak()));
        let found: Vec<_> = doubtful(&old, &new, &hunks).iter().map(|run| (run.start + 1, run.end)).collect();
        assert_eq!(found, expected);
    }

    // REQ 163
    #[test]
    fn what_a_change_may_slide_over_is_doubtful_and_what_it_surely_brought_is_not() {
        let one = "fn one_has_a_name() {\n}\n";
        let two = "fn two_has_a_name() {\n}\n";
        let three = "fn three_has_a_name() {\n}\n";
        check(&[one, three].concat(), &[one, two, three].concat(), &[[3, 0, 3, 2]], &[(2, 2), (4, 4)]);
        check(&[one, three].concat(), &[one, two, three].concat(), &[[2, 0, 2, 2]], &[(2, 2), (4, 4)]);
        check(&[one, two, three].concat(), &[one, three].concat(), &[[3, 2, 3, 0]], &[(2, 2)]);
        check("", &[one, two].concat(), &[[1, 0, 1, 4]], &[]);
    }

    // REQ 163: a line that went elsewhere in the file was moved, and whose it is nobody says
    #[test]
    fn lines_that_were_moved_are_doubtful() {
        let (a, b) = ("fn one_has_a_name()\n", "fn two_has_a_name()\n");
        let (c, d) = ("let first_value = 1;\n", "let second_value = 2;\n");
        let long = "let the_names_of_all_files = [\"src/first.rs\", \"src/second.rs\", \"src/third.rs\"];\n"
            .repeat(3);
        let stay = [b, c, d, &long].concat();
        check(&[a, &stay].concat(), &[&stay, a].concat(), &[[1, 1, 1, 0], [8, 0, 7, 1]], &[(7, 7)]);
        let (old, new) = ([c, c, a, c].concat(), [c, a, c, b, c].concat());
        check(&old, &new, &[[2, 0, 2, 1], [3, 1, 4, 1]], &[(2, 3)]);
    }

    // REQ 163
    #[test]
    fn lines_beside_a_change_count_when_they_say_something() {
        let text = |middle: &str| format!("let first_value = 1;\n{middle}let second_value = 2;\n");
        check(&text("a();\n"), &text("b();\n"), &[[2, 1, 2, 1]], &[]);
        check(&text("}\na();\n}\n"), &text("}\nb();\n}\n"), &[[3, 1, 3, 1]], &[(2, 2), (4, 4)]);
        let old = text("a();\nreturn 1;\nb();\n");
        check(&old, &text("c();\nreturn 1;\nd();\n"), &[[2, 1, 2, 1], [4, 1, 4, 1]], &[(3, 3)]);
        check("a_long_name\nx\n", "x\na_long_name\n", &[[1, 2, 1, 2]], &[(1, 2)]);
    }

    // REQ 163: a text that was written over another may have a few lines with it by chance
    #[test]
    fn lines_between_two_changes_count_when_there_are_some_of_them() {
        let stays: Vec<String> =
            (1..6).map(|n| format!("// Line {n} of a licence that many files have.\n")).collect();
        let text = |first: &str, last: &str, lines: usize| {
            [first, &stays.get(..lines).unwrap().concat(), last].concat()
        };
        let expected = |lines: usize| if lines < 5 { vec![(2, lines + 1)] } else { Vec::new() };
        for lines in 1..6 {
            let old = text("fn one_has_a_name()\n", "fn two_has_a_name()\n", lines);
            let new = text("fn three_has_a_name()\n", "fn four_has_a_name()\n", lines);
            let hunks = [[1, 1, 1, 1], [lines + 2, 1, lines + 2, 1]];
            check(&old, &new, &hunks, &expected(lines));
        }
    }

    // REQ 163: so may a block that was written over another end with lines which stood there already
    #[test]
    fn a_few_lines_beside_a_block_are_doubtful() {
        let lines = |from: usize, to: usize| -> String {
            (from..to).map(|n| format!("// Line {n} of a licence that many files have.\n")).collect()
        };
        let stays = lines(20, 30);
        for (gone, came, expected) in
            [(1, 3, vec![]), (0, 4, vec![]), (1, 4, vec![(5, 9)]), (4, 4, vec![(5, 9)])]
        {
            let (old, new) =
                ([lines(0, gone), stays.clone()].concat(), [lines(10, 10 + came), stays.clone()].concat());
            check(&old, &new, &[[1, gone, 1, came]], &expected);
        }
    }

    // REQ 163
    #[test]
    fn what_stayed_is_doubtful_where_the_change_has_the_same_lines() {
        let licence =
            "// Licensed to everyone who reads this file.\n// Without any warranty, as far as that goes.\n";
        let [one, two, three] = ["fn one_has_a_name()\n", "fn two_has_a_name()\n", "fn three_has_a_name()\n"];
        let text = |parts: &[&str]| parts.concat();
        // Either of two blocks may have stayed, wherever in the change the other one stands.
        let old = text(&[licence, one, licence, two]);
        check(&old, &text(&[licence, three]), &[[3, 4, 3, 1]], &[(1, 2)]);
        check(&text(&[one, licence, two, licence]), &text(&[three, licence]), &[[1, 4, 1, 1]], &[(2, 3)]);
        // Either of two may be the new one.
        let new = text(&[licence, one, licence, two]);
        check(&text(&[licence, three]), &new, &[[3, 1, 3, 4]], &[(1, 2), (4, 5)]);
        check(licence, &text(&[licence, licence, two]), &[[3, 0, 3, 3]], &[(1, 4)]);
        // Across a change that says nothing of them.
        let old = text(&[licence, one, licence, two, licence, licence]);
        check(&old, &text(&[licence, three, licence]), &[[3, 1, 3, 1], [6, 5, 6, 0]], &[(1, 2), (4, 5)]);
        // A part of a block that does not reach to the change stays where it is.
        check(&text(&[licence, one, two, licence]), &text(&[licence, one, three]), &[[4, 3, 4, 1]], &[]);
    }

    // REQ 163: a blank line that nothing tells from others is as sure as what stands around it
    #[test]
    fn a_line_without_a_letter_between_doubtful_ones_is_doubtful() {
        let new: [&[u8]; 5] = [b"a", b"", b"b", b"c", b"d"];
        assert_eq!(merged(&new, vec![2..3, 0..1, 4..5]), [0..3, 4..5]);
    }

    // REQ 163
    #[test]
    fn the_paragraph_beside_a_change_is_doubtful_where_a_text_was_written_over_the_same_text() {
        let line =
            |number: usize| format!("// Line number {number} of a licence that is there for everyone.\n");
        let lines = |numbers: std::ops::RangeInclusive<usize>| numbers.map(line).collect::<String>();
        let (code, more) = ("\nfn one_has_a_name()\n", "fn two_has_a_name()\n");
        // Lines 3 to 5 gave way to 1 to 6 of the same licence: what is seen is two that came above, and two below.
        let old = [&lines(1..=8), code].concat();
        let new = [&lines(1..=2), &lines(1..=6), &lines(6..=8), code].concat();
        check(&old, &new, &[[3, 0, 3, 2], [7, 0, 9, 1]], &[(1, 11)]);
        // Beside a text that is in the file only once, and beside one line that says little, the rest is certain.
        check(&old, &[&lines(1..=4), &line(9), &lines(5..=8), code].concat(), &[[5, 0, 5, 1]], &[]);
        let (old, new) = ([code, more, code].concat(), [code, more, more, more, code].concat());
        check(&old, &new, &[[4, 0, 4, 2]], &[(3, 6)]);
    }
}
