//! New intents: an agent drafts, the gate measures, a person approves, the gate writes.
//!
//! A draft goes the way of a destructive call: through the queue, bound by a fingerprint to what it says and to the intent that
//! it changes, decided again after the answer, used once. It never rests on the host's own prompt.

use std::convert::identity;

use bailiwick_domain::{
    Action, ActiveIntent, ActorState, Amended, Answer, Approval, ApprovalId, IntentChange, IntentEdit,
    OwnTool, Params, ToolCall, ToolError, Value,
};

use super::Authoring;
use super::drafts::{Drafted, accepted, accepted_as};
use super::expansion::grown;
use crate::consent::answer::{Said, approver_of, in_the_log, rejected, still_fits};
use crate::outcome::Look;
use crate::refusals::{AnswerFault, DraftFault, Hindrance, OwnToolFault};
use crate::{Because, Outcome, closed};

/// Why the host's prompt does not do.
pub(crate) const NOT_THERE: &str = "The host's own prompt cannot answer this: ask the human to run `bailiwick watch` in a terminal of this repository, then retry.";

/// Whether an own tool drafts a change of the intents file.
pub(crate) fn is_draft(name: &str) -> bool {
    matches!(OwnTool::named(name), Some(OwnTool::ProposeIntent | OwnTool::RequestScopeExpansion))
}

