//! What a port that fails means for a call: it does not go through.

use bailiwick_domain::{ErrorCode, PortError, ToolError};

/// No fault of a store: what is that large is neither shown to a person nor kept for taking it back.
pub(crate) fn too_large(what: &str, limit: u64) -> ToolError {
    let message = format!(
        "Too large: `{what}` is larger than {} MiB, so that its change can neither be shown to a person nor be \
         taken back.",
        limit >> 20
    );
    ToolError::new(ErrorCode::TooLarge, message).with_suggestion(
        "Leave the file as it is, write to a smaller one, or ask the human to make this change.",
    )
}

/// The ledger cannot take an entry: no change is let through. One that is not what was written is a person's to judge,
/// and no file of the store says why.
pub(crate) fn no_ledger(error: PortError) -> ToolError {
    let is_damaged = matches!(error, PortError::Invalid(_));
    match closed(error) {
        refusal if is_damaged => refusal.with_suggestion(
            "Ask the human to run `bailiwick trace verify`, which shows where the ledger was changed, or \
             `bailiwick uninstall` to stop governing this repository.",
        ),
        refusal => refusal,
    }
}

/// A port that fails means: do not let the call through.
pub(crate) fn closed(error: PortError) -> ToolError {
    let code = match &error {
        PortError::Unavailable(_) | PortError::Locked(_) => ErrorCode::LedgerUnavailable,
        PortError::Invalid(_) => ErrorCode::OrchestrationInvalid,
        PortError::TooLarge { what, limit } => return too_large(what, *limit),
    };
    ToolError::new(code, format!("the gate cannot decide safely: {error}"))
}
