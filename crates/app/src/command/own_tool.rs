//! `bailiwick tool NAME [JSON]`: the gate's own tools for agents without MCP.
//!
//! Run by an agent, this only displays: the hook has seen the call before it ran and changed the state there.

use std::process::ExitCode;

use bailiwick_domain::{Actor, Params, Value};

use super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::{Gate, HostTraits, named_intent};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// select_active_intent, list_intents, current_intent, propose_intent or request_scope_expansion
    name: String,
    /// The parameters as one JSON object, such as '{"intent_id":"INT-001"}'
    #[arg(value_name = "JSON")]
    params: Option<String>,
    /// The session that the hook saw, as HOST/SESSION[/AGENT]
    #[arg(long)]
    session: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let params = match &args.params {
        None => Params::new(),
        Some(text) => serde_json::from_str(text)
            .map_err(|error| CommandError::Usage(format!("the parameters are not a JSON object: {error}")))?,
    };
    let site = context.site()?;
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(&site, door);
    let session =
        args.session.clone().or_else(|| params.get("session").and_then(Value::as_str).map(str::to_owned));
    let shown = pollster::block_on(display(&gate, &args.name, &params, session.as_deref()))?;
    context.terminal.say(shown);
    Ok(ExitCode::SUCCESS)
}

/// The answer of an own tool, without changing anything.
pub(super) async fn display(
    gate: &Gate,
    name: &str,
    params: &Params,
    session: Option<&str>,
) -> Result<String, bailiwick_domain::ToolError> {
    match name {
        "select_active_intent" => gate.show_intent(named_intent(params)).await,
        "list_intents" => gate.list_intents().await,
        "current_intent" => gate.current_intent(&actor(session.unwrap_or(""))).await,
        "propose_intent" => gate.show_proposal(params).await,
        "request_scope_expansion" => gate.show_expansion(&actor(session.unwrap_or("")), params).await,
        other => {
            let message = format!("there is no tool `{other}`");
            Err(bailiwick_domain::ToolError::new(bailiwick_domain::ErrorCode::MalformedCall, message)
                .with_suggestion("Use select_active_intent, list_intents, current_intent, propose_intent or request_scope_expansion."))
        }
    }
}

/// `HOST/SESSION[/AGENT]`.
pub(super) fn actor(text: &str) -> Actor {
    let mut parts = text.splitn(3, '/').map(str::to_owned);
    let host = parts.next().unwrap_or_default();
    Actor { host, session: parts.next().unwrap_or_default(), agent: parts.next() }
}
