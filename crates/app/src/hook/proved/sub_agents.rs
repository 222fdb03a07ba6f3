//! Proof that the calls of a host's sub-agents meet this hook: one of them did, in this clone. Until then starting a
//! sub-agent is asked about.
//!
//! What a sub-agent may do is judged elsewhere, call by call.

use std::path::PathBuf;

use bailiwick_adapters_fs::{Durability, Layout, replace};
use bailiwick_adapters_hooks::{EventKind, Host, HostEvent};
use bailiwick_policy::registry;

fn proof(host: &Host, layout: &Layout) -> PathBuf {
    layout.private().join("sub-agents").join(host.profile.name)
}

/// Remembers that a call of a sub-agent came here.
pub(in crate::hook) fn note(host: &Host, event: &HostEvent, layout: &Layout) {
    if !matches!(event.kind, EventKind::Pre { .. }) || !event.actor.is_child() {
        return;
    }
    let path = proof(host, layout);
    if !path.exists() {
        // Without it the next sub-agent is asked about, nothing else.
        drop(replace(&path, b"seen\n", Durability::Os));
    }
}

/// Whether a call of a sub-agent of this host came here in this clone.
pub(crate) fn was_seen(host: &Host, layout: &Layout) -> bool {
    proof(host, layout).is_file()
}

/// Whether sub-agents of this host are known to meet the hook. Looked up only for calls that start one.
pub(in crate::hook) fn are_hooked(host: &Host, event: &HostEvent, layout: &Layout) -> bool {
    let EventKind::Pre { call, .. } = &event.kind else { return host.profile.hooks_subagents };
    let starts_one = registry::entries().any(|row| row.name == registry::SPAWNS && row.is_called(&call.tool));
    host.profile.hooks_subagents && starts_one && was_seen(host, layout)
}
