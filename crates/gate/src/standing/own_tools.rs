//! The gate's own tools: selecting an intent, listing them, asking which is active. They change state only here, from
//! our own store, and a failed selection leaves everything as it was.

use std::path::Path;

use bailiwick_domain::{
    Action, ActiveIntent, Actor, ActorState, CommandReading, DecisionRecord, Effect, Intent, IntentId,
    IntentSet, IntentStatus, Location, Overlap, OwnTool, Params, Settings, ToolCall, ToolError, Value, json,
};
use bailiwick_policy::handshake::{Event, step};
use bailiwick_policy::registry;

use super::overlap::may_overlap;
use super::{Standing, context};
use crate::decisions::Decisions;
use crate::refusals::{Hindrance, OwnToolFault, nothing_to_select};
use crate::{Because, HostTraits, Outcome, closed};

part! {
    /// The gate's own tools.
    pub struct OwnTools {
        from rules: intents, policy;
        from tree: lock, workspace;
        from records: sessions, ledger, lessons;
        from readers: commands;
        with standing: Standing, decisions: Decisions;
        keeps host: HostTraits;
    }
}

/// What an own tool came to: its text for the agent, and where the actor then stands.
struct Said {
    text: String,
    state: ActorState,
}

impl OwnTools<'_> {
    /// The own tool that a call means: by its name, or as `bailiwick tool NAME [JSON]` in a shell.
    pub(crate) async fn own_tool_of(&self, call: &ToolCall) -> Option<(String, Params)> {
        let entry = registry::classify(&call.tool, &Default::default());
        if entry.own && (self.host.own_server_proved || !registry::is_remote_name(&call.tool)) {
            return Some((entry.canonical.to_string(), call.params.clone()));
        }
        if entry.effect != Effect::Execute || !registry::extras(&entry.canonical, &call.params).is_empty() {
            return None;
        }
        let command = bailiwick_policy::targets(&entry, &call.params).ok()?.command?;
        match self.commands.read(&command) {
            CommandReading::OwnTool { folder: None, name, params } => Some((name, params)),
            CommandReading::OwnTool { folder: Some(folder), name, params } => {
                self.is_root(&folder).await.then_some((name, params))
            }
            CommandReading::ReadOnly(_) | CommandReading::Unproved { .. } => None,
        }
    }

    /// Whether a folder is the root, wherever the shell stood before: another one may belong to another gate.
    async fn is_root(&self, folder: &str) -> bool {
        Path::new(folder).is_absolute() && matches!(self.workspace.locate(folder, None).await, Location::Root)
    }

    /// Answers a call of an own tool. A halted session may not use them either.
    pub(crate) async fn own_tool(
        &self,
        call: &ToolCall,
        name: &str,
        params: &Params,
    ) -> Result<Outcome, ToolError> {
        let (before, _) = self.standing.load_or_inherit(&call.actor).await.map_err(closed)?;
        let stay = |text: String| Said { text, state: before.clone() };
        let halted = self.standing.halted(&call.actor, &before).await.map_err(closed)?;
        let said = match (&halted, OwnTool::named(name)) {
            (Some(why), _) => Err(bailiwick_policy::quarantine_error(why)),
            (None, Some(OwnTool::SelectActiveIntent)) => {
                self.select(&call.actor, named(params), Event::Selected).await
            }
            (None, Some(OwnTool::ListIntents)) => self.list_intents().await.map(stay),
            (None, Some(OwnTool::CurrentIntent)) => self.current_intent(&call.actor).await.map(stay),
            (None, _) => Err(Hindrance::OwnTool(OwnToolFault::NoTool(name)).error()),
        };
        self.log_own_tool(call, name, &before, &said).await?;
        let Said { text, state } = match said {
            Ok(said) => said,
            Err(error) => return Ok(Outcome::block(error)),
        };
        if state != before {
            self.standing.save(&call.actor, &state).await?;
        }
        Ok(Outcome::Allow(Because::OwnTool { name: name.to_owned(), result: text }))
    }

    async fn log_own_tool(
        &self,
        call: &ToolCall,
        name: &str,
        before: &ActorState,
        said: &Result<Said, ToolError>,
    ) -> Result<(), ToolError> {
        let (action, code, note) = match said {
            Ok(_) => (Action::Transition, None, format!("{name} answered")),
            Err(error) => (Action::Block, Some(error.code()), error.message().to_owned()),
        };
        let state = said.as_ref().map_or(before, |said| &said.state);
        let record = DecisionRecord { code, ..self.decisions.record_of(call, state, action, note) };
        self.decisions.log(&record).await
    }

    /// The state with an intent as the active one of this actor, and its `<intent_context>`. Saves nothing: the caller,
    /// who holds the lock, logs first.
    async fn select(
        &self,
        actor: &Actor,
        named: &str,
        event: fn(ActiveIntent) -> Event,
    ) -> Result<Said, ToolError> {
        self.standing.healthy().await?;
        let settings = self.policy.settings().await.map_err(closed)?;
        self.look_at_named(named).await?;
        let intent = self.selectable(named).await?;
        self.within_parent(actor, &intent).await?;
        if settings.overlap == Overlap::Deny {
            self.no_overlap(&intent).await?;
        }
        let (state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        let active = ActiveIntent { id: intent.id().clone(), revision: intent.revision().clone() };
        let state = step(&state, &event(active), &settings);
        Ok(Said { text: self.context_of(&intent, &settings).await?, state })
    }

    /// A selection sees the intent as it is, closed ones too: what was taken away from it is remembered.
    async fn look_at_named(&self, named: &str) -> Result<(), ToolError> {
        let Ok(id) = IntentId::new(named) else { return Ok(()) };
        match self.intents.get(&id).await.map_err(closed)? {
            Some(intent) => self.standing.unaccepted(&intent).await.map(drop).map_err(closed),
            None => Ok(()),
        }
    }

    /// Selects on a human's word (`bailiwick select`), which also lifts a quarantine.
    ///
    /// # Errors
    /// As for an agent's selection.
    pub async fn select_by_human(&self, actor: &Actor, named: &str) -> Result<String, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let Said { text, state } = self.select(actor, named, Event::SelectedByHuman).await?;
        self.decisions.log_transition(actor, &state, "select", "selected by the human").await?;
        self.standing.save(actor, &state).await?;
        Ok(text)
    }

    /// The `<intent_context>` of an intent, without selecting it: what our MCP server shows.
    ///
    /// # Errors
    /// When the store is broken or the intent cannot be selected.
    pub async fn show_intent(&self, named: &str) -> Result<String, ToolError> {
        self.standing.healthy().await?;
        let settings = self.policy.settings().await.map_err(closed)?;
        let intent = self.selectable(named).await?;
        self.context_of(&intent, &settings).await
    }

    async fn context_of(&self, intent: &Intent, settings: &Settings) -> Result<String, ToolError> {
        // History and lessons are display; what cannot be read must not keep the agent from its scope.
        let history = self.ledger.history(intent.id(), context::HISTORY).await.unwrap_or_default();
        let lessons = match context::has_lessons(settings) {
            true => self.lessons.lessons().await.unwrap_or_default(),
            false => Vec::new(),
        };
        Ok(context::render(intent, &history, &lessons, settings))
    }

    /// All intents as JSON text.
    ///
    /// # Errors
    /// When the store is broken.
    pub async fn list_intents(&self) -> Result<String, ToolError> {
        self.standing.healthy().await?;
        let set = self.intents.load().await.map_err(closed)?;
        let intents: Vec<Value> = set.iter().map(summary).collect();
        Ok(json!({ "intents": intents, "note": note(&set) }).to_string())
    }

    /// The active intent of an actor as JSON text.
    ///
    /// # Errors
    /// When the store is broken.
    pub async fn current_intent(&self, actor: &Actor) -> Result<String, ToolError> {
        self.standing.healthy().await?;
        let (state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        let intent = match &state.active {
            Some(active) => self.intents.get(&active.id).await.map_err(closed)?,
            None => None,
        };
        Ok(json!({
            "state": state.state,
            "active_intent": intent.as_ref().map(summary),
            "previous_intent": state.hint,
        })
        .to_string())
    }

    async fn selectable(&self, named: &str) -> Result<Intent, ToolError> {
        let found = match IntentId::new(named) {
            Ok(id) => self.intents.get(&id).await.map_err(closed)?,
            Err(_) => None,
        };
        match found {
            Some(intent) if intent.is_selectable() => Ok(intent),
            Some(intent) => Err(self.not_selectable(&intent).await),
            None => Err(self.not_found(named).await),
        }
    }

    async fn not_found(&self, named: &str) -> ToolError {
        let set = self.intents.load().await.unwrap_or_default();
        Hindrance::OwnTool(OwnToolFault::NoIntent { named, valid: ids(&set) }).error()
    }

    async fn not_selectable(&self, intent: &Intent) -> ToolError {
        let set = self.intents.load().await.unwrap_or_default();
        Hindrance::OwnTool(OwnToolFault::NotSelectable { intent, valid: ids(&set) }).error()
    }

    /// A sub-agent works under its parent's intent or one of that intent's children.
    async fn within_parent(&self, actor: &Actor, intent: &Intent) -> Result<(), ToolError> {
        if !actor.is_child() {
            return Ok(());
        }
        let parent = self.sessions.load(&actor.parent()).await.map_err(closed)?.unwrap_or_default();
        let owner = parent.active.map(|active| active.id);
        if owner.as_ref() == Some(intent.id()) || (owner.is_some() && owner.as_ref() == intent.parent()) {
            return Ok(());
        }
        Err(Hindrance::OwnTool(OwnToolFault::NotOfParent { intent: intent.id(), parents: owner }).error())
    }

    async fn no_overlap(&self, intent: &Intent) -> Result<(), ToolError> {
        let set = self.intents.load().await.map_err(closed)?;
        let rival = set.iter().find(|other| {
            other.id() != intent.id()
                && other.status() == IntentStatus::InProgress
                && may_overlap(other.owned_scope(), intent.owned_scope())
        });
        match rival {
            None => Ok(()),
            Some(other) => {
                let fault = OwnToolFault::Overlaps { intent: intent.id(), other: other.id() };
                Err(Hindrance::OwnTool(fault).error())
            }
        }
    }
}

/// The id that a selection names; empty when it names none.
pub fn named(params: &Params) -> &str {
    params.get("intent_id").or_else(|| params.get("intentId")).and_then(Value::as_str).unwrap_or("")
}

fn summary(intent: &Intent) -> Value {
    json!({
        "id": intent.id(),
        "name": intent.name(),
        "status": intent.status(),
        "selectable": intent.is_selectable(),
        "owned_scope": intent.owned_scope(),
        "revision": intent.revision().short(),
    })
}

fn ids(set: &IntentSet) -> Vec<String> {
    set.selectable().map(|intent| intent.id().to_string()).collect()
}

/// What to do when nothing can be selected.
fn note(set: &IntentSet) -> String {
    if set.selectable().next().is_some() {
        return "Call select_active_intent with one of these ids before changing anything.".to_owned();
    }
    nothing_to_select()
}
