//! After a call ran: what it changed is recorded, what it showed is remembered.

use bailiwick_domain::{
    Action, Actor, Change, ChangedFile, Classification, DecisionRecord, Effect, FileState, GrantEnd,
    Mutation, MutationMethod, Observation, PendingCall, PendingFile, RepoPath, Shown, ToolCall, ToolError,
    ToolResult, TraceContext, TraceEntry, Written,
};

use bailiwick_policy::handshake::{Event, step};
use bailiwick_policy::registry::{self, Extractor};

use super::Recording;
use super::moves::{Settled, name_both_ends};
use crate::change::meaning::{Contents, unknown};
use crate::change::{changed_file, own_part};
use crate::extension::announce;
use crate::gathering::case::Case;
use crate::gathering::looked::MAX_LOOK;
use crate::gathering::shown::content;
use crate::{PostReport, closed};

/// What the host said of a call whose outcome is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told<'a> {
    /// It ran, and whether a human changed its content before.
    Ran { call: &'a ToolCall, amended: bool },
    /// It ran and failed.
    Failed,
    /// Nothing; the call is over by now.
    Nothing,
    /// It was never begun.
    NotRun,
}

impl Told<'_> {
    /// Whether nobody says that it ran.
    pub(crate) fn is_late(self) -> bool {
        matches!(self, Self::Nothing | Self::NotRun)
    }
}

/// How a call ran that the gate had not let through.
#[derive(Clone, Copy, Debug)]
enum Outrun {
    /// The gate had refused it.
    Refused,
    /// The gate was never asked.
    Unseen,
}

