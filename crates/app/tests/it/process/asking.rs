//! Requests over HTTP as bytes: honest ones, which a test may change before they are sent, and what comes back.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use bailiwick_domain::Value;

/// A test that waits longer than this waits for nothing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends these bytes and reads until the server hangs up.
pub(crate) fn sent(mut stream: TcpStream, bytes: &[u8]) -> Answer {
    // A server that has refused already may have hung up.
    let _ = stream.write_all(bytes);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    Answer::of(&String::from_utf8_lossy(&text))
}

/// A request before it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) version: &'static str,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Ask {
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(found, _)| !found.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        self.without(name).and(name, value)
    }

    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn by(mut self, method: &str) -> Self {
        method.clone_into(&mut self.method);
        self
    }

    pub(crate) fn to(mut self, target: &str) -> Self {
        target.clone_into(&mut self.target);
        self
    }

    /// The same with another body, and its length.
    pub(crate) fn saying(self, body: &str) -> Self {
        let mut ask = self.with("Content-Length", &body.len().to_string());
        body.clone_into(&mut ask.body);
        ask
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{} {} {}\r\n", self.method, self.target, self.version);
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        text.push_str(&self.body);
        text.into_bytes()
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    /// 0 where the server hung up without a word.
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn of(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| panic!("no {name} in {self:?}")).1
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        crate::world::json(&self.body)
    }
}
