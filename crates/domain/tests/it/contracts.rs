//! The in-memory ports keep the contracts that every adapter keeps.

use bailiwick_domain::testing::contract;
use bailiwick_domain::testing::memory::{
    CountingIds, FixedClock, FixedVcs, MemoryAllowances, MemoryApprovals, MemoryDecisions, MemoryGrants,
    MemoryIntents, MemoryLedger, MemoryLock, MemoryMutations, MemoryPauses, MemoryPendings,
    MemoryPolicySource, MemorySessions, MemoryTallies, MemoryWorkspace, ScriptedApprover, TableReader,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Answer, Approver, CommandReader, CommandReading, ContentHash, DecisionLog, FileState, Health,
    HealthFault, IgnoreSource, IntentRepo, Ledger, Location, PolicySource, PortError, ReadOnly, RepoPath,
    SessionStore, Vcs, VcsRevision, Workspace, WorkspaceLock,
};
use pollster::block_on;

fn fault() -> PortError {
    PortError::Unavailable("disk is full".to_owned())
}

#[test]
fn memory_ports_keep_their_contracts() {
    block_on(contract::session_store(&MemorySessions::default()));
    block_on(contract::approval_queue(&MemoryApprovals::default()));
    block_on(contract::allowance_store(&MemoryAllowances::default()));
    block_on(contract::tallies(&MemoryTallies::default()));
    block_on(contract::grant_store(&MemoryGrants::default()));
    block_on(contract::decision_log(&MemoryDecisions::default()));
    block_on(contract::pending_store(&MemoryPendings::default()));
    let files = MemoryWorkspace::default();
    block_on(contract::workspace_writer(&files, &files));
    block_on(contract::ledger(&MemoryLedger::default()));
    let pauses = MemoryPauses::default();
    block_on(contract::pauses(&pauses, |pause| pauses.set(Some(pause.clone()))));
    contract::mutation_classifier(&MemoryMutations::default().with_evidence("it differs"));
    contract::symbol_finder(&MemoryMutations::default());
    contract::id_source(&CountingIds::default());
    contract::clock(&FixedClock::default());
    contract::command_reader(&TableReader::default());
}

#[test]
fn memory_intents_keep_the_contract_and_count_loads() {
    let intents = vec![sample::intent("INT-002", &["b/**"]), sample::intent("INT-001", &["a/**"])];
    let repo = MemoryIntents::new(intents.clone());
    block_on(contract::intent_repo(&repo, &intents));
    assert_eq!(repo.loads(), 4);
    repo.fail(Some(fault()));
    assert_eq!(block_on(repo.load()), Err(fault()));
    repo.fail(None);
    repo.clone().set(Vec::new());
    assert!(block_on(repo.load()).unwrap().is_empty());
}

// K-09
#[test]
fn memory_lock_lets_one_in_at_a_time() {
    let lock = MemoryLock::default();
    block_on(contract::workspace_lock(&lock, &lock.clone()));
    let guard = block_on(lock.acquire()).unwrap();
    let impatient = lock.with_patience(std::time::Duration::ZERO);
    assert!(matches!(block_on(impatient.acquire()), Err(PortError::Locked(_))));
    drop(guard);
    assert!(block_on(impatient.acquire()).is_ok());
    assert!(!lock.is_held());
}

#[test]
fn stores_fail_when_told_to() {
    let (sessions, ledger, log) =
        (MemorySessions::default(), MemoryLedger::default(), MemoryDecisions::default());
    sessions.fail(Some(fault()));
    ledger.fail(Some(fault()));
    log.fail(Some(fault()));
    assert_eq!(block_on(sessions.load(&sample::actor())), Err(fault()));
    assert_eq!(block_on(ledger.ready()), Err(fault()));
    assert_eq!(block_on(log.append(&sample::decision("n"))), Err(fault()));
    assert!(log.records().is_empty());
}

