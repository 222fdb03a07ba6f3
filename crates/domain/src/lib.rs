//! The words of Bailiwick: what an intent, a tool call, a verdict and an approval are, which values of them can
//! exist, and the ports through which the rest of the program reaches the world.
//!
//! A value that exists is valid: constructors check, fields stay private where a rule binds them.
//!
//! What is deliberately absent: files, environment, network, clock, randomness (the crate is `no_std`), and any
//! decision; decisions are made in `bailiwick-policy`.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(any(test, feature = "memory"))]
extern crate std;

mod acceptance;
mod actor;
mod allowance;
mod approval;
mod approval_id;
mod authoring;
mod canonical;
mod decision;
mod edit_rules;
mod evidence;
mod grant;
mod hash;
mod health;
mod ignore_source;
mod intent;
mod intent_rules;
mod line_hash;
mod lineage;
mod mutation;
mod observation;
mod path;
mod pause;
mod pending;
mod port_error;
mod ports;
mod restore;
mod scope;
mod session;
mod settings;
mod tally;
mod timestamp;
mod tool_call;
mod tool_error;
mod trace;
mod verdict;
mod written;

#[cfg(feature = "memory")]
pub mod testing;

pub use acceptance::Accepted;
pub use actor::Actor;
pub use allowance::{
    Allowance, AllowanceId, AllowanceIdError, AllowanceTerms, AllowedFile, CommandLine, TrustedCommand,
};
pub use approval::{Answer, Approval, ApprovalKind, ApprovalRequest, ApprovalStatus, CallFacts, Fingerprint};
pub use approval_id::ApprovalId;
pub use authoring::{
    Amended, Breadth, IntentChange, IntentEdit, IntentEditError, IntentProposal, TreeListing,
};
pub use canonical::{canonical_json, canonical_of};
pub use decision::{Action, DecisionContext, DecisionRecord, TurnMeaning};
pub use edit_rules::EditRules;
pub use evidence::{
    Extent, Finding, FindingKind, LedgerQuery, Order, Origin, OtherLedger, SessionEntries, Severity,
    StoredEntry, Touching, Trust, Verification,
};
pub use grant::{
    Grant, GrantBounds, GrantBoundsError, GrantCharge, GrantCost, GrantEnd, GrantFile, GrantId, GrantIdError,
    GrantLimits, GrantReview, GrantStatus, GrantTerms, GrantUse,
};
pub use hash::{ContentHash, FileState, block_hash};
pub use health::{Diagnostic, Health, HealthFault};
pub use ignore_source::{IgnoreFile, IgnoreSource};
pub use intent::{
    AncestorScope, Constraint, Criterion, Intent, IntentDraft, IntentError, IntentId, IntentIdError,
    IntentKind, IntentSet, IntentStatus, Revision,
};
pub use intent_rules::IntentRule;
pub use line_hash::{Landmarks, LineHash, LineHashes, LinePlace};
pub use lineage::{Hunk, Lineage};
pub use mutation::{
    FileChange, Mutation, MutationClass, MutationEvidence, MutationMethod, Symbol, SymbolKind,
};
pub use observation::{Observation, Showed, Shown};
pub use path::{Location, RepoPath, RepoPathError, SEPARATORS, WorkspacePath};
pub use pause::{Pause, PauseLook};
pub use pending::{PendingCall, PendingFile};
pub use ports::*;
pub use restore::{PutBack, PutBackError, Restores};
pub use scope::{OwnedScope, ScopeError, ScopePattern};
pub use session::{ActiveIntent, ActorState, State, Written};
pub use settings::{
    ApprovalChannel, AskOutbound, NeverRead, OnViolation, Overlap, Permission, Reselect, Settings, Sourced,
    Sync,
};
pub use tally::Tally;
pub use timestamp::{Timestamp, TimestampError};
pub use tool_call::{
    CallId, Classification, CommandFault, CommandReading, Effect, Params, ToolCall, ToolResult,
};
pub use tool_error::{ErrorCode, SCHEMA_VERSION, ToolError};
pub use trace::{Change, ChangedFile, ChangedRange, TraceContext, TraceEntry, VcsRevision};
pub use verdict::{ApprovalNeed, Verdict};
pub use written::{Check, Placed, WrittenIntent, WrittenLine};

/// Re-exported so that callers build parameters without naming the JSON crate's version.
pub use serde_json::{Map, Value, json};

/// The sentence that every handshake prompt contains, word for word.
pub const HANDSHAKE_SENTENCE: &str = "Analysis and read-only actions are permitted, but an active intent is still required for mutations (writes/commands).";
