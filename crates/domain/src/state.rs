//! What is remembered between calls, by which settings, and how each decision is written down.

mod decision;
mod session;
mod settings;

pub use decision::{Action, DecisionContext, DecisionRecord, DoneReport, TurnMeaning};
pub use session::{ActiveIntent, ActorState, State, Written};
pub use settings::{
    ApprovalChannel, AskOutbound, NeverRead, OnViolation, Overlap, Permission, Reselect, Settings, Sourced,
    Sync,
};