// K-35
#[test]
fn memory_workspace_locates_by_text() {
    let workspace = MemoryWorkspace::with([("src/a.rs", "a\n")]);
    workspace.add_scratch("/scratch");
    workspace.add_read_root("/docs");
    let locate = |path: &str, cwd: Option<&'static str>| block_on(workspace.locate(path, cwd));
    let inside = |path: &str, cwd| match locate(path, cwd) {
        Location::Inside(found) => found.path.as_str().to_owned(),
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(inside("src/./x/../a.rs", None), "src/a.rs");
    assert_eq!(inside("../a.rs", Some("/repo/src")), "a.rs");
    assert_eq!(inside("/repo/src/a.rs", Some("/elsewhere")), "src/a.rs");
    assert_eq!(locate(".", None), Location::Root);
    assert_eq!(locate("src/../../x", None), Location::Outside("/x".to_owned()));
    assert_eq!(locate("/repository/x", None), Location::Outside("/repository/x".to_owned()));
    assert_eq!(locate("/scratch/plan.md", None), Location::Scratch("/scratch/plan.md".to_owned()));
    assert_eq!(locate("/docs/x", None), Location::ReadRoot("/docs/x".to_owned()));
    assert!(matches!(locate("a\0b", None), Location::Invalid(_)));
}

#[test]
fn memory_workspace_reads_what_was_written() {
    let workspace = MemoryWorkspace::with([("src/a.rs", "a\n")]);
    let path = |text: &str| RepoPath::new(text).unwrap();
    let state = |text: &str| block_on(workspace.state(&path(text)));
    assert_eq!(state("src/a.rs"), Ok(FileState::Content(ContentHash::of(b"a\n"))));
    assert_eq!(state("src"), Ok(FileState::Other));
    assert_eq!(state("sr"), Ok(FileState::Absent));
    assert_eq!(block_on(workspace.read(&path("src/a.rs"), 2)), Ok(Some(b"a\n".to_vec())));
    assert!(block_on(workspace.read(&path("src/a.rs"), 1)).is_err());
    workspace.make_unreadable(&path("src/a.rs"));
    assert!(state("src/a.rs").is_err());
}

#[test]
fn scripted_approver_runs_dry_into_silence() {
    let approver = ScriptedApprover::new(vec![Answer::Approve { by: "ada".to_owned() }]);
    let queue = MemoryApprovals::default();
    let open = block_on(bailiwick_domain::ApprovalQueue::open(&queue, &sample::request("x"), sample::now()));
    let open = open.unwrap();
    assert_eq!(block_on(approver.ask(&open, 1)), Answer::Approve { by: "ada".to_owned() });
    assert!(matches!(block_on(approver.ask(&open, 1)), Answer::Unanswered { .. }));
    assert_eq!(approver.asked(), vec![open.clone(), open]);
}

#[test]
fn settable_ports_say_what_they_were_told() {
    let policy = MemoryPolicySource::default();
    assert_eq!(block_on(policy.health()), Health::Ok);
    assert_eq!(block_on(policy.ignore()), IgnoreSource::Absent);
    policy.set_health(Health::Broken(HealthFault::NoRoot));
    policy.set_settings(Err(fault()));
    assert_eq!(block_on(policy.clone().health()), Health::Broken(HealthFault::NoRoot));
    assert_eq!(block_on(policy.settings()), Err(fault()));

    let vcs = FixedVcs::default();
    vcs.set(VcsRevision::None("no repository".to_owned()));
    assert_eq!(block_on(vcs.revision()), VcsRevision::None("no repository".to_owned()));

    let reader = TableReader::default();
    let reading = CommandReading::ReadOnly(ReadOnly {
        shows: vec!["a".to_owned()],
        reads: vec!["a".to_owned()],
        ..ReadOnly::default()
    });
    reader.insert("cat a", reading.clone());
    assert_eq!(reader.read("cat a"), reading);
    assert!(matches!(reader.read("cat b"), CommandReading::Unproved { .. }));
}
