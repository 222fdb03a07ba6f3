//! Claude Code's events: bytes in, [`HostEvent`] out. Unknown fields are ignored, unknown events have no opinion.

use bailiwick_domain::{Actor, CallId, Params, Showed, ToolCall, Value};

use super::NAME;
use crate::dialect::Shell;
use crate::event::{EventKind, HostEvent, ParseError};
use crate::fields::{
    Fields, event_fields, failure, flag, made_up_id, optional, permission_mode, required, tool_call,
};

/// Its tool for commands runs them where the last one left off, which events tell.
const SHELL: Shell = Shell { tool: "Bash", folder: None };

/// Reads one event.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    let mut fields = event_fields(bytes)?;
    let name = required(&mut fields, "hook_event_name")?;
    let session = required(&mut fields, "session_id")?;
    let agent = optional(&mut fields, "agent_id")?;
    if agent.as_deref() == Some("") {
        return Err(ParseError::WrongType("agent_id"));
    }
    let actor = Actor { host: NAME.to_owned(), session, agent };
    let cwd = optional(&mut fields, "cwd")?.filter(|cwd| !cwd.is_empty());
    let kind = kind(&name, &actor, cwd.as_deref(), &mut fields)?;
    Ok(HostEvent { name, actor, cwd, project_dir: None, kind })
}

fn kind(name: &str, actor: &Actor, cwd: Option<&str>, fields: &mut Fields) -> Result<EventKind, ParseError> {
    Ok(match name {
        "PreToolUse" => pre(actor, cwd, fields)?,
        "PostToolUse" => post(actor, fields, true)?,
        "PostToolUseFailure" => post(actor, fields, false)?,
        "PostToolBatch" => EventKind::PostBatch { calls: batch(actor, cwd, fields)? },
        "UserPromptSubmit" => {
            let prompt = optional(fields, "prompt")?.ok_or(ParseError::Missing("prompt"))?;
            EventKind::Prompt { injected: is_injected(&prompt), prompt }
        }
        "SessionStart" => {
            EventKind::SessionStart { model: optional(fields, "model")?, source: optional(fields, "source")? }
        }
        "SessionEnd" => EventKind::SessionEnd,
        "Stop" => EventKind::Stop { already_continued: flag(fields, "stop_hook_active") },
        "SubagentStart" => EventKind::SubagentStart,
        "SubagentStop" => EventKind::SubagentStop { already_continued: flag(fields, "stop_hook_active") },
        "ConfigChange" => EventKind::ConfigChange { path: optional(fields, "file_path")? },
        _ => EventKind::Other,
    })
}

fn pre(actor: &Actor, cwd: Option<&str>, fields: &mut Fields) -> Result<EventKind, ParseError> {
    let call = call(actor, cwd, fields)?;
    let permission_mode = permission_mode(optional(fields, "permission_mode")?.as_deref());
    Ok(EventKind::Pre { call, permission_mode })
}

fn call(actor: &Actor, cwd: Option<&str>, fields: &mut Fields) -> Result<ToolCall, ParseError> {
    let (id, tool, params) = called(actor, fields)?;
    Ok(tool_call(actor, cwd, id, tool, params))
}

fn post(actor: &Actor, fields: &mut Fields, ok: bool) -> Result<EventKind, ParseError> {
    let amended_by_human = fields
        .get("tool_response")
        .and_then(|r| r.get("userModified"))
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let showed = fields.get("tool_response").and_then(showed);
    let failure = if ok { None } else { failure(fields) };
    let (call_id, tool, params) = called(actor, fields)?;
    Ok(EventKind::Post { call_id, tool, params, ok, showed, failure, amended_by_human })
}

/// What a tool showed: lines of a file, or what a command printed. An answer in another form tells nothing.
fn showed(response: &Value) -> Option<Showed> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    if response.get("backgroundTaskId").is_some() {
        return Some(Showed::Nothing);
    }
    if let Some(printed) = text(response, "stdout") {
        return Some(Showed::Printed(printed));
    }
    let file = response.get("file").filter(|_| response.get("type").is_some_and(|kind| kind == "text"))?;
    let count = |key: &str| file.get(key).and_then(Value::as_u64);
    Some(Showed::Lines {
        first: count("startLine")?,
        total: count("totalLines")?,
        text: text(file, "content")?,
    })
}

fn batch(actor: &Actor, cwd: Option<&str>, fields: &mut Fields) -> Result<Vec<ToolCall>, ParseError> {
    let Some(calls) = fields.remove("tool_calls") else {
        return Ok(Vec::new());
    };
    let Value::Array(calls) = calls else {
        return Err(ParseError::WrongType("tool_calls"));
    };
    let parsed = |value: Value| match value {
        Value::Object(mut fields) => call(actor, cwd, &mut fields),
        _ => Err(ParseError::WrongType("tool_calls")),
    };
    calls.into_iter().map(parsed).collect()
}

fn called(actor: &Actor, fields: &mut Fields) -> Result<(CallId, String, Params), ParseError> {
    let tool = required(fields, "tool_name")?;
    let params = match fields.remove("tool_input") {
        Some(Value::Object(params)) => params,
        Some(_) => return Err(ParseError::WrongType("tool_input")),
        None => return Err(ParseError::Missing("tool_input")),
    };
    let id = optional(fields, "tool_use_id")?.filter(|id| !id.is_empty());
    let id = id.map_or_else(|| made_up_id(actor, &tool, &params), CallId);
    let params = SHELL.obeyed(&tool, params);
    Ok((id, tool, params))
}

/// Elements that the host wraps its own messages in. Anything else, and anything beside them, comes from the person.
const INJECTED_ELEMENTS: [(&str, &str); 2] =
    [("<task-notification>", "</task-notification>"), ("<system-reminder>", "</system-reminder>")];
/// The line that the host puts below a notification.
const NOTIFICATION_TAIL: &str = "Read the output file to retrieve the result:";
/// Whole prompts that the host writes when a turn was interrupted.
const INJECTED_WHOLE: [&str; 2] =
    ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/// Whether the host wrote the prompt itself. When unsure it is the human's, which only ever asks for more.
fn is_injected(prompt: &str) -> bool {
    let mut rest = prompt.trim();
    if INJECTED_WHOLE.contains(&rest) {
        return true;
    }
    let mut found = false;
    while let Some(after) = INJECTED_ELEMENTS.iter().find_map(|(open, close)| {
        rest.strip_prefix(open)?.split_once(close).map(|(_, after)| after.trim_start())
    }) {
        found = true;
        rest = after;
    }
    found && (rest.is_empty() || (rest.starts_with(NOTIFICATION_TAIL) && rest.lines().count() == 1))
}
