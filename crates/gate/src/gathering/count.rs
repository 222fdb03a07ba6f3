//! What was changed so far under an intent that bounds it, and what a call would add. Nothing is read for any other intent.
//!
//! Deliberately absent: the bound (`decide::counted` of the policy), and adding up after a call (`recording::counted`).

use bailiwick_domain::{Constraint, Intent, PortError};
use bailiwick_policy::{Access, CountFact, TargetFact};

use super::Gathering;
use super::case::{Case, inside};
use crate::change::{self, line_count};

impl Gathering<'_> {
    /// The count under the active intent, with the calls of all sessions that are under way.
    pub(crate) async fn count_of(&self, case: &Case<'_>) -> Result<Option<CountFact>, PortError> {
        let changes = case.facts.targets.iter().any(|target| target.access.mutates());
        let bounded = case.active_intent().filter(|intent| changes && counts(intent));
        let Some(intent) = bounded else { return Ok(None) };
        let tally = self.tallies.of(intent.id(), intent.revision()).await?;
        let mut count = CountFact { files: tally.files, lines: tally.lines, adds: Some(0) };
        for pending in self.pendings.all().await? {
            let is_this = pending.call == case.call.id && pending.actor == case.call.actor;
            let counts = pending.intent == *intent.id() && pending.revision == *intent.revision();
            if let Some(lines) = pending.counted.filter(|_| counts && !is_this) {
                count.lines = count.lines.saturating_add(u64::from(lines));
                count.files.extend(pending.files.into_iter().map(|file| file.path));
            }
        }
        if intent.constraints().iter().any(|constraint| matches!(constraint, Constraint::MaxLines(_))) {
            count.adds = self.lines_added(case).await;
        }
        Ok(Some(count))
    }

    /// How many lines the call adds and removes; `None` when that cannot be told before it runs.
    async fn lines_added(&self, case: &Case<'_>) -> Option<u32> {
        let mut lines = 0_u32;
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            lines = lines.saturating_add(self.lines_at(case, target).await?);
        }
        Some(lines)
    }

    /// What moves away changes no line. Where it goes, what is different counts, and all of what it replaces there.
    async fn lines_at(&self, case: &Case<'_>, target: &TargetFact) -> Option<u32> {
        let Some(path) = inside(&target.location).filter(|_| target.access != Access::MoveFrom) else {
            return Some(0);
        };
        let there = self.content(&case.looked, path, &target.current).await.ok()?;
        let source = match case.source_of(target) {
            Some((source, found)) => self.content(&case.looked, source, found).await.ok()?,
            None => None,
        };
        let after = change::after(&case.targets, target, source.as_deref().or(there.as_deref()))?;
        let after = after.unwrap_or_default();
        Some(match source.filter(|_| case.is_moved_here(target)) {
            Some(moved) => line_count(Some(&moved), &after).saturating_add(line_count(there.as_deref(), &[])),
            None => line_count(there.as_deref(), &after),
        })
    }
}

/// Whether the intent has a bound that counts.
fn counts(intent: &Intent) -> bool {
    intent.constraints().iter().any(Constraint::is_counted)
}
