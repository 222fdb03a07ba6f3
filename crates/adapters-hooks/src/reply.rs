//! What is said back to a host, before it has that host's form, and the limits that every form keeps.

use bailiwick_domain::{Map, Params, ToolError, Value};

/// The most bytes of an error's text: under 9,000 characters, whatever the characters are, so that no host cuts it.
pub(crate) const MAX_ERROR_BYTES: usize = 8_900;
/// The most bytes of a whole answer; hosts cut longer ones.
pub(crate) const MAX_ANSWER_BYTES: usize = 9_990;

/// Details that are dropped first when an error is too long, in this order.
const LONG_DETAILS: [&str; 5] = ["also", "diff", "diff_preview", "scope", "paths"];

/// What is said back.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Nothing: the host's own rules stay in force.
    NoOpinion,
    /// Let it run, skipping the host's own question.
    Allow {
        /// Why, for the person.
        reason: String,
    },
    /// Let it run with these parameters instead.
    AllowRewritten {
        /// All parameters; they replace the call's.
        params: Params,
        /// Why, for the person.
        reason: String,
    },
    /// The host shall ask the person.
    Ask {
        /// What the person needs to know.
        reason: String,
    },
    /// Refused.
    Deny(Box<ToolError>),
    /// Text that the model shall know.
    Context(String),
    /// The turn continues: a person answered something that the agent has not heard.
    KeepGoing {
        /// What the model shall do.
        reason: String,
    },
    /// The prompt shall not reach the model.
    BlockPrompt {
        /// Why, for the person.
        reason: String,
    },
}

impl Reply {
    /// A refusal.
    pub fn deny(error: ToolError) -> Self {
        Self::Deny(Box::new(error))
    }
}

/// What the hook process leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The exact bytes of standard output.
    pub stdout: String,
    /// The exact bytes of standard error.
    pub stderr: String,
    /// The exit status.
    pub exit_code: u8,
}

/// The error as one line of JSON that `fits`; all nine keys stay, details go first, then the sentences are cut.
pub(crate) fn fit_error(error: &ToolError, fits: impl Fn(&str) -> bool) -> String {
    let whole = error.to_json();
    if fits(&whole) {
        return whole;
    }
    let mut details = error.details().clone();
    for key in LONG_DETAILS {
        if details.remove(key).is_some() {
            let text = rebuilt(error, &details, usize::MAX).to_json();
            if fits(&text) {
                return text;
            }
        }
    }
    details.clear();
    let mut text = String::new();
    for limit in [4_000, 2_000, 1_000, 400, 150, 60] {
        text = rebuilt(error, &details, limit).to_json();
        if fits(&text) {
            break;
        }
    }
    text
}

fn rebuilt(error: &ToolError, details: &Map<String, Value>, limit: usize) -> ToolError {
    let mut rebuilt = ToolError::new(error.code(), cut(error.message(), limit))
        .with_reason(cut(error.reason(), limit))
        .with_suggestion(cut(error.suggestion(), limit))
        .with_recoverable(error.is_recoverable())
        .with_detail("shortened", true);
    for (key, value) in details {
        rebuilt = rebuilt.with_detail(key, value.clone());
    }
    rebuilt
}

/// The text, or its beginning and a mark when it has more than `limit` bytes.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    const MARK: &str = " […]";
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(limit.saturating_sub(MARK.len()));
    let mut short = text.get(..end).unwrap_or_default().to_owned();
    short.push_str(MARK);
    short
}
