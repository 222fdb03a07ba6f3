//! Who is let in over HTTP: what was sent to this very server, from no other site, with the token, by a program that the
//! caller of this crate knows.
//!
//! Deliberately absent: what a request asks for.

use std::net::SocketAddr;
use std::sync::Arc;

use bailiwick_loopback::{Refused, Secret, one, sent_here};
use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, ORIGIN};
use hyper::http::request::Parts;
use tokio::sync::OnceCell;

use super::{PATH, Sessions};

const NOT_LET_IN: Refused = Refused(StatusCode::UNAUTHORIZED, "the token is missing or wrong");

/// What every request must have.
#[derive(Debug)]
pub(super) struct Door {
    /// The names that the server has, with its port.
    names: Vec<String>,
    token: Secret,
}

impl Door {
    pub(super) fn new(address: SocketAddr, token: Secret) -> Self {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", address.port()));
        Self { names: names.to_vec(), token }
    }

    /// Refuses whoever may not ask at all.
    pub(super) fn check(&self, request: &Parts) -> Result<(), Refused> {
        sent_here(request, &self.names)?;
        if !request.headers.get_all(ORIGIN).iter().all(|origin| self.is_own(origin.as_bytes())) {
            return Err(Refused(StatusCode::FORBIDDEN, "another origin asks"));
        }
        let said = one(&request.headers, &AUTHORIZATION).and_then(|value| value.split_once(' '));
        let is_let_in = said.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("Bearer") && self.token.is(token.trim())
        });
        if !is_let_in {
            return Err(NOT_LET_IN);
        }
        if request.uri.path() != PATH {
            return Err(Refused(StatusCode::NOT_FOUND, "nothing is here"));
        }
        Ok(())
    }

    fn is_own(&self, origin: &[u8]) -> bool {
        let name = origin.strip_prefix(b"http://");
        name.is_some_and(|name| self.names.iter().any(|own| own.as_bytes() == name))
    }
}

/// The program at the other end of one connection; looked for once it has shown the token.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    address: SocketAddr,
    known: Arc<OnceCell<()>>,
}

impl Caller {
    pub(super) fn at(address: SocketAddr) -> Self {
        Self { address, known: Arc::default() }
    }

    /// Asks who it is, and whether it is let in.
    pub(super) async fn admitted(&self, sessions: &Arc<dyn Sessions>) -> Result<(), Refused> {
        let admit = || async {
            let (sessions, address) = (Arc::clone(sessions), self.address);
            let asked = tokio::task::spawn_blocking(move || sessions.admit(address)).await;
            if asked.unwrap_or(false) { Ok(()) } else { Err(UNKNOWN) }
        };
        self.known.get_or_try_init(admit).await.copied()
    }
}

const UNKNOWN: Refused = Refused(StatusCode::FORBIDDEN, "it cannot be told which program asks");
