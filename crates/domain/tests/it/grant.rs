//! Grants as values: what they may be, and that they only ever shrink (D-02).

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    FileState, Grant, GrantBounds, GrantCost, GrantEnd, GrantFile, GrantId, GrantLimits, GrantReview,
    GrantStatus, GrantUse, Value, json,
};
use proptest::prelude::*;

fn grant() -> Grant {
    Grant {
        id: GrantId::new(3),
        terms: sample::grant_terms(sample::now()),
        used: GrantUse::default(),
        status: GrantStatus::Live,
        log_seq: 0,
        review: None,
    }
}

fn cost(lines: u32) -> GrantCost {
    let file = GrantFile { path: sample::path("a.rs"), before: FileState::Absent, after: FileState::Other };
    GrantCost { lines, files: vec![file] }
}

#[test]
fn a_grant_is_called_by_its_number() {
    let id = GrantId::new(3);
    assert_eq!((id.to_string(), id.as_approval().0), ("grant#3".to_owned(), "grant#3".to_owned()));
    for text in ["grant#3", "#3", "3", "003"] {
        assert_eq!(GrantId::parse(text), Ok(id), "{text}");
    }
    for text in ["", "grant#", "grant", "gr-3", "grant#-3", "grant#3 ", "3x", "9999999999999999999"] {
        assert!(GrantId::parse(text).is_err(), "{text}");
    }
    assert_eq!(serde_json::to_value(id).unwrap(), json!("grant#3"));
    assert_eq!(serde_json::from_value::<GrantId>(json!("grant#3")).unwrap(), id);
}

// D-02
#[test]
fn no_grant_is_without_bounds() {
    assert!(GrantBounds::new(GrantLimits::default()).is_ok());
    let most = GrantLimits {
        max_files: GrantBounds::MOST_FILES,
        max_calls: GrantBounds::MOST_CALLS,
        max_lines: GrantBounds::MOST_LINES,
        max_lines_per_call: GrantBounds::MOST_LINES,
        seconds: 1800,
        ..GrantLimits::default()
    };
    assert!(GrantBounds::new(most.clone()).is_ok());
    let fields: [fn(&mut GrantLimits) -> &mut u32; 5] = [
        |limits| &mut limits.max_files,
        |limits| &mut limits.max_calls,
        |limits| &mut limits.max_lines,
        |limits| &mut limits.max_lines_per_call,
        |limits| &mut limits.seconds,
    ];
    for field in fields {
        let (mut over, mut none) = (most.clone(), most.clone());
        *field(&mut over) += 1;
        *field(&mut none) = 0;
        for limits in [over, none] {
            assert!(GrantBounds::new(limits.clone()).is_err(), "{limits:?}");
            let stored = serde_json::to_value(&limits).unwrap();
            assert!(serde_json::from_value::<GrantBounds>(stored).is_err(), "what is read is checked too");
        }
    }
    for odd in [json!({"max_file": 3}), json!({"max_files": -1}), json!({"max_files": 1.5}), json!("all")] {
        assert!(serde_json::from_value::<GrantBounds>(odd.clone()).is_err(), "{odd}");
    }
    let some: GrantBounds = serde_json::from_value(json!({"max_files": 2})).unwrap();
    assert_eq!(some.limits(), &GrantLimits { max_files: 2, ..GrantLimits::default() });
}

// D-02
#[test]
fn a_grant_lives_between_its_beginning_and_its_time() {
    let (grant, now) = (grant(), sample::now());
    assert!(grant.is_live(now) && grant.is_live(now.plus_seconds(1799)));
    assert!(!grant.is_live(now.plus_seconds(1800)));
    assert!(!grant.is_live(bailiwick_domain::Timestamp::from_unix_ms(now.unix_ms() - 1)), "a clock set back");
    assert!(!grant.ended(GrantEnd::Drift, now).is_live(now));
}

#[test]
fn one_file_and_one_call_are_said_as_such() {
    let limits = GrantLimits { max_files: 1, max_calls: 1, ..grant().terms.bounds.limits().clone() };
    let said = GrantBounds::new(limits).unwrap().to_string();
    assert!(said.starts_with("up to 1 file, ") && said.contains(" 1 call, "), "{said}");
}

// D-02
#[test]
fn a_grant_ends_when_nothing_is_left() {
    let now = sample::now();
    let mut spent = grant();
    for _ in 0..30 {
        assert_eq!(spent.status, GrantStatus::Live);
        spent = spent.spent(&cost(1), 1, now);
    }
    assert_eq!(spent.status, GrantStatus::Ended { why: GrantEnd::UsedUp, at: now });
    assert_eq!((spent.used.calls, spent.used.lines, spent.used.files.len()), (30, 30, 1));
    let by_lines = grant().spent(&cost(300), 1, now);
    assert!(matches!(by_lines.status, GrantStatus::Ended { why: GrantEnd::UsedUp, .. }));
    assert!(by_lines.is_to_review(now) && !grant().ended(GrantEnd::Expired, now).is_to_review(now));
    let refused = grant().blocked(1, now);
    assert_eq!(refused.status, GrantStatus::Live);
    assert!(matches!(refused.blocked(2, now).status, GrantStatus::Ended { why: GrantEnd::TwoBlocks, .. }));
}

// D-02
#[test]
fn a_grant_becomes_nothing_wider() {
    let now = sample::now();
    let live = grant().spent(&cost(5), 7, now);
    let ended = live.ended(GrantEnd::TurnOver, now);
    let review = GrantReview { by: "ada".to_owned(), at: now, reverted: Vec::new() };
    let reviewed = Grant { review: Some(review), ..ended.clone() };
    for (before, after) in [(&live, &live), (&live, &ended), (&ended, &reviewed), (&live, &reviewed)] {
        assert!(before.may_become(after));
    }
    for (before, after) in [(&ended, &live), (&reviewed, &ended), (&reviewed, &live), (&live, &grant())] {
        assert!(!before.may_become(after));
    }
    let edits: [fn(&mut Grant); 8] = [
        |grant| grant.id = GrantId::new(4),
        |grant| grant.terms.by = "mallory".to_owned(),
        |grant| grant.used.calls = 0,
        |grant| grant.used.lines = 4,
        |grant| grant.log_seq = 6,
        |grant| grant.used.files.clear(),
        |grant| grant.used.files[0].before = FileState::Other,
        |grant| {
            grant.review = Some(GrantReview { by: "x".into(), at: grant.terms.opened, reverted: Vec::new() })
        },
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut after = live.clone();
        edit(&mut after);
        assert!(!live.may_become(&after), "{index}");
    }
}

proptest! {
    // What is stored is read back as it was.
    #[test]
    fn grants_survive_being_written_down(lines in 0..400_u32, refused in any::<bool>(), over in any::<bool>()) {
        let now = sample::now();
        let mut grant = grant().spent(&cost(lines), 5, now);
        if refused { grant = grant.blocked(6, now); }
        if over { grant = grant.ended(GrantEnd::Revoked { by: "ada".to_owned() }, now); }
        let stored: Value = serde_json::to_value(&grant).unwrap();
        prop_assert_eq!(serde_json::from_value::<Grant>(stored).unwrap(), grant);
    }
}
