//! How a person says yes: to one call, to calls within bounds, to a command, or to all for a while.

mod allowance;
mod approval;
mod approval_id;
mod approval_need;
mod grant;
mod no_person;
mod pause;

pub use allowance::{
    Admitted, Allowance, AllowanceId, AllowanceIdError, AllowanceTerms, AllowedFile, CommandLine,
    PlacedCommand, TrustedCommand,
};
pub use approval::{
    Answer, Approval, ApprovalKind, ApprovalRequest, ApprovalStatus, CallFacts, Fingerprint, Premise,
};
pub use approval_id::ApprovalId;
pub use approval_need::ApprovalNeed;
pub use grant::{
    Grant, GrantBounds, GrantBoundsError, GrantCharge, GrantCost, GrantEnd, GrantError, GrantFile, GrantId,
    GrantIdError, GrantLimits, GrantReview, GrantStatus, GrantTerms, GrantUse,
};
pub use no_person::NoPerson;
pub use pause::{Pause, PauseLook};
