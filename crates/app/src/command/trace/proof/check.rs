//! `bailiwick trace check`: what a proof proves and what it does not, without the ledger and without a network.

use std::path::PathBuf;
use std::process::ExitCode;

use bailiwick_adapters_fs::{Checkpoint, KnownKey, LedgerLine, LogProof, Note, NoteKey, TraceKey, TraceKeys};
use bailiwick_domain::{Value, json};

use crate::command::output::terminal::{BAD, DIM, GOOD};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;

/// What is asked of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A proof holds when the checkpoint in it is signed with a key that you trust, and the tree of the \
checkpoint has the entry at its place. The keys that are known on this machine count, and those that \
you name with --key.

Examples:
  bailiwick trace check change.tlog-proof
  bailiwick trace check change.tlog-proof --key ed25519:8a88e3dd…
  bailiwick trace check - --witness witness.example+1a2b3c4d+BHx… < change.tlog-proof")]
pub(in crate::command) struct Args {
    /// The proof; `-` reads standard input
    proof: PathBuf,
    /// A key whose signature on the checkpoint counts, as `trace key` shows it to its owner
    #[arg(long, value_name = "KEY")]
    key: Vec<String>,
    /// A witness that must have signed the checkpoint too, as `name+hash+key`
    #[arg(long, value_name = "KEY")]
    witness: Vec<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let keys = trusted(&args.key, context)?;
    let witnesses = crate::command::trace::witnesses(&args.witness)?;
    let proof = super::proof_file::read(&args.proof)?;
    let proof = LogProof::parse(&proof).map_err(|error| match is_checkpoint(&proof) {
        true => no_proof(args),
        false => CommandError::Other(error.to_string()),
    })?;
    let checked = Checked::of(&proof, &keys, &witnesses);
    if context.json {
        context.terminal.json(&checked.as_json(&proof));
    } else {
        checked.say(&proof, context);
    }
    Ok(if checked.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn is_checkpoint(text: &str) -> bool {
    Note::parse(text).is_ok_and(|note| Checkpoint::parse(note.text()).is_ok())
}

fn no_proof(args: &Args) -> CommandError {
    let file = inert::line(&args.proof.display().to_string());
    let next = format!("`bailiwick trace verify --against {file}` compares the ledger with it");
    CommandError::Other(format!("this is a checkpoint and no proof: {next}"))
}

/// The keys that count, each called by whose it is. One that is known here as stolen is that, whoever names it.
fn trusted(named: &[String], context: &Context) -> Result<Vec<KnownKey>, CommandError> {
    let site = context.site().ok();
    let known = site.map(|site| TraceKeys::open(&site.layout)).transpose()?.unwrap_or_default();
    let mut keys = Vec::new();
    for key in named {
        let parsed = TraceKey::parse(key)
            .ok_or_else(|| CommandError::Usage(format!("`{}` is not a key", inert::line(key))))?;
        if !known.is_stolen(&parsed) {
            keys.push(KnownKey::new(parsed, "the key that you named"));
        }
    }
    keys.extend(known.own().map(|key| KnownKey::new(key.clone(), "your own key")));
    let others = known.others().iter();
    keys.extend(others.map(|known| KnownKey { name: format!("the key of {}", known.name), ..known.clone() }));
    Ok(keys)
}

/// Why a stolen key proves nothing.
const FROM_BEFORE: &str = "it counts for what checkpoints from before signed alone";

/// What was found out about a proof.
struct Checked {
    /// Why the tree does not have the entry.
    excluded: Option<String>,
    entry: Option<LedgerLine>,
    /// Whose key signed the checkpoint.
    signer: Option<String>,
    /// Whose key signed it that was stolen, where no key signed it that counts.
    stolen: Option<String>,
    /// Whether a signature of a key that counts is there and wrong.
    forged: bool,
    /// Witnesses with whether they signed it.
    witnesses: Vec<(String, bool)>,
}

impl Checked {
    fn of(proof: &LogProof, keys: &[KnownKey], witnesses: &[NoteKey]) -> Self {
        let (note, checkpoint) = (proof.note(), proof.checkpoint());
        let said = |known: &KnownKey| note.is_checkpoint_of(checkpoint, &known.key);
        let (counting, stolen): (Vec<&KnownKey>, Vec<&KnownKey>) = keys
            .iter()
            .filter(|known| said(known) == Some(true))
            .partition(|known| checkpoint.counts_by(known));
        let name = |of: &[&KnownKey]| of.first().map(|known| known.name.clone());
        let signer = name(&counting);
        let forged = keys.iter().any(|known| said(known) == Some(false));
        let saw = |key: &NoteKey| (key.name().to_owned(), note.is_signed_by(key) == Some(true));
        Self {
            excluded: proof.check_inclusion().err().map(|error| error.to_string()),
            entry: proof.entry().ok().flatten(),
            stolen: name(&stolen).filter(|_| signer.is_none()),
            signer,
            forged,
            witnesses: witnesses.iter().map(saw).collect(),
        }
    }

    fn holds(&self) -> bool {
        self.excluded.is_none()
            && self.signer.is_some()
            && !self.forged
            && self.witnesses.iter().all(|(_, signed)| *signed)
    }

    fn signature(&self) -> String {
        match &self.signer {
            _ if self.forged => "a signature under the name of a key that you trust does not fit".to_owned(),
            Some(owner) => format!("signed with {}", inert::line(owner)),
            None => match &self.stolen {
                Some(owner) => format!("signed with {}, which was stolen: {FROM_BEFORE}", inert::line(owner)),
                None => "not signed with a key that you trust; name one with --key".to_owned(),
            },
        }
    }

    fn say(&self, proof: &LogProof, context: &Context) {
        let terminal = &context.terminal;
        let (style, verdict) = if self.holds() { (GOOD, "proved") } else { (BAD, "not proved") };
        let entries = counted(proof.checkpoint().size, "entry", "entries");
        let origin = inert::line(&proof.checkpoint().origin);
        terminal.say(format_args!("{style}{verdict}{style:#}"));
        let fact = |name: &str, value: String| {
            terminal.say(format_args!("  {DIM}{name:<11}{DIM:#} {}", inert::line(&value)));
        };
        fact("ledger", format!("{origin}, {entries}"));
        let place = format!("entry {}, counted from 0", proof.index());
        fact("place", self.excluded.clone().unwrap_or(place));
        fact("checkpoint", self.signature());
        for (name, signed) in &self.witnesses {
            fact("witness", format!("{name} {}", if *signed { "signed it" } else { "did not sign it" }));
        }
        match &self.entry {
            Some(line) => facts(line).into_iter().for_each(|(name, value)| fact(name, value)),
            None => fact("checksum", proof.checksum().map(|sum| sum.to_string()).unwrap_or_default()),
        }
        if self.holds() {
            terminal.hint(
                "this proves that the holder of the key recorded this entry at this place. It does not prove when, nor \
                 that what the entry says is true, nor that the holder showed everybody the same ledger: a witness does",
            );
        }
    }

    fn as_json(&self, proof: &LogProof) -> Value {
        let witnesses: Vec<Value> =
            self.witnesses.iter().map(|(name, signed)| json!({"name": name, "signed": signed})).collect();
        json!({
            "ok": self.holds(),
            "origin": proof.checkpoint().origin,
            "size": proof.checkpoint().size,
            "index": proof.index(),
            "included": self.excluded.is_none(),
            "signed_with": self.signer,
            "stolen": self.stolen,
            "forged": self.forged,
            "witnesses": witnesses,
            "checksum": proof.checksum().ok(),
            "entry": self.entry.as_ref().map(|line| line.entry.id.clone()),
        })
    }
}

fn facts(line: &LedgerLine) -> Vec<(&'static str, String)> {
    let (entry, context) = (&line.entry, &line.entry.context);
    let files: Vec<String> = entry.files.iter().map(|file| file.path.to_string()).collect();
    vec![
        ("entry", entry.id.clone()),
        ("recorded", entry.timestamp.to_string()),
        ("intent", context.intent.to_string()),
        ("files", files.join(", ")),
        ("approved", crate::command::trace::entries::show::approval(context)),
    ]
}
