//! Intents that an import adds and changes: what the file says then, and that every other byte of it stays.

use bailiwick_adapters_fs::{accepted_scope, imported, intent_records, write_imported};
use bailiwick_domain::{
    IntentEditError, IntentId, IntentKind, IntentRecord, IntentStatus, ScopePattern, SourceRecord, Strength,
    WrittenLine, WrittenRequirement,
};
use proptest::prelude::*;

use crate::intents::Store;

fn id(text: &str) -> IntentId {
    IntentId::new(text).unwrap()
}

fn line(text: &str) -> WrittenLine {
    WrittenLine { text: Some(text.to_owned()), ..WrittenLine::default() }
}

fn requirement(id: &str, text: &str) -> WrittenRequirement {
    WrittenRequirement {
        id: id.to_owned(),
        text: Some(text.to_owned()),
        strength: Some(Strength::Must),
        source: Some("specs/001-a/spec.md:7".to_owned()),
        vanished: false,
    }
}

/// An intent as an import makes it.
fn record(name: &str) -> IntentRecord {
    IntentRecord {
        kind: Some(IntentKind::Change),
        priority: Some("P1".to_owned()),
        why: Some("because".to_owned()),
        requirements: vec![requirement("REQ-001-FR-001", "It MUST work")],
        proposed_scope: vec!["src/a.rs".to_owned()],
        constraints: vec![WrittenLine { because: Some("plan.md".to_owned()), ..line("No network") }],
        criteria: vec![
            line("Given a, then b"),
            WrittenLine { id: Some("AC-2".to_owned()), ..line("It ends") },
        ],
        assumptions: vec!["One disk".to_owned()],
        source: Some(SourceRecord {
            tool: "speckit".to_owned(),
            path: "specs/001-a/spec.md".to_owned(),
            item: Some("US1".to_owned()),
            lines: Some("1-2".to_owned()),
            sha256: Some("ab".repeat(32)),
            seen: vec!["0123abcd".to_owned(), "12345678".to_owned()],
            vanished: false,
        }),
        ..IntentRecord::new(id("SPEC-001"), name.to_owned())
    }
}

fn file(store: &Store) -> String {
    std::fs::read_to_string(store.layout().intents_file()).unwrap()
}

/// Writes an import, and gives the text after it.
#[track_caller]
fn write(store: &Store, new: &[IntentRecord], changed: &[(IntentRecord, IntentRecord)]) -> String {
    let made = imported(&store.layout(), new, changed).unwrap();
    assert_eq!(made.by_hand, []);
    write_imported(&store.layout(), &made).unwrap();
    file(store)
}

const OWN: &str = "\
# ours
active_intents:
  # the first
  - id: INT-001   # mine
    name: Mine
    status: PENDING
    owned_scope: [src/]

# the end
";

// REQ 7: new intents come to the end, and what is there stays
#[test]
fn req_007_new_intents_come_to_the_end() {
    let store = Store::new(OWN);
    let text = write(&store, &[record("New: one")], &[]);
    insta::assert_snapshot!(text);
    assert_eq!(intent_records(&store.layout()).unwrap()[1], record("New: one"));
}

// REQ 7: one change touches its own words; comments and every other line stay
#[test]
fn req_007_a_change_touches_its_own_words() {
    let store = Store::new(OWN);
    let before = write(&store, &[record("New: one")], &[])
        .replace("name: \"New: one\"", "name: \"New: one\"  # by us");
    let before = before.replace(
        "      - \"Given a, then b\"\n",
        "      # the first of all\n      - \"Given a, then b\"\n\n",
    );
    std::fs::write(store.layout().intents_file(), &before).unwrap();
    let was = intent_records(&store.layout()).unwrap().remove(1);
    let mut now = was.clone();
    now.name = "New: \"two\"".to_owned();
    now.status = IntentStatus::Blocked;
    now.requirements[0].text = Some("It MUST work: always".to_owned());
    now.requirements[0].vanished = true;
    now.requirements.push(requirement("REQ-001-FR-002", "More"));
    now.criteria[0].text = Some("Given c, then d".to_owned());
    now.criteria.push(line("A third"));
    now.questions = vec!["Which one?".to_owned()];
    now.proposed_scope = vec!["src/b.rs".to_owned(), "src/c.rs".to_owned()];
    now.source.as_mut().unwrap().lines = Some("3-4".to_owned());
    now.source.as_mut().unwrap().vanished = true;
    let text = write(&store, &[], &[(was, now.clone())]);
    insta::assert_snapshot!(text);
    let mut back = now.clone();
    back.questions.clear();
    back.requirements[0].vanished = false;
    back.source.as_mut().unwrap().vanished = false;
    let text = write(&store, &[], &[(now, back)]);
    assert!(!text.contains("vanished") && !text.contains("questions"), "{text}");
}

// REQ 7: line ends and a byte order mark stay
#[test]
fn req_007_line_ends_and_a_byte_order_mark_stay() {
    let store = Store::new(&format!("\u{feff}{}", OWN.replace('\n', "\r\n")));
    let before = write(&store, &[record("New")], &[]);
    assert!(before.starts_with('\u{feff}') && !before.replace("\r\n", "").contains('\n'));
    let was = intent_records(&store.layout()).unwrap().remove(1);
    let mut now = was.clone();
    now.criteria.push(line("A third"));
    now.why = Some("another".to_owned());
    let after = write(&store, &[], &[(was, now)]);
    assert!(!after.replace("\r\n", "").contains('\n'), "{after:?}");
    assert_eq!(
        after.replace("    why: another\r\n", "    why: because\r\n").replace("      - A third\r\n", ""),
        before
    );
}

