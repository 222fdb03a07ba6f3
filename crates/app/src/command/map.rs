//! `bailiwick map`: which intent changed which file and which symbol.
//!
//! Writes `.orchestration/intent_map.md`, or answers one question without writing anything.

use std::collections::BTreeSet;
use std::process::ExitCode;

use bailiwick_adapters_fs::FsIntentMap;
use bailiwick_domain::{Value, json};

use super::claims::Claimed;
use super::terminal::{DIM, HEADING};
use super::trace::{is_at_or_below, reader_of};
use super::{CommandError, Context, reading};
use crate::evidence::{MapRow, Proof};
use crate::site::Site;
use crate::{inert, map_file};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bailiwick map                          write .orchestration/intent_map.md again
  bailiwick map --files INT-001          which files an intent changed
  bailiwick map --intents src/auth/jwt.rs  which intents changed a file, or a folder
  bailiwick map --intents src/auth/jwt.rs:Session.renew  which intents changed a function or a type

A question that the ledger has no answer to ends with exit status 1, and says so on standard error; with `--json` the
list of `rows` is empty.

The file follows by itself at the end of a turn in which intent evolved. Where git tracks it, it is written when
entries are sealed, so that no turn leaves a change of it behind.")]
pub(super) struct Args {
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
    pub(super) fn is_query(&self) -> bool {
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

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
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
    if context.json {
        context.terminal.json(&json!({ "rows": rows.iter().map(as_json).collect::<Vec<_>>() }));
    } else {
        rows.iter().for_each(|row| say(args, row, context));
    }
    if args.is_query() {
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

fn say(args: &Args, row: &MapRow, context: &Context) {
    let words = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let (requirements, symbols) = (words(&row.requirements), inert::line(&words(&row.symbols)));
    let (intent, file) = (inert::line(row.intent.as_str()), inert::line(row.file.as_str()));
    let requirements = inert::line(&requirements);
    let proof = match row.proof {
        Proof::Proved => "",
        Proof::Likely => "  likely",
        Proof::Unknown => "  unknown",
    };
    match &args.files {
        Some(_) => context.terminal.say(format_args!("{file}  {symbols}  {DIM}{requirements}{proof}{DIM:#}")),
        None => context.terminal.say(format_args!(
            "{HEADING}{intent}{HEADING:#}  {file}  {symbols}  {DIM}{requirements}{proof}{DIM:#}"
        )),
    }
}
