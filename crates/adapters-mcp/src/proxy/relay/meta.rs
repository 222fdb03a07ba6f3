//! What stands beside a judged request in `_meta`. A server may ignore any of it, so that only marks go on: the rest is left
//! out, and no client is refused for it.

use std::collections::BTreeMap;

use bailiwick_domain::Value;
use serde_json::value::RawValue;

/// What clients send that servers work with.
const KNOWN: &[&str] = &[
    "progressToken",
    "traceparent",
    "tracestate",
    "claudecode/toolUseId",
    "vscode.conversationId",
    "vscode.requestId",
    "ai.opencode/sessionID",
    "threadId",
    "callId",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/logLevel",
];

/// The longest mark, in bytes.
const LONGEST: usize = 256;

type Members = BTreeMap<String, Box<RawValue>>;

/// The frame without what is no mark in its `_meta`; every other byte of its values stays. `None` where it cannot be told
/// what to leave out.
pub(super) fn beside(line: Vec<u8>, meta: Option<&Value>) -> Option<Vec<u8>> {
    let Some(meta) = meta else { return Some(line) };
    if meta.as_object().is_some_and(|meta| meta.iter().all(|(name, value)| goes_on(name, value))) {
        return Some(line);
    }
    let mut frame: Members = serde_json::from_slice(&line).ok()?;
    let mut params: Members = serde_json::from_str(frame.get("params")?.get()).ok()?;
    let said = params.remove("_meta")?;
    if let Some(meta) = meta.as_object() {
        let mut said: Members = serde_json::from_str(said.get()).ok()?;
        said.retain(|name, _| meta.get(name).is_some_and(|value| goes_on(name, value)));
        params.insert("_meta".to_owned(), serde_json::value::to_raw_value(&said).ok()?);
    }
    frame.insert("params".to_owned(), serde_json::value::to_raw_value(&params).ok()?);
    serde_json::to_vec(&frame).ok()
}

fn goes_on(name: &str, value: &Value) -> bool {
    KNOWN.contains(&name) && is_mark(value)
}

/// A number or a word that names no place.
fn is_mark(value: &Value) -> bool {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-:=,;+@".contains(sign);
    match value {
        Value::Number(_) => true,
        Value::String(text) => text.len() <= LONGEST && text.chars().all(is_plain),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    fn passed(meta: &str) -> String {
        let line = format!(r#"{{"id":1,"params":{{"name":"x","arguments":{{"n":1.00}},"_meta":{meta}}}}}"#);
        let value: Value = serde_json::from_str(meta).unwrap();
        String::from_utf8(beside(line.into_bytes(), Some(&value)).unwrap()).unwrap()
    }

    #[test]
    fn marks_of_known_clients_go_on_with_every_byte() {
        for meta in [
            "{}",
            r#"{"progressToken": 2, "claudecode/toolUseId":"toolu_015V"}"#,
            r#"{"progressToken":"0af7651916cd-43dd","vscode.requestId":"r-1","vscode.conversationId":"c-1"}"#,
            r#"{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"x=1"}"#,
        ] {
            assert!(passed(meta).contains(&format!(r#""_meta":{meta}"#)), "{meta}");
        }
    }

    #[test]
    fn other_texts_are_left_out_and_the_rest_stays() {
        let said =
            passed(r#"{"path":".env","progressToken":2,"vscode.requestId":"/etc/x","callId":{"a":1}}"#);
        assert_eq!(
            said,
            r#"{"id":1,"params":{"_meta":{"progressToken":2},"arguments":{"n":1.00},"name":"x"}}"#
        );
        assert!(!passed(r#"[".env"]"#).contains("_meta") && !passed("null").contains("_meta"));
        assert_eq!(beside(b"x".to_vec(), None), Some(b"x".to_vec()));
        assert_eq!(beside(b"x".to_vec(), Some(&json!([]))), None);
    }
}
