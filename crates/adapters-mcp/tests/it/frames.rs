//! Frames that no good client sends (threat D10). Each must be refused or ignored, and the next good one answered.

use bailiwick_adapters_mcp::serve;
use bailiwick_domain::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use crate::{LONG, Recorder};

struct Line {
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    own: std::sync::Arc<Recorder>,
}

impl Line {
    fn open() -> (Self, tokio::task::JoinHandle<Result<(), bailiwick_adapters_mcp::ServeError>>) {
        let own = Recorder::new();
        let (ours, theirs) = tokio::io::duplex(1024 * 1024);
        let (read, write) = tokio::io::split(ours);
        let server = tokio::spawn(serve(own.clone(), LONG, read, write));
        let (read, write) = tokio::io::split(theirs);
        (Self { read: BufReader::new(read).lines(), write, own }, server)
    }

    async fn initialized() -> Self {
        let (mut line, _server) = Self::open();
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
        line.send(&hello.to_string()).await;
        assert_eq!(line.answer().await["result"]["serverInfo"]["name"], "bailiwick");
        line.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        line
    }

    async fn send(&mut self, frame: &str) {
        self.write.write_all(frame.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    async fn answer(&mut self) -> Value {
        serde_json::from_str(&self.read.next_line().await.unwrap().unwrap()).unwrap()
    }

    /// Sends a good request and returns everything that is said up to its answer.
    async fn until_answered(&mut self) -> Vec<Value> {
        self.send(r#"{"jsonrpc":"2.0","id":"good","method":"tools/list"}"#).await;
        let mut said = Vec::new();
        loop {
            let answer = self.answer().await;
            if answer["id"] == "good" {
                assert!(answer["result"]["tools"].is_array(), "{answer}");
                return said;
            }
            said.push(answer);
        }
    }
}

/// After the frame the server still answers; what it said to the frame is an error or nothing, and no tool was called.
#[track_caller]
fn assert_refused(frame: &str, said: &[Value], calls: &[String]) {
    for answer in said {
        assert!(answer["error"]["code"].is_i64(), "{frame}: {answer}");
    }
    assert!(calls.is_empty(), "{frame}: {calls:?}");
}

#[tokio::test]
async fn odd_frames_are_refused_and_the_next_good_one_is_answered() {
    // threat D10
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_intents"}}"#;
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(5 * 1024 * 1024));
    let frames = [
        "not json".to_owned(),
        "{".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        format!("[{call},{call}]"),
        format!("{call}{call}"),
        r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"list_intents"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_intents"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#.to_owned(),
        deep,
        long,
    ];
    for frame in frames {
        let mut line = Line::initialized().await;
        line.send(&frame).await;
        let said = line.until_answered().await;
        assert_refused(frame.get(..60).unwrap_or(&frame), &said, &line.own.names());
    }
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_ignored() {
    // threat D10
    let mut line = Line::initialized().await;
    line.write.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}\n").await.unwrap();
    let said = line.until_answered().await;
    assert_refused("not UTF-8", &said, &line.own.names());
}

#[tokio::test]
async fn an_unknown_method_gets_the_protocols_error() {
    let mut line = Line::initialized().await;
    line.send(r#"{"jsonrpc":"2.0","id":5,"method":"intents/rewrite","params":{}}"#).await;
    let answer = line.answer().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(5), &json!(-32601)));
}

#[tokio::test]
async fn the_end_of_input_ends_the_server_without_an_error() {
    let (line, server) = Line::open();
    drop(line);
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_does_not_initialize_is_turned_away() {
    let (mut line, server) = Line::open();
    line.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    let error = server.await.unwrap().unwrap_err();
    assert!(error.to_string().starts_with("the client did not initialize the connection"), "{error}");
}
