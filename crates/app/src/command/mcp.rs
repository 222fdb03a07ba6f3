//! `bailiwick mcp`: MCP server with the gate's own tools. What it answers is display; the hook changed the state
//! before the call got here.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_adapters_mcp::{OwnTools, serve_stdio};
use bailiwick_domain::{Params, ToolError, Value};

use super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::HostTraits;
use crate::site::Site;

/// How long a call may take; none of them waits for a person.
const LIMIT: Duration = Duration::from_secs(60);

/// Each call opens its own gate, so that nothing that blocks one of them is in the way of the others.
#[derive(Debug)]
struct Display(Site);

impl OwnTools for Display {
    fn call(&self, name: &str, params: Params) -> Result<String, ToolError> {
        let door =
            Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
        let gate = gate(&self.0, door);
        let session = params.get("session").and_then(Value::as_str).map(str::to_owned);
        pollster::block_on(super::own_tool::display(&gate, name, &params, session.as_deref()))
    }
}

pub(super) fn run(context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.place()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| CommandError::io("the MCP server", source))?;
    let served = runtime.block_on(serve_stdio(Arc::new(Display(site)), LIMIT));
    // A call that still blocks must not keep the process.
    runtime.shutdown_background();
    served.map_err(|error| CommandError::Other(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}
