//! Values of the wire for tests.

use super::{Approval, ApprovalStatus, AskedBy, FolderSnapshot, Kind, Marks, Pause, Snapshot, State};

pub(crate) fn approval(id: &str, created: &str) -> Approval {
    Approval {
        root: "/repo".to_owned(),
        id: id.to_owned(),
        fingerprint: "sha256:0".to_owned(),
        status: ApprovalStatus::Open,
        kind: Kind::Destructive,
        intent_id: Some("INT-001".to_owned()),
        actor: "claude-code/s1".to_owned(),
        asked_by: AskedBy {
            host: "claude-code".to_owned(),
            session: "s1".to_owned(),
            agent: None,
            worktree: None,
            folder: None,
        },
        tool: "write_to_file".to_owned(),
        draft: None,
        offer: None,
        broad: None,
        allows: None,
        changed_paths: vec!["src/a.rs".to_owned()],
        diff_preview: String::new(),
        reason: "it writes".to_owned(),
        void: None,
        mutation: None,
        created: created.to_owned(),
        expires: created.to_owned(),
        first_screen: Vec::new(),
        unseen: None,
        added: 0,
        removed: 0,
        class: String::new(),
        prompt: None,
        intent: None,
    }
}

pub(crate) fn pause() -> Pause {
    Pause { by: "dana".to_owned(), from: String::new(), until: String::new() }
}

pub(crate) fn snapshot(approvals: Vec<Approval>) -> Snapshot {
    let folder = FolderSnapshot {
        root: "/repo".to_owned(),
        name: "repo".to_owned(),
        state: State::Governed,
        trouble: None,
        pause: None,
        approvals,
        grants: Vec::new(),
        reviews: Vec::new(),
        done: Vec::new(),
        agents: Vec::new(),
        running: 0,
        marks: Marks::default(),
    };
    Snapshot { folders: vec![folder] }
}
