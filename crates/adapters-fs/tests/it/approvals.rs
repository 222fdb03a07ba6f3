//! The approval queue and the signs of life of its surfaces.

use std::fs;
use std::sync::Barrier;
use std::time::Duration;

use bailiwick_adapters_fs::{FsApprovalQueue, Layout, Surfaces, SystemClock};
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{
    Amended, Answer, Approval, ApprovalId, ApprovalKind, ApprovalQueue, ApprovalRequest, ApprovalStatus,
    Clock, IntentProposal, OwnedScope, Value,
};
use pollster::block_on;

use crate::place::Place;

fn yes() -> Answer {
    Answer::Approve { by: "ada".into() }
}

fn queue(place: &Place) -> FsApprovalQueue {
    FsApprovalQueue::new(place.layout())
}

fn open(queue: &FsApprovalQueue, seed: &str) -> Approval {
    block_on(queue.open(&sample::request(seed), sample::now())).unwrap()
}

fn file(place: &Place, id: &ApprovalId) -> std::path::PathBuf {
    place.private("approvals").join(format!("{}.json", id.0))
}

// D-17, REQ 143
#[test]
fn approvals_keep_the_contract() {
    block_on(contract::approval_queue(&queue(&Place::new())));
}

// D-16
#[test]
fn approvals_keep_the_contract_without_a_user_state_folder() {
    let place = Place::new();
    let layout = Layout::new(place.dir.path(), place.dir.path().join("private"), None);
    block_on(contract::approval_queue(&FsApprovalQueue::new(layout)));
}

// D-17, threat G4
#[test]
fn of_many_answers_one_wins_and_of_many_users_one_uses() {
    let place = Place::new();
    let approval = open(&queue(&place), "race");
    let (fingerprint, now) = (approval.request.fingerprint.clone(), sample::now());
    let start = Barrier::new(16);
    let race = |act: &(dyn Fn(&FsApprovalQueue) -> bool + Sync)| -> usize {
        std::thread::scope(|scope| {
            let racers: Vec<_> = (0..16)
                .map(|_| {
                    let queue = queue(&place);
                    let start = &start;
                    scope.spawn(move || {
                        start.wait();
                        act(&queue)
                    })
                })
                .collect();
            racers.into_iter().filter_map(|racer| racer.join().unwrap().then_some(())).count()
        })
    };
    assert_eq!(race(&|queue| block_on(queue.answer(&approval.id, &yes(), now)).is_ok()), 1);
    assert_eq!(race(&|queue| block_on(queue.consume(&approval.id, &fingerprint, now)).is_ok()), 1);
}

