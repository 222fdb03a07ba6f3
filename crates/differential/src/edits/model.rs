//! A model that reads from a script: each request of the client gets the next turn of tool calls, then the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use bailiwick_domain::Value;

use super::words::{Protocol, Turns};
use crate::server::{Answer, Server};

/// The running model.
pub(super) struct Model {
    server: Server,
    base: &'static str,
    asked: Arc<AtomicUsize>,
}

impl Model {
    pub(super) fn start(protocol: Protocol, turns: Turns) -> Result<Self> {
        let asked = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&asked);
        let server = Server::start(move |head, body| answer(&protocol, head, body, &turns, &counts))?;
        Ok(Self { server, base: protocol.base, asked })
    }

    /// Where a client finds it.
    pub(super) fn url(&self) -> String {
        format!("{}{}", self.server.url(), self.base)
    }

    /// How many turns the client asked for.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(protocol: &Protocol, head: &str, body: &Value, turns: &Turns, asked: &AtomicUsize) -> Answer {
    if !(protocol.is_turn)(head) {
        return Answer::nothing();
    }
    let has_tools = body.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty());
    let turn = has_tools.then(|| asked.fetch_add(1, Ordering::SeqCst));
    match turn.and_then(|turn| Some((turn, turns.get(turn)?))) {
        Some((turn, calls)) => (protocol.calls)(turn, calls),
        None => (protocol.end)(),
    }
}
