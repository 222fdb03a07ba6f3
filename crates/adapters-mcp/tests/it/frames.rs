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

/// What is no JSON, in the words of the protocol.
const NO_JSON: i64 = -32700;
/// What is JSON and no message.
const NO_MESSAGE: i64 = -32600;
/// A message with other parameters than its method has.
const OTHER_PARAMETERS: i64 = -32602;
/// A message that nobody knows.
const UNKNOWN: i64 = -32601;

/// After the frame the server still answers; it said to the frame exactly this error, or nothing, and no tool was called.
#[track_caller]
fn assert_refused(frame: &str, expected: Option<(i64, Value)>, said: &[Value], calls: &[String]) {
    let errors: Vec<(i64, Value)> = said
        .iter()
        .map(|answer| (answer["error"]["code"].as_i64().unwrap_or_default(), answer["id"].clone()))
        .collect();
    assert_eq!(errors, Vec::from_iter(expected), "{frame}: {said:?}");
    assert!(calls.is_empty(), "{frame}: {calls:?}");
}

// threat D10
#[tokio::test]
async fn odd_frames_are_answered_with_an_error_and_so_is_the_next_good_one() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_intents"}}"#;
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let none = || Value::Null;
    let frames = [
        ("not json".to_owned(), Some((NO_JSON, none()))),
        ("{".to_owned(), Some((NO_JSON, none()))),
        (deep, Some((NO_MESSAGE, none()))),
        (format!("{call}{call}"), Some((NO_JSON, json!(1)))),
        (call.replace("list_intents", r"\ud83d"), Some((NO_JSON, json!(1)))),
        (
            r#"{"method":"tools/call","params":{"name":"\ud83d"},"jsonrpc":"2.0","id":77}"#.to_owned(),
            Some((NO_JSON, json!(77))),
        ),
        (call.replace("\"id\":1", "\"id\":9223372036854775808"), Some((NO_MESSAGE, json!(1_u64 << 63)))),
        (call.replace("\"id\":1", "\"id\":1.0"), Some((NO_MESSAGE, none()))),
        (call.replace("\"id\":1", "\"id\":true"), Some((NO_MESSAGE, none()))),
        (call.replace("\"id\":1", "\"id\":null"), Some((NO_MESSAGE, none()))),
        (call.replace("\"id\":1", "\"id\":{\"a\":1}"), Some((NO_MESSAGE, none()))),
        (call.replace("\"id\":1", "\"id\":1,\"more\":2"), Some((NO_MESSAGE, json!(1)))),
        (call.replace("\"id\":1", "\"id\":1,\"id\":1"), Some((NO_JSON, json!(1)))),
        ("null".to_owned(), Some((NO_MESSAGE, none()))),
        ("[]".to_owned(), Some((NO_MESSAGE, none()))),
        (format!("[{call},{call}]"), Some((NO_MESSAGE, none()))),
        (call.replace("2.0", "1.0"), Some((NO_MESSAGE, json!(1)))),
        (call.replace("\"list_intents\"", "7"), Some((OTHER_PARAMETERS, json!(1)))),
        (call.replace("\"name\":\"list_intents\"", ""), Some((OTHER_PARAMETERS, json!(1)))),
        (
            call.replace("\"list_intents\"", "\"list_intents\",\"arguments\":[]"),
            Some((OTHER_PARAMETERS, json!(1))),
        ),
        (call.replace("tools/call", "tools/evil"), Some((UNKNOWN, json!(1)))),
        (call.replace("\"id\":1,", ""), None),
        (call.replace("\"id\":1,", "").replace("list_intents", r"\ud83d"), None),
        (r#"{"jsonrpc":"2.0","id":9,"result":{}}"#.to_owned(), None),
        (r#"{"jsonrpc":"2.0","id":9,"result":{"a":"\ud83d"}}"#.to_owned(), None),
        (r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#.to_owned(), None),
        (r#"{"jsonrpc":"2.0","id":9}"#.to_owned(), Some((NO_MESSAGE, json!(9)))),
        (String::new(), None),
    ];
    for (frame, expected) in frames {
        let mut line = Line::initialized().await;
        line.send(&frame).await;
        let said = line.until_answered().await;
        assert_refused(frame.get(..60).unwrap_or(&frame), expected, &said, &line.own.names());
    }
}

// threat D10
#[tokio::test]
async fn what_comes_before_the_beginning_ends_nothing() {
    let (mut line, _server) = Line::open();
    for early in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/evil"}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}"#,
    ] {
        line.send(early).await;
    }
    line.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    assert_eq!(line.answer().await["id"], 1);
    line.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#).await;
    let refused = line.answer().await;
    assert!(refused["id"] == 2 && refused["error"].is_object(), "{refused}");
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
    line.send(&hello.to_string()).await;
    assert_eq!(line.answer().await["result"]["serverInfo"]["name"], "bailiwick");
    assert!(line.until_answered().await.is_empty());
}

// threat D10
#[tokio::test]
async fn a_frame_that_is_too_long_is_answered_as_the_request_that_it_is() {
    let long = "x".repeat(5 * 1024 * 1024);
    for (frame, id) in [
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{long}"}}"#), json!(1)),
        (format!(r#"{{ "id":"one","jsonrpc":"2.0","method":"{long}"}}"#), json!("one")),
        (format!(r#"{{"method":"{long}","jsonrpc":"2.0","id":8}}"#), json!(8)),
        (format!(r#"{{"method":"{long}", "id": "é" }}"#), json!("é")),
        (format!(r#"{{"params":{{"id":3,"x":"{long}"}},"jsonrpc":"2.0"}}"#), Value::Null),
        (format!(r#"{{"params":{{"x":"{long}","id":3}}}}"#), Value::Null),
        (format!(r#"{{"params":{{"x":"{long}\"id\":3}}"#), Value::Null),
        (long.clone(), Value::Null),
    ] {
        let mut line = Line::initialized().await;
        line.send(&frame).await;
        let said = line.until_answered().await;
        let what = frame.get(..40).unwrap_or_default();
        assert_refused(what, Some((NO_MESSAGE, id)), &said, &line.own.names());
        assert!(said[0]["error"]["message"].as_str().unwrap().contains("at most 4 MiB"), "{said:?}");
    }
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_no_json() {
    // threat D10
    let mut line = Line::initialized().await;
    line.write.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}\n").await.unwrap();
    let said = line.until_answered().await;
    assert_refused("not UTF-8", Some((NO_JSON, json!(1))), &said, &line.own.names());
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
