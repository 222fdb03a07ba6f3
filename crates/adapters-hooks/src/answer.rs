//! Putting an answer into words that no host cuts, and the answer to an event that cannot be read. Each host brings its
//! own form; what is the same for all of them is here.

use bailiwick_domain::{ErrorCode, Params, ToolError, Value, json};

use crate::fields::names_in;
use crate::reply::{MAX_ANSWER_BYTES, MAX_ERROR_BYTES, Output, Reply, cut, fit_error};

impl Output {
    /// An answer on standard output.
    pub fn said(stdout: impl Into<String>) -> Self {
        Self { stdout: stdout.into(), stderr: String::new(), exit_code: 0 }
    }

    /// Nothing at all.
    pub fn silence() -> Self {
        Self::said(String::new())
    }

    /// An exit status with a reason on standard error.
    pub fn status(exit_code: u8, stderr: impl Into<String>) -> Self {
        Self { stdout: String::new(), stderr: stderr.into(), exit_code }
    }
}

/// One line of JSON, through the serializer: `Display` costs three times as much.
pub fn line(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The answer around the longest beginning of the text that keeps within the limit.
pub fn around(text: &str, answer: impl Fn(&str) -> String) -> String {
    let mut limit = MAX_ERROR_BYTES;
    loop {
        let whole = answer(&cut(text, limit));
        if whole.len() <= MAX_ANSWER_BYTES || limit < 16 {
            return whole;
        }
        limit = limit * 3 / 4;
    }
}

/// Context for the model, in the form that Claude Code began with and other hosts took over.
pub fn added_context(event: &str, text: &str) -> String {
    around(text, |text| {
        line(&json!({"hookSpecificOutput": {"additionalContext": text, "hookEventName": event}}))
    })
}

/// The same for a reply: anything but context has no form there.
pub fn context(event: &str, reply: &Reply) -> String {
    match reply {
        Reply::Context(text) => added_context(event, text),
        _ => String::new(),
    }
}

/// A decision on a call, in the form of the same hosts.
pub fn decision(event: &str, word: &str, reason: &str) -> String {
    line(&json!({"hookSpecificOutput": {
        "hookEventName": event,
        "permissionDecision": word,
        "permissionDecisionReason": reason,
    }}))
}

/// A block of anything but a call, in the form of the same hosts.
pub fn block(reason: &str) -> String {
    line(&json!({"decision": "block", "reason": reason}))
}

/// The answer around the error as one line of JSON, shortened where it must be.
pub fn around_error(error: &ToolError, answer: impl Fn(&str) -> String) -> String {
    let whole = error.to_json();
    let first = answer(&whole);
    if fits(&whole, &first) {
        return first;
    }
    answer(&fit_error(error, |text| fits(text, &answer(text))))
}

/// The error as one line of JSON that is not too long for standard error.
pub fn error_line(error: &ToolError) -> String {
    fit_error(error, |text| text.len() <= MAX_ERROR_BYTES)
}

/// A short text, for a person.
pub fn short(text: &str) -> String {
    cut(text, 1_000)
}

fn fits(text: &str, answer: &str) -> bool {
    text.len() <= MAX_ERROR_BYTES && answer.len() <= MAX_ANSWER_BYTES
}

/// Whether an answer is short enough that no host cuts it.
pub fn is_whole(answer: &str) -> bool {
    answer.len() <= MAX_ANSWER_BYTES
}

/// The answer before a tool of a host with `context` that never hears its own question: silence where the call may run.
/// `rewritten` is its form for other parameters, if it has one.
pub fn before_tool(
    event: &str,
    reply: &Reply,
    denied: impl Fn(&ToolError) -> String,
    rewritten: Option<fn(&Params) -> String>,
) -> String {
    match (reply, rewritten) {
        (Reply::NoOpinion | Reply::Allow { .. }, _) => String::new(),
        (Reply::Context(_), _) => context(event, reply),
        (Reply::Ask { reason }, _) => denied(&nobody_asks(reason)),
        (Reply::Deny(error), _) => denied(error),
        (Reply::AllowRewritten { params, .. }, Some(rewritten)) => rewritten(params),
        (Reply::AllowRewritten { .. } | Reply::KeepGoing { .. } | Reply::BlockPrompt { .. }, _) => {
            denied(&no_form())
        }
    }
}

/// The refusal of a call whose rewritten form is too long to be handed back.
pub fn too_long() -> ToolError {
    ToolError::new(ErrorCode::InternalError, "Internal error: the rewritten call is too long for the host")
        .with_suggestion("Put the long part into a file and make the call shorter.")
}

/// The refusal of a call for which only an answer came up that has no form before a tool.
pub fn no_form() -> ToolError {
    ToolError::new(ErrorCode::InternalError, "Internal error: no answer fits this event")
}

/// The refusal of a call that would need a question, on a host that has none of its own.
pub fn nobody_asks(reason: &str) -> ToolError {
    ToolError::new(ErrorCode::ApprovalPending, format!("Approval Pending: {}", short(reason)))
}

/// How an event is named in a host's bytes, for events that cannot be read.
#[derive(Clone, Copy, Debug)]
pub struct EventNames {
    /// The field that holds the name.
    pub key: &'static str,
    /// The events before a tool.
    pub before: &'static [&'static str],
    /// The event of a prompt, on hosts that stop one at exit status 2.
    pub prompt: &'static str,
}

/// What the process leaves behind when an event could not be judged: refused whenever it may be a tool call.
///
/// The bytes are searched for event names, however broken they are. If any says that it is a tool call, the answer is
/// the host's own refusal. If none is found, it is exit status 2, which denies a tool call and stops a prompt. If only
/// other events are named, it is exit status 1, which the host reports and goes on; where the event was installed
/// to fail closed, the installed command turns that into a refusal, so a false name cannot open it.
pub fn unread(
    raw: &[u8],
    error: &ToolError,
    names: EventNames,
    deny: impl FnOnce(&ToolError) -> Output,
) -> Output {
    let found = names_in(raw, names.key);
    if found.iter().any(|name| names.before.iter().any(|before| before.as_bytes() == *name)) {
        return deny(error);
    }
    let closed = found.is_empty() || found.contains(&names.prompt.as_bytes());
    Output::status(if closed { 2 } else { 1 }, error_line(error))
}
