//! By what a call goes through, as its pending record will say it. Deliberately absent: whether it may.

use bailiwick_domain::{
    Allowance, Approval, ApprovalId, ApprovalKind, Grant, GrantCharge, GrantCost, Timestamp,
};

use super::answer::approved_at;

/// By what a call goes through.
pub(crate) struct Authority {
    pub(crate) approval: Option<ApprovalId>,
    /// The request, where the host's own prompt asks.
    pub(crate) asked: Option<ApprovalId>,
    pub(crate) approved_by: Option<String>,
    pub(crate) approved_at: Option<Timestamp>,
    pub(crate) scope_override: bool,
    pub(crate) grant: Option<GrantCharge>,
}

impl Authority {
    /// That of a yes; without a name the host's prompt asks, and no approval is used up yet.
    pub(crate) fn of(approval: &Approval, by: Option<String>) -> Self {
        Self {
            approval: by.is_some().then(|| approval.id.clone()),
            asked: by.is_none().then(|| approval.id.clone()),
            approved_at: by.as_ref().and_then(|_| approved_at(approval)),
            approved_by: by,
            scope_override: approval.request.kind == ApprovalKind::ScopeOverride,
            grant: None,
        }
    }

    /// That of a command that a person trusts.
    pub(crate) fn by_allowance(allowance: &Allowance) -> Self {
        Self {
            approval: Some(allowance.id.as_approval()),
            asked: None,
            approved_by: Some(allowance.terms.by.clone()),
            approved_at: Some(allowance.terms.at),
            scope_override: false,
            grant: None,
        }
    }

    /// That of a grant, with what the call takes of it.
    pub(crate) fn by_grant(grant: &Grant, cost: &GrantCost) -> Self {
        Self {
            approval: Some(grant.id.as_approval()),
            asked: None,
            approved_by: Some(grant.terms.by.clone()),
            approved_at: Some(grant.terms.opened),
            scope_override: false,
            grant: Some(GrantCharge { grant: grant.id, lines: cost.lines }),
        }
    }
}
