//! What was valid once and is put back into the private state, as whoever writes there can (threat G): it counts no more.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{
    FsAllowanceStore, FsApprovalQueue, FsGrantStore, FsPauses, FsTallies, FsTrustedTools, Layout,
    TrustedServer,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    AllowanceStore, Answer, ApprovalQueue, ApprovalStatus, Grant, GrantCost, GrantEnd, GrantStore, Pause,
    PauseLook, Pauses, Tallies, Tally,
};
use pollster::block_on;

use crate::place::Place;

/// Does something between a look at a file and putting it back as it was.
fn put_back(file: &Path, meanwhile: impl FnOnce()) {
    let before = fs::read(file).unwrap();
    meanwhile();
    assert_ne!(fs::read(file).unwrap(), before, "{}", file.display());
    fs::write(file, before).unwrap();
}

fn server() -> TrustedServer {
    TrustedServer {
        command: vec!["server".into()],
        tools: Default::default(),
        by: "ada".into(),
        at: sample::now(),
    }
}

// D-17
#[test]
fn a_used_or_refused_request_that_is_put_back_is_none() {
    let place = Place::new();
    let queue = FsApprovalQueue::new(place.layout());
    let now = sample::now();
    let ask = |seed: &str| block_on(queue.open(&sample::request(seed), now)).unwrap();
    let file = |id: &bailiwick_domain::ApprovalId| place.private("approvals").join(format!("{}.json", id.0));
    let yes = Answer::Approve { by: "ada".into() };

    let used = ask("a");
    block_on(queue.answer(&used.id, &yes, now)).unwrap();
    put_back(&file(&used.id), || {
        block_on(queue.consume(&used.id, &used.request.fingerprint, now)).unwrap();
    });
    assert_eq!(block_on(queue.get(&used.id)), Ok(None));
    assert!(block_on(queue.consume(&used.id, &used.request.fingerprint, now)).is_err());
    assert_eq!(block_on(queue.find(&used.request.fingerprint)), Ok(None));
    let again = ask("a");
    assert_ne!(again.id, used.id, "the agent is asked about anew");
    assert_eq!(again.status, ApprovalStatus::Open);

    let refused = ask("b");
    put_back(&file(&refused.id), || {
        let no = Answer::Reject { by: "ada".into(), feedback: None };
        block_on(queue.answer(&refused.id, &no, now)).unwrap();
    });
    assert!(block_on(queue.answer(&refused.id, &yes, now)).is_err(), "it was answered");
}

/// What a stop between a record and its number may leave of the number: what was noted before, by a version that reserved
/// none, or that with the number that was reserved.
fn stops(newest: u64) -> [String; 2] {
    [newest.to_string(), format!("{newest} {}", newest + 1)]
}

/// Where it is noted how new a record is.
fn number(place: &Place, name: &str) -> PathBuf {
    place.layout().remembered().unwrap().join(name)
}

// D-17: a yes whose number was not noted is one yes
#[test]
fn a_yes_that_was_stopped_before_its_number_counts_once() {
    for stopped in stops(0) {
        let place = Place::new();
        let queue = FsApprovalQueue::new(place.layout());
        let now = sample::now();
        let asked = block_on(queue.open(&sample::request("a"), now)).unwrap();
        let (id, fingerprint) = (&asked.id, &asked.request.fingerprint);
        block_on(queue.answer(id, &Answer::Approve { by: "ada".into() }, now)).unwrap();
        fs::write(number(&place, &format!("approvals/{}", id.0)), &stopped).unwrap();
        put_back(&place.private("approvals").join(format!("{}.json", id.0)), || {
            block_on(queue.consume(id, fingerprint, now)).unwrap();
        });
        assert_eq!(block_on(queue.get(id)), Ok(None), "{stopped:?}");
        assert!(block_on(queue.consume(id, fingerprint, now)).is_err(), "{stopped:?}");
    }
}

// D-17: nor does it come back behind an answer that was given while it was set aside
#[test]
fn a_yes_that_was_stopped_and_set_aside_is_over_with_the_next_answer() {
    let place = Place::new();
    let queue = FsApprovalQueue::new(place.layout());
    let now = sample::now();
    let asked = block_on(queue.open(&sample::request("a"), now)).unwrap();
    let file = place.private("approvals").join(format!("{}.json", asked.id.0));
    let open = fs::read(&file).unwrap();
    block_on(queue.answer(&asked.id, &Answer::Approve { by: "ada".into() }, now)).unwrap();
    fs::write(number(&place, &format!("approvals/{}", asked.id.0)), "0 1").unwrap();
    let yes = fs::read(&file).unwrap();
    fs::write(&file, open).unwrap();
    let no = Answer::Reject { by: "ada".into(), feedback: None };
    block_on(queue.answer(&asked.id, &no, now)).unwrap();
    fs::write(&file, yes).unwrap();
    assert_eq!(block_on(queue.get(&asked.id)), Ok(None));
    assert!(block_on(queue.consume(&asked.id, &asked.request.fingerprint, now)).is_err());
}

