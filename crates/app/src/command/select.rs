//! `bailiwick select ID`: a human selects an intent for a session, which also lifts a quarantine.

use std::process::ExitCode;

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_domain::{Actor, json};

use super::output::reading;
use super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::HostTraits;
use crate::inert;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent
    id: String,
    /// The session: its id, the beginning of it, or HOST/SESSION; the one that acted last when not given
    #[arg(long)]
    session: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let actor = match &args.session {
        Some(text) => named(&FsSessionStore::new(site.layout.clone()), text)?,
        None => latest(&FsSessionStore::new(site.layout.clone()))?,
    };
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(&site, door);
    let shown = pollster::block_on(gate.own_tools().select_by_human(&actor, &args.id))?;
    if context.json {
        let shown = json!({ "id": args.id, "session": actor.to_string(), "intent_context": shown });
        context.terminal.json(&shown);
        return Ok(ExitCode::SUCCESS);
    }
    context.terminal.say(format_args!("{} is active for {}", args.id, inert::line(&reading::actor(&actor))));
    context.terminal.say(shown);
    Ok(ExitCode::SUCCESS)
}

/// The session of that name; one that is written out with its host need not have acted yet.
fn named(sessions: &FsSessionStore, said: &str) -> Result<Actor, CommandError> {
    let known: Vec<Actor> = sessions.known()?.into_iter().map(|(actor, _)| actor).collect();
    match reading::find_session(&known, said)? {
        Some(actor) => Ok(actor),
        None if said.contains('/') => Ok(super::agents::own_tool::actor(said)),
        None if let Some(short) = reading::too_short(said) => Err(CommandError::Other(short)),
        None => Err(CommandError::Other(format!(
            "no session `{said}` has acted here; `bailiwick status` lists them"
        ))),
    }
}

/// The session that acted last, by itself or by a sub-agent.
fn latest(sessions: &FsSessionStore) -> Result<Actor, CommandError> {
    let known = sessions.known()?;
    known
        .into_iter()
        .find(|(actor, _)| !sessions.has_ended(actor))
        .map(|(actor, _)| actor.parent())
        .ok_or_else(|| {
            CommandError::Other(
                "no session has acted here yet; start the agent first, or name one with --session".to_owned(),
            )
        })
}
