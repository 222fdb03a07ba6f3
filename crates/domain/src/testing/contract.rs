//! What every implementation of a port must do, as one suite per port.
//!
//! A suite is given a fresh, empty store and asserts the port's documented behaviour; the in-memory ports and every
//! real adapter run the same one. What only one adapter promises (files, formats, several processes) is not here.
#![expect(clippy::panic, reason = "a suite fails as tests fail")]

mod allowances;
mod grants;
mod restore;
mod tallies;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::sample;
use crate::authoring::Amended;
use crate::calls::{Actor, CallId, CommandReading, FileChange, Observation, Pages};
use crate::consents::{
    Answer, Approval, ApprovalId, ApprovalKind, ApprovalRequest, ApprovalStatus, Pause, PauseLook,
};
use crate::intents::{Intent, OwnedScope};
use crate::ports::{
    ApprovalError, ApprovalQueue, Clock, CommandReader, DecisionLog, IdSource, IntentRepo, Ledger,
    MutationClassifier, Pauses, PendingStore, SessionStore, SymbolFinder, WorkspaceLock,
};
use crate::state::{ActorState, State, Written};
use crate::values::{ContentHash, FileState};

pub use allowances::allowance_store;
pub use grants::grant_store;
pub use restore::workspace_writer;
pub use tallies::tallies;

#[track_caller]
fn done<T, E: Debug>(result: Result<T, E>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("failed to {what}: {error:?}"),
    }
}

/// The repository answers what its source says; `expected` is what the source holds.
pub async fn intent_repo(repo: &dyn IntentRepo, expected: &[Intent]) {
    let loaded = done(repo.load().await, "load the intents");
    assert_eq!(loaded.iter().cloned().collect::<Vec<_>>(), expected, "all intents, in the order of the file");
    for intent in expected {
        assert_eq!(done(repo.get(intent.id()).await, "get an intent").as_ref(), Some(intent));
    }
    let unknown = done(repo.get(&sample::intent_id("NO-SUCH-INTENT")).await, "look for an unknown intent");
    assert_eq!(unknown, None, "an unknown id is no error");
}

/// Actors are kept apart, also a sub-agent from its parent.
pub async fn session_store(store: &dyn SessionStore) {
    let (root, child, other) = (sample::actor(), sample::child("a1"), Actor::root("codex", "s1"));
    assert_eq!(done(store.load(&root).await, "load an unseen actor"), None);

    let state = ActorState {
        state: State::Reasoning,
        hint: Some(sample::intent_id("INT-001")),
        ..ActorState::default()
    };
    done(store.save(&root, &state).await, "save");
    assert_eq!(done(store.load(&root).await, "load"), Some(state.clone()));
    assert_eq!(done(store.load(&child).await, "load the child"), None, "a child has a state of its own");
    assert_eq!(done(store.load(&other).await, "load another host's actor"), None);

    let later = ActorState { mutated: true, ..state };
    done(store.save(&root, &later).await, "save again");
    assert_eq!(done(store.load(&root).await, "load again"), Some(later), "saving replaces");

    hostile_ids_are_only_names(store).await;
    observations(store, &root, &child).await;
}

async fn hostile_ids_are_only_names(store: &dyn SessionStore) {
    let hostile = Actor { agent: Some("a/../b\0c".to_owned()), ..Actor::root("../..", "/etc/passwd\n") };
    let state = ActorState { quarantine: Some("why".to_owned()), ..ActorState::default() };
    done(store.save(&hostile, &state).await, "save an actor with a hostile id");
    assert_eq!(done(store.load(&hostile).await, "load it"), Some(state));
    assert_eq!(done(store.load(&hostile.parent()).await, "load its parent"), None);
}

