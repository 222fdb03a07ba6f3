//! A call that was let through, with what its work needs.

use std::time::Duration;

use bailiwick_adapters_mcp::Stop;
use bailiwick_domain::{Params, ToolCall, ToolError, Value};

use crate::gate::Gate;
use crate::refusals::ServedFault;
use crate::site::Site;

/// One call, let through.
pub(super) struct Work<'a> {
    pub(super) gate: &'a Gate,
    pub(super) site: &'a Site,
    pub(super) call: &'a ToolCall,
    /// How long a command may run.
    pub(super) limit: Duration,
    pub(super) stop: &'a Stop,
}

/// A text among the parameters.
pub(super) fn text<'a>(params: &'a Params, key: &str) -> Option<&'a str> {
    params.get(key).and_then(Value::as_str)
}

/// What is said of a call that nobody can do as it was sent.
pub(super) fn malformed(why: impl Into<String>) -> ToolError {
    ServedFault::Malformed(why.into()).into()
}
