//! `bailiwick select ID`: a human selects an intent for a session, which also lifts a quarantine.

use std::process::ExitCode;

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_domain::Actor;

use super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::compose::{Door, gate};
use crate::gate::HostTraits;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent
    id: String,
    /// The session, as `status` shows it, or its id; the one that acted last when not given
    #[arg(long)]
    session: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let actor = match &args.session {
        Some(text) => named(&FsSessionStore::new(site.layout.clone()), text)?,
        None => latest(&FsSessionStore::new(site.layout.clone()))?,
    };
    let door = Door { approver: SameConnection, host: HostTraits::default(), scratch: Vec::new() };
    let gate = gate(&site, door).map_err(|error| CommandError::Other(error.to_string()))?;
    let shown = pollster::block_on(gate.select_by_human(&actor, &args.id))?;
    context.terminal.say(format_args!("{} is active for {actor}", args.id));
    context.terminal.say(shown);
    Ok(ExitCode::SUCCESS)
}

/// The session of that name, or the one that has acted here under that id alone.
fn named(sessions: &FsSessionStore, text: &str) -> Result<Actor, CommandError> {
    if text.contains('/') {
        return Ok(super::own_tool::actor(text));
    }
    let known = sessions.known()?.into_iter().map(|(actor, _)| actor);
    known.map(|actor| actor.parent()).find(|actor| actor.session == text).ok_or_else(|| {
        CommandError::Other(format!("no session `{text}` has acted here; `bailiwick status` lists them"))
    })
}

/// The session that acted last, by itself or by a sub-agent.
fn latest(sessions: &FsSessionStore) -> Result<Actor, CommandError> {
    let known = sessions.known()?;
    known.into_iter().next().map(|(actor, _)| actor.parent()).ok_or_else(|| {
        CommandError::Other(
            "no session has acted here yet; start the agent first, or name one with --session".to_owned(),
        )
    })
}