// REQ 7: what is written in another way than line by line is left to a person, and the others are changed
#[test]
fn req_007_what_cannot_be_changed_safely_is_left_to_a_person() {
    let store = Store::new(
        "active_intents:\n  - {id: INT-001, name: One, status: PENDING, why: w}\n  - id: INT-002\n    name: Two\n    status: PENDING\n    \
         why: |\n      long\n      # no comment\n  - id: INT-003\n    name: Three\n    status: PENDING\n",
    );
    let before = intent_records(&store.layout()).unwrap();
    let changed: Vec<(IntentRecord, IntentRecord)> = before
        .iter()
        .map(|was| {
            (
                was.clone(),
                IntentRecord { questions: vec!["?".to_owned()], why: Some("x".to_owned()), ..was.clone() },
            )
        })
        .collect();
    let made = imported(&store.layout(), &[record("New")], &changed).unwrap();
    assert_eq!(made.by_hand, [id("INT-001"), id("INT-002")]);
    write_imported(&store.layout(), &made).unwrap();
    let after = intent_records(&store.layout()).unwrap();
    assert_eq!(after[0..2], before[0..2]);
    assert_eq!(after[2], changed[2].1);
    assert_eq!(after.len(), 4);
}

// REQ 7: a file that somebody changed meanwhile is not overwritten
#[test]
fn req_007_a_file_that_changed_meanwhile_is_not_overwritten() {
    let store = Store::new(OWN);
    let made = imported(&store.layout(), &[record("New")], &[]).unwrap();
    std::fs::write(store.layout().intents_file(), format!("{OWN}# more\n")).unwrap();
    assert_eq!(write_imported(&store.layout(), &made), Err(IntentEditError::Changed));
    assert_eq!(file(&store), format!("{OWN}# more\n"));
}

// REQ 7, D-01: what a person accepts is owned, and no longer proposed
#[test]
fn req_007_an_accepted_scope_is_owned_and_no_longer_proposed() {
    let store = Store::new(OWN);
    write(&store, &[record("New")], &[]);
    let patterns = ["src/a.rs", "!src/a/b.rs"].map(|text| ScopePattern::new(text).unwrap());
    let made = accepted_scope(&store.layout(), &id("SPEC-001"), &patterns).unwrap();
    write_imported(&store.layout(), &made).unwrap();
    let now = intent_records(&store.layout()).unwrap().remove(1);
    assert_eq!(now.owned_scope, ["src/a.rs", "!src/a/b.rs"]);
    assert_eq!(now.proposed_scope, [""; 0]);
    assert!(accepted_scope(&store.layout(), &id("SPEC-404"), &patterns).is_err());
}

fn text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "# no comment",
        "a: b",
        "- x",
        "'",
        "\"",
        "\\",
        "[x]",
        "{y",
        "null",
        "true",
        "1e5",
        "0x1",
        "*a",
        "&b",
        "!c",
        "%",
        "@",
        "| ",
        "é 𝄞",
        "…",
    ]);
    prop_oneof![odd.prop_map(str::to_owned), "[ -~]{0,20}[!-~]", "\\PC{0,8}[a-z]"].prop_map(|text| {
        let plain: String = text
            .chars()
            .map(|c| {
                if matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') {
                    ' '
                } else {
                    c
                }
            })
            .collect();
        let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() { "x".to_owned() } else { line }
    })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..4)
}

fn any_record() -> impl Strategy<Value = IntentRecord> {
    (text(), prop::option::of(text()), texts(), texts(), texts(), texts(), texts(), any::<bool>()).prop_map(
        |(name, why, said, limits, criteria, assumptions, questions, vanished)| {
            let mut made = record("x");
            made.name = name;
            made.why = why;
            let ids = (1..).map(|number| format!("REQ-001-FR-{number:03}"));
            made.requirements = said.iter().zip(ids).map(|(text, id)| requirement(&id, text)).collect();
            made.constraints = limits.iter().map(|text| line(text)).collect();
            made.criteria = criteria.iter().map(|text| line(text)).collect();
            made.assumptions = assumptions;
            made.questions = questions;
            made.source.as_mut().unwrap().vanished = vanished;
            made
        },
    )
}

proptest! {
    // REQ 7: whatever texts say, the file says them, and what is before and behind stays byte for byte
    #[test]
    fn req_007_any_intent_is_written_and_changed_as_meant(first in any_record(), second in any_record(), crlf in any::<bool>()) {
        let own = if crlf { OWN.replace('\n', "\r\n") } else { OWN.to_owned() };
        let store = Store::new(&own);
        let last = IntentRecord { id: id("SPEC-002"), ..record("Last") };
        let before = write(&store, &[first.clone(), last.clone()], &[]);
        prop_assert_eq!(&intent_records(&store.layout()).unwrap()[1], &first);
        // Another import takes nothing away but questions, proposals and marks.
        let mut now = second;
        now.why = now.why.or_else(|| first.why.clone());
        fn longer<T: Clone>(was: &[T], now: Vec<T>) -> Vec<T> {
            let rest = was.iter().skip(now.len()).cloned();
            now.into_iter().chain(rest).collect()
        }
        now.requirements = longer(&first.requirements, now.requirements);
        now.constraints = longer(&first.constraints, now.constraints);
        now.criteria = longer(&first.criteria, now.criteria);
        now.assumptions = longer(&first.assumptions, now.assumptions);
        let after = write(&store, &[], &[(first, now.clone())]);
        prop_assert_eq!(&intent_records(&store.layout()).unwrap()[1], &now);
        let head = before.find("  - id: SPEC-001").unwrap();
        let tail = before.len() - before.find("  - id: SPEC-002").unwrap();
        prop_assert_eq!(after.get(..head), before.get(..head));
        prop_assert_eq!(after.get(after.len() - tail..), before.get(before.len() - tail..));
    }
}
