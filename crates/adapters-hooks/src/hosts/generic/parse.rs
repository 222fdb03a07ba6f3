//! Events of a host that is not known: the usual names, in either spelling. Two spellings of one field in one event are an
//! error, since the host may mean the other one; an event about a tool without an answer is one before the tool.

use bailiwick_domain::Value;

use super::NAME;
use crate::dialect::{Called, Dialect, Means, ignoring, read};
use crate::event::{HostEvent, ParseError};
use crate::fields::{Fields, has_answer};

const DIALECT: Dialect = Dialect {
    host: NAME,
    name,
    events: &[
        ("PreToolUse", Means::Before),
        ("PostToolUse", Means::After),
        ("PostToolUseFailure", Means::Failed),
        ("UserPromptSubmit", Means::Prompt),
        ("SessionStart", Means::SessionStart),
        ("SessionEnd", Means::SessionEnd),
        ("Stop", Means::Stop),
    ],
    agent: Some("agent_id"),
    call: Some("tool_use_id"),
    really,
    ..Dialect::USUAL
};

/// Of a command's folders only the one of the wire counts: which other names a host obeys is not known.
fn really(called: Called) -> Called {
    let runs = ["command", "commands", "command_line", "CommandLine", "cmd"];
    if !runs.iter().any(|key| called.params.contains_key(*key)) {
        return called;
    }
    let params = ignoring(&called.tool, Some("cwd"), called.params);
    Called { params, ..called }
}

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

/// Each field with its other spellings.
const SPELLINGS: [(&str, &[&str]); 7] = [
    ("hook_event_name", &["hookEventName", "event_name", "event"]),
    ("session_id", &["sessionId", "conversation_id", "conversationId", "sessionID"]),
    ("agent_id", &["agentId"]),
    ("tool_name", &["toolName", "tool"]),
    ("tool_input", &["toolInput", "toolArgs", "tool_args", "args", "params"]),
    ("tool_use_id", &["toolUseId", "tool_call_id", "toolCallId", "call_id", "callID"]),
    ("tool_response", &["toolResponse", "toolResult", "tool_result", "tool_output"]),
];

/// What an event is called elsewhere, in small letters without marks.
const NAMES: [(&str, &[&str]); 7] = [
    ("PreToolUse", &["pretooluse", "beforetool", "beforetooluse", "toolexecutebefore"]),
    ("PostToolUse", &["posttooluse", "aftertool", "aftertooluse", "toolexecuteafter"]),
    ("PostToolUseFailure", &["posttoolusefailure"]),
    ("UserPromptSubmit", &["userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent"]),
    ("SessionStart", &["sessionstart"]),
    ("SessionEnd", &["sessionend"]),
    ("Stop", &["stop", "agentstop", "afteragent"]),
];

fn name(fields: &mut Fields) -> Result<String, ParseError> {
    for (usual, others) in SPELLINGS {
        for other in others {
            if let Some(value) = fields.remove(*other)
                && fields.insert(usual.to_owned(), value).is_some()
            {
                return Err(ParseError::WrongType(usual));
            }
        }
    }
    let told = fields.remove("hook_event_name");
    let told = told.as_ref().and_then(Value::as_str).unwrap_or_default();
    let plain: String =
        told.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).collect();
    let known = NAMES.iter().find(|(_, others)| others.contains(&plain.as_str())).map(|(usual, _)| *usual);
    let is_before = fields.contains_key("tool_name") && !has_answer(fields, "tool_response");
    Ok(match known {
        Some(known) => known,
        None if is_before => "PreToolUse",
        None => "",
    }
    .to_owned())
}
