//! Grants on disk: the contract, and what of a file counts (D-02, D-16).

use std::fs;
use std::path::PathBuf;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};

use bailiwick_adapters_fs::{FsDecisionLog, FsGrantStore, Layout};
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{
    ContentHash, DecisionLog, DecisionRecord, FileState, Grant, GrantCost, GrantEnd, GrantFile, GrantId,
    GrantStatus, GrantStore, Value,
};
use pollster::block_on;

use crate::place::Place;

fn store(place: &Place) -> FsGrantStore {
    FsGrantStore::new(&place.layout())
}

fn open(place: &Place) -> Grant {
    block_on(store(place).open(&sample::grant_terms(sample::now()))).unwrap()
}

fn get(place: &Place, id: GrantId) -> Option<Grant> {
    block_on(store(place).get(id)).unwrap()
}

fn file(place: &Place, id: u64) -> PathBuf {
    place.private("grants").join(format!("{id}.json"))
}

// D-02
#[test]
fn grants_keep_the_contract() {
    block_on(contract::grant_store(&store(&Place::new())));
}

// D-02: a count cannot be overspent by writers at the same time
#[test]
fn of_many_spends_at_once_each_counts() {
    let place = Place::new();
    let grant = open(&place);
    let (start, spent) = (Barrier::new(8), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = store(&place);
                start.wait();
                let mut left = 4;
                while left > 0 {
                    let before = block_on(store.get(grant.id)).unwrap().unwrap();
                    let after = before.spent(&GrantCost { lines: 1, files: Vec::new() }, 0, sample::now());
                    if before.status == GrantStatus::Live && block_on(store.replace(&before, &after)).is_ok()
                    {
                        spent.fetch_add(1, Ordering::SeqCst);
                        left -= 1;
                    } else if before.status != GrantStatus::Live {
                        left = 0;
                    }
                }
            });
        }
    });
    let grant = get(&place, grant.id).unwrap();
    let limits = grant.terms.bounds.limits().clone();
    assert_eq!((grant.used.calls, spent.load(Ordering::SeqCst)), (limits.max_calls, limits.max_calls));
    assert!(matches!(grant.status, GrantStatus::Ended { why: GrantEnd::UsedUp, .. }));
}

// D-16, threat G3: a file never grants
#[test]
fn a_file_that_this_store_did_not_write_is_no_grant() {
    let place = Place::new();
    let grant = open(&place);
    let written = fs::read_to_string(file(&place, 1)).unwrap();
    let edits: [fn(&mut Value); 6] = [
        |stored| stored["grant"]["terms"]["bounds"]["max_calls"] = 500.into(),
        |stored| stored["grant"]["terms"]["actor"]["session"] = "s2".into(),
        |stored| stored["grant"]["terms"]["opened"] = "2026-02-19T12:00:00.000Z".into(),
        |stored| stored["grant"]["used"]["lines"] = 0.into(),
        |stored| stored["grant"]["log_seq"] = 9.into(),
        |stored| stored["seal"] = format!("sha256:{}", "0".repeat(64)).into(),
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut stored: Value = serde_json::from_str(&written).unwrap();
        edit(&mut stored);
        let changed = stored.to_string();
        let is_changed = serde_json::from_str::<Value>(&written).unwrap() != stored;
        fs::write(file(&place, 1), &changed).unwrap();
        assert_eq!(get(&place, grant.id).is_none(), is_changed, "{index}: {changed}");
        assert_eq!(block_on(store(&place).list()).unwrap().is_empty(), is_changed);
        assert_eq!(store(&place).unread().unwrap(), if is_changed { vec![grant.id] } else { vec![] });
    }
    fs::write(file(&place, 1), &written).unwrap();
    assert_eq!(get(&place, grant.id), Some(grant));
}

