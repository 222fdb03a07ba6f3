//! Codex's events. One kind of call is told under the name of another: a patch that is given to the shell.

use bailiwick_domain::{Params, Value};

use super::{NAME, folder, heredoc};
use crate::dialect::{Called, Dialect, Means, Shell, read};
use crate::event::{HostEvent, ParseError};

const DIALECT: Dialect = Dialect {
    host: NAME,
    events: &[
        ("PreToolUse", Means::Before),
        ("PostToolUse", Means::After),
        ("UserPromptSubmit", Means::Prompt),
        ("SessionStart", Means::SessionStart),
        ("SessionEnd", Means::SessionEnd),
        ("Stop", Means::Stop),
        ("SubagentStart", Means::SubagentStart),
        ("SubagentStop", Means::SubagentStop),
    ],
    agent: Some("agent_id"),
    call: Some("tool_use_id"),
    really,
    shells: &[Shell { tool: "Bash", folder: None }],
    ..Dialect::USUAL
};

/// Reads one event.
///
/// # Errors
/// It cannot be understood.
pub fn parse(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&DIALECT, bytes)
}

/// A command without the line that ties it to its folder; a patch for the shell as the patch that it is.
fn really(called: Called) -> Called {
    let Some(command) = called.params.get("command").and_then(Value::as_str) else { return called };
    if called.tool != folder::SHELL || called.params.len() != 1 {
        return called;
    }
    let command = folder::untied(command, called.cwd.as_deref()).to_owned();
    let patch = heredoc::patch(&command).and_then(|found| {
        let cwd = found.folder.map(str::to_owned).or_else(|| called.cwd.clone());
        let params = Params::from_iter([(folder::PATCH.to_owned(), found.text.into())]);
        let patch = Called { tool: folder::APPLIER.to_owned(), params, cwd };
        folder::is_placed(&patch).then_some(patch)
    });
    let params = || Params::from_iter([("command".to_owned(), command.as_str().into())]);
    patch.unwrap_or_else(|| Called { params: params(), ..called })
}
