//! Qwen Code's events.

use bailiwick_domain::{Showed, Value};

use super::NAME;
use crate::dialect::{Called, Dialect, Means, Shell, named, printed, read};
use crate::event::{HostEvent, ParseError};
use crate::fields::Fields;

/// The event of a prompt.
pub(super) const PROMPT: &str = "UserPromptSubmit";

const DIALECT: Dialect = Dialect {
    host: NAME,
    name,
    events: &[
        ("PreToolUse", Means::Before),
        ("PostToolUse", Means::After),
        ("PostToolUseFailure", Means::Failed),
        (PROMPT, Means::Prompt),
        ("SessionStart", Means::SessionStart),
        ("SessionEnd", Means::SessionEnd),
        ("Stop", Means::Stop),
        ("SubagentStart", Means::SubagentStart),
        ("SubagentStop", Means::SubagentStop),
    ],
    agent: Some("agent_id"),
    call: Some("tool_use_id"),
    showed,
    really,
    shells: &[Shell { tool: "run_shell_command", folder: Some("directory") }],
    empty_folder_is_none: true,
    ..Dialect::USUAL
};

/// Tools of its own whose names are those of other tools elsewhere, or that the table of tools calls otherwise.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("agent", "new_task"), ("notebook_edit", "edit_notebook"), ("todo_write", "update_todo_list"),
    ("tool_search", "search_tools"), ("list_agents", "update_todo_list"), ("exit_plan_mode", "switch_mode"),
    ("ask_user_question", "ask_followup_question"),
    // A skill may bring hooks, which run commands.
    ("skill", "run_slash_command"),
    // Its own `exec` runs JavaScript.
    ("exec", "qwen:exec"),
    ("read_mcp_resource", "access_mcp_resource"),
    ("task_list", "update_todo_list"), ("task_create", "update_todo_list"), ("task_update", "update_todo_list"),
];

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

/// The event's name. A prompt that no person submitted, such as the result of a tool on its way to the model, is no new
/// request.
fn name(fields: &mut Fields) -> Result<String, ParseError> {
    let name = named(fields)?;
    let goes_on =
        name == PROMPT && fields.get("submitted_prompt").is_none() && is_empty(fields.get("prompt"));
    Ok(if goes_on { format!("{PROMPT}, continued") } else { name })
}

fn is_empty(prompt: Option<&Value>) -> bool {
    prompt.and_then(Value::as_str) == Some("")
}

fn really(called: Called) -> Called {
    called.renamed(TOOLS)
}

/// What the model was shown. A text with anything around it tells nothing about a file.
fn showed(response: &Value) -> Option<Showed> {
    printed(response.get("llmContent").and_then(Value::as_str))
}
