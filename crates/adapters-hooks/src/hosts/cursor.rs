//! Cursor: its events, its answers, its hooks file and what is known of it. By contract only: it was not run.
//!
//! Contract: the public hooks reference and what others measured. Only `deny` can be trusted; with `failClosed` silence is a
//! refusal, so every answer is one object.

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
pub const NAME: &str = "cursor";

/// The host's row.
pub const HOST: Host = Host {
    noise: &[("Shell", &["description", "block_until_ms"])],
    settings: Some(&SETTINGS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render,
            render_failure,
            version: |printed| printed.split_whitespace().find_map(Version::read),
            probe: probe::probe,
            refusal: probe::refusal,
        },
    )
};
