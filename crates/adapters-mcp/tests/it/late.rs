//! Calls that overrun: each is answered by its own deadline, and those beside and after it as ever.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use bailiwick_adapters_mcp::{OwnTools, serve};
use bailiwick_domain::{ErrorCode, Params, ToolError, json};
use rmcp::model::CallToolRequestParams;
use rmcp::service::ServiceExt as _;

/// Selecting waits for a port that takes the connection and never says a word; everything else is answered at once.
#[derive(Debug)]
struct Blocked {
    port: TcpListener,
}

impl OwnTools for Blocked {
    fn call(&self, name: &str, _params: Params) -> Result<String, ToolError> {
        if name == "select_active_intent" {
            let mut line = TcpStream::connect(self.port.local_addr().unwrap()).unwrap();
            let _ = line.read(&mut [0]);
        }
        Ok(format!("answer of {name}"))
    }
}

// Time
#[tokio::test]
async fn a_call_that_blocks_is_answered_by_its_deadline_and_others_beside_and_after_it() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = Arc::new(Blocked { port: port.try_clone().unwrap() });
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(serve(own, Duration::from_secs(1), read, write));
    let client = ().serve(theirs).await.unwrap();
    let call = |name: &'static str| {
        let arguments =
            if name == "select_active_intent" { json!({"intent_id": "INT-001"}) } else { json!({}) };
        client.call_tool(
            CallToolRequestParams::new(name).with_arguments(arguments.as_object().cloned().unwrap()),
        )
    };
    let (one, beside, other) =
        tokio::join!(call("select_active_intent"), call("list_intents"), call("select_active_intent"));
    let after = call("list_intents").await;
    for late in [one, other] {
        let late = serde_json::to_value(late.unwrap()).unwrap();
        assert_eq!(late["isError"], true, "{late}");
        let error: ToolError = serde_json::from_str(late["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(error.code(), ErrorCode::InternalError);
        assert!(error.message().contains("no answer after 1 seconds"), "{}", error.message());
    }
    for answered in [beside, after] {
        let answered = serde_json::to_value(answered.unwrap()).unwrap();
        assert_eq!(answered["content"][0]["text"], "answer of list_intents");
    }
    // Whoever still waits at the port is let go.
    port.set_nonblocking(true).unwrap();
    while port.accept().is_ok() {}
}
