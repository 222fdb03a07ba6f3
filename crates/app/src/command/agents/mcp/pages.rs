//! What the server shows beside its tools. It changes nothing, selects nothing, and holds no content of governed files.

use bailiwick_adapters_fs::{FsIntentRepo, FsLedger, FsLedgerReader};
use bailiwick_adapters_mcp::Page;
use bailiwick_domain::{Actor, Health, IntentRepo, PortError, Sync, ToolError};

use crate::gate::Gate;
use crate::handshake;
use crate::map_file;
use crate::refusals::ServedFault;
use crate::site::Site;

/// The largest ledger that the map is made of for a client, in bytes.
const MOST_LEDGER: u64 = 64 << 20;

/// The text of a page, for the actor of this connection.
pub(super) async fn shown(gate: &Gate, site: &Site, actor: &Actor, page: &Page) -> Result<String, ToolError> {
    match page {
        Page::Intents => gate.own_tools().list_intents().await,
        Page::ActiveIntent => gate.own_tools().current_intent(actor).await,
        Page::Intent(id) => gate.own_tools().show_intent(id).await,
        Page::Map => map(gate, site).await,
        Page::Handshake => Ok(handshake::told(gate, "").await),
        Page::WorkOn(id) => {
            let context = gate.own_tools().show_intent(id).await?;
            let task = "Call select_active_intent with this id, then do what the intent still needs, within its scope.";
            Ok(format!("{}\n\n{task}\n\n{context}", handshake::told(gate, "").await))
        }
    }
}

async fn map(gate: &Gate, site: &Site) -> Result<String, ToolError> {
    if let Health::Broken(fault) = gate.ports().rules.policy.health().await {
        return Err(bailiwick_policy::health_error(&fault));
    }
    let length = FsLedger::new(site.layout.clone(), Sync::default()).length().map_err(unread)?;
    if length > MOST_LEDGER {
        return Err(ServedFault::MapTooLarge.into());
    }
    let intents = FsIntentRepo::new(site.layout.clone()).load().await.map_err(unread)?;
    let map = map_file::recorded(&FsLedgerReader::new(&site.layout)).map_err(unread)?;
    Ok(map.to_markdown(&intents))
}

fn unread(error: PortError) -> ToolError {
    ServedFault::MapUnread(error).into()
}
