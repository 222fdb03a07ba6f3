//! The MCP server as a door of its own (D-39): a real client, a real repository, no hook. What is tested elsewhere of the
//! gate is not repeated; here is that each tool goes through it, does what was judged, and nothing else.

mod answering;
mod called_off;
mod client;
mod commands;
mod hooked;
mod hostile;
mod http;
mod looking;
mod pages;
mod proxied;
mod writing;
