//! `bailiwick demo`: an agent under the real gate, on a scratch git repository (exploring, blocked without an intent,
//! drafting one, selecting, stale file, approval, rejection, recovery, a grant and its review, out of scope,
//! expansion).

mod agent;
mod review;
mod story;

use std::process::ExitCode;

use super::apart::Apart;
use crate::command::{CommandError, Context};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Ask you instead of answering by itself
    #[arg(long)]
    interactive: bool,
    /// Keep the scratch repository and say where it is
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    apart: Apart,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    args.apart.check()?;
    if args.interactive && !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("`demo --interactive`"));
    }
    let scratch = tempfile::Builder::new()
        .prefix("bailiwick-demo-")
        .tempdir()
        .map_err(|source| CommandError::io("the scratch repository", source))?;
    let outcome = story::tell(scratch.path(), context, args.interactive);
    if args.keep {
        context.terminal.say(format_args!("kept: {}", scratch.keep().display()));
    }
    outcome
}
