//! One conversation with `bailiwick gate` in one working copy, where this program is the human too.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::stage::world::World;

/// The conversation.
pub(crate) struct Wire {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Wire {
    /// Starts the gate in that working copy.
    pub(crate) fn open(world: &World, folder: &Path) -> Result<Self> {
        Self::open_from(world, folder, &world.home())
    }

    /// The same for somebody with that home folder.
    pub(crate) fn open_from(world: &World, folder: &Path, home: &Path) -> Result<Self> {
        let mut command = Command::new(world.gate());
        command.arg("gate").env_clear().envs(world.environment()).env("HOME", home).current_dir(folder);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, answers })
    }

    /// One request of the session, and the answer.
    pub(crate) fn ask(&mut self, request: &Value) -> Result<Value> {
        let request = addressed(request);
        let input = self.process.stdin.as_mut().context("no input")?;
        writeln!(input, "{request}")?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("the gate ended");
        }
        Ok(serde_json::from_str(&line)?)
    }

    /// A file that is written with approval and recorded.
    pub(crate) fn record(&mut self, folder: &Path, path: &str, content: &str) -> Result<()> {
        self.recorded(folder, path, content).map(drop)
    }

    /// The same; the id of the entry. A file that is there is read first.
    pub(crate) fn recorded(&mut self, folder: &Path, path: &str, content: &str) -> Result<String> {
        let params = json!({"path": path, "content": content});
        self.ask(
            &json!({"phase": "pre", "toolName": "select_active_intent", "params": {"intent_id": "INT-001"}}),
        )?;
        if folder.join(path).exists() {
            for phase in ["pre", "post"] {
                let read = json!({"path": path});
                self.ask(
                    &json!({"phase": phase, "toolName": "read_file", "params": read, "result": {"ok": true}}),
                )?;
            }
        }
        let asked = self.ask(&json!({"phase": "pre", "toolName": "write_to_file", "params": params}))?;
        let yes = json!({"phase": "resolve", "approvalId": asked["approvalId"], "decision": "approve"});
        let allowed = self.ask(&yes)?;
        ensure!(allowed["action"] == "allow", "not let through: {allowed}, {asked}");
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(file, content)?;
        let done = self.ask(
            &json!({"phase": "post", "toolName": "write_to_file", "params": params, "result": {"ok": true}}),
        )?;
        ensure!(done["traceIds"].as_array().is_some_and(|ids| ids.len() == 1), "not recorded: {done}");
        Ok(done["traceIds"][0].as_str().unwrap_or_default().to_owned())
    }
}

/// A request as one of this session.
pub(crate) fn addressed(request: &Value) -> Value {
    let mut request = request.clone();
    request["id"] = 1.into();
    request["userSessionId"] = "s1".into();
    request
}

impl Drop for Wire {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
