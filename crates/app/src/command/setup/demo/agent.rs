//! The agent of the demo: it makes calls like a coding agent does, runs what the gate lets through, and reads nothing
//! but the JSON when the gate says no.

use std::path::{Path, PathBuf};

use bailiwick_domain::{Actor, Answer, Approval, CallId, Params, ToolCall, ToolError, ToolResult, Value};

use crate::command::CommandError;
use crate::gate::{Because, Gate, Outcome};

/// A scripted agent in one session.
pub(super) struct Agent<'a> {
    gate: &'a Gate,
    root: PathBuf,
    actor: Actor,
    calls: u32,
}

/// What a call came to.
pub(super) enum Came {
    /// It ran; what it answered.
    Ran(String),
    /// It was refused.
    Refused(Box<ToolError>),
}

impl<'a> Agent<'a> {
    pub(super) fn new(gate: &'a Gate, root: &Path) -> Self {
        Self { gate, root: root.to_path_buf(), actor: Actor::root("demo", "demo-session"), calls: 0 }
    }

    pub(super) fn prompted(&self) -> Result<(), ToolError> {
        pollster::block_on(self.gate.prompt(&self.actor, false)).map(drop)
    }

    /// Its turn is over.
    pub(super) fn stopped(&self) -> Result<(), ToolError> {
        pollster::block_on(self.gate.turn_over(&self.actor)).map(drop)
    }

    /// Makes one call; `human` answers when the gate asks.
    pub(super) fn call(
        &mut self,
        tool: &str,
        params: &Value,
        human: &mut dyn FnMut(&Approval) -> Answer,
    ) -> Result<Came, CommandError> {
        self.calls += 1;
        let params: Params = params.as_object().cloned().unwrap_or_default();
        let call = ToolCall {
            id: CallId(format!("call-{}", self.calls)),
            actor: self.actor.clone(),
            tool: tool.to_owned(),
            params,
            cwd: None,
            intent_id: None,
            read_hash: None,
            requirement_ids: Vec::new(),
        };
        let mut outcome = pollster::block_on(self.gate.pre(&call));
        if let Outcome::WaitForApproval(approval) = &outcome {
            let answer = human(approval);
            outcome = pollster::block_on(self.gate.resolve(&approval.id, answer));
        }
        match outcome {
            Outcome::Allow(Because::OwnTool { result, .. }) => Ok(Came::Ran(result)),
            Outcome::Allow(_) => self.run(&call).map(Came::Ran),
            Outcome::Block(error) => Ok(Came::Refused(error)),
            Outcome::WaitForApproval(_) | Outcome::AskHost(_) => {
                Err(CommandError::Other("the gate asked twice".to_owned()))
            }
        }
    }

    /// Runs the tool as a host would, and tells the gate.
    fn run(&self, call: &ToolCall) -> Result<String, CommandError> {
        let text = |key: &str| call.params.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let path = self.root.join(text("path"));
        let done = match call.tool.as_str() {
            "read_file" => std::fs::read_to_string(&path),
            "list_files" => listing(&path),
            "write_to_file" => std::fs::write(&path, text("content")).map(|()| "written".to_owned()),
            "edit_file" => std::fs::read_to_string(&path).and_then(|before| {
                let after = before.replacen(&text("old_string"), &text("new_string"), 1);
                std::fs::write(&path, after).map(|()| "edited".to_owned())
            }),
            other => Ok(format!("{other} is not run in the demo")),
        };
        let output = done.map_err(|source| CommandError::io(path.display(), source))?;
        pollster::block_on(self.gate.post(call, &ToolResult::of(true)))?;
        Ok(output)
    }
}

fn listing(folder: &Path) -> std::io::Result<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names.into_iter().filter(|name| !name.starts_with('.')).collect::<Vec<_>>().join("  "))
}
