//! Whether a person is provably at the host, so that its own prompt may ask (design §5 `approval.channel`).
//!
//! Doubt means no: in headless runs and bypass modes nobody would see the question (threat G7).

use bailiwick_adapters_hooks::PermissionMode;

/// The look that fits a mode: in modes that never ask, nobody is there.
pub(super) fn look(mode: PermissionMode) -> fn() -> bool {
    use PermissionMode::{AcceptEdits, Auto, Bypass, Default, DontAsk, Plan, Unknown};
    match mode {
        Default | Plan | AcceptEdits | Auto => agent_is_interactive,
        DontAsk | Bypass | Unknown => || false,
    }
}

/// The host's process has a terminal and was not started for one headless run.
fn agent_is_interactive() -> bool {
    bailiwick_adapters_fs::calling_agent().is_some_and(|agent| {
        let headless = agent.words.iter().any(|word| matches!(word.as_str(), "-p" | "--print"));
        agent.has_terminal && !headless
    })
}
