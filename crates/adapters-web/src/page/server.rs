//! The server: connections with limits, and what each path answers.
//!
//! Everything is bounded before it is read: how many connections, how long a head or a body may take, how long either may
//! be. Files need no secret and hold no data; what the page asks needs both secrets, the exchange of a link apart.

use std::net::TcpListener;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bailiwick_loopback::{Limits, Refused, Unread, one, whole};
use http_body_util::Full;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderName, HeaderValue, SET_COOKIE};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::asked::{Action, Asked, Reply};
use super::door::Door;
use super::files;
use super::guard::{self, LINK, MAX_BODY, Meant, PAGE};
use super::presence::Presence;

/// How many connections there are at most: a browser opens six.
const CONNECTIONS: usize = 48;

/// How long a request's head, or its body, may take.
const READ_WITHIN: Duration = Duration::from_secs(10);

/// How long a question for news is held open.
const HELD: Duration = Duration::from_secs(10);

/// How long one connection may live.
const LIFETIME: Duration = Duration::from_secs(15 * 60);

/// What all connections share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The name and port that the page is reached by.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) door: Mutex<Door>,
    pub(super) presence: Mutex<Presence>,
    pub(super) shown: watch::Sender<Shown>,
    pub(super) asked: SyncSender<Asked>,
}

/// The board that is shown, as JSON, and how many came before it.
#[derive(Debug, Default)]
pub(super) struct Shown {
    number: u64,
    board: Arc<str>,
}

impl Shown {
    /// Takes the next board; whether it differs.
    pub(super) fn becomes(&mut self, board: String) -> bool {
        let is_news = *self.board != *board;
        if is_news {
            self.number += 1;
            self.board = board.into();
        }
        is_news
    }
}

/// Serves from a thread of its own.
pub(super) fn start(listener: TcpListener, shared: Arc<Shared>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let serve = move || runtime.block_on(serve(listener, shared));
    std::thread::Builder::new().name("page".to_owned()).spawn(serve).map(drop)
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let limits = Limits { connections: CONNECTIONS, head_within: READ_WITHIN, lifetime: LIFETIME };
    bailiwick_loopback::serve(listener, limits, |_| {
        let shared = Arc::clone(&shared);
        move |request: Request<Incoming>| {
            let shared = Arc::clone(&shared);
            async move { answer(request, &shared).await }
        }
    })
    .await;
}

type Answer = Response<Full<Bytes>>;

async fn answer<B>(request: Request<B>, shared: &Arc<Shared>) -> Answer
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (head, body) = request.into_parts();
    let answered = match guard::check(&head, &shared.host) {
        Ok(Meant::File(path)) => file(path),
        Ok(Meant::Ask(path)) => ask(path, &head, body, shared).await,
        Err(refused) => Err(refused),
    };
    let mut answer = answered.unwrap_or_else(Refused::answer);
    if answer.status() == StatusCode::METHOD_NOT_ALLOWED {
        let allowed = if head.uri.path().starts_with("/api/") { "POST" } else { "GET" };
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    }
    for (name, value) in files::HEADERS {
        answer.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    answer
}

fn file(path: &str) -> Result<Answer, Refused> {
    let file = files::at(path).ok_or(NOTHING_HERE)?;
    let mut answer = Response::new(Full::new(Bytes::from_static(file.text.as_bytes())));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    Ok(answer)
}

const NOTHING_HERE: Refused = Refused(StatusCode::NOT_FOUND, "nothing is here");
const NOT_LET_IN: Refused = Refused(StatusCode::UNAUTHORIZED, "open the page with a new link");
const NOT_UNDERSTOOD: Refused = Refused(StatusCode::BAD_REQUEST, "not understood");

async fn ask<B>(path: &str, head: &Parts, body: B, shared: &Arc<Shared>) -> Result<Answer, Refused>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Who is let in is decided before a body is waited for: nobody takes a place by sending none.
    if path == "/api/open" {
        return open(one(&head.headers, &LINK).unwrap_or_default(), shared);
    }
    let cookie = cookie_name(shared.port);
    let page = one(&head.headers, &PAGE).unwrap_or_default();
    if !locked(&shared.door).admits(guard::cookies(&head.headers, &cookie), page) {
        return Err(NOT_LET_IN);
    }
    match path {
        "/api/look" => look(read(body).await?, shared).await,
        "/api/do" => act(read(body).await?, shared).await,
        _ => Err(NOTHING_HERE),
    }
}

/// Exchanges the token of a link for a cookie and the page's own secret.
fn open(token: &str, shared: &Shared) -> Result<Answer, Refused> {
    let failed = Refused(StatusCode::INTERNAL_SERVER_ERROR, "the system gives no random bytes");
    let seat = locked(&shared.door).exchange(token, Instant::now()).map_err(|_| failed)?;
    let seat = seat.ok_or(NOT_LET_IN)?;
    let mut answer = json(&serde_json::json!({ "page": seat.page.reveal() }))?;
    let cookie = format!(
        "{}={}; Path=/api; HttpOnly; SameSite=Strict",
        cookie_name(shared.port),
        seat.cookie.reveal()
    );
    let cookie = HeaderValue::try_from(cookie).map_err(|_| failed)?;
    answer.headers_mut().insert(SET_COOKIE, cookie);
    Ok(answer)
}

