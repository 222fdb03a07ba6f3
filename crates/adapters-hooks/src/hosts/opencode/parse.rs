//! The events that OpenCode's plugin tells.

use bailiwick_domain::{Showed, Value};

use super::NAME;
use crate::dialect::{Called, Dialect, Shell, printed, read};
use crate::event::{HostEvent, ParseError};
use crate::hosts::plugin;

const DIALECT: Dialect = Dialect {
    showed,
    really,
    shells: &[Shell { tool: "bash", folder: Some("workdir") }],
    empty_folder_is_none: true,
    ..plugin::dialect(NAME)
};

/// The tools that OpenCode itself has, and what the table of tools calls them where it knows them by another name.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("read", "read"), ("list", "list"), ("glob", "glob"), ("grep", "grep"), ("lsp", "lsp"),
    ("write", "write"), ("edit", "edit"), ("multiedit", "edit_file"), ("patch", "patch"), ("apply_patch", "apply_patch"),
    ("bash", "bash"), ("task", "task"), ("webfetch", "webfetch"), ("websearch", "websearch"),
    ("list_mcp_resources", "access_mcp_resource"), ("list_mcp_resource_templates", "access_mcp_resource"),
    ("read_mcp_resource", "access_mcp_resource"),
    ("todowrite", "todowrite"), ("todoread", "todoread"), ("skill", "skill"),
    ("question", "ask_followup_question"), ("plan_exit", "switch_mode"),
    // What OpenCode calls in the place of a tool that is not there, or of a call that it cannot read.
    ("invalid", "report_invalid_call"),
];

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

fn really(called: Called) -> Called {
    called.renamed_only(NAME, TOOLS)
}

/// What the model was shown: the lines of a file, or a text.
fn showed(output: &Value) -> Option<Showed> {
    let Some(lines) = output.get("display").filter(|display| !display.is_null()) else {
        return printed(output.get("text").and_then(Value::as_str));
    };
    let count = |key: &str| lines.get(key).and_then(Value::as_u64);
    let text = lines
        .get("text")
        .and_then(Value::as_str)
        .filter(|_| lines.get("type").is_some_and(|is| is == "file"));
    Some(Showed::Lines { first: count("lineStart")?, total: count("totalLines")?, text: text?.to_owned() })
}
