//! The catalogue of errors that an agent can meet, and their one shape on the wire.

use alloc::format;
use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::intents::IntentId;

/// The version of the error's shape.
pub const SCHEMA_VERSION: u32 = 1;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $upper:literal, $recoverable:literal, $suggestion:literal;)*) => {
        /// A code of the closed set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $upper)] $name,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name,)*];

            /// The name on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $upper,)* }
            }

            /// The `kind` alias in PascalCase.
            pub fn kind(self) -> &'static str {
                if self == Self::StateViolation {
                    return "StateViolationError";
                }
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// Whether the agent may fix this same call by itself.
            pub fn recoverable(self) -> bool {
                match self { $(Self::$name => $recoverable,)* }
            }

            /// What to do next when the caller has nothing better to say.
            pub fn default_suggestion(self) -> &'static str {
                match self { $(Self::$name => $suggestion,)* }
            }
        }
    };
}

codes! {
    /// A mutation before an intent is active.
    StateViolation = "STATE_VIOLATION", true,
        "Call list_intents, then select_active_intent with the id that covers this change, then retry.";
    /// In `ACTION` the intent id is empty.
    MissingIntent = "MISSING_INTENT", true,
        "Call select_active_intent with an intent id, then retry.";
    /// The intent is not in `active_intents.yaml`.
    IntentNotFound = "INTENT_NOT_FOUND", true,
        "Call list_intents and select one of the ids it returns.";
    /// The intent is closed, blocked or frozen.
    IntentNotSelectable = "INTENT_NOT_SELECTABLE", true,
        "Select an intent whose status is PENDING or IN_PROGRESS.";
    /// The intent owns nothing.
    NoScope = "NO_SCOPE", false,
        "Ask the human to give the intent an owned_scope, or select another intent.";
    /// The target is outside the owned scope.
    ScopeViolation = "SCOPE_VIOLATION", true,
        "Change a file inside the scope, select the intent that owns this file, or ask the human to expand the scope.";
    /// `.intentignore` takes this path away.
    IntentIgnored = "INTENT_IGNORED", false,
        "Leave this path alone; .intentignore protects it. Solve the task without it or ask the human.";
    /// `.intentignore` cannot be read or understood.
    IntentignoreInvalid = "INTENTIGNORE_INVALID", false,
        "Ask the human to repair .intentignore; reading is still possible.";
    /// The path is protected: no scope or approval opens it.
    ProtectedPath = "PROTECTED_PATH", false,
        "Leave this path alone; only a human changes it.";
    /// The path leads out of the root.
    OutsideWorkspace = "OUTSIDE_WORKSPACE", false,
        "Use a path inside the repository.";
    /// No governed root for this call.
    MissingWorkspaceRoot = "MISSING_WORKSPACE_ROOT", false,
        "Ask the human to start the agent inside the repository, or to pass --root; `bailiwick uninstall` takes the hook out.";
    /// Governed, but `.orchestration/` is gone.
    OrchestrationMissing = "ORCHESTRATION_MISSING", false,
        "Ask the human to run `bailiwick init`, or `bailiwick uninstall` to stop governing this repository.";
    /// The store is there but cannot be trusted.
    OrchestrationInvalid = "ORCHESTRATION_INVALID", false,
        "Ask the human to run `bailiwick intent check` and repair the file it names, or `bailiwick uninstall` to stop governing this repository.";
    /// The file is not what the agent read.
    StaleFile = "STALE_FILE", true,
        "Read the file again, then make the change on what it says now.";
    /// A structural constraint of the intent forbids this.
    ConstraintViolation = "CONSTRAINT_VIOLATION", true,
        "Work within the intent's constraints, or ask the human to change them.";
    /// No declared requirement links this change.
    TraceLinkMissing = "TRACE_LINK_MISSING", true,
        "Name requirement ids that the intent declares, or ask the human to add requirements to it.";
    /// A person rejected the call.
    DestructiveActionRejected = "DESTRUCTIVE_ACTION_REJECTED", false,
        "Do not repeat this call. Read the feedback, then propose another way or ask the human.";
    /// Nobody has answered yet; the request stays open.
    ApprovalPending = "APPROVAL_PENDING", true,
        "Retry exactly the same call after the human has approved it; it then passes once.";
    /// The request lapsed without an answer.
    ApprovalTimeout = "APPROVAL_TIMEOUT", true,
        "Make the call again to ask again, or go on with work that needs no approval.";
    /// A command could not be read.
    CommandNotUnderstood = "COMMAND_NOT_UNDERSTOOD", true,
        "Write the command plainly: one simple command, literal words.";
    /// The call hands work to an agent that no gate governs.
    DelegationRefused = "DELEGATION_REFUSED", false,
        "Do the work in this session, where it is governed.";
    /// The session is halted.
    Quarantined = "QUARANTINED", false,
        "Stop and tell the human; a new session or `bailiwick select` by the human lifts it.";
    /// The call cannot be understood: missing or ambiguous parameters.
    MalformedCall = "MALFORMED_CALL", true,
        "Send the call again with the parameters that the tool documents.";
    /// More than the gate looks at for one call: in bytes, in parts, or in what comes of them.
    TooLarge = "TOO_LARGE", true,
        "Make smaller calls: fewer parts, shorter texts, smaller files.";
    /// A drafted scope owns everything, or names what only a person may change.
    TooBroad = "TOO_BROAD", true,
        "Name the folders or files that the task needs. A scope for everything only the human can write: bailiwick intent new \"NAME\" --scope PATTERN --allow-broad";
    /// The evidence cannot be written, so nothing may change.
    LedgerUnavailable = "LEDGER_UNAVAILABLE", false,
        "Ask the human to run `bailiwick doctor`; reading is still possible where the state is readable. `bailiwick uninstall` stops governing this repository.";
    /// The same call was blocked again and again.
    LoopDetected = "LOOP_DETECTED", false,
        "Stop repeating this call. Do something different, or ask the human.";
    /// The gate itself failed; it fails closed.
    InternalError = "INTERNAL_ERROR", false,
        "Ask the human to run `bailiwick doctor`, or `bailiwick uninstall` to stop governing this repository.";
}

