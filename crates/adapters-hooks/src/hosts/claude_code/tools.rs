//! Claude Code's tool names and parameters, as far as the dialect needs them. What tools do is the registry's matter.

use bailiwick_domain::OwnTool;

use crate::host::Noise;

/// Parameters that change nothing of what a tool does: labels for people and time limits.
///
/// `run_in_background` is not among them: it changes what happens.
pub(super) const NOISE: Noise = &[
    ("Bash", &["description", "timeout"]),
    ("PowerShell", &["description", "timeout"]),
    ("Monitor", &["description"]),
    ("Agent", &["description"]),
    ("Task", &["description"]),
];

/// What Claude Code puts before the name of a tool of our server.
const SERVER_PREFIX: &str = "mcp__bailiwick__";

/// The tools of our server that work on files and run commands: the server judges their calls.
const SERVED_TOOLS: [&str; 9] = [
    "read_file",
    "list_files",
    "search_files",
    "write_to_file",
    "edit_file",
    "apply_patch",
    "delete_file",
    "move_file",
    "execute_command",
];

/// The gate's own tool that a tool name means: exact words only, on the server named `bailiwick`.
///
/// Whether that server is ours is the caller's to prove, see [`mcp_registered`](super::mcp_registered).
pub fn own_tool(tool: &str) -> Option<&'static str> {
    OwnTool::remotely_named(tool).map(OwnTool::as_str)
}

/// The tool of our server that a tool name means and whose calls the server judges: exact words only, as for
/// [`own_tool`].
pub fn served_tool(tool: &str) -> Option<&'static str> {
    let name = tool.strip_prefix(SERVER_PREFIX)?;
    SERVED_TOOLS.iter().find(|served| **served == name).copied()
}
