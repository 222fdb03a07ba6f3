//! `intent fmt`: the order of keys, and that nothing else changes: no meaning, no comment, no line.

use bailiwick_adapters_fs::{NewIntent, append_intent, format_intents, is_formatted};
use bailiwick_domain::{ScopePattern, Timestamp};
use proptest::prelude::*;

use crate::intents::Store;

/// The text after formatting, and whether it changed.
#[track_caller]
fn formatted(text: &str) -> (String, bool) {
    let store = Store::new(text);
    let was = is_formatted(&store.layout()).unwrap();
    let changed = format_intents(&store.layout()).unwrap();
    assert_eq!(was, !changed);
    assert!(is_formatted(&store.layout()).unwrap(), "formatting again changes nothing");
    (std::fs::read_to_string(store.layout().intents_file()).unwrap(), changed)
}

// REQ 7
#[test]
fn req_007_keys_come_in_the_order_of_the_guide_with_their_comments() {
    let (text, changed) = formatted(
        "\
# the file
active_intents:   
  # about the first
  - owned_scope: [src/]   # all of it
    # in a hurry
    status: PENDING
    name: One
    id: INT-001

  # about the second
  - id: INT-002
    status: PENDING
    why: |
      text
      # no comment

    name: Two


",
    );
    assert!(changed);
    assert_eq!(
        text,
        "\
# the file
active_intents:
  # about the first
  - id: INT-001
    name: One
    # in a hurry
    status: PENDING
    owned_scope: [src/]   # all of it

  # about the second
  - id: INT-002

    name: Two
    status: PENDING
    why: |
      text
      # no comment
"
    );
}

// REQ 7: what cannot be moved safely stays
#[test]
fn req_007_what_cannot_be_moved_stays_as_it_is() {
    for text in [
        "active_intents: []\n",
        "active_intents:\n  - {name: One, id: INT-001, status: PENDING}\n",
        "active_intents: [{name: One, id: INT-001, status: PENDING}]\n",
        "active_intents:\n  -   name: One\n      id: INT-001\n      status: PENDING\n",
    ] {
        assert_eq!(formatted(text), (text.to_owned(), false));
    }
}

// REQ 7: one that cannot be moved does not keep the others from it
#[test]
fn req_007_one_that_cannot_be_moved_keeps_no_other_back() {
    let kept = "  - why: |+\n      text\n\n    id: INT-001\n    name: One\n    status: PENDING\n";
    let odd = "  - name: Two\n    id: INT-002\n    status: PENDING\n";
    let good = "  - id: INT-002\n    name: Two\n    status: PENDING\n";
    let (text, changed) = formatted(&format!("active_intents:\n{kept}{odd}"));
    assert_eq!((text, changed), (format!("active_intents:\n{kept}{good}"), true));
}

/// One key with its value, its comment above and the one behind it.
fn block() -> impl Strategy<Value = (usize, Option<u8>, bool)> {
    (0_usize..9, prop::option::weighted(0.3, 0_u8..9), any::<bool>())
}

/// A document of some intents, their keys in any order.
fn document() -> impl Strategy<Value = String> {
    let keys = prop::collection::vec(block(), 0..8);
    prop::collection::vec((keys, any::<prop::sample::Index>(), any::<bool>()), 0..5).prop_map(|intents| {
        let mut text = String::from("# top\nactive_intents:\n");
        if intents.is_empty() {
            return "# top\nactive_intents: []\n".to_owned();
        }
        for (nth, (extra, turn, blank)) in intents.into_iter().enumerate() {
            let mut blocks: Vec<(String, Option<u8>, bool)> = vec![
                (format!("id: INT-{nth:03}"), None, false),
                ("name: \"A goal\"".to_owned(), None, true),
                ("status: PENDING".to_owned(), None, false),
            ];
            for (key, comment, behind) in extra {
                let body = BODIES[key];
                let name = body.split(':').next().unwrap();
                if !blocks.iter().any(|(known, ..)| known.split(':').next() == Some(name)) {
                    blocks.push((body.to_owned(), comment, behind));
                }
            }
            let turn = turn.index(blocks.len());
            blocks.rotate_left(turn);
            for (at, (body, comment, behind)) in blocks.iter().enumerate() {
                if let Some(comment) = comment.filter(|_| at > 0) {
                    text.push_str(&format!("    # comment {nth} {comment}\n"));
                }
                let behind = if *behind && !body.contains('\n') { "  # behind" } else { "" };
                text.push_str(&format!("{}{body}{behind}\n", if at == 0 { "  - " } else { "    " }));
            }
            if blank {
                text.push('\n');
            }
        }
        text
    })
}

const BODIES: &[&str] = &[
    "why: |\n      First line.\n\n      # not a comment",
    "owned_scope:\n      - src/\n      # inside\n      - \"!src/old/\"",
    "owned_scope: [src/, docs/]",
    "constraints:\n    - text: Stay small\n      because: It is\n    - max_files: 3",
    "acceptance_criteria:\n      - id: AC-1\n        text: It works",
    "notes: >-\n      folded\n      text",
    "kind: fix",
    "requirements: [REQ-1]",
    "examples: {allow: [src/a], deny: [b]}",
];

/// The lines that say something, in any order and without the dash of an item.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| line.trim().trim_start_matches("- ").to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    // REQ 7: read after formatting, the document says the same; no comment and no line is lost; twice is once
    #[test]
    fn req_007_formatting_keeps_every_meaning_and_every_line(text in document()) {
        let before = Store::new(&text).repo().load_report().unwrap();
        prop_assert!(before.errors.is_empty(), "{:?}\n{}", before.errors, text);
        let (after_text, _) = formatted(&text);
        let after = Store::new(&after_text).repo().load_report().unwrap();
        prop_assert_eq!(&before.set, &after.set, "{}", after_text);
        prop_assert_eq!(lines(&text), lines(&after_text));
        for intent in after_text.split("\n  - ").skip(1) {
            prop_assert!(intent.starts_with("id: "), "{}", after_text);
        }
    }
}

fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[a-zA-Z'#: \\-]{0,8}[a-z]", 0..most)
}

proptest! {
    // REQ 7: a file that only Bailiwick wrote is as `fmt` would have it
    #[test]
    fn req_007_what_is_appended_is_formatted(
        (name, why) in ("[a-zA-Z0-9'#: \\-]{0,12}[a-z]", proptest::option::of("[a-zA-Z'#:\n \\-]{0,16}[a-z]")),
        (requirements, acceptance_criteria) in (texts(3), texts(3)),
        (allow_broad, expires) in (any::<bool>(), proptest::option::of(0..2_000_000_000_000_i64)),
    ) {
        let store = Store::new("active_intents: []\n");
        for _ in 0..2 {
            let new = NewIntent {
                id: None,
                name: name.clone(),
                why: why.clone(),
                owned_scope: vec![ScopePattern::new("src/").unwrap(), ScopePattern::new("!src/x.rs").unwrap()],
                acceptance_criteria: acceptance_criteria.clone(),
                requirements: requirements.clone(),
                allow_broad,
                expires: expires.map(Timestamp::from_unix_ms),
            };
            if append_intent(&store.layout(), &new).is_ok() {
                prop_assert!(is_formatted(&store.layout()).unwrap());
            }
        }
    }
}