async fn observations(store: &dyn SessionStore, root: &Actor, child: &Actor) {
    let (jwt, other) = (sample::path("src/auth/jwt.rs"), sample::path("src/auth/jwt.rs2"));
    assert_eq!(done(store.observation(root, &jwt).await, "look for an observation"), None);
    for state in [FileState::Content(ContentHash::of(b"a")), FileState::Other, FileState::Absent] {
        let pages = Observation::of_pages(state.clone(), Pages::of(2, 3).with(&Pages::of(7, 9)));
        for seen in [Observation::part(state.clone()), pages, Observation::whole(state)] {
            done(store.observe(root, &jwt, &seen).await, "observe");
            assert_eq!(done(store.observation(root, &jwt).await, "recall"), Some(seen), "the newest counts");
        }
    }
    assert_eq!(done(store.observation(root, &other).await, "recall another path"), None);
    assert_eq!(done(store.observation(child, &jwt).await, "recall as the child"), None);
    own_writes(store, root, child).await;
}

/// What an actor wrote is an observation until it reads the file again.
async fn own_writes(store: &dyn SessionStore, root: &Actor, child: &Actor) {
    let jwt = sample::path("src/auth/jwt.rs");
    let state = FileState::Content(ContentHash::of(b"own"));
    let written = Written { call: CallId("c1".to_owned()), at: sample::now() };
    assert_eq!(done(store.own(root, &jwt).await, "look for an own write"), None);
    for seen in [Observation::part(state.clone()), Observation::whole(state.clone())] {
        done(store.observe_own(root, &jwt, &seen, &written).await, "write");
        assert_eq!(done(store.observation(root, &jwt).await, "recall"), Some(seen.clone()));
        let own = done(store.own(root, &jwt).await, "recall the own write");
        assert_eq!(own, Some((state.clone(), written.clone())));
        assert_eq!(done(store.own(child, &jwt).await, "recall as the child"), None);
        assert_eq!(done(store.observations(root, 9).await, "list"), vec![(jwt.clone(), seen)]);
    }
    assert_eq!(done(store.observations(root, 0).await, "list none"), vec![]);
    assert_eq!(done(store.observations(child, 9).await, "list as the child"), vec![]);
    done(store.observe(root, &jwt, &Observation::whole(state)).await, "see it again");
    assert_eq!(done(store.own(root, &jwt).await, "look for an own write"), None);
}

/// One open request per fingerprint, one answer per request, one use per approval.
pub async fn approval_queue(queue: &dyn ApprovalQueue) {
    let now = sample::now();
    assert_eq!(done(queue.list().await, "list nothing"), vec![]);
    let first = done(queue.open(&sample::request("one"), now).await, "open");
    assert_eq!(first.request, sample::request("one"));
    assert_eq!(first.status, ApprovalStatus::Open);
    assert_eq!(first.expires, now.plus_seconds(Approval::LIFETIME_S));
    assert_eq!(done(queue.open(&sample::request("one"), now).await, "open it again").id, first.id);
    let second = done(queue.open(&sample::request("two"), now.plus_seconds(1)).await, "open another");
    assert_ne!(first.id, second.id);
    assert_eq!(done(queue.get(&first.id).await, "get"), Some(first.clone()));
    assert_eq!(done(queue.list().await, "list"), vec![first.clone(), second.clone()], "oldest first");
    let found = done(queue.find(&second.request.fingerprint).await, "find");
    assert_eq!(found, Some(second.clone()));
    assert_eq!(done(queue.find(&sample::fingerprint("none")).await, "find nothing"), None);

    unknown_requests_are_errors(queue).await;
    silence_is_no_yes(queue, &first).await;
    a_yes_is_used_once(queue, &first).await;
    a_yes_is_taken_back_until_it_is_used(queue).await;
    a_no_stays_a_no(queue, &second).await;
    an_expansion_is_accepted_as_it_was_changed(queue).await;
    a_draft_is_accepted_as_it_was_changed(queue).await;
    requests_lapse(queue).await;
    grants::answers_by_grant(queue).await;
}

