//! Shortcuts of the search against searching everywhere.

use bailiwick_domain::{LineHashes, block_hash};
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// Lines of a text in which most stand more than once.
fn lines(most: usize) -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        4 => Just("}\n".to_owned()),
        2 => Just("\n".to_owned()),
        3 => (0..6_u8).prop_map(|word| format!("step_{word}();\n")),
    ];
    prop::collection::vec(line, 1..most)
}

/// What the shortcut stands for: all places are looked at.
fn best_of_all(starts: &[usize], block: &Block<'_>, text: &IndexedText<'_>) -> Option<(usize, bool)> {
    let around: Vec<usize> = starts.iter().map(|start| neighbours(block, text, *start)).collect();
    let best = around.iter().copied().max().filter(|best| *best > 0)?;
    let mut fitting = starts.iter().zip(&around).filter(|(_, around)| **around == best);
    fitting.next().map(|(start, _)| (*start, fitting.next().is_none()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    // REQ 163
    #[test]
    fn copies_are_told_apart_as_by_looking_at_each(
        now in lines(60),
        blocks in prop::collection::vec((lines(4), lines(4), lines(4), any::<Index>()), 1..20),
    ) {
        let joined = now.concat();
        let text = IndexedText::new(joined.as_bytes());
        let hashes = |lines: &[String]| LineHashes::of(lines.concat().as_bytes());
        let made: Vec<_> = blocks
            .iter()
            .map(|(own, above, below, at)| {
                (own.len(), block_hash(own.concat().as_bytes()), [hashes(own), hashes(above), hashes(below)], at.index(60))
            })
            .collect();
        let mut copies = Copies::default();
        for (len, hash, [own, above, below], start) in &made {
            let [lines, above, below] = [own.as_slice(), above.as_slice(), below.as_slice()];
            for (above, below) in [(above, below), (&[], below), (above, &[]), (&[], &[])] {
                let block = Block { start: *start, len: *len, hash, lines, above, below };
                let starts = exact_starts(&block, &text);
                prop_assert_eq!(best_among(&starts, &block, &text), best_of_all(&starts, &block, &text));
                prop_assert_eq!(relocate_with(&block, &text, &mut copies), relocate(&block, &text));
            }
        }
    }
}
