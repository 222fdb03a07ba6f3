//! Denials that no gate has logged, because none could be built or the event was not understood: they stand in the
//! decision log all the same, as far as it is known whose log that is.

use std::path::PathBuf;

use bailiwick_adapters_fs::{FsDecisionLog, SystemClock};
use bailiwick_adapters_hooks::{EventKind, HostEvent};
use bailiwick_domain::{Action, Actor, CallId, Clock, DecisionLog, DecisionRecord, State, ToolError};

use super::arguments::Arguments;
use crate::redact::redact;
use crate::site::Site;

/// Logs the denial of a call. A store that cannot be written is often why it is denied, so this may come to nothing.
pub(super) fn denied(event: &HostEvent, site: &Site, error: &ToolError) {
    let EventKind::Pre { call, .. } = &event.kind else { return };
    append(site, &event.actor, Some(call.id.clone()), &call.tool, error);
}

/// Logs that an event could not be read; the folder that the hook runs in tells whose it was.
pub(super) fn unread(arguments: &Arguments, event: &[u8], error: &ToolError) {
    let variable = arguments.host.profile.project_dir_variable.and_then(std::env::var_os).map(PathBuf::from);
    let folder = std::env::current_dir().ok();
    let site = Site::of_call(variable.as_deref(), folder.as_deref(), None, arguments.state.clone());
    if let Some(site) = site.filter(|site| arguments.governed || site.is_governed()) {
        let session = crate::probe::session_of(event).unwrap_or("unknown");
        append(&site, &Actor::root(arguments.host.profile.name, session), None, "event", error);
    }
}

/// Logs a refusal at a site without a gate.
pub(super) fn append(site: &Site, actor: &Actor, call: Option<CallId>, tool: &str, error: &ToolError) {
    if !site.layout.private().is_dir() {
        return;
    }
    let (at, note) = (SystemClock.now(), redact(error.message()));
    let record = DecisionRecord {
        call,
        code: Some(error.code()),
        ..DecisionRecord::new(at, actor.clone(), tool, State::Request, Action::Block, note)
    };
    drop(pollster::block_on(FsDecisionLog::new(site.layout.clone()).append(&record)));
}
