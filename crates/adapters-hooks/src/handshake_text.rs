//! The prompt that tells an agent how to work here. It belongs to no host; each host delivers it.

use bailiwick_domain::HANDSHAKE_SENTENCE;

/// How most hosts call the tools of a server with our name: the beginning of each name.
pub const SERVED_TOOLS: &str = "mcp__bailiwick__";

const ERRORS: &str = "\
A refused call answers with JSON: read `code`, `reason` and `suggestion`; follow the suggestion. When `recoverable` is \
false, do not repeat the call. A change may wait for the human's approval, which can take time: APPROVAL_PENDING means \
retry exactly the same call later; it passes once after the approval.";

/// The handshake prompt; under 1,500 characters. `tools` is what stands before the names of the gate's own tools at this door.
///
/// ```
/// use bailiwick_adapters_hooks::{SERVED_TOOLS, handshake_text};
/// assert!(handshake_text(true, "").contains(bailiwick_domain::HANDSHAKE_SENTENCE));
/// assert!(handshake_text(true, SERVED_TOOLS).contains("mcp__bailiwick__list_intents"));
/// ```
pub fn handshake_text(repository_has_intents: bool, tools: &str) -> String {
    let next = if repository_has_intents { String::new() } else { no_intents(tools) };
    let paragraphs = [
        "This repository is governed by Bailiwick.",
        HANDSHAKE_SENTENCE,
        &before_a_change(tools),
        &next,
        ERRORS,
    ];
    paragraphs.iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join("\n\n")
}

fn before_a_change(tools: &str) -> String {
    format!(
        "Before a change: call {tools}list_intents, then {tools}select_active_intent with the `intent_id` \
         that covers the task. Without these tools run `bailiwick tool list_intents` and \
         `bailiwick tool select_active_intent '{{\"intent_id\":\"…\"}}'`. Each new request of the human starts anew: select \
         again."
    )
}

fn no_intents(tools: &str) -> String {
    format!(
        "No intent can be selected here. Explore, then draft one with {tools}propose_intent \
         `{{\"name\":\"…\",\"why\":\"…\",\"owned_scope\":[\"src/auth/**\"],\"acceptance_criteria\":[\"…\"]}}` (or \
         `bailiwick tool propose_intent '{{…}}'`): the human accepts it, then select it. A human can also \
         run `bailiwick intent new \"NAME\" --scope PATH`. Do not edit .orchestration/ yourself."
    )
}

/// What a session is told instead where the store cannot be trusted: `why` is a sentence, and nothing else is of use.
///
/// ```
/// use bailiwick_adapters_hooks::broken_text;
/// assert!(!broken_text("The store is gone.").contains(bailiwick_domain::HANDSHAKE_SENTENCE));
/// ```
pub fn broken_text(why: &str) -> String {
    format!(
        "This repository is governed by Bailiwick. Every call is refused, also those that only read, until a human repairs this: {why}"
    )
}
