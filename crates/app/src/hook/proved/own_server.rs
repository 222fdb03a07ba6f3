//! Proof that a call named `mcp__bailiwick__…` goes to our own MCP server and not to another one of that name, and the pass
//! for calls that the server itself judges.

use bailiwick_adapters_fs::{HookPasses, Layout, SystemClock};
use bailiwick_adapters_hooks::claude_code::{launcher_of, shared_mcp_is_ours};
use bailiwick_adapters_hooks::settings::LAUNCHER_PATH;
use bailiwick_adapters_hooks::{EventKind, Host, HostEvent, Reply};
use bailiwick_domain::{Clock, ToolCall, Value};

use crate::install_record::InstallRecord;
use crate::refusals::EventFault;

/// The parameter of our server's tools that says who acts.
const SESSION: &str = "session";

/// Whether the client's settings say that the server `bailiwick` is exactly the one that `init` registered. Looked up
/// only for calls of that server.
pub(in crate::hook) fn is_proved(host: &Host, event: &HostEvent, layout: &Layout) -> bool {
    let tool = match &event.kind {
        EventKind::Pre { call, .. } => &call.tool,
        EventKind::Post { tool, .. } => tool,
        _ => return false,
    };
    let is_known = (host.own_tool)(tool).is_some() || (host.served_tool)(tool).is_some();
    if !is_known || !tool.starts_with("mcp__") {
        return false;
    }
    InstallRecord::read(layout, host.profile.name).is_some_and(|record| {
        let is_asked = record.servers.is_some();
        is_asked && (record.server_is_registered() || (!record.server_is_shadowed() && is_the_teams(layout)))
    })
}

/// The answer to an event of a call that is proved to reach our server, and that the server judges and records: it passes,
/// with who acts. `None` for every other event.
pub(in crate::hook) fn passed(host: &Host, event: &HostEvent, layout: &Layout) -> Option<Reply> {
    match &event.kind {
        EventKind::Pre { call, .. } => {
            let name = (host.served_tool)(&call.tool).filter(|_| is_proved(host, event, layout))?;
            let reason = "Bailiwick's own server judges this call".to_owned();
            Some(with_pass(call, name, layout, reason))
        }
        EventKind::Post { tool, .. } => {
            ((host.served_tool)(tool).is_some() && is_proved(host, event, layout)).then_some(Reply::NoOpinion)
        }
        _ => None,
    }
}

/// Lets a call of our server through, with a note for that server of who acts.
pub(in crate::hook) fn with_pass(call: &ToolCall, name: &str, layout: &Layout, reason: String) -> Reply {
    let mut params = call.params.clone();
    // Nobody but this hook says who acts.
    params.remove(SESSION);
    match HookPasses::new(layout).issue(&call.actor, &call.id, (name, &params), SystemClock.now()) {
        Ok(pass) => {
            params.insert(SESSION.to_owned(), Value::String(pass));
            Reply::AllowRewritten { params, reason }
        }
        Err(error) => Reply::deny(EventFault::NoPass(error).into()),
    }
}

/// Whether the team's files register our server, and the launcher that starts it is ours to the byte.
fn is_the_teams(layout: &Layout) -> bool {
    let read = |name: &str| std::fs::read_to_string(layout.root().join(name));
    read(".mcp.json").is_ok_and(|text| shared_mcp_is_ours(&text))
        && read(LAUNCHER_PATH).is_ok_and(|text| launcher_of(&text).is_some())
}
