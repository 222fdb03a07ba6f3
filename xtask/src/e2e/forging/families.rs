//! All attempts, by what they are after.

mod actor;
mod answer;
mod config;
mod root;
mod scope;
mod second;

use serde_json::Value;

use super::attempt::Family;

/// Every family.
pub(crate) fn all() -> Vec<Family> {
    vec![
        answer::family(),
        actor::family(),
        scope::family(),
        config::family(),
        root::family(),
        second::family(),
    ]
}

/// A person who says yes to every command.
fn to_commands(request: &Value) -> bool {
    request["tool"] == "execute_command"
}