fn yes() -> Answer {
    Answer::Approve { by: "ada".to_owned() }
}

async fn unknown_requests_are_errors(queue: &dyn ApprovalQueue) {
    let (id, now) = (ApprovalId("ap-ffffffff".to_owned()), sample::now());
    assert_eq!(done(queue.get(&id).await, "get an unknown id"), None);
    let answer = queue.answer(&id, &yes(), now).await;
    assert_eq!(answer, Err(ApprovalError::Unknown("ap-ffffffff".to_owned())));
    assert!(queue.consume(&id, &sample::fingerprint("one"), now).await.is_err());
}

/// Silence, dismissal and a closed channel leave the request open.
async fn silence_is_no_yes(queue: &dyn ApprovalQueue, open: &Approval) {
    let now = sample::now();
    for silence in [Answer::Deferred, Answer::AskHost, Answer::Unanswered { why: "nobody".to_owned() }] {
        if let Ok(approval) = queue.answer(&open.id, &silence, now).await {
            assert_eq!(approval.status, ApprovalStatus::Open, "{silence:?} is no answer");
        }
        assert!(queue.consume(&open.id, &open.request.fingerprint, now).await.is_err(), "nobody said yes");
    }
}

async fn a_yes_is_used_once(queue: &dyn ApprovalQueue, open: &Approval) {
    let (id, fingerprint, at) = (&open.id, &open.request.fingerprint, sample::now().plus_seconds(5));
    let approved = done(queue.answer(id, &yes(), at).await, "approve");
    assert_eq!(approved.status, ApprovalStatus::Approved { by: "ada".to_owned(), at, grant: None });
    let again = queue.answer(id, &Answer::Reject { by: "bob".to_owned(), feedback: None }, at).await;
    assert_eq!(again, Err(ApprovalError::Answered(id.0.clone())), "exactly one answer wins");
    assert!(queue.consume(id, &sample::fingerprint("other"), at).await.is_err(), "bound to its fingerprint");
    let used = done(queue.consume(id, fingerprint, at).await, "use the yes");
    assert_eq!(used.status, ApprovalStatus::Used { by: "ada".to_owned(), at });
    assert!(queue.consume(id, fingerprint, at).await.is_err(), "used once");
    let anew = done(queue.open(&open.request, at).await, "ask anew");
    assert_ne!(anew.id, open.id, "a used yes is not reopened");
    let newest = done(queue.find(fingerprint).await, "find the newest");
    assert_eq!(newest.map(|approval| approval.id), Some(anew.id));
}

/// A yes that was taken back lets nothing through, and only one that waits for its call can be taken back.
async fn a_yes_is_taken_back_until_it_is_used(queue: &dyn ApprovalQueue) {
    let at = sample::now().plus_seconds(6);
    let open = done(queue.open(&sample::request("taken back"), at).await, "open");
    let (id, answered) = (&open.id, || Err(ApprovalError::Answered(open.id.0.clone())));
    assert_eq!(queue.take_back(id, "ada", at).await, answered(), "nobody said yes");
    done(queue.answer(id, &yes(), at).await, "approve");
    let gone = done(queue.take_back(id, "ada", at).await, "take it back");
    assert!(matches!(gone.status, ApprovalStatus::Rejected { .. }));
    assert!(queue.consume(id, &open.request.fingerprint, at).await.is_err(), "it lets nothing through");
    assert_eq!(queue.take_back(id, "ada", at).await, answered(), "once");
}

