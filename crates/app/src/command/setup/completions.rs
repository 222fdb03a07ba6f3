//! `bailiwick completions SHELL`: the completion script of a shell, on standard output.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use super::apart::Apart;
use crate::command::{Cli, CommandError, Context};

/// Which shell.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
    #[command(flatten)]
    apart: Apart,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    args.apart.check()?;
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "bailiwick", &mut script);
    context.terminal.say(String::from_utf8_lossy(&script).trim_end());
    Ok(ExitCode::SUCCESS)
}
