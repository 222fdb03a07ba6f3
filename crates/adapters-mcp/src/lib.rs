//! Tools over MCP, in a server named `bailiwick`, so that they are `mcp__bailiwick__…` in every client: the gate's own, and
//! governed ones that work on files and run commands. Beside them it shows intents and the map, as resources and prompts.
//!
//! The tools' work is behind [`ServedTools`], which the caller implements. What is deliberately absent: files, decisions,
//! and any other output than protocol frames.
#![warn(missing_docs)]

mod called_off;
mod catalogue;
mod frames;
mod http;
mod proxy;
mod server;
mod session;
mod shown;
mod stop;

use core::fmt;

use bailiwick_domain::{Params, ToolError};

pub use catalogue::{COMMAND_MS, SERVER_NAME, SESSION, command_time, governed_names, tool_names};
pub use http::{HttpServer, Sessions, serve_http};
pub use proxy::{
    Definition, Judge, ProxyEnd, StartError, Ticket, Wanted, listed, method_in_frame, serve_proxy,
};
pub use server::{ServeError, serve, serve_stdio};
pub use shown::Page;
pub use stop::Stop;

/// What the tools do.
pub trait ServedTools: Send + Sync + fmt::Debug {
    /// The text for a call of the tool of that name, which is one of [`tool_names`]. An error is shown to the model as
    /// the tool's failure. It is called on a thread of its own and may block: past the server's limit, or when `stop`
    /// is set, its call is answered without it, and what it says later is dropped.
    fn call(&self, name: &str, params: Params, stop: &Stop) -> Result<String, ToolError>;

    /// The text of a page. It is called as [`ServedTools::call`] is, and changes nothing.
    fn show(&self, page: &Page) -> Result<String, ToolError>;

    /// The client is gone, and its work is called off: nobody is to be asked for it any more. It may block.
    fn leave(&self) {}

    /// The client is gone, and its work is done or was given up. It may block.
    fn end(&self) {}
}
