//! What an agent wants to do: who asks, the call, what it has seen, what a change means, and what it is told.

mod actor;
mod edit_rules;
mod mutation;
mod observation;
mod own_tool;
mod programs;
mod tool_call;
mod tool_error;

pub use actor::Actor;
pub use edit_rules::EditRules;
pub use mutation::{
    FileChange, Mutation, MutationClass, MutationEvidence, MutationMethod, Symbol, SymbolKind,
};
pub use observation::{Look, Observation, Pages, Showed, Shown};
pub use own_tool::OwnTool;
pub use programs::AGENT_PROGRAMS;
pub use tool_call::{
    CallId, Classification, CommandFault, CommandReading, Effect, FOLDER_KEYS, Listed, LookedAt, Moves,
    Params, ReadOnly, Starts, ToolCall, ToolResult,
};
pub use tool_error::{ErrorCode, SCHEMA_VERSION, ToolError};
