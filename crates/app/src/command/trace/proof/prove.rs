//! `bailiwick trace prove`: a proof that an entry is in the ledger, which anyone can check without the ledger.

use std::path::PathBuf;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsLedgerProver, Note};

use bailiwick_domain::json;

use crate::command::{CommandError, Context};
use crate::site::Site;

/// What is asked of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The proof says that the ledger of a checkpoint has this entry at its place. It holds the entry's \
checksum, so that anyone who has the entry can check it; --entry puts the entry itself in, with its \
paths and names.

Examples:
  bailiwick trace prove 3f9c2b7a > change.tlog-proof
  bailiwick trace prove 3f9c2b7a --entry --checkpoint ledger-2026-11.checkpoint
  bailiwick trace check change.tlog-proof")]
pub(in crate::command) struct Args {
    /// The entry's id, or enough of its beginning
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    id: String,
    /// Put the whole entry into the proof, not its checksum alone
    #[arg(long)]
    entry: bool,
    /// Prove it against this checkpoint, for example one that a witness signed too
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let note = args.checkpoint.as_deref().map(super::proof_file::read).transpose()?;
    let note = note.map(|text| Note::parse(&text)).transpose();
    let note = note.map_err(|error| CommandError::Other(format!("the checkpoint: {error}")))?;
    let stored = crate::command::trace::sources::source::entry(&args.id, site, context)?;
    let mut prover = FsLedgerProver::new(site.layout.clone());
    if let Some(bar) = context.progress("looking at the ledger") {
        prover = prover.with_progress(bar);
    }
    let proof = prover.prove(&stored, note, args.entry)?;
    drop(prover);
    let text = proof.to_text();
    match context.json {
        true => context.terminal.json(&json!({ "entry": stored.entry.id, "proof": text })),
        false => context.terminal.say(text.trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}
