//! Just enough HTTP/1.1 for a model server on loopback: one request, one answer, connection closed.
//!
//! It knows nothing of models or scripts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use anyhow::{Context, Result, bail};

/// One request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

/// Reads one request with its whole body.
pub(crate) fn read(stream: &TcpStream) -> Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let method = words.next().context("no method")?;
    let path = words.next().context("no path")?;
    let mut length = 0_usize;
    let mut chunked = false;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').context("a header without a colon")?;
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse()?,
            "transfer-encoding" => chunked = value.contains("chunked"),
            "expect" => writer(stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let body = if chunked { read_chunks(&mut reader)? } else { read_exactly(&mut reader, length)? };
    Ok(Request { method, path, body })
}

/// Answers with one JSON value.
pub(crate) fn answer_json(stream: &TcpStream, status: &str, body: &str) -> Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    Ok(writer(stream).write_all(head.as_bytes())?)
}

/// Answers with server-sent events, one chunk each.
pub(crate) fn answer_events(stream: &TcpStream, events: &[(String, String)]) -> Result<()> {
    let chunks: Vec<String> =
        events.iter().map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).collect();
    answer_stream(stream, &chunks)
}

/// Answers with a stream of events that are written out already, one chunk each.
pub(crate) fn answer_stream(stream: &TcpStream, chunks: &[String]) -> Result<()> {
    let mut out = writer(stream);
    out.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n",
    )?;
    for event in chunks {
        out.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes())?;
    }
    Ok(out.write_all(b"0\r\n\r\n")?)
}

fn writer(stream: &TcpStream) -> impl Write + '_ {
    stream
}

fn read_exactly(reader: &mut impl Read, length: usize) -> Result<Vec<u8>> {
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

fn read_chunks(reader: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        if reader.read_line(&mut size)? == 0 {
            bail!("the body ended early");
        }
        let length = usize::from_str_radix(size.trim(), 16).context("a chunk's size")?;
        body.extend(read_exactly(reader, length)?);
        read_exactly(reader, 2)?;
        if length == 0 {
            return Ok(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn exchange(sent: &str) -> (Request, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(sent.as_bytes()).unwrap();
        let (server, _) = listener.accept().unwrap();
        let request = read(&server).unwrap();
        answer_events(&server, &[("a".to_owned(), "{}".to_owned())]).unwrap();
        drop(server);
        let mut got = String::new();
        client.read_to_string(&mut got).unwrap();
        (request, got)
    }

    #[test]
    fn reads_a_body_by_its_length() {
        let (request, answer) = exchange("POST /v1/messages HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/messages"));
        assert_eq!(request.body, b"{}");
        assert!(
            answer.ends_with("\r\n\r\n15\r\nevent: a\ndata: {}\n\n\r\n0\r\n\r\n")
                || answer.contains("event: a\ndata: {}\n\n")
        );
    }

    #[test]
    fn reads_a_body_in_chunks() {
        let (request, _) =
            exchange("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        assert_eq!(request.body, b"abc");
    }
}
