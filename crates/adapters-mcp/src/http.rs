//! The server over streamable HTTP, on this machine's own address alone.
//!
//! Everything is refused before it is read that is not for us, not from a program with the token, or too large; what the
//! protocol asks of a request is the SDK's. Deliberately absent: which programs there are ([`Sessions`] knows).

mod door;
mod sessions;

use std::convert::Infallible;
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use bailiwick_frames::{FAILED, INVALID, Id, LONGEST, Odd, error, told_to_end, without_space};
use bailiwick_loopback::{Limits, Refused, Secret, Unread, whole};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use rmcp::model::{ClientRequest, JsonRpcMessage, ProtocolVersion};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::ServedTools;
use crate::frames::{Message, request_id, understood};
use crate::server::{ServeError, Server};
use door::{Caller, Door};
use sessions::Manager;

/// The one place that is served.
const PATH: &str = "/mcp";

/// The header that says which session a request is of.
const SESSION_ID: &str = "mcp-session-id";

/// How many connections there are at most: a client keeps one open for what the server says, and one for each call.
const CONNECTIONS: usize = 256;

/// How long a request's head, or its body, may take.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// How long one connection may live.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

const BUSY: &str = "too many sessions are open; end one, or try again later";

/// What opens for clients over HTTP.
pub trait Sessions: Send + Sync + fmt::Debug {
    /// Whether the program that calls from this address is known, so that what it asks for can be judged. It may block.
    fn admit(&self, caller: SocketAddr) -> bool;

    /// The tools for a new session. It may block.
    fn open(&self) -> Arc<dyn ServedTools>;
}

/// Where the server listens.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
}

impl HttpServer {
    /// Listens at this port of 127.0.0.1, or at any free one. Nothing is answered yet.
    ///
    /// # Errors
    /// The port is taken.
    pub fn bind(port: Option<u16>) -> std::io::Result<Self> {
        let listener = bailiwick_loopback::bind(port)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a client is told to connect to.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }
}

/// Serves clients that have the token until the process is told to end; then all work is called off and all sessions end.
///
/// # Errors
/// The listener failed.
pub async fn serve_http(
    server: HttpServer,
    token: Secret,
    sessions: Arc<dyn Sessions>,
    limit: Duration,
) -> Result<(), ServeError> {
    let over = CancellationToken::new();
    let manager = Arc::new(Manager::new(Arc::clone(&sessions), over.clone()));
    let shared = Arc::new(Shared {
        door: Door::new(server.address, token),
        protocol: protocol(&manager, limit, &over),
        manager: Arc::clone(&manager),
        sessions,
    });
    let limits = Limits { connections: CONNECTIONS, head_within: READ_WITHIN, lifetime: LIFETIME };
    let serving = bailiwick_loopback::serve(server.listener, limits, |address| {
        let (shared, caller) = (Arc::clone(&shared), Caller::at(address));
        move |request: Request<Incoming>| {
            let (shared, caller) = (Arc::clone(&shared), caller.clone());
            async move { shared.answer(request, &caller).await }
        }
    });
    let served = tokio::select! {
        () = serving => Err(ServeError::Failed("nothing more can be accepted".to_owned())),
        () = told_to_end() => Ok(()),
    };
    over.cancel();
    manager.all_ended().await;
    served
}

/// The SDK's part. What has no sessions has no place for an intent, so those versions of the protocol are not spoken here.
fn protocol(
    manager: &Arc<Manager>,
    limit: Duration,
    over: &CancellationToken,
) -> StreamableHttpService<Server, Manager> {
    let versions = ProtocolVersion::known_up_to(&ProtocolVersion::LATEST_WITH_INITIALIZE);
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(LONGEST)
        .with_cancellation_token(over.clone());
    let server = move || Ok(Server { session: None, limit, versions });
    StreamableHttpService::new(server, Arc::clone(manager), config)
}

struct Shared {
    door: Door,
    protocol: StreamableHttpService<Server, Manager>,
    manager: Arc<Manager>,
    sessions: Arc<dyn Sessions>,
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

impl Shared {
    async fn answer(&self, request: Request<Incoming>, caller: &Caller) -> Answer {
        let mut answer = self.judged(request, caller).await.unwrap_or_else(|answer| *answer);
        answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        answer
    }

