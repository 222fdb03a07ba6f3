//! `bailiwick trace verify`: whether the ledger is still what was written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use bailiwick_adapters_fs::{
    Checkpoint, FsLedgerVerifier, KnownKey, Layout, Note, TraceKeys, listed, read_file, settings_of,
};
use bailiwick_domain::{Finding, FindingKind, LedgerVerifier, Severity, Verification, json};

use crate::command::git::{Git, SEGMENTS};
use crate::command::output::terminal::{BAD, DIM, GOOD, WARN};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// So many ledgers of others are told of.
const LEDGERS: usize = 8;

const CHANGED: &str = "the checkpoint does not fit its signature: its text is not what was signed, so somebody changed the \
                       name, the number of entries or the root in it, or the signature";
const STOLEN: &str = "the checkpoint is signed with a key that was stolen, and has more than what is known to be from \
                      before: whoever has that key made it";
const UNKNOWN: &str = "the checkpoint is not signed with a key that is known here: `bailiwick trace key trust` its owner's, if \
                       you know whose it is";

/// What is asked of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An alarm means that evidence was changed or is gone (exit status 1). A note is ordinary and worth \
knowing. What is anchored is known outside the repository too, so that cutting or rewriting it \
shows. Drift is what changed without a record. It is a note and names nobody: a person's own edit is \
drift too, until it is committed.")]
pub(in crate::command) struct Args {
    /// Exit status 1 for notes too
    #[arg(long)]
    strict: bool,
    /// Also list governed files whose content nothing explains: no entry, no version control, no taking back
    #[arg(long)]
    drift: bool,
    /// Prove that the ledger continues from this checkpoint, which `trace checkpoint` made and you kept elsewhere
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// A witness that must have signed that checkpoint too, as `name+hash+key`
    #[arg(long, value_name = "KEY", requires = "against")]
    witness: Vec<String>,
    /// Believe the keys of this file, one `KEY NAME` a line, and no others: for CI
    #[arg(long, value_name = "FILE", conflicts_with = "keys_at")]
    keys: Option<PathBuf>,
    /// Believe the keys that `trace.keys` named at this commit, and no others: for CI, with a commit that was reviewed
    #[arg(long, value_name = "REV")]
    keys_at: Option<String>,
}

/// A checkpoint that was kept in a file, where a known key signed it.
pub(super) fn checkpoint_of(path: &Path, keys: &TraceKeys) -> Result<(Note, Checkpoint), CommandError> {
    let note = Note::parse(&super::proof::proof_file::read(path)?);
    let read = note.and_then(|note| Checkpoint::parse(note.text()).map(|checkpoint| (note, checkpoint)));
    let (note, checkpoint) = read.map_err(|error| CommandError::Other(error.to_string()))?;
    let own = keys.own().map(|key| KnownKey::new(key.clone(), "you"));
    let said = |known: &KnownKey| {
        Some((note.is_checkpoint_of(&checkpoint, &known.key)?, checkpoint.counts_by(known)))
    };
    let said: Vec<(bool, bool)> = own.iter().chain(keys.others()).filter_map(said).collect();
    // A log signs under the name that the text begins with, so another name there is a change, too.
    let why = match said.as_slice() {
        _ if said.contains(&(true, true)) => return Ok((note, checkpoint)),
        _ if said.contains(&(true, false)) => STOLEN,
        [] if note.has_signature_of(&checkpoint.origin) => UNKNOWN,
        _ => CHANGED,
    };
    Err(CommandError::Other(why.to_owned()))
}

/// The keys that settings propose.
pub(super) fn proposed(settings: &str) -> Result<Vec<KnownKey>, CommandError> {
    let settings = settings_of(settings).ok_or_else(|| {
        CommandError::Other("the settings are not valid: `bailiwick config check`".to_owned())
    })?;
    listed(&settings.trace_keys.join("\n"))
        .map_err(|line| CommandError::Other(format!("`{}` in `trace.keys` is not a key", inert::line(&line))))
}

impl Args {
    /// Whether it reads a file that is named on the command line.
    pub(super) fn reads_a_file(&self) -> bool {
        self.against.is_some() || self.keys.is_some()
    }

