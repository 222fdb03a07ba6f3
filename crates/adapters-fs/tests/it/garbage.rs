//! What is collected and what never is: everything open stays, the ledger is not touched, hooks may run beside.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use bailiwick_adapters_fs::{
    Collected, Doing, FsApprovalQueue, FsDecisionLog, FsGrantStore, FsLedger, FsPendingStore, FsPrompts,
    Garbage, Retention,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Actor, ApprovalQueue, ContentHash, DecisionLog, FileState, Grant, GrantCost, GrantEnd, GrantFile,
    GrantReview, GrantStore, Ledger, PendingStore, Sync, Timestamp, TraceEntry,
};
use pollster::block_on;

use crate::place::Place;

const DAY_S: u64 = 86_400;
const KEPT: Retention = Retention { days: 30, log_bytes: 64_000_000 };

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap())
}

fn days_ago(days: u64) -> Timestamp {
    Timestamp::from_unix_ms(now().unix_ms() - i64::try_from(days * DAY_S * 1000).unwrap())
}

fn make_old(path: &Path, days: u64) {
    let then = SystemTime::now() - Duration::from_secs(days * DAY_S);
    fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
}

fn collect(place: &Place, doing: Doing) -> Collected {
    block_on(Garbage::new(&place.layout()).collect(&KEPT, now(), doing)).unwrap()
}

fn pendings(place: &Place) -> FsPendingStore {
    FsPendingStore::new(place.layout())
}

/// A content that was kept so many days ago.
fn kept(place: &Place, text: &str, days: u64) -> ContentHash {
    let hash = block_on(pendings(place).keep(text.as_bytes())).unwrap();
    let digits = hash.digits();
    make_old(&place.private("preimages").join(digits.get(..2).unwrap()).join(digits), days);
    hash
}

fn is_kept(place: &Place, hash: &ContentHash) -> bool {
    block_on(pendings(place).kept(hash)).unwrap().is_some()
}

fn recorded(place: &Place, before: &ContentHash, days: u64) {
    let mut entry = sample::trace_entry(
        &format!("00000000-0000-4000-8000-{days:012}"),
        &sample::intent("INT-001", &["src/**"]),
    );
    entry.files[0].before = FileState::Content(before.clone());
    let entry = TraceEntry { timestamp: days_ago(days), ..entry };
    block_on(FsLedger::new(place.layout(), Sync::Os).append(&entry)).unwrap();
}

/// A grant that changed a file which held that before, ended so many days ago.
fn granted(place: &Place, before: &ContentHash, days: u64, review: bool) -> Grant {
    let store = FsGrantStore::new(&place.layout());
    let open = block_on(store.open(&sample::grant_terms(days_ago(days)))).unwrap();
    let file = GrantFile {
        path: sample::path("src/auth/a.rs"),
        before: FileState::Content(before.clone()),
        after: FileState::Absent,
    };
    let used = open.spent(&GrantCost { lines: 1, files: vec![file] }, 1, days_ago(days));
    let ended = used.ended(GrantEnd::TurnOver, days_ago(days));
    let reviewed = GrantReview { by: "ada".to_owned(), at: days_ago(days), reverted: Vec::new() };
    let after = Grant { review: review.then_some(reviewed), ..ended };
    block_on(store.replace(&open, &after)).unwrap();
    after
}

// REQ 75, D-02, D-21: old pre-images go, unless a recent entry, an open call, or a grant to review needs them
#[test]
fn pre_images_that_something_needs_stay_whatever_their_age() {
    let place = Place::new();
    let gone = [kept(&place, "old", 31), kept(&place, "old entry", 90), kept(&place, "reviewed", 40)];
    recorded(&place, &gone[1], 60);
    let needed = kept(&place, "needed by a recent entry", 90);
    recorded(&place, &needed, 29);
    let young = kept(&place, "young", 29);
    let (before, predicted) = (kept(&place, "open call", 90), kept(&place, "predicted", 90));
    let mut pending = sample::pending("c1", &sample::actor(), days_ago(80));
    pending.files[0].before = FileState::Content(before.clone());
    pending.files[0].predicted = Some(FileState::Content(predicted.clone()));
    block_on(pendings(&place).put(&pending)).unwrap();
    let to_review = kept(&place, "to review", 90);
    granted(&place, &to_review, 20, false);
    granted(&place, &gone[2], 3, true);
    let live = fs::read(place.private("ledger/live.jsonl")).unwrap();

    let counted = collect(&place, Doing::Count);
    assert_eq!(counted.preimages.files, 3);
    assert!(gone.iter().all(|hash| is_kept(&place, hash)), "only counted");
    assert_eq!(block_on(pendings(&place).collected_before()), Ok(None));
    assert_eq!(collect(&place, Doing::Collect).preimages, counted.preimages);
    assert!(!gone.iter().any(|hash| is_kept(&place, hash)));
    for hash in [needed, young, before, predicted, to_review] {
        assert!(is_kept(&place, &hash));
    }
    let noted = block_on(pendings(&place).collected_before()).unwrap().unwrap();
    assert!(noted <= days_ago(30) && days_ago(31) < noted, "it says what went: {noted}");
    assert_eq!(collect(&place, Doing::Collect).preimages.files, 0);
    assert_eq!(fs::read(place.private("ledger/live.jsonl")).unwrap(), live);
    assert!(block_on(pendings(&place).get(&pending.actor, &pending.call)).unwrap().is_some());
}