/// Cookies know no ports, so the name has it.
fn cookie_name(port: u16) -> String {
    format!("bailiwick-{port}")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    /// The number of the board that the page shows.
    seen: u64,
    /// Whether its tab is shown.
    shown: bool,
}

/// Whoever waits for news is there; dropped when the answer is sent, or the page hangs up.
struct There<'s> {
    shared: &'s Shared,
    is_shown: bool,
}

impl<'s> There<'s> {
    fn new(shared: &'s Shared, is_shown: bool) -> Self {
        locked(&shared.presence).hears(is_shown, Instant::now());
        Self { shared, is_shown }
    }
}

impl Drop for There<'_> {
    fn drop(&mut self) {
        locked(&self.shared.presence).ends(self.is_shown, Instant::now());
    }
}

/// The board, as soon as it is another one than the page shows; else, after a while, only its number.
async fn look(look: Look, shared: &Shared) -> Result<Answer, Refused> {
    let _there = There::new(shared, look.shown);
    let mut shown = shared.shown.subscribe();
    let _ = timeout(HELD, shown.wait_for(|shown| shown.number != look.seen && shown.number > 0)).await;
    let shown = shown.borrow();
    let board = if shown.number == look.seen || shown.number == 0 { "null" } else { &*shown.board };
    Ok(json_text(format!("{{\"number\":{},\"board\":{board}}}", shown.number)))
}

/// Hands over what a person did, and waits for what came of it.
async fn act(action: Action, shared: &Shared) -> Result<Answer, Refused> {
    let busy = Refused(StatusCode::SERVICE_UNAVAILABLE, "busy; try again");
    let (reply, replied) = oneshot::channel();
    shared.asked.try_send(Asked { action, reply }).map_err(|_| busy)?;
    let reply: Reply = replied.await.map_err(|_| busy)?;
    json(&reply)
}

/// A body as JSON, read within its limits.
async fn read<T: DeserializeOwned, B>(body: B) -> Result<T, Refused>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let limit = usize::try_from(MAX_BODY).unwrap_or(usize::MAX);
    let slow = Refused(StatusCode::REQUEST_TIMEOUT, "too slow");
    let bytes = whole(body, limit, READ_WITHIN)
        .await
        .map_err(|unread| if unread == Unread::Slow { slow } else { NOT_UNDERSTOOD })?;
    serde_json::from_slice(&bytes).map_err(|_| NOT_UNDERSTOOD)
}

fn json(value: &impl Serialize) -> Result<Answer, Refused> {
    let failed = Refused(StatusCode::INTERNAL_SERVER_ERROR, "the answer cannot be written");
    serde_json::to_string(value).map(json_text).map_err(|_| failed)
}

fn json_text(text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use http_body_util::channel::Channel;

    use super::*;

    // K-42: who is not let in takes no place
    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_the_body_of_whoever_has_no_token() {
        let shared = Arc::new(Shared {
            host: "127.0.0.1:1".to_owned(),
            port: 1,
            door: Mutex::default(),
            presence: Mutex::new(Presence::default()),
            shown: watch::Sender::new(Shown::default()),
            asked: std::sync::mpsc::sync_channel(1).0,
        });
        let (_open, body) = Channel::<Bytes>::new(1);
        let mut request = Request::post("/api/open").body(body).unwrap();
        for (name, value) in [
            ("host", "127.0.0.1:1"),
            ("origin", "http://127.0.0.1:1"),
            ("content-type", "application/json"),
            ("content-length", "50"),
        ] {
            request.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let started = tokio::time::Instant::now();
        let answer = answer(request, &shared).await;
        assert_eq!((answer.status(), started.elapsed()), (StatusCode::UNAUTHORIZED, Duration::ZERO));
    }

    // K-42: limits before work
    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_comes_is_given_up() {
        let (_open, body) = Channel::<Bytes>::new(1);
        let refused = read::<Look, _>(body).await.err();
        assert_eq!(refused, Some(Refused(StatusCode::REQUEST_TIMEOUT, "too slow")));
    }

    // K-42: limits before work
    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_longer_than_it_said_is_not_read() {
        let long = Full::new(Bytes::from(vec![b' '; 300 * 1024]));
        assert_eq!(read::<Look, _>(long).await.err(), Some(NOT_UNDERSTOOD));
        let fits = Full::new(Bytes::from_static(b"{\"seen\":0,\"shown\":true}"));
        assert!(read::<Look, _>(fits).await.is_ok());
    }
}
