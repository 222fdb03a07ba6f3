//! `bailiwick restore`: back to what was there before a call or a session, shown first, done whole or not at all, and
//! recorded.

use std::process::ExitCode;

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_domain::{Actor, FileState, Location, RepoPath, Value, json};

use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING};
use crate::command::{CommandError, Context};
use crate::compose::{persons_gate, restorer};
use crate::counted::counted;
use crate::gate::{Gate, unified_diff};
use crate::inert;
use crate::redact::redact;
use crate::restore::{PlanError, PlannedFile, RestorePlan, Wanted};
use crate::site::Site;

/// What makes a put-back take more than the call's own change.
const AMENDED: &str =
    "somebody else, or a formatter, changed a file while the call ran, and that would be taken back too";

/// What becomes of a file that the call or the session created, as other programs read it.
const DELETED: &str = "goes";

/// The largest diff of one file that is shown, in bytes.
const DIFF_BYTES: usize = 200_000;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exactly the files that the call or the session changed go back to what they were before it: a \
created file is deleted, a deleted one returns, a rename is undone. A file that somebody changed since is \
never overwritten: then nothing is done, and it says which files these are. What is put back is \
recorded as your change, and can be taken back the same way.

Examples:
  bailiwick restore --call toolu_01Xy --dry-run    what would be put back
  bailiwick restore --call 3f9c2b7a                by the entry that `bailiwick trace log` shows
  bailiwick restore --session 6f0c2d1e             everything that a session changed
  bailiwick restore --session 6f0c2d1e --file src/auth/jwt.rs")]
pub(crate) struct Args {
    #[command(flatten)]
    wanted: What,
    /// Only this file of it; may be given several times
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// Show what would be put back, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct What {
    /// What this call changed: the host's id of it, or its entry's id or enough of the beginning
    #[arg(long, value_name = "ID")]
    call: Option<String>,
    /// What this session changed, as HOST/SESSION, the session's id, or the beginning of it
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
}

impl What {
    /// What is meant; of a session the beginning of its id is enough.
    fn wanted(&self, site: &Site) -> Result<Wanted, CommandError> {
        if let Some(call) = &self.call {
            return Ok(Wanted::Call(call.clone()));
        }
        let said = self.session.clone().unwrap_or_default();
        let known = FsSessionStore::new(site.layout.clone()).known()?;
        let known: Vec<Actor> = known.into_iter().map(|(actor, _)| actor).collect();
        let found = reading::find_session(&known, &said)?;
        if let Some(short) = reading::too_short(&said).filter(|_| found.is_none()) {
            return Err(CommandError::Other(inert::line(&short)));
        }
        Ok(Wanted::Session(found.map_or(said, |actor| actor.to_string())))
    }

