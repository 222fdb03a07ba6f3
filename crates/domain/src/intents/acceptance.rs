//! What a person let count of one intent on this machine.
//!
//! Deliberately absent: whether an intent counts now, which is a rule (`bailiwick-policy`).

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::intents::Intent;

/// What is remembered of one intent: what a person accepted, and where it was taken away from since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// What a person accepted, oldest first. A closed one that older versions kept here closes it on every branch.
    pub states: Vec<Intent>,
    /// By what `HEAD` names: the intent as it was narrowed, closed or given an end there, and not widened again by a
    /// person's yes since.
    pub taken: BTreeMap<String, Intent>,
}

impl Accepted {
    /// These, taken away from nowhere.
    pub fn of(states: Vec<Intent>) -> Self {
        Self { states, taken: BTreeMap::new() }
    }

    /// What counted last where `HEAD` names that, to be shown beside what shall count.
    pub fn newest(&self, branch: &str) -> Option<&Intent> {
        self.taken.get(branch).or(self.states.last())
    }
}
