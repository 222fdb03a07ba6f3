//! Gemini CLI: its events, its answers, its settings file and what is known of it.
//!
//! Contract: the public hooks reference and source of the client, and what was measured on 0.61.0. Times are milliseconds,
//! an answer is flat, and a call has no id.

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
pub const NAME: &str = "gemini";

/// The host's row.
pub const HOST: Host = Host {
    noise: &[("run_shell_command", &["description"])],
    settings: Some(&SETTINGS),
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
