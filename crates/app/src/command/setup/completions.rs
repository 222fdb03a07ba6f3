//! `bailiwick completions SHELL`: the completion script of a shell, on standard output.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::command::{Cli, CommandError, Context};

/// Which shell.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "bailiwick", &mut script);
    context.terminal.say(String::from_utf8_lossy(&script).trim_end());
    Ok(ExitCode::SUCCESS)
}
