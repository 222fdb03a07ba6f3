//! What recorded results say of an intent: which checks are met now, and which are not.
//!
//! A result counts for the revision that it was made under, until something is recorded under the intent or the files are
//! not what they were. Pure; deliberately absent: running a check, who may tick one, and looking at files.

use bailiwick_domain::{Check, CheckResult, NamedCheck, Revision, Timestamp, WrittenIntent};

/// How one check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Passed, or ticked by a person.
    Met,
    /// Its last run failed or took too long.
    Failing,
    /// Nobody ran it, or not since the intent or its work changed.
    Unmet,
    /// It waits for a person to tick it.
    Human,
}

impl Standing {
    /// In one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Failing => "failing",
            Self::Unmet => "unmet",
            Self::Human => "human",
        }
    }
}

/// One check with how it stands and the result that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stands<'r> {
    /// The check.
    pub check: NamedCheck,
    /// How it stands.
    pub standing: Standing,
    /// Its newest result, also one that no longer counts.
    pub result: Option<&'r CheckResult>,
}

/// How every check of an intent stands. `last_work` is when something was last recorded under it, `is_same` whether what a
/// result was made over is still there.
pub fn standings<'r>(
    written: &WrittenIntent,
    revision: &Revision,
    last_work: Option<Timestamp>,
    results: &'r [CheckResult],
    is_same: &dyn Fn(&CheckResult) -> bool,
) -> Vec<Stands<'r>> {
    let stands = |check: NamedCheck| {
        let result = result_of(results, &check);
        let is_newest = |result: &CheckResult| last_work.is_none_or(|last| last <= result.at);
        let counts =
            result.filter(|result| result.revision == *revision && is_newest(result) && is_same(result));
        let standing = match (counts, &check.check) {
            (Some(result), _) if result.outcome.is_met() => Standing::Met,
            (Some(_), _) => Standing::Failing,
            (None, Check::Human) => Standing::Human,
            (None, _) => Standing::Unmet,
        };
        Stands { check, standing, result }
    };
    NamedCheck::of(written).into_iter().map(stands).collect()
}

/// The newest result of a check.
pub fn result_of<'r>(results: &'r [CheckResult], check: &NamedCheck) -> Option<&'r CheckResult> {
    results.iter().rev().find(|result| result.check == *check)
}
