//! What came of a scenario: what the model was told, what the files are, what the person saw.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::Ended;
use super::model::{Conversation, call_id};
use crate::stage::world::World;

/// One finished run.
pub(crate) struct Run {
    pub(crate) world: Arc<World>,
    pub(crate) ended: Ended,
    pub(crate) requests: Vec<Value>,
    pub(crate) screens: Vec<String>,
    results: BTreeMap<String, String>,
}

impl Run {
    /// Gathers the tool results from what the client sent to the model.
    pub(crate) fn new(world: Arc<World>, ended: Ended, requests: Vec<Value>, screens: Vec<String>) -> Self {
        let results = requests.iter().flat_map(results_in).map(|told| (told.call, told.text)).collect();
        Self { world, ended, requests, screens, results }
    }

    /// The tool result of the main script's step, as the model saw it.
    pub(crate) fn told(&self, step: usize) -> Result<&str> {
        self.result(Conversation::Main, step)
    }

    /// The tool result of a sub-agent's step.
    pub(crate) fn sub_agent_told(&self, step: usize) -> Result<&str> {
        self.result(Conversation::SubAgent, step)
    }

    /// The tool error in a step's result; the client may put words before it.
    pub(crate) fn error(&self, step: usize) -> Result<Value> {
        error_in(self.told(step)?)
    }

    /// Requires that a step was refused with this code, and gives the error.
    pub(crate) fn refused(&self, step: usize, code: &str) -> Result<Value> {
        expect_code(self.error(step)?, code)
    }

    /// Requires that a sub-agent's step was refused with this code.
    pub(crate) fn sub_agent_refused(&self, step: usize, code: &str) -> Result<Value> {
        expect_code(error_in(self.sub_agent_told(step)?)?, code)
    }

    /// Requires that a step went through and its result holds this text.
    pub(crate) fn passed(&self, step: usize, text: &str) -> Result<()> {
        let told = self.told(step)?;
        ensure!(told.contains(text), "step {step}: the result lacks {text:?}: {told}");
        ensure!(error_in(told).is_err(), "step {step} was refused: {told}");
        Ok(())
    }

    /// Requires the content of a file.
    pub(crate) fn file_is(&self, path: &str, text: &str) -> Result<()> {
        let found = self.world.read(path);
        ensure!(found.as_deref() == Some(text), "{path} holds {found:?}, not {text:?}");
        Ok(())
    }

    /// Requires that a file does not exist.
    pub(crate) fn file_is_absent(&self, path: &str) -> Result<()> {
        ensure!(!self.world.repo().join(path).exists(), "{path} exists");
        Ok(())
    }

    /// Requires that the person's screen once showed this text.
    pub(crate) fn seen(&self, text: &str) -> Result<()> {
        ensure!(
            self.screens.iter().any(|screen| screen.contains(text)),
            "no screen showed {text:?}: {:?}",
            self.screens
        );
        Ok(())
    }

    /// Requires that the person was asked this often.
    pub(crate) fn asked(&self, times: usize) -> Result<()> {
        ensure!(
            self.screens.len() == times,
            "the person was asked {} times, not {times}",
            self.screens.len()
        );
        Ok(())
    }

    /// Whether anything that the model was sent holds this text.
    pub(crate) fn heard(&self, text: &str) -> bool {
        self.requests.iter().any(|request| request["messages"].to_string().contains(text))
    }

    /// The whole story, for a failure's report.
    pub(crate) fn story(&self) -> String {
        let mut story = String::new();
        for (id, told) in &self.results {
            story.push_str(&format!("  {id}: {}\n", told.chars().take(600).collect::<String>()));
        }
        story.push_str(&format!("  client: {}{}", self.ended.stdout.trim(), self.ended.stderr.trim()));
        story
    }

    fn result(&self, conversation: Conversation, step: usize) -> Result<&str> {
        let id = call_id("", conversation, step);
        self.results.get(&id).map(String::as_str).with_context(|| format!("{id} has no result"))
    }
}

fn expect_code(error: Value, code: &str) -> Result<Value> {
    ensure!(error["code"] == code, "refused with {} instead of {code}: {error}", error["code"]);
    Ok(error)
}

/// The tool error in a text, from the first brace on.
pub(crate) fn error_in(text: &str) -> Result<Value> {
    let start = text.find('{').context("no JSON in the result")?;
    let json = text.get(start..).unwrap_or_default();
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) if value.get("code").is_some() && value.get("reason").is_some() => Ok(value),
        _ => bail!("no tool error in the result: {text}"),
    }
}

/// One tool result, as the model saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) call: String,
    pub(crate) text: String,
    /// Whether the client says that the call failed.
    pub(crate) failed: bool,
}

/// The tool results that one request carries.
pub(crate) fn results_in(request: &Value) -> Vec<Told> {
    let messages = request["messages"].as_array().into_iter().flatten();
    let blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
    blocks
        .filter(|block| block["type"] == "tool_result")
        .map(|block| Told {
            call: block["tool_use_id"].as_str().unwrap_or_default().to_owned(),
            text: text_of(&block["content"]),
            failed: block["is_error"] == true,
        })
        .collect()
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_prefix_before_the_error_is_tolerated() {
        let told = "PreToolUse:Write hook error: {\"code\":\"NO_SCOPE\",\"reason\":\"r\"} and more";
        assert_eq!(error_in(told).unwrap()["code"], "NO_SCOPE");
    }

    #[test]
    fn ordinary_output_is_no_error() {
        assert!(error_in("export const a = {};").is_err());
        assert!(error_in("{\"a\":1}").is_err());
        assert!(error_in("plain").is_err());
    }

    #[test]
    fn results_come_as_text_or_as_blocks() {
        let request = json!({"messages": [{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "one"},
            {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "two"}]},
        ]}, {"role": "user", "content": "text"}]});
        let found = results_in(&request).into_iter().map(|told| (told.call, told.text));
        let wanted = [("a", "one"), ("b", "two")].map(|(call, text)| (call.to_owned(), text.to_owned()));
        assert!(found.eq(wanted));
    }
}
