//! The verdict on a gathered call: the rules, then the custom hooks, which can only add a refusal.

use bailiwick_policy::{Verdict, decide};

use super::Admission;
use crate::extension::objections;
use crate::gathering::case::Case;
use crate::judged::{Judged, Refused};

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
                let selectable = match refusal.names_intents() {
                    true => self.standing.selectable_ids().await,
                    false => Vec::new(),
                };
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
}
