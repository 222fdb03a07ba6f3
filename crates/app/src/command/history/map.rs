//! `bailiwick map`: which intent changed which file and which symbol.
//!
//! Writes `.orchestration/intent_map.md`, or answers one question without writing anything.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsIntentMap, FsLedgerReader};
use bailiwick_domain::{IntentId, LedgerQuery, LedgerReader, RepoPath, StoredEntry, Value, json};

use crate::command::output::reading;
use crate::command::output::terminal::{DIM, HEADING};
use crate::command::trace::sources::claims::{Claimed, is_unvouched};
use crate::command::trace::sources::contradicted::{self, Contradicted, Contradictions};
use crate::command::trace::sources::departed::Departed;
use crate::command::trace::{is_at_or_below, reader_of};
use crate::command::{CommandError, Context};
use crate::evidence::{MapRow, Proof};
use crate::lessons::is_lesson;
use crate::site::Site;
use crate::{inert, map_file};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
A question that the ledger has no answer to ends with exit status 1, and says so on standard error; \
with `--json` the list of `rows` is empty.

The file follows by itself at the end of a turn in which intent evolved. Where git tracks it, it is \
written when entries are sealed, so that no turn leaves a change of it behind.

Examples:
  bailiwick map                             write .orchestration/intent_map.md again
  bailiwick map --files INT-001             which files an intent changed
  bailiwick map --intents src/auth/jwt.rs   which intents changed a file, or a folder
  bailiwick map --intents src/auth/jwt.rs:Session.renew   which intents changed a function or a type")]
pub(crate) struct Args {
    /// The files that this intent changed
    #[arg(long, value_name = "INTENT", conflicts_with = "intents")]
    files: Option<String>,
    /// The intents that changed this file, a symbol of it, or something below this folder
    #[arg(long, value_name = "FILE[:SYMBOL]")]
    intents: Option<String>,
    #[command(flatten)]
    claimed: Claimed,
}

impl Args {
    pub(crate) fn is_query(&self) -> bool {
        self.files.is_some() || self.intents.is_some()
    }

    /// The same with the path as it is from the root.
    fn seen_from_here(&self, site: &Site, context: &Context) -> Self {
        let from_root = |said: &String| reading::from_root(said, site, context);
        Self { intents: self.intents.as_ref().map(from_root), ..self.clone() }
    }

