//! How `bailiwick doctor`'s own events are told from an agent's. What it sends and expects is `command::setup::doctor`'s.

/// The session under which probes appear in the decision log.
pub(crate) const SESSION: &str = "bailiwick-doctor";

/// An event that breaks off.
pub(crate) const MALFORMED: &[u8] =
    br#"{"session_id":"bailiwick-doctor","hook_event_name":"PreToolUse","tool_name":"Write","#;

/// The session of the broken event, when it is that.
pub(crate) fn session_of(event: &[u8]) -> Option<&'static str> {
    (event == MALFORMED).then_some(SESSION)
}
