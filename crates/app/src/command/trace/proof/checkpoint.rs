//! `bailiwick trace checkpoint`: the ledger at this moment, signed, in a few lines that a person keeps anywhere.

use std::process::ExitCode;

use bailiwick_adapters_fs::{Checkpoint, FsLedger, FsLedgerProver};
use bailiwick_domain::{Sync, json};

use crate::command::{CommandError, Context};
use crate::site::Site;

/// What is asked of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A checkpoint names the ledger, counts its entries and signs the root of the tree over them with your \
key. Keep it where nobody who can change this repository can change it: a release, a CI artifact, a \
chat. `trace verify --against` proves later that the ledger still begins with exactly these entries.

Example:
  bailiwick trace checkpoint > ledger-2026-11.checkpoint")]
pub(in crate::command) struct Args {}

pub(crate) fn run(site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    if FsLedger::new(site.layout.clone(), Sync::default()).length()? == 0 {
        let why =
            "there is no entry yet, and a checkpoint names the last one: make it after the first change";
        return Err(CommandError::Other(why.to_owned()));
    }
    let mut prover = FsLedgerProver::new(site.layout.clone());
    if let Some(bar) = context.progress("looking at the ledger") {
        prover = prover.with_progress(bar);
    }
    let note = prover.checkpoint()?;
    drop(prover);
    let text = note.to_text();
    if context.json {
        let Ok(Checkpoint { origin, size, root }) = Checkpoint::parse(note.text()) else {
            return Err(CommandError::Other("the checkpoint cannot be read back".to_owned()));
        };
        let root: String = root.iter().map(|byte| format!("{byte:02x}")).collect();
        context.terminal.json(&json!({"origin": origin, "size": size, "root": root, "note": text}));
    } else {
        context.terminal.say(text.trim_end());
    }
    Ok(ExitCode::SUCCESS)
}
