//! What can go wrong with a command, said in a way that tells what to do next.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use bailiwick_domain::{ApprovalError, ErrorCode, PortError, ToolError, json};

use super::Context;

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// The arguments do not fit together.
    #[error("{0}")]
    Usage(String),
    /// The repository is not governed.
    #[error("{} is not governed by Bailiwick; run `bailiwick init` there first", .0.display())]
    NotGoverned(PathBuf),
    /// The command is a human's, and this process runs below an agent.
    #[error(
        "refused: this process runs under a governed agent ({0}); run this command in a terminal of your own"
    )]
    BelowAgent(String),
    /// The command needs a person at a terminal.
    #[error("refused: {0} needs a person at a terminal")]
    NoTerminal(&'static str),
    /// A file could not be read or written.
    #[error("{what}: {source}")]
    Io {
        /// The file, or what it was about.
        what: String,
        /// The cause.
        source: io::Error,
    },
    /// A store failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// An approval could not be answered.
    #[error(transparent)]
    Approval(#[from] ApprovalError),
    /// The gate refused; carries its own suggestion.
    #[error("{}", .0.message())]
    Tool(Box<ToolError>),
    /// Something else, said in full.
    #[error("{0}")]
    Other(String),
}

impl CommandError {
    pub(crate) fn io(what: impl ToString, source: io::Error) -> Self {
        Self::Io { what: what.to_string(), source }
    }

    /// Says it, on standard error or as JSON, and returns the exit status.
    pub(crate) fn report(&self, context: &Context) -> ExitCode {
        if context.json {
            let value = match self {
                Self::Tool(error) => json!(error),
                other => json!({ "error": other.to_string() }),
            };
            context.terminal.json(&value);
        } else {
            context.terminal.problem(self.to_string().trim_start_matches(MALFORMED));
            if let Some(next) = self.next() {
                context.terminal.hint(&next);
            }
        }
        ExitCode::from(self.status())
    }

    /// What a person does next, where the error does not say it.
    fn next(&self) -> Option<String> {
        match self {
            // What is wrong is in what was typed, not in the parameters of a tool.
            Self::Tool(error) if error.suggestion() == ErrorCode::MalformedCall.default_suggestion() => None,
            Self::Tool(error) => Some(to_a_person(error.suggestion())),
            Self::Approval(ApprovalError::Unknown(_)) => {
                Some("`bailiwick approval list` shows the requests that wait".to_owned())
            }
            _ => None,
        }
    }

    fn status(&self) -> u8 {
        match self {
            Self::Tool(_) | Self::Approval(_) | Self::Other(_) => 1,
            Self::Usage(_) | Self::NotGoverned(_) | Self::BelowAgent(_) | Self::NoTerminal(_) => 2,
            Self::Io { .. } | Self::Port(_) => 2,
        }
    }
}

/// How the gate begins what it says of a call of an agent.
const MALFORMED: &str = "Malformed call: ";

/// What the gate tells an agent to ask of a human, told to that human.
fn to_a_person(suggestion: &str) -> String {
    let Some(asked) = suggestion.strip_prefix("Ask the human to ") else { return suggestion.to_owned() };
    let mut rest = asked.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

impl From<ToolError> for CommandError {
    fn from(error: ToolError) -> Self {
        Self::Tool(Box::new(error))
    }
}
