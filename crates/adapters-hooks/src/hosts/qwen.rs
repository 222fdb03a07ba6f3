//! Qwen Code: its events, its answers, its settings file and what is known of it.
//!
//! Contract: the hooks page that comes with the client, and what was measured on 0.24.4. Its tools are those of Gemini CLI,
//! its hooks those of Claude Code; a prompt event also comes with each result of a tool.

mod parse;
mod probe;
mod profile;
mod render;

pub use parse::parse;
pub use profile::{PROFILE, SETTINGS};
pub use render::{render, render_failure};

use crate::host::{Host, Spoken};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "qwen";

/// The host's row.
pub const HOST: Host = Host {
    noise: &[("run_shell_command", &["description"])],
    settings: Some(&SETTINGS),
    edits: Some(&profile::EDITS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render,
            render_failure,
            version: |printed| Version::read(printed.trim()),
            probe: probe::probe,
            refusal: probe::refusal,
        },
    )
};
