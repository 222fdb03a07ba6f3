//! Over HTTP: a program that nobody knows is not answered, though it has the token.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bailiwick_adapters_mcp::{HttpServer, Page, ServedTools, Sessions, Stop, serve_http};
use bailiwick_domain::{Params, ToolError};
use bailiwick_loopback::Secret;

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
    let mut stream = TcpStream::connect(address).unwrap();
    let length = BEGIN.len();
    let request = format!(
        "POST /mcp HTTP/1.0\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nAccept: application/json, \
         text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{BEGIN}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
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
