//! Agent hooks of VS Code (Copilot in the editor).
//!
//! Contract: the editor's hooks reference, which marks the feature as a preview, and what 1.139.1 did with a scripted model. It
//! ignores matchers, says nothing of what a tool answered, and tells that a call ran before its file is written. Fields come in
//! either spelling, by the version of the page; two spellings that differ are an error.

mod uris;

use bailiwick_domain::{Value, json};

use super::{Likeness, PROMPT, host, name_in_either};
use crate::answer::line;
use crate::dialect::{Called, Dialect, Means, Shell};
use crate::host::{AlsoRuns, Client, Host, HostProfile};
use crate::settings::{HookSettings, Registered, Shape};

/// The host's name.
pub const NAME: &str = "vscode";

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

struct VsCode;

impl Likeness for VsCode {
    const DIALECT: Dialect = Dialect {
        host: NAME,
        name: name_in_either::<Self>,
        events: &[
            ("PreToolUse", Means::Before),
            ("PostToolUse", Means::After),
            ("UserPromptSubmit", Means::Prompt),
            ("SessionStart", Means::SessionStart),
            ("SubagentStart", Means::SubagentStart),
            ("SubagentStop", Means::SubagentStop),
            ("Stop", Means::Stop),
        ],
        call: Some("tool_use_id"),
        really,
        shells: &[Shell { tool: "run_in_terminal", folder: None }],
        ..Dialect::USUAL
    };
    const NAMED: &'static str = "hook_event_name";
    const WRITES: (&'static str, &'static str, &'static str) = ("create_file", "filePath", "content");

    fn stops(event: &str, reason: &str) -> String {
        line(&if event == PROMPT {
            json!({"continue": false, "stopReason": reason})
        } else {
            json!({"hookSpecificOutput": {"hookEventName": event, "decision": "block", "reason": reason}})
        })
    }
}

/// Its tools under names that the table of tools has otherwise.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("manage_todo_list", "update_todo_list"), ("semantic_search", "codebase_search"),
    ("get_errors", "lsp"), ("run_subagent", "new_task"), ("runSubagent", "new_task"),
    // The editor's and its Copilot extension's own, as in VS Code 1.139.1; tools of servers begin with `mcp_`.
    ("vscode_askQuestions", "ask_followup_question"),
    ("get_changed_files", "search_files"),
    ("vscode_listCodeUsages", "lsp"),
    ("terminal_last_command", "read_command_output"), ("terminal_selection", "read_command_output"),
    ("copilot_getNotebookSummary", "lsp"),
    // Before: vscode-copilot-chat, `src/extension/tools/common/toolNames.ts`.
    ("list_code_usages", "lsp"),
];

fn really(called: Called) -> Called {
    let called = if called.tool.starts_with("mcp_") { called } else { uris::marked(called) };
    let called = match called.tool.as_str() {
        "get_changed_files" => called.respelled(&[("repositoryPath", "path")]),
        "vscode_listCodeUsages" => by_path(called),
        _ => called,
    };
    called.renamed(TOOLS)
}

/// The call with the path of the file in place of its URI, where the URI has it letter by letter.
fn by_path(mut called: Called) -> Called {
    let uri = called.params.get("uri").and_then(Value::as_str);
    let path = uri.and_then(|uri| uri.strip_prefix("file://")).filter(|path| path.starts_with('/'));
    let path = path.filter(|path| !path.contains(['%', '?', '#', ':'])).map(str::to_owned);
    if let Some(path) = path.filter(|_| !called.params.contains_key("filePath")) {
        called.params.remove("uri");
        called.params.insert("filePath".to_owned(), Value::String(path));
    }
    called
}

/// The host's row.
pub const HOST: Host = Host { settings: Some(&SETTINGS), ..host::<VsCode>(PROFILE) };

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that exceeds its time limit does not stop the call; there is no switch for that",
        "a hook that exits 0 with text that is not JSON does not stop the call",
        "another hook may rewrite the call after the gate saw it",
        "`chat.hookFilesLocations` can move the place of the hooks, and ours are not read then",
        "where Copilot CLI reads this file it may ignore the form of the refusal, and the call runs",
        "only the editor's own agent meets these hooks; one that runs as Claude Code or Codex meets theirs",
        "it runs the hooks of Copilot CLI, too, and those refuse every call of VS Code: install one of the two in a repository",
        "calls of its sub-agents name none, so all of a session's agents count as one",
        "it tells that a call ran before its file is written: what was changed is recorded with the next call, or when the turn ends",
    ],
    client: Client {
        programs: &["code", "code-insiders"],
        own_folder: ".vscode",
        local: ".github/hooks/bailiwick-vscode.json",
        user: "bailiwick-hooks.json",
        trust: Some("VS Code runs hooks only in a workspace that you trust"),
        ..Client::UNKNOWN
    },
    keeps_shell: true,
    hides_output: true,
    tells_early: true,
    prompts_sub_agents: true,
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    also_runs: Some(AlsoRuns { hooks_of: &["claude-code"], signed: "timestamp" }),
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Entries,
    events: &[
        Registered::plain("PreToolUse", TIMEOUT_S, true),
        Registered::plain("PostToolUse", 30, false),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SubagentStart", 30, false),
        Registered::plain("SubagentStop", TIMEOUT_S, false),
        Registered::plain("Stop", TIMEOUT_S, false),
    ],
    ..HookSettings::USUAL
};