// D-16
#[test]
fn a_copy_under_another_number_or_in_another_place_is_no_grant() {
    let (place, other) = (Place::new(), Place::new());
    let grant = open(&place);
    fs::copy(file(&place, 1), file(&place, 2)).unwrap();
    assert_eq!(get(&place, GrantId::new(2)), None);
    fs::create_dir_all(other.private("grants")).unwrap();
    fs::copy(file(&place, 1), file(&other, 1)).unwrap();
    let user_state = place.layout().user_state().map(PathBuf::from);
    let layout = Layout::new(other.layout().root(), other.layout().private(), user_state);
    let shared = FsGrantStore::new(&layout);
    assert_eq!(block_on(shared.get(grant.id)).unwrap(), None, "the same key, another store");
    for garbage in ["", "{", "null", "{\"format\":1}"] {
        fs::write(file(&place, 1), garbage).unwrap();
        assert_eq!(get(&place, grant.id), None, "{garbage:?}");
    }
}

// D-16
#[test]
fn without_a_users_state_folder_nothing_is_granted() {
    let place = Place::new();
    let grant = open(&place);
    let layout = Layout::new(place.layout().root(), place.layout().private(), None);
    let store = FsGrantStore::new(&layout);
    assert!(!store.can_grant());
    assert!(block_on(store.open(&sample::grant_terms(sample::now()))).is_err());
    assert_eq!(block_on(store.get(grant.id)).unwrap(), None);
    assert_eq!(block_on(store.list()).unwrap(), []);
}

#[test]
fn numbers_are_not_given_twice() {
    let place = Place::new();
    open(&place);
    fs::remove_file(file(&place, 1)).unwrap();
    assert_eq!(open(&place).id, GrantId::new(2));
    fs::remove_file(place.private("grants").join("last")).unwrap();
    assert_eq!(open(&place).id, GrantId::new(3), "the files tell it too");
}

#[test]
fn grants_are_forgotten_a_week_after_their_end() {
    let place = Place::new();
    let (old, later) = (open(&place), sample::now().plus_seconds(8 * 86_400));
    block_on(store(&place).open(&sample::grant_terms(later))).unwrap();
    assert_eq!(get(&place, old.id), None);
}

// D-02: a review that nobody gave is waited for longer
#[test]
fn grants_to_review_are_forgotten_four_weeks_after_their_end() {
    let place = Place::new();
    let (old, now) = (open(&place), sample::now());
    let file = GrantFile {
        path: sample::path("src/a.rs"),
        before: FileState::Absent,
        after: FileState::Content(ContentHash::of(b"a")),
    };
    let used = old.spent(&GrantCost { lines: 1, files: vec![file] }, 1, now);
    block_on(store(&place).replace(&old, &used)).unwrap();
    for (days, is_there) in [(8, true), (27, true), (30, false)] {
        let later = now.plus_seconds(days * 86_400);
        block_on(store(&place).open(&sample::grant_terms(later))).unwrap();
        assert_eq!(get(&place, old.id).is_some(), is_there, "{days}");
    }
}

// D-02: the log tells an old copy of a grant
#[test]
fn the_log_is_read_back_over_closed_files_and_long_lines() {
    let place = Place::new();
    let log = FsDecisionLog::new(place.layout()).with_rotation(60_000);
    let long = sample::decision(&"x".repeat(5_000));
    for _ in 0..40 {
        block_on(log.append(&long)).unwrap();
    }
    let seqs = |from| -> Vec<u64> {
        block_on(log.since(from)).unwrap().iter().map(|record: &DecisionRecord| record.seq).collect()
    };
    for from in [0, 1, 10, 13, 35, 39, 40, 99] {
        assert_eq!(seqs(from), (from..40).collect::<Vec<_>>(), "{from}");
    }
    let current = place.private("decisions.jsonl");
    let text = fs::read_to_string(&current).unwrap();
    fs::write(&current, text.replacen("\"action\"", "\"acting\"", 1)).unwrap();
    assert!(block_on(log.since(0)).is_err(), "what cannot be read may be what is looked for");
}
