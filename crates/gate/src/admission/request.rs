//! Builds the request that a person sees: intent, paths, a real diff, the reason, the fingerprint.

use std::collections::{BTreeSet, VecDeque};

use bailiwick_domain::{
    Action, Approval, ApprovalNeed, ApprovalRequest, ContentHash, ErrorCode, Fingerprint, IntentKind,
    Mutation, MutationClass, RepoPath, ToolError,
};

use bailiwick_policy::TargetFact;

use crate::gathering::case::{Case, in_folder, inside};
use crate::presentation::redact::redact;
use crate::{Gate, closed};

/// The largest file that counts as a script, in bytes.
const LARGEST_SCRIPT: u64 = 16 << 20;

/// How many files that others include are followed.
const MOST_INCLUDED: usize = 64;

/// How many bytes of scripts one command may name: others wait for the lock of the root meanwhile.
const MOST_SCRIPTS: u64 = 64 << 20;

impl Gate {
    /// Puts the question into the queue (or finds it open there) and logs that a human is asked.
    pub(crate) async fn request(
        &self,
        case: Case<'_>,
        need: ApprovalNeed,
        fingerprint: Fingerprint,
    ) -> Result<Approval, ToolError> {
        let mutation = self.predicted_meaning(&case).await.map_err(closed)?;
        let unexpected = unexpected(&case, mutation.as_ref());
        let request = ApprovalRequest {
            intent_id: case.active_intent().map(|intent| intent.id().clone()),
            tool: case.facts.tool.canonical.to_string(),
            changed_paths: changed_paths(&case),
            // What is shown and kept; the fingerprint is over the true bytes. An intent is shown as it is: a yes
            // accepts it.
            diff_preview: crate::standing::acceptance::shown(&case.unaccepted)
                + &redact(&self.preview(&case).await.map_err(closed)?),
            mutation,
            reason: redact(&(need.reason + &unexpected + &self.runs_later(&case).await)),
            kind: need.kind,
            fingerprint,
            actor: case.call.actor.clone(),
            worktree: self.worktree.clone(),
            folder: case.call.cwd.clone(),
            draft: None,
            offer: self.offer(&case, need.kind).await,
            allows: self.allows(&case, need.kind).await,
            accepts: case.unaccepted.iter().map(|one| one.now.revision().clone()).collect(),
            broad: None,
        };
        let approval = self
            .ports
            .consents
            .approvals
            .open(&request, self.ports.chance.clock.now())
            .await
            .map_err(closed)?;
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
        self.save_if_changed(&case).await?;
        let mut record = self.record(&case, Action::WaitForApproval, approval.request.reason.clone());
        record.approval = Some(approval.id.clone());
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    /// Content hashes of the scripts and manifests that a command names or dispatches to, each file once. This happens
    /// under the lock of the root, so what is too big for a script is not read through.
    ///
    /// # Errors
    /// The files have more bytes together than a yes is bound to.
    pub(crate) async fn dispatched(&self, case: &Case<'_>) -> Result<Vec<ContentHash>, ToolError> {
        let Some(command) = &case.facts.command else { return Ok(Vec::new()) };
        let (mut hashes, mut seen, mut size) = (Vec::new(), BTreeSet::new(), 0_u64);
        let mut names: VecDeque<String> = crate::gathering::dispatch::names(command)
            .iter()
            .map(|name| in_folder(case.targets.cwd.as_deref(), name))
            .collect();
        let mut included = 0_usize;
        while let Some(name) = names.pop_front() {
            let location = self.ports.tree.workspace.locate(&name, case.call.cwd.as_deref()).await;
            if let Some(path) = inside(&location)
                && seen.insert(path.clone())
                && let Ok(Some(content)) = self.ports.tree.workspace.read(path, LARGEST_SCRIPT).await
            {
                size = size.saturating_add(content.len() as u64);
                if size > MOST_SCRIPTS {
                    return Err(too_many_scripts());
                }
                hashes.push(ContentHash::of(&content));
                let more = crate::gathering::dispatch::included(&name, &content);
                included += more.len();
                if included <= MOST_INCLUDED {
                    names.extend(more);
                }
            }
        }
        Ok(hashes)
    }

    /// What is moved or copied to a target, as it is now.
    pub(crate) async fn source_of(&self, case: &Case<'_>, target: &TargetFact) -> Option<Vec<u8>> {
        let (source, found) = case.source_of(target)?;
        self.content(&case.looked, source, found).await.ok().flatten()
    }

    async fn preview(&self, case: &Case<'_>) -> Result<String, bailiwick_domain::PortError> {
        if let Some(command) = &case.facts.command {
            let cwd = case.targets.cwd.as_deref().or(case.call.cwd.as_deref()).unwrap_or(".");
            let also = crate::presentation::request::beside_command(&case.call.params);
            return Ok(format!("in {cwd}{also}\n$ {command}"));
        }
        let mut parts = Vec::new();
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            let Some(path) = inside(&target.location) else { continue };
            let before = self.content(&case.looked, path, &target.current).await?;
            let source = self.source_of(case, target).await;
            let (before, source) = (before.as_deref(), source.as_deref());
            parts.push(crate::presentation::request::shown(&case.targets, target, path, before, source));
        }
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

fn too_many_scripts() -> ToolError {
    let message = format!(
        "Too large: the files that this command names have more than {} MiB together, and an approval is bound to their content.",
        MOST_SCRIPTS >> 20
    );
    ToolError::new(ErrorCode::TooLarge, message)
        .with_suggestion("Name fewer files in one command, or a folder instead of each file in it.")
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
