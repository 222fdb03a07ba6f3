//! `bailiwick select ID`: a human selects an intent for a session, which also lifts a quarantine.

use std::process::ExitCode;

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_domain::{Actor, SessionStore, json};

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
    let sessions = FsSessionStore::new(site.layout.clone());
    let actor = match &args.session {
        Some(text) => named(&sessions, text)?,
        None => latest(&sessions)?,
    };
    let halted = pollster::block_on(sessions.load(&actor))?.and_then(|state| state.quarantine);
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(&site, door);
    let shown = pollster::block_on(gate.own_tools().select_by_human(&actor, &args.id))?;
    if context.json {
        let session = actor.to_string();
        let shown = json!({ "id": args.id, "session": session, "intent_context": shown, "lifted": halted });
        context.terminal.json(&shown);
        return Ok(ExitCode::SUCCESS);
    }
    let session = inert::line(&reading::actor(&actor));
    if let Some(why) = halted {
        context.terminal.say(format_args!("lifted the halt of {session}: {}", inert::line(&why)));
    }
    context.terminal.say(format_args!("{} is active for {session}", args.id));
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
