//! Copilot CLI's events. None says its name: a tool without an answer is one that is about to run.

use bailiwick_domain::{Showed, Value};

use super::NAME;
use crate::dialect::{Called, Dialect, Means, Names, Shell, printed, read};
use crate::event::{HostEvent, ParseError};
use crate::fields::{Fields, has_answer};

/// The name that is given to the event before a tool.
pub(super) const PRE: &str = "preToolUse";

const DIALECT: Dialect = Dialect {
    host: NAME,
    name: |fields| Ok(name(fields).to_owned()),
    events: &[
        (PRE, Means::Before),
        ("postToolUse", Means::After),
        ("postToolUseFailure", Means::Failed),
        ("userPromptSubmitted", Means::Prompt),
        ("sessionStart", Means::SessionStart),
    ],
    session: "sessionId",
    tool: "toolName",
    params: "toolArgs",
    response: "toolResult",
    showed,
    really,
    shells: &[Shell { tool: "bash", folder: None }, Shell { tool: "powershell", folder: None }],
    ..Dialect::USUAL
};

/// Its tools under names that the table of tools has otherwise; tools of servers have the server's name and `-` before.
#[rustfmt::skip]
const TOOLS: Names = &[
    // vscode-copilot-chat, `agents/copilotcli/common/copilotCLITools.ts`
    ("report_intent", "update_todo_list"), ("think", "update_todo_list"),
    ("read_bash", "read_command_output"), ("read_powershell", "read_command_output"),
    // `@github/copilot-sdk` 1.0.15, `BuiltInTools` and what its runtime says of them
    ("list_bash", "read_command_output"), ("list_powershell", "read_command_output"),
    ("list_agents", "read_command_output"), ("read_agent", "read_command_output"),
    ("task_complete", "attempt_completion"),
    ("fetch_copilot_cli_documentation", "search_tools"),
];

fn really(called: Called) -> Called {
    called.renamed(TOOLS)
}

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

fn name(fields: &Fields) -> &'static str {
    let has = |key: &str| fields.contains_key(key);
    if has("toolName") || has("toolArgs") {
        return match (has_answer(fields, "toolResult"), has_answer(fields, "error")) {
            (true, _) => "postToolUse",
            (false, true) => "postToolUseFailure",
            (false, false) => PRE,
        };
    }
    if has("source") {
        return "sessionStart";
    }
    if has("prompt") { "userPromptSubmitted" } else { "" }
}

/// What the model was shown; of a tool that failed, nothing.
fn showed(result: &Value) -> Option<Showed> {
    let text = result.get("textResultForLlm").and_then(Value::as_str);
    printed(text)
}
