//! Changed lines of random texts.

use bailiwick_adapters_fs::changed_file;
use bailiwick_domain::block_hash;
use bailiwick_domain::testing::sample;
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec!["a\n", "b\n", "c\r\n", "\n", "a"]);
    prop::collection::vec(line, 0..20).prop_map(|lines| lines.concat())
}

fn is_part_in_order(part: &[&str], whole: &[&str]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|line| whole.any(|other| other == line))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // K-21, D-24
    #[test]
    fn ranges_hold_all_that_is_new_and_hash_what_they_hold(before in text(), after in text()) {
        let file = changed_file(&sample::path("a"), Some(before.as_bytes()), Some(after.as_bytes()));
        let (old, new): (Vec<_>, Vec<_>) =
            (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
        let mut kept = Vec::new();
        let mut at = 1;
        for range in &file.ranges {
            prop_assert!(at <= range.start_line && range.start_line <= range.end_line, "in order, never empty");
            kept.extend(&new[at - 1..range.start_line - 1]);
            let block = new[range.start_line - 1..range.end_line].concat();
            prop_assert_eq!(&range.content_hash, &block_hash(block.as_bytes()));
            at = range.end_line + 1;
        }
        kept.extend(&new[at - 1..]);
        prop_assert!(is_part_in_order(&kept, &old), "what no range holds was there before");
        prop_assert_eq!(before == after, file.ranges.is_empty() && file.removed.is_empty());
        prop_assert!(file.removed.iter().all(|(anchor, _)| *anchor <= new.len()));
    }
}
