//! What a person wrote: intents with their scopes and rules, and what of it was accepted.

mod acceptance;
mod ignore_source;
mod intent;
mod intent_rules;
mod record;
mod scope;
mod tally;
mod verification;
mod written;

pub use acceptance::Accepted;
pub use ignore_source::{IgnoreFile, IgnoreSource};
pub use intent::{
    AncestorScope, Constraint, Criterion, Intent, IntentDraft, IntentError, IntentId, IntentIdError,
    IntentKind, IntentSet, IntentStatus, Revision,
};
pub use intent_rules::IntentRule;
pub use record::{IntentRecord, SourceRecord};
pub use scope::{OwnedScope, ScopeError, ScopePattern};
pub use tally::Tally;
pub use verification::{CheckOf, CheckOutcome, CheckResult, NamedCheck};
pub use written::{Check, Placed, Strength, WrittenIntent, WrittenLine, WrittenRequirement};