/// A draft is kept as the person changed it; without a draft there is nothing to change.
async fn a_draft_is_accepted_as_it_was_changed(queue: &dyn ApprovalQueue) {
    let at = sample::now().plus_seconds(7);
    let amended = |name: &str| Amended::Intent(sample::proposal(name));
    let changed = |name: &str| Answer::Amend { by: "ada".to_owned(), draft: amended(name) };
    let plain = done(queue.open(&sample::request("no draft"), at).await, "open");
    assert_eq!(
        queue.answer(&plain.id, &changed("x"), at).await,
        Err(ApprovalError::NoDraft(plain.id.0.clone()))
    );
    assert_eq!(done(queue.get(&plain.id).await, "get").map(|open| open.status), Some(ApprovalStatus::Open));
    let request = ApprovalRequest { draft: Some(sample::proposal("drafted")), ..sample::request("draft") };
    let open = done(queue.open(&request, at).await, "open a draft");
    let late = open.expires;
    assert_eq!(
        queue.answer(&open.id, &changed("late"), late).await,
        Err(ApprovalError::Lapsed(open.id.0.clone()))
    );
    let accepted = done(queue.answer(&open.id, &changed("changed"), at).await, "accept it changed");
    assert_eq!(accepted.amended, Some(amended("changed")));
    assert_eq!(accepted.request, request, "what was asked stays");
    for again in [changed("again"), yes()] {
        assert_eq!(queue.answer(&open.id, &again, at).await, Err(ApprovalError::Answered(open.id.0.clone())));
    }
    assert_eq!(done(queue.get(&open.id).await, "get"), Some(accepted));
    let used = done(queue.consume(&open.id, &request.fingerprint, at).await, "use the yes");
    assert_eq!(used.amended, Some(amended("changed")));
}

/// A changed expansion is kept with its approval; other kinds of change are not accepted for it.
async fn an_expansion_is_accepted_as_it_was_changed(queue: &dyn ApprovalQueue) {
    let at = sample::now().plus_seconds(8);
    let scope = |patterns: &[&str]| OwnedScope::parse(patterns.iter().copied()).unwrap_or_default();
    let narrowed = Amended::Scope { added_scope: scope(&["src/core/print.rs"]) };
    let intent = Amended::Intent(sample::proposal("x"));
    let answer = |draft: &Amended| Answer::Amend { by: "ada".to_owned(), draft: draft.clone() };
    let asked = |kind, name: &str| ApprovalRequest {
        kind,
        draft: Some(sample::proposal(name)),
        ..sample::request(name)
    };
    let wrong = [
        (asked(ApprovalKind::IntentProposal, "an intent"), &narrowed),
        (asked(ApprovalKind::ScopeExpansion, "more scope"), &intent),
        (
            ApprovalRequest { draft: None, ..asked(ApprovalKind::ScopeExpansion, "of an older version") },
            &narrowed,
        ),
    ];
    for (request, draft) in wrong {
        let open = done(queue.open(&request, at).await, "open");
        let refused = queue.answer(&open.id, &answer(draft), at).await;
        assert_eq!(refused, Err(ApprovalError::NoDraft(open.id.0.clone())));
    }
    let open = done(queue.open(&asked(ApprovalKind::ScopeExpansion, "more"), at).await, "open");
    let accepted = done(queue.answer(&open.id, &answer(&narrowed), at).await, "accept it changed");
    assert_eq!(accepted.amended, Some(narrowed));
    assert_eq!(done(queue.get(&open.id).await, "get"), Some(accepted));
}

async fn a_no_stays_a_no(queue: &dyn ApprovalQueue, open: &Approval) {
    let at = sample::now().plus_seconds(6);
    let no = Answer::Reject { by: "bob".to_owned(), feedback: Some("use a module".to_owned()) };
    let rejected = done(queue.answer(&open.id, &no, at).await, "reject");
    let expected =
        ApprovalStatus::Rejected { by: "bob".to_owned(), at, feedback: Some("use a module".to_owned()) };
    assert_eq!(rejected.status, expected);
    assert!(queue.answer(&open.id, &yes(), at).await.is_err(), "exactly one answer wins");
    assert!(queue.consume(&open.id, &open.request.fingerprint, at).await.is_err(), "a no is not usable");
}

