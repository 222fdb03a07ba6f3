//! `bailiwick map`: which intent changed which file and which symbol. Makes `.orchestration/intent_map.md` anew, or answers one question
//! without writing anything.

use std::collections::BTreeSet;
use std::process::ExitCode;

use bailiwick_adapters_fs::FsIntentMap;
use bailiwick_domain::{Value, json};

use super::terminal::{DIM, HEADING};
use super::trace::is_at_or_below;
use super::{CommandError, Context};
use crate::evidence::MapRow;
use crate::{inert, map_file};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bailiwick map                          make .orchestration/intent_map.md anew
  bailiwick map --files INT-001          which files an intent changed
  bailiwick map --intents src/auth/jwt.rs  which intents changed a file, or a folder
  bailiwick map --intents src/auth/jwt.rs:Session.renew  which intents changed a function or a type

The file follows by itself at the end of a turn in which intent evolved. Where git tracks it, it is written when
entries are sealed, so that no turn leaves a change of it behind.")]
pub(super) struct Args {
    /// The files that this intent changed
    #[arg(long, value_name = "INTENT", conflicts_with = "intents")]
    files: Option<String>,
    /// The intents that changed this file, a symbol of it, or something below this folder, relative to the root
    #[arg(long, value_name = "FILE[:SYMBOL]")]
    intents: Option<String>,
}

impl Args {
    pub(super) fn is_query(&self) -> bool {
        self.files.is_some() || self.intents.is_some()
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
    let map = if args.is_query() { map_file::recorded(&site)? } else { map_file::write(&site)? };
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
    Ok(if args.is_query() && rows.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn as_json(row: &MapRow) -> Value {
    let MapRow { intent, file, symbols, requirements, shared_with } = row;
    json!({"intent": intent, "file": file, "symbols": symbols, "requirements": requirements, "shared_with": shared_with})
}

fn say(args: &Args, row: &MapRow, context: &Context) {
    let words = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let (requirements, symbols) = (words(&row.requirements), inert::line(&words(&row.symbols)));
    let (intent, file) = (inert::line(row.intent.as_str()), inert::line(row.file.as_str()));
    let requirements = inert::line(&requirements);
    match &args.files {
        Some(_) => context.terminal.say(format_args!("{file}  {symbols}  {DIM}{requirements}{DIM:#}")),
        None => context
            .terminal
            .say(format_args!("{HEADING}{intent}{HEADING:#}  {file}  {symbols}  {DIM}{requirements}{DIM:#}")),
    }
}
