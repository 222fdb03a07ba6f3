//! Stands between an editor and its agent that speak the Agent Client Protocol: what they say to each other passes as it
//! is and in its order, and the gate's questions are put to the editor as requests for permission.
//!
//! What is asked and what becomes of an answer is behind [`Desk`], which the caller implements. Deliberately absent: files,
//! decisions, and the official SDK, which would say frames again in its own words.
#![warn(missing_docs)]

mod desk;
mod question;
mod relay;
mod sessions;

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_frames::{NotStarted, Started, told_to_end};
use tokio::io::{AsyncRead, AsyncWrite};

pub use desk::{Asked, Desk, Look, Said};
pub use question::{ChangedFile, Question};

/// The longest message, in bytes: prompts carry pictures.
pub const LONGEST: usize = 32 << 20;

/// How often the desk is asked what is new.
const EVERY: Duration = Duration::from_millis(200);

/// So long the agent has to end by itself, and again after it was told to.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// How a connection ended.
#[derive(Debug)]
pub enum AcpEnd {
    /// The editor closed it, or the process was told to end.
    Editor,
    /// The agent ended by itself; the status where it is known.
    Agent(Option<ExitStatus>),
}

/// Starts the agent, without a shell, and stands between it and the editor on standard input and output until one of both
/// is gone.
///
/// # Errors
/// The agent cannot be started.
pub async fn serve_acp(command: &[String], desk: Arc<dyn Desk>) -> Result<AcpEnd, NotStarted> {
    let mut agent = Started::apart(command)?;
    let pipes = agent.pipes()?;
    let is_agent = relayed(desk, (tokio::io::stdin(), tokio::io::stdout()), pipes).await;
    let status = agent.end(LAST_WAIT).await;
    Ok(if is_agent { AcpEnd::Agent(status) } else { AcpEnd::Editor })
}

/// Stands between both until one of them is gone, each with what it sends and what it reads; whether that is the agent.
pub async fn relayed<A, B, C, D>(desk: Arc<dyn Desk>, editor: (A, B), agent: (C, D)) -> bool
where
    A: AsyncRead + Unpin,
    B: AsyncWrite + Send + Unpin + 'static,
    C: AsyncWrite + Send + Unpin + 'static,
    D: AsyncRead + Unpin,
{
    let relay = relay::Relay::new(desk, editor.1, agent.0);
    let is_agent = tokio::select! {
        () = relay.follow_editor(editor.0) => false,
        () = told_to_end() => false,
        () = relay.follow_agent(agent.1) => true,
        () = relay.ask(EVERY) => false,
    };
    relay.over(is_agent).await;
    is_agent
}
