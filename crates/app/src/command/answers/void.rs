//! Whether a request can still do anything: a yes counts for the call as it was asked, on the files and the intent of then.
//!
//! The gate asks anew where these changed; here a person is told before they answer. What cannot be read is no reason.

use bailiwick_adapters_fs::{FsApprovalQueue, FsIntentRepo, FsWorkspace, Layout, SystemClock};
use bailiwick_domain::{
    Answer, Approval, ApprovalError, ApprovalKind, ApprovalQueue, ApprovalRequest, ApprovalStatus, Clock,
    IntentRepo, Workspace,
};
use pollster::block_on;

use super::draft::in_worktree;
use crate::inert;

/// What became of a request that was answered with a grant.
const GRANTED: &str = "granted; the grant begins when the agent makes this call";

/// Writes an answer to a request down, on every surface. To a void one a plain yes is taken, though it lets nothing through,
/// whatever the files become: an agent that waits for it hears at once what changed. Any other yes is refused.
pub(in crate::command) fn answer(
    queue: &FsApprovalQueue,
    layout: &Layout,
    approval: &Approval,
    answer: &Answer,
) -> Result<Approval, ApprovalError> {
    let counts = match (answer, why(layout, &approval.request)) {
        (Answer::Approve { by }, Some(why)) => Answer::Void { by: by.clone(), why },
        (Answer::Reject { .. }, _) | (_, None) => answer.clone(),
        (_, Some(why)) => return Err(ApprovalError::Void { id: approval.id.0.clone(), why }),
    };
    block_on(queue.answer(&approval.id, &counts, SystemClock.now()))
}

/// What became of a request with its answer, for the one who gave it.
pub(in crate::command) fn became(approval: &Approval) -> String {
    let id = &approval.id.0;
    match &approval.status {
        ApprovalStatus::Void { why, .. } => format!("{id} is void: {}", inert::line(why)),
        ApprovalStatus::Approved { grant: Some(_), .. } => format!("{id} {GRANTED}"),
        ApprovalStatus::Approved { .. } if approval.amended.is_some() => {
            format!("{id} approved as you edited it")
        }
        ApprovalStatus::Approved { .. } => format!("{id} approved"),
        _ => format!("{id} rejected"),
    }
}

/// Refuses what a person would only begin to answer in vain.
pub(in crate::command) fn refuse_void(layout: &Layout, approval: &Approval) -> Result<(), ApprovalError> {
    match why(layout, &approval.request) {
        Some(why) => Err(ApprovalError::Void { id: approval.id.0.clone(), why }),
        None => Ok(()),
    }
}

/// Why a yes to this request would let nothing through.
pub(in crate::command) fn why(layout: &Layout, request: &ApprovalRequest) -> Option<String> {
    let layout = in_worktree(layout, request);
    intent(&layout, request).or_else(|| file(&layout, request))
}

fn intent(layout: &Layout, request: &ApprovalRequest) -> Option<String> {
    let id = request.intent_id.as_ref()?;
    let Some(intent) = block_on(FsIntentRepo::new(layout.clone()).get(id)).ok()? else {
        return Some(format!("{id} is gone, so the call would be refused"));
    };
    if let Some(closed) = intent.closed_because().filter(|_| request.kind != ApprovalKind::Outbound) {
        return Some(format!("{id} is {closed}, so the call would be refused"));
    }
    let asked = request.premise.as_ref()?.revision.as_ref()?;
    (asked != intent.revision()).then(|| asked_again(id.as_str()))
}

fn file(layout: &Layout, request: &ApprovalRequest) -> Option<String> {
    let workspace = FsWorkspace::new(layout.clone());
    let premise = request.premise.as_ref()?;
    let mut rests_on = premise.before.iter().chain(&premise.runs);
    let changed = rests_on.find(|(path, was)| block_on(workspace.state(path)).is_ok_and(|is| is != *was));
    changed.map(|(path, _)| asked_again(path.as_str()))
}

fn asked_again(what: &str) -> String {
    format!("{what} changed since it was asked; the agent will ask again")
}
