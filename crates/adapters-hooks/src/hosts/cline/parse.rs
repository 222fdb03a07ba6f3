//! The events that Cline's plugin tells.

use bailiwick_domain::{Params, Value, json};

use super::NAME;
use crate::dialect::{Called, Dialect, ignoring, read};
use crate::event::{HostEvent, ParseError};
use crate::hosts::plugin;

const DIALECT: Dialect = Dialect { really, ..plugin::dialect(NAME) };

/// The tools that Cline itself has, and what the table of tools calls them where it knows them by another name.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("read_files", "read_files"), ("search_codebase", "search_codebase"), ("fetch_web_content", "fetch_web_content"),
    ("editor", "editor"), ("apply_patch", "apply_patch"), ("run_commands", "run_commands"),
    ("ask_question", "ask_question"), ("submit_and_exit", "submit_and_exit"), ("skills", "skills"),
    ("spawn_agent", "new_task"), ("team_spawn_teammate", "new_task"), ("team_run_task", "new_task"),
    ("team_send_message", "update_todo_list"), ("team_broadcast", "update_todo_list"),
    ("team_read_mailbox", "update_todo_list"), ("team_status", "update_todo_list"), ("team_task", "update_todo_list"),
    ("team_list_runs", "update_todo_list"), ("team_await_runs", "update_todo_list"),
    ("team_mission_log", "update_todo_list"), ("team_list_outcomes", "update_todo_list"),
];

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

fn really(called: Called) -> Called {
    let called = called.renamed_only(NAME, TOOLS);
    match called.tool.as_str() {
        "editor" if !is_edit(&called.params) => Called { tool: format!("{NAME}:editor"), ..called },
        "run_commands" => {
            let params = alone(unwrapped(called.params, "command", "commands"));
            Called { params: ignoring(&called.tool, None, params), ..called }
        }
        "read_files" => Called { params: unwrapped(called.params, "path", "files"), ..called },
        "search_codebase" => Called { params: unwrapped(called.params, "queries", "queries"), ..called },
        _ => called,
    }
}

/// Whether an edit has its own parameters alone: the same name elsewhere obeys a `command`, which Cline does not look at.
fn is_edit(params: &Params) -> bool {
    params.keys().all(|key| matches!(key.as_str(), "path" | "old_text" | "new_text" | "insert_line"))
}

/// Parameters that are no object: our plugin puts them below `input`, and Cline takes a text for one entry and a list for
/// several (`RunCommandsInputUnionSchema` and the like in its `schemas.ts`).
fn unwrapped(mut params: Params, one: &str, several: &str) -> Params {
    let is_entry = |item: &Value| item.is_string() || item.is_object();
    let key = match params.get("input") {
        Some(Value::String(_)) => one,
        Some(Value::Array(items)) if items.iter().all(is_entry) => several,
        _ => return params,
    };
    if params.len() == 1
        && let Some(input) = params.remove("input")
    {
        params.insert(key.to_owned(), input);
    }
    params
}

/// A list of one command is that command. Without a list, a program and its words are one that no shell reads.
fn alone(mut params: Params) -> Params {
    if !params.contains_key("commands")
        && let (Some(program), Some(words)) = (params.get("command").cloned(), params.get("args").cloned())
    {
        params.retain(|key, _| !matches!(key.as_str(), "command" | "args"));
        params.insert("commands".to_owned(), json!([{"command": program, "args": words}]));
        return params;
    }
    let only = match params.get("commands").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::String(command)]) if !params.contains_key("command") => command.clone(),
        _ => return params,
    };
    params.remove("commands");
    params.insert("command".to_owned(), only.into());
    params
}
