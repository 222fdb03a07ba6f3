//! What the gate says to a call.

use alloc::string::String;

use crate::calls::ToolError;
use crate::consents::ApprovalKind;

/// Why a human must be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalNeed {
    /// What kind of question it is.
    pub kind: ApprovalKind,
    /// The reason, one or two sentences for a person.
    pub reason: String,
}

/// The three answers that the core knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go ahead.
    Allow,
    /// Refused, with what the agent can do next.
    Block(alloc::boxed::Box<ToolError>),
    /// A human must say yes to exactly this.
    WaitForApproval(ApprovalNeed),
}

impl Verdict {
    /// A refusal.
    pub fn block(error: ToolError) -> Self {
        Self::Block(alloc::boxed::Box::new(error))
    }
}
