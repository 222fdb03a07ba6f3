//! The question that the rules put to a person.

use alloc::string::String;

use super::ApprovalKind;

/// Why a human must be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalNeed {
    /// What kind of question it is.
    pub kind: ApprovalKind,
    /// The reason, one or two sentences for a person.
    pub reason: String,
}
