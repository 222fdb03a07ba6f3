//! The gate's own tools as an MCP server named `bailiwick`, so that its tools are `mcp__bailiwick__…` in every client.
//!
//! What it answers is *display*: state changes only in the hook, from our own store. The tools' work is behind
//! [`OwnTools`], which the caller implements. What is deliberately absent: files, decisions, and any other output than
//! protocol frames.
#![warn(missing_docs)]

mod catalogue;
mod server;

use bailiwick_domain::{Params, ToolError};

pub use catalogue::{SERVER_NAME, tool_names};
pub use server::{ServeError, serve, serve_stdio};

/// What the tools say.
pub trait OwnTools: Send + Sync + core::fmt::Debug {
    /// The text for a call of the tool of that name, which is one of [`tool_names`]. An error is shown to the model as
    /// the tool's failure. It is called on a thread of its own and may block: past the server's limit its call is
    /// answered without it, and what it says later is dropped.
    fn call(&self, name: &str, params: Params) -> Result<String, ToolError>;
}
