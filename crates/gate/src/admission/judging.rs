//! The verdict on a gathered call: the rules, then the custom hooks, which can only add a refusal.

use bailiwick_domain::IntentId;
use bailiwick_policy::scope_match::ScopeMatcher;
use bailiwick_policy::{Concern, Refusal, Verdict, decide};

use super::Admission;
use crate::extension::objections;
use crate::gathering::case::{Case, inside};
use crate::judged::{Judged, Refused};

/// Of no more intents a refusal looks whether they own its files.
const LOOKED_AT: usize = 8;

impl Admission<'_> {
    /// The verdict of the rules; custom hooks can only add a refusal.
    pub(crate) async fn judge(&self, case: &Case<'_>) -> Judged {
        self.judge_from(case, decide(&case.facts)).await
    }

    /// The same, where the rules were asked already.
    pub(super) async fn judge_from(&self, case: &Case<'_>, verdict: Verdict) -> Judged {
        let passed = match verdict {
            Verdict::Allow => Judged::Passes,
            Verdict::WaitForApproval(need) => Judged::Asks(need),
            Verdict::Block(refusal) => {
                let selectable = self.instead(case, &refusal).await;
                let refused = Refused::by_rules(refusal, &case.facts, &selectable);
                return Judged::Refused(Box::new(refused));
            }
        };
        if matches!(passed, Judged::Asks(_))
            && let Some(refused) = self.gathering.cannot_carry_out(case).await
        {
            return Judged::Refused(Box::new(refused));
        }
        match objections(self.extensions, case.call).await {
            Ok(()) => passed,
            Err(error) => Judged::Refused(Box::new(Refused::by_hook(error))),
        }
    }

    /// The intents that a refusal names: those that could be selected; outside of the scope only those that own what the call
    /// changes, so that an agent does not try one after another.
    async fn instead(&self, case: &Case<'_>, refusal: &Refusal) -> Vec<IntentId> {
        if !refusal.names_intents() {
            return Vec::new();
        }
        let selectable = self.standing.selectable_ids().await;
        if refusal.first.concern() != Concern::Scope || selectable.len() > LOOKED_AT {
            return selectable;
        }
        let mut owners = Vec::new();
        for id in selectable {
            if self.owns(&id, case).await {
                owners.push(id);
            }
        }
        owners
    }

    /// Whether the scope of an intent holds all that a call changes; where that cannot be told, it may.
    async fn owns(&self, id: &IntentId, case: &Case<'_>) -> bool {
        let Ok(Some(intent)) = self.intents.get(id).await else { return true };
        let Ok(scope) = ScopeMatcher::new(intent.owned_scope()) else { return true };
        let mut changed = case.facts.targets.iter().filter(|target| target.access.mutates());
        changed.all(|target| inside(&target.location).is_none_or(|path| scope.matches(path)))
    }
}
