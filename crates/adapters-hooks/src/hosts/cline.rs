//! Cline's command line: a plugin that asks the gate, its tools and what is known of it.
//!
//! Contract: the types of `@cline/sdk` and what was measured on 3.0.65. Its hook programs can only end the whole run, and
//! go on when they fail; a plugin can skip one call with a reason that the model reads, and Cline ends the run when the
//! plugin throws, dies or takes longer than three seconds. So nothing waits here for a person: the call is refused as
//! pending and passes once after the yes. Its sub-agents and teams meet the same plugin. Cline goes on without a plugin
//! that it could not load; a hook program beside ends the run then.

mod parse;
mod profile;

pub use super::plugin::{render, render_failure};
pub use parse::parse;
pub use profile::{LOAD_CHECK, PROFILE, SETTINGS};

use bailiwick_domain::json;

use super::plugin;
use crate::host::{Host, Spoken};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "cline";

/// The host's row.
pub const HOST: Host = Host {
    settings: Some(&SETTINGS),
    load_check: Some(&LOAD_CHECK),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render,
            render_failure,
            version: |printed| printed.split_whitespace().find_map(Version::read),
            probe: |probe| {
                plugin::probe(probe, "editor", json!({ "path": probe.file, "new_text": probe.content }))
            },
            refusal: plugin::refusal,
        },
    )
};
