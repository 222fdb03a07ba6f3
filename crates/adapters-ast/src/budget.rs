//! What may be spent on one set of changes: time, and steps of work whatever the machine.
//!
//! Every loop whose work grows with a text spends from it and ends when nothing is left. What was found out until then
//! is cut short and proves nothing, so that whoever gives the answer asks the budget first.

use std::cell::Cell;
use std::time::Instant;

use crate::parse::Limits;

/// The steps between two looks at the clock: a fraction of a millisecond.
const STEPS_PER_LOOK: usize = 4_096;

/// What is left to spend.
#[derive(Debug)]
pub(crate) struct Budget {
    deadline: Instant,
    steps: Cell<usize>,
    until_look: Cell<usize>,
    is_spent: Cell<bool>,
}

impl Budget {
    pub(crate) fn of(limits: &Limits) -> Self {
        Self {
            deadline: Instant::now() + limits.time,
            steps: Cell::new(limits.steps),
            until_look: Cell::new(0),
            is_spent: Cell::new(false),
        }
    }

    /// Takes steps; says whether there were as many left, and time.
    pub(crate) fn spend(&self, steps: usize) -> bool {
        if self.is_spent.get() {
            return false;
        }
        let is_looked_at = steps >= self.until_look.get();
        self.until_look.set(if is_looked_at { STEPS_PER_LOOK } else { self.until_look.get() - steps });
        let is_late = is_looked_at && Instant::now() >= self.deadline;
        match self.steps.get().checked_sub(steps) {
            Some(left) if !is_late => self.steps.set(left),
            _ => self.is_spent.set(true),
        }
        !self.is_spent.get()
    }

    /// Whether something was asked for that was not there.
    pub(crate) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }
}
