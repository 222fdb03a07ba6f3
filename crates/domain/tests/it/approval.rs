//! Approvals and what a yes is bound to.

use bailiwick_domain::testing::{arbitrary, sample};
use bailiwick_domain::{
    Actor, Approval, ApprovalId, ApprovalStatus, CallFacts, ContentHash, FileState, Fingerprint, RepoPath,
    Revision, Value, json,
};
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Owned {
    tool: String,
    params: Value,
    cwd: Option<String>,
    before: Vec<(RepoPath, FileState)>,
    revision: Option<Revision>,
    actor: Actor,
    dispatched: Vec<ContentHash>,
}

impl Owned {
    fn base() -> Self {
        Self {
            tool: "write_to_file".to_owned(),
            params: json!({"path": "a.rs", "content": "x"}),
            cwd: Some("/repo".to_owned()),
            before: vec![(sample::path("a.rs"), FileState::Absent)],
            revision: Some(sample::intent("INT-001", &["src/**"]).revision().clone()),
            actor: sample::actor(),
            dispatched: vec![ContentHash::of(b"script")],
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&CallFacts {
            tool: &self.tool,
            params: &self.params,
            cwd: self.cwd.as_deref(),
            before: &self.before,
            revision: self.revision.as_ref(),
            actor: &self.actor,
            dispatched: &self.dispatched,
        })
    }
}

// D-17
#[test]
fn fingerprint_changes_with_each_bound_fact() {
    let content = FileState::Content(ContentHash::of(b"y"));
    let other_revision = sample::intent("INT-001", &["docs/**"]).revision().clone();
    let changed = [
        Owned::base(),
        Owned { tool: "edit_file".to_owned(), ..Owned::base() },
        Owned { params: json!({"path": "a.rs", "content": "y"}), ..Owned::base() },
        Owned { params: json!({"path": "a.rs"}), ..Owned::base() },
        Owned { cwd: Some("/repo/src".to_owned()), ..Owned::base() },
        Owned { cwd: None, ..Owned::base() },
        Owned { before: vec![(sample::path("a.rs"), content.clone())], ..Owned::base() },
        Owned { before: vec![(sample::path("b.rs"), FileState::Absent)], ..Owned::base() },
        Owned { before: Vec::new(), ..Owned::base() },
        Owned { revision: Some(other_revision), ..Owned::base() },
        Owned { revision: None, ..Owned::base() },
        Owned { actor: sample::child("a1"), ..Owned::base() },
        Owned { actor: Actor::root("codex", "s1"), ..Owned::base() },
        Owned { dispatched: vec![ContentHash::of(b"other script")], ..Owned::base() },
        Owned { dispatched: Vec::new(), ..Owned::base() },
    ];
    let mut fingerprints: Vec<_> = changed.iter().map(Owned::fingerprint).collect();
    fingerprints.sort();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), changed.len(), "a changed fact left the fingerprint as it was");
}

proptest! {
    // D-17
    #[test]
    fn fingerprint_does_not_depend_on_the_order_of_keys(pairs in prop::collection::btree_map("[a-z]{1,4}", any::<i64>(), 0..6)) {
        let forward: Vec<String> = pairs.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let backward: Vec<String> = forward.iter().rev().cloned().collect();
        let of = |parts: &[String]| {
            let params = serde_json::from_str(&format!("{{{}}}", parts.join(","))).unwrap();
            Owned { params, ..Owned::base() }.fingerprint()
        };
        prop_assert_eq!(of(&forward), of(&backward));
    }

    #[test]
    fn equal_fingerprints_mean_equal_files(a in arbitrary::file_state(), b in arbitrary::file_state()) {
        let of = |state: &FileState| Owned { before: vec![(sample::path("a.rs"), state.clone())], ..Owned::base() }.fingerprint();
        prop_assert_eq!(of(&a) == of(&b), a == b);
    }
}

fn approval(status: ApprovalStatus) -> Approval {
    let created = sample::now();
    Approval {
        id: ApprovalId("ap-1".to_owned()),
        request: sample::request("x"),
        created,
        expires: created.plus_seconds(Approval::LIFETIME_S),
        status,
        amended: None,
    }
}

fn statuses() -> [ApprovalStatus; 4] {
    let (by, at) = ("ada".to_owned(), sample::now());
    [
        ApprovalStatus::Open,
        ApprovalStatus::Approved { by: by.clone(), at, grant: None },
        ApprovalStatus::Rejected { by: by.clone(), at, feedback: None },
        ApprovalStatus::Used { by, at },
    ]
}

// D-17, REQ 143
#[test]
fn only_an_approved_request_is_usable_and_only_in_time() {
    assert_eq!(Approval::LIFETIME_S, 600);
    let (mine, other) = (sample::fingerprint("x"), sample::fingerprint("y"));
    let last_moment = sample::now().plus_seconds(599);
    let lapsed = sample::now().plus_seconds(600);
    for (index, status) in statuses().into_iter().enumerate() {
        let approval = approval(status);
        assert_eq!(approval.is_open(last_moment), index == 0, "{:?}", approval.status);
        assert_eq!(approval.is_usable(&mine, last_moment), index == 1, "{:?}", approval.status);
        assert!(!approval.is_usable(&other, last_moment));
        assert!(!approval.is_open(lapsed) && !approval.is_usable(&mine, lapsed));
    }
}

#[test]
fn req_144_a_request_carries_what_a_decision_needs() {
    let request = serde_json::to_value(sample::request("x")).unwrap();
    for key in ["intent_id", "tool", "changed_paths", "diff_preview", "reason", "kind", "fingerprint"] {
        assert!(!request[key].is_null(), "{key}");
    }
    assert_eq!(request["kind"], "destructive");
}

#[test]
fn an_approval_survives_its_json() {
    for status in statuses() {
        let approval = approval(status);
        let json = serde_json::to_string(&approval).unwrap();
        assert_eq!(serde_json::from_str::<Approval>(&json).unwrap(), approval);
    }
}

// D-14, D-16: requests are sealed over their form, so one that an earlier version wrote must keep it
#[test]
fn a_request_that_names_no_working_copy_is_written_as_before() {
    let written = json!(sample::request("old"));
    let keys: Vec<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
    let old =
        ["actor", "changed_paths", "diff_preview", "fingerprint", "intent_id", "kind", "reason", "tool"];
    assert_eq!(keys, old);
    assert_eq!(
        serde_json::from_value::<bailiwick_domain::ApprovalRequest>(written).unwrap(),
        sample::request("old")
    );
}
