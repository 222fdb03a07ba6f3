//! Calls that overrun: each is answered by its own deadline, and those beside and after it as ever.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bailiwick_adapters_mcp::{Page, ServedTools, Stop, serve};
use bailiwick_domain::{ErrorCode, Params, ToolError, json};
use rmcp::model::CallToolRequestParams;
use rmcp::service::ServiceExt as _;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::LONG;

/// Selecting waits for a port that takes the connection and never says a word; everything else is answered at once.
#[derive(Debug)]
struct Blocked {
    port: TcpListener,
}

impl ServedTools for Blocked {
    fn call(&self, name: &str, _params: Params, _stop: &Stop) -> Result<String, ToolError> {
        if name == "select_active_intent" {
            let mut line = TcpStream::connect(self.port.local_addr().unwrap()).unwrap();
            let _ = line.read(&mut [0]);
        }
        Ok(format!("answer of {name}"))
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        Ok(format!("{page:?}"))
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

/// Works until it is called off.
#[derive(Debug)]
struct Endless {
    begun: tokio::sync::mpsc::UnboundedSender<()>,
}

impl ServedTools for Endless {
    fn call(&self, _name: &str, _params: Params, stop: &Stop) -> Result<String, ToolError> {
        self.begun.send(()).unwrap();
        while !stop.is_set() {
            std::thread::yield_now();
        }
        Ok("called off".to_owned())
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        Ok(format!("{page:?}"))
    }
}

// The protocol's library waits for its handlers at the end of the input; work that is not called off by then has no answer.
#[tokio::test]
async fn the_end_of_the_input_calls_off_the_work_at_once() {
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(serve(Arc::new(Endless { begun }), Duration::from_secs(600), read, write));
    let (read, mut write) = tokio::io::split(theirs);
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_intents"}});
    write.write_all(format!("{hello}\n{ready}\n{call}\n").as_bytes()).await.unwrap();
    begins.recv().await.unwrap();
    write.shutdown().await.unwrap();
    let mut lines = BufReader::new(read).lines();
    let mut last = String::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        last = line;
    }
    assert!(last.contains("called off"), "{last}");
}

/// Whatever changes something waits until it is called off.
#[derive(Debug)]
struct Waiting {
    begun: tokio::sync::mpsc::UnboundedSender<()>,
}

impl ServedTools for Waiting {
    fn call(&self, name: &str, _params: Params, stop: &Stop) -> Result<String, ToolError> {
        if name == "delete_file" {
            self.begun.send(()).unwrap();
            while !stop.is_set() {
                std::thread::park_timeout(Duration::from_millis(5));
            }
        }
        Ok(format!("answer of {name}"))
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        Ok(format!("{page:?}"))
    }
}

// As many calls as there is room for wait for a person; reading goes on.
#[tokio::test]
async fn calls_that_wait_are_not_in_the_way_of_what_only_looks() {
    const MOST: usize = 16;
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(serve(Arc::new(Waiting { begun }), Duration::from_secs(600), read, write));
    let client = ().serve(theirs).await.unwrap();
    let file = json!({"path": "a.rs"}).as_object().cloned().unwrap();
    for _ in 0..MOST + 4 {
        let (peer, file) = (client.peer().clone(), file.clone());
        tokio::spawn(async move {
            peer.call_tool(CallToolRequestParams::new("delete_file").with_arguments(file)).await
        });
    }
    for _ in 0..MOST {
        begins.recv().await.unwrap();
    }
    let request = CallToolRequestParams::new("read_file").with_arguments(file);
    let read = serde_json::to_value(client.call_tool(request).await.unwrap()).unwrap();
    assert_eq!(read["content"][0]["text"], "answer of read_file");
    client.cancel().await.unwrap();
}

/// A call that a person is asked about: it goes on until its question is taken back. What was done, in its order.
#[derive(Debug)]
struct Asking {
    begun: tokio::sync::mpsc::UnboundedSender<()>,
    done: Mutex<Vec<&'static str>>,
}

impl Asking {
    fn did(&self, what: &'static str) {
        self.done.lock().unwrap().push(what);
    }
}

impl ServedTools for Asking {
    fn call(&self, _name: &str, _params: Params, _stop: &Stop) -> Result<String, ToolError> {
        self.begun.send(()).unwrap();
        while !self.done.lock().unwrap().contains(&"leave") {
            std::thread::park_timeout(Duration::from_millis(5));
        }
        self.did("call");
        Ok("taken back".to_owned())
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        Ok(format!("{page:?}"))
    }

    fn leave(&self) {
        self.did("leave");
    }

    fn end(&self) {
        self.did("end");
    }
}

// D-39: what waits for a person ends only with its question
#[tokio::test]
async fn a_session_takes_its_questions_back_before_it_waits_for_its_calls() {
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let own = Arc::new(Asking { begun, done: Mutex::default() });
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    let served = tokio::spawn(serve(Arc::clone(&own) as Arc<dyn ServedTools>, LONG, read, write));
    let client = ().serve(theirs).await.unwrap();
    let peer = client.peer().clone();
    tokio::spawn(async move { peer.call_tool(CallToolRequestParams::new("list_intents")).await });
    begins.recv().await.unwrap();
    client.cancel().await.unwrap();
    served.await.unwrap().unwrap();
    assert_eq!(*own.done.lock().unwrap(), ["leave", "call", "end"]);
}
