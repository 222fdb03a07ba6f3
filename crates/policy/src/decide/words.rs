//! What an agent is told of a violation. The `table` words each of them; here it gets what all errors of a call share.
//!
//! Deliberately absent: what is a violation, and what follows from it beside words (`violation`).

mod details;
#[cfg(feature = "schema")]
mod schema;
mod table;

use bailiwick_domain::{ErrorCode, HealthFault, IntentId, ScopePattern, ToolError};

#[cfg(feature = "schema")]
pub use details::details_schema;
pub use table::proposal_example;

use super::refusal::Refusal;
use super::violation::{Concern, Place, Places, Violation};
use super::{active, intent_id};
use crate::calls::facts::Facts;
use details::{OfCall, OfViolation};
use table::{code, row};

/// The error of a fault, for whoever meets the fault outside a call.
pub fn health_error(fault: &HealthFault) -> ToolError {
    row(&Violation::Broken(fault.clone()), &[])
}

/// The refusal of a session that is halted for this reason.
pub fn quarantine_error(why: &str) -> ToolError {
    row(&Violation::Halted(why.to_owned()), &[])
}

impl Refusal {
    /// The code that an agent gets, where these intents can be selected.
    pub fn code(&self, selectable: &[IntentId]) -> ErrorCode {
        let others: Vec<&str> = selectable.iter().map(IntentId::as_str).collect();
        self.repeated.map_or_else(|| code(&self.first, &others), |_| ErrorCode::LoopDetected)
    }

    /// What an agent gets, where these intents can be selected; the list may be cut short.
    pub fn error(&self, facts: &Facts, selectable: &[IntentId]) -> ToolError {
        Words::of(facts, selectable).refusal(self)
    }
}

/// The error, with the advice of one that an intent would not help against: selecting would lead to that.
fn not_even_then(error: ToolError, for_good: &ToolError) -> ToolError {
    let reason = format!("{} No intent would allow it: {}", error.reason(), for_good.message());
    error
        .with_reason(reason)
        .with_suggestion(for_good.suggestion())
        .with_recoverable(for_good.is_recoverable())
}

/// A call, and what could be selected instead of its intent: what each of its errors is worded with.
pub(super) struct Words<'a> {
    facts: &'a Facts,
    others: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(super) fn of(facts: &'a Facts, selectable: &'a [IntentId]) -> Self {
        let active = intent_id(facts);
        let others = selectable.iter().filter(|id| Some(*id) != active).map(IntentId::as_str).collect();
        Self { facts, others }
    }

    /// What the first violation says, with the codes of the others; or that the same call came too often.
    fn refusal(&self, refusal: &Refusal) -> ToolError {
        let mut error = self.violation(&refusal.first);
        let mut says = code(&refusal.first, &self.others);
        if let Some(for_good) = self.for_good(refusal) {
            error = not_even_then(error, &for_good);
        }
        if let Some(count) = refusal.repeated {
            error = self.looped(count, says, error.message(), error.reason());
            says = ErrorCode::LoopDetected;
        }
        let mut also: Vec<&str> = Vec::new();
        for code in refusal.violations().map(|violation| code(violation, &self.others)) {
            if code != says && !also.contains(&code.as_str()) {
                also.push(code.as_str());
            }
        }
        error.with_details(&OfViolation { also, ..OfViolation::default() })
    }

    /// What refuses the call under every intent, where the refusal tells of the intent.
    fn for_good(&self, refusal: &Refusal) -> Option<ToolError> {
        if refusal.first.concern() != Concern::Selection {
            return None;
        }
        let is_final = |violation: &&Violation| {
            matches!(violation, Violation::Command(_)) || !row(violation, &self.others).is_recoverable()
        };
        refusal.others.iter().find(is_final).map(|violation| row(violation, &self.others))
    }

    /// One violation.
    pub(super) fn violation(&self, violation: &Violation) -> ToolError {
        self.about(violation.places(), row(violation, &self.others))
    }

    /// That the same call was blocked again and again, and for what the last time.
    pub(super) fn looped(&self, count: u32, cause: ErrorCode, sentence: &str, reason: &str) -> ToolError {
        let head = format!("Loop detected: this same call was blocked {count} times ({}).", cause.as_str());
        let error = ToolError::new(ErrorCode::LoopDetected, format!("{head} {sentence}"))
            .with_reason(format!("{head} {reason}"));
        let repeated =
            OfViolation { cause: Some(cause.as_str()), count: Some(count), ..OfViolation::default() };
        self.about(None, error.with_details(&repeated))
    }

    /// An error with the details of the call: intent, tool, the paths that it is about (else all), the scope.
    fn about(&self, places: Option<&Places>, error: ToolError) -> ToolError {
        let facts = self.facts;
        let whole = || facts.targets.iter().map(Place::of).collect();
        let places: Vec<Place> = places.map_or_else(whole, |places| places.all().cloned().collect());
        let paths: Vec<&str> = places.iter().map(|place| place.path.as_str()).collect();
        let scope: Vec<&str> = active(facts)
            .map(|intent| intent.owned_scope().patterns().iter().map(ScopePattern::as_str).collect())
            .unwrap_or_default();
        let error = error.with_details(&OfCall {
            intent_id: intent_id(facts).map(IntentId::as_str),
            tool: facts.tool.canonical.as_str(),
            paths,
            requested_path: places.first().map(|place| place.requested.as_str()),
            scope,
            parameters: facts.extras.names().collect(),
        });
        self.with_extras(error)
    }

    /// Names the parameters that made the call more than its tool is, or that nobody knows.
    fn with_extras(&self, error: ToolError) -> ToolError {
        let extras = &self.facts.extras;
        if extras.is_empty() {
            return error;
        }
        let reason = format!("{} {}", error.reason(), extras.sentences().join(" "));
        error.with_reason(reason)
    }
}