async fn requests_lapse(queue: &dyn ApprovalQueue) {
    let (now, request) = (sample::now(), sample::request("lapses"));
    let open = done(queue.open(&request, now).await, "open");
    let too_late = open.expires;
    let answer = queue.answer(&open.id, &yes(), too_late).await;
    assert_eq!(answer, Err(ApprovalError::Lapsed(open.id.0.clone())), "lapses at its very end");
    let anew = done(queue.open(&request, too_late).await, "ask anew");
    assert_ne!(anew.id, open.id, "a lapsed request is not reopened");
    done(queue.answer(&anew.id, &yes(), too_late).await, "approve in time");
    let long_after = anew.expires.plus_seconds(Approval::LIFETIME_S);
    assert!(queue.consume(&anew.id, &request.fingerprint, long_after).await.is_err(), "a yes lapses too");
}

/// Sequence numbers rise strictly from 0, whatever the record says; what was written is found again.
pub async fn decision_log(log: &dyn DecisionLog) {
    let mut record = sample::decision("first\nsecond line");
    record.seq = 77;
    for expected in 0..5 {
        assert_eq!(done(log.append(&record).await, "append"), expected);
    }
    for from in 0..7 {
        let found: Vec<u64> =
            done(log.since(from).await, "look back").iter().map(|record| record.seq).collect();
        assert_eq!(found, (from..5).collect::<Vec<_>>(), "from that number on, oldest first");
    }
}

/// Calls are kept by session, contents by their hash.
pub async fn pending_store(store: &dyn PendingStore) {
    let (root, child, other) = (sample::actor(), sample::child("a1"), Actor::root("claude-code", "s2"));
    let now = sample::now();
    let one = sample::pending("call/../1", &root, now);
    let two = sample::pending("call 2", &child, now.plus_seconds(1));
    let elsewhere = sample::pending("call/../1", &other, now);
    assert_eq!(done(store.list(&root).await, "list nothing"), vec![]);
    for pending in [&one, &two, &elsewhere] {
        done(store.put(pending).await, "put");
    }
    assert_eq!(done(store.get(&root, &one.call).await, "get"), Some(one.clone()));
    assert_eq!(done(store.get(&other, &one.call).await, "get elsewhere"), Some(elsewhere.clone()));
    assert_eq!(done(store.get(&root, &CallId("none".to_owned())).await, "get nothing"), None);
    let session = vec![one.clone(), two.clone()];
    assert_eq!(done(store.list(&root).await, "list"), session, "every actor of the session, oldest first");
    assert_eq!(done(store.list(&child).await, "list as the child"), session);
    assert_eq!(done(store.all().await, "list all").len(), 3);

    done(store.remove(&root, &one.call).await, "remove");
    done(store.remove(&root, &one.call).await, "remove what is gone");
    assert_eq!(done(store.get(&root, &one.call).await, "get what is gone"), None);
    assert_eq!(done(store.list(&root).await, "list the rest"), vec![two]);
    assert_eq!(done(store.list(&other).await, "list elsewhere"), vec![elsewhere]);
    contents(store).await;
}

async fn contents(store: &dyn PendingStore) {
    for content in [&b""[..], b"text\n", b"\xff\0\r\n"] {
        assert_eq!(done(store.kept(&ContentHash::of(content)).await, "look for content"), None);
        let hash = done(store.keep(content).await, "keep");
        assert_eq!(hash, ContentHash::of(content));
        assert_eq!(done(store.keep(content).await, "keep again"), hash);
        assert_eq!(done(store.kept(&hash).await, "recall").as_deref(), Some(content));
        assert!(!done(store.was_executable(&hash).await, "nobody said so"));
        done(store.keep_executable(&hash, false).await, "say that it may not be run");
        assert!(!done(store.was_executable(&hash).await, "somebody said so"));
    }
}

