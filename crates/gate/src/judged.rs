//! What a judgement comes to, and what follows from a refusal. That follows from who refuses, never from the words that
//! the agent is told.

use bailiwick_domain::{ActorState, Approval, ApprovalId, ApprovalNeed, ErrorCode, IntentId, ToolError};
use bailiwick_policy::{Concern, Facts, Refusal};

/// What the rules say of a call, and the hooks of a program that embeds the gate after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judged {
    /// Go ahead.
    Passes,
    /// It does not go through.
    Refused(Box<Refused>),
    /// A person must say yes to exactly this.
    Asks(ApprovalNeed),
}

/// Who refuses a call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum By {
    /// The rules.
    Rules(Box<Refusal>),
    /// The gate: its store fails, or it does.
    Store,
    /// A person: by a yes that does not fit any more, or by the same no again and again.
    Answer,
    /// A person, by a no to this request, in these words for the log.
    No(ApprovalId, String),
    /// Nobody yet: a person was asked, and has not answered this request.
    Question(ApprovalId),
    /// The gate, which would carry the call out itself, and cannot.
    Carrier,
    /// A hook of the program that embeds the gate.
    Hook(Concern),
}

/// A call that does not go through, and what its agent is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    by: By,
    pub(crate) error: ToolError,
}

impl Refused {
    /// By the rules, where these intents can be selected.
    pub(crate) fn by_rules(refusal: Box<Refusal>, facts: &Facts, selectable: &[IntentId]) -> Self {
        Self { error: refusal.error(facts, selectable), by: By::Rules(refusal) }
    }

    pub(crate) fn by_store(error: ToolError) -> Self {
        Self { by: By::Store, error }
    }

    pub(crate) fn by_answer(error: ToolError) -> Self {
        Self { by: By::Answer, error }
    }

    /// By a person who rejected the request; `said` is who, and with which words.
    pub(crate) fn by_no(request: &Approval, said: String, error: ToolError) -> Self {
        Self { by: By::No(request.id.clone(), said), error }
    }

    /// The same refusal, told with another error.
    pub(crate) fn told_as(self, error: ToolError) -> Self {
        Self { error, ..self }
    }

    /// The request that a person rejected, and what the log says of it.
    pub(crate) fn rejection(&self) -> Option<(&ApprovalId, &str)> {
        match &self.by {
            By::No(request, said) => Some((request, said)),
            _ => None,
        }
    }

    pub(crate) fn by_question(request: &Approval, error: ToolError) -> Self {
        Self { by: By::Question(request.id.clone()), error }
    }

    pub(crate) fn by_carrier(error: ToolError) -> Self {
        Self { by: By::Carrier, error }
    }

    pub(crate) fn by_hook(error: ToolError) -> Self {
        Self { by: By::Hook(concern_of(&error)), error }
    }

    /// Whether it counts when the same call comes again: a wait is no refusal, and a broken store is not the agent's
    /// doing.
    pub(crate) fn counts_for_loop(&self) -> bool {
        match &self.by {
            By::Rules(refusal) => refusal.counts_for_loop(),
            By::Hook(concern) => *concern != Concern::Store,
            By::Answer | By::No(..) | By::Carrier => true,
            By::Store | By::Question(_) => false,
        }
    }

    /// Whether the scope is among what the call fails.
    pub(crate) fn leaves_scope(&self) -> bool {
        match &self.by {
            By::Rules(refusal) => refusal.leaves_scope(),
            By::Hook(concern) => *concern == Concern::Scope,
            By::Answer | By::No(..) | By::Carrier | By::Store | By::Question(_) => false,
        }
    }

    /// Remembers what an agent is told with it: that a request was rejected, or to wait for its answer. Whether that
    /// changes the state.
    pub(crate) fn tell(&self, actor: &mut ActorState) -> bool {
        match &self.by {
            By::No(request, _) => actor.hears_of(request),
            By::Question(request) => actor.wait_for(request),
            By::Rules(_) | By::Carrier | By::Hook(_) | By::Store | By::Answer => false,
        }
    }
}

/// What a custom hook's error is about. Its code is all that the hook says of that, so it is read once, here.
fn concern_of(error: &ToolError) -> Concern {
    match error.code() {
        ErrorCode::ScopeViolation | ErrorCode::NoScope => Concern::Scope,
        ErrorCode::ApprovalPending
        | ErrorCode::ApprovalTimeout
        | ErrorCode::LedgerUnavailable
        | ErrorCode::InternalError
        | ErrorCode::OrchestrationMissing
        | ErrorCode::OrchestrationInvalid
        | ErrorCode::MissingWorkspaceRoot => Concern::Store,
        _ => Concern::Call,
    }
}
