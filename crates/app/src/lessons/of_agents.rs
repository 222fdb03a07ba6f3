//! A test, lint or build of an agent that failed, or passed again: kept as a lesson where a person wants that
//! (`lessons.from_agents`). Every other event costs no look at any file here.
//!
//! Deliberately absent: what the event means for the call itself.

use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::{ActorState, Effect, Showed, ToolCall, ToolResult};
use bailiwick_policy::lessons::command_of;
use bailiwick_policy::{registry, targets};

use super::{Failure, Lessons, Turn};
use crate::gate::Gate;
use crate::redact::redact;
use crate::site::Site;

/// Keeps what there is to keep. What cannot be kept is no reason to bother the agent.
pub(crate) async fn note(
    gate: &Gate,
    site: &Site,
    call: &ToolCall,
    result: &ToolResult,
    failure: Option<&str>,
) {
    // A command that still runs in the background has neither failed nor passed.
    let is_over = result.ok && result.showed != Some(Showed::Nothing);
    if failure.is_none() && !is_over {
        return;
    }
    let Some(words) = verifying(call) else { return };
    let command = command_of(&without_secrets(words));
    let Ok(settings) = gate.ports().rules.policy.settings().await else { return };
    if !settings.lessons_from_agents {
        return;
    }
    let Some(state) = state_of(gate, call).await else { return };
    let Some(active) = &state.active else { return };
    let Ok(Some(intent)) = gate.ports().rules.intents.get(&active.id).await else { return };
    let lessons = Lessons::new(site, gate);
    let turn = turn_of(call, &state);
    let _ = match failure {
        Some(output) => lessons.failed(&Failure {
            command: &command,
            intent: &intent,
            output,
            by: None,
            turn: Some(Turn { id: &turn, host: &call.actor.host }),
        }),
        None => lessons.passed(&command, &intent, None, Some(&call.actor.host)),
    };
}

/// The words of a call's command, where it tests, lints or builds.
fn verifying(call: &ToolCall) -> Option<Vec<String>> {
    let entry = registry::classify(&call.tool, &Default::default());
    if entry.effect != Effect::Execute {
        return None;
    }
    let command = targets(&entry, &call.params).ok()?.command?;
    ReadOnlyTable::verifying(&command)
}

/// Only the name of the program where a secret stands among the words.
fn without_secrets(mut words: Vec<String>) -> Vec<String> {
    let line = words.join(" ");
    let told = redact(&line);
    if told != line {
        words.truncate(1);
        words.push(told);
    }
    words
}

/// The state of who ran it; a sub-agent that never selected works under what its parent selected.
async fn state_of(gate: &Gate, call: &ToolCall) -> Option<ActorState> {
    let sessions = &gate.ports().records.sessions;
    let own = sessions.load(&call.actor).await.ok()?;
    match own.filter(|state| state.active.is_some()) {
        Some(state) => Some(state),
        None => sessions.load(&call.actor.parent()).await.ok()?,
    }
}

/// What tells one turn of a session from the next: when a person prompted.
fn turn_of(call: &ToolCall, state: &ActorState) -> String {
    let prompted = state.prompted.map(|at| at.to_string()).unwrap_or_default();
    format!("{} {prompted}", call.actor.parent())
}
