//! What a call comes out as: the domain's verdict, with what each kind of answer carries on the wire.

use bailiwick_domain::{AllowanceId, Approval, ApprovalId, ContentHash, GrantId, Pause, ToolError};
use std::collections::BTreeMap;

/// Why a call was let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// It changes nothing; the host's own permission rules stay in force.
    Safe,
    /// It is one of the gate's own tools; this is its answer.
    OwnTool {
        /// The tool's name.
        name: String,
        /// The text for the agent.
        result: String,
    },
    /// A human said yes to exactly this call.
    Approved {
        /// The approval that was used up.
        approval: ApprovalId,
        /// Who said yes.
        by: String,
    },
    /// A human's grant covers it.
    Granted {
        /// The grant.
        grant: GrantId,
        /// Who granted it.
        by: String,
    },
    /// A human trusts the command.
    Allowed {
        /// What allows it.
        allowance: AllowanceId,
        /// Who allowed it.
        by: String,
    },
    /// The host sent the event of a call again that was let through before.
    Repeated,
    /// A person paused the gate; the host's own permission rules stay in force.
    Paused(Pause),
}

/// The answer to a call before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Go ahead.
    Allow(Because),
    /// Refused, with what the agent can do next.
    Block(Box<ToolError>),
    /// A human must answer; the caller brings the answer to [`crate::Gate::resolve`].
    WaitForApproval(Box<Approval>),
    /// The host's own prompt shall ask the human who is provably there.
    AskHost(Box<Approval>),
}

impl Outcome {
    pub(crate) fn block(error: ToolError) -> Self {
        Self::Block(Box::new(error))
    }
}

/// What one look under the lock came to.
pub(crate) enum Look {
    /// Settled without asking anybody.
    Settled(Outcome),
    /// A human must answer this request.
    Ask(Box<Approval>, u64),
}

/// What was recorded after a call ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostReport {
    /// The ids of the trace entries that were appended.
    pub trace_ids: Vec<String>,
    /// What the actor is now known to have seen, by path; `None` for a file that is gone.
    pub observations: BTreeMap<String, Option<ContentHash>>,
}
