//! Codex CLI: its events, its answers, its hooks file and what is known of it.
//!
//! Contract: the public hooks reference and source of the client, and what was measured on 0.169.0. Three things differ
//! from Claude Code, whose form it took over: an answer that it does not know word for word lets the call run; it cannot
//! be made to ask; and not every version says in which folder a command runs, so a command is tied to the folder that was
//! judged.

mod folder;
mod heredoc;
mod parse;
mod probe;
mod profile;
mod render;

pub use folder::pinned;
pub use parse::parse;
pub use profile::{PROFILE, SETTINGS};
pub use render::{render, render_failure};

use crate::host::{Host, Spoken};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "codex";

/// The host's row.
pub const HOST: Host = Host {
    pinned,
    edits: Some(&profile::EDITS),
    settings: Some(&SETTINGS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render,
            render_failure,
            version: |printed| Version::read(printed.trim().strip_prefix("codex-cli ")?),
            probe: probe::probe,
            refusal: probe::refusal,
        },
    )
};