// D-32
#[test]
fn commands_that_were_allowed_before_a_stop_cannot_be_put_back() {
    for stopped in stops(0) {
        let place = Place::new();
        let store = FsAllowanceStore::new(&place.layout());
        let allowance = block_on(store.allow(&sample::allowance_terms("test"))).unwrap();
        fs::write(number(&place, "allowances/allowed"), &stopped).unwrap();
        put_back(&place.private("allowances").join("allowed.json"), || {
            block_on(store.revoke(allowance.id)).unwrap().unwrap();
        });
        assert_eq!(block_on(store.list()), Ok(Vec::new()), "{stopped:?}");
        let anew = block_on(store.allow(&sample::allowance_terms("test"))).unwrap();
        assert!(anew.id > allowance.id, "no number is given twice");
    }
}

// D-02
#[test]
fn a_grant_whose_use_was_stopped_before_its_number_grants_no_more_than_it_did() {
    for stopped in stops(1) {
        let place = Place::new();
        let store = FsGrantStore::new(&place.layout());
        let grant = block_on(store.open(&sample::grant_terms(sample::now()))).unwrap();
        let spend = |grant: &Grant| {
            let spent = grant.spent(&GrantCost { lines: 1, files: Vec::new() }, 0, sample::now());
            block_on(store.replace(grant, &spent)).unwrap();
            spent
        };
        let spent = spend(&grant);
        fs::write(number(&place, "grants/1"), &stopped).unwrap();
        put_back(&place.private("grants").join("1.json"), || drop(spend(&spent)));
        assert_eq!(block_on(store.get(grant.id)), Ok(None), "{stopped:?}");
    }
}

// D9
#[test]
fn tools_that_were_trusted_before_a_stop_cannot_be_put_back() {
    for stopped in stops(0) {
        let place = Place::new();
        let store = FsTrustedTools::new(&place.layout());
        store.trust("files", server()).unwrap();
        fs::write(number(&place, "mcp/trusted"), &stopped).unwrap();
        put_back(&place.private("mcp").join("trusted.json"), || {
            assert!(store.revoke("files").unwrap());
        });
        assert!(store.all().unwrap().is_empty(), "{stopped:?}");
    }
}

// A person's off switch: the pause before it is over, whatever was noted of it
#[test]
fn a_pause_whose_number_was_not_noted_is_over_with_the_next_one() {
    for stopped in stops(0) {
        let place = Place::new();
        let pauses = FsPauses::new(&place.layout());
        let pause = |seconds| Pause {
            from: sample::now(),
            until: sample::now().plus_seconds(seconds),
            by: "ada".into(),
        };
        pauses.begin(&pause(600)).unwrap();
        fs::write(number(&place, "pauses/pause"), &stopped).unwrap();
        put_back(&place.layout().private().join("pause.json"), || pauses.begin(&pause(60)).unwrap());
        assert_eq!(block_on(pauses.look(sample::now())), PauseLook::None, "{stopped:?}");
    }
}

// D-17, D-32, D-02, D9: where no number can be noted, nothing is written that would count without one
#[test]
#[cfg(unix)]
fn a_consent_that_cannot_be_noted_is_an_error_and_none() {
    let place = Place::new();
    let (layout, now) = (place.layout(), sample::now());
    let queue = FsApprovalQueue::new(place.layout());
    let asked = block_on(queue.open(&sample::request("a"), now)).unwrap();
    // Nothing can be made there, and nothing is there to be read, whoever asks.
    let noted = layout.remembered().unwrap();
    fs::create_dir_all(&noted).unwrap();
    for kind in ["approvals", "allowances", "grants", "mcp", "pauses"] {
        std::os::unix::fs::symlink("nowhere", noted.join(kind)).unwrap();
    }
    let yes = Answer::Approve { by: "ada".into() };
    assert!(block_on(queue.answer(&asked.id, &yes, now)).is_err());
    assert_eq!(block_on(queue.get(&asked.id)), Ok(Some(asked)));
    let allowances = FsAllowanceStore::new(&layout);
    assert!(block_on(allowances.allow(&sample::allowance_terms("test"))).is_err());
    assert_eq!(block_on(allowances.list()), Ok(Vec::new()));
    let grants = FsGrantStore::new(&layout);
    assert!(block_on(grants.open(&sample::grant_terms(now))).is_err());
    assert_eq!(block_on(grants.list()), Ok(Vec::new()));
    let tools = FsTrustedTools::new(&layout);
    assert!(tools.trust("files", server()).is_err());
    assert!(tools.all().unwrap().is_empty());
    let pauses = FsPauses::new(&layout);
    let pause = Pause { from: now, until: now.plus_seconds(600), by: "ada".into() };
    assert!(pauses.begin(&pause).is_err());
    assert_eq!(block_on(pauses.look(now)), PauseLook::None);
}

