//! `bailiwick trace`: shows, verifies and repairs the ledger.

pub(super) mod audit;
mod code;
pub(super) mod drift;
mod entries;
mod key;
mod mend;
mod proof;
mod repair;
mod seal;
pub(super) mod sources;
mod trailers;
mod verify;

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsLedger, NoteKey};
use bailiwick_domain::{PortError, StoredEntry, Sync, Value};

pub(super) use code::locate::Search;
pub(super) use entries::show::{AMENDED, UNAPPROVED, approval};
pub(super) use sources::filter::{Filter, is_at_or_below};
pub(super) use sources::source::{reader, reader_of};
pub(super) use verify::verifier;

use self::code::{blame, locate, why};
use self::entries::{export, log, show};
use self::proof::{check, checkpoint, prove};
use self::sources::claims::Claimed;
pub(super) use self::sources::damage::damage;
use self::sources::departed::Departed;
pub(super) use self::verify::git_ignores;
use super::{CommandError, Context};
use crate::inert;
use crate::site::Site;

/// What to do where git ignores segments.
fn ignored_next(git: &crate::command::git::Git, files: &[&str]) -> String {
    let rule = git
        .ignored_by(files)
        .map_or_else(|| "the rule that does".to_owned(), |rule| crate::inert::line(&rule));
    format!("take out {rule}, and add `.orchestration/trace` to the next commit")
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Action {
    /// What was changed, under which intent, newest last
    Log(log::Args),
    /// One entry whole
    Show(show::Args),
    /// Which entry wrote each line of a file, under which intent
    Blame(blame::Args),
    /// From a line to its entry, approval, requirement, intent and the intent's parents
    Why(why::Args),
    /// Where the code of an entry is now
    Locate(locate::Args),
    /// Entries for other programs: Agent Trace, JSON or CSV
    Export(export::Args),
    /// The keys that entries are signed with: yours, and those of others that are known here
    Key(key::Args),
    /// The ledger at this moment, signed: a few lines to keep where nobody can change them
    Checkpoint(checkpoint::Args),
    /// A proof that an entry is in the ledger, for people who do not have the ledger
    Prove(prove::Args),
    /// What a proof proves and what it does not
    Check(check::Args),
    /// Whether the ledger still is what was written: alarms, notes, and what is anchored
    Verify(verify::Args),
    /// Write the entries that no segment here has into an immutable segment, to be committed
    Seal(seal::Args),
    /// The intents and requirements that the staged changes were made for, as trailers of a commit
    Trailers(trailers::Args),
    /// Repair a truncated ledger, the view and the witness, and settle open calls
    Repair(repair::Args),
}

impl Action {
    /// Whether a process below an agent may run it: queries, and sealing when git runs it, since an agent may
    /// commit and sealing only adds evidence.
    pub(super) fn is_open_to_agents(&self) -> bool {
        match self {
            Self::Log(args) => !args.reads_a_file(),
            Self::Show(args) => !args.reads_a_file(),
            Self::Blame(args) => !args.reads_a_file(),
            Self::Verify(args) => !args.reads_a_file(),
            // Git may run it for an agent's commit; it writes git's own message alone.
            Self::Why(_) | Self::Locate(_) | Self::Trailers(_) => true,
            Self::Export(args) => !args.writes_a_file(),
            Self::Seal(args) => args.git_hook,
            Self::Key(_) | Self::Repair(_) | Self::Checkpoint(_) | Self::Prove(_) | Self::Check(_) => false,
        }
    }

    /// Whether it answers with entries of others, too.
    fn rests_on_segments(&self) -> bool {
        matches!(
            self,
            Self::Log(_) | Self::Show(_) | Self::Blame(_) | Self::Why(_) | Self::Locate(_) | Self::Export(_)
        )
    }

    /// Whether entries that nobody vouches for are wanted in the answer.
    fn claimed(&self) -> Claimed {
        match self {
            Self::Log(args) => args.claimed,
            Self::Show(args) => args.claimed,
            Self::Blame(args) => args.claimed,
            Self::Why(args) => args.claimed,
            Self::Locate(args) => args.claimed,
            _ => Claimed { claimed: true },
        }
    }
}

pub(super) fn run(action: &Action, context: &Context) -> Result<ExitCode, CommandError> {
    if let Action::Check(args) = action {
        return check::run(args, context);
    }
    if let Action::Trailers(args) = action
        && !args.git_hook.is_empty()
    {
        return Ok(trailers::hook(args, context));
    }
    let site = context.site()?;
    context.claims.take(action.claimed());
    let departed = if action.rests_on_segments() { Departed::look(&site) } else { Departed::default() };
    let status = answer(action, &site, &departed, context)?;
    departed.tell(context);
    context.claims.tell(context);
    Ok(status)
}

fn answer(
    action: &Action,
    site: &Site,
    departed: &Departed,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    match action {
        Action::Check(args) => check::run(args, context),
        Action::Checkpoint(_) => checkpoint::run(site, context),
        Action::Prove(args) => prove::run(args, site, context),
        Action::Log(args) => log::run(args, site, departed, context),
        Action::Show(args) => show::run(args, site, context),
        Action::Blame(args) => blame::run(args, site, departed, context),
        Action::Why(args) => why::run(args, site, departed, context),
        Action::Locate(args) => locate::run(args, site, departed, context),
        Action::Export(args) => export::run(args, site, context),
        Action::Key(args) => key::run(args, site, context),
        Action::Verify(args) => verify::run(args, site, context),
        Action::Seal(args) => seal::run(args, site, context),
        Action::Trailers(_) => trailers::run(site, context),
        Action::Repair(args) => repair::run(args, site, context),
    }
}

/// Why no change is let through because of the ledger, if so.
pub(super) fn fault_of_end(site: &Site) -> Option<String> {
    let ledger = FsLedger::new(site.layout.clone(), Sync::default());
    let error = ledger.look_at_end().err()?;
    Some(match &error {
        PortError::Invalid(found) => format!("{}: {}", found.file, found.message),
        other => other.to_string(),
    })
}

/// The keys of witnesses that were named.
fn witnesses(named: &[String]) -> Result<Vec<NoteKey>, CommandError> {
    let read = |text: &String| {
        let refused = |error| CommandError::Usage(format!("`{}`: {error}", inert::line(text)));
        NoteKey::parse(text).map_err(refused)
    };
    named.iter().map(read).collect()
}

/// The stored record as a JSON value.
fn record(stored: &StoredEntry) -> Value {
    serde_json::from_str(&stored.record).unwrap_or_default()
}
