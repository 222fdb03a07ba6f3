//! What stands between the client and the server: each frame is read once, and goes on as it came, is judged, or is
//! refused.

mod calls;
mod meta;
mod odd;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bailiwick_domain::Value;
use bailiwick_frames::{
    FAILED, Frame, Full, INVALID, Id, Line, Lines, Meant, NO_METHOD, Odd, Output, Says, error, legible, read,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::listing::{Listing, OWN};
use super::methods::{self, Way};
use super::tools::with_own;
use super::{Judge, Ticket};
use crate::Stop;
use crate::called_off::CalledOff;
use crate::frames::{MOST_OPEN, TOO_LARGE, TOO_MANY};

/// What either side tells when it waits for an answer no more.
const CANCELLED: &str = "notifications/cancelled";

/// What a server tells when its tools are others.
const LIST_CHANGED: &str = "notifications/tools/list_changed";

/// So long its end waits for work that was called off.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// So long a server that has ended may say nothing before it has said all: what it has started may hold its output open.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Why a request goes nowhere.
const SERVER_ENDED: &str = "the server has ended";
const IS_OPEN: &str = "a request with this id is open already";

#[derive(Clone)]
pub(super) struct Relay {
    judge: Arc<dyn Judge>,
    client: Output,
    server: Output,
    state: Arc<Mutex<State>>,
    /// Work beside the reading of frames.
    tasks: Arc<Mutex<JoinSet<()>>>,
}

#[derive(Default)]
struct State {
    /// What the client asked and was not answered yet.
    open: BTreeMap<Id, Open>,
    /// What the client called off, and the server may still answer.
    called_off: CalledOff,
    /// So many requests were judged.
    judged: u64,
    /// What the server asked of the client.
    asked_back: BTreeSet<Id>,
    listing: Listing,
    /// The server does not read, which was told.
    is_deaf: bool,
    over: bool,
}

/// An open request of the client.
enum Open {
    /// It is looked at, as the request with this number; the server has not seen it.
    Judged(u64, Stop),
    Passed,
    Listed,
    /// It was let through.
    Called(Ticket),
}

impl State {
    /// The request with this id that is looked at.
    fn judged(&self, id: &Id) -> Option<(u64, Stop)> {
        match self.open.get(id) {
            Some(Open::Judged(number, stop)) => Some((*number, stop.clone())),
            _ => None,
        }
    }

    /// The request with this number goes to the server; false where nobody waits for it any more.
    fn called(&mut self, id: &Id, number: u64, ticket: Ticket) -> bool {
        let is_wanted = !self.over && self.judged(id).is_some_and(|(this, _)| this == number);
        if is_wanted {
            self.open.insert(id.clone(), Open::Called(ticket));
        }
        is_wanted
    }

    /// The request with this ticket could not go to the server; false where nobody waits for it any more.
    fn taken_back(&mut self, id: &Id, ticket: Ticket) -> bool {
        let is_wanted = matches!(self.open.get(id), Some(Open::Called(this)) if *this == ticket);
        if is_wanted {
            self.open.remove(id);
        }
        is_wanted
    }

    /// The request with this number is over without the server; false where nobody waits for it any more.
    fn told(&mut self, id: &Id, number: u64) -> bool {
        let is_wanted = self.judged(id).is_some_and(|(this, _)| this == number);
        if is_wanted {
            self.open.remove(id);
        }
        is_wanted
    }

    /// Takes the request that the server answers; none where it has not seen one.
    fn answered(&mut self, id: &Id) -> Option<Open> {
        if self.called_off.came(id) || matches!(self.open.get(id), Some(Open::Judged(..))) {
            return None;
        }
        self.open.remove(id)
    }
}

impl Relay {
    pub(super) fn new(
        judge: Arc<dyn Judge>,
        client: impl AsyncWrite + Send + Unpin + 'static,
        server: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self {
            judge,
            client: Output::new(client),
            server: Output::new(server),
            state: Arc::default(),
            tasks: Arc::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    /// Reads what the client sends, until it is gone.
    pub(super) async fn follow_client(&self, input: impl AsyncRead + Unpin) {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next().await {
            let frame = match &line {
                Line::Whole(line) => read(line),
                Line::TooLong(beginning, end) => {
                    let id = Id::of_torn(beginning, end);
                    Err(Odd { code: INVALID, why: TOO_LARGE.to_owned(), id })
                }
            };
            match frame {
                Ok(Some(frame)) => self.take_from_client(frame).await,
                Ok(None) => {}
                Err(odd) => self.odd_from_client(Meant::of(&line), &odd).await,
            }
        }
    }

    async fn take_from_client(&self, frame: Frame) {
        let Frame { line, says } = frame;
        match says {
            Says::Result { id, .. } | Says::Failure { id } => {
                if self.state().asked_back.remove(&id) {
                    self.to_server(&line);
                }
            }
            Says::Notification { method, params } if method == CANCELLED => {
                if self.called_off(&params) {
                    self.to_server(&line);
                }
            }
            Says::Notification { method, .. } => {
                if methods::told_by_client(&method) {
                    self.to_server(&line);
                }
                if method == "notifications/initialized" && !self.state().listing.is_begun() {
                    self.look_at_tools().await;
                }
            }
            Says::Request { id, method, params } => self.asked(id, &method, params, line).await,
        }
    }

    async fn asked(&self, id: Id, method: &str, params: Value, line: Vec<u8>) {
        let Some(way) = methods::of_client(method) else {
            return self.refuse_client(Some(&id), NO_METHOD, &not_passed(method)).await;
        };
        let open = match way {
            Way::Passed => Open::Passed,
            Way::Listed => Open::Listed,
            Way::Called | Way::Shown => {
                let mut state = self.state();
                state.judged = state.judged.saturating_add(1);
                Open::Judged(state.judged, Stop::default())
            }
        };
        if let Err(why) = self.open(&id, open) {
            return self.refuse_client(Some(&id), INVALID, why).await;
        }
        match way {
            Way::Passed | Way::Listed => {
                if let Err(full) = self.server.send(&line) {
                    self.state().open.remove(&id);
                    self.refuse_client(Some(&id), FAILED, &deaf(full)).await;
                }
            }
            Way::Called | Way::Shown => {
                let relay = self.clone();
                let method = method.to_owned();
                self.begin(async move { relay.judged(id, way, method, params).await });
            }
        }
    }

    fn open(&self, id: &Id, open: Open) -> Result<(), &'static str> {
        let mut state = self.state();
        if matches!(id, Id::Text(text) if text.starts_with(OWN)) {
            return Err("this id is the proxy's own");
        }
        if state.over {
            return Err(SERVER_ENDED);
        }
        if state.open.contains_key(id) {
            return Err(IS_OPEN);
        }
        if state.called_off.holds(id) {
            return Err("the request with this id was called off, and its answer may still come");
        }
        if state.open.len() >= MOST_OPEN {
            return Err(TOO_MANY);
        }
        state.open.insert(id.clone(), open);
        Ok(())
    }

    /// Ends a request that the client waits for no more; whether the server has seen it.
    fn called_off(&self, params: &Value) -> bool {
        let Some(id) = params.get("requestId").and_then(Id::of) else { return false };
        let open = {
            let mut state = self.state();
            let open = state.open.remove(&id);
            if open.as_ref().is_some_and(|open| !matches!(open, Open::Judged(..))) {
                state.called_off.add(id);
            }
            open
        };
        match open {
            None => false,
            Some(Open::Judged(_, stop)) => {
                stop.set();
                false
            }
            Some(Open::Passed | Open::Listed) => true,
            Some(Open::Called(ticket)) => {
                let relay = self.clone();
                // A server need not answer it any more, so that nobody tells what became of it.
                self.begin(async move { relay.recorded(ticket, false).await });
                true
            }
        }
    }

    /// Reads what the server sends, until it has said all.
    pub(super) async fn follow_server(&self, output: impl AsyncRead + Unpin, gone: impl Future<Output = ()>) {
        let (mut lines, mut gone, mut is_gone) = (Lines::new(output), std::pin::pin!(gone), false);
        loop {
            let line = tokio::select! {
                biased;
                line = lines.next() => line,
                () = &mut gone, if !is_gone => {
                    is_gone = true;
                    continue;
                }
                () = tokio::time::sleep(LAST_WORDS), if is_gone => None,
            };
            let Some(line) = line else { return };
            let frame = match &line {
                Line::Whole(line) => read(&legible(line)).map_err(|odd| odd.why),
                Line::TooLong(..) => Err(TOO_LARGE.to_owned()),
            };
            match frame {
                Ok(Some(frame)) => self.take_from_server(frame).await,
                Ok(None) => {}
                Err(why) => self.odd_from_server(Meant::of(&line), &why).await,
            }
        }
    }

    async fn take_from_server(&self, frame: Frame) {
        let Frame { line, says } = frame;
        match says {
            Says::Result { id, result } => self.answered(&id, Some(result), line).await,
            Says::Failure { id } => self.answered(&id, None, line).await,
            Says::Notification { method, params } => {
                if let Some(id) = params.get("requestId").and_then(Id::of).filter(|_| method == CANCELLED) {
                    self.state().asked_back.remove(&id);
                }
                if methods::told_by_server(&method) {
                    self.to_client(&line).await;
                }
                if method == LIST_CHANGED {
                    self.look_at_tools().await;
                }
            }
            Says::Request { id, method, .. } => match self.ask_back(&id, &method) {
                Ok(()) => self.to_client(&line).await,
                Err(refusal) => self.to_server(&refusal),
            },
        }
    }

    /// The server asks something of the client; or the line that refuses it.
    fn ask_back(&self, id: &Id, method: &str) -> Result<(), Vec<u8>> {
        let mut state = self.state();
        if state.asked_back.contains(id) {
            // An error with this id would be the answer to the request that has it.
            return Err(error(None, INVALID, IS_OPEN));
        }
        if !methods::of_server(method) {
            return Err(error(Some(id), NO_METHOD, &not_passed(method)));
        }
        if state.asked_back.len() >= MOST_OPEN {
            return Err(error(Some(id), FAILED, TOO_MANY));
        }
        state.asked_back.insert(id.clone());
        Ok(())
    }

    /// An answer of the server. It is read on only when there is room for this one, so that what waits for the client has a
    /// bound.
    async fn answered(&self, id: &Id, result: Option<Value>, line: Vec<u8>) {
        let Some(room) = self.client.room(&line).await else { return };
        let (open, next) = {
            let mut state = self.state();
            if state.listing.is_open(id) {
                (None, state.listing.take(result.as_ref()))
            } else {
                (state.answered(id), None)
            }
        };
        if let Some(next) = next {
            self.to_server(&next);
        }
        match open {
            // Nobody asked for it.
            None | Some(Open::Judged(..)) => {}
            Some(Open::Passed) => self.client.put_in(room, &line),
            Some(Open::Listed) => {
                drop(room);
                self.shown(id, result.as_ref(), &line).await;
            }
            Some(Open::Called(ticket)) => {
                let is_error = |result: &Value| result.get("isError").and_then(Value::as_bool) == Some(true);
                let ok = result.as_ref().is_some_and(|result| !is_error(result));
                let relay = self.clone();
                self.begin(async move {
                    relay.recorded(ticket, ok).await;
                    relay.client.put_in(room, &line);
                });
            }
        }
    }

    /// Shows the client a list of tools, and remembers how they are described there.
    async fn shown(&self, id: &Id, result: Option<&Value>, line: &[u8]) {
        let Some(result) = result else { return self.to_client(line).await };
        let taken = self.state().listing.tools.take(result).map(|_| with_own(line));
        match taken {
            Ok(Some(line)) => self.to_client(&line).await,
            Ok(None) => self.refuse_client(Some(id), FAILED, "the server's list cannot be read").await,
            Err(why) => self.refuse_client(Some(id), FAILED, &format!("the server's list: {why}")).await,
        }
    }

    async fn look_at_tools(&self) {
        let first = self.state().listing.begin();
        self.to_server(&first);
    }

    /// Waits until the server takes nothing any more.
    pub(super) async fn server_is_deaf(&self) {
        self.server.broken().await;
    }

    /// Nothing goes on any more: what is looked at is called off. As long as the client has not left, open requests are
    /// answered, and it may take its time to read that.
    pub(super) async fn over(&self, left: &CancellationToken) {
        {
            let mut state = self.state();
            state.over = true;
            state.listing.fail(SERVER_ENDED);
            for open in state.open.values() {
                if let Open::Judged(_, stop) = open {
                    stop.set();
                }
            }
        }
        let judge = Arc::clone(&self.judge);
        let leaving = tokio::task::spawn_blocking(move || judge.leave());
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        let all = async {
            // What cannot be taken back now is found later.
            let _ = leaving.await;
            while tasks.join_next().await.is_some() {}
        };
        // The server's input is closed: it ends by itself.
        tokio::join!(while_there(left, all), self.server.close());
        if !left.is_cancelled() {
            let last = async {
                self.fail_open(SERVER_ENDED).await;
                self.client.emptied().await;
            };
            while_there(left, last).await;
        }
        self.client.close().await;
    }

    /// Answers every request that the server will not answer rightly any more.
    async fn fail_open(&self, why: &str) {
        let open = {
            let mut state = self.state();
            let over = state.over;
            let waits = |open: &Open| matches!(open, Open::Judged(..)) && !over;
            let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
                std::mem::take(&mut state.open).into_iter().partition(|(_, open)| waits(open));
            state.open = kept;
            gone
        };
        for (id, open) in open {
            self.fail(&id, open, why).await;
        }
    }

    /// Answers a request that the server will not answer rightly any more.
    async fn fail(&self, id: &Id, open: Open, why: &str) {
        if let Open::Called(ticket) = open {
            self.recorded(ticket, false).await;
        }
        self.to_client(&error(Some(id), FAILED, why)).await;
    }

    /// What the server says to the client: it waits for who does not read.
    async fn to_client(&self, line: &[u8]) {
        self.client.deliver(line).await;
    }

    /// What nobody is answered that it cannot be sent to the server.
    fn to_server(&self, line: &[u8]) {
        if let Err(full) = self.server.send(line)
            && !std::mem::replace(&mut self.state().is_deaf, true)
        {
            self.judge.tell(&format!("{}: messages to it are lost", deaf(full)));
        }
    }

    /// What the proxy itself says to the client, which may ask faster than it reads.
    async fn refuse_client(&self, id: Option<&Id>, code: i64, why: &str) {
        self.client.tell(&error(id, code, why));
    }
}

/// Works as long as the client is there, and a moment longer.
async fn while_there(left: &CancellationToken, work: impl Future<Output = ()>) {
    let late = async {
        left.cancelled().await;
        tokio::time::sleep(LAST_WAIT).await;
    };
    tokio::select! {
        () = work => {}
        () = late => {}
    }
}

fn not_passed(method: &str) -> String {
    format!("`{}` is not passed on by this proxy", method.escape_debug())
}

/// Why something did not go to the server.
fn deaf(full: Full) -> String {
    format!("the server is not reached: {full}")
}
