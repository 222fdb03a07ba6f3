//! What is known of Claude Code beside its dialect: what it lets through, and where it keeps its own notes and what
//! commands print.

use std::path::{Path, PathBuf};

use super::NAME;
use super::version::FAIL_CLOSED_SINCE;
use crate::host::{Client, HostProfile};

/// The time limit of the hook before a tool, in seconds.
pub(super) const TIMEOUT_S: u32 = 120;

/// Facts about Claude Code.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that exits 0 with text that is not JSON does not stop the call",
        "before 2.1.295 a hook that exceeds its time limit does not stop the call",
        "`--bare` and `--safe-mode` run no hooks at all",
        "`disableAllHooks` in a settings file that a session starts with turns the hooks off; so does `allowManagedHooksOnly` of an organisation",
        "in an interactive session the hooks wait until the folder is trusted",
        "files named with @path in a prompt are read without a hook",
        "another hook's `updatedInput` may change the call beside ours, since hooks run in parallel",
        "its own question for a file shows neither the reason nor the intent, only the diff",
    ],
    client: Client {
        programs: &["claude"],
        own_folder: ".claude",
        own_folder_variable: Some("CLAUDE_CONFIG_DIR"),
        local: ".claude/settings.local.json",
        shared: Some(".claude/settings.json"),
        user: "settings.json",
        fails_closed_since: Some(FAIL_CLOSED_SINCE),
        ..Client::UNKNOWN
    },
    asks: true,
    own_scratch,
    prints,
    hooks_subagents: true,
    keeps_shell: false,
    hides_output: false,
    tells_early: false,
    prompts_sub_agents: false,
    sends_prompt_events: true,
    project_dir_variable: Some("CLAUDE_PROJECT_DIR"),
    timeout_s: TIMEOUT_S,
    also_runs: None,
};

/// Plan files, to-do lists, task lists and the project's memory; transcripts and settings are not among them.
fn own_scratch(own: &Path, project: &Path) -> Vec<PathBuf> {
    let memory = own.join("projects").join(project_key(project)).join("memory");
    vec![own.join("plans"), own.join("todos"), own.join("tasks"), memory]
}

/// `…/tasks` in the folder for temporary files, which a user, a project and a session have for themselves. Seen of 2.1.330:
/// `/tmp/claude-1000/-repo-shop/2d62b63b-8e37-4ad0-870d-332ab13b709a/tasks/bjnr2vmag.output`.
fn prints(user: u32, project: &Path, session: &str) -> Option<PathBuf> {
    let is_id = !session.is_empty()
        && session.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let folder = || PathBuf::from(format!("claude-{user}")).join(project_key(project));
    is_id.then(|| folder().join(session).join("tasks"))
}

/// The folder name that Claude Code makes of a project's path: every other sign than a letter or digit is a dash.
fn project_key(project: &Path) -> String {
    let dashed = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
    project.to_string_lossy().chars().map(dashed).collect()
}
