//! More scope for the active intent: what an agent may ask for, what a person made of it, and what the agent is told.

use bailiwick_domain::{
    Actor, ActorState, Amended, Approval, ApprovalKind, ApprovalStatus, Intent, IntentChange, IntentId,
    OwnTool, OwnedScope, Params, ScopePattern, ToolCall, ToolError, Value, json,
};

use super::Authoring;
use super::drafts::{Drafted, asks, not_everything};
use super::proposal::expansion;
use crate::closed;
use crate::refusals::{DraftFault, Hindrance};

impl Authoring<'_> {
    /// The draft of more scope for the active intent.
    pub(crate) async fn expanded(
        &self,
        call: &ToolCall,
        params: &Params,
        state: &ActorState,
    ) -> Result<Drafted, ToolError> {
        let (patterns, why) = expansion(params)?;
        let intent = self.expandable(call, state).await?;
        let patterns = intent.unowned(&patterns);
        if patterns.is_empty() {
            return Ok(Drafted::Already(format!("{} owns these paths already.", intent.id())));
        }
        if let Some(result) = self.narrowed_before(&intent, &patterns, state).await? {
            return Ok(Drafted::Already(result));
        }
        let added = OwnedScope::new(patterns.clone(), false)
            .map_err(|error| Hindrance::Draft(DraftFault::Scope(error)).error())?;
        let command = format!("bailiwick intent expand {} --scope PATTERN --allow-broad", intent.id());
        not_everything(&added, &command)?;
        self.within_reach(&patterns).await?;
        let measure = self.measure(&added, Some(intent.id())).await?;
        let broad = self.broad(&measure).await?;
        let edit = self.edit(IntentChange::Expand { id: intent.id().clone(), patterns }).await?;
        let reason = format!(
            "An agent asks for more scope for {} ({}). The new patterns {} {}.",
            intent.id(),
            intent.name(),
            if broad.is_some() { "are broad: they match" } else { "match" },
            measure.share()
        );
        let said = format!("the agent says: {}\n", Value::String(why));
        Ok(asks(
            call,
            OwnTool::RequestScopeExpansion.as_str(),
            params,
            edit,
            (&measure, broad),
            (reason, Some(&intent), said),
        ))
    }

    /// The active intent, if this actor may ask for more of it: a sub-agent never changes its parent's.
    async fn expandable(&self, call: &ToolCall, state: &ActorState) -> Result<Intent, ToolError> {
        let Some(active) = &state.active else {
            return Err(Hindrance::Draft(DraftFault::NothingToExpand).error());
        };
        let found = self.intents.get(&active.id).await.map_err(closed)?;
        let Some(intent) = found.filter(Intent::is_selectable) else {
            return Err(Hindrance::Draft(DraftFault::IntentOver(&active.id)).error());
        };
        if call.actor.is_child() {
            return Err(Hindrance::Draft(DraftFault::OfParent(intent.id())).error());
        }
        Ok(intent)
    }

    /// The change of the intent that a human's own patterns are, within the same reach as an agent's.
    pub(crate) async fn as_changed(
        &self,
        id: &IntentId,
        added: &OwnedScope,
    ) -> Result<IntentChange, ToolError> {
        self.within_reach(added.patterns()).await?;
        let found = self.intents.get(id).await.map_err(closed)?;
        let patterns = found.map(|intent| intent.unowned(added.patterns())).unwrap_or_default();
        if patterns.is_empty() {
            return Err(Hindrance::Draft(DraftFault::AddsNothing(id)).error());
        }
        Ok(IntentChange::Expand { id: id.clone(), patterns })
    }

    /// What to tell an agent that asks again for what a human took out of its request. As with a no, that holds until
    /// the human's next prompt.
    async fn narrowed_before(
        &self,
        intent: &Intent,
        patterns: &[ScopePattern],
        state: &ActorState,
    ) -> Result<Option<String>, ToolError> {
        let all = self.approvals.list().await.map_err(closed)?;
        let is_it = |approval: &&Approval| {
            let counts = matches!(approval.status, ApprovalStatus::Used { at, .. }
                if state.prompted.is_none_or(|prompted| prompted < at));
            counts
                && approval.amended.is_some()
                && has_grown(intent, approval)
                && asked(approval).iter().any(|asked| patterns.iter().all(|pattern| asked.contains(pattern)))
        };
        Ok(all.iter().rev().find(is_it).map(|approval| grown(intent.id(), approval.amended.as_ref())))
    }

    /// What became of a request for more scope, without asking anybody: what our MCP server shows after the gate has let
    /// the call through. Where no such request was answered, the active intent.
    ///
    /// # Errors
    /// When the store is broken.
    pub async fn show_expansion(&self, actor: &Actor, params: &Params) -> Result<String, ToolError> {
        self.standing.healthy().await?;
        let wanted = expansion(params).map(|(patterns, _)| patterns).unwrap_or_default();
        let (all, set) = (self.approvals.list().await, self.intents.load().await);
        let (all, set) = (all.map_err(closed)?, set.map_err(closed)?);
        let told = all.iter().rev().find_map(|approval| {
            let intent = set.get(approval.request.intent_id.as_ref()?)?;
            let is_it = asked(approval)?.iter().all(|pattern| wanted.contains(pattern));
            let is_it = is_it && matches!(approval.status, ApprovalStatus::Used { .. });
            (is_it && has_grown(intent, approval)).then(|| grown(intent.id(), approval.amended.as_ref()))
        });
        match told {
            Some(told) => Ok(told),
            None => self.own_tools.current_intent(actor).await,
        }
    }
}

/// The patterns that a request for more scope asked for.
fn asked(approval: &Approval) -> Option<&[ScopePattern]> {
    let is_one = approval.request.kind == ApprovalKind::ScopeExpansion;
    approval.request.draft.as_ref().filter(|_| is_one).map(|draft| draft.owned_scope.patterns())
}

/// Whether the intent holds what the yes to this request was to: a yes may be used up and nothing written.
fn has_grown(intent: &Intent, approval: &Approval) -> bool {
    let added = match &approval.amended {
        Some(Amended::Scope { added_scope }) => Some(added_scope.patterns()),
        Some(Amended::Intent(_)) => None,
        None => asked(approval),
    };
    approval.request.intent_id.as_ref() == Some(intent.id())
        && added.is_some_and(|added| intent.unowned(added).is_empty())
}

/// What the agent is told of an expansion that was written; where the human changed it, what counts is quoted data.
pub(crate) fn grown(intent: &IntentId, amended: Option<&Amended>) -> String {
    match amended {
        Some(Amended::Scope { added_scope }) => {
            let counts = json!({ "added_scope": added_scope });
            format!(
                "The human changed what you asked for before accepting it; this was added to the scope of {intent}, and \
                 nothing else: {counts} It counts from the next call on. Do not ask for the rest again."
            )
        }
        Some(Amended::Intent(_)) | None => {
            format!("The scope of {intent} was expanded. It counts from the next call on.")
        }
    }
}