    /// The keys that were named in place of those that are known on this machine.
    fn keys(&self, site: &Site) -> Result<Option<TraceKeys>, CommandError> {
        let keys = match (&self.keys, &self.keys_at) {
            (Some(file), _) => {
                let text = read_file(file).map_err(|error| CommandError::io(file.display(), error))?;
                listed(&String::from_utf8_lossy(&text)).map_err(|line| {
                    CommandError::Other(format!("{}: `{}` is not a key", file.display(), inert::line(&line)))
                })?
            }
            (None, Some(revision)) => {
                let git = Git::new(site.layout.root());
                git.must_be_one(revision)?;
                let settings = git.file_at(revision, Layout::CONFIG);
                let settings = settings.ok_or_else(|| {
                    let revision = inert::line(revision);
                    CommandError::Other(format!("`{revision}` is not a commit that has {}", Layout::CONFIG))
                })?;
                proposed(&String::from_utf8_lossy(&settings))?
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(TraceKeys::only(keys)))
    }

    /// The checkpoint to compare with, when the keys that must have signed it did.
    fn checkpoint(&self, site: &Site) -> Result<Option<Checkpoint>, CommandError> {
        let Some(path) = &self.against else { return Ok(None) };
        let keys = self.keys(site)?.map_or_else(|| TraceKeys::open(&site.layout), Ok)?;
        let (note, checkpoint) = checkpoint_of(path, &keys)?;
        let witnesses = super::witnesses(&self.witness)?;
        match witnesses.iter().find(|key| note.is_signed_by(key) != Some(true)) {
            Some(key) => {
                let name = inert::line(key.name());
                Err(CommandError::Other(format!("the witness {name} did not sign the checkpoint")))
            }
            None => Ok(Some(checkpoint)),
        }
    }
}

/// A verifier that looks at git's history, too, and shows how far it is.
pub(in crate::command) fn verifier(site: &Site, context: &Context) -> FsLedgerVerifier {
    let mut verifier = FsLedgerVerifier::new(site.layout.clone());
    if site.git.is_some() {
        verifier = verifier.with_history(Arc::new(Git::new(site.layout.root())));
    }
    match context.progress("verifying") {
        Some(bar) => verifier.with_progress(bar),
        None => verifier,
    }
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let (against, keys) = (args.checkpoint(site)?, args.keys(site)?);
    let mut verifier = verifier(site, context);
    if let Some(checkpoint) = against.clone() {
        verifier = verifier.against(checkpoint);
    }
    if let Some(keys) = keys {
        verifier = verifier.with_keys(keys);
    }
    let verification = verifier.verify()?;
    drop(verifier);
    let drift = if args.drift { Some(super::drift::find(site, None)?) } else { None };
    let is_clean = verification.is_clean() && drift.as_ref().is_none_or(|drift| drift.files.is_empty());
    let has = |kind| verification.findings.iter().any(|one| one.kind == kind);
    // Who names a checkpoint asks for a proof: that there is none is a failure, and no alarm.
    let is_unproved = has(FindingKind::CheckpointAhead);
    let is_proved = !is_unproved && !has(FindingKind::CheckpointDiffers);
    let fails = verification.has_alarm() || is_unproved || (args.strict && !is_clean);
    if context.json {
        let Verification { extent, findings } = &verification;
        let mut report = json!({ "ok": !fails, "extent": extent, "findings": findings });
        if let (Some(drift), Some(members)) = (&drift, report.as_object_mut()) {
            members.insert("drift".to_owned(), drift.as_json());
        }
        if let (Some(checkpoint), Some(members)) = (&against, report.as_object_mut()) {
            let compared = json!({ "entries": checkpoint.size, "proved": is_proved });
            members.insert("against".to_owned(), compared);
        }
        if let Some(members) = report.as_object_mut() {
            members.insert("ignored".to_owned(), json!(ignored(site)));
        }
        context.terminal.json(&report);
    } else {
        say(&verification, context);
        say_ignored(site, context);
        if let Some(checkpoint) = against.filter(|_| is_proved) {
            let entries = counted(checkpoint.size, "entry", "entries");
            context
                .terminal
                .say(format_args!("  {DIM}proved{DIM:#}   goes on from the checkpoint of {entries}"));
        }
        drift.iter().for_each(|drift| drift.say(context));
        super::mend::say(&verification, site, context);
    }
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The segments of the working copy that git ignores.
fn ignored(site: &Site) -> BTreeSet<String> {
    let Some(git) = site.git.as_ref().map(|_| Git::new(site.layout.root())) else { return BTreeSet::new() };
    let folder = std::fs::read_dir(site.layout.root().join(SEGMENTS)).into_iter().flatten().flatten();
    let names = folder.filter_map(|file| file.file_name().into_string().ok());
    let paths: Vec<String> = names.map(|name| format!("{SEGMENTS}/{name}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).filter(|path| path.ends_with(".jsonl")).collect();
    if paths.is_empty() { BTreeSet::new() } else { git.ignored(&paths) }
}

fn say_ignored(site: &Site, context: &Context) {
    if let Some(ignored) = git_ignores(site) {
        context.terminal.warning(&ignored);
    }
}

/// That git ignores segments.
pub(in crate::command) fn git_ignores(site: &Site) -> Option<String> {
    let ignored = ignored(site);
    let paths: Vec<&str> = ignored.iter().map(String::as_str).collect();
    if paths.is_empty() {
        return None;
    }
    let segments = counted(paths.len(), "segment", "segments");
    let next = super::ignored_next(&Git::new(site.layout.root()), &paths);
    Some(format!("git ignores {segments} here, which no clone gets: {next}"))
}

/// Says it to a person.
pub(super) fn say(verification: &Verification, context: &Context) {
    let terminal = &context.terminal;
    let extent = &verification.extent;
    let mut keys = BTreeSet::new();
    for finding in &verification.findings {
        // The same key signs segment after segment.
        let key = finding.message.split_once(" signed with ").map(|(_, key)| key);
        let is_by_key = matches!(finding.kind, FindingKind::UnknownKey | FindingKind::StolenKey);
        if !is_by_key || keys.insert(key) {
            terminal.say(line(finding));
        }
    }
    let verdict = if verification.has_alarm() { (BAD, "Ledger not intact") } else { (GOOD, "Ledger intact") };
    let (style, verdict) = verdict;
    terminal.say(format_args!("{style}{verdict}{style:#}: {}", counted(extent.entries, "entry", "entries")));
    let anchored = extent.witnessed.unwrap_or_default();
    let chained = extent.entries.saturating_sub(anchored);
    terminal.say(format_args!("  {DIM}anchored{DIM:#} {anchored} by the witness in the user's state folder"));
    if extent.segments > 0 {
        let (sealed, segments) = (extent.sealed, counted(extent.segments, "segment", "segments"));
        terminal.say(format_args!("  {DIM}sealed{DIM:#}   {sealed}; {segments} here in all"));
    }
    if extent.signed > 0 {
        terminal.say(format_args!("  {DIM}signed{DIM:#}   {} with keys that are known here", extent.signed));
    }
    for ledger in extent.ledgers.iter().take(LEDGERS) {
        let name = ledger.chain.digits().get(..12).unwrap_or_default();
        let signer = ledger.signer.as_ref().map(|name| format!(", signed by {}", inert::line(name)));
        let signer = signer.unwrap_or_default();
        let entries = counted(ledger.entries, "entry", "entries");
        terminal.say(format_args!(
            "  {DIM}others{DIM:#}   ledger {name} is complete up to {entries}{signer}; what is newer cannot be known here"
        ));
    }
    if extent.ledgers.len() > LEDGERS {
        let more = extent.ledgers.len() - LEDGERS;
        terminal
            .say(format_args!("  {DIM}others{DIM:#}   and {more} more ledgers; `--json` has all of them"));
    }
    if chained > 0 {
        terminal.say(format_args!("  {DIM}chained{DIM:#}  {chained} by nothing but the ledger itself"));
    }
}

fn line(finding: &Finding) -> String {
    let (style, word) = match finding.severity {
        Severity::Alarm => (BAD, "alarm"),
        Severity::Note => (WARN, "note"),
    };
    let place = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let (file, message) = (inert::line(&finding.file), inert::line(&finding.message));
    format!("{style}{word:<5}{style:#} {file}{place}: {message}")
}
