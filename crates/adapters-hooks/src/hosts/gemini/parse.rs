//! Gemini CLI's events.

use bailiwick_domain::{Showed, Value};

use super::NAME;
use crate::dialect::{Called, Dialect, Means, Names, Shell, printed, read};
use crate::event::{HostEvent, ParseError};

const DIALECT: Dialect = Dialect {
    host: NAME,
    events: &[
        ("BeforeTool", Means::Before),
        ("AfterTool", Means::After),
        ("BeforeAgent", Means::Prompt),
        ("AfterAgent", Means::Stop),
        ("SessionStart", Means::SessionStart),
        ("SessionEnd", Means::SessionEnd),
    ],
    showed,
    really,
    shells: &[Shell { tool: "run_shell_command", folder: Some("dir_path") }],
    empty_folder_is_none: true,
    ..Dialect::USUAL
};

/// Its tools under names that the table of tools has otherwise, as in 0.61.0; tools of servers begin with `mcp_`.
const TOOLS: Names = &[
    ("search_file_content", "grep_search"),  // `TOOL_LEGACY_ALIASES`
    ("get_internal_docs", "search_tools"),   // pages about itself, which come with it
    ("complete_task", "attempt_completion"), // how a sub-agent ends
];

fn really(called: Called) -> Called {
    let called = match called.tool.as_str() {
        // Of its own pages, none of the repository.
        "get_internal_docs" => called.respelled(&[("path", "query")]),
        _ => called,
    };
    called.renamed(TOOLS)
}

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

/// What the model was shown. A text with anything around it tells nothing about a file.
fn showed(response: &Value) -> Option<Showed> {
    printed(response.get("llmContent").and_then(Value::as_str))
}