/// Entries come back as they were appended, newest first, of one intent only.
pub async fn ledger(ledger: &dyn Ledger) {
    done(ledger.ready().await, "be ready");
    let (mine, other) = (sample::intent("INT-001", &["src/**"]), sample::intent("INT-002", &["docs/**"]));
    assert_eq!(done(ledger.recent(mine.id(), 5).await, "look at nothing"), vec![]);
    let mut entries = Vec::new();
    for index in 1..=4_u8 {
        let id = format!("00000000-0000-4000-8000-00000000000{index}");
        let entry = sample::trace_entry(&id, if index == 3 { &other } else { &mine });
        assert_eq!(done(ledger.append(&entry).await, "append"), id, "the id of the entry");
        entries.push(entry);
    }
    let ids =
        |found: Vec<crate::evidence::TraceEntry>| found.iter().map(|e| e.id.clone()).collect::<Vec<_>>();
    let id = |index: u8| format!("00000000-0000-4000-8000-00000000000{index}");
    let recent = done(ledger.recent(mine.id(), 10).await, "look back");
    assert_eq!(ids(recent), vec![id(4), id(2), id(1)]);
    assert_eq!(ids(done(ledger.recent(mine.id(), 2).await, "look back a little")), vec![id(4), id(2)]);
    assert_eq!(ids(done(ledger.recent(other.id(), 2).await, "look at the other")), vec![id(3)]);
    assert_eq!(done(ledger.recent(mine.id(), 0).await, "look at none"), vec![]);
    of_session(ledger, &entries).await;
    done(ledger.ready().await, "still be ready");
}

/// A session's entries come whatever their intent, oldest first, from one moment on; what is left out is said.
async fn of_session(ledger: &dyn Ledger, entries: &[crate::evidence::TraceEntry]) {
    let (actor, at) = (sample::actor(), sample::now());
    let child = Actor { agent: Some("a".to_owned()), ..actor.clone() };
    for who in [&actor, &child] {
        let all = done(ledger.of_session(who, at, 10).await, "look at a session");
        assert_eq!((all.entries.as_slice(), all.is_complete), (entries, true));
    }
    let some = done(ledger.of_session(&actor, at, 3).await, "look at a part");
    assert_eq!((some.entries.as_slice(), some.is_complete), (entries.get(1..).unwrap_or_default(), false));
    let later = done(ledger.of_session(&actor, at.plus_seconds(1), 10).await, "look at what is newer");
    assert_eq!((later.entries, later.is_complete), (vec![], true));
    let other = done(ledger.of_session(&Actor::root("other", "s"), at, 10).await, "look at another session");
    assert_eq!((other.entries, other.is_complete), (vec![], true));
}

/// At most one holder at a time, across two handles of the same lock and several threads.
pub async fn workspace_lock(first: &dyn WorkspaceLock, second: &dyn WorkspaceLock) {
    drop(done(first.acquire().await, "acquire"));
    drop(done(second.acquire().await, "acquire after it was released"));
    let (inside, entries) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for lock in [first, second, first, second] {
            scope.spawn(|| {
                for _ in 0..8 {
                    let guard = done(pollster::block_on(lock.acquire()), "acquire in a thread");
                    assert!(!inside.swap(true, Ordering::SeqCst), "two hold the lock");
                    std::thread::yield_now();
                    entries.fetch_add(1, Ordering::SeqCst);
                    inside.store(false, Ordering::SeqCst);
                    drop(guard);
                }
            });
        }
    });
    assert_eq!(entries.load(Ordering::SeqCst), 32);
}

/// Ids are version 4 UUIDs in lower case and never repeat.
pub fn id_source(source: &dyn IdSource) {
    let mut seen = alloc::collections::BTreeSet::new();
    for _ in 0..100 {
        let id = source.uuid();
        let form = id.chars().enumerate().all(|(index, digit)| match index {
            8 | 13 | 18 | 23 => digit == '-',
            14 => digit == '4',
            19 => matches!(digit, '8' | '9' | 'a' | 'b'),
            _ => matches!(digit, '0'..='9' | 'a'..='f'),
        });
        assert!(form && id.len() == 36, "{id} is no version 4 UUID in lower case");
        assert!(seen.insert(id), "an id repeats");
    }
}

