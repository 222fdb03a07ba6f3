//! `bailiwick mcp`: MCP server with the gate's own tools. What it answers is display; the hook has changed the state
//! before the call got here (D-19).

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_adapters_mcp::{OwnTools, serve_stdio};
use bailiwick_domain::{Params, ToolError, Value};

use super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::{Gate, HostTraits};

#[derive(Debug)]
struct Display(Gate);

#[async_trait]
impl OwnTools for Display {
    async fn call(&self, name: &str, params: Params) -> Result<String, ToolError> {
        let session = params.get("session").and_then(Value::as_str).map(str::to_owned);
        super::own_tool::display(&self.0, name, &params, session.as_deref()).await
    }
}

pub(super) fn run(context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.place()?;
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(&site, door).map_err(|error| CommandError::Other(error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| CommandError::io("the MCP server", source))?;
    runtime
        .block_on(serve_stdio(Arc::new(Display(gate))))
        .map_err(|error| CommandError::Other(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}
