//! The hosts' dialects: events in, answers out, settings edited, as pure functions from text to text.
//!
//! One module per host, and one row in [`HOSTS`]. What is deliberately absent: files, environment, clock, processes and
//! decisions; the caller reads and writes, the policy decides.
#![warn(missing_docs)]

pub mod claude_code;
mod event;
mod handshake_text;
mod host;
mod hosts;
mod json;
mod reply;

pub use event::{EventKind, HostEvent, ParseError, PermissionMode};
pub use handshake_text::handshake_text;
pub use host::{Host, HostProfile};
pub use hosts::{HOSTS, host};
pub use json::{JsonFault, MAX_EVENT_BYTES, strict_json};
pub use reply::{Output, Reply};
