//! What passed the program between an editor and its agent, line by line: all of it, unchanged and in its order, but for
//! what is the gate's.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::editor::{OURS, Talk};

/// Holds both sides against each other.
pub(super) fn passed_unchanged(talk: &Talk) -> Result<()> {
    // What the agent was sent and the editor did not send: answers to the agent's own requests for permission.
    let sent: BTreeSet<&String> = talk.sent.iter().collect();
    let silent: Vec<Value> =
        talk.to_agent.iter().filter(|line| !sent.contains(line)).map(|line| parsed(line)).collect();
    for answer in &silent {
        let is_answer = answer["result"]["outcome"]["outcome"] == "selected" && answer["method"].is_null();
        ensure!(is_answer, "the agent was sent {answer}");
    }
    let is_silent = |message: &Value| {
        message["method"] == "session/request_permission"
            && silent.iter().any(|answer| answer["id"] == message["id"])
    };
    let wanted: Vec<&String> = talk.of_agent.iter().filter(|line| !is_silent(&parsed(line))).collect();
    let came: Vec<&String> = talk.received.iter().filter(|line| !is_ours(&parsed(line))).collect();
    ensure!(
        wanted == came,
        "the editor received other lines than the agent sent: {}",
        differs(&wanted, &came)
    );
    let refused = talk.editor_refused;
    let passes = |line: &&String| {
        let message = parsed(line);
        !(is_ours(&message) || refused && message["method"] == "session/prompt")
    };
    let wanted: Vec<&String> = talk.sent.iter().filter(passes).collect();
    let came: Vec<&String> = talk.to_agent.iter().filter(|line| sent.contains(line)).collect();
    ensure!(
        wanted == came,
        "the agent received other lines than the editor sent: {}",
        differs(&wanted, &came)
    );
    println!(
        "        {} lines passed unchanged, {} answered by the gate",
        wanted.len() + talk.of_agent.len(),
        silent.len()
    );
    Ok(())
}

/// The first difference.
fn differs(wanted: &[&String], came: &[&String]) -> String {
    let at = wanted.iter().zip(came).position(|(wanted, came)| wanted != came);
    let at = at.unwrap_or_else(|| wanted.len().min(came.len()));
    format!("line {at}\n{:?}\n{:?}", wanted.get(at), came.get(at))
}

/// Whether a line is the gate's own: a question, its end, an error to the editor, or the editor's answer to one.
fn is_ours(message: &Value) -> bool {
    let begins = |value: &Value| value.as_str().is_some_and(|text| text.starts_with(OURS));
    begins(&message["id"])
        || message["method"] == "$/cancel_request"
        || begins(&message["params"]["update"]["toolCallId"])
        || message["error"]["message"].as_str().is_some_and(|text| text.starts_with("Bailiwick"))
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_default()
}
