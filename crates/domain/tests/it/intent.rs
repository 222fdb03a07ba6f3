//! Intents, their ids and their revisions.

use bailiwick_domain::testing::{arbitrary, sample};
use bailiwick_domain::{
    Constraint, Criterion, Intent, IntentDraft, IntentError, IntentId, IntentSet, IntentStatus, OwnedScope,
};
use proptest::prelude::*;

proptest! {
    // K-02
    #[test]
    fn exactly_plain_short_texts_are_ids(text in prop_oneof!["[a-zA-Z0-9._<>/ -]{0,70}", "\\PC*"]) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let expected = text.len() <= 64
            && text.chars().next().is_some_and(|c| c.is_ascii_alphanumeric())
            && text.chars().all(plain);
        prop_assert_eq!(IntentId::new(&text).is_ok(), expected);
    }

    #[test]
    fn an_id_survives_its_json(id in arbitrary::intent_id()) {
        let json = serde_json::to_string(&id).unwrap();
        prop_assert_eq!(serde_json::from_str::<IntentId>(&json).unwrap(), id);
    }

    #[test]
    fn an_intent_survives_its_json(intent in arbitrary::intent()) {
        let json = serde_json::to_string(&intent).unwrap();
        prop_assert_eq!(serde_json::from_str::<Intent>(&json).unwrap(), intent);
    }

    #[test]
    fn revision_ignores_status_and_freezing(status in arbitrary::intent_status(), frozen: bool) {
        let plain = sample::intent("INT-001", &["src/**"]);
        let draft = IntentDraft { status, frozen, ..sample::draft("INT-001", &["src/**"]) };
        let other = Intent::new(draft).unwrap();
        prop_assert_eq!(plain.revision(), other.revision());
    }

    // K-47
    #[test]
    fn only_open_unfrozen_intents_are_selectable(intents in prop::collection::vec(arbitrary::intent(), 0..8)) {
        let set = IntentSet::new(intents.clone());
        let open = |intent: &&Intent| {
            !intent.is_frozen() && ["PENDING", "IN_PROGRESS"].contains(&intent.status().as_str())
        };
        let expected: Vec<_> = intents.iter().filter(open).collect();
        prop_assert_eq!(set.selectable().collect::<Vec<_>>(), expected);
        prop_assert_eq!(set.len(), intents.len());
        for intent in &intents {
            prop_assert_eq!(set.get(intent.id()).map(Intent::id), Some(intent.id()));
        }
    }
}

// D-01, D-16: approvals and selections hold revisions, so an intent without an end keeps the one that it had
#[test]
fn an_end_is_part_of_the_revision_and_none_leaves_it_as_it_was() {
    let known = "INT-001";
    let plain = sample::intent(known, &["src/**"]);
    let ending = |ms| {
        let expires = Some(bailiwick_domain::Timestamp::from_unix_ms(ms));
        Intent::new(IntentDraft { expires, ..sample::draft(known, &["src/**"]) }).unwrap()
    };
    assert_eq!(plain.revision().short(), "41178d7c3bc6");
    assert_ne!(plain.revision(), ending(1).revision());
    assert_ne!(ending(1).revision(), ending(2).revision());
    assert_eq!(
        ending(1).revision(),
        ending(1).as_of(bailiwick_domain::Timestamp::from_unix_ms(5)).revision()
    );
}

#[test]
fn ids_are_case_sensitive() {
    assert_ne!(sample::intent_id("INT-001"), sample::intent_id("int-001"));
}

#[test]
fn revision_changes_with_everything_that_governs() {
    let base = || sample::draft("INT-001", &["src/**"]);
    let scope = |patterns: &[&str]| OwnedScope::parse(patterns.iter().copied()).unwrap();
    let mut revisions = vec![
        base(),
        IntentDraft { id: sample::intent_id("INT-002"), ..base() },
        IntentDraft { name: "Other".to_owned(), ..base() },
        IntentDraft { why: Some("because".to_owned()), ..base() },
        IntentDraft { owned_scope: scope(&["src/*"]), ..base() },
        IntentDraft { owned_scope: scope(&["src/**", "docs/**"]), ..base() },
        IntentDraft { owned_scope: scope(&["docs/**", "src/**"]), ..base() },
        IntentDraft { constraints: vec![Constraint::Text("no unsafe".to_owned())], ..base() },
        IntentDraft { constraints: vec![Constraint::ForbidTools(vec!["no unsafe".to_owned()])], ..base() },
        IntentDraft { acceptance_criteria: vec![Criterion("tests pass".to_owned())], ..base() },
        IntentDraft { requirements: vec!["REQ-2".to_owned()], ..base() },
        IntentDraft { parent: Some(sample::intent_id("INT-000")), ..base() },
    ]
    .into_iter()
    .map(|draft| Intent::new(draft).unwrap().revision().clone())
    .collect::<Vec<_>>();
    assert_eq!(revisions[0].short().len(), 12);
    let count = revisions.len();
    revisions.sort();
    revisions.dedup();
    assert_eq!(revisions.len(), count, "two different intents share a revision");
}

#[test]
fn statuses_are_spelled_as_published() {
    for (status, text) in [
        (IntentStatus::Pending, "PENDING"),
        (IntentStatus::InProgress, "IN_PROGRESS"),
        (IntentStatus::Blocked, "BLOCKED"),
        (IntentStatus::Completed, "COMPLETED"),
        (IntentStatus::Abandoned, "ABANDONED"),
    ] {
        assert_eq!(status.to_string(), text);
        assert_eq!(serde_json::to_value(status).unwrap(), text);
    }
}

#[test]
fn drafts_that_make_no_sense_are_refused() {
    let id = sample::intent_id("INT-001");
    let nameless = IntentDraft { name: " \t".to_owned(), ..sample::draft("INT-001", &["src/**"]) };
    assert_eq!(Intent::new(nameless), Err(IntentError::NoName(id.clone())));
    let own_parent = IntentDraft { parent: Some(id.clone()), ..sample::draft("INT-001", &["src/**"]) };
    assert_eq!(Intent::new(own_parent), Err(IntentError::OwnParent(id)));
}
