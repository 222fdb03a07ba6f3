//! Who acts: a conversation of a host, or a sub-agent of it. What is remembered of one lies in `session`.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::values::ContentHash;

/// Who acts: one agent conversation of one host, or one of its sub-agents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Actor {
    /// The host's name, such as `claude-code`.
    pub host: String,
    /// The host's id of the conversation.
    pub session: String,
    /// The sub-agent's id; `None` for the conversation itself.
    pub agent: Option<String>,
}

impl Actor {
    /// The host's name in the actor of what a person did with their own hands.
    pub const HUMAN: &str = "human";

    /// The same of what Bailiwick did by itself, because a person set it so.
    pub const ITSELF: &str = "bailiwick";

    /// Whether it is no agent: a person, or Bailiwick itself.
    pub fn is_no_agent(&self) -> bool {
        [Self::HUMAN, Self::ITSELF].contains(&self.host.as_str())
    }

    /// The conversation itself.
    pub fn root(host: &str, session: &str) -> Self {
        Self { host: host.into(), session: session.into(), agent: None }
    }

    /// The conversation that this actor belongs to; itself when it is no sub-agent.
    pub fn parent(&self) -> Self {
        Self { agent: None, ..self.clone() }
    }

    /// Whether this is a sub-agent.
    pub fn is_child(&self) -> bool {
        self.agent.is_some()
    }

    /// A name for files: a hash, so that no id chosen elsewhere ever becomes a path.
    pub fn key(&self) -> ContentHash {
        ContentHash::of(
            format!("{}\0{}\0{}", self.host, self.session, self.agent.as_deref().unwrap_or("")).as_bytes(),
        )
    }

    /// A name for files that all actors of the session share.
    pub fn session_key(&self) -> ContentHash {
        self.parent().key()
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.host, self.session)?;
        match &self.agent {
            Some(agent) => write!(out, "/{agent}"),
            None => Ok(()),
        }
    }
}
