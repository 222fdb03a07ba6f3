//! Pure decisions: facts in, verdict out.
#![warn(missing_docs)]

mod decide;
pub mod facts;
pub mod handshake;
pub mod ignore_match;
pub mod patch;
pub mod preview;
pub mod protection;
pub mod registry;
pub mod scope_match;
pub mod staleness;
mod targets;
mod wildcard;

pub use decide::{decide, health_error};
pub use facts::{Access, AnchorFact, Facts, IgnoreFact, IntentFact, TargetFact};
pub use ignore_match::IgnoreRules;
pub use preview::Edit;
pub use registry::ToolEntry;
pub use targets::{RequestedTarget, Targets};