// D-02: a grant that nobody reviewed for four weeks goes, and in the same run what only it needed
#[test]
fn what_is_counted_is_what_goes_also_of_grants_that_are_forgotten_on_the_way() {
    let place = Place::new();
    let (needed, shared) = (kept(&place, "never reviewed", 40), kept(&place, "of two grants", 40));
    granted(&place, &needed, 29, false);
    granted(&place, &shared, 29, false);
    granted(&place, &shared, 2, false);
    let counted = collect(&place, Doing::Count);
    assert_eq!((counted.grants.files, counted.preimages.files), (2, 1));
    assert!(is_kept(&place, &needed), "only counted");
    assert_eq!(collect(&place, Doing::Collect), counted);
    assert!(!is_kept(&place, &needed) && is_kept(&place, &shared));
}

// D-15
#[test]
fn prompts_go_after_a_day_and_are_counted_as_what_they_are() {
    let place = Place::new();
    let prompts = FsPrompts::new(&place.layout());
    for session in ["old", "young"] {
        prompts.keep(&Actor::root("claude-code", session), "Make it faster", now()).unwrap();
    }
    let old =
        place.private("prompts").join(format!("{}.json", Actor::root("claude-code", "old").key().digits()));
    make_old(&old, 2);
    let counted = collect(&place, Doing::Count);
    assert_eq!((counted.prompts.files, counted.leftovers.files), (1, 0));
    assert!(old.exists());
    assert_eq!(collect(&place, Doing::Collect), counted);
    assert!(!old.exists() && fs::read_dir(place.private("prompts")).unwrap().count() == 1);
}

// D-02
#[test]
fn grants_requests_and_leftovers_go_when_they_are_over() {
    let place = Place::new();
    let hash = ContentHash::of(b"x");
    granted(&place, &hash, 8, true);
    let waits = granted(&place, &hash, 8, false);
    let queue = FsApprovalQueue::new(place.layout());
    // In this order, since asking clears up by itself from time to time.
    let open = block_on(queue.open(&sample::request("two"), now())).unwrap();
    let lapsed = block_on(queue.open(&sample::request("one"), days_ago(2))).unwrap();
    for (name, days) in [
        ("actors/.state.json.1.2.3.tmp", 1),
        ("pending/ab/.c.json.1.2.3.tmp", 1),
        ("ledger/.live.1.2.3.tmp", 9),
    ] {
        let file = place.private(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "left").unwrap();
        make_old(&file, days);
    }
    fs::write(place.private("actors/.state.json.4.5.6.tmp"), "under way").unwrap();
    let counted = collect(&place, Doing::Count);
    assert_eq!((counted.grants.files, counted.approvals.files, counted.leftovers.files), (1, 1, 2));
    assert_eq!(collect(&place, Doing::Collect), counted);
    let grants = block_on(FsGrantStore::new(&place.layout()).list()).unwrap();
    assert_eq!(grants, vec![waits]);
    assert_eq!(block_on(queue.get(&lapsed.id)).unwrap(), None);
    assert_eq!(block_on(queue.list()).unwrap(), vec![open]);
    assert!(place.private("actors/.state.json.4.5.6.tmp").exists(), "its writer may be at work");
    assert!(place.private("ledger/.live.1.2.3.tmp").exists(), "the ledger's folder is not touched");
}

fn log(place: &Place, records: u32) -> FsDecisionLog {
    let log = FsDecisionLog::new(place.layout()).with_rotation(2_000);
    for _ in 0..records {
        block_on(log.append(&sample::decision(&"x".repeat(300)))).unwrap();
    }
    log
}