/// A pause holds between its ends and is reported once after it; `begin` is how a person starts one.
pub async fn pauses(pauses: &dyn Pauses, begin: impl Fn(&Pause)) {
    let now = sample::now();
    assert_eq!(pauses.look(now).await, PauseLook::None, "nothing was paused");
    let pause = Pause::new("ada", now, 60);
    begin(&pause);
    assert_eq!(pauses.look(now).await, PauseLook::Running(pause.clone()));
    assert_eq!(pauses.look(now.plus_seconds(59)).await, PauseLook::Running(pause.clone()));
    assert_eq!(pauses.look(now.plus_seconds(60)).await, PauseLook::Over(pause.clone()));
    let before = crate::values::Timestamp::from_unix_ms(now.unix_ms() - 1);
    assert_eq!(pauses.look(before).await, PauseLook::Over(pause.clone()), "the clock was moved back");
    let other = Pause::new("ben", now, 60);
    done(pauses.forget(&other).await, "forget another pause");
    assert_eq!(pauses.look(now).await, PauseLook::Running(pause.clone()), "another pause was meant");
    done(pauses.forget(&pause).await, "forget the pause");
    assert_eq!(pauses.look(now).await, PauseLook::None);
    done(pauses.forget(&pause).await, "forget it again");
}

/// Time can be written and read back.
pub fn clock(clock: &dyn Clock) {
    let now = clock.now();
    assert_eq!(crate::values::Timestamp::parse(&now.to_string()), Ok(now));
}

/// What no reader may ever prove read-only, whatever its table says.
pub fn command_reader(reader: &dyn CommandReader) {
    let never = [
        "",
        " ",
        "rm -rf x",
        "cat a > b",
        "cat a; rm b",
        "cat $(rm b)",
        "cat `rm b`",
        "cat a\nrm b",
        "x=1 cat a",
    ];
    for command in never {
        let reading = reader.read(command);
        let CommandReading::Unproved { why } = reading else {
            panic!("`{command}` was read as {reading:?}");
        };
        assert!(!why.trim().is_empty(), "`{command}` is unproved without a reason");
    }
}

/// Nothing is a refactor that is not proved.
pub fn mutation_classifier(classifier: &dyn MutationClassifier) {
    let path = sample::path("src/auth/jwt.rs");
    let class = |before: Option<&str>, after: Option<&str>| {
        let (before, after) = (before.map(str::as_bytes), after.map(str::as_bytes));
        classifier.classify(&[FileChange { path: &path, before, after }])
    };
    assert!(class(Some("fn f() { g(1) }"), Some("fn f() {\n    g(1)\n}\n")).is_refactor(), "layout");
    assert!(classifier.classify(&[]).is_refactor(), "nothing changed");
    for (before, after) in [
        (Some("fn f() { g(1) }"), Some("fn f() { g(2) }")),
        (Some("fn f() {}"), Some("fn f( {}")),
        (None, Some("fn f() {}")),
        (Some("fn f() {}"), None),
    ] {
        let mutation = class(before, after);
        assert!(!mutation.is_refactor(), "{before:?} to {after:?}");
        assert!(!mutation.evidence.is_empty(), "{before:?} to {after:?} is an evolution without a reason");
    }
}

/// There is an answer for each run of lines, whatever the text is.
pub fn symbol_finder(finder: &dyn SymbolFinder) {
    let path = sample::path("src/auth/jwt.rs");
    for text in ["", "fn f() {}\n", "{{{{", "\u{0}"] {
        assert_eq!(finder.enclosing(&path, text, &[(1, 1), (7, 3), (0, 0)]).len(), 3, "{text:?}");
    }
    assert_eq!(finder.enclosing(&path, "fn f() {}\n", &[]), vec![]);
}
