//! `bailiwick intent fmt`: the intents file in one form, with its comments.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsWorkspaceLock, Layout, format_intents, is_formatted};
use bailiwick_domain::{WorkspaceLock, json};

use super::super::{CommandError, Context};
use crate::command::output::terminal::GOOD;
use crate::site::Site;

#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = "\
Keys come in the order of the guide, with the comments above them; blanks at the ends of lines go. \
No text changes: an intent that cannot be formatted by moving whole lines stays as it is, and so \
does its revision.")]
pub(in crate::command) struct Fmt {
    /// Write nothing; exit with 1 if the file is not formatted
    #[arg(long)]
    check: bool,
}

impl Fmt {
    pub(super) fn writes(self) -> bool {
        !self.check
    }
}

pub(super) fn fmt(site: &Site, args: Fmt, context: &Context) -> Result<ExitCode, CommandError> {
    let (changed, status, said) = if args.check {
        match is_formatted(&site.layout)? {
            true => (false, 0, "is formatted"),
            false => (true, 1, "is not formatted: run `bailiwick intent fmt`"),
        }
    } else {
        let _held = pollster::block_on(FsWorkspaceLock::new(site.layout.clone()).acquire())?;
        match format_intents(&site.layout).map_err(super::nothing_changed)? {
            true => (true, 0, "formatted"),
            false => (false, 0, "was formatted already"),
        }
    };
    if context.json {
        context.terminal.json(&json!({ "file": Layout::INTENTS, "changed": changed }));
    } else {
        context.terminal.styled(GOOD, format_args!("{} {said}", Layout::INTENTS));
    }
    Ok(ExitCode::from(status))
}
