//! Sessions over HTTP: each is one client's, as a connection over pipes is. The SDK keeps their streams; here are how many
//! there are, what each opens, and when it is over.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use bailiwick_frames::Id;
use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionWorker};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use rmcp::transport::{Transport, WorkerTransport};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::Sessions;
use crate::called_off::Taken;
use crate::frames::{answered_id, called_off, request_id};
use crate::session::Session;

/// How many sessions there are at most: clients often leave without ending theirs.
const MOST: u32 = 32;

/// How long a new session waits for the end of the one that makes room for it.
const ROOM_WITHIN: Duration = Duration::from_secs(10);

/// How long a session of which nothing is heard stays open: a person may think for a while before the next prompt.
const IDLE: Duration = Duration::from_secs(60 * 60);

/// How long the server waits at its end for its sessions to end.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// The sessions of a server.
pub(super) struct Manager {
    streams: LocalSessionManager,
    opens: Arc<dyn Sessions>,
    places: Arc<Semaphore>,
    over: CancellationToken,
    open: Mutex<HashMap<SessionId, Open>>,
}

/// A session that is open.
#[derive(Debug)]
struct Open {
    session: Weak<Session>,
    heard: Instant,
    taken: Taken,
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionError {
    #[error("too many sessions")]
    Full,
    #[error("the session could not be opened")]
    NotOpened,
    #[error("a request with this id is open already")]
    Taken,
    #[error("{0}")]
    Stream(<LocalSessionManager as SessionManager>::Error),
}

impl Manager {
    pub(super) fn new(opens: Arc<dyn Sessions>, over: CancellationToken) -> Self {
        let mut streams = LocalSessionManager::default();
        streams.session_config.keep_alive = Some(IDLE);
        let places = Arc::new(Semaphore::new(usize::try_from(MOST).unwrap_or(1)));
        Self { streams, opens, places, over, open: Mutex::default() }
    }

    /// Whether there is no place, and no session that could end for a new one.
    pub(super) fn is_full(&self) -> bool {
        self.places.available_permits() == 0 && self.idlest().is_none()
    }

    /// Why a request in that session may not have this id, if it may not.
    pub(super) fn why_not(&self, session: &str, id: &Id) -> Option<&'static str> {
        self.open_ones().get(session).and_then(|open| open.taken.why_not(id))
    }

    fn taken(&self, session: &SessionId) -> Option<Taken> {
        self.open_ones().get(session).map(|open| open.taken.clone())
    }

    fn open_ones(&self) -> MutexGuard<'_, HashMap<SessionId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was heard of a session.
    fn heard(&self, id: &SessionId) {
        if let Some(open) = self.open_ones().get_mut(id) {
            open.heard = Instant::now();
        }
    }

    /// The session without work of which nothing was heard for the longest time.
    fn idlest(&self) -> Option<SessionId> {
        let mut open = self.open_ones();
        open.retain(|_, one| one.session.strong_count() > 0);
        let idle = |one: &Open| one.session.upgrade().is_some_and(|session| session.is_idle());
        let idle = open.iter().filter(|(_, one)| idle(one));
        idle.min_by_key(|(_, one)| one.heard).map(|(id, _)| Arc::clone(id))
    }

    /// Ends a session if there is no place without that.
    async fn make_room(&self) {
        if self.places.available_permits() > 0 {
            return;
        }
        if let Some(id) = self.idlest() {
            self.open_ones().remove(&id);
            // One that ended meanwhile made room as well.
            let _ = self.streams.close_session(&id).await;
        }
    }

    /// Waits until each session has ended.
    pub(super) async fn all_ended(&self) {
        let _ = tokio::time::timeout(LAST_WAIT, self.places.acquire_many(MOST)).await;
    }

    async fn open(&self) -> Result<Arc<Session>, SessionError> {
        self.make_room().await;
        let place = Arc::clone(&self.places).acquire_owned();
        let place = tokio::time::timeout(ROOM_WITHIN, place).await;
        let place = place.ok().and_then(Result::ok).ok_or(SessionError::Full)?;
        let opens = Arc::clone(&self.opens);
        let opened = tokio::task::spawn_blocking(move || opens.open()).await;
        let tools = opened.map_err(|_| SessionError::NotOpened)?;
        Ok(Arc::new(Session::new(tools, self.over.child_token(), Some(place))))
    }
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manager").field("places", &self.places).finish_non_exhaustive()
    }
}

impl SessionManager for Manager {
    type Error = SessionError;
    type Transport = OneSession;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let session = Ending { session: self.open().await?, is_begun: AtomicBool::new(false) };
        let (id, streams) = self.streams.create_session().await.map_err(SessionError::Stream)?;
        let taken = Taken::default();
        let weak = Arc::downgrade(&session.session);
        let open = Open { session: weak, heard: Instant::now(), taken: taken.clone() };
        self.open_ones().insert(Arc::clone(&id), open);
        Ok((id, OneSession { streams, session, taken }))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.streams.initialize_session(id, message).await.map_err(SessionError::Stream)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.heard(id);
        self.streams.has_session(id).await.map_err(SessionError::Stream)
    }

    /// Whoever is told that it is closed finds nothing open that it asked.
    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        let session = self.open_ones().get(id).and_then(|open| open.session.upgrade());
        if let Some(session) = session {
            session.leave().await;
        }
        self.streams.close_session(id).await.map_err(SessionError::Stream)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let (taken, request) = (self.taken(id), request_id(&message));
        if let (Some(taken), Some(request)) = (&taken, &request)
            && !taken.begin(request.clone())
        {
            return Err(SessionError::Taken);
        }
        let stream = self.streams.create_stream(id, message).await.map_err(SessionError::Stream);
        if let (Err(_), Some(taken), Some(request)) = (&stream, taken, request) {
            taken.answered(&request);
        }
        stream
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        if let (Some(taken), Some(request)) = (self.taken(id), called_off(&message)) {
            taken.called_off(&request);
        }
        self.streams.accept_message(id, message).await.map_err(SessionError::Stream)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.streams.create_standalone_stream(id).await.map_err(SessionError::Stream)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.streams.resume(id, last_event_id).await.map_err(SessionError::Stream)
    }
}

/// The messages of one session. Each request is told whose it is, and with the last one the session ends.
pub(super) struct OneSession {
    streams: WorkerTransport<LocalSessionWorker>,
    session: Ending,
    taken: Taken,
}

impl Transport<RoleServer> for OneSession {
    type Error = <WorkerTransport<LocalSessionWorker> as Transport<RoleServer>>::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let Some(id) = answered_id(&item) {
            self.taken.answered(&id);
        }
        self.streams.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.streams.receive().await;
        let Some(mut message) = message else {
            self.session.begin();
            return None;
        };
        message.insert_extension(Arc::clone(&self.session.session));
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.streams.close().await
    }
}

/// A session that ends when nobody can send anything for it any more.
struct Ending {
    session: Arc<Session>,
    is_begun: AtomicBool,
}

impl Ending {
    /// Begins its end, once.
    fn begin(&self) {
        self.session.over().cancel();
        if self.is_begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let session = Arc::clone(&self.session);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { session.end().await });
        }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.begin();
    }
}
