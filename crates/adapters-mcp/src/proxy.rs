//! A proxy in front of another MCP server: calls of its tools are judged, everything else that is known passes as it is, and
//! what is not known is refused.
//!
//! What is judged is behind [`Judge`], which the caller implements. Deliberately absent: any decision, and what a person
//! trusts.

mod child;
mod listing;
mod methods;
mod relay;
mod tools;

use core::convert::Infallible;
use core::fmt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_domain::{ContentHash, Params, ToolError, Value};
use bailiwick_frames::{Says, Started, read, told_to_end};
use tokio_util::sync::CancellationToken;

use crate::Stop;

pub use child::{StartError, listed};

/// One tool as its server describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The schema of its arguments.
    pub schema: Value,
    /// All that the server says of it.
    pub whole: Value,
    /// The hash of that.
    pub hash: ContentHash,
    /// Whether the server described it otherwise before, in this same connection.
    pub wavers: bool,
}

/// What the client asks of the server that is judged.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A call of this tool.
    Call(Box<Definition>, Params),
    /// The content of a resource.
    Resource(String),
}

/// A call that was let through, until it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub u64);

/// What judges for a proxy. Each is called on a thread of its own and may block.
pub trait Judge: Send + Sync + fmt::Debug {
    /// The name of the server in front of which it stands. It does not block.
    fn server(&self) -> &str;

    /// Whether it may go to the server; an error is told to the model instead.
    fn judge(&self, wanted: &Wanted, stop: &Stop) -> Result<Ticket, ToolError>;

    /// The answer of one of the gate's own tools, which stand beside the server's.
    fn own(&self, name: &str, params: Params, stop: &Stop) -> Result<String, ToolError>;

    /// What was let through is over, and whether the server says that it went well.
    fn ran(&self, ticket: Ticket, ok: bool) -> Result<(), ToolError>;

    /// What was let through did not go to the server.
    fn not_run(&self, ticket: Ticket);

    /// Tells a person at the server's side something that no answer says.
    fn tell(&self, text: &str);

    /// The client is gone: nobody is to be asked for it any more. It may block.
    fn leave(&self) {}

    /// The client is gone, and so is the server. It may block.
    fn end(&self) {}
}

/// How a proxy ended.
#[derive(Debug)]
pub enum ProxyEnd {
    /// The client closed its connection, or the process was told to end.
    Client,
    /// The server ended by itself; the status where it is known.
    Server(Option<ExitStatus>),
}

/// So long the server has to end by itself, and again after it was told to: most clients give the proxy two seconds.
const SERVERS_PATIENCE: Duration = Duration::from_millis(800);

/// Starts the server, without a shell, and stands between it and the client on standard input and output until one of both
/// is gone.
///
/// # Errors
/// The server cannot be started.
pub async fn serve_proxy(command: &[String], judge: Arc<dyn Judge>) -> Result<ProxyEnd, StartError> {
    let mut child = Started::of(command)?;
    let (server_input, server_output) = child.pipes()?;
    let relay = relay::Relay::new(Arc::clone(&judge), tokio::io::stdout(), server_input);
    let mut client = std::pin::pin!(async {
        tokio::select! {
            () = relay.follow_client(tokio::io::stdin()) => {}
            () = told_to_end() => {}
        }
    });
    let server_is_gone = async {
        tokio::select! {
            () = child.ended() => {}
            () = relay.server_is_deaf() => {}
        }
    };
    let end = tokio::select! {
        () = &mut client => ProxyEnd::Client,
        () = relay.follow_server(server_output, server_is_gone) => ProxyEnd::Server(None),
    };
    let left = CancellationToken::new();
    let over = async { tokio::join!(relay.over(&left), child.end(SERVERS_PATIENCE)).1 };
    // A client that has not left yet reads the last answers, until it leaves.
    let leaves = async {
        if matches!(end, ProxyEnd::Server(_)) {
            client.await;
        }
        left.cancel();
        std::future::pending::<Infallible>().await
    };
    let status = tokio::select! {
        biased;
        never = leaves => match never {},
        status = over => status,
    };
    // What fails at the end is found by the next one who looks.
    let _ = tokio::task::spawn_blocking(move || judge.end()).await;
    Ok(match end {
        ProxyEnd::Client => ProxyEnd::Client,
        ProxyEnd::Server(_) => ProxyEnd::Server(status),
    })
}

/// The method that a line asks for, as the proxy reads it; `None` where the line is blank or an answer. What this reads
/// goes on byte for byte, so another reader must find the same method in it.
///
/// # Errors
/// Why the line is no frame and goes nowhere.
pub fn method_in_frame(line: &[u8]) -> Result<Option<String>, String> {
    let frame = read(line).map_err(|odd| odd.why)?;
    Ok(frame.and_then(|frame| match frame.says {
        Says::Request { method, .. } | Says::Notification { method, .. } => Some(method),
        Says::Result { .. } | Says::Failure { .. } => None,
    }))
}
