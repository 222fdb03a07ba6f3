//! Before a call runs: gather, decide, ask, decide again, let through or refuse.

use bailiwick_domain::{
    Action, ActorState, Answer, Approval, ApprovalError, ApprovalId, ApprovalNeed, DecisionRecord, ErrorCode,
    GrantBounds, Intent, IntentId, ToolCall, ToolError, Verdict,
};
use bailiwick_policy::within::outside;
use bailiwick_policy::{decide, handshake, rejected_again};

use crate::consent::answer::{moved_error, pending_error, rejected_error, still_fits};
use crate::consent::look_up::{Consent, Found};
use crate::gathering::case::Case;
use crate::outcome::Look;
use crate::{Gate, Outcome, closed};

impl Gate {
    /// Judges a call before it runs. Every failure of the gate itself comes out as a refusal.
    pub async fn pre(&self, call: &ToolCall) -> Outcome {
        let outcome = match self.look(call).await {
            Ok(Look::Settled(outcome)) => Ok(outcome),
            Ok(Look::Ask(approval, timeout_s)) => self.ask(call, *approval, timeout_s).await,
            Err(error) => Err(error),
        };
        let outcome = self.or_logged(call, outcome).await;
        self.remember_told(call, &outcome).await;
        outcome
    }

    /// Brings a person's answer to a call that waits on this connection.
    pub async fn resolve(&self, id: &ApprovalId, answer: Answer) -> Outcome {
        let Some(call) = self.take_waiting(id) else {
            let message = format!("no call on this connection waits for approval `{}`", id.0);
            return Outcome::block(ToolError::new(ErrorCode::ApprovalTimeout, message));
        };
        if let Some(error) = self.no_grant_fits(id, &answer).await {
            self.put_waiting(id, &call);
            return Outcome::block(error);
        }
        let outcome = self.answered(&call, id, answer).await;
        self.or_logged(&call, outcome).await
    }

