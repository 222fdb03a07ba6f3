//! A refusal: all that a call fails, in the order of the checks, and whether it is a loop.

use super::violation::{Concern, Violation};

/// Why the rules refuse a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the first failing check found; it is what the refusal says.
    pub first: Violation,
    /// What the checks behind it found.
    pub others: Vec<Violation>,
    /// How often this same call was blocked before, where that makes it a loop.
    pub repeated: Option<u32>,
}

impl Refusal {
    /// A refusal for one violation alone.
    pub(super) fn of(violation: Violation) -> Self {
        Self { first: violation, others: Vec::new(), repeated: None }
    }

    /// All violations, in the order of the checks.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Whether the agent is told which intents it could select: these two would help it. A loop tells it to stop instead.
    pub fn names_intents(&self) -> bool {
        self.repeated.is_none() && matches!(self.first.concern(), Concern::Selection | Concern::Scope)
    }

    /// Whether it counts when the same call comes again: a broken store is not the agent's doing.
    pub fn counts_for_loop(&self) -> bool {
        self.repeated.is_some() || self.first.concern() != Concern::Store
    }

    /// Whether the scope is among what the call fails.
    pub fn leaves_scope(&self) -> bool {
        self.violations().any(|violation| violation.concern() == Concern::Scope)
    }
}
