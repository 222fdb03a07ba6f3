//! What a person said that a call may go through by: one look, in a fixed order.
//!
//! Each kind of consent says by whom it goes through ([`Authority`]), what the host is told, and whether its call leaves
//! something to settle; `spending` uses it up. A new kind is one more variant. A pause is none of them: it overrides a
//! decision. Nor is the host's own prompt: it is a way of asking.

use bailiwick_domain::{
    Allowance, Approval, ApprovalKind, ApprovalNeed, Fingerprint, Grant, GrantCost, ToolCall, ToolError,
};

use super::Consenting;
use super::answer::{Said, approver_of};
use super::authority::Authority;
use crate::gathering::case::Case;
use crate::judged::Refused;
use crate::{Because, closed};

/// A yes that a call may go through by.
#[derive(Debug)]
pub(crate) enum Consent {
    /// An answer to exactly this call, bound to its fingerprint. It counts once.
    Answer {
        /// The request with the yes in it.
        approval: Box<Approval>,
        /// Who said yes.
        by: String,
    },
    /// A grant, bound to the bounds that a person set. It counts until it is used up or something ends it.
    Grant {
        /// The grant as it is before this call.
        grant: Box<Grant>,
        /// What this call takes of it.
        cost: GrantCost,
    },
    /// Commands that a person trusts, bound to their words, their folder and their files. They count until they are
    /// revoked or a file changes.
    Commands {
        /// The one that the call is recorded under.
        first: Box<Allowance>,
        /// Those of the other commands of the line.
        others: Vec<Allowance>,
    },
}

impl Consent {
    /// That of an answer.
    pub(crate) fn answer(approval: Approval) -> Self {
        let by = approver_of(&approval).unwrap_or_else(|| "unknown".to_owned());
        Self::Answer { approval: Box::new(approval), by }
    }

    /// By what the call goes through, as its records say it.
    pub(crate) fn authority(&self) -> Authority {
        match self {
            Self::Answer { approval, by } => Authority::of(approval, Some(by.clone())),
            Self::Grant { grant, cost } => Authority::by_grant(grant, cost),
            Self::Commands { first, .. } => Authority::by_allowance(first),
        }
    }

    /// Why the call goes through, for the host.
    pub(crate) fn because(&self) -> Because {
        match self {
            Self::Answer { approval, by } => {
                Because::Approved { approval: approval.id.clone(), by: by.clone() }
            }
            Self::Grant { grant, .. } => Because::Granted { grant: grant.id, by: grant.terms.by.clone() },
            Self::Commands { first, .. } => {
                Because::Allowed { allowance: first.id, by: first.terms.by.clone() }
            }
        }
    }

    /// Whether the call changes no file, so that there is no outcome to wait for.
    pub(crate) fn is_outward(&self) -> bool {
        matches!(self, Self::Answer { approval, .. } if approval.request.kind == ApprovalKind::Outbound)
    }
}

/// What was found.
pub(crate) enum Found {
    /// This is the event of a call again that was let through.
    Again,
    /// A yes.
    Yes(Consent),
    /// A person rejected exactly this call, since the last prompt.
    No(Box<Refused>),
    /// Nothing yet; the question is still open.
    Asked(Box<Approval>),
    /// Nobody said anything.
    None,
}

impl Consenting<'_> {
    /// What was said to this very call counts first, then a grant, then allowed commands. Where one of those does not
    /// cover the call, the question says why.
    pub(crate) async fn look_up(
        &self,
        case: &mut Case<'_>,
        need: &mut ApprovalNeed,
        fingerprint: &Fingerprint,
    ) -> Result<Found, ToolError> {
        if self.was_let_through(case.call, fingerprint).await? {
            return Ok(Found::Again);
        }
        let open = match self.answers.earlier_answer(&case.actor_state, need.kind, fingerprint).await? {
            Said::Yes(approval) => return Ok(Found::Yes(Consent::answer(*approval))),
            Said::No(refused) => return Ok(Found::No(refused)),
            Said::Open(open) => Found::Asked(open),
            Said::Nothing => Found::None,
        };
        // What a person allowed beforehand answers no other kind of question.
        if need.kind != ApprovalKind::Destructive {
            return Ok(open);
        }
        if let Some(grant) = self.grants.covering_grant(case, need).await? {
            return Ok(Found::Yes(grant));
        }
        if let Some(commands) = self.allowances.covering_allowances(case, need).await? {
            return Ok(Found::Yes(commands));
        }
        Ok(open)
    }

    /// Whether this is the event of a call again that was let through. An id that a door made up from what the call
    /// says cannot tell an event that came twice from a second call, which needs its own approval.
    pub(crate) async fn was_let_through(
        &self,
        call: &ToolCall,
        fingerprint: &Fingerprint,
    ) -> Result<bool, ToolError> {
        if call.id.is_made_up() {
            return Ok(false);
        }
        let pending = self.pendings.get(&call.actor, &call.id).await.map_err(closed)?;
        Ok(pending.is_some_and(|known| known.fingerprint == *fingerprint && known.approved_by.is_some()))
    }
}
