//! GitHub Copilot CLI: its events, its answers, its hooks file and what is known of it.
//!
//! Contract: the public hooks reference, and what was measured on 1.0.102. Events carry no name, so what they are is told
//! by their fields; an answer is flat; whatever ends with another status than 0 before a tool is a refusal.

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
pub const NAME: &str = "copilot";

/// The host's row.
pub const HOST: Host = Host {
    noise: &[("bash", &["description"]), ("powershell", &["description"])],
    settings: Some(&SETTINGS),
    edits: Some(&profile::EDITS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render,
            render_failure,
            version: |printed| {
                printed.split_whitespace().find_map(|word| Version::read(word.trim_end_matches('.')))
            },
            probe: probe::probe,
            refusal: probe::refusal,
        },
    )
};