fn closed(place: &Place) -> Vec<u64> {
    let files = fs::read_dir(place.private("")).unwrap();
    let names = files.filter_map(|file| file.unwrap().file_name().into_string().ok());
    let firsts =
        names.filter_map(|name| name.strip_prefix("decisions.")?.strip_suffix(".jsonl")?.parse().ok());
    let mut firsts: Vec<u64> = firsts.collect();
    firsts.sort_unstable();
    firsts
}

// K-52: by age and by size, oldest first; numbers go on, and the newest closed file stays
#[test]
fn closed_files_of_the_log_go_by_age_and_by_size() {
    let place = Place::new();
    let log = log(&place, 40);
    let all = closed(&place);
    assert!(all.len() >= 5, "{all:?}");
    assert_eq!(collect(&place, Doing::Collect).decisions.files, 0);
    for first in &all[..2] {
        make_old(&place.private(&format!("decisions.{first}.jsonl")), 31);
    }
    assert_eq!(collect(&place, Doing::Count).decisions.files, 2);
    assert_eq!(collect(&place, Doing::Collect).decisions.files, 2);
    assert_eq!(closed(&place), all[2..]);
    let small = Retention { log_bytes: 3_000, ..KEPT };
    block_on(Garbage::new(&place.layout()).collect(&small, now(), Doing::Collect)).unwrap();
    assert_eq!(closed(&place), all[all.len() - 1..]);
    assert_eq!(block_on(log.append(&sample::decision("next"))).unwrap(), 40);
}

// D-02: what a live grant is told by stays
#[test]
fn the_log_of_a_live_grant_stays() {
    let place = Place::new();
    let store = FsGrantStore::new(&place.layout());
    log(&place, 40);
    let all = closed(&place);
    let grant = block_on(store.open(&sample::grant_terms(now()))).unwrap();
    let told = Grant { log_seq: all[1], ..grant.clone() };
    block_on(store.replace(&grant, &told)).unwrap();
    for first in &all {
        make_old(&place.private(&format!("decisions.{first}.jsonl")), 31);
    }
    collect(&place, Doing::Collect);
    assert_eq!(closed(&place), all[1..]);
}

// D-16: agents that are gone are forgotten, those that run are not
#[cfg(target_os = "linux")]
#[test]
fn agents_that_run_are_not_forgotten() {
    let place = Place::new();
    let own = bailiwick_adapters_fs::ancestors(std::process::id()).remove(0);
    let folder = place.private("agents");
    fs::create_dir_all(&folder).unwrap();
    let runs = format!("{}-{}", own.pid, own.started);
    let names =
        [runs.clone(), format!("{}-{}", own.pid, own.started + 1), "4194305-7".to_owned(), "x".to_owned()];
    for name in &names {
        fs::write(folder.join(name), "{}").unwrap();
    }
    assert_eq!(collect(&place, Doing::Collect).agents.files, 2);
    assert!(folder.join(runs).exists() && folder.join("x").exists());
}

// A plugin counts as loaded while its process runs, and is forgotten with it.
#[cfg(target_os = "linux")]
#[test]
fn plugins_whose_process_is_gone_are_forgotten() {
    let place = Place::new();
    let agents = bailiwick_adapters_fs::AgentProcesses::new(place.layout());
    agents.note_loaded("cline", "s1").unwrap();
    let gone = place.private("loaded").join("cline-0.by.4194305-7");
    fs::write(&gone, "loaded\n").unwrap();
    assert_eq!(collect(&place, Doing::Collect).agents.files, 1);
    assert!(!gone.exists() && agents.is_loaded("cline", "s1"));
}

// K-09: a call that takes an old content up again while others go keeps it
#[test]
fn what_a_call_takes_up_meanwhile_stays() {
    let place = Place::new();
    for round in 0..400 {
        kept(&place, &format!("old {round}"), 40);
    }
    let taken = kept(&place, "old 7", 40);
    std::thread::scope(|scope| {
        let hook = scope.spawn(|| {
            let store = pendings(&place);
            let held = block_on(bailiwick_domain::WorkspaceLock::acquire(
                &bailiwick_adapters_fs::FsWorkspaceLock::new(place.layout()),
            ))
            .unwrap();
            let hash = block_on(store.keep(b"old 7")).unwrap();
            let mut pending = sample::pending("c1", &sample::actor(), now());
            pending.files[0].before = FileState::Content(hash);
            block_on(store.put(&pending)).unwrap();
            drop(held);
        });
        collect(&place, Doing::Collect);
        hook.join().unwrap();
    });
    assert!(is_kept(&place, &taken));
}
