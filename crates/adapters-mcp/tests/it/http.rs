//! Over HTTP: a program that nobody knows is not answered, though it has the token.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bailiwick_adapters_mcp::{HttpServer, Page, ServedTools, Sessions, Stop, serve_http};
use bailiwick_domain::{Params, ToolError};
use bailiwick_loopback::Secret;

use crate::ids::{Waiting, call};

#[derive(Debug, Default)]
struct Known {
    is_known: AtomicBool,
    opened: AtomicUsize,
}

#[derive(Debug)]
struct NoTools;

impl ServedTools for NoTools {
    fn call(&self, _name: &str, _params: Params, _stop: &Stop) -> Result<String, ToolError> {
        Ok(String::new())
    }

    fn show(&self, _page: &Page) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

impl Sessions for Known {
    fn admit(&self, _caller: SocketAddr) -> bool {
        self.is_known.load(Ordering::SeqCst)
    }

    fn open(&self) -> Arc<dyn ServedTools> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        Arc::new(NoTools)
    }
}

const BEGIN: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}"#;

fn begun(address: SocketAddr, token: &str) -> String {
    said(address, token, "", BEGIN).lines().next().unwrap_or_default().to_owned()
}

/// All that is answered to a body in a session.
fn said(address: SocketAddr, token: &str, session: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let session = if session.is_empty() { String::new() } else { format!("Mcp-Session-Id: {session}\r\n") };
    let request = format!(
        "POST /mcp HTTP/1.0\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nAccept: application/json, \
         text/event-stream\r\nContent-Type: application/json\r\n{session}Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A session that has begun.
fn session(address: SocketAddr, token: &str) -> String {
    let answer = said(address, token, "", BEGIN);
    let id = answer
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    let id = id.unwrap_or_else(|| panic!("{answer}"));
    said(address, token, &id, r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#);
    id
}

// D-16, D-39: who cannot be found cannot be kept from answering for a person
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_nobody_knows_opens_no_session() {
    let server = HttpServer::bind(None).unwrap();
    let (address, token) = (server.address(), Secret::random().unwrap());
    assert_eq!(server.url(), format!("http://{address}/mcp"));
    let known = Arc::new(Known::default());
    tokio::spawn(serve_http(server, token.clone(), known.clone(), Duration::from_secs(60)));
    let asks = move |token: Secret| tokio::task::spawn_blocking(move || begun(address, token.reveal()));
    assert_eq!(asks(token.clone()).await.unwrap(), "HTTP/1.0 403 Forbidden");
    assert_eq!(known.opened.load(Ordering::SeqCst), 0);
    known.is_known.store(true, Ordering::SeqCst);
    assert_eq!(asks(token).await.unwrap(), "HTTP/1.0 200 OK");
    assert_eq!(known.opened.load(Ordering::SeqCst), 1);
}

// D-39: a program without the token keeps nobody out
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_say_nothing_shut_nobody_out() {
    let server = HttpServer::bind(None).unwrap();
    let (address, token) = (server.address(), Secret::random().unwrap());
    let known = Arc::new(Known { is_known: true.into(), ..Known::default() });
    tokio::spawn(serve_http(server, token.clone(), known.clone(), Duration::from_secs(60)));
    let silent: Vec<_> = (0..300).map(|_| TcpStream::connect(address).unwrap()).collect();
    let asked = tokio::task::spawn_blocking(move || begun(address, token.reveal())).await.unwrap();
    assert_eq!(asked, "HTTP/1.0 200 OK");
    drop(silent);
}

// D-39: what is read is what goes on
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mark_or_blanks_around_a_body_are_no_part_of_it() {
    let server = HttpServer::bind(None).unwrap();
    let (address, token) = (server.address(), Secret::random().unwrap());
    let known = Arc::new(Known { is_known: true.into(), ..Known::default() });
    tokio::spawn(serve_http(server, token.clone(), known, Duration::from_secs(60)));
    tokio::task::spawn_blocking(move || {
        let token = token.reveal();
        let session = session(address, token);
        let list = r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}"#;
        for body in [
            list.to_owned(),
            format!("\u{feff}{list}"),
            format!("\u{feff} {list}\n"),
            list.replace(", ", ",\r\n"),
        ] {
            let answer = said(address, token, &session, &body);
            assert!(answer.starts_with("HTTP/1.0 200") && answer.contains("\"tools\""), "{body:?}: {answer}");
        }
        let torn = said(address, token, &session, r#"{"method": "\ud83d", "jsonrpc": "2.0", "id": 7}"#);
        assert!(torn.starts_with("HTTP/1.0 400") && torn.contains("\"id\":7"), "{torn}");
    })
    .await
    .unwrap();
}

// D-39: what is read is all that goes on
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_message_reaches_no_tool() {
    let server = HttpServer::bind(None).unwrap();
    let (address, token) = (server.address(), Secret::random().unwrap());
    let slow = Slow::default();
    let tools = slow.0.clone();
    tokio::spawn(serve_http(server, token.clone(), Arc::new(slow), Duration::from_secs(60)));
    tokio::task::spawn_blocking(move || {
        let token = token.reveal();
        let session = session(address, token);
        let asks = |id: &str| {
            format!(
                r#"{{"jsonrpc":"2.0",{id}"method":"tools/call","params":{{"name":"select_active_intent","arguments":{{"intent_id":"a","intent_id":"b"}}}}}}"#
            )
        };
        for id in ["1.0", "1e2", "-0.0", "null", "true"] {
            let answer = said(address, token, &session, &asks(&format!("\"id\":{id},")));
            assert!(answer.starts_with("HTTP/1.0 400") && answer.contains("\"id\":null"), "{id}: {answer}");
        }
        for body in [asks(""), r#"{"jsonrpc":"2.0","id":4,"result":{"a":1,"a":2}}"#.to_owned()] {
            let answer = said(address, token, &session, &body);
            assert!(answer.starts_with("HTTP/1.0 202") && answer.ends_with("\r\n\r\n"), "{body}: {answer}");
        }
    })
    .await
    .unwrap();
    assert_eq!(tools.begun.load(Ordering::SeqCst), 0);
}

/// Sessions whose calls wait.
#[derive(Debug, Default)]
struct Slow(Arc<Waiting>);

impl Sessions for Slow {
    fn admit(&self, _caller: SocketAddr) -> bool {
        true
    }

    fn open(&self) -> Arc<dyn ServedTools> {
        self.0.clone()
    }
}

// D-39: nobody gets another's answer
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_calls_in_one_session_have_no_id_in_common() {
    let server = HttpServer::bind(None).unwrap();
    let (address, token) = (server.address(), Secret::random().unwrap());
    let slow = Slow::default();
    let tools = slow.0.clone();
    tokio::spawn(serve_http(server, token.clone(), Arc::new(slow), Duration::from_secs(60)));
    tokio::task::spawn_blocking(move || {
        let token = token.reveal();
        let (one, other) = (session(address, token), session(address, token));
        let (slow, quick) =
            (call(9, "select_active_intent").to_string(), call(9, "list_intents").to_string());
        std::thread::scope(|scope| {
            let first = scope.spawn(|| said(address, token, &one, &slow));
            while tools.begun.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
            let second = said(address, token, &one, &quick);
            let elsewhere = said(address, token, &other, &quick);
            tools.is_let_go.store(true, Ordering::SeqCst);
            assert!(second.starts_with("HTTP/1.0 400") && second.contains("open already"), "{second}");
            assert!(elsewhere.contains("answer of list_intents"), "{elsewhere}");
            let first = first.join().unwrap();
            assert!(first.contains("answer of select_active_intent"), "{first}");
        });
        let after = said(address, token, &one, &quick);
        assert!(after.contains("answer of list_intents"), "{after}");
    })
    .await
    .unwrap();
}
