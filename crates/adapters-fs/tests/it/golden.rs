//! Private state as earlier versions left it: every store still reads it, and what it says still counts (D-08).

use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{
    FsApprovalQueue, FsDecisionLog, FsLedger, FsPendingStore, FsSessionStore, FsWorkspaceLock, Layout,
};
use bailiwick_domain::{
    Action, Actor, ApprovalQueue, ApprovalStatus, CallId, FileState, Ledger, PendingStore, PortError,
    RepoPath, SessionStore, Shown, State, Sync, WorkspaceLock,
};
use pollster::block_on;

fn copied() -> (tempfile::TempDir, Layout) {
    let folder = tempfile::tempdir().unwrap();
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/state-format-1");
    copy(&from, folder.path());
    std::fs::create_dir_all(folder.path().join("repo/.orchestration")).unwrap();
    let layout = Layout::new(
        folder.path().join("repo"),
        folder.path().join("private"),
        Some(folder.path().join("user")),
    );
    (folder, layout)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

// D-08
#[test]
fn state_of_format_1_is_read_whole() {
    let (_folder, layout) = copied();
    let actor = Actor::root("claude-code", "s1");
    let path = RepoPath::new("src/auth/a.rs").unwrap();
    assert!(block_on(FsWorkspaceLock::new(layout.clone()).acquire()).is_ok());

    let sessions = FsSessionStore::new(layout.clone());
    let state = block_on(sessions.load(&actor)).unwrap().unwrap();
    assert_eq!(state.state, State::Action);
    assert_eq!(state.active.unwrap().id.as_str(), "INT-001");
    assert!(state.mutated);
    let seen = block_on(sessions.observation(&actor, &path)).unwrap().unwrap();
    assert!(matches!(seen.state, FileState::Content(_)));
    assert_eq!(seen.shown, Shown::Whole, "what was seen before there were parts counts as whole");

    let approvals = block_on(FsApprovalQueue::new(layout.clone()).list()).unwrap();
    assert_eq!(approvals.len(), 2);
    assert!(
        approvals.iter().all(|approval| matches!(approval.status, ApprovalStatus::Used { .. })),
        "sealed"
    );

    let pendings = FsPendingStore::new(layout.clone());
    let pending = block_on(pendings.get(&actor, &CallId("w4".into())));
    assert_eq!(pending, Ok(None), "it lies where anybody may have written it");
    assert_eq!(pendings.unread().unwrap().len(), 0);
    let before = bailiwick_domain::ContentHash::of(b"old\n");
    assert_eq!(block_on(pendings.kept(&before)).unwrap().as_deref(), Some(b"old\n".as_slice()));

    let ledger = FsLedger::new(layout.clone(), Sync::Os);
    let intent = bailiwick_domain::IntentId::new("INT-001").unwrap();
    assert_eq!(block_on(ledger.recent(&intent, 10)).unwrap().len(), 1);
    assert!(block_on(ledger.ready()).is_ok());

    let log = FsDecisionLog::new(layout).read_recent(100, |_| true).unwrap();
    assert!(log.iter().any(|record| record.action == Action::Recorded));
    assert_eq!(log.len(), usize::try_from(log[0].seq).unwrap() + 1, "every line is understood");
}

// D-08: fail closed
#[test]
fn state_of_a_form_that_nobody_knows_yet_is_not_touched() {
    let (_folder, layout) = copied();
    let known = ["", "f", "format", "format 1", "format 1\n", "format 2\n"].map(|text| (text, true));
    let others = ["format 0", "format 3", "formats", "x"].map(|text| (text, false));
    for (text, known) in known.into_iter().chain(others) {
        std::fs::write(layout.private().join("lock"), text).unwrap();
        let taken = block_on(FsWorkspaceLock::new(layout.clone()).acquire());
        assert_eq!(taken.is_ok(), known, "{text:?}");
        assert!(known || matches!(taken, Err(PortError::Invalid(_))), "{text:?}");
        assert_eq!(std::fs::read_to_string(layout.private().join("lock")).unwrap(), text);
    }
}
