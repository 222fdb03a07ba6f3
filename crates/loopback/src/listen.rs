//! Connections with limits: how many there are, how long a head may take and be, how long one may live.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// How many headers a request may have.
const MAX_HEADERS: usize = 64;

/// What connections are held to.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many there are at most; a further one is closed at once.
    pub connections: usize,
    /// How long the head of a request may take.
    pub head_within: Duration,
    /// How long one may live.
    pub lifetime: Duration,
}

/// A listener at this port of 127.0.0.1, or at any free one.
///
/// # Errors
/// The port is taken.
pub fn bind(port: Option<u16>) -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Serves until it is dropped. `connected` is told who connects, and gives what answers the requests of that connection.
pub async fn serve<Connected, Answering, Answered, B>(
    listener: TcpListener,
    limits: Limits,
    connected: Connected,
) where
    Connected: Fn(SocketAddr) -> Answering,
    Answering: Fn(Request<Incoming>) -> Answered + Send + Sync + 'static,
    Answered: Future<Output = Response<B>> + Send + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let permits = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok((stream, caller)) = listener.accept().await else {
            // Out of files, most likely: some are closed in a moment.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { continue };
        // Small answers wait for nothing.
        let _ = stream.set_nodelay(true);
        let answering = connected(caller);
        tokio::spawn(async move {
            let answers = service_fn(|request| {
                let answered = answering(request);
                async move { Ok::<_, Infallible>(answered.await) }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head_within)
                .max_buf_size(MAX_HEAD)
                .max_headers(MAX_HEADERS)
                .serve_connection(TokioIo::new(stream), answers);
            // What a client does to its own connection is no fault of ours.
            let _ = timeout(limits.lifetime, connection).await;
            drop(permit);
        });
    }
}
