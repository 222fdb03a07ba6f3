//! Proof that a call named `mcp__bailiwick__…` goes to our own MCP server and not to another one of that name.

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_hooks::claude_code::{launcher_of, shared_mcp_is_ours};
use bailiwick_adapters_hooks::settings::LAUNCHER_PATH;
use bailiwick_adapters_hooks::{EventKind, Host, HostEvent};

use crate::install_record::InstallRecord;

/// Whether the client's settings say that the server `bailiwick` is exactly the one that `init` registered. Looked up
/// only for calls of that server.
pub(super) fn is_proved(host: &Host, event: &HostEvent, layout: &Layout) -> bool {
    let tool = match &event.kind {
        EventKind::Pre { call, .. } => &call.tool,
        EventKind::Post { tool, .. } => tool,
        _ => return false,
    };
    if (host.own_tool)(tool).is_none() || !tool.starts_with("mcp__") {
        return false;
    }
    InstallRecord::read(layout, host.profile.name).is_some_and(|record| {
        let is_asked = record.servers.is_some();
        is_asked && (record.server_is_registered() || (!record.server_is_shadowed() && is_the_teams(layout)))
    })
}

/// Whether the team's files register our server, and the launcher that starts it is ours to the byte.
fn is_the_teams(layout: &Layout) -> bool {
    let read = |name: &str| std::fs::read_to_string(layout.root().join(name));
    read(".mcp.json").is_ok_and(|text| shared_mcp_is_ours(&text))
        && read(LAUNCHER_PATH).is_ok_and(|text| launcher_of(&text).is_some())
}