// D-17: what a request says of how new it is counts with its seal alone
#[test]
fn an_answered_request_is_never_open_again_whatever_its_number_says() {
    let place = Place::new();
    let queue = FsApprovalQueue::new(place.layout());
    let now = sample::now();
    let asked = block_on(queue.open(&sample::request("a"), now)).unwrap();
    let file = place.private("approvals").join(format!("{}.json", asked.id.0));
    let no = Answer::Reject { by: "ada".into(), feedback: None };
    block_on(queue.answer(&asked.id, &no, now)).unwrap();
    let own = fs::read_to_string(&file).unwrap();
    assert!(own.contains(r#""version":1"#), "{own}");
    for version in ["2", "99"] {
        let newer = own.replace(r#""version":1"#, &format!(r#""version":{version}"#));
        fs::write(&file, &newer).unwrap();
        assert_eq!(block_on(queue.get(&asked.id)), Ok(None), "{version}");
        let mut open: bailiwick_domain::Value = serde_json::from_str(&newer).unwrap();
        open["approval"]["status"] = "open".into();
        fs::write(&file, open.to_string()).unwrap();
        assert_eq!(block_on(queue.get(&asked.id)), Ok(None), "{version}");
        assert!(block_on(queue.answer(&asked.id, &Answer::Approve { by: "ada".into() }, now)).is_err());
    }
}

// D-17: a request is for the store that it was asked in
#[test]
fn an_answered_request_that_is_copied_into_another_store_is_none() {
    let place = Place::new();
    let queue = FsApprovalQueue::new(place.layout());
    let now = sample::now();
    let asked = block_on(queue.open(&sample::request("a"), now)).unwrap();
    block_on(queue.answer(&asked.id, &Answer::Approve { by: "ada".into() }, now)).unwrap();
    let state = place.layout().user_state().unwrap().to_owned();
    let other = Layout::new(place.layout().root(), place.dir.path().join("other"), Some(state));
    let name = format!("{}.json", asked.id.0);
    fs::create_dir_all(other.private().join("approvals")).unwrap();
    fs::copy(place.private("approvals").join(&name), other.private().join("approvals").join(&name)).unwrap();
    let there = FsApprovalQueue::new(other);
    assert_eq!(block_on(there.get(&asked.id)), Ok(None));
    assert!(block_on(there.consume(&asked.id, &asked.request.fingerprint, now)).is_err());
    assert_eq!(there.unread().unwrap(), [asked.id]);
}

// D-32, K-24: taking back is noted first, so that whatever stops in between takes back
#[test]
#[cfg(unix)]
fn a_taking_back_that_fails_in_between_leaves_nothing_to_put_back() {
    let place = Place::new();
    let store = FsAllowanceStore::new(&place.layout());
    let allowance = block_on(store.allow(&sample::allowance_terms("test"))).unwrap();
    let file = place.private("allowances").join("allowed.json");
    let kept = fs::read(&file).unwrap();
    // Stands for a kill between the two writes: the number is there, and the record is not.
    let number = place.layout().remembered().unwrap().join("allowances/allowed");
    fs::write(&number, "2").unwrap();
    assert_eq!(block_on(store.list()), Ok(Vec::new()));
    fs::write(&number, "1").unwrap();
    // Where the number cannot be written, nothing is taken back, and that is an error.
    fs::remove_file(&number).unwrap();
    fs::create_dir_all(number.join("in the way")).unwrap();
    assert!(block_on(store.revoke(allowance.id)).is_err());
    assert_eq!(fs::read(&file).unwrap(), kept);
    fs::remove_dir_all(&number).unwrap();
    fs::write(&number, "1").unwrap();
    block_on(store.revoke(allowance.id)).unwrap();
    fs::write(&file, &kept).unwrap();
    assert_eq!(block_on(store.list()), Ok(Vec::new()));
}

// D-32: a number that was lost makes nothing count, and the next record counts alone
#[test]
fn a_damaged_number_lets_no_older_record_count() {
    let place = Place::new();
    let store = FsAllowanceStore::new(&place.layout());
    let file = place.private("allowances").join("allowed.json");
    let number = place.layout().remembered().unwrap().join("allowances/allowed");
    let allow = || block_on(store.allow(&sample::allowance_terms("test"))).unwrap();
    allow();
    let first = fs::read(&file).unwrap();
    for damaged in ["", "x", "18446744073709551615"] {
        fs::write(&number, damaged).unwrap();
        assert_eq!(block_on(store.list()), Ok(Vec::new()), "{damaged:?}");
        assert_eq!(store.unread(), Ok(Some(file.as_path())), "{damaged:?}");
    }
    let anew = allow();
    assert_eq!(store.unread(), Ok(None));
    let second = fs::read(&file).unwrap();
    assert!(block_on(store.revoke(anew.id)).unwrap().is_some());
    for older in [first, second] {
        fs::write(&file, older).unwrap();
        assert_eq!(block_on(store.list()), Ok(Vec::new()));
        assert_eq!(store.unread(), Ok(Some(file.as_path())));
    }
    assert!(allow().id > anew.id, "no number is given twice");
}

// D-02
#[test]
fn a_grant_that_is_put_back_grants_nothing_and_its_number_serves_again() {
    let place = Place::new();
    let store = FsGrantStore::new(&place.layout());
    let open = || block_on(store.open(&sample::grant_terms(sample::now()))).unwrap();
    let file = |id: u64| place.private("grants").join(format!("{id}.json"));

    let grant = open();
    put_back(&file(1), || {
        let spent = grant.spent(&GrantCost { lines: 1, files: Vec::new() }, 0, sample::now());
        block_on(store.replace(&grant, &spent)).unwrap();
    });
    assert_eq!(block_on(store.get(grant.id)), Ok(None));
    assert_eq!(block_on(store.list()), Ok(Vec::new()));

    let ended = open();
    put_back(&file(2), || {
        let after = ended.ended(GrantEnd::Revoked { by: "ada".into() }, sample::now());
        block_on(store.replace(&ended, &after)).unwrap();
    });
    assert_eq!(block_on(store.get(ended.id)), Ok(None), "it was revoked");

    fs::remove_dir_all(place.private("grants")).unwrap();
    let anew = open();
    assert_eq!(anew.id, grant.id, "nothing of the old ones is left");
    assert_eq!(block_on(store.get(anew.id)), Ok(Some(anew.clone())));
    let spent = anew.spent(&GrantCost { lines: 1, files: Vec::new() }, 0, sample::now());
    block_on(store.replace(&anew, &spent)).unwrap();
    assert_eq!(block_on(store.get(anew.id)), Ok(Some(spent)));
}

// D-32
#[test]
fn commands_that_a_person_no_longer_trusts_cannot_be_put_back() {
    let place = Place::new();
    let store = FsAllowanceStore::new(&place.layout());
    let terms = sample::allowance_terms("test");
    let allowance = block_on(store.allow(&terms)).unwrap();
    put_back(&place.private("allowances").join("allowed.json"), || {
        block_on(store.revoke(allowance.id)).unwrap();
    });
    assert_eq!(block_on(store.list()), Ok(Vec::new()));
    block_on(store.allow(&terms)).unwrap();
    assert_eq!(block_on(store.list()).unwrap().len(), 1);
}

// A person's off switch: `bailiwick resume` ends it for good
#[test]
fn a_pause_that_was_ended_cannot_be_put_back() {
    let place = Place::new();
    let pauses = FsPauses::new(&place.layout());
    let file = place.layout().private().join("pause.json");
    let pause = Pause { from: sample::now(), until: sample::now().plus_seconds(600), by: "ada".into() };
    pauses.begin(&pause).unwrap();
    assert!(matches!(block_on(pauses.look(sample::now())), PauseLook::Running(_)));
    let kept = fs::read(&file).unwrap();
    block_on(pauses.forget(&pause)).unwrap();
    fs::write(&file, kept).unwrap();
    assert_eq!(block_on(pauses.look(sample::now())), PauseLook::None);
    pauses.begin(&pause).unwrap();
    assert!(matches!(block_on(pauses.look(sample::now())), PauseLook::Running(_)), "a new one counts");
}

// D9
#[test]
fn tools_that_a_person_no_longer_trusts_cannot_be_put_back() {
    let place = Place::new();
    let store = FsTrustedTools::new(&place.layout());
    store.trust("files", server()).unwrap();
    put_back(&place.private("mcp").join("trusted.json"), || {
        assert!(store.revoke("files").unwrap());
    });
    assert!(store.all().unwrap().is_empty());
    store.trust("files", server()).unwrap();
    assert_eq!(store.all().unwrap().len(), 1);
}

// D-42
#[test]
fn whoever_takes_the_private_state_away_makes_no_room() {
    let place = Place::new();
    let (store, intent) = (FsTallies::new(&place.layout()), sample::intent("INT-001", &["src/"]));
    let mut tally = Tally::default();
    tally.lines = 3;
    block_on(store.keep(intent.id(), intent.revision(), &tally)).unwrap();
    let _ = fs::remove_dir_all(place.layout().private());
    assert_eq!(block_on(store.of(intent.id(), intent.revision())), Ok(tally));
}
