//! The session of the main call, through whichever door the scene has for it: the hook or the wire.

use std::process::Output;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::fault::Ended;
use super::scene::{MAIN_FILE, Scene};
use crate::stage::wire::{Wire, addressed};

impl Scene {
    /// The main call under that id, as the wire says it.
    pub(super) fn main_on_wire(phase: &str, id: &str) -> Value {
        let mut request = json!({
            "phase": phase, "toolCallId": id, "toolName": "write_to_file",
            "params": {"path": MAIN_FILE, "content": "written\n"},
        });
        if phase == "post" {
            request["result"] = json!({"ok": true});
        }
        addressed(&request)
    }

    fn on_wire(&self, request: &Value) -> Result<Value> {
        Wire::open(&self.world, &self.world.repo())?.ask(request)
    }

    /// What the program has told its host; `None` where that is no answer that counts. A host of hooks goes by their
    /// exit status; whoever reads a wire has read a line, whatever became of the program afterwards.
    pub(super) fn told(&self, ended: &Ended) -> Result<Option<String>> {
        if self.act.is_on_wire() {
            let Some((line, _)) = ended.stdout.split_once('\n') else { return Ok(None) };
            let answer: Value = serde_json::from_str(line).with_context(|| format!("no answer: {line}"))?;
            return Ok(answer["action"].as_str().map(str::to_owned));
        }
        if ended.code == Some(0) { decision(&ended.stdout).map(Some) } else { Ok(None) }
    }

    /// Makes the main call under that id; whether it may run. If not, a person is asked.
    pub(super) fn try_main(&self, id: &str) -> Result<bool> {
        if self.act.is_on_wire() {
            let answer = self.on_wire(&Self::main_on_wire("pre", id))?;
            return match answer["action"].as_str() {
                Some("allow") => Ok(true),
                Some("waitForApproval") => Ok(false),
                _ => bail!("the next call is answered with {answer}"),
            };
        }
        let output = self.hook.output(&self.main(id))?;
        ensure!(output.status.success(), "the next call ends with {}", output.status);
        let stdout = String::from_utf8_lossy(&output.stdout);
        match decision(&stdout)?.as_str() {
            "allow" => Ok(true),
            "deny" if stdout.contains("APPROVAL_PENDING") => Ok(false),
            other => bail!("the next call is answered with {other}: {stdout}"),
        }
    }

    /// The host tells that the main call under that id has run and changed its file.
    pub(super) fn tell_the_end(&self, id: &str) -> Result<()> {
        if self.act.is_on_wire() {
            let answer = self.on_wire(&Self::main_on_wire("post", id))?;
            ensure!(answer["action"] == "recorded", "its end is answered with {answer}");
            return Ok(());
        }
        let output = self.hook.output(&Self::after(self.main(id)))?;
        ensure!(output.status.success(), "its end is answered with {}", output.status);
        Ok(())
    }

    /// The turn of the session ends.
    pub(super) fn end_turn(&self) -> Result<()> {
        if self.act.is_on_wire() {
            let answer = self.on_wire(&json!({"phase": "prompt"}))?;
            ensure!(answer["action"] == "allow", "the next prompt is answered with {answer}");
            return Ok(());
        }
        let output: Output = self.hook.output(&self.stop())?;
        ensure!(output.status.success(), "the end of the turn ends with {}", output.status);
        Ok(())
    }

    /// How many calls of the grant are used.
    pub(super) fn calls_of_the_grant(&self) -> Result<u64> {
        let stored = std::fs::read(self.private().join("grants/1.json")).context("no grant")?;
        let stored: Value = serde_json::from_slice(&stored)?;
        stored["grant"]["used"]["calls"].as_u64().context("a grant without a count")
    }
}

fn decision(stdout: &str) -> Result<String> {
    if stdout.is_empty() {
        return Ok("no opinion".to_owned());
    }
    let answer: Value = serde_json::from_str(stdout).with_context(|| format!("half an answer: {stdout}"))?;
    Ok(answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("no opinion").to_owned())
}
