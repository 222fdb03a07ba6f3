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

use crate::host::{Client, Host, HostProfile, Spoken};

/// The host's name.
pub const NAME: &str = "generic";

/// The host's row.
pub const HOST: Host = Host::speaking(
    PROFILE,
    Spoken {
        parse,
        render,
        render_failure,
        version: |_| None,
        probe: |probe| {
            let call = json!({
                "session_id": probe.session, "hook_event_name": "PreToolUse", "cwd": probe.root, "tool_use_id": probe.call,
                "tool_name": "write_to_file", "tool_input": { "path": probe.file, "content": probe.content },
            });
            call.to_string().into_bytes()
        },
        refusal: |ended| (ended.exit_code == 2).then(|| ended.stderr.clone()),
    },
);

/// Facts about it: nothing is known.
const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "nothing is known of what your host does when the hook is missing, too slow or ends with another status than 2",
        "it is not known whether calls of sub-agents meet the hook",
    ],
    client: Client { own_folder: ".bailiwick-generic", ..Client::UNKNOWN },
    ..HostProfile::UNKNOWN
};
