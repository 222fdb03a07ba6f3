//! Answers for a host that is not known: status 2 and a reason refuse, status 0 does not, and what the model shall know is
//! plain text.

use bailiwick_domain::ToolError;

use crate::answer::{around, error_line, no_form, nobody_asks, short};
use crate::reply::{Output, Reply};

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    let before = event == "PreToolUse";
    match reply {
        Reply::NoOpinion | Reply::Allow { .. } => Output::silence(),
        Reply::Context(text) if !before => Output::said(around(text, str::to_owned)),
        Reply::Context(_) => Output::silence(),
        Reply::Deny(error) => refused(error),
        Reply::Ask { reason } => refused(&nobody_asks(reason)),
        Reply::KeepGoing { reason } | Reply::BlockPrompt { reason } if !before => {
            Output::status(2, short(reason))
        }
        Reply::AllowRewritten { .. } | Reply::KeepGoing { .. } | Reply::BlockPrompt { .. } => {
            refused(&no_form())
        }
    }
}

fn refused(error: &ToolError) -> Output {
    Output::status(2, error_line(error))
}

/// What the process leaves behind when an event could not be judged.
pub fn render_failure(_raw: &[u8], error: &ToolError) -> Output {
    refused(error)
}
