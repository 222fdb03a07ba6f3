//! Before a call runs, the list: lock, gather, hear, decide, consent, admit or refuse. It is gone through as the call comes,
//! and once more with a person's answer, since files and intents may have changed meanwhile.
//!
//! Deliberately absent: asking (`asking`), for which nobody holds the lock.

use bailiwick_domain::{
    Answer, Approval, ApprovalId, ApprovalNeed, Fingerprint, OwnTool, Params, Pause, ToolCall, ToolError,
};
use bailiwick_policy::{Verdict, decide, handshake, rejected_again};

use super::Admission;
use crate::authoring::drafting::is_draft;
use crate::closed;
use crate::consent::answer::{in_the_log, moved, rejected, still_fits};
use crate::consent::look_up::{Consent, Found};
use crate::gathering::case::Case;
use crate::judged::{Judged, Refused};
use crate::outcome::Look;

/// A person's answer, and to which request.
pub(super) type Answered<'a> = (&'a ApprovalId, &'a Answer);

/// What was heard before the rules are asked.
enum Heard {
    /// Nobody has answered yet.
    Nothing,
    /// A yes to this request, if it still fits what the rules say now, and where they ask, to exactly this.
    Yes(Box<Approval>, Verdict, Option<Fingerprint>),
    /// What needs no rule.
    Settled(Ruling),
}

/// What a look came to.
enum Ruling {
    /// The rules let it through.
    Safe,
    /// This is the event of a call again that was let through.
    Again,
    /// A pause lets through what the rules do not.
    Paused(Pause, Judged),
    /// A person said yes.
    Yes(Box<Consent>, Fingerprint),
    /// A person must be asked.
    Unasked(ApprovalNeed, Fingerprint),
    /// A person was asked, and has not answered.
    Asked(Box<Approval>),
    /// It does not run.
    Refused(Box<Refused>),
}

