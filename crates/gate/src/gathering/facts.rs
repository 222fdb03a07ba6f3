//! Gathers the facts that a verdict is made of, in one look at the world.

mod texts;

use bailiwick_domain::{
    Actor, ActorState, Classification, Effect, FileState, Health, HealthFault, IgnoreSource, Intent,
    Location, Observation, OwnedScope, PortError, RepoPath, Settings, ToolCall, ToolError,
};
use bailiwick_policy::registry::Extras;
use bailiwick_policy::{
    Access, AnchorFact, Described, Explained, Facts, IgnoreFact, IgnoreRules, IntentFact, RequestedTarget,
    TargetFact, Targets, ToolEntry, Unreadable, edits, limits, outbound, preview, protection, registry,
};

use super::Gathering;
use super::case::{Case, call_key, in_folder, inside};
use super::looked::Looked;
use crate::closed;
use crate::refusals::Hindrance;
use crate::standing::acceptance::Unaccepted;

/// What a call says of itself.
struct Reading {
    tool: ToolEntry,
    targets: Targets,
    malformed: Option<Unreadable>,
    /// Files that a proved command shows whole.
    shows: Vec<String>,
    /// Why a command is not proved to read only.
    unproved: Option<String>,
}

impl Gathering<'_> {
    /// Looks at everything that the verdict on this call depends on.
    pub(crate) async fn gather<'a>(&self, call: &'a ToolCall) -> Result<Case<'a>, ToolError> {
        let mut health = self.policy.health().await;
        let settings = self.settings_or_fault(&mut health).await;
        let stored = self.actor_state(&call.actor, &mut health).await;
        let is_state_known = stored.is_some();
        let (actor_state, state_changed) = stored.unwrap_or_default();
        let quarantine = self.standing.halted(&call.actor, &actor_state).await.map_err(closed)?;
        let mut reading = self.read_call(call, &actor_state, &settings).await?;
        let (target_facts, looked) =
            self.look_at(call, &actor_state, &reading.targets).await.map_err(closed)?;
        let extras = self.weigh(call, &settings, &mut reading, &target_facts).await.map_err(closed)?;
        let Reading { tool, targets, malformed, shows, unproved } = reading;
        let safe =
            tool.class == Classification::Safe && !target_facts.iter().any(|target| target.access.mutates());
        let ignore = if target_facts.is_empty() && safe {
            IgnoreFact::Absent
        } else {
            understand(self.policy.ignore().await)
        };
        // What a safe call may see depends on the intent only through ignore rules.
        let intent_matters = !safe || matches!(ignore, IgnoreFact::Rules(_));
        let intent =
            if intent_matters { self.intent_fact(&actor_state, &mut health).await } else { IntentFact::None };
        let parent = if safe { None } else { self.parent_intent_or_none(&call.actor, &mut health).await };
        let unaccepted = match safe {
            true => Vec::new(),
            false => self.not_accepted(&intent, parent.as_ref()).await.map_err(closed)?,
        };
        let parent_scope = parent.map(scope_of);
        let command_fault =
            targets.command.as_deref().filter(|_| !safe).and_then(|text| self.commands.fault(text));
        let foreign_intent = call
            .intent_id
            .clone()
            .filter(|named| actor_state.active.as_ref().is_some_and(|active| active.id != *named));
        let key = call_key(call);
        let outbound = outbound::asks(&tool, &call.params, &settings)
            .or_else(|| registry::addresses::asks(&tool, &call.params, &settings));
        let facts = Facts {
            health,
            tool,
            tool_name: call.tool.clone(),
            state: actor_state.state,
            quarantine,
            intent,
            unaccepted: unaccepted.iter().map(|one| one.now.id().clone()).collect(),
            foreign_intent,
            parent_scope,
            targets: target_facts,
            malformed,
            extras,
            ignore,
            folds_case: self.workspace.folds_case(),
            requirement_ids: call.requirement_ids.clone(),
            blocked_before: actor_state.blocked.get(&key).copied().unwrap_or(0),
            command_fault,
            command: targets.command.clone(),
            searches: targets.searches,
            outbound,
            count: None,
            unproved,
            settings,
        };
        let mut case = Case {
            call,
            key,
            actor_state,
            is_state_known,
            state_changed,
            facts,
            unaccepted,
            targets,
            shows,
            runs: std::sync::OnceLock::new(),
            looked,
        };
        case.facts.count = self.count_of(&case).await.map_err(closed)?;
        Ok(case)
    }

    /// What the places of a call and its further parameters make of what it says of itself.
    async fn weigh(
        &self,
        call: &ToolCall,
        settings: &Settings,
        reading: &mut Reading,
        found: &[TargetFact],
    ) -> Result<Extras, PortError> {
        let folder = self.folder_in_place_of_a_file(&reading.targets, found).await?;
        let pattern = self.pattern_in_place_of_a_file(&reading.tool, found).await?;
        if let Some(why) = folder.or(pattern) {
            reading.tool = reading.tool.clone().beyond_its_targets();
            (reading.shows, reading.unproved) = (Vec::new(), Some(why));
        }
        if is_own_note(&reading.tool, found) {
            reading.tool.class = Classification::Safe;
            reading.tool.effect = Effect::Interact;
        }
        let extras = extras(call, &reading.tool, settings);
        if !extras.is_empty() {
            reading.tool = reading.tool.clone().beyond_its_targets();
            reading.targets.unforeseen = true;
        }
        Ok(extras)
    }

    /// What the call says of itself, before anything is looked at on the disk but the folder that it names.
    async fn read_call(
        &self,
        call: &ToolCall,
        actor: &ActorState,
        settings: &Settings,
    ) -> Result<Reading, ToolError> {
        if let Some(why) = limits::too_much(&call.params) {
            return Err(Hindrance::TooMuch(why).error());
        }
        let mut tool = self.classify(call, settings);
        let mut malformed = None;
        let mut targets = self.usable_targets(call, &tool).unwrap_or_else(|why| {
            malformed = Some(why);
            Targets::default()
        });
        targets.rules = self.host.edits;
        if targets.command.is_some() {
            malformed = self.unusable_folder(call, targets.cwd.as_deref()).await.map(Into::into);
        }
        if let Some(why) = self.weigh_texts(call, actor, tool.class, settings, &mut targets).await {
            (malformed, targets) = (Some(why), Targets::default());
        }
        let (shows, unproved) = self.read_command(call, actor, &mut tool, &mut targets, settings).await;
        name_secrets(&mut targets, settings);
        Ok(Reading { tool, targets, malformed, shows, unproved })
    }

    async fn settings_or_fault(&self, health: &mut Health) -> Settings {
        match self.policy.settings().await {
            Ok(settings) => settings,
            Err(error) => {
                if *health == Health::Ok {
                    *health = state_fault(&error);
                }
                Settings::default()
            }
        }
    }

    /// The stored state, and whether it is a new one; a sub-agent that was never seen starts where its parent stands.
    /// `None` where it cannot be read.
    async fn actor_state(&self, actor: &Actor, health: &mut Health) -> Option<(ActorState, bool)> {
        match self.standing.load_or_inherit(actor).await {
            Ok(found) => Some(found),
            Err(error) => {
                if *health == Health::Ok {
                    *health = state_fault(&error);
                }
                None
            }
        }
    }

    /// The class of a tool for this host.
    fn classify(&self, call: &ToolCall, settings: &Settings) -> ToolEntry {
        let mut tool = registry::classify(&call.tool, &settings.classification);
        if tool.own && !self.host.own_server_proved && registry::is_remote_name(&call.tool) {
            tool = ToolEntry::unknown(&call.tool);
        }
        let is_classed = registry::is_classed(&call.tool, &settings.classification);
        if self.host.hooks_subagents && !is_classed && tool.canonical == registry::SPAWNS {
            tool.class = Classification::Safe;
        }
        let tool = if is_classed { tool } else { registry::in_call(tool, &call.params) };
        match self.described_in(call).filter(|_| !tool.known) {
            Some(found) => described_as(tool, found, is_classed),
            None => tool,
        }
    }

    fn described_in(&self, call: &ToolCall) -> Option<&Described> {
        self.described.filter(|tool| tool.name == call.tool)
    }

    /// What the call would touch, where its file patterns are some.
    fn usable_targets(&self, call: &ToolCall, tool: &ToolEntry) -> Result<Targets, Unreadable> {
        let targets = self.targets(call, tool)?;
        let mut patterns = targets.names.iter().chain(&targets.listed);
        match patterns.find_map(|pattern| protection::unusable(pattern)) {
            Some(why) => Err(why.into()),
            None => Ok(targets),
        }
    }

    /// What the call would touch; of a tool of another server as its own schema says it.
    fn targets(&self, call: &ToolCall, tool: &ToolEntry) -> Result<Targets, Unreadable> {
        match self.described_in(call).filter(|_| !tool.own) {
            Some(found) => bailiwick_policy::described(&found.schema, tool.class, &call.params),
            None => bailiwick_policy::targets(tool, &call.params),
        }
    }

    /// Why a command cannot run in the folder that the call names.
    async fn unusable_folder(&self, call: &ToolCall, folder: Option<&str>) -> Option<String> {
        if folder.is_some_and(|folder| folder.trim().is_empty()) {
            return Some(
                "the folder to run in is empty: leave the parameter out to run where you are".to_owned(),
            );
        }
        let named = folder.unwrap_or(".");
        match self.workspace.locate(named, call.cwd.as_deref()).await {
            Location::Invalid(why) => {
                let folder = folder.or(call.cwd.as_deref()).unwrap_or(".").escape_debug();
                Some(format!("the folder `{folder}` cannot be used: {why}"))
            }
            _ => None,
        }
    }

    async fn intent_fact(&self, state: &ActorState, health: &mut Health) -> IntentFact {
        let Some(active) = &state.active else { return IntentFact::None };
        match self.intents.get(&active.id).await {
            Ok(Some(intent)) => IntentFact::Active(Box::new(intent)),
            Ok(None) => IntentFact::Gone(active.id.clone()),
            Err(error) => {
                if *health == Health::Ok {
                    *health = state_fault(&error);
                }
                IntentFact::Gone(active.id.clone())
            }
        }
    }

    async fn parent_intent_or_none(&self, actor: &Actor, health: &mut Health) -> Option<Option<Intent>> {
        self.parent_intent(actor).await.unwrap_or_else(|error| {
            *health = state_fault(&error);
            Some(None)
        })
    }

    /// The intent that a sub-agent's parent works under now; without one the child owns nothing.
    async fn parent_intent(&self, actor: &Actor) -> Result<Option<Option<Intent>>, PortError> {
        if !actor.is_child() {
            return Ok(None);
        }
        let parent = self.sessions.load(&actor.parent()).await?.unwrap_or_default();
        let Some(active) = parent.active else { return Ok(Some(None)) };
        Ok(Some(self.intents.get(&active.id).await?))
    }

    /// The intents of a call that a yes would have to accept as well.
    async fn not_accepted(
        &self,
        intent: &IntentFact,
        parent: Option<&Option<Intent>>,
    ) -> Result<Vec<Unaccepted>, PortError> {
        let IntentFact::Active(own) = intent else { return Ok(Vec::new()) };
        let mut found: Vec<Unaccepted> = self.standing.unaccepted(own).await?.into_iter().collect();
        if let Some(parent) = parent.and_then(Option::as_ref).filter(|parent| parent.id() != own.id()) {
            found.extend(self.standing.unaccepted(parent).await?);
        }
        Ok(found)
    }

    pub(crate) async fn look_at(
        &self,
        call: &ToolCall,
        actor: &ActorState,
        targets: &Targets,
    ) -> Result<(Vec<TargetFact>, Looked), PortError> {
        let mut facts = Vec::with_capacity(targets.paths.len());
        let mut looked = Looked::default();
        for target in &targets.paths {
            let mut fact = self.target_fact(call, target, targets, &mut looked).await?;
            fact.explained = self.why_changed(call, actor, &fact).await;
            facts.push(fact);
        }
        Ok((facts, looked))
    }

    async fn why_changed(&self, call: &ToolCall, actor: &ActorState, fact: &TargetFact) -> Option<Explained> {
        let path = inside(&fact.location)?;
        if fact.observed.as_ref()?.state == fact.current {
            return None;
        }
        let intent = actor.active.as_ref().map(|active| &active.id);
        self.explanations.explanation(&call.actor, intent, path, &fact.current).await
    }

    async fn target_fact(
        &self,
        call: &ToolCall,
        target: &RequestedTarget,
        targets: &Targets,
        looked: &mut Looked,
    ) -> Result<TargetFact, PortError> {
        let location = self.workspace.locate(&target.requested, call.cwd.as_deref()).await;
        let mut fact = TargetFact {
            requested: target.requested.clone(),
            access: target.access,
            location,
            current: FileState::Other,
            observed: None,
            explained: None,
            claimed: call.read_hash.clone(),
            anchor: AnchorFact::NotQuoted,
        };
        let is_bound = target.access.mutates() || target.moved_to.is_some();
        let Some(path) = inside(&fact.location).cloned().filter(|_| is_bound) else {
            return Ok(fact);
        };
        fact.current = self.state_once(&path, looked).await?;
        if !target.access.mutates() {
            return Ok(fact);
        }
        fact.observed = self.sessions.observation(&call.actor, &path).await?;
        fact.anchor = self.anchor(&fact, &path, target, targets, looked).await?;
        Ok(fact)
    }

    /// Whether what a change quotes is there: asked of patches only where not all of this content was shown.
    async fn anchor(
        &self,
        fact: &TargetFact,
        path: &RepoPath,
        target: &RequestedTarget,
        targets: &Targets,
        looked: &Looked,
    ) -> Result<AnchorFact, PortError> {
        let is_known = || fact.observed.as_ref() == Some(&Observation::whole(fact.current.clone()));
        let patches = target.access == Access::Patch;
        if target.access != Access::Anchored && (!patches || is_known()) {
            return Ok(AnchorFact::NotQuoted);
        }
        let bytes = match (looked.bytes(path), &fact.current) {
            (None, FileState::Content(_)) => self.found(path, &fact.current).await?.unwrap_or_default(),
            (bytes, _) => bytes.map(<[u8]>::to_vec).unwrap_or_default(),
        };
        if target.access != Access::Anchored {
            let text = String::from_utf8_lossy(&bytes);
            return Ok(preview::anchor_of_hunks(&text, &targets.hunks_for(&target.requested)));
        }
        let limit = u64::try_from(edits::MOST_TEXT).unwrap_or(u64::MAX);
        edits::anchor_of(&targets.rules, &bytes, &targets.edits_for(&target.requested))
            .map_err(|_| PortError::TooLarge { what: format!("what the edits make of {path}"), limit })
    }
}

