//! `bailiwick tool NAME [JSON]`: the gate's own tools for agents without MCP.
//!
//! Run by an agent, this only displays: the hook has seen the call before it ran and changed the state there.

use std::process::ExitCode;

use bailiwick_domain::{Actor, IntentId, OwnTool, Params, Value};

use crate::approvers::SameConnection;
use crate::command::{CommandError, Context};
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::{Gate, HostTraits, named_intent};
use crate::refusals::ServedFault;
use crate::site::Site;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// select_active_intent, list_intents, current_intent, propose_intent, request_scope_expansion or report_done
    name: String,
    /// The parameters as one JSON object, such as '{"intent_id":"INT-001"}'
    #[arg(value_name = "JSON")]
    params: Option<String>,
    /// The session that the hook saw, as HOST/SESSION[/AGENT]
    #[arg(long)]
    session: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
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
    let actor = actor(session.as_deref().unwrap_or_default());
    let shown = pollster::block_on(display(&gate, &site, &args.name, &params, &actor))?;
    context.terminal.say(shown);
    Ok(ExitCode::SUCCESS)
}

/// The answer of an own tool, without changing anything.
pub(crate) async fn display(
    gate: &Gate,
    site: &Site,
    name: &str,
    params: &Params,
    actor: &Actor,
) -> Result<String, bailiwick_domain::ToolError> {
    match OwnTool::named(name) {
        Some(OwnTool::SelectActiveIntent) => gate.own_tools().show_intent(named_intent(params)).await,
        Some(OwnTool::ListIntents) => gate.own_tools().list_intents().await,
        Some(OwnTool::CurrentIntent) => gate.own_tools().current_intent(actor).await,
        Some(OwnTool::ProposeIntent) => gate.authoring().show_proposal(params).await,
        Some(OwnTool::RequestScopeExpansion) => gate.authoring().show_expansion(actor, params).await,
        Some(OwnTool::ReportDone) => {
            let shown = gate.authoring().show_report(params).await?;
            Ok(format!("{shown}\n{}", checks(site, named_intent(params))))
        }
        None => Err(ServedFault::NoTool(name).into()),
    }
}

/// What is still to be met of an intent, as far as it was recorded.
fn checks(site: &Site, named: &str) -> String {
    let unmet = IntentId::new(named).ok().map(|id| crate::command::verify::unmet(site, &id));
    match unmet {
        Some(Ok(unmet)) if unmet.is_empty() => "Every check of it is met, or it has none.".to_owned(),
        Some(Ok(unmet)) => format!("Not met by what was last recorded: {}.", unmet.join("; ")),
        Some(Err(_)) | None => "What its checks said last cannot be read.".to_owned(),
    }
}

/// `HOST/SESSION[/AGENT]`.
pub(crate) fn actor(text: &str) -> Actor {
    let mut parts = text.splitn(3, '/').map(str::to_owned);
    let host = parts.next().unwrap_or_default();
    Actor { host, session: parts.next().unwrap_or_default(), agent: parts.next() }
}