/// The error that an agent gets: always with all of these keys.
///
/// ```
/// use bailiwick_domain::{ErrorCode, ToolError};
/// let error = ToolError::new(ErrorCode::StaleFile, "Stale File: a.rs changed since it was read. Read it again before writing.");
/// let json: serde_json::Value = serde_json::from_str(&error.to_json()).unwrap();
/// assert_eq!(json["kind"], "StaleFile");
/// assert_eq!(json["recoverable"], true);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolError {
    schema_version: u32,
    error: ErrorCode,
    code: ErrorCode,
    kind: String,
    message: String,
    reason: String,
    suggestion: String,
    recoverable: bool,
    details: Map<String, Value>,
}

impl ToolError {
    /// An error with this message; the reason starts as the message, the rest as the catalogue says.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        let message = if message.trim().is_empty() { code.as_str().to_string() } else { message };
        Self {
            schema_version: SCHEMA_VERSION,
            error: code,
            code,
            kind: code.kind().to_string(),
            reason: message.clone(),
            message,
            suggestion: code.default_suggestion().to_string(),
            recoverable: code.recoverable(),
            details: Map::new(),
        }
    }

    /// The fixed sentence for a target outside the scope.
    pub fn scope_violation(intent: &IntentId, path: &str) -> Self {
        let sentence =
            format!("Scope Violation: {intent} is not authorized to edit {path}. Request scope expansion.");
        Self::new(ErrorCode::ScopeViolation, sentence)
    }

    /// The fixed sentence for a file that changed.
    pub fn stale_file(path: &str) -> Self {
        let sentence = format!("Stale File: {path} changed since it was read. Read it again before writing.");
        Self::new(ErrorCode::StaleFile, sentence)
    }

    /// Replaces the reason; a blank one is ignored.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        if !reason.trim().is_empty() {
            self.reason = reason;
        }
        self
    }

    /// Replaces the suggestion; a blank one keeps the catalogue's.
    #[must_use]
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Self {
        let suggestion = suggestion.into();
        if !suggestion.trim().is_empty() {
            self.suggestion = suggestion;
        }
        self
    }

    /// Overrides whether the agent may fix this same call by itself.
    #[must_use]
    pub fn with_recoverable(mut self, recoverable: bool) -> Self {
        self.recoverable = recoverable;
        self
    }

    /// Adds one detail.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_string(), value.into());
        self
    }

    /// Adds the members of a value that is an object; anything else adds nothing.
    #[must_use]
    pub fn with_details(mut self, details: &impl Serialize) -> Self {
        if let Ok(Value::Object(details)) = serde_json::to_value(details) {
            self.details.extend(details);
        }
        self
    }

    /// The code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The mandated sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Why.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What the agent can do next.
    pub fn suggestion(&self) -> &str {
        &self.suggestion
    }

    /// Whether the agent may fix this same call by itself.
    pub fn is_recoverable(&self) -> bool {
        self.recoverable
    }

    /// Whether this is a scope violation; derived from the code, never stored, so that the two cannot disagree.
    pub fn is_scope_violation(&self) -> bool {
        self.code == ErrorCode::ScopeViolation
    }

    /// The details.
    pub fn details(&self) -> &Map<String, Value> {
        &self.details
    }

    /// One line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| {
            String::from(r#"{"schema_version":1,"error":"INTERNAL_ERROR","code":"INTERNAL_ERROR","kind":"InternalError","message":"internal error","reason":"the error could not be written","suggestion":"Ask the human to run `bailiwick doctor`.","recoverable":false,"details":{}}"#)
        })
    }

    /// Reads an error back; tolerates text before and after the object, junk gives `None`.
    pub fn from_text(text: &str) -> Option<Self> {
        let start = text.find('{')?;
        let mut stream = serde_json::Deserializer::from_str(text.get(start..)?).into_iter::<Self>();
        stream.next()?.ok()
    }
}
