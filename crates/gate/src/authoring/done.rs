//! `report_done`: an agent says that the work under its intent is done. The ask is written down for a person to see.
//!
//! It completes nothing and asks nobody at once. Deliberately absent: closing an intent, and what its checks said.

use bailiwick_domain::{
    Action, ActorState, DecisionRecord, DoneReport, Intent, IntentId, OwnTool, Params, ToolCall, ToolError,
};

use super::Authoring;
use super::proposal::report;
use crate::presentation::redact::redact;
use crate::refusals::{DraftFault, Hindrance, OwnToolFault};
use crate::{Because, Outcome, closed};

/// The name of the tool.
const REPORT: &str = OwnTool::ReportDone.as_str();

impl Authoring<'_> {
    /// Writes the ask down, for the intent that this actor works under.
    pub(crate) async fn report_done(&self, call: &ToolCall, params: &Params) -> Result<Outcome, ToolError> {
        let (before, _) = self.standing.load_or_inherit(&call.actor).await.map_err(closed)?;
        let reported = self.reported(call, params, &before).await;
        self.logged_if_refused(call, &before, reported, std::convert::identity).await
    }

    async fn reported(
        &self,
        call: &ToolCall,
        params: &Params,
        before: &ActorState,
    ) -> Result<Outcome, ToolError> {
        let halted = self.standing.halted(&call.actor, before).await.map_err(closed)?;
        if let Some(why) = &halted {
            return Err(bailiwick_policy::quarantine_error(why));
        }
        self.standing.healthy().await?;
        let (named, summary) = report(params)?;
        let active = before.active.as_ref().filter(|active| active.id.as_str() == named);
        let Some(active) = active else {
            let active = before.active.as_ref().map(|active| active.id.clone());
            return Err(Hindrance::OwnTool(OwnToolFault::NotActive { named: &named, active }).error());
        };
        let found = self.intents.get(&active.id).await.map_err(closed)?;
        let Some(intent) = found.filter(Intent::is_selectable) else {
            return Err(Hindrance::Draft(DraftFault::IntentOver(&active.id)).error());
        };
        if active.revision != *intent.revision() {
            let (selected, now) = (&active.revision, intent.revision());
            let fault = OwnToolFault::ChangedSince { intent: intent.id(), selected, now };
            return Err(Hindrance::OwnTool(fault).error());
        }
        let (action, note) = (Action::Transition, format!("{REPORT} asks a human to close {}", intent.id()));
        let done = DoneReport { revision: intent.revision().clone(), summary: redact(&summary) };
        let record = DecisionRecord {
            done: Some(Box::new(done)),
            ..self.decisions.record_of(call, before, action, note)
        };
        self.decisions.log(&record).await?;
        let because = Because::OwnTool { name: REPORT.to_owned(), result: said(intent.id()) };
        Ok(Outcome::Allow(because))
    }

    /// What a report came to, without writing anything down: what our MCP server shows after the gate has let the call
    /// through.
    ///
    /// # Errors
    /// When the store is broken, or the parameters are not those of a report.
    pub async fn show_report(&self, params: &Params) -> Result<String, ToolError> {
        self.standing.healthy().await?;
        let (named, _) = report(params)?;
        let id = IntentId::new(&named).ok();
        let found = match &id {
            Some(id) => self.intents.get(id).await.map_err(closed)?,
            None => None,
        };
        let Some(intent) = found else {
            let valid = Vec::new();
            return Err(Hindrance::OwnTool(OwnToolFault::NoIntent { named: &named, valid }).error());
        };
        Ok(said(intent.id()))
    }
}

/// What the agent is told.
fn said(id: &IntentId) -> String {
    format!(
        "A human sees that you call {id} done. It stays open until the human closes it; `bailiwick verify {id} --last` \
         shows what its checks said last."
    )
}
