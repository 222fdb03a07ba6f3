//! A person's off switch: while a pause is in force, what would be refused or asked about passes and is recorded.
//! Protected paths and the commands that are for people stay closed. The next call removes and logs an ended pause.

use bailiwick_domain::{
    Action, Actor, ApprovalId, DecisionRecord, ErrorCode, Pause, PauseLook, State, Timestamp, ToolError,
    Verdict,
};
use bailiwick_policy::held_in_pause;

use super::authority::Authority;
use crate::gathering::case::Case;
use crate::{Because, Gate, Outcome, closed};

impl Gate {
    /// The pause that is in force now, if one is. Takes no lock and changes nothing.
    pub async fn pause_in_force(&self) -> Option<Pause> {
        match self.ports.consents.pauses.look(self.ports.chance.clock.now()).await {
            PauseLook::Running(pause) => Some(pause),
            PauseLook::None | PauseLook::Over(_) => None,
        }
    }

    /// The same under the lock: a pause that is over is put away, and its end is logged.
    pub(crate) async fn paused(&self) -> Option<Pause> {
        let now = self.ports.chance.clock.now();
        match self.ports.consents.pauses.look(now).await {
            PauseLook::None => None,
            PauseLook::Running(pause) => Some(pause),
            PauseLook::Over(pause) => {
                let record = pause_record(&pause.by, now, &ended_by_itself(&pause, now));
                if self.ports.records.decisions.append(&record).await.is_ok() {
                    // What stays is over all the same; it is only met and logged once more.
                    let _ = self.ports.consents.pauses.forget(&pause).await;
                }
                None
            }
        }
    }

    /// Lets through what was not allowed, after it is written down. What cannot be logged does not pass; what cannot be
    /// prepared for the ledger does, since a broken ledger is one reason to pause.
    pub(crate) async fn let_paused_through(
        &self,
        mut case: Case<'_>,
        verdict: &Verdict,
        pause: Pause,
    ) -> Result<Outcome, ToolError> {
        if let Some(error) = held_in_pause(&case.facts) {
            return self.refuse(case, error).await;
        }
        self.end_if_over(&case).await?;
        self.forget_refusals(&mut case).await?;
        let is_traced = self.remember_paused(&case, verdict).await;
        let (code, what) = match verdict {
            Verdict::Block(error) => (Some(error.code()), "would be refused"),
            Verdict::WaitForApproval(_) => (None, "would be asked about"),
            Verdict::Allow => (None, "allowed"),
        };
        let traced = if is_traced { "" } else { ", not for the ledger" };
        let note = format!("paused by {} until {}: {what}{traced}", pause.by, pause.until);
        let mut record = self.record(&case, Action::Paused, note);
        record.code = code;
        record.approval = Some(ApprovalId(Pause::MARK.to_owned()));
        if let Err(error) = self.ports.records.decisions.append(&record).await {
            drop(self.ports.records.pendings.remove(&case.call.actor, &case.call.id).await);
            return Err(closed(error));
        }
        Ok(Outcome::Allow(Because::Paused(pause)))
    }

    /// Remembers the call for the ledger, where it serves an intent and changes something; whether that was done.
    async fn remember_paused(&self, case: &Case<'_>, verdict: &Verdict) -> bool {
        if case.active_intent().is_none() {
            return false;
        }
        let authority = Authority {
            approval: Some(ApprovalId(Pause::MARK.to_owned())),
            asked: None,
            approved_by: None,
            approved_at: None,
            scope_override: leaves_the_scope(verdict),
            grant: None,
        };
        let Ok(dispatched) = self.dispatched(case).await else { return false };
        match self.pending(case, authority, case.fingerprint(&dispatched)).await {
            Ok(pending) => self.ports.records.pendings.put(&pending).await.is_ok(),
            Err(_) => false,
        }
    }
}

/// Whether the scope was among what the call failed.
fn leaves_the_scope(verdict: &Verdict) -> bool {
    let Verdict::Block(error) = verdict else { return false };
    let codes = [ErrorCode::ScopeViolation, ErrorCode::NoScope];
    let also = error.details().get("also").and_then(bailiwick_domain::Value::as_array);
    codes.contains(&error.code())
        || also.is_some_and(|also| codes.iter().any(|code| also.iter().any(|other| other == code.as_str())))
}

fn ended_by_itself(pause: &Pause, now: Timestamp) -> String {
    if now < pause.from {
        return format!("the pause until {} ended: the clock was moved back", pause.until);
    }
    format!("the pause until {} is over", pause.until)
}

/// The decision-log line of the beginning or end of a pause.
pub fn pause_record(by: &str, at: Timestamp, note: &str) -> DecisionRecord {
    DecisionRecord::new(at, Actor::root("human", by), "pause", State::Request, Action::Transition, note)
}
