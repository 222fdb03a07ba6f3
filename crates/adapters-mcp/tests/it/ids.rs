//! Ids of requests: one that is open, or was called off, is no other's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bailiwick_adapters_mcp::{Page, ServedTools, Stop, serve};
use bailiwick_domain::{Params, ToolError, Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use crate::LONG;

/// Selecting waits until it is let go; everything else is answered at once.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) begun: AtomicUsize,
    pub(crate) is_let_go: AtomicBool,
}

impl ServedTools for Waiting {
    fn call(&self, name: &str, _params: Params, _stop: &Stop) -> Result<String, ToolError> {
        if name == "select_active_intent" {
            self.begun.fetch_add(1, Ordering::SeqCst);
            while !self.is_let_go.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        }
        Ok(format!("answer of {name}"))
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        Ok(format!("{page:?}"))
    }
}

pub(crate) fn call(id: i64, name: &str) -> Value {
    let arguments = if name == "select_active_intent" { json!({"intent_id": "INT-001"}) } else { json!({}) };
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

/// What a client reads and writes of a server over these tools.
fn served(own: &Arc<Waiting>) -> (Lines<BufReader<ReadHalf<DuplexStream>>>, WriteHalf<DuplexStream>) {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(serve(own.clone(), LONG, read, write));
    let (read, write) = tokio::io::split(theirs);
    (BufReader::new(read).lines(), write)
}

/// What a client says first.
fn greeting() -> [Value; 2] {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
    [hello, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})]
}

// Threat D10: the late answer of one request is not that of another
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_that_is_open_or_was_called_off_is_no_other_requests() {
    let own = Arc::new(Waiting::default());
    let (mut read, mut write) = served(&own);
    let [hello, begun] = greeting();
    let off = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}});
    let mut said = Vec::new();
    for (line, answers) in [
        (hello, true),
        (begun, false),
        (call(5, "select_active_intent"), false),
        (call(5, "list_intents"), true),
        (off, false),
        (call(5, "list_intents"), true),
        (call(6, "list_intents"), true),
        (call(6, "list_intents"), true),
    ] {
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        if answers {
            said.push(serde_json::from_str::<Value>(&read.next_line().await.unwrap().unwrap()).unwrap());
        }
    }
    own.is_let_go.store(true, Ordering::SeqCst);
    let why = |number: usize| said[number]["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(why(1).contains("open already"), "{said:?}");
    assert!(why(2).contains("called off"), "{said:?}");
    for answer in &said[3..] {
        assert_eq!(answer["result"]["content"][0]["text"], "answer of list_intents", "{said:?}");
    }
}

// limits: a client may ask faster than it reads
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_requests_are_open_than_fit() {
    let own = Arc::new(Waiting::default());
    let (mut read, mut write) = served(&own);
    let [hello, begun] = greeting();
    write.write_all(format!("{hello}\n{begun}\n").as_bytes()).await.unwrap();
    read.next_line().await.unwrap();
    for id in 1..=257 {
        let line = call(id, "select_active_intent");
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    let refused: Value = serde_json::from_str(&read.next_line().await.unwrap().unwrap()).unwrap();
    own.is_let_go.store(true, Ordering::SeqCst);
    assert_eq!(refused["id"], 257, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("too many"), "{refused}");
    for _ in 1..=256 {
        let answer: Value = serde_json::from_str(&read.next_line().await.unwrap().unwrap()).unwrap();
        assert!(answer["result"].is_object(), "{answer}");
    }
}
