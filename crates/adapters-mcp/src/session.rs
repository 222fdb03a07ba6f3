//! One client's session: the tools that work for it, room for its calls, and its end.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bailiwick_domain::{ErrorCode, ToolError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{ServedTools, Stop};

/// So many calls of a kind are worked on at once; further ones wait.
const MOST_AT_ONCE: u32 = 16;

/// How long a session waits at its end for the work that it called off, so that no command outlives it. Most clients give the
/// server two seconds in all.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// What all calls of one client share.
#[derive(Debug)]
pub(crate) struct Session {
    tools: Arc<dyn ServedTools>,
    rooms: Rooms,
    /// Set when the client is gone.
    over: CancellationToken,
    /// How long its work is waited for, once it ends.
    until: OnceLock<Instant>,
    /// The place that it takes among the sessions of a server; free again when its end is done.
    _place: Option<OwnedSemaphorePermit>,
}

impl Session {
    pub(crate) fn new(
        tools: Arc<dyn ServedTools>,
        over: CancellationToken,
        place: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self { tools, rooms: Rooms::default(), over, until: OnceLock::new(), _place: place }
    }

    /// Set when the client is gone.
    pub(crate) fn over(&self) -> &CancellationToken {
        &self.over
    }

    pub(crate) fn stop(&self, call: CancellationToken) -> Stop {
        Stop::of(call, self.over.clone())
    }

    /// Whether nothing is worked on.
    pub(crate) fn is_idle(&self) -> bool {
        self.rooms.are_empty()
    }

    /// Calls off all work, and what it asked a person, before anybody waits for it.
    pub(crate) async fn leave(&self) {
        self.over.cancel();
        if self.until.set(Instant::now() + LAST_WAIT).is_ok() {
            let tools = Arc::clone(&self.tools);
            // What is not taken back now is at the end.
            let _ = tokio::task::spawn_blocking(move || tools.leave()).await;
        }
    }

    /// When it is over: leaves, and passes when its work was waited for long enough.
    pub(crate) async fn is_left(&self) {
        self.over.cancelled().await;
        self.leave().await;
        if let Some(until) = self.until.get() {
            tokio::time::sleep_until(*until).await;
        }
    }

    /// Calls off all work, waits for it, and tells the tools.
    pub(crate) async fn end(&self) {
        self.over.cancel();
        tokio::select! {
            () = self.is_left() => {}
            () = self.rooms.all_empty() => {}
        }
        let tools = Arc::clone(&self.tools);
        // What fails at the end is found by the next one who looks.
        let _ = tokio::task::spawn_blocking(move || tools.end()).await;
    }

    /// Does the work on a thread of its own, within its time, as soon as there is room for it.
    pub(crate) async fn within(
        &self,
        limit: Duration,
        only_looks: bool,
        stop: &Stop,
        work: impl FnOnce(&dyn ServedTools) -> Result<String, ToolError> + Send + 'static,
    ) -> Result<String, ToolError> {
        let tools = Arc::clone(&self.tools);
        let room = self.rooms.of(only_looks);
        let work = async {
            let Ok(room) = room.acquire_owned().await else { return Err(over()) };
            if stop.is_set() {
                return Err(over());
            }
            let done = tokio::task::spawn_blocking(move || {
                let _room = room;
                work(tools.as_ref())
            });
            done.await.unwrap_or_else(|_| Err(failed("the gate failed on this request".to_owned())))
        };
        match tokio::time::timeout(limit, work).await {
            Ok(answer) => answer,
            Err(_) => {
                stop.set();
                let seconds = limit.as_secs();
                Err(failed(format!("the gate has no answer after {seconds} seconds; try again")))
            }
        }
    }
}

/// Room for calls that are worked on. What only looks has a room of its own, so that calls that wait for a person are not
/// in its way.
#[derive(Clone, Debug)]
struct Rooms {
    looking: Arc<Semaphore>,
    working: Arc<Semaphore>,
}

impl Default for Rooms {
    fn default() -> Self {
        let room = || Arc::new(Semaphore::new(usize::try_from(MOST_AT_ONCE).unwrap_or(1)));
        Self { looking: room(), working: room() }
    }
}

impl Rooms {
    fn of(&self, only_looks: bool) -> Arc<Semaphore> {
        Arc::clone(if only_looks { &self.looking } else { &self.working })
    }

    fn are_empty(&self) -> bool {
        let most = usize::try_from(MOST_AT_ONCE).unwrap_or(1);
        [&self.looking, &self.working].iter().all(|room| room.available_permits() == most)
    }

    /// Waits until nothing is worked on any more.
    async fn all_empty(&self) {
        for room in [&self.looking, &self.working] {
            // A room is never closed.
            let _ = room.acquire_many(MOST_AT_ONCE).await;
        }
    }
}

fn over() -> ToolError {
    failed("the server ends".to_owned())
}

fn failed(why: String) -> ToolError {
    ToolError::new(ErrorCode::InternalError, why)
}