    fn wants(&self, row: &MapRow) -> bool {
        let symbol_of = |place: &str| {
            let parted = place.rsplit_once(':');
            parted.is_some_and(|(file, symbol)| row.file.as_str() == file && row.has_symbol(symbol))
        };
        let below = |path: &String| is_at_or_below(&row.file, path) || symbol_of(path);
        self.files.as_ref().is_none_or(|id| row.intent.as_str() == id)
            && self.intents.as_ref().is_none_or(below)
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let args = &args.seen_from_here(&site, context);
    context.claims.take(args.claimed);
    let reader = context.claims.reader(reader_of(&site));
    let map = if args.is_query() { map_file::recorded(&reader)? } else { map_file::write(&site)? };
    let rows: Vec<MapRow> = map.rows().into_iter().filter(|row| args.wants(row)).collect();
    if !args.is_query() && !context.json {
        let file = FsIntentMap::new(&site.layout).path();
        context.terminal.say(format_args!("wrote {}", file.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let against = against(&rows, &reader, &site)?;
    let departed = if args.is_query() { Departed::look(&site) } else { Departed::default() };
    let by = |row: &MapRow| against.get(&(row.intent.clone(), row.file.clone()));
    if context.json {
        let rows: Vec<Value> = rows.iter().map(|row| contradicted::with(as_json(row), by(row))).collect();
        context.terminal.json(&departed.with(json!({ "rows": rows })));
    } else {
        rows.iter().for_each(|row| say(args, row, by(row), context));
    }
    if args.is_query() {
        departed.tell(context);
        context.claims.tell(context);
    }
    if !args.is_query() || !rows.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    if !context.json {
        let (what, next) = nothing_found(args, &map.rows());
        context.terminal.problem(&inert::line(&what));
        context.terminal.hint(&inert::line(&next));
    }
    Ok(ExitCode::from(1))
}

/// What contradicts a claim that one of these rows rests on, where nobody vouches for any of them.
fn against(
    rows: &[MapRow],
    reader: &FsLedgerReader,
    site: &Site,
) -> Result<BTreeMap<(IntentId, RepoPath), Contradicted>, CommandError> {
    let open: BTreeSet<(&IntentId, &RepoPath)> =
        rows.iter().filter(|row| row.proof == Proof::Unknown).map(|row| (&row.intent, &row.file)).collect();
    if open.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut claims: Vec<StoredEntry> = Vec::new();
    let mut take = |stored: StoredEntry| {
        let intent = &stored.entry.context.intent;
        let is_meant = stored.entry.files.iter().any(|file| open.contains(&(intent, &file.path)));
        if is_meant && is_unvouched(&stored) && !is_lesson(&stored.entry) {
            claims.push(stored);
        }
        ControlFlow::Continue(())
    };
    reader.visit(&LedgerQuery { without_records: true, ..LedgerQuery::default() }, &mut take)?;
    let found = Contradictions::among(&claims, site);
    let mut against = BTreeMap::new();
    for stored in &claims {
        for file in &stored.entry.files {
            if let Some(by) = found.in_file(stored, &file.path) {
                against.insert((stored.entry.context.intent.clone(), file.path.clone()), by.clone());
            }
        }
    }
    Ok(against)
}

/// What was looked for in vain, and what can be asked instead.
fn nothing_found(args: &Args, all: &[MapRow]) -> (String, String) {
    let id = args.files.as_deref();
    let name = id.or(args.intents.as_deref()).unwrap_or_default();
    let what = match id {
        Some(_) => format!("the ledger has no change under the intent `{name}`"),
        None => format!("the ledger has no change of `{name}`"),
    };
    let intents: BTreeSet<&str> = all.iter().map(|row| row.intent.as_str()).collect();
    let is_file = all.iter().any(|row| is_at_or_below(&row.file, name));
    let parted = name.rsplit_once(':').map(|(file, _)| file);
    let in_file = parted.filter(|file| all.iter().any(|row| row.file.as_str() == *file));
    let next = match (id, in_file) {
        _ if all.is_empty() => {
            "it has no change at all yet; `bailiwick status` says what is governed here".to_owned()
        }
        (Some(_), _) if is_file => {
            format!("`bailiwick map --intents {name}` says which intents changed that file")
        }
        (Some(_), _) => format!("it has changes under {}", few(&intents)),
        (None, _) if intents.contains(name) => {
            format!("`bailiwick map --files {name}` says which files that intent changed")
        }
        (None, Some(file)) => {
            format!("`bailiwick map --intents {file}` says which symbols of the file were changed")
        }
        (None, None) => {
            "name a file or a folder, without a pattern; `bailiwick trace log` lists what changed".to_owned()
        }
    };
    (what, next)
}

/// The first of these names, and how many there are besides.
fn few(names: &BTreeSet<&str>) -> String {
    const NAMED: usize = 5;
    let first: Vec<&str> = names.iter().take(NAMED).copied().collect();
    match names.len().saturating_sub(first.len()) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

fn as_json(row: &MapRow) -> Value {
    let MapRow { intent, file, symbols, requirements, shared_with, trust, proof } = row;
    let trust: Vec<Value> =
        trust.iter().map(|one| json!({"trust": one.as_str(), "signer": one.signer()})).collect();
    json!({"intent": intent, "file": file, "symbols": symbols, "requirements": requirements, "shared_with": shared_with, "trust": trust, "proof": proof.as_str()})
}

fn say(args: &Args, row: &MapRow, by: Option<&Contradicted>, context: &Context) {
    let words = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let (requirements, symbols) = (words(&row.requirements), inert::line(&words(&row.symbols)));
    let (intent, file) = (inert::line(row.intent.as_str()), inert::line(row.file.as_str()));
    let requirements = inert::line(&requirements);
    let proof = match row.proof {
        Proof::Proved => "",
        Proof::Likely => "  likely",
        Proof::Unknown if by.is_some() => "  contradicted",
        Proof::Unknown => "  unknown",
    };
    match &args.files {
        Some(_) => context.terminal.say(format_args!("{file}  {symbols}  {DIM}{requirements}{proof}{DIM:#}")),
        None => context.terminal.say(format_args!(
            "{HEADING}{intent}{HEADING:#}  {file}  {symbols}  {DIM}{requirements}{proof}{DIM:#}"
        )),
    }
}
