//! What an edit would do to each file, as far as that decides whether a grant covers it, and whether one is offered.

use bailiwick_domain::{ContentHash, FileState, GrantBounds, RepoPath};
use bailiwick_policy::coverage::{ChangeFact, grantable};

use super::Grants;
use crate::change;
use crate::change::{is_text, line_count};
use crate::gathering::case::{Case, inside};

impl Grants<'_> {
    /// The grant that a human may give in place of a yes to this one call; none where no grant could cover it.
    pub(crate) async fn offer(&self, case: &Case<'_>) -> Option<GrantBounds> {
        if !self.grants.can_grant() {
            return None;
        }
        grantable(&case.facts, &self.changes(case).await).ok().map(|_| GrantBounds::default())
    }

    /// What the call would make of each of its targets.
    pub(super) async fn changes(&self, case: &Case<'_>) -> Vec<ChangeFact> {
        let mut changes = Vec::with_capacity(case.facts.targets.len());
        for target in &case.facts.targets {
            let Some(path) = inside(&target.location) else { continue };
            let read = self.gathering.content(&case.looked, path, &target.current).await.ok();
            let after = read
                .as_ref()
                .filter(|_| target.current != FileState::Other)
                .and_then(|before| change::after(&case.targets, target, before.as_deref()));
            let sets_mode = case.targets.patch.as_ref().is_some_and(|patch| !patch.modes.is_empty());
            let known = known(path, read.flatten().as_deref(), after.flatten().as_deref());
            let run_by = match known.run_by {
                None => self.gathering.run_by(path).await,
                found => found,
            };
            changes.push(ChangeFact { sets_mode, run_by, ..known });
        }
        changes
    }
}

fn known(path: &RepoPath, before: Option<&[u8]>, after: Option<&[u8]>) -> ChangeFact {
    let both = || [before, after].into_iter().flatten();
    ChangeFact {
        path: path.clone(),
        after: after.map(|bytes| FileState::Content(ContentHash::of(bytes))),
        lines: after.map(|after| line_count(before, after)),
        is_text: both().all(is_text),
        run_by: both().any(|bytes| bytes.starts_with(b"#!")).then_some("its first line makes it a program"),
        sets_mode: false,
    }
}