    /// A call that could not be decided is refused, and the log has that too where it can be written.
    async fn or_logged(&self, call: &ToolCall, outcome: Result<Outcome, ToolError>) -> Outcome {
        match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                let note = error.message().to_owned();
                let record = DecisionRecord {
                    class: None,
                    code: Some(error.code()),
                    ..self.record_of(call, &ActorState::default(), Action::Block, note)
                };
                drop(self.ports.records.decisions.append(&record).await);
                Outcome::block(error)
            }
        }
    }

    async fn look(&self, call: &ToolCall) -> Result<Look, ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        if let Some((name, params)) = self.own_tool_of(call) {
            if crate::authoring::drafting::is_draft(&name) {
                return self.look_at_draft(call, &name, &params).await;
            }
            return self.own_tool(call, &name, &params).await.map(Look::Settled);
        }
        let mut case = self.gather_and_step(call).await?;
        self.log_explained(&case).await?;
        match self.judge(&mut case).await {
            Verdict::Allow => self.let_safe_through(case).await.map(Look::Settled),
            verdict => match self.paused().await {
                Some(pause) => self.let_paused_through(case, &verdict, pause).await.map(Look::Settled),
                None => self.hold(case, verdict).await,
            },
        }
    }

    /// The call does not go through by itself.
    async fn hold(&self, case: Case<'_>, verdict: Verdict) -> Result<Look, ToolError> {
        match verdict {
            Verdict::Allow => self.let_safe_through(case).await.map(Look::Settled),
            Verdict::Block(error) => self.refuse(case, *error).await.map(Look::Settled),
            Verdict::WaitForApproval(need) => self.look_for_answer(case, need).await,
        }
    }

    /// The call needs a yes: one that is there, else somebody is asked.
    async fn look_for_answer(&self, mut case: Case<'_>, mut need: ApprovalNeed) -> Result<Look, ToolError> {
        let dispatched = self.dispatched(&case).await?;
        let fingerprint = case.fingerprint(&dispatched);
        match self.look_up(&mut case, &mut need, &fingerprint).await? {
            Found::Again => self.let_through_again(case).await.map(Look::Settled),
            Found::Yes(consent) => self.admit(case, consent, fingerprint).await.map(Look::Settled),
            Found::No(error) => {
                let error = rejected_again(&case.facts).unwrap_or(*error);
                self.refuse(case, error).await.map(Look::Settled)
            }
            Found::Asked(open) => self.ask_again(case, *open).await,
            Found::None => {
                let timeout_s = case.facts.settings.approval_timeout_s;
                let approval = self.request(case, need, fingerprint).await?;
                Ok(Look::Ask(Box::new(approval), timeout_s))
            }
        }
    }

    /// The same call came while its question is open: nobody is asked twice.
    async fn ask_again(&self, case: Case<'_>, open: Approval) -> Result<Look, ToolError> {
        let timeout_s = case.facts.settings.approval_timeout_s;
        self.note_question(case, &open).await?;
        Ok(Look::Ask(Box::new(open), timeout_s))
    }

    /// The verdict of the rules; custom hooks can only add a refusal.
    pub(crate) async fn judge(&self, case: &mut Case<'_>) -> Verdict {
        let verdict = decide(&case.facts);
        if let Verdict::Block(error) = &verdict {
            if names_intents(error.code()) {
                let selectable = self.selectable_ids().await;
                if tells_more(error.code(), &selectable, case) {
                    case.facts.selectable = selectable;
                    return decide(&case.facts);
                }
            }
            return verdict;
        }
        match self.objections(case.call).await {
            Ok(()) => verdict,
            Err(error) => Verdict::block(error),
        }
    }

    pub(crate) async fn gather_and_step<'a>(&self, call: &'a ToolCall) -> Result<Case<'a>, ToolError> {
        let mut case = self.gather(call).await?;
        // A tool call moves the actor and touches nothing else that is remembered of it.
        let event = handshake::Event::ToolCall(case.facts.tool.class);
        handshake::take(&mut case.actor_state, &event, &case.facts.settings);
        case.state_changed |= case.facts.state != case.actor_state.state;
        case.facts.state = case.actor_state.state;
        Ok(case)
    }

    /// Asks without holding the lock, and acts on the answer.
    async fn ask(&self, call: &ToolCall, approval: Approval, timeout_s: u64) -> Result<Outcome, ToolError> {
        match self.ports.consents.approver.ask(&approval, timeout_s).await {
            Answer::Deferred => {
                self.put_waiting(&approval.id, call);
                Ok(Outcome::WaitForApproval(Box::new(approval)))
            }
            Answer::AskHost if approval.request.kind.writes_intents() => {
                Ok(Outcome::block(pending_error(&approval, crate::authoring::drafting::NOT_THERE)))
            }
            Answer::AskHost => self.hand_to_host(call, approval).await,
            Answer::Unanswered { why } => Ok(Outcome::block(pending_error(&approval, &why))),
            answer => self.answered(call, &approval.id, answer).await,
        }
    }

    /// A person has answered: decide again on fresh facts before anything is let through, since files and intents may
    /// have changed meanwhile.
    async fn answered(&self, call: &ToolCall, id: &ApprovalId, answer: Answer) -> Result<Outcome, ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        if let Some((name, params)) = self.own_tool_of(call) {
            return self.draft_answered(call, &name, &params, id, &answer).await;
        }
        let mut case = self.gather_and_step(call).await?;
        if self.other_hook_used(&case, &answer).await? {
            return self.let_through_again(case).await;
        }
        let approval = self.write_down(id, &answer).await?;
        self.log_answer(&case, &approval, &answer).await?;
        if let Answer::Reject { feedback, .. } = &answer {
            let error = rejected_error(&approval, feedback.as_deref());
            return self.refuse(case, error).await;
        }
        let verdict = self.judge(&mut case).await;
        match &verdict {
            Verdict::Allow => self.let_safe_through(case).await,
            Verdict::Block(error) => self.refuse(case, (**error).clone()).await,
            Verdict::WaitForApproval(_) => {
                let dispatched = self.dispatched(&case).await?;
                let fingerprint = case.fingerprint(&dispatched);
                if !still_fits(&verdict, &fingerprint, &approval) {
                    let error = moved_error(&case, &approval);
                    return self.refuse(case, error).await;
                }
                self.admit(case, Consent::answer(approval), fingerprint).await
            }
        }
    }

    /// Whether the host runs another hook of this gate for the same event, and that one has used this approval. The
    /// rules are asked again first, as the approval only answers their question.
    async fn other_hook_used(&self, case: &Case<'_>, answer: &Answer) -> Result<bool, ToolError> {
        if matches!(answer, Answer::Reject { .. })
            || !matches!(decide(&case.facts), Verdict::WaitForApproval(_))
        {
            return Ok(false);
        }
        let fingerprint = case.fingerprint(&self.dispatched(case).await?);
        self.was_let_through(case.call, &fingerprint).await
    }

    /// Why a grant cannot answer this request, where one shall; the request then stays open.
    async fn no_grant_fits(&self, id: &ApprovalId, answer: &Answer) -> Option<ToolError> {
        let Answer::Grant { bounds, .. } = answer else { return None };
        let not_offered = || ApprovalError::NotOffered(id.0.clone());
        let found = match self.ports.consents.approvals.get(id).await {
            Ok(Some(approval)) if approval.request.offer.is_some() => {
                self.grant_fits(&approval, bounds).await
            }
            Ok(_) => Err(not_offered()),
            Err(error) => Err(error.into()),
        };
        match found {
            Ok(()) => None,
            Err(ApprovalError::Port(error)) => Some(closed(error)),
            Err(why) => {
                let error = ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}"));
                Some(error.with_suggestion("Resolve it with `approve` or `reject`; it is still open."))
            }
        }
    }

    /// Whether the bounds of a grant stay in the scope of the intent that the request is under.
    ///
    /// # Errors
    /// They do not, or the intents cannot be read.
    pub async fn grant_fits(&self, approval: &Approval, bounds: &GrantBounds) -> Result<(), ApprovalError> {
        let Some(id) = &approval.request.intent_id else { return Ok(()) };
        match self.ports.rules.intents.get(id).await? {
            Some(intent) => fits(&intent, bounds),
            None => Ok(()),
        }
    }

    async fn log_answer(
        &self,
        case: &Case<'_>,
        approval: &Approval,
        answer: &Answer,
    ) -> Result<(), ToolError> {
        let (action, by) = match answer {
            Answer::Approve { by } | Answer::Amend { by, .. } | Answer::Grant { by, .. } => {
                (Action::Approved, by.as_str())
            }
            Answer::Reject { by, .. } => (Action::Rejected, by.as_str()),
            Answer::Deferred | Answer::AskHost | Answer::Unanswered { .. } => return Ok(()),
        };
        let mut record = self.record(case, action, format!("answered by {by}"));
        record.approval = Some(approval.id.clone());
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    fn put_waiting(&self, id: &ApprovalId, call: &ToolCall) {
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.insert(id.clone(), call.clone());
        }
    }

    fn take_waiting(&self, id: &ApprovalId) -> Option<ToolCall> {
        self.waiting.lock().ok()?.remove(id)
    }
}

/// Whether the bounds of a grant stay in what the intent owns.
///
/// # Errors
/// Names the pattern that does not.
pub fn fits(intent: &Intent, bounds: &GrantBounds) -> Result<(), ApprovalError> {
    match outside(&bounds.limits().paths, intent.owned_scope()) {
        None => Ok(()),
        Some(pattern) => {
            Err(ApprovalError::OutsideScope { pattern: pattern.to_string(), intent: intent.id().clone() })
        }
    }
}

/// Refusals that tell which intents could be selected instead.
fn names_intents(code: ErrorCode) -> bool {
    use ErrorCode::{
        IntentNotFound, IntentNotSelectable, MissingIntent, NoScope, ScopeViolation, StateViolation,
    };
    matches!(
        code,
        StateViolation | MissingIntent | IntentNotFound | IntentNotSelectable | NoScope | ScopeViolation
    )
}

/// Whether the refusal says more with these ids: outside the scope, only other intents help.
fn tells_more(code: ErrorCode, selectable: &[IntentId], case: &Case<'_>) -> bool {
    let active = case.active_intent().map(Intent::id);
    selectable.iter().any(|id| code != ErrorCode::ScopeViolation || Some(id) != active)
}
