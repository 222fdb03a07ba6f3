//! A person's answer to one request: which one was given, whether it still fits, and what the agent is told of it.
//!
//! Deliberately absent: asking (the port `Approver`), and what an answer lets through.

use bailiwick_domain::{
    ActorState, Answer, Approval, ApprovalError, ApprovalId, ApprovalKind, ApprovalStatus, ErrorCode,
    Fingerprint, Timestamp, ToolError, Verdict,
};

use crate::gathering::case::Case;
use crate::{Gate, closed};

/// What a human said to the same request before.
pub(crate) enum Said {
    /// Nobody was asked.
    Nothing,
    /// Nothing yet; the question is still open.
    Open(Box<Approval>),
    Yes(Box<Approval>),
    No(Box<ToolError>),
}

impl Gate {
    /// What a human already said to exactly this call: a yes that was not used, or a no since the last prompt.
    pub(crate) async fn earlier_answer(
        &self,
        actor: &ActorState,
        kind: ApprovalKind,
        fingerprint: &Fingerprint,
    ) -> Result<Said, ToolError> {
        let found = self.ports.consents.approvals.find(fingerprint).await.map_err(closed)?;
        let Some(approval) = found.filter(|approval| approval.request.kind == kind) else {
            return Ok(Said::Nothing);
        };
        let now = self.ports.chance.clock.now();
        if approval.is_usable(fingerprint, now) {
            return Ok(Said::Yes(Box::new(approval)));
        }
        if approval.is_open(now) {
            return Ok(Said::Open(Box::new(approval)));
        }
        match &approval.status {
            ApprovalStatus::Rejected { at, feedback, .. }
                if now < approval.expires && actor.prompted.is_none_or(|prompted| prompted < *at) =>
            {
                Ok(Said::No(Box::new(rejected_error(&approval, feedback.as_deref()))))
            }
            _ => Ok(Said::Nothing),
        }
    }

    pub(crate) async fn write_down(&self, id: &ApprovalId, answer: &Answer) -> Result<Approval, ToolError> {
        match self.ports.consents.approvals.answer(id, answer, self.ports.chance.clock.now()).await {
            Ok(approval) => Ok(approval),
            // A surface that shares the queue has written it there itself.
            Err(ApprovalError::Answered(_)) => {
                match self.ports.consents.approvals.get(id).await.map_err(closed)? {
                    Some(approval) if same_answer(&approval, answer) => Ok(approval),
                    _ => Err(approval_error(&ApprovalError::Answered(id.0.clone()))),
                }
            }
            Err(error) => Err(approval_error(&error)),
        }
    }
}

fn same_answer(approval: &Approval, answer: &Answer) -> bool {
    matches!(
        (&approval.status, answer),
        (ApprovalStatus::Approved { .. }, Answer::Approve { .. } | Answer::Grant { .. })
            | (ApprovalStatus::Rejected { .. }, Answer::Reject { .. })
    )
}

pub(crate) fn approver_of(approval: &Approval) -> Option<String> {
    match &approval.status {
        ApprovalStatus::Approved { by, .. } | ApprovalStatus::Used { by, .. } => Some(by.clone()),
        ApprovalStatus::Open
        | ApprovalStatus::Rejected { .. }
        | ApprovalStatus::WithHost { .. }
        | ApprovalStatus::NotRun { .. } => None,
    }
}

/// When the human said yes, as long as the yes is not used.
pub(crate) fn approved_at(approval: &Approval) -> Option<Timestamp> {
    match &approval.status {
        ApprovalStatus::Approved { at, .. } => Some(*at),
        _ => None,
    }
}

/// Whether an approval still answers the question that would be asked now: the same call on the same files, and a
/// question of the same kind, since an approval inside the rules is no override.
pub(crate) fn still_fits(verdict: &Verdict, fingerprint: &Fingerprint, approval: &Approval) -> bool {
    match verdict {
        Verdict::WaitForApproval(need) => {
            need.kind == approval.request.kind && *fingerprint == approval.request.fingerprint
        }
        Verdict::Allow | Verdict::Block(_) => false,
    }
}

pub(crate) fn approval_error(error: &ApprovalError) -> ToolError {
    let code = match error {
        ApprovalError::Port(_) => ErrorCode::LedgerUnavailable,
        ApprovalError::Unknown(_)
        | ApprovalError::Answered(_)
        | ApprovalError::WithHost(_)
        | ApprovalError::Lapsed(_)
        | ApprovalError::NoDraft(_)
        | ApprovalError::NotOffered(_)
        | ApprovalError::OutsideScope { .. } => ErrorCode::ApprovalTimeout,
    };
    ToolError::new(code, format!("the approval cannot be used: {error}"))
}

pub(crate) fn pending_error(approval: &Approval, why: &str) -> ToolError {
    let message = format!("Approval pending: request {} waits for a human. {why}", approval.id.0);
    ToolError::new(ErrorCode::ApprovalPending, message)
        .with_detail("approval_id", approval.id.0.clone())
        .with_detail("expires", approval.expires.to_string())
        .with_detail("tool", approval.request.tool.clone())
        .with_detail("paths", approval.request.changed_paths.clone())
        .with_detail("retry", bailiwick_domain::json!({"same_call": true}))
}

pub(crate) fn rejected_error(approval: &Approval, feedback: Option<&str>) -> ToolError {
    let reason = match feedback {
        Some(text) => format!("a human rejected this call and says: {text}"),
        None => "a human rejected this call".to_owned(),
    };
    let message = format!("Rejected: a human refused {}{}.", approval.request.tool, on_paths(approval));
    ToolError::new(ErrorCode::DestructiveActionRejected, message)
        .with_reason(reason)
        .with_detail("approval_id", approval.id.0.clone())
        .with_detail("feedback", feedback.map_or(bailiwick_domain::Value::Null, Into::into))
        .with_detail("tool", approval.request.tool.clone())
        .with_detail("paths", approval.request.changed_paths.clone())
        .with_detail("retry", bailiwick_domain::json!({"same_call": false, "alternative": true}))
}

/// What was approved is not what would run now.
pub(crate) fn moved_error(case: &Case<'_>, approval: &Approval) -> ToolError {
    let path = case.paths().into_iter().next().unwrap_or_else(|| "the working copy".to_owned());
    ToolError::stale_file(&path)
        .with_reason(
            "the files or the intent changed while a human was deciding, so the approval no longer fits",
        )
        .with_detail("cause", "changed_during_approval")
        .with_detail("approval_id", approval.id.0.clone())
        .with_detail("paths", approval.request.changed_paths.clone())
}

/// The paths of a request as the end of a sentence; nothing for commands and tools without known paths.
fn on_paths(approval: &Approval) -> String {
    match approval.request.changed_paths.as_slice() {
        [] => String::new(),
        [one] => format!(" on {one}"),
        [first, rest @ ..] => format!(" on {first} and {} more", rest.len()),
    }
}