impl Recording<'_> {
    /// Records what a call did; `amended` where the host says that a person changed the content before it was written.
    pub(crate) async fn post_amended(
        &self,
        call: &ToolCall,
        result: &ToolResult,
        amended: bool,
    ) -> Result<PostReport, ToolError> {
        let report = {
            let _held = self.lock.acquire().await.map_err(closed)?;
            match self.pendings.get(&call.actor, &call.id).await.map_err(closed)? {
                Some(pending) if self.is_told_early(&pending, result).await? => {
                    let pending = PendingCall { told: true, ..pending };
                    self.pendings.put(&pending).await.map_err(closed)?;
                    PostReport::default()
                }
                Some(pending) => {
                    let told = if result.ok { Told::Ran { call, amended } } else { Told::Failed };
                    self.settle_one(&pending, told).await?
                }
                None => self.without_pending(call, result).await?,
            }
        };
        announce(self.extensions, call, &report).await;
        Ok(report)
    }

    /// A call that was let through was never begun: nothing waits for its outcome any more.
    ///
    /// # Errors
    /// When private state cannot be written; the call stays pending, and is settled later.
    pub async fn not_run(&self, call: &ToolCall) -> Result<(), ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        match self.pendings.get(&call.actor, &call.id).await.map_err(closed)? {
            Some(pending) => self.settle_one(&pending, Told::NotRun).await.map(drop),
            None => Ok(()),
        }
    }

    async fn without_pending(&self, call: &ToolCall, result: &ToolResult) -> Result<PostReport, ToolError> {
        let case = self.gathering.gather(call).await?;
        let mut report = PostReport::default();
        if result.ok && case.actor_state.denied.contains(&call.id) {
            self.quarantine(&case, Outrun::Refused).await?;
            return Ok(report);
        }
        if case.facts.tool.class == Classification::Destructive
            && self.own_tools.own_tool_of(call).await.is_none()
        {
            self.unforeseen(&case, result).await?;
        }
        if case.facts.outbound.is_some() {
            self.settle_outward(&case).await?;
        }
        if result.ok && case.facts.tool.effect == Effect::Read {
            self.sights.observe_shown(&case, result, &mut report).await?;
        }
        Ok(report)
    }

    async fn observe_own(
        &self,
        pending: &PendingCall,
        path: &RepoPath,
        report: &mut PostReport,
    ) -> Result<(), ToolError> {
        let Some(state) = self.observable(path, report).await? else { return Ok(()) };
        let written = Written { call: pending.call.clone(), at: self.clock.now() };
        let seen = Observation::new(state, self.shown_by(pending, path).await?);
        self.sessions.observe_own(&pending.actor, path, &seen, &written).await.map_err(closed)
    }

    /// How much of what it left a call's actor knows: all of what it wrote whole, else as much as it knew before.
    async fn shown_by(&self, pending: &PendingCall, path: &RepoPath) -> Result<Shown, ToolError> {
        let file = pending.files.iter().find(|file| file.path == *path);
        if file.is_none_or(|file| file.before == FileState::Absent) {
            return Ok(Shown::Whole);
        }
        let before = self.sessions.observation(&pending.actor, path).await.map_err(closed)?;
        let whole = registry::classify(&pending.tool, &Default::default()).extractor == Extractor::Write;
        let knew = before.map_or(Shown::Part, |seen| seen.shown);
        Ok(if whole { Shown::Whole } else { knew })
    }

    /// What is on disk at a path, told in the report too; `None` where nothing can be observed.
    async fn observable(
        &self,
        path: &RepoPath,
        report: &mut PostReport,
    ) -> Result<Option<FileState>, ToolError> {
        let state = self.workspace.state(path).await.map_err(closed)?;
        if state == FileState::Other {
            return Ok(None);
        }
        report.observations.insert(path.to_string(), content(&state));
        Ok(Some(state))
    }

    /// The event of a call that changes something, and that no pending record waits for. Where the gate saw the session
    /// begin and its log does not know the call, the call went past the gate; every other case is honest: two installed
    /// hooks, a call that was settled before, a pause, a hook that was installed in the middle of the session.
    async fn unforeseen(&self, case: &Case<'_>, result: &ToolResult) -> Result<(), ToolError> {
        if result.ok && !case.call.id.is_made_up() && self.went_past(case.call).await? {
            return self.quarantine(case, Outrun::Unseen).await;
        }
        let note = "the host told of its end, and nothing waits for it".to_owned();
        let record =
            DecisionRecord { paths: Vec::new(), ..self.gathering.record(case, Action::Recorded, note) };
        self.decisions.log(&record).await
    }

    async fn went_past(&self, call: &ToolCall) -> Result<bool, ToolError> {
        let session = self.sessions.load(&call.actor.parent()).await.map_err(closed)?;
        let Some(started) = session.and_then(|session| session.started) else { return Ok(false) };
        let told = self.decisions.tells_of(&call.actor, &call.id, started).await?;
        Ok(told == Some(false))
    }

    /// The host ran a call that was denied, or one that the gate was never asked about: say so and halt the
    /// session. What it did to its targets is drift, and attributed to nobody.
    async fn quarantine(&self, case: &Case<'_>, outrun: Outrun) -> Result<(), ToolError> {
        let tool = &case.call.tool;
        let why = match outrun {
            Outrun::Refused => format!("the host ran {tool} although it was refused"),
            Outrun::Unseen => format!("the host ran {tool} without asking the gate"),
        };
        let session = case.call.actor.parent();
        let state = self.sessions.load(&session).await.map_err(closed)?.unwrap_or_default();
        let halted = step(&state, &Event::Halted(why.clone()), &case.facts.settings);
        self.standing.save(&session, &halted).await?;
        self.grants.end_grants_of_session(&session, &GrantEnd::Drift).await?;
        let record = self.gathering.record(case, Action::Drift, why);
        self.decisions.log(&record).await
    }

    /// Compares each file of a pending call with the disk, records what changed, and forgets the call.
    pub(crate) async fn settle_one(
        &self,
        pending: &PendingCall,
        told: Told<'_>,
    ) -> Result<PostReport, ToolError> {
        let late = told.is_late();
        let mut report = PostReport::default();
        let mut changed = Vec::new();
        for file in pending.files.clone() {
            let now = self.workspace.state(&file.path).await.map_err(closed)?;
            if now == file.before {
                continue;
            }
            if late && self.is_another_calls(pending, &file, &now).await? {
                continue;
            }
            if !matches!(told, Told::Ran { .. }) && file.predicted.as_ref() != Some(&now) {
                if let Some(by) = self.outcome_explained(pending, &file, &now).await {
                    self.log_outcome_explained(pending, &file, by).await?;
                    continue;
                }
                if late {
                    self.log_drift(pending, &file).await?;
                    continue;
                }
            }
            changed.push((file, now));
        }
        let answered = self.settle_host(pending, !late || !changed.is_empty()).await?;
        let pending = answered.as_ref().unwrap_or(pending);
        if !changed.is_empty() {
            let id = match self.recorded_before(pending).await? {
                Some(id) => id,
                None => self.append(pending, &changed, told).await?,
            };
            self.count_entry(pending, &changed, &id).await.map_err(closed)?;
            report.trace_ids.push(id);
            if !pending.actor.is_no_agent() {
                for (file, _) in &changed {
                    self.observe_own(pending, &file.path, &mut report).await?;
                }
                self.mark_mutated(&pending.actor).await?;
            }
        }
        if !late {
            self.adopt_effects(pending).await?;
        }
        self.grants.compare_with_grant(pending, &changed).await?;
        self.log_settled(pending, &report, told).await?;
        self.pendings.remove(&pending.actor, &pending.call).await.map_err(closed)?;
        Ok(report)
    }

    async fn append(
        &self,
        pending: &PendingCall,
        changed: &[(PendingFile, FileState)],
        told: Told<'_>,
    ) -> Result<String, ToolError> {
        let mut files = Vec::with_capacity(changed.len());
        let mut contents = Vec::with_capacity(changed.len());
        for (file, now) in changed {
            let (mut traced, content) = self.changed(file, now, told, changed).await?;
            name_both_ends(&mut traced, changed);
            files.push(traced);
            contents.push(content);
        }
        let late = told.is_late();
        let was_amended = |(file, now): &&(PendingFile, FileState)| is_amended(file, now);
        let amended: Vec<String> =
            changed.iter().filter(was_amended).map(|(file, _)| file.path.to_string()).collect();
        let entry = TraceEntry {
            id: self.ids.uuid(),
            timestamp: self.clock.now(),
            vcs: self.vcs.revision().await,
            context: self.trace_context(pending, late, !amended.is_empty(), contents).await?,
            files,
        };
        let id = self.ledger.append(&entry).await.map_err(closed)?;
        if !amended.is_empty() {
            let by_human = matches!(told, Told::Ran { amended: true, .. });
            self.log_amended(pending, amended, by_human).await?;
        }
        Ok(id)
    }

    /// What a call did to one file; of a content that somebody changed on the way only what was the call's own.
    async fn changed(
        &self,
        file: &PendingFile,
        now: &FileState,
        told: Told<'_>,
        all: &[Settled],
    ) -> Result<(ChangedFile, Option<Contents>), ToolError> {
        let before = match &file.before {
            FileState::Content(hash) => self.pendings.kept(hash).await.map_err(closed)?,
            FileState::Absent | FileState::Other => None,
        };
        let after = self.workspace.read(&file.path, MAX_LOOK).await;
        let (Ok(after), false) = (after, needs_text(&file.before) && before.is_none()) else {
            return Ok((unlooked(&file.path, &file.before, now), None));
        };
        let contents = Contents { path: file.path.clone(), before, after };
        let moved = self.moved_here(file, all).await?;
        let mut changed = match &moved {
            Some(source) => {
                let compared = self.compared(file, now, Some(source), contents.after.as_deref(), told).await;
                let change = match file.before {
                    FileState::Absent => Change::Created,
                    FileState::Content(_) | FileState::Other => Change::Modified,
                };
                ChangedFile { change, before: file.before.clone(), ..compared }
            }
            None => {
                let (before, after) = (contents.before.as_deref(), contents.after.as_deref());
                self.compared(file, now, before, after, told).await
            }
        };
        self.meaning.name_units(&mut changed, contents.after.as_deref());
        Ok((changed, Some(contents)))
    }

    async fn compared(
        &self,
        file: &PendingFile,
        now: &FileState,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
        told: Told<'_>,
    ) -> ChangedFile {
        if let Told::Ran { call, .. } = told
            && is_amended(file, now)
            && let Some(predicted) = self.predicted_content(call, file, before).await
        {
            return own_part(&file.path, before, &predicted, after);
        }
        changed_file(&file.path, before, after)
    }

    async fn trace_context(
        &self,
        pending: &PendingCall,
        late: bool,
        amended: bool,
        contents: Vec<Option<Contents>>,
    ) -> Result<TraceContext, ToolError> {
        let mutation = self.recorded_meaning(pending, amended, contents).await?;
        let state = self.sessions.load(&pending.actor).await.map_err(closed)?.unwrap_or_default();
        let pending = pending.clone();
        Ok(TraceContext {
            call: pending.call,
            actor: pending.actor,
            tool: pending.tool,
            intent: pending.intent,
            revision: pending.revision,
            requirements: pending.requirements,
            derived: pending.derived,
            approval: pending.approval,
            approved_by: pending.approved_by,
            approved_at: pending.approved_at,
            fingerprint: pending.fingerprint,
            scope_override: pending.scope_override,
            model: state.model,
            late,
            amended,
            mutation: Some(mutation),
            restores: pending.restores,
        })
    }

    /// The class of what was done: as the human saw it where exactly that was done, else found out now.
    async fn recorded_meaning(
        &self,
        pending: &PendingCall,
        amended: bool,
        contents: Vec<Option<Contents>>,
    ) -> Result<Mutation, ToolError> {
        if let Some(id) = pending.approval.as_ref().filter(|_| !amended)
            && let Some(approval) = self.approvals.get(id).await.map_err(closed)?
            && approval.request.fingerprint == pending.fingerprint
            && let Some(mutation) = approval.request.mutation
        {
            return Ok(mutation);
        }
        let known: Option<Vec<Contents>> = contents.into_iter().collect();
        let found = match (known, pending.files.first()) {
            (Some(files), _) => self.meaning.of_files(&files),
            (None, Some(file)) => unknown(&file.path, "a file is too large to analyse"),
            (None, None) => Mutation::evolution(MutationMethod::Limit, Vec::new()),
        };
        Ok(found.with_claim(pending.claimed))
    }

    async fn mark_mutated(&self, actor: &Actor) -> Result<(), ToolError> {
        let (state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        if state.mutated {
            return Ok(());
        }
        let stepped = step(&state, &Event::Recorded, &bailiwick_domain::Settings::default());
        self.standing.save(actor, &stepped).await
    }
}

fn is_amended(file: &PendingFile, now: &FileState) -> bool {
    file.predicted.as_ref().is_some_and(|was| was != now)
}

fn needs_text(before: &FileState) -> bool {
    matches!(before, FileState::Content(_))
}

/// A change of a file that is too big to look into: known by its hashes alone.
fn unlooked(path: &RepoPath, before: &FileState, after: &FileState) -> ChangedFile {
    let change = match (before, after) {
        (_, FileState::Absent) => Change::Deleted,
        (FileState::Absent, _) => Change::Created,
        _ => Change::Modified,
    };
    let (ranges, removed) = (Vec::new(), Vec::new());
    ChangedFile {
        path: path.clone(),
        change,
        before: before.clone(),
        after: after.clone(),
        ranges,
        removed,
        binary: true,
        moved_from: None,
        moved_to: None,
        lineage: None,
    }
}
