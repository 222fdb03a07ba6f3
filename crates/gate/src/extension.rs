//! Custom pre and post hooks of a program that embeds the gate.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_domain::{ToolCall, ToolError};

use crate::PostReport;

/// Runs before a call, after the built-in rules let it go on to a human or through. It can only tighten.
#[async_trait]
pub trait PreHook: Send + Sync {
    /// Refuses the call with an error, or has no objection.
    async fn before(&self, call: &ToolCall) -> Result<(), ToolError>;
}

/// Runs after a call was recorded.
#[async_trait]
pub trait PostHook: Send + Sync {
    /// Sees what was recorded.
    async fn after(&self, call: &ToolCall, report: &PostReport);
}

/// A custom hook with its place in the order.
#[derive(Clone)]
pub enum Extension {
    /// Before the call.
    Pre(i32, Arc<dyn PreHook>),
    /// After the call.
    Post(i32, Arc<dyn PostHook>),
}

impl Extension {
    pub(crate) fn order(&self) -> i32 {
        match self {
            Self::Pre(order, _) | Self::Post(order, _) => *order,
        }
    }
}

impl fmt::Debug for Extension {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pre(order, _) => write!(out, "Pre({order})"),
            Self::Post(order, _) => write!(out, "Post({order})"),
        }
    }
}

/// What a pre hook has against a call, if one has.
pub(crate) async fn objections(extensions: &[Extension], call: &ToolCall) -> Result<(), ToolError> {
    for extension in extensions {
        if let Extension::Pre(_, hook) = extension {
            hook.before(call).await?;
        }
    }
    Ok(())
}

/// Tells every post hook what was recorded.
pub(crate) async fn announce(extensions: &[Extension], call: &ToolCall, report: &PostReport) {
    for extension in extensions {
        if let Extension::Post(_, hook) = extension {
            hook.after(call, report).await;
        }
    }
}
