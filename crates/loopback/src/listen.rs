//! Connections with limits: how many there are, how long a head may take and be, how long one may live.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::time::timeout;

use crate::places::{Places, UnderWay};

/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// How many headers a request may have.
const MAX_HEADERS: usize = 64;

/// What connections are held to.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many there are at most. A further one takes the place of the one that waits for a request the longest, and is closed
    /// at once when all are at work.
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
    let places = Places::new(limits.connections);
    loop {
        let Ok((stream, caller)) = listener.accept().await else {
            // Out of files, most likely: some are closed in a moment.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Some(place) = places.take() else { continue };
        // Small answers wait for nothing.
        let _ = stream.set_nodelay(true);
        let answering = connected(caller);
        tokio::spawn(async move {
            let begins = place.asks();
            let answers = service_fn(|request| {
                let answered = begins().map(|under_way| (answering(request), under_way));
                async move {
                    let Some((answered, under_way)) = answered else { return std::future::pending().await };
                    let answer = answered.await;
                    Ok::<_, Infallible>(
                        answer.map(|body| Sent { body: Box::pin(body), _under_way: under_way }),
                    )
                }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head_within)
                .max_buf_size(MAX_HEAD)
                .max_headers(MAX_HEADERS)
                .serve_connection(TokioIo::new(stream), answers);
            // What a client does to its own connection is no fault of ours.
            tokio::select! {
                _ = timeout(limits.lifetime, connection) => {}
                () = place.is_lost() => {}
            }
        });
    }
}

/// The body of an answer. Its request is under way until all of it was sent.
struct Sent<B> {
    body: Pin<Box<B>>,
    _under_way: UnderWay,
}

impl<B: Body> Body for Sent<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        self.body.as_mut().poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