/// A tool of another server. What a person said of its name counts, else of the tool; nothing where it has changed since.
fn described_as(tool: ToolEntry, found: &Described, is_classed: bool) -> ToolEntry {
    let class = match found.changed {
        true => Classification::Destructive,
        false if is_classed => tool.class,
        false => found.class,
    };
    ToolEntry { class, ..tool }
}

/// What an intent owns; nothing where there is none.
fn scope_of(intent: Option<Intent>) -> OwnedScope {
    intent.map_or_else(OwnedScope::default, |intent| intent.owned_scope().clone())
}

/// Secrets that a search asks for by a file pattern are targets like those that a call names.
pub(crate) fn name_secrets(targets: &mut Targets, settings: &Settings) {
    let is_pattern = |path: &&str| path.contains(['*', '?', '[', '{']);
    let reads = targets.paths.iter().filter(|target| target.access == Access::Read);
    let patterns = reads.map(|target| target.requested.as_str()).filter(is_pattern);
    let patterns = patterns.chain(targets.names.iter().map(String::as_str));
    let named: Vec<String> =
        patterns.filter_map(|pattern| protection::secret_named_by(pattern, settings)).collect();
    let folder = targets.cwd.clone();
    targets.paths.extend(named.iter().map(|name| RequestedTarget::read(in_folder(folder.as_deref(), name))));
}

