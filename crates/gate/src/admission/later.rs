//! What of a call runs later, in words for the person who is asked: a change of such a file does more than it shows, and
//! what a command leads to is not all bound to the yes.

use std::fmt::Write as _;

use bailiwick_domain::RepoPath;

use super::Admission;
use crate::gathering::case::{Case, inside};
use crate::gathering::dispatch;

/// How many files are named.
const MOST_NAMED: usize = 5;

impl Admission<'_> {
    /// Sentences to add to a question, each with a blank before it.
    pub(crate) async fn runs_later(&self, case: &Case<'_>) -> String {
        let mut said = String::new();
        if let Some(command) = &case.facts.command {
            let loose: Vec<String> =
                dispatch::unbound(command).iter().map(|word| format!("`{word}`")).collect();
            if !loose.is_empty() {
                let _ = write!(said, " The answer is not bound to what {} leads to.", loose.join(", "));
            }
            return said;
        }
        let changed = case.facts.targets.iter().filter(|target| target.access.mutates());
        let paths: Vec<&RepoPath> = changed.filter_map(|target| inside(&target.location)).collect();
        let mut found = 0_usize;
        for path in paths {
            let Some(says) = self.gathering.run_by(path).await else { continue };
            found += 1;
            if found <= MOST_NAMED {
                let _ = write!(said, " {path}: {says}.");
            }
        }
        if let Some(more) = found.checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            let _ = write!(said, " So it is with {more} more.");
        }
        said
    }
}
