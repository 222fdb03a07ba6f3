//! A server on loopback that answers what a client posts, as a model would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use bailiwick_domain::Value;

/// What a request is answered with.
pub(crate) struct Answer {
    pub(crate) status: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) body: String,
}

impl Answer {
    /// A stream of events.
    pub(crate) fn events(body: String) -> Self {
        Self { status: "200 OK", kind: "text/event-stream", body }
    }

    /// There is nothing there.
    pub(crate) fn nothing() -> Self {
        Self { status: "404 Not Found", kind: "application/json", body: "{}".to_owned() }
    }
}

/// The running server; it ends with its owner.
pub(crate) struct Server {
    address: SocketAddr,
    over: Arc<AtomicBool>,
}

impl Server {
    /// Gives the first line of each request and its body to `answer`.
    pub(crate) fn start(answer: impl Fn(&str, &Value) -> Answer + Send + Sync + 'static) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("listen on loopback")?;
        let address = listener.local_addr()?;
        let over = Arc::new(AtomicBool::new(false));
        let (ends, answer) = (Arc::clone(&over), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let answer = Arc::clone(&answer);
                std::thread::spawn(move || drop(serve(&stream, answer.as_ref())));
            }
        });
        Ok(Self { address, over })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
    }
}

fn serve(stream: &TcpStream, answer: &impl Fn(&str, &Value) -> Answer) -> Result<()> {
    let (head, body) = request(stream)?;
    let Answer { status, kind, body } = answer(&head, &body.parse().unwrap_or_default());
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n", body.len());
    let mut out = stream;
    Ok(out.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes())?)
}

/// The first line of a request and its body.
fn request(stream: &TcpStream) -> Result<(String, String)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    reader.read_line(&mut head)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
    }
    let mut body = String::new();
    reader.take(length).read_to_string(&mut body)?;
    Ok((head, body))
}
