//! What an agent is told when its session starts: how to work here, or why nothing works.

use bailiwick_adapters_hooks::{broken_text, handshake_text};
use bailiwick_domain::Health;

use crate::gate::Gate;

/// The handshake prompt; `tools` is what stands before the names of the gate's own tools at this door.
pub(crate) async fn told(gate: &Gate, tools: &str) -> String {
    if let Some(broken) = broken(gate).await {
        return broken;
    }
    let any = gate.ports().rules.intents.load().await.is_ok_and(|set| set.selectable().next().is_some());
    handshake_text(any, tools)
}

/// What is told in its place, where the store cannot be trusted.
pub(crate) async fn broken(gate: &Gate) -> Option<String> {
    match gate.ports().rules.policy.health().await {
        Health::Broken(fault) => Some(broken_text(bailiwick_policy::health_error(&fault).message())),
        Health::Ok => None,
    }
}
