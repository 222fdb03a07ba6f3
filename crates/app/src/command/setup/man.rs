//! `bailiwick man DIR`: the man pages, one for each command, made of the same texts as the help.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_mangen::Man;

use super::apart::Apart;
use crate::command::{Cli, CommandError, Context};

/// Where to.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bailiwick man ~/.local/share/man/man1   then `man bailiwick-init` shows what `init` can do")]
pub(crate) struct Args {
    /// The folder, which is made where there is none; pages of the same names are written over
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    apart: Apart,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    args.apart.check()?;
    let failed = |source| CommandError::io(args.folder.display(), source);
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let count = write(&program, &args.folder).map_err(failed)?;
    context.terminal.say(format!("{count} man pages are in {}", args.folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// The page of a command and those of the commands below it; gives how many.
fn write(command: &clap::Command, folder: &Path) -> std::io::Result<usize> {
    let page = Man::new(command.clone()).source(concat!("bailiwick ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)?;
    std::fs::write(folder.join(page.get_filename()), text)?;
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    below.map(|below| write(below, folder)).try_fold(1, |sum, count| Ok(sum + count?))
}
