//! Gemini CLI's events.

use bailiwick_domain::{Showed, Value};

use super::NAME;
use crate::dialect::{Dialect, Means, Shell, printed, read};
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
    shell: Some(Shell { tool: "run_shell_command", folder: Some("dir_path") }),
    ..Dialect::USUAL
};

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
