//! The drafts themselves: what the intents file would become, whether an agent may ask for that at all, and the facts
//! that a person reads beside the diff.

use bailiwick_domain::{
    Amended, Approval, ApprovalKind, ApprovalRequest, ApprovalStatus, Breadth, CallFacts, Fingerprint,
    Intent, IntentChange, IntentEdit, IntentProposal, Location, OwnTool, OwnedScope, Params, Premise,
    ScopePattern, Settings, ToolCall, ToolError, Value, WorkspacePath,
};
use bailiwick_policy::breadth::{names_protected, owns_everything};
use bailiwick_policy::protection::{Protection, of_change};
use bailiwick_policy::scope_match::literal_start;

use super::Authoring;
use super::measure::{Measure, no_glob};
use super::proposal::proposal;
use crate::closed;
use crate::presentation::redact::redact;
use crate::presentation::unified_diff;
use crate::refusals::{DraftFault, Hindrance};

/// The most of a diff that is shown, in bytes.
const MAX_DIFF: usize = 200_000;

/// What a draft came to.
pub(crate) enum Drafted {
    /// The file says so already; nobody need be asked.
    Already(String),
    /// A human must be asked.
    Asks(Box<Draft>),
}

/// A change with what a human is shown.
pub(crate) struct Draft {
    pub(crate) edit: IntentEdit,
    pub(crate) request: ApprovalRequest,
}

impl Authoring<'_> {
    /// The draft of a new intent.
    pub(crate) async fn proposed(&self, call: &ToolCall, params: &Params) -> Result<Drafted, ToolError> {
        let new = proposal(params)?;
        if let Some(result) = self.accepted_amended(|draft| *draft == new).await? {
            return Ok(Drafted::Already(result));
        }
        let set = self.intents.load().await.map_err(closed)?;
        let says_so =
            |intent: &&Intent| intent.name() == new.name && *intent.owned_scope() == new.owned_scope;
        if let Some(intent) = set.selectable().find(says_so) {
            return Ok(Drafted::Already(accepted(intent.id().as_str())));
        }
        not_everything(&new.owned_scope, "bailiwick intent new \"NAME\" --scope PATTERN --allow-broad")?;
        self.within_reach(new.owned_scope.patterns()).await?;
        let measure = self.measure(&new.owned_scope, None).await?;
        let edit = self.edit(IntentChange::Add(new)).await?;
        let broad = self.broad(&measure).await?;
        let reason = format!(
            "An agent drafted a new intent. Approving adds it as the next free id, now {}. Its scope {} {}.",
            edit.intent,
            if broad.is_some() { "is broad: it matches" } else { "matches" },
            measure.share()
        );
        Ok(asks(
            call,
            OwnTool::ProposeIntent.as_str(),
            params,
            edit,
            (&measure, broad),
            (reason, None, String::new()),
        ))
    }

    /// The change that a yes is to: the shown one, or the draft as the human changed it, made on the same text and
    /// within the same bounds. A change of another kind than the draft is a yes to nothing.
    pub(crate) async fn agreed(
        &self,
        shown: &IntentEdit,
        approval: &Approval,
    ) -> Result<Option<IntentEdit>, ToolError> {
        let change = match (&shown.change, &approval.amended) {
            (_, None) => return Ok(Some(shown.clone())),
            (IntentChange::Add(_), Some(Amended::Intent(amended))) => {
                self.within_reach(amended.owned_scope.patterns()).await?;
                IntentChange::Add(amended.clone())
            }
            (IntentChange::Expand { id, .. }, Some(Amended::Scope { added_scope })) => {
                self.as_changed(id, added_scope).await?
            }
            _ => return Ok(None),
        };
        let edit = self.edit(change).await?;
        if edit.base == shown.base {
            Ok(Some(edit))
        } else {
            Err(Hindrance::Draft(DraftFault::Changed(edit.file.as_str(), None)).error())
        }
    }

    /// What to tell an agent whose draft a human accepted in a changed form, as long as that intent can be selected.
    pub(crate) async fn accepted_amended(
        &self,
        is_meant: impl Fn(&IntentProposal) -> bool + Send,
    ) -> Result<Option<String>, ToolError> {
        let all = self.approvals.list().await.map_err(closed)?;
        let used = all.iter().rev().filter(|approval| matches!(approval.status, ApprovalStatus::Used { .. }));
        let intents = used.filter(|approval| approval.request.kind == ApprovalKind::IntentProposal);
        let mut meant = intents.filter(|approval| approval.request.draft.as_ref().is_some_and(&is_meant));
        let Some(Amended::Intent(amended)) = meant.next().and_then(|latest| latest.amended.as_ref()) else {
            return Ok(None);
        };
        let set = self.intents.load().await.map_err(closed)?;
        let mut same = set
            .selectable()
            .filter(|intent| intent.name() == amended.name && *intent.owned_scope() == amended.owned_scope);
        match same.next() {
            Some(intent) => {
                let told = accepted_as(intent.id().as_str(), amended);
                Ok(Some(told + &self.left_out(&amended.owned_scope).await))
            }
            None => Ok(None),
        }
    }

    pub(crate) async fn edit(&self, change: IntentChange) -> Result<IntentEdit, ToolError> {
        self.writer.draft(&change).await.map_err(|error| {
            let fault = DraftFault::Edit(error, "the intents file");
            Hindrance::Draft(fault).error()
        })
    }

    /// No pattern may start outside the root or at what only a person changes; a file that is protected further down
    /// stays protected whatever the scope says.
    pub(crate) async fn within_reach(&self, patterns: &[ScopePattern]) -> Result<(), ToolError> {
        let settings = self.policy.settings().await.map_err(closed)?;
        for pattern in patterns.iter().filter(|pattern| !pattern.is_exclusion()) {
            if let Some(by) = names_protected(pattern) {
                return Err(Hindrance::Draft(DraftFault::Reaches(pattern, by)).error());
            }
            let start = literal_start(pattern);
            if start.is_empty() {
                continue;
            }
            match self.workspace.locate(&start, None).await {
                Location::Inside(found) => unprotected(pattern, &found, &settings)?,
                Location::Root => {}
                Location::Scratch(_)
                | Location::ReadRoot(_)
                | Location::Outside(_)
                | Location::Invalid(_) => {
                    return Err(Hindrance::Draft(DraftFault::LeadsOut(pattern)).error());
                }
            }
        }
        Ok(())
    }
}

