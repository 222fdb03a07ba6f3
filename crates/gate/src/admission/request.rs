//! Builds the request that a person sees: intent, paths, a real diff, the reason, the fingerprint.

use bailiwick_domain::{
    Action, Approval, ApprovalKind, ApprovalNeed, ApprovalRequest, Fingerprint, IntentKind, Mutation,
    MutationClass, PortError, Premise, RepoPath, ToolError,
};

use super::Admission;
use crate::change::meaning::{Contents, unknown};
use crate::closed;
use crate::gathering::case::{Case, inside};
use crate::presentation::reading::has_words;
use crate::presentation::redact::{redact, redact_preview};

impl Admission<'_> {
    /// Puts the question into the queue (or finds it open there) and logs that a human is asked.
    pub(crate) async fn request(
        &self,
        case: Case<'_>,
        need: ApprovalNeed,
        fingerprint: Fingerprint,
    ) -> Result<Approval, ToolError> {
        let mutation = self.predicted_meaning(&case).await.map_err(closed)?;
        let unexpected = unexpected(&case, mutation.as_ref());
        let may_stand = need.kind == ApprovalKind::Destructive;
        let offer = if may_stand { self.grants.offer(&case).await } else { None };
        let allowable = if may_stand { self.allowances.allows(&case).await } else { None };
        let (allows, files) = allowable.unzip();
        let runs = self.gathering.dispatched(&case).await?.to_vec();
        let premise = Premise { runs, allows: files, ..case.premise() };
        let request = ApprovalRequest {
            intent_id: case.active_intent().map(|intent| intent.id().clone()),
            tool: case.facts.tool.canonical.to_string(),
            changed_paths: changed_paths(&case),
            // What is shown and kept; the fingerprint is over the true bytes. An intent is shown as it is: a yes
            // accepts it.
            diff_preview: crate::standing::acceptance::shown(&case.unaccepted)
                + &redact_preview(&self.preview(&case).await.map_err(closed)?),
            mutation,
            reason: redact(&(need.reason + &unexpected + &self.runs_later(&case).await)),
            kind: need.kind,
            fingerprint,
            actor: case.call.actor.clone(),
            worktree: self.worktree.map(str::to_owned),
            folder: case.call.cwd.clone(),
            draft: None,
            offer,
            allows,
            accepts: case.unaccepted.iter().map(|one| one.now.revision().clone()).collect(),
            broad: None,
            premise: Some(premise),
        };
        let approval = self.approvals.open(&request, self.clock.now()).await.map_err(closed)?;
        self.note_question(case, &approval).await?;
        Ok(approval)
    }

    /// Remembers and logs that this call waits for a person. Until an approval lets it through, a host that runs it
    /// bypasses the gate.
    pub(crate) async fn note_question(
        &self,
        mut case: Case<'_>,
        approval: &Approval,
    ) -> Result<(), ToolError> {
        case.state_changed |= case.actor_state.deny(&case.call.id);
        case.save_state(&self.standing).await?;
        let mut record =
            self.gathering.record(&case, Action::WaitForApproval, approval.request.reason.clone());
        record.approval = Some(approval.id.clone());
        self.decisions.log(&record).await
    }

    /// The class that the change of a call is predicted to have, and the one that the agent claims; `None` for a
    /// call that changes no file that it names.
    async fn predicted_meaning(&self, case: &Case<'_>) -> Result<Option<Mutation>, PortError> {
        let mut files = Vec::new();
        if case.facts.command.is_some() {
            return Ok(None);
        }
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            let Some(path) = inside(&target.location) else { continue };
            let before = self.gathering.content(&case.looked, path, &target.current).await?;
            let source = self.gathering.source_of(case, target).await;
            let predicted =
                crate::change::after(&case.targets, target, source.as_deref().or(before.as_deref()));
            let Some(after) = predicted else {
                let unknown = unknown(path, "what the file will hold cannot be computed");
                return Ok(Some(unknown.with_claim(case.call.claimed_class())));
            };
            files.push(Contents { path: path.clone(), before, after });
        }
        Ok((!files.is_empty()).then(|| self.meaning.of_files(&files).with_claim(case.call.claimed_class())))
    }

    async fn preview(&self, case: &Case<'_>) -> Result<String, PortError> {
        if let Some(command) = &case.facts.command {
            let cwd = case.targets.cwd.as_deref().or(case.call.cwd.as_deref()).unwrap_or(".");
            let also = crate::presentation::request::beside_command(&case.call.params);
            return Ok(format!("in {cwd}{also}\n$ {command}"));
        }
        let mut parts = Vec::new();
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            let Some(path) = inside(&target.location) else { continue };
            let before = self.gathering.content(&case.looked, path, &target.current).await?;
            let source = self.gathering.source_of(case, target).await;
            let (before, source) = (before.as_deref(), source.as_deref());
            parts.push(crate::presentation::request::shown(&case.targets, target, path, before, source));
        }
        // Behind words that may be the agent's nothing is read as a file, so files that are come first.
        parts.sort_by_cached_key(|part| has_words(part));
        if !parts.is_empty() && crate::presentation::request::is_silent(&case.facts.targets, &case.targets) {
            parts.push(crate::presentation::request::said(&case.call.params));
        }
        if !parts.is_empty() && !case.facts.extras.is_empty() {
            parts.push(crate::presentation::request::named(&case.call.params, case.facts.extras.names()));
        }
        if parts.is_empty() {
            let params = bailiwick_domain::Value::Object(case.call.params.clone());
            parts.push(format!("{} {}", case.call.tool, bailiwick_domain::canonical_json(&params)));
        }
        Ok(parts.join("\n"))
    }
}

/// What a person should know about a change that is no refactor, under an intent that says it is one. Never a refusal:
/// few refactors can be proved.
fn unexpected(case: &Case<'_>, mutation: Option<&Mutation>) -> String {
    let evolves = mutation.is_some_and(|mutation| mutation.class == MutationClass::IntentEvolution);
    match case.active_intent() {
        Some(intent) if evolves && intent.kind() == Some(IntentKind::Refactor) => {
            format!(
                " {} is a refactor, but nothing proves that this change keeps the behaviour.",
                intent.id()
            )
        }
        _ => String::new(),
    }
}

fn changed_paths(case: &Case<'_>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
        let path = inside(&target.location).map_or_else(|| target.requested.clone(), RepoPath::to_string);
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}
