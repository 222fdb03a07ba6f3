//! Lines of an MCP client: the server that has all tools, and what the proxy passes on. Every line that the server writes is
//! one JSON value, and a frame that the proxy passes says the same to a plain reader.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bailiwick_adapters_mcp::{Page, ServedTools, Stop, method_in_frame, serve};
use bailiwick_domain::{Params, ToolError, Value};
use tokio::io::AsyncWrite;

/// More than any call takes here.
const LONG: Duration = Duration::from_secs(60);

/// What a client says first.
const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

pub(crate) fn check(bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        passed_on(line);
    }
    served(bytes.to_vec());
    served([HELLO.as_bytes(), bytes].concat());
}

/// A frame that is passed on has one meaning.
fn passed_on(line: &[u8]) {
    let Ok(Some(method)) = method_in_frame(line) else { return };
    let plain: Value = match serde_json::from_slice(line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)) {
        Ok(plain) => plain,
        Err(error) => panic!("passed on, and {error}"),
    };
    assert_eq!(
        plain.get("method").and_then(Value::as_str),
        Some(method.as_str()),
        "two readers, two methods"
    );
}

/// The server says what it says, ends with its input, and writes lines of JSON alone.
fn served(input: Vec<u8>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let written = Written::default();
    let ended =
        runtime.block_on(serve(Arc::new(Nothing), LONG, std::io::Cursor::new(input), written.clone()));
    drop((ended, runtime));
    let text = written.0.lock().unwrap_or_else(PoisonError::into_inner);
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let answer: Result<Value, _> = serde_json::from_slice(line);
        assert!(answer.is_ok(), "not JSON: {}", String::from_utf8_lossy(line));
    }
}

/// Tools that do nothing.
#[derive(Debug)]
struct Nothing;

impl ServedTools for Nothing {
    fn call(&self, name: &str, _params: Params, _stop: &Stop) -> Result<String, ToolError> {
        Ok(name.to_owned())
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        Ok(format!("{page:?}"))
    }
}

#[derive(Clone, Debug, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Written {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    // A form feed is a blank for some readers and none for JSON.
    let others = [HELLO.to_owned(), "\u{c}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".to_owned()];
    FRAMES.lines().map(str::to_owned).chain(others).map(String::into_bytes).collect()
}

const FRAMES: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.rs"}}}
{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"write_to_file","arguments":{"path":"a","content":"b"},"_meta":{"progressToken":1}}}
{"jsonrpc":"2.0","id":3,"method":"resources/list"}
{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"bailiwick://intents/INT-001"}}
{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"handshake","arguments":{}}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"no"}}
{"jsonrpc":"2.0","id":6,"method":"ping"}
{"jsonrpc":"2.0","id":7,"result":{}}
{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"no"}}
[{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","id":10,"method":"ping"}]
{"jsonrpc":"2.0","id":11,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":"c"}}}
{"jsonrpc":"2.0","id":1,"id":2,"method":"a","\u006dethod":"b"}"#;