impl Admission<'_> {
    /// One look at a call, alone under the lock of the root.
    pub(super) async fn look(
        &self,
        call: &ToolCall,
        answer: Option<Answered<'_>>,
    ) -> Result<Look, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        if let Some((name, params)) = self.own_tools.own_tool_of(call).await {
            return self.own_tool(call, &name, &params, answer).await;
        }
        let mut case = self.gather(call).await?;
        let ruling = match self.hear(&case, answer).await? {
            Heard::Settled(ruling) => ruling,
            Heard::Nothing => {
                let verdict = self.judge(&case).await;
                self.consent(&mut case, verdict).await?
            }
            Heard::Yes(approval, verdict, exactly) => {
                let verdict = self.judge_from(&case, verdict).await;
                self.consent_by(&case, verdict, exactly, *approval).await?
            }
        };
        self.admit_or_refuse(case, ruling).await
    }

    /// The list of the gate's own tools. Only a draft is ever asked about.
    async fn own_tool(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
        answer: Option<Answered<'_>>,
    ) -> Result<Look, ToolError> {
        match answer {
            Some((id, answer)) => {
                self.authoring.draft_answered(call, name, params, id, answer).await.map(Look::Settled)
            }
            None if OwnTool::named(name) == Some(OwnTool::ReportDone) => {
                self.authoring.report_done(call, params).await.map(Look::Settled)
            }
            None if is_draft(name) => self.authoring.look_at_draft(call, name, params).await,
            None => self.own_tools.own_tool(call, name, params).await.map(Look::Settled),
        }
    }

    /// The facts, and the actor moved by the call, which touches nothing else that is remembered of it.
    pub(super) async fn gather<'a>(&self, call: &'a ToolCall) -> Result<Case<'a>, ToolError> {
        let mut case = self.gathering.gather(call).await?;
        let event = handshake::Event::ToolCall(case.facts.tool.class);
        handshake::take(&mut case.actor_state, &event, &case.facts.settings);
        case.state_changed |= case.facts.state != case.actor_state.state;
        case.facts.state = case.actor_state.state;
        Ok(case)
    }

    /// What a person said to this call since the last look, written down.
    async fn hear(&self, case: &Case<'_>, answer: Option<Answered<'_>>) -> Result<Heard, ToolError> {
        let Some((id, answer)) = answer else {
            self.gathering.log_explained(case).await?;
            return Ok(Heard::Nothing);
        };
        if let Answer::Reject { feedback, .. } = answer {
            let approval = self.written_down(case, id, answer).await?;
            let refused = rejected(&approval, feedback.as_deref());
            return Ok(Heard::Settled(Ruling::Refused(Box::new(refused))));
        }
        // The approval only answers the rules' question, so they are asked again first.
        let verdict = decide(&case.facts);
        let exactly = match &verdict {
            Verdict::WaitForApproval(_) => Some(self.fingerprint(case).await?),
            Verdict::Allow | Verdict::Block(_) => None,
        };
        // The host may run another hook of this gate for the same event, and that one has used this approval.
        if let Some(fingerprint) = &exactly
            && self.consenting.was_let_through(case.call, fingerprint).await?
        {
            return Ok(Heard::Settled(Ruling::Again));
        }
        let approval = self.written_down(case, id, answer).await?;
        Ok(Heard::Yes(Box::new(approval), verdict, exactly))
    }

    /// The request with its answer, once the queue and the decision log have that.
    async fn written_down(
        &self,
        case: &Case<'_>,
        id: &ApprovalId,
        answer: &Answer,
    ) -> Result<Approval, ToolError> {
        let approval = self.answers.write_down(id, answer).await?;
        self.log_answer(case, &approval, answer).await?;
        Ok(approval)
    }

    /// What a yes to exactly this call on exactly these files is bound to.
    pub(super) async fn fingerprint(&self, case: &Case<'_>) -> Result<Fingerprint, ToolError> {
        Ok(case.fingerprint(self.gathering.dispatched(case).await?))
    }

    /// By what a call goes through that the rules do not let through by themselves, if by anything.
    async fn consent(&self, case: &mut Case<'_>, verdict: Judged) -> Result<Ruling, ToolError> {
        if verdict != Judged::Passes
            && let Some(pause) = self.pausing.paused().await
        {
            return Ok(Ruling::Paused(pause, verdict));
        }
        let mut need = match verdict {
            Judged::Passes => return Ok(Ruling::Safe),
            Judged::Refused(refused) => return Ok(Ruling::Refused(refused)),
            Judged::Asks(need) => need,
        };
        let fingerprint = self.fingerprint(case).await?;
        Ok(match self.consenting.look_up(case, &mut need, &fingerprint).await? {
            Found::Again => Ruling::Again,
            Found::Yes(consent) => Ruling::Yes(Box::new(consent), fingerprint),
            Found::No(refused) => Ruling::Refused(match rejected_again(&case.facts) {
                Some(looped) => Box::new(refused.told_as(looped)),
                None => refused,
            }),
            Found::Asked(open) => Ruling::Asked(open),
            Found::None => Ruling::Unasked(need, fingerprint),
        })
    }

    /// The same by a yes that was just given, if it still fits.
    async fn consent_by(
        &self,
        case: &Case<'_>,
        verdict: Judged,
        exactly: Option<Fingerprint>,
        approval: Approval,
    ) -> Result<Ruling, ToolError> {
        match verdict {
            Judged::Passes => Ok(Ruling::Safe),
            Judged::Refused(refused) => Ok(Ruling::Refused(refused)),
            Judged::Asks(need) => {
                let fingerprint = match exactly {
                    Some(fingerprint) => fingerprint,
                    None => self.fingerprint(case).await?,
                };
                Ok(match still_fits(need.kind, &fingerprint, &approval) {
                    true => Ruling::Yes(Box::new(Consent::answer(approval)), fingerprint),
                    false => Ruling::Refused(Box::new(self.moved(case, &approval).await?)),
                })
            }
        }
    }

    /// What was approved is not what would run now; names what changed.
    pub(crate) async fn moved(&self, case: &Case<'_>, approval: &Approval) -> Result<Refused, ToolError> {
        Ok(moved(case, self.gathering.dispatched(case).await?, approval))
    }

    async fn admit_or_refuse(&self, mut case: Case<'_>, ruling: Ruling) -> Result<Look, ToolError> {
        if !matches!(ruling, Ruling::Refused(_)) {
            let runs = !matches!(ruling, Ruling::Unasked(..) | Ruling::Asked(..));
            self.gathering.follow_shell(&mut case, runs).await;
        }
        let timeout_s = case.facts.settings.approval_timeout_s;
        let outcome = match ruling {
            Ruling::Safe => self.let_safe_through(case).await?,
            Ruling::Again => self.let_through_again(case).await?,
            Ruling::Paused(pause, verdict) => self.let_paused_through(case, &verdict, pause).await?,
            Ruling::Yes(consent, fingerprint) => self.admit(case, *consent, fingerprint).await?,
            Ruling::Refused(error) => self.refuse(case, *error).await?,
            Ruling::Unasked(need, fingerprint) => {
                let approval = self.request(case, need, fingerprint).await?;
                return Ok(Look::Ask(Box::new(approval), timeout_s));
            }
            Ruling::Asked(open) => {
                // The same call came while its question is open: nobody is asked twice.
                self.note_question(case, &open).await?;
                return Ok(Look::Ask(open, timeout_s));
            }
        };
        Ok(Look::Settled(outcome))
    }

    async fn log_answer(
        &self,
        case: &Case<'_>,
        approval: &Approval,
        answer: &Answer,
    ) -> Result<(), ToolError> {
        let Some((action, note)) = in_the_log(&approval.id, answer) else { return Ok(()) };
        let mut record = self.gathering.record(case, action, note);
        record.approval = Some(approval.id.clone());
        self.decisions.log(&record).await
    }
}
