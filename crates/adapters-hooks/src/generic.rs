//! Any host that runs a program before a tool, gives it an event as JSON on standard input, and refuses the call when it
//! ends with status 2. A person registers the hook; nothing is installed.
//!
//! The names of fields and events are those that most hosts use, in either spelling. What is said is the least that all of
//! them understand: a status, and a reason on standard error.

mod parse;
mod render;

pub use parse::parse;
pub use render::{render, render_failure};

use bailiwick_domain::json;

use crate::host::{Client, Host, HostProfile, edits_not_measured, no_prints, no_scratch, not_pinned};

/// The host's name.
pub const NAME: &str = "generic";

/// The host's row.
pub const HOST: Host = Host {
    profile: PROFILE,
    parse,
    render,
    render_failure,
    judged_params: |_, params| params.clone(),
    pinned: not_pinned,
    own_tool: |_| None,
    edit_rules: edits_not_measured,
    settings: None,
    version: |_| None,
    probe: |probe| {
        let call = json!({
            "session_id": probe.session, "hook_event_name": "PreToolUse", "cwd": probe.root, "tool_use_id": probe.call,
            "tool_name": "write_to_file", "tool_input": { "path": probe.file, "content": probe.content },
        });
        call.to_string().into_bytes()
    },
    refusal: |ended| (ended.exit_code == 2).then(|| ended.stderr.clone()),
};

/// Facts about it: nothing is known.
const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "nothing is known of what your host does when the hook is missing, too slow or ends with another status than 2",
        "it is not known whether calls of sub-agents meet the hook",
    ],
    client: Client {
        programs: &[],
        own_folder: ".bailiwick-generic",
        own_folder_variable: None,
        local: "",
        shared: None,
        user: "",
        login_shell: false,
        trust: None,
        fails_closed_since: None,
    },
    own_scratch: no_scratch,
    prints: no_prints,
    asks: false,
    hooks_subagents: false,
    sends_prompt_events: false,
    project_dir_variable: None,
    version_variable: None,
    timeout_s: 120,
};
