//! OpenCode: a plugin that asks the gate, its tools and what is known of it.
//!
//! Contract: the types of `@opencode-ai/plugin` and what was measured on 1.18.33. OpenCode runs no program before a tool, it
//! calls plugins. Two things differ from other hosts: a tool of a server is named `SERVER_TOOL`, so only the names that
//! OpenCode itself gives are believed; and a call cannot be rewritten.

mod parse;
mod profile;

pub use super::plugin::{render, render_failure};
pub use parse::parse;
pub use profile::{PROFILE, SETTINGS};

use bailiwick_domain::json;

use super::plugin;
use crate::host::{Host, Spoken};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "opencode";

/// The host's row.
pub const HOST: Host = Host {
    noise: &[("bash", &["description"])],
    settings: Some(&SETTINGS),
    edits: Some(&profile::EDITS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render,
            render_failure,
            version: |printed| Version::read(printed.trim()),
            probe: |probe| {
                plugin::probe(probe, "write", json!({ "filePath": probe.file, "content": probe.content }))
            },
            refusal: plugin::refusal,
        },
    )
};
