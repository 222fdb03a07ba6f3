//! All scenarios, by subject.

mod harness;

use super::scenario::Scenario;

/// Every scenario, in the order of the report.
pub(crate) fn all() -> Vec<Scenario> {
    [harness::scenarios()].into_iter().flatten().collect()
}