// D-17
#[test]
fn two_processes_that_ask_the_same_get_the_same_request() {
    let place = Place::new();
    let ids: Vec<_> = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..8).map(|_| scope.spawn(|| open(&queue(&place), "same").id)).collect();
        askers.into_iter().map(|asker| asker.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

// D-16, threat G3
#[test]
fn a_file_never_approves() {
    let place = Place::new();
    let queue = queue(&place);
    let approval = open(&queue, "forged");
    let path = file(&place, &approval.id);
    let mut forged: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    forged["approval"]["status"] =
        serde_json::json!({"status": "approved", "by": "ada", "at": sample::now()});
    fs::write(&path, forged.to_string()).unwrap();

    assert_eq!(block_on(queue.get(&approval.id)).unwrap().unwrap().status, ApprovalStatus::Open);
    assert!(block_on(queue.consume(&approval.id, &approval.request.fingerprint, sample::now())).is_err());
    let real = block_on(queue.answer(&approval.id, &yes(), sample::now())).unwrap();
    assert!(matches!(real.status, ApprovalStatus::Approved { .. }), "a human can still answer");
}

// D-01, D-16: what a human made of a draft is under the seal of the answer
#[test]
fn a_file_never_changes_what_is_accepted() {
    let place = Place::new();
    let queue = queue(&place);
    let ask = |seed: &str| {
        let mut request = sample::request(seed);
        request.draft = Some(sample::proposal("as drafted"));
        block_on(queue.open(&request, sample::now())).unwrap()
    };
    let forge = |asked: &Approval| {
        let path = file(&place, &asked.id);
        let mut forged: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        forged["approval"]["amended"] = serde_json::json!(Amended::Intent(sample::proposal("forged")));
        fs::write(&path, forged.to_string()).unwrap();
        block_on(queue.get(&asked.id)).unwrap()
    };
    let asked = ask("answered with a yes");
    assert_eq!(forge(&asked).as_ref(), Some(&asked), "while it is open");
    block_on(queue.answer(&asked.id, &yes(), sample::now())).unwrap();
    assert_eq!(forge(&asked), None, "neither the yes counts any more nor the question");
    assert!(block_on(queue.consume(&asked.id, &asked.request.fingerprint, sample::now())).is_err());
    let asked = ask("answered with a changed yes");
    let amend = Answer::Amend { by: "ada".into(), draft: Amended::Intent(sample::proposal("by a human")) };
    block_on(queue.answer(&asked.id, &amend, sample::now())).unwrap();
    assert_eq!(forge(&asked), None);
}

/// An approval as versions before changed expansions read it: what a human made of a draft was always an intent.
#[derive(serde::Deserialize)]
struct Older {
    approval: OlderApproval,
}

#[derive(serde::Deserialize)]
struct OlderApproval {
    #[serde(default)]
    amended: Option<IntentProposal>,
}

// D-08, K-01: a reader of an older version takes a yes to less for no yes at all, and asks anew; what it wrote is read
#[test]
fn an_older_reader_never_takes_a_changed_expansion_for_a_yes_to_all_of_it() {
    let place = Place::new();
    let queue = queue(&place);
    let older = |id: &ApprovalId| serde_json::from_slice::<Older>(&fs::read(file(&place, id)).unwrap());
    let asked = |name: &str, kind| {
        let request = ApprovalRequest { kind, draft: Some(sample::proposal(name)), ..sample::request(name) };
        block_on(queue.open(&request, sample::now())).unwrap().id
    };
    let answer = |id: &ApprovalId, draft: Amended| {
        let amend = Answer::Amend { by: "ada".into(), draft };
        block_on(queue.answer(id, &amend, sample::now())).unwrap()
    };
    let more = asked("more", ApprovalKind::ScopeExpansion);
    assert!(older(&more).unwrap().approval.amended.is_none(), "it sees the question");
    let added_scope = OwnedScope::parse(["src/core/print.rs"]).unwrap();
    let answered = answer(&more, Amended::Scope { added_scope });
    assert!(older(&more).is_err(), "and not the answer");
    assert_eq!(block_on(queue.get(&more)).unwrap(), Some(answered));
    let intent = asked("intent", ApprovalKind::IntentProposal);
    answer(&intent, Amended::Intent(sample::proposal("changed")));
    assert_eq!(older(&intent).unwrap().approval.amended, Some(sample::proposal("changed")), "as before");
}

// D-16, threat G1
#[test]
fn a_request_whose_text_was_changed_is_no_request() {
    let place = Place::new();
    let queue = queue(&place);
    let approval = open(&queue, "harmless");
    let path = file(&place, &approval.id);
    let changed = fs::read_to_string(&path).unwrap().replace("write_to_file changes", "nothing changes");
    fs::write(&path, changed).unwrap();
    assert_eq!(block_on(queue.get(&approval.id)).unwrap(), None);
    assert_eq!(block_on(queue.list()).unwrap(), []);
}

// D-16
#[test]
fn an_answer_of_one_request_does_not_fit_another() {
    let place = Place::new();
    let queue = queue(&place);
    let (one, two) = (open(&queue, "one"), open(&queue, "two"));
    block_on(queue.answer(&one.id, &yes(), sample::now())).unwrap();
    fs::copy(file(&place, &one.id), file(&place, &two.id)).unwrap();
    assert_eq!(block_on(queue.get(&two.id)).unwrap(), None);
    assert!(block_on(queue.consume(&two.id, &two.request.fingerprint, sample::now())).is_err());
}

#[test]
fn files_that_are_no_requests_are_passed_over() {
    let place = Place::new();
    let queue = queue(&place);
    let approval = open(&queue, "real");
    let dir = place.private("approvals");
    for (name, content) in
        [("ap-00000000.json", "{"), ("note.json", "{}"), ("ap-..json", "{}"), (".ap-1.tmp", "")]
    {
        fs::write(dir.join(name), content).unwrap();
    }
    assert_eq!(block_on(queue.list()).unwrap(), [approval]);
    for id in ["", "ap-", "ap-../../x", "../lock", "ap-zzzzzzzz"] {
        assert_eq!(block_on(queue.get(&ApprovalId(id.into()))).unwrap(), None, "{id}");
    }
}

#[test]
fn requests_are_forgotten_a_day_after_they_lapsed() {
    let place = Place::new();
    let queue = queue(&place);
    let old = open(&queue, "old");
    let next_day = old.expires.plus_seconds(86_401);
    let new = block_on(queue.open(&sample::request("new"), next_day)).unwrap();
    assert_eq!(block_on(queue.list()).unwrap(), [new]);
    assert_eq!(block_on(queue.find(&old.request.fingerprint)).unwrap(), None);
}

// D-06
#[test]
fn a_waiting_caller_is_woken_by_the_answer() {
    let place = Place::new();
    let approval = open(&queue(&place), "wait");
    std::thread::scope(|scope| {
        let waiter =
            scope.spawn(|| queue(&place).wait_answer(&approval.id, Duration::from_secs(60), || true));
        block_on(queue(&place).answer(&approval.id, &yes(), sample::now())).unwrap();
        let answered = waiter.join().unwrap().unwrap();
        assert!(matches!(answered.status, ApprovalStatus::Approved { .. }));
    });
}

// REQ 143
#[test]
fn silence_is_no_answer() {
    let place = Place::new();
    let queue = queue(&place);
    let approval = open(&queue, "silence");
    assert_eq!(queue.wait_answer(&approval.id, Duration::from_millis(5), || true), Some(approval));
    assert_eq!(queue.wait_answer(&ApprovalId("ap-00000000".into()), Duration::from_secs(60), || true), None);
}

#[cfg(unix)]
#[test]
fn the_key_is_outside_the_tree_and_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    open(&queue(&place), "x");
    let key = place.layout().user_state().unwrap().join("approval.key");
    let meta = fs::metadata(&key).unwrap();
    assert_eq!((meta.permissions().mode() & 0o777, meta.len()), (0o600, 32));
    fs::write(&key, b"short").unwrap();
    assert!(block_on(queue(&place).open(&sample::request("y"), sample::now())).is_err());
}

