//! Cursor's events. A file that is read may be told by an event of its own, which then stands for the tool.

use bailiwick_domain::{Map, Showed, Value};

use super::NAME;
use crate::dialect::{Called, Dialect, Means, Names, Shell, named, read};
use crate::event::{HostEvent, ParseError};
use crate::fields::{Fields, required};

/// The events before a tool.
pub(super) const BEFORE: [&str; 2] = ["preToolUse", "beforeReadFile"];

const DIALECT: Dialect = Dialect {
    host: NAME,
    name,
    events: &[
        ("preToolUse", Means::Before),
        ("beforeReadFile", Means::Before),
        ("postToolUse", Means::After),
        ("postToolUseFailure", Means::Failed),
        ("beforeSubmitPrompt", Means::Prompt),
        ("sessionStart", Means::SessionStart),
        ("sessionEnd", Means::SessionEnd),
        ("stop", Means::Stop),
    ],
    session: "conversation_id",
    call: Some("tool_use_id"),
    response: "tool_output",
    roots: Some("workspace_roots"),
    showed,
    really,
    shells: &[Shell { tool: "Shell", folder: Some("working_directory") }],
    ..Dialect::USUAL
};

/// Its tools under names that the table of tools has otherwise; tools of servers begin with `MCP:`.
#[rustfmt::skip]
const TOOLS: Names = &[
    // cursor.com/docs, "Modes": what asks the person, and what changes its own mode or shows a plan
    ("AskQuestion", "ask_followup_question"), ("SwitchMode", "switch_mode"), ("CreatePlan", "switch_mode"),
    // The client's own list (`ClientSideToolV2`, in agents-for-cursor, `investigations/TOOLS_SYSTEM.md`)
    ("ReadLints", "lsp"), ("SemanticSearch", "codebase_search"),
    ("Await", "read_command_output"), ("AwaitShell", "read_command_output"),
    ("ListMcpResources", "access_mcp_resource"),
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

fn name(fields: &mut Fields) -> Result<String, ParseError> {
    let name = named(fields)?;
    if name == "beforeReadFile" {
        let path = required(fields, "file_path")?;
        fields.insert("tool_name".to_owned(), "read_file".into());
        fields.insert(
            "tool_input".to_owned(),
            Value::Object(Map::from_iter([("path".to_owned(), path.into())])),
        );
    }
    Ok(name)
}

/// The form of what tools answer is not documented, so it tells nothing about a file.
fn showed(_output: &Value) -> Option<Showed> {
    Some(Showed::Nothing)
}
