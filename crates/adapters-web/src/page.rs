//! The live page: a server on this machine's loopback address that shows a board, and hands over what a person does there.
//!
//! It owns the address, who is let in, and what is sent. Deliberately absent: where the board comes from, and what becomes
//! of an answer: the command line takes them one at a time with [`Page::next`].

mod asked;
mod board;
mod door;
mod files;
mod guard;
mod presence;
mod server;

use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bailiwick_loopback::Secret;

pub use asked::{Action, AnsweredRow, Asked, ChangeRow, Place, Reply};
pub use board::{
    AgentRow, Allows, Board, Bounds, Breadth, ChangeLine, DoneRow, GrantRow, IntentOf, PauseRow, Question,
    ReviewFileRow, ReviewRow, TroubleRow,
};

use door::Door;
use presence::Presence;
use server::{Shared, Shown};

/// How many answers may wait to be handled.
const WAITING: usize = 16;

/// A page that is served until it is dropped.
#[derive(Debug)]
pub struct Page {
    address: SocketAddr,
    shared: Arc<Shared>,
    asked: Receiver<Asked>,
}

impl Page {
    /// Serves the page at this port of 127.0.0.1, or at any free one.
    ///
    /// Its origin is one that nobody had before: what another program left in the browser under the same port (a service
    /// worker, a kept page) would own this page. `is_numeric` takes the address itself, for a browser that finds no names
    /// below `localhost`.
    ///
    /// # Errors
    /// The port is taken, no thread can be started, or the system gives no random bytes.
    pub fn open(port: Option<u16>, is_numeric: bool) -> std::io::Result<Self> {
        let listener = bailiwick_loopback::bind(port)?;
        let address = listener.local_addr()?;
        let host = match is_numeric {
            true => address.to_string(),
            false => format!("{}.localhost:{}", Secret::random_name()?, address.port()),
        };
        let (sender, asked) = sync_channel(WAITING);
        let shared = Arc::new(Shared {
            host,
            port: address.port(),
            door: Mutex::new(Door::default()),
            presence: Mutex::new(Presence::default()),
            shown: tokio::sync::watch::Sender::new(Shown::default()),
            asked: sender,
        });
        server::start(listener, Arc::clone(&shared))?;
        Ok(Self { address, shared, asked })
    }

    /// Where it is served.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A link that opens the page once, within a minute. The one before it opens nothing any more.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn link(&self) -> std::io::Result<String> {
        let mut door = self.shared.door.lock().unwrap_or_else(PoisonError::into_inner);
        let token = door.new_link(Instant::now())?;
        Ok(format!("http://{}/#{token}", self.shared.host))
    }

    /// Whether a page is open with somebody before it.
    pub fn is_attended(&self) -> bool {
        let presence = self.shared.presence.lock().unwrap_or_else(PoisonError::into_inner);
        presence.is_attended(Instant::now())
    }

    /// Shows this board from now on; a board like the one before is no news.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn show(&self, board: &Board) -> Result<(), serde_json::Error> {
        let text = serde_json::to_string(board)?;
        self.shared.shown.send_if_modified(|shown| shown.becomes(text));
        Ok(())
    }

    /// What a person did at the page, if anything, within this time.
    pub fn next(&self, wait: Duration) -> Option<Asked> {
        self.asked.recv_timeout(wait).ok()
    }
}
