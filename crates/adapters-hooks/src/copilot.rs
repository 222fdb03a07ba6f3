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

use crate::host::{Host, edits_not_measured, not_pinned};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "copilot";

/// The host's row.
pub const HOST: Host = Host {
    profile: PROFILE,
    parse,
    render,
    render_failure,
    judged_params: parse::judged_params,
    pinned: not_pinned,
    own_tool: |_| None,
    edit_rules: edits_not_measured,
    settings: Some(&SETTINGS),
    version: |printed| printed.split_whitespace().find_map(|word| Version::read(word.trim_end_matches('.'))),
    probe: probe::probe,
    refusal: probe::refusal,
};
