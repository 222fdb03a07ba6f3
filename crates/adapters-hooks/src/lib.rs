//! The hosts' dialects: events in, answers out, settings edited, as pure functions from text to text.
//!
//! One folder for each host, and one row in [`HOSTS`]. What hosts share is beside them: [`fields`] and [`dialect`] read
//! events, [`answer`] words answers, [`settings`] edits the files that name the hooks. What is deliberately absent: files,
//! environment, clock, processes and decisions; the caller reads and writes, the policy decides.
#![warn(missing_docs)]

pub mod answer;
pub mod dialect;
mod edits;
mod event;
pub mod fields;
mod handshake_text;
mod host;
mod hosts;
mod json;
mod reply;
pub mod settings;
mod version;

pub use edits::{MeasuredEdits, ToldVersion};
pub use event::{EventKind, HostEvent, ParseError, PermissionMode};
pub use handshake_text::{SERVED_TOOLS, broken_text, handshake_text};
pub use host::{AlsoRuns, Client, Host, HostProfile, Noise, Probe, Spoken};
pub use hosts::{
    HOSTS, antigravity, claude_code, cline, codex, copilot, cursor, droid, gemini, generic, host, kimi, kiro,
    opencode, qwen, vscode, windsurf,
};
pub use json::{JsonFault, MAX_EVENT_BYTES, strict_json};
pub use reply::{Output, Reply};
pub use version::Version;
