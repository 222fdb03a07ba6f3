//! A person's answer to one request: which one was given, whether it still fits, and what the agent is told of it.
//!
//! Deliberately absent: asking (the port `Approver`), and what an answer lets through.

use bailiwick_domain::{
    Action, ActorState, Answer, Approval, ApprovalError, ApprovalId, ApprovalKind, ApprovalStatus, FileState,
    Fingerprint, RepoPath, Timestamp, ToolError,
};

use crate::closed;
use crate::gathering::case::Case;
use crate::judged::Refused;
use crate::refusals::{AnswerFault, Hindrance};

part! {
    /// What was answered to single requests.
    pub(crate) struct Answers {
        from consents: approver, approvals;
        from chance: clock;
    }
}

/// What a human said to the same request before.
pub(crate) enum Said {
    /// Nobody was asked.
    Nothing,
    /// Nothing yet; the question is still open.
    Open(Box<Approval>),
    Yes(Box<Approval>),
    No(Box<Refused>),
}

impl Answers<'_> {
    /// What a human already said to exactly this call: a yes that was not used, or a no since the last prompt.
    pub(crate) async fn earlier_answer(
        &self,
        actor: &ActorState,
        kind: ApprovalKind,
        fingerprint: &Fingerprint,
    ) -> Result<Said, ToolError> {
        let found = self.approvals.find(fingerprint).await.map_err(closed)?;
        let Some(approval) = found.filter(|approval| approval.request.kind == kind) else {
            return Ok(Said::Nothing);
        };
        let now = self.clock.now();
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
                Ok(Said::No(Box::new(rejected(&approval, feedback.as_deref()))))
            }
            _ => Ok(Said::Nothing),
        }
    }

    pub(crate) async fn write_down(&self, id: &ApprovalId, answer: &Answer) -> Result<Approval, ToolError> {
        match self.approvals.answer(id, answer, self.clock.now()).await {
            Ok(approval) => Ok(approval),
            // A surface that shares the queue has written it there itself.
            Err(ApprovalError::Answered(_)) => match self.approvals.get(id).await.map_err(closed)? {
                Some(approval) if same_answer(&approval, answer) => Ok(approval),
                _ => Err(approval_error(&ApprovalError::Answered(id.0.clone()))),
            },
            Err(error) => Err(approval_error(&error)),
        }
    }

    /// Uses the yes up, so that it lets nothing else through. Where nobody waits for the call any more, the yes stays for
    /// the next one that is the same.
    pub(crate) async fn consume(&self, id: &ApprovalId, fingerprint: &Fingerprint) -> Result<(), ToolError> {
        if !self.approver.is_awaited() {
            return Err(Hindrance::Answer(AnswerFault::Unawaited(id)).error());
        }
        let used = self.approvals.consume(id, fingerprint, self.clock.now()).await;
        used.map(drop).map_err(|error| approval_error(&error))
    }
}

/// Whether the yes to a request was used up.
pub(crate) fn is_used(approval: &Approval) -> bool {
    matches!(approval.status, ApprovalStatus::Used { .. })
}

fn same_answer(approval: &Approval, answer: &Answer) -> bool {
    matches!(
        (&approval.status, answer),
        (ApprovalStatus::Approved { .. }, Answer::Approve { .. } | Answer::Grant { .. })
            | (ApprovalStatus::Void { .. }, Answer::Void { .. })
            | (ApprovalStatus::Rejected { .. }, Answer::Reject { .. })
    )
}

pub(crate) fn approver_of(approval: &Approval) -> Option<String> {
    match &approval.status {
        ApprovalStatus::Approved { by, .. } | ApprovalStatus::Used { by, .. } => Some(by.clone()),
        ApprovalStatus::Open
        | ApprovalStatus::Void { .. }
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
pub(crate) fn still_fits(kind: ApprovalKind, fingerprint: &Fingerprint, approval: &Approval) -> bool {
    !approval.is_void() && kind == approval.request.kind && *fingerprint == approval.request.fingerprint
}

pub(crate) fn approval_error(error: &ApprovalError) -> ToolError {
    Hindrance::Answer(AnswerFault::Unusable(error)).error()
}

/// Nobody has answered yet, and this is why.
pub(crate) fn unanswered(approval: &Approval, why: &str) -> Refused {
    Refused::by_question(approval, Hindrance::Answer(AnswerFault::Open(approval, why)).error())
}

/// A person said no.
pub(crate) fn rejected(approval: &Approval, feedback: Option<&str>) -> Refused {
    let error = Hindrance::Answer(AnswerFault::No(approval, feedback)).error();
    let said = match &approval.status {
        ApprovalStatus::Rejected { by, .. } => rejected_by(&approval.id, by, feedback),
        _ => error.message().to_owned(),
    };
    Refused::by_no(approval, said, error)
}

/// An answer as the decision log says it.
pub(crate) fn in_the_log(id: &ApprovalId, answer: &Answer) -> Option<(Action, String)> {
    let request = &id.0;
    match answer {
        Answer::Approve { by } | Answer::Grant { by, .. } => {
            Some((Action::Approved, format!("{request} approved by {by}")))
        }
        Answer::Amend { by, .. } => {
            Some((Action::Approved, format!("{request} approved by {by}, who edited it")))
        }
        Answer::Void { by, why } => {
            Some((Action::Approved, format!("{request} answered by {by}, but void: {why}")))
        }
        Answer::Reject { by, feedback } => Some((Action::Rejected, rejected_by(id, by, feedback.as_deref()))),
        Answer::Deferred | Answer::AskHost | Answer::Unanswered { .. } => None,
    }
}

fn rejected_by(id: &ApprovalId, by: &str, feedback: Option<&str>) -> String {
    let feedback = feedback.map(|text| format!(": {text}")).unwrap_or_default();
    format!("{} rejected by {by}{feedback}", id.0)
}

/// What was approved is not what would run now.
/// `now` is what its command runs now.
pub(crate) fn moved(case: &Case<'_>, now: &[(RepoPath, FileState)], approval: &Approval) -> Refused {
    let runs = approval.request.premise.iter().flat_map(|premise| &premise.runs);
    let changed = runs.filter(|run| !now.contains(run)).map(|(path, _)| path.to_string()).next();
    let path = case.paths().into_iter().next().or(changed);
    let path = path.unwrap_or_else(|| "the working copy".to_owned());
    Refused::by_answer(Hindrance::Answer(AnswerFault::Moved(approval, path)).error())
}
