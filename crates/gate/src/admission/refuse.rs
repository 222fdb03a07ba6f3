//! The ends of a judgement that ask nobody: refusing, and letting safe calls through. Both leave a decision record
//! before the answer is given.

use bailiwick_domain::{
    Action, ActorState, Classification, DecisionContext, DecisionRecord, ErrorCode, GrantId, ToolCall,
    ToolError,
};

use crate::gathering::case::Case;
use crate::presentation::redact::redact;
use crate::{Because, Gate, Outcome, closed};

/// The most of a scope that a line of the log takes, in bytes; its revision tells a longer one.
const LONGEST_SCOPE: usize = 1024;

impl Gate {
    pub(crate) async fn let_safe_through(&self, case: Case<'_>) -> Result<Outcome, ToolError> {
        if case.facts.tool.class == Classification::Destructive {
            // INVARIANT: a destructive call never gets here; `decide` asks or blocks.
            let error =
                ToolError::new(ErrorCode::InternalError, "a destructive call was judged without a question");
            return self.refuse(case, error).await;
        }
        self.remember_look(&case).await?;
        self.save_if_changed(&case).await?;
        let record = self.record(&case, Action::Allow, String::new());
        self.ports.records.decisions.append(&record).await.map_err(closed)?;
        Ok(Outcome::Allow(Because::Safe))
    }

    /// The host sent the event of a call again that was let through: the same answer, and a record of its own.
    pub(crate) async fn let_through_again(&self, case: Case<'_>) -> Result<Outcome, ToolError> {
        let record = self.record(&case, Action::Allow, "let through before".to_owned());
        self.ports.records.decisions.append(&record).await.map_err(closed)?;
        Ok(Outcome::Allow(Because::Repeated))
    }

    pub(crate) async fn refuse(&self, mut case: Case<'_>, error: ToolError) -> Result<Outcome, ToolError> {
        let counts = counts_for_loop(error.code());
        if counts {
            case.actor_state.count_block(&case.key);
            case.actor_state.deny(&case.call.id);
            case.state_changed = true;
        }
        let mut record = self.record(&case, Action::Block, error.message().to_owned());
        record.code = Some(error.code());
        let grant = if counts { case.actor_state.grant } else { None };
        record.approval = grant.map(GrantId::as_approval);
        let saved = self.save_if_changed(&case).await;
        let logged = self.ports.records.decisions.append(&record).await.map_err(closed);
        let counted = match (grant, &logged) {
            (Some(grant), Ok(seq)) => self.count_refusal(&case, grant, *seq).await,
            _ => Ok(()),
        };
        // The call is refused either way; the first answer says more than a failing log.
        drop((saved, logged, counted));
        Ok(Outcome::block(error))
    }

    pub(crate) async fn save_if_changed(&self, case: &Case<'_>) -> Result<(), ToolError> {
        if case.state_changed && case.is_state_known {
            self.ports.records.sessions.save(&case.call.actor, &case.actor_state).await.map_err(closed)?;
        }
        Ok(())
    }

    pub(crate) fn record(&self, case: &Case<'_>, action: Action, note: String) -> DecisionRecord {
        DecisionRecord {
            class: Some(case.facts.tool.class),
            paths: case.paths(),
            command: case.facts.command.as_deref().map(shown_command),
            context: Some(Box::new(self.context(case))),
            ..self.record_of(case.call, &case.actor_state, action, note)
        }
    }

    /// What the call was judged in.
    fn context(&self, case: &Case<'_>) -> DecisionContext {
        let intent = case.active_intent();
        let patterns = intent.into_iter().flat_map(|intent| intent.owned_scope().patterns());
        let scope: Vec<String> = patterns.map(|pattern| pattern.as_str().to_owned()).collect();
        let length = scope.iter().map(String::len).sum::<usize>();
        DecisionContext {
            root: self.ports.tree.workspace.root(),
            revision: intent.map(|intent| intent.revision().clone()),
            scope: if length > LONGEST_SCOPE { Vec::new() } else { scope },
        }
    }

    /// The line of a call of the gate's own tools, which are safe and touch no path; other calls build on it.
    pub(crate) fn record_of(
        &self,
        call: &ToolCall,
        state: &ActorState,
        action: Action,
        note: String,
    ) -> DecisionRecord {
        let (at, actor) = (self.ports.chance.clock.now(), call.actor.clone());
        DecisionRecord {
            call: Some(call.id.clone()),
            class: Some(Classification::Safe),
            intent: state.active.as_ref().map(|active| active.id.clone()),
            ..DecisionRecord::new(at, actor, &*call.tool, state.state, action, redact(&note))
        }
    }
}

/// A wait is no refusal, and a broken store is not the agent's doing.
fn counts_for_loop(code: ErrorCode) -> bool {
    !matches!(
        code,
        ErrorCode::ApprovalPending
            | ErrorCode::ApprovalTimeout
            | ErrorCode::LedgerUnavailable
            | ErrorCode::InternalError
            | ErrorCode::OrchestrationMissing
            | ErrorCode::OrchestrationInvalid
            | ErrorCode::MissingWorkspaceRoot
    )
}

/// A command as the log keeps it: without secrets of known forms, and cut where nobody reads on.
fn shown_command(command: &str) -> String {
    const LONGEST: usize = 2_000;
    let cut = command.get(..command.floor_char_boundary(LONGEST)).unwrap_or(command);
    redact(cut)
}
