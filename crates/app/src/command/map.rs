//! `bailiwick map`: which intent changed which file. Makes `.orchestration/intent_map.md` anew, or answers one question
//! without writing anything.

use std::ops::ControlFlow;
use std::process::ExitCode;

use bailiwick_adapters_fs::{Durability, FsIntentRepo, FsLedgerReader, replace};
use bailiwick_domain::{IntentRepo, LedgerQuery, LedgerReader, StoredEntry, Value, json};

use super::terminal::{DIM, HEADING};
use super::trace::is_at_or_below;
use super::{CommandError, Context};
use crate::evidence::{IntentMap, MapRow};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bailiwick map                          make .orchestration/intent_map.md anew
  bailiwick map --files INT-001          which files an intent changed
  bailiwick map --intents src/auth/jwt.rs  which intents changed a file, or a folder")]
pub(super) struct Args {
    /// The files that this intent changed
    #[arg(long, value_name = "INTENT", conflicts_with = "intents")]
    files: Option<String>,
    /// The intents that changed this file or something below this folder, relative to the root
    #[arg(long, value_name = "FILE")]
    intents: Option<String>,
}

impl Args {
    pub(super) fn is_query(&self) -> bool {
        self.files.is_some() || self.intents.is_some()
    }

    fn wants(&self, row: &MapRow) -> bool {
        let below = |path: &String| is_at_or_below(&row.file, path);
        self.files.as_ref().is_none_or(|id| row.intent.as_str() == id)
            && self.intents.as_ref().is_none_or(below)
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let map = recorded(&site)?;
    let rows: Vec<MapRow> = map.rows().into_iter().filter(|row| args.wants(row)).collect();
    if !args.is_query() {
        let intents = pollster::block_on(FsIntentRepo::new(site.layout.clone()).load())?;
        let file = site.layout.orchestration().join("intent_map.md");
        replace(&file, map.to_markdown(&intents).as_bytes(), Durability::Os)?;
        if !context.json {
            context.terminal.say(format_args!("wrote {}", file.display()));
            return Ok(ExitCode::SUCCESS);
        }
    }
    if context.json {
        context.terminal.json(&json!({ "rows": rows.iter().map(as_json).collect::<Vec<_>>() }));
    } else {
        rows.iter().for_each(|row| say(args, row, context));
    }
    Ok(if args.is_query() && rows.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn recorded(site: &Site) -> Result<IntentMap, CommandError> {
    let mut map = IntentMap::default();
    let mut take = |stored: StoredEntry| {
        map.take(&stored);
        ControlFlow::Continue(())
    };
    FsLedgerReader::new(&site.layout).visit(&LedgerQuery::default(), &mut take)?;
    Ok(map)
}

fn as_json(row: &MapRow) -> Value {
    let MapRow { intent, file, requirements, shared_with } = row;
    json!({"intent": intent, "file": file, "requirements": requirements, "shared_with": shared_with})
}

fn say(args: &Args, row: &MapRow, context: &Context) {
    let requirements = row.requirements.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let (intent, file) = (inert::line(row.intent.as_str()), inert::line(row.file.as_str()));
    let requirements = inert::line(&requirements);
    match &args.files {
        Some(_) => context.terminal.say(format_args!("{file}  {DIM}{requirements}{DIM:#}")),
        None => context
            .terminal
            .say(format_args!("{HEADING}{intent}{HEADING:#}  {file}  {DIM}{requirements}{DIM:#}")),
    }
}