    /// Why there is no plan, and that an entry wants more characters where that may be why.
    fn unfound(&self, error: &PlanError) -> CommandError {
        let why = error.to_string();
        let is_short = matches!(error, PlanError::Unknown(_))
            && self.call.as_ref().is_some_and(|call| call.len() < reading::FEWEST);
        let more = format!("; an entry is named by at least {} characters of its id", reading::FEWEST);
        CommandError::Other(if is_short { why + &more } else { why })
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let gate = persons_gate(&site);
    let restorer = restorer(&site, &gate);
    if !args.dry_run {
        pollster::block_on(restorer.settle()).map_err(other)?;
    }
    let only = paths(&args.files, &gate, context)?;
    let plan = pollster::block_on(restorer.plan(&args.wanted.wanted(&site)?, &only));
    let plan = plan.map_err(|error| args.wanted.unfound(&error))?;
    if !context.json {
        show(&plan, context);
    }
    if !plan.obstacles.is_empty() || plan.files.is_empty() || args.dry_run {
        return Ok(left(&plan, args, context));
    }
    if args.yes && plan.files.iter().any(|file| file.amended) {
        return Err(CommandError::Other(format!("{AMENDED}; run this without --yes and look at it first")));
    }
    if !args.yes {
        if !context.terminal.has_person() {
            return Err(CommandError::NoTerminal("putting files back without `--yes`"));
        }
        if !context.terminal.confirm(&question(&plan)) {
            context.terminal.say("Nothing was put back.");
            return Ok(ExitCode::from(1));
        }
    }
    let by = crate::command::who::person();
    let reports = pollster::block_on(restorer.restore(&plan, &by)).map_err(other)?;
    let ids: Vec<String> = reports.into_iter().flat_map(|report| report.trace_ids).collect();
    if context.json {
        context.terminal.json(&as_json(&plan, "restored", &ids));
    } else {
        let recorded: Vec<&str> = ids.iter().map(|id| reading::id(id)).collect();
        let recorded = recorded.join(", ");
        context.terminal.styled(GOOD, done_to(&plan, ""));
        context.terminal.say(format_args!("{DIM}recorded as {recorded}{DIM:#}"));
    }
    Ok(ExitCode::SUCCESS)
}

fn other(error: impl ToString) -> CommandError {
    CommandError::Other(error.to_string())
}

/// The files that a person named, seen from where they stand.
fn paths(names: &[String], gate: &Gate, context: &Context) -> Result<Vec<RepoPath>, CommandError> {
    let here = match &context.root {
        Some(_) => None,
        None => {
            let here = std::env::current_dir();
            Some(here.map_err(|source| CommandError::io("the current directory", source))?)
        }
    };
    let here = here.as_deref().and_then(std::path::Path::to_str);
    let located = |name: &String| match pollster::block_on(gate.ports().tree.workspace.locate(name, here)) {
        Location::Inside(found) => Ok(found.path),
        _ => Err(CommandError::Usage(format!("`{}` is not a file of this repository", inert::line(name)))),
    };
    names.iter().map(located).collect()
}

/// Nothing is done: what there was to say of it.
fn left(plan: &RestorePlan, args: &Args, context: &Context) -> ExitCode {
    let is_refused = !plan.obstacles.is_empty();
    if context.json {
        let word = if is_refused { "refused" } else { "nothing" };
        let word = if args.dry_run && !is_refused { "dry_run" } else { word };
        context.terminal.json(&as_json(plan, word, &[]));
    } else if is_refused {
        let left = counted(plan.obstacles.len(), "file", "files");
        context.terminal.problem(&format!(
            "nothing was put back, because {left} cannot be put back; `restore` takes all files or none"
        ));
        if !plan.files.is_empty() {
            context.terminal.hint("`--file PATH` puts back only the files that you name");
        }
    } else if plan.files.is_empty() {
        context.terminal.say("Nothing to put back: everything is as it was before.");
    } else {
        context.terminal.say(format_args!("{}.", done_to(plan, " would be")));
    }
    if is_refused { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// How many files of a plan get back what they held, and how many are deleted.
fn back_and_gone(plan: &RestorePlan) -> (usize, usize) {
    let gone = plan.files.iter().filter(|file| word(file) == DELETED).count();
    (plan.files.len() - gone, gone)
}

/// `2 files put back, 1 file deleted`, with such a verb before each.
fn done_to(plan: &RestorePlan, verb: &str) -> String {
    let (back, gone) = back_and_gone(plan);
    let files = |count| counted(count, "file", "files");
    match (back, gone) {
        (back, 0) => format!("{}{verb} put back", files(back)),
        (0, gone) => format!("{}{verb} deleted", files(gone)),
        (back, gone) => format!("{}{verb} put back, {}{verb} deleted", files(back), files(gone)),
    }
}

fn question(plan: &RestorePlan) -> String {
    match back_and_gone(plan) {
        (1, 0) => "Put this file back?".to_owned(),
        (back, 0) => format!("Put these {back} files back?"),
        (0, 1) => "Delete this file?".to_owned(),
        (0, gone) => format!("Delete these {gone} files?"),
        (back, gone) => format!(
            "Put {} back and delete {}?",
            counted(back, "file", "files"),
            counted(gone, "file", "files")
        ),
    }
}

fn show(plan: &RestorePlan, context: &Context) {
    let terminal = &context.terminal;
    for file in &plan.files {
        let what = if word(file) == DELETED { "is deleted" } else { word(file) };
        terminal.say(format_args!("{HEADING}{}{HEADING:#}  {what}", inert::line(file.path.as_str())));
        if file.amended {
            terminal.say(format_args!("  {BAD}note:{BAD:#} {AMENDED}"));
        }
        for line in inert::lines(&redact(&diff(file))) {
            terminal.say(crate::command::answers::approval::coloured(line));
        }
    }
    for path in &plan.already {
        terminal.say(format_args!("{}  {DIM}is as it was before{DIM:#}", inert::line(path.as_str())));
    }
    if plan.elsewhere > 0 {
        let more = counted(plan.elsewhere, "more change", "more changes");
        terminal
            .say(format_args!("{DIM}{more} of it in other working copies: run this there as well{DIM:#}"));
    }
    for obstacle in &plan.obstacles {
        let (path, why) = (inert::line(obstacle.path.as_str()), inert::line(&obstacle.why));
        terminal.say(format_args!("{BAD}{path}{BAD:#}  {why}"));
    }
}

/// From what is there to what will be.
fn diff(file: &PlannedFile) -> String {
    diff_within(file, DIFF_BYTES)
}

/// The same, where there is room for so many bytes.
pub(in crate::command) fn diff_within(file: &PlannedFile, bytes: usize) -> String {
    let (now, then) = (file.now_bytes.as_deref(), file.then.as_deref());
    unified_diff(file.path.as_str(), now, then, bytes.min(DIFF_BYTES))
}

/// What becomes of the file.
pub(in crate::command) fn word(file: &PlannedFile) -> &'static str {
    match (&file.now, &file.then) {
        (FileState::Absent, _) => "returns",
        (_, None) => DELETED,
        (_, Some(_)) => "changes back",
    }
}

fn as_json(plan: &RestorePlan, outcome: &str, trace_ids: &[String]) -> Value {
    let file = |file: &PlannedFile| {
        let change = match word(file) {
            "returns" => "created",
            DELETED => "deleted",
            _ => "modified",
        };
        json!({"path": file.path, "change": change, "diff": redact(&diff(file))})
    };
    let refused = |path: &RepoPath, why: &str| json!({"path": path, "reason": why});
    json!({
        "outcome": outcome,
        "files": plan.files.iter().map(file).collect::<Vec<_>>(),
        "already": plan.already,
        "refused": plan.obstacles.iter().map(|other| refused(&other.path, &other.why)).collect::<Vec<_>>(),
        "entries": plan.entries(),
        "trace_ids": trace_ids,
    })
}
