//! What stands beside a judged request in `_meta`. A server may ignore any of it, so that only marks go on: the rest is left
//! out, and no client is refused for it.

use bailiwick_domain::{Params, Value};

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

/// The parameters without what is no mark in their `_meta`.
pub(super) fn with_marks(mut params: Params) -> Params {
    if let Some(Value::Object(mut meta)) = params.remove("_meta") {
        meta.retain(|name, value| goes_on(name, value));
        params.insert("_meta".to_owned(), Value::Object(meta));
    }
    params
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

    fn passed(meta: &Value) -> Value {
        let Value::Object(params) = json!({"name": "x", "_meta": meta}) else { panic!("it is an object") };
        Value::Object(with_marks(params))
    }

    #[test]
    fn marks_of_known_clients_go_on() {
        for meta in [
            json!({}),
            json!({"progressToken": 2, "claudecode/toolUseId": "toolu_015V"}),
            json!({"progressToken": "0af7651916cd-43dd", "vscode.requestId": "r-1", "vscode.conversationId": "c-1"}),
            json!({"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "x=1"}),
        ] {
            assert_eq!(passed(&meta), json!({"name": "x", "_meta": meta}));
        }
    }

    #[test]
    fn other_texts_are_left_out_and_the_rest_stays() {
        let said = passed(
            &json!({"path": ".env", "progressToken": 2, "vscode.requestId": "/etc/x", "callId": {"a": 1}}),
        );
        assert_eq!(said, json!({"name": "x", "_meta": {"progressToken": 2}}));
        for odd in [json!([".env"]), json!(null), json!(".env")] {
            assert_eq!(passed(&odd), json!({"name": "x"}), "{odd}");
        }
    }
}