    async fn judged(&self, request: Request<Incoming>, caller: &Caller) -> Result<Answer, Box<Answer>> {
        let (mut head, body) = request.into_parts();
        self.door.check(&head).map_err(refused)?;
        if ![Method::GET, Method::POST, Method::DELETE].contains(&head.method) {
            return Err(refused(Refused(StatusCode::METHOD_NOT_ALLOWED, "that method does nothing here")));
        }
        caller.admitted(&self.sessions).await.map_err(refused)?;
        if body.size_hint().lower() > LONGEST as u64 {
            return Err(refused(why(Unread::TooLong)));
        }
        let mut bytes = whole(body, LONGEST, READ_WITHIN).await.map_err(|unread| refused(why(unread)))?;
        if head.method == Method::POST {
            bytes = self.look_at(&head, bytes)?;
            head.headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        }
        Ok(self.protocol.handle(Request::from_parts(head, Full::new(bytes))).await)
    }

    /// What goes on of a body: what was read in it. What is no message is answered as it is on every other way, and so is what
    /// there is no room for. Nothing goes on that was not read: what nobody waits for is taken, and leads nowhere.
    fn look_at(&self, head: &Parts, bytes: Bytes) -> Result<Bytes, Box<Answer>> {
        // Here a message may have lines.
        let body: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\r' { b' ' } else { *byte }).collect();
        let Some(read) = understood(&body).map_err(|odd| failed(StatusCode::BAD_REQUEST, &odd))? else {
            // The protocol has an answer to nothing at all.
            return if without_space(&body).is_empty() { Ok(Bytes::new()) } else { Err(taken()) };
        };
        let busy = |id| Odd { code: FAILED, why: BUSY.to_owned(), id: Some(id) };
        if let Some(id) = opens(&read.message).filter(|_| self.manager.is_full()) {
            return Err(failed(StatusCode::SERVICE_UNAVAILABLE, &busy(id)));
        }
        let session = head.headers.get(SESSION_ID).and_then(|id| id.to_str().ok());
        if let (Some(session), Some(id)) = (session, request_id(&read.message))
            && let Some(why) = self.manager.why_not(session, &id)
        {
            return Err(failed(
                StatusCode::BAD_REQUEST,
                &Odd { code: INVALID, why: why.to_owned(), id: Some(id) },
            ));
        }
        Ok(Bytes::from(read.line))
    }
}

/// The id of a request that opens a session.
fn opens(message: &Message) -> Option<Id> {
    let JsonRpcMessage::Request(request) = message else { return None };
    request_id(message).filter(|_| matches!(request.request, ClientRequest::InitializeRequest(_)))
}

fn why(unread: Unread) -> Refused {
    match unread {
        Unread::Slow => Refused(StatusCode::REQUEST_TIMEOUT, "too slow"),
        Unread::TooLong => Refused(StatusCode::PAYLOAD_TOO_LARGE, "too long"),
        Unread::Broken => Refused(StatusCode::BAD_REQUEST, "not understood"),
    }
}

fn refused(refused: Refused) -> Box<Answer> {
    let mut answer = refused.answer().map(BodyExt::boxed);
    let says = match refused.0 {
        StatusCode::UNAUTHORIZED => Some((WWW_AUTHENTICATE, "Bearer")),
        StatusCode::METHOD_NOT_ALLOWED => Some((ALLOW, "GET, POST, DELETE")),
        _ => None,
    };
    if let Some((name, value)) = says {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Box::new(answer)
}

fn taken() -> Box<Answer> {
    let mut answer = Response::new(Full::new(Bytes::new()).boxed());
    *answer.status_mut() = StatusCode::ACCEPTED;
    Box::new(answer)
}

fn failed(status: StatusCode, odd: &Odd) -> Box<Answer> {
    let body = error(odd.id.as_ref(), odd.code, &odd.why);
    let mut answer = Response::new(Full::new(Bytes::from(body)).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Box::new(answer)
}
