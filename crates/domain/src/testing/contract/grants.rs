//! What every store of grants, and every queue that takes one as an answer, must do.

use alloc::borrow::ToOwned;
use alloc::vec;

use super::{done, sample};
use crate::consents::GrantError;
use crate::consents::{
    Answer, ApprovalRequest, ApprovalStatus, Grant, GrantBounds, GrantCost, GrantEnd, GrantFile, GrantId,
    GrantStatus, GrantUse,
};
use crate::ports::{ApprovalError, ApprovalQueue, GrantStore};
use crate::values::{ContentHash, FileState};

fn cost(path: &str, lines: u32) -> GrantCost {
    let after = FileState::Content(ContentHash::of(path.as_bytes()));
    GrantCost { lines, files: vec![GrantFile { path: sample::path(path), before: FileState::Absent, after }] }
}

/// A grant is counted down in single steps, by one writer at a time, and never comes back.
pub async fn grant_store(store: &dyn GrantStore) {
    let now = sample::now();
    assert_eq!(done(store.list().await, "list nothing"), vec![]);
    assert_eq!(done(store.get(GrantId::new(1)).await, "look for a grant"), None);
    let first = done(store.open(&sample::grant_terms(now)).await, "open");
    assert_eq!((&first.status, &first.used), (&GrantStatus::Live, &GrantUse::default()));
    let second = done(store.open(&sample::grant_terms(now)).await, "open another");
    assert!(first.id < second.id, "numbers rise");
    assert_eq!(done(store.get(first.id).await, "get"), Some(first.clone()));
    assert_eq!(done(store.list().await, "list"), vec![first.clone(), second.clone()], "oldest first");

    let spent = first.spent(&cost("src/a.rs", 3), 7, now);
    done(store.replace(&first, &spent).await, "spend");
    assert_eq!(done(store.get(first.id).await, "get it again"), Some(spent.clone()));
    let again = store.replace(&first, &first.spent(&cost("src/b.rs", 1), 8, now)).await;
    assert_eq!(again, Err(GrantError::Changed(first.id)), "a spend from an old count does not count");
    nothing_grows(store, &spent).await;
    what_ended_stays_ended(store, &spent).await;

    let unknown = Grant { id: GrantId::new(99), ..second.clone() };
    assert_eq!(store.replace(&unknown, &unknown).await, Err(GrantError::Unknown(unknown.id)));
    let ended = store.end(unknown.id, &GrantEnd::Expired, now).await;
    assert_eq!(ended, Err(GrantError::Unknown(unknown.id)));
    assert_eq!(done(store.get(second.id).await, "get the other"), Some(second), "each is on its own");
}

async fn nothing_grows(store: &dyn GrantStore, grant: &Grant) {
    let mut wider = grant.clone();
    wider.terms.by = "mallory".to_owned();
    let fewer = Grant { used: GrantUse::default(), ..grant.clone() };
    for after in [wider, fewer] {
        let replaced = store.replace(grant, &after).await;
        assert_eq!(replaced, Err(GrantError::Changed(grant.id)), "{after:?}");
    }
}

async fn what_ended_stays_ended(store: &dyn GrantStore, grant: &Grant) {
    let at = sample::now().plus_seconds(60);
    let ended = done(store.end(grant.id, &GrantEnd::Drift, at).await, "end");
    assert_eq!(ended.status, GrantStatus::Ended { why: GrantEnd::Drift, at });
    let again = done(store.end(grant.id, &GrantEnd::Expired, at.plus_seconds(1)).await, "end again");
    assert_eq!(again, ended, "the first reason stays");
    let alive = Grant { status: GrantStatus::Live, ..ended.clone() };
    assert_eq!(store.replace(&ended, &alive).await, Err(GrantError::Changed(grant.id)));
}

/// A grant answers only a request that offers one; it approves that one call as well.
pub(super) async fn answers_by_grant(queue: &dyn ApprovalQueue) {
    let at = sample::now();
    let bounds = GrantBounds::default();
    let answer = Answer::Grant { by: "ada".to_owned(), bounds: bounds.clone() };
    let plain = done(queue.open(&sample::request("offers no grant"), at).await, "open");
    let refused = queue.answer(&plain.id, &answer, at).await;
    assert_eq!(refused, Err(ApprovalError::NotOffered(plain.id.0.clone())));
    let left = done(queue.get(&plain.id).await, "get").map(|approval| approval.status);
    assert_eq!(left, Some(ApprovalStatus::Open), "what cannot be granted stays open");

    let offer = Some(bounds.clone());
    let request = ApprovalRequest { offer, ..sample::request("offers a grant") };
    let open = done(queue.open(&request, at).await, "open");
    let granted = done(queue.answer(&open.id, &answer, at).await, "grant");
    let status = ApprovalStatus::Approved { by: "ada".to_owned(), at, grant: Some(bounds) };
    assert_eq!(granted.status, status);
    assert_eq!(done(queue.get(&open.id).await, "get").map(|approval| approval.status), Some(status));
    let used = done(queue.consume(&open.id, &open.request.fingerprint, at).await, "use the yes");
    assert_eq!(used.status, ApprovalStatus::Used { by: "ada".to_owned(), at });
    assert!(queue.consume(&open.id, &open.request.fingerprint, at).await.is_err(), "used once");
}