/// What the parameters say beyond the targets; nothing of a tool that a person gave a class.
fn extras(call: &ToolCall, tool: &ToolEntry, settings: &Settings) -> Extras {
    if tool.own || registry::is_classed(&call.tool, &settings.classification) {
        return Extras::default();
    }
    registry::extras(&tool.canonical, &call.params)
}

/// A file tool that only touches the host's own scratch places keeps the agent's notes.
fn is_own_note(tool: &ToolEntry, targets: &[TargetFact]) -> bool {
    tool.known
        && !targets.is_empty()
        && targets.iter().all(|target| matches!(target.location, Location::Scratch(_)))
}

fn state_fault(error: &PortError) -> Health {
    Health::Broken(match error {
        PortError::Invalid(diagnostic) => HealthFault::Invalid(diagnostic.clone()),
        PortError::Unavailable(_) | PortError::Locked(_) | PortError::TooLarge { .. } => {
            HealthFault::StateUnavailable(error.to_string())
        }
    })
}

/// What the ignore files say.
pub(crate) fn understand(source: IgnoreSource) -> IgnoreFact {
    match source {
        IgnoreSource::Absent => IgnoreFact::Absent,
        IgnoreSource::Unreadable(why) => IgnoreFact::Invalid(why),
        IgnoreSource::Files(files) => match IgnoreRules::parse(&files) {
            Ok(rules) => IgnoreFact::Rules(rules),
            Err(diagnostic) => IgnoreFact::Invalid(diagnostic.to_string()),
        },
    }
}

/// Why the ignore rules cannot be followed, if they cannot.
pub fn ignore_fault(source: IgnoreSource) -> Option<String> {
    match understand(source) {
        IgnoreFact::Invalid(why) => Some(why),
        IgnoreFact::Absent | IgnoreFact::Rules(_) => None,
    }
}
