//! `bailiwick report`: one HTML file about intents, what they changed, who approved it, and how that is known.
//!
//! Deliberately absent: how the page looks (`bailiwick-adapters-web`).

mod changes;
mod gathered;

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bailiwick_adapters_web::report::{OPENING, page};
use bailiwick_domain::{TraceContext, json};

pub(in crate::command) use changes::{change, shown};
pub(in crate::command) use gathered::described;

use crate::command::output::reading;
use crate::command::setup::init::exclude::REPORT;
use crate::command::trace::Filter;
use crate::command::trace::sources::claims::Claimed;
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file needs no server and loads nothing: open it in a browser, attach it to a review, keep it as \
a CI artifact. A report that is there already is written over; any other file is not.

Examples:
  bailiwick report                               bailiwick-report.html, here
  bailiwick report --since 7days -o week.html    what happened this week
  bailiwick report --intent INT-001 -o -         one intent, on standard output
  bailiwick report --json                        the same facts for a program")]
pub(crate) struct Args {
    /// Where to write it; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = REPORT)]
    output: PathBuf,
    #[command(flatten)]
    filter: Filter,
    /// How many changes of files to list, the newest; totals count all of them
    #[arg(long, short = 'n', default_value_t = 5000, value_parser = reading::limit)]
    limit: usize,
    #[command(flatten)]
    claimed: Claimed,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let is_piped = args.output == Path::new("-");
    let filter = args.filter.seen_from_here(&site, context)?;
    context.claims.take(args.claimed);
    if !is_piped && !context.json {
        refuse_other_files(&args.output)?;
    }
    let report = gathered::report(&site, &filter, args.limit, context)?;
    if context.json {
        context.terminal.json(&json!(report));
        return Ok(ExitCode::SUCCESS);
    }
    let page = page(&report).map_err(|error| CommandError::Other(error.to_string()))?;
    if is_piped {
        context.terminal.say(page.trim_end());
    } else {
        fs::write(&args.output, page).map_err(|error| CommandError::io(args.output.display(), error))?;
        let (intents, files) = (report.intents.len(), report.files.len());
        let (intents, files) = (counted(intents, "intent", "intents"), counted(files, "file", "files"));
        let output = inert::line(&args.output.display().to_string());
        context.terminal.say(format_args!("wrote {output}: {intents}, {files}"));
    }
    if let Some(short) = filter.too_short().filter(|_| report.files.is_empty()) {
        context.terminal.warning(&inert::line(&short));
    }
    context.claims.tell(context);
    Ok(ExitCode::SUCCESS)
}

/// A file that is no report was not made by this command, and somebody may need it.
fn refuse_other_files(path: &Path) -> Result<(), CommandError> {
    let mut start = Vec::new();
    match fs::File::open(path) {
        Ok(file) => {
            let read = file.take(OPENING.len() as u64).read_to_end(&mut start);
            read.map_err(|error| CommandError::io(path.display(), error))?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(CommandError::io(path.display(), error)),
    }
    if start == OPENING.as_bytes() {
        return Ok(());
    }
    let path = inert::line(&path.display().to_string());
    Err(CommandError::Usage(format!("{path} exists and is not a report; name another file with --output")))
}

/// The requirements that an entry was made for; one that nobody wrote says so.
fn required(context: &TraceContext) -> impl Iterator<Item = String> {
    let derived = if context.derived { " (derived)" } else { "" };
    context.requirements.iter().map(move |id| format!("{}{derived}", inert::line(id)))
}