// D-28
#[test]
fn a_surface_lives_five_seconds_after_its_last_sign() {
    let place = Place::new();
    let surfaces = Surfaces::new(place.layout());
    assert_eq!(surfaces.live(SystemClock.now()), Vec::<String>::new());
    surfaces.beat("watch").unwrap();
    surfaces.beat("editor").unwrap();
    surfaces.beat("watch").unwrap();
    let beat = fs::metadata(place.private("surfaces/watch")).unwrap().modified().unwrap();
    let beat = beat.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let at = |ms: i64| bailiwick_domain::Timestamp::from_unix_ms(i64::try_from(beat).unwrap() + ms);
    assert_eq!(surfaces.live(at(4_000)), ["editor", "watch"]);
    assert_eq!(surfaces.live(at(5_001)), Vec::<String>::new());
    for name in ["", "../x", "A", "a b"] {
        assert!(surfaces.beat(name).is_err(), "{name:?}");
    }
}

// C: a screen that is closed is gone at once, and nobody waits for it
#[test]
fn a_surface_that_is_withdrawn_is_gone_and_a_wait_that_is_worth_nothing_ends() {
    let place = Place::new();
    let surfaces = Surfaces::new(place.layout());
    surfaces.beat("watch").unwrap();
    surfaces.beat("list").unwrap();
    surfaces.withdraw("watch");
    surfaces.withdraw("watch");
    surfaces.withdraw("../list");
    assert_eq!(surfaces.live(SystemClock.now()), ["list"]);
    let queue = queue(&place);
    let approval = open(&queue, "nobody looks");
    assert_eq!(queue.wait_answer(&approval.id, Duration::from_secs(86_400), || false), Some(approval));
}

// D-37, D-38: an open window is not an attended one, and a killed one is known at once
#[test]
fn req_143_a_window_of_an_editor_is_alive_while_it_is_used_and_open_while_its_process_lives() {
    let place = Place::new();
    let surfaces = Surfaces::new(place.layout());
    let live = || surfaces.live(SystemClock.now());
    assert!(!surfaces.has_window());
    let window = surfaces.open_window().unwrap();
    assert!(surfaces.has_window() && live().is_empty(), "open, and nobody uses it");
    let other = surfaces.open_window().unwrap();
    window.beat().unwrap();
    other.beat().unwrap();
    assert_eq!(live(), ["editor"], "windows are one surface");
    window.rest().unwrap();
    assert_eq!(live(), ["editor"]);
    drop(other);
    assert!(surfaces.has_window() && live().is_empty());
    drop(window);
    assert!(!surfaces.has_window());
    // What a killed process leaves is held by nobody, however young it is.
    fs::write(place.private("surfaces/editor-0123456789ab"), "").unwrap();
    assert!(!surfaces.has_window() && live().is_empty());
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    fs::File::options()
        .write(true)
        .open(place.private("surfaces/editor-0123456789ab"))
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    let _next = surfaces.open_window().unwrap();
    assert!(!place.private("surfaces/editor-0123456789ab").exists(), "the next window clears up");
}

// D-17: the number of an answer is noted before the answer is written, and nobody sees a request vanish in between
#[test]
fn a_request_is_there_all_the_while_that_it_is_answered() {
    let place = Place::new();
    let no = Answer::Reject { by: "ada".into(), feedback: None };
    for nth in 0..40 {
        let asked = block_on(queue(&place).open(&sample::request(&nth.to_string()), sample::now())).unwrap();
        let waits = || queue(&place).wait_answer(&asked.id, Duration::from_secs(20), || true);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(waits);
            let looking = scope.spawn(|| {
                while block_on(queue(&place).get(&asked.id)).unwrap().unwrap().status == ApprovalStatus::Open
                {
                }
            });
            block_on(queue(&place).answer(&asked.id, &no, sample::now())).unwrap();
            looking.join().unwrap();
            assert!(waiting.join().unwrap().is_some(), "{nth}");
        });
    }
}

// A reader needs no lock that it cannot take: what it finds damaged is all that it leaves out
#[test]
fn one_damaged_request_hides_no_other_where_nothing_can_be_locked() {
    let place = Place::new();
    let (good, damaged) = (open(&queue(&place), "good"), open(&queue(&place), "damaged"));
    fs::write(file(&place, &damaged.id), "{").unwrap();
    let lock = place.private("approvals").join("lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir_all(lock.join("in the way")).unwrap();
    assert_eq!(block_on(queue(&place).list()), Ok(vec![good.clone()]));
    assert_eq!(block_on(queue(&place).get(&good.id)), Ok(Some(good)));
    assert_eq!(queue(&place).unread(), Ok(vec![damaged.id]));
}