/// The question: the diff of the file, then the facts. The yes is bound to the draft and to the intent that it changes: what
/// others write into the file meanwhile takes nothing away from it.
pub(crate) fn asks(
    call: &ToolCall,
    tool: &str,
    params: &Params,
    edit: IntentEdit,
    (measure, broad): (&Measure, Option<Breadth>),
    (reason, intent, said): (String, Option<&Intent>, String),
) -> Drafted {
    let mut params = params.clone();
    params.remove("session");
    let premise = Premise {
        before: Vec::new(),
        revision: intent.map(|intent| intent.revision().clone()),
        runs: Vec::new(),
        allows: None,
    };
    let fingerprint = Fingerprint::of(&CallFacts {
        tool,
        params: &Value::Object(params),
        cwd: None,
        before: &premise.before,
        revision: premise.revision.as_ref(),
        actor: &call.actor,
        dispatched: &[],
    });
    let (before, after) = (edit.before.as_bytes(), edit.after.as_bytes());
    let diff = unified_diff(edit.file.as_str(), Some(before), Some(after), MAX_DIFF);
    let kind = match edit.change {
        IntentChange::Add(_) => ApprovalKind::IntentProposal,
        IntentChange::Expand { .. } | IntentChange::SetStatus { .. } => ApprovalKind::ScopeExpansion,
    };
    let draft = match &edit.change {
        IntentChange::Add(proposal) => Some(proposal.clone()),
        IntentChange::Expand { patterns, .. } => intent.map(|intent| with_scope(intent, patterns)),
        IntentChange::SetStatus { .. } => None,
    };
    let request = ApprovalRequest {
        intent_id: intent.map(|intent| intent.id().clone()),
        tool: tool.to_owned(),
        changed_paths: vec![edit.file.to_string()],
        diff_preview: redact(&format!("{diff}\n{said}{}", measure.lines())),
        reason: redact(&reason),
        kind,
        fingerprint,
        actor: call.actor.clone(),
        worktree: None,
        folder: call.cwd.clone(),
        draft,
        offer: None,
        allows: None,
        mutation: None,
        accepts: Vec::new(),
        broad,
        premise: Some(premise),
    };
    Drafted::Asks(Box::new(Draft { edit, request }))
}

/// The intent with these patterns as its scope: what a request keeps of an expansion.
fn with_scope(intent: &Intent, patterns: &[ScopePattern]) -> IntentProposal {
    let criteria = intent.acceptance_criteria().iter().map(|criterion| criterion.0.clone());
    IntentProposal {
        name: intent.name().to_owned(),
        why: intent.why().map(str::to_owned),
        owned_scope: OwnedScope::new(patterns.to_vec(), true).unwrap_or_default(),
        acceptance_criteria: criteria.collect(),
    }
}

pub(crate) fn accepted(id: &str) -> String {
    format!("{id} is accepted. Now select it: select_active_intent {{\"intent_id\":\"{id}\"}}.")
}

/// The same where the human changed the draft: what counts is quoted data.
pub(crate) fn accepted_as(id: &str, amended: &IntentProposal) -> String {
    let counts = bailiwick_domain::json!({
        "name": amended.name,
        "why": amended.why,
        "owned_scope": amended.owned_scope,
        "acceptance_criteria": amended.acceptance_criteria,
    });
    format!("The human changed your draft before accepting it; this counts: {counts} {}", accepted(id))
}

fn unprotected(pattern: &ScopePattern, found: &WorkspacePath, settings: &Settings) -> Result<(), ToolError> {
    match of_change(found, settings) {
        Protection::None | Protection::Sensitive(_) => Ok(()),
        Protection::Protected(by) => Err(Hindrance::Draft(DraftFault::Reaches(pattern, &by)).error()),
    }
}

/// An agent may ask for any part of the tree, but not for all of it at once.
pub(crate) fn not_everything(scope: &OwnedScope, command: &str) -> Result<(), ToolError> {
    if owns_everything(scope).map_err(no_glob)? {
        return Err(Hindrance::Draft(DraftFault::OwnsAll(command)).error());
    }
    Ok(())
}
