//! The ends of a judgement that ask nobody: refusing, and letting safe calls through. Both leave a decision record
//! before the answer is given.

use bailiwick_domain::{Action, Classification, GrantId, ToolError};

use super::Admission;
use crate::gathering::case::Case;
use crate::judged::Refused;
use crate::refusals::Hindrance;
use crate::{Because, Outcome};

impl Admission<'_> {
    pub(crate) async fn let_safe_through(&self, case: Case<'_>) -> Result<Outcome, ToolError> {
        if case.facts.tool.class == Classification::Destructive {
            // INVARIANT: a destructive call never gets here; `decide` asks or blocks.
            return self.refuse(case, Refused::by_store(Hindrance::Unjudged.error())).await;
        }
        self.sights.remember_look(&case).await?;
        case.save_state(&self.standing).await?;
        let record = self.gathering.record(&case, Action::Allow, String::new());
        self.decisions.append(&record).await?;
        Ok(Outcome::Allow(Because::Safe))
    }

    /// The host sent the event of a call again that was let through: the same answer, and a record of its own.
    pub(crate) async fn let_through_again(&self, case: Case<'_>) -> Result<Outcome, ToolError> {
        let record = self.gathering.record(&case, Action::Allow, "let through before".to_owned());
        self.decisions.append(&record).await?;
        Ok(Outcome::Allow(Because::Repeated))
    }

    pub(crate) async fn refuse(&self, mut case: Case<'_>, refused: Refused) -> Result<Outcome, ToolError> {
        case.state_changed |= refused.tell(&mut case.actor_state);
        let counts = refused.counts_for_loop();
        let rejection = refused.rejection().map(|(request, said)| (request.clone(), said.to_owned()));
        let error = refused.error;
        if counts {
            case.actor_state.count_block(&case.key);
            case.actor_state.deny(&case.call.id);
            case.state_changed = true;
        }
        let (request, note) = match rejection {
            Some((request, said)) => (Some(request), said),
            None => (None, error.message().to_owned()),
        };
        let mut record = self.gathering.record(&case, Action::Block, note);
        record.code = Some(error.code());
        let grant = if counts { self.grants.live_grant(&case).await } else { None };
        // A grant that counts this line must find itself in it.
        record.approval = grant.map(GrantId::as_approval).or(request);
        let saved = case.save_state(&self.standing).await;
        let logged = self.decisions.append(&record).await;
        let counted = match (grant, &logged) {
            (Some(grant), Ok(seq)) => self.grants.count_refusal(&case, grant, *seq).await,
            _ => Ok(()),
        };
        // The call is refused either way; the first answer says more than a failing log.
        drop((saved, logged, counted));
        Ok(Outcome::block(error))
    }
}