impl Authoring<'_> {
    /// Looks at a draft under the lock: refused, said already, answered before, or a question.
    pub(crate) async fn look_at_draft(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
    ) -> Result<Look, ToolError> {
        let (before, _) = self.standing.load_or_inherit(&call.actor).await.map_err(closed)?;
        let looked = self.judge_draft(call, name, params, &before).await;
        self.logged_if_refused(call, &before, looked, Look::Settled).await
    }

    /// Where a drafted intent stands, without asking anybody: what our MCP server shows after the gate has let the call
    /// through.
    ///
    /// # Errors
    /// When the store is broken, or no intent has that name.
    pub async fn show_proposal(&self, params: &Params) -> Result<String, ToolError> {
        self.standing.healthy().await?;
        let named = params.get("name").and_then(Value::as_str).map(str::trim);
        if let Some(result) = self.accepted_amended(|draft| Some(draft.name.as_str()) == named).await? {
            return Ok(result);
        }
        let set = self.intents.load().await.map_err(closed)?;
        match set.selectable().filter(|intent| Some(intent.name()) == named).last() {
            Some(intent) => Ok(accepted(intent.id().as_str()) + &self.left_out(intent.owned_scope()).await),
            None => Err(Hindrance::OwnTool(OwnToolFault::NotAccepted).error()),
        }
    }

    async fn judge_draft(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
        before: &ActorState,
    ) -> Result<Look, ToolError> {
        let draft = match self.drafted(call, name, params, before).await? {
            Drafted::Already(result) => {
                self.note(call, before, Action::Transition, None, format!("{name} answered")).await?;
                let because = Because::OwnTool { name: name.to_owned(), result };
                return Ok(Look::Settled(Outcome::Allow(because)));
            }
            Drafted::Asks(draft) => draft,
        };
        let request = &draft.request;
        let settings = self.policy.settings().await.map_err(closed)?;
        let approval = match self.answers.earlier_answer(before, request.kind, &request.fingerprint).await? {
            Said::Yes(yes) => {
                return self.make(call, name, before, &draft.edit, *yes).await.map(Look::Settled);
            }
            Said::No(refused) => {
                self.standing.has_told(&call.actor, &refused).await;
                return Err(refused.error);
            }
            Said::Open(open) => *open,
            Said::Nothing => self.approvals.open(request, self.clock.now()).await.map_err(closed)?,
        };
        let (action, reason) = (Action::WaitForApproval, request.reason.clone());
        self.note(call, before, action, Some(&approval.id), reason).await?;
        Ok(Look::Ask(Box::new(approval), settings.approval_timeout_s))
    }

    /// A person has answered; the caller holds the lock. The draft is made again, on the file as it is now.
    pub(crate) async fn draft_answered(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
        id: &ApprovalId,
        answer: &Answer,
    ) -> Result<Outcome, ToolError> {
        let (before, _) = self.standing.load_or_inherit(&call.actor).await.map_err(closed)?;
        let made = self.make_if_answered(call, name, params, &before, id, answer).await;
        self.logged_if_refused(call, &before, made, identity).await
    }

    async fn make_if_answered(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
        before: &ActorState,
        id: &ApprovalId,
        answer: &Answer,
    ) -> Result<Outcome, ToolError> {
        let approval = self.answers.write_down(id, answer).await?;
        let Some((action, note)) = in_the_log(id, answer) else {
            return Err(Hindrance::Answer(AnswerFault::Nothing).error());
        };
        self.note(call, before, action, Some(id), note).await?;
        if let Answer::Reject { feedback, .. } = answer {
            let refused = rejected(&approval, feedback.as_deref());
            self.standing.has_told(&call.actor, &refused).await;
            return Err(refused.error);
        }
        match self.drafted(call, name, params, before).await? {
            Drafted::Asks(draft) if still_fits(draft.request.kind, &draft.request.fingerprint, &approval) => {
                self.make(call, name, before, &draft.edit, approval).await
            }
            Drafted::Asks(draft) => {
                let file = draft.edit.file.as_str();
                Err(Hindrance::Draft(DraftFault::Changed(file, Some(&approval.id))).error())
            }
            Drafted::Already(result) => {
                Ok(Outcome::Allow(Because::OwnTool { name: name.to_owned(), result }))
            }
        }
    }

    /// Uses the yes up, writes the change, and tells the agent what to do next.
    async fn make(
        &self,
        call: &ToolCall,
        name: &str,
        before: &ActorState,
        edit: &IntentEdit,
        approval: Approval,
    ) -> Result<Outcome, ToolError> {
        let agreed = self.agreed(edit, &approval).await?;
        self.answers.consume(&approval.id, &approval.request.fingerprint).await?;
        // A surface of another version let a human change the draft in a form that this gate cannot write. The yes is
        // used up, so that the human is asked again.
        let Some(edit) = &agreed else {
            return Err(Hindrance::Answer(AnswerFault::OtherVersion(&approval.id)).error());
        };
        let by = approver_of(&approval).unwrap_or_else(|| "unknown".to_owned());
        let changed = approval.amended.as_ref().map_or("", |_| " as changed");
        let note = format!("{name} writes {}, approved{changed} by {by}", edit.intent);
        self.note(call, before, Action::Transition, Some(&approval.id), note).await?;
        let branch = self.vcs.branch().await;
        let fault = |error| Hindrance::Draft(DraftFault::Edit(error, edit.file.as_str())).error();
        self.writer.write(edit, &branch).await.map_err(fault)?;
        let result = match &edit.change {
            IntentChange::Expand { .. } => {
                self.follow_revision(call, before, edit).await?;
                grown(&edit.intent, approval.amended.as_ref())
            }
            IntentChange::Add(new) => {
                let told = match &approval.amended {
                    Some(Amended::Intent(amended)) => accepted_as(edit.intent.as_str(), amended),
                    Some(Amended::Scope { .. }) | None => accepted(edit.intent.as_str()),
                };
                told + &self.left_out(&new.owned_scope).await
            }
            IntentChange::SetStatus { .. } => accepted(edit.intent.as_str()),
        };
        Ok(Outcome::Allow(Because::OwnTool { name: name.to_owned(), result }))
    }

    /// The actor goes on under the revision that a human just approved for it.
    async fn follow_revision(
        &self,
        call: &ToolCall,
        before: &ActorState,
        edit: &IntentEdit,
    ) -> Result<(), ToolError> {
        let intent = self.intents.get(&edit.intent).await.map_err(closed)?;
        let revision = intent.as_ref().map(|intent| intent.revision().clone());
        let active = revision.map(|revision| ActiveIntent { id: edit.intent.clone(), revision });
        let after = ActorState { active: active.or_else(|| before.active.clone()), ..before.clone() };
        self.standing.save(&call.actor, &after).await
    }

    async fn drafted(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
        state: &ActorState,
    ) -> Result<Drafted, ToolError> {
        if let Some(why) = self.standing.halted(&call.actor, state).await.map_err(closed)? {
            return Err(bailiwick_policy::quarantine_error(&why));
        }
        self.standing.healthy().await?;
        let mut drafted = match OwnTool::named(name) {
            Some(OwnTool::ProposeIntent) => self.proposed(call, params).await?,
            _ => self.expanded(call, params, state).await?,
        };
        if let Drafted::Asks(draft) = &mut drafted {
            draft.request.worktree = self.worktree.map(str::to_owned);
        }
        Ok(drafted)
    }

    pub(super) async fn logged_if_refused<T>(
        &self,
        call: &ToolCall,
        state: &ActorState,
        result: Result<T, ToolError>,
        settled: fn(Outcome) -> T,
    ) -> Result<T, ToolError> {
        let error = match result {
            Ok(looked) => return Ok(looked),
            Err(error) => error,
        };
        let mut record = self.decisions.record_of(call, state, Action::Block, error.message().to_owned());
        record.code = Some(error.code());
        self.decisions.append(&record).await?;
        Ok(settled(Outcome::block(error)))
    }

    async fn note(
        &self,
        call: &ToolCall,
        state: &ActorState,
        action: Action,
        approval: Option<&ApprovalId>,
        note: String,
    ) -> Result<(), ToolError> {
        let mut record = self.decisions.record_of(call, state, action, note);
        record.approval = approval.cloned();
        self.decisions.log(&record).await
    }
}
