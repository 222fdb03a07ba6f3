//! The plugin's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use super::parse::PRE;
use crate::host::Probe;
use crate::reply::Output;

/// What the model is told when the gate gives no reason.
const SILENT: &str = "Bailiwick did not answer: refused";

/// The event of a write.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let call = json!({
        "event": PRE,
        "session": probe.session,
        "cwd": probe.root,
        "call": probe.call,
        "tool": "write",
        "args": { "filePath": probe.file, "content": probe.content },
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call: everything but exit status 0 with a yes does.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    let answer = serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    let told = match (ended.exit_code, text("verdict")) {
        (0, Some("allow")) => return None,
        (0, Some("deny")) => text("reason").unwrap_or_default(),
        (0, _) => "",
        _ => &ended.stderr,
    };
    Some(if told.trim().is_empty() { SILENT } else { told }.to_owned())
}
