//! Events of a host. What cannot be read is never a pass, what is read gives the same again, and no text inside a call makes
//! another event of it.

use std::collections::BTreeMap;
use std::path::Path;

use bailiwick_adapters_hooks::{EventKind, Host, HostEvent, Output, Probe, Reply};
use bailiwick_domain::{ErrorCode, ToolCall, ToolError, Value};
use bailiwick_policy::registry::{classify, in_call};
use bailiwick_policy::{limits, targets};

/// What must hold.
pub(crate) fn check(host: &Host, bytes: &[u8]) {
    match (host.parse)(bytes) {
        Ok(event) => {
            assert_eq!((host.parse)(bytes).as_ref(), Ok(&event), "the same bytes are the same event");
            answered(host, &event);
        }
        Err(error) => stays_closed(host, bytes, &error.tool_error()),
    }
    told_as_text(host, bytes);
    cut_off(host, bytes);
}

/// An event that is not understood is refused, or ends with a failure that the installed command turns into a refusal
/// wherever something may run.
fn stays_closed(host: &Host, bytes: &[u8], error: &ToolError) {
    let output = (host.render_failure)(bytes, error);
    let fails = output.exit_code != 0 && output.stdout.is_empty();
    assert!(fails || refuses(host, &output), "{}: a pass: {output:?}", host.profile.name);
}

fn refuses(host: &Host, output: &Output) -> bool {
    (host.refusal)(output).is_some_and(|told| !told.is_empty())
}

/// Every answer can be worded, and a refusal before a tool stops the call.
fn answered(host: &Host, event: &HostEvent) {
    let error = ToolError::new(ErrorCode::ScopeViolation, "out of the scope");
    let denied = (host.render)(&event.name, &Reply::deny(error));
    for reply in
        [Reply::NoOpinion, Reply::Context("told".to_owned()), Reply::Ask { reason: "why".to_owned() }]
    {
        (host.render)(&event.name, &reply);
    }
    if let EventKind::Pre { call, .. } = &event.kind {
        assert!(refuses(host, &denied), "{}: {denied:?}", host.profile.name);
        judged(host, event, call);
    }
}

/// The first things that the gate asks about a call.
fn judged(host: &Host, event: &HostEvent, call: &ToolCall) {
    host.judged_params(&call.tool, &call.params);
    (host.own_tool)(&call.tool);
    (host.served_tool)(&call.tool);
    if let Some(params) = (host.pinned)(call) {
        (host.render)(&event.name, &Reply::AllowRewritten { params, reason: "why".to_owned() });
    }
    if limits::too_much(&call.params).is_none() {
        let entry = in_call(classify(&call.tool, &BTreeMap::new()), &call.params);
        let _ = targets(&entry, &call.params);
    }
}

fn probe(host: &Host, content: &str) -> Vec<u8> {
    (host.probe)(&Probe { session: "s", call: "c", root: "/repo", file: "/repo/a.yaml", content })
}

/// Whatever a tool is to write, the event stays the call that it is.
fn told_as_text(host: &Host, bytes: &[u8]) {
    let Ok(content) = std::str::from_utf8(bytes) else { return };
    let event = (host.parse)(&probe(host, content));
    let is_call = matches!(&event, Ok(event) if matches!(event.kind, EventKind::Pre { .. }));
    assert!(is_call, "{}: {content:?} makes it {event:?}", host.profile.name);
}

/// A call that is cut off somewhere is never a pass.
fn cut_off(host: &Host, bytes: &[u8]) {
    let Ok(content) = std::str::from_utf8(bytes.get(..bytes.len().min(512)).unwrap_or_default()) else {
        return;
    };
    let event = probe(host, content);
    let at = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let cut = event.get(..at % event.len().max(1)).unwrap_or_default();
    match (host.parse)(cut) {
        Err(error) => stays_closed(host, cut, &error.tool_error()),
        Ok(event) => panic!("{}: half an event is read as {event:?}", host.profile.name),
    }
}

/// All that the host's page of the conformance set sends.
pub(crate) fn seeds(host: &Host) -> Vec<Vec<u8>> {
    let name = host.profile.name;
    let page =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../adapters-hooks/conformance/{name}.jsonl"));
    let text = std::fs::read_to_string(&page).unwrap_or_default();
    let cases = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let sent = |case: Value| {
        let event = case.get("send").map(ToString::to_string);
        event.or_else(|| case.get("raw")?.as_str().map(str::to_owned)).map(String::into_bytes)
    };
    let mut seeds: Vec<Vec<u8>> = cases.filter_map(sent).collect();
    seeds.push(probe(host, "*** Begin Patch\n*** Delete File: a.rs\n*** End Patch\n"));
    seeds
}
