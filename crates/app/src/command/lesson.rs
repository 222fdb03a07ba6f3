//! `bailiwick lesson`: what failed once and how it was repaired, in the file that agents read.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsIntentRepo, KeptLesson, SystemClock};
use bailiwick_domain::{
    Clock, Intent, IntentDraft, IntentId, IntentRepo, IntentStatus, Lesson, Location, RepoPath, Value, json,
};
use bailiwick_policy::lessons::{LONGEST_TEXT, plain};

use super::output::reading;
use super::output::terminal::{DIM, GOOD, HEADING, WARN};
use super::{CommandError, Context, who};
use crate::compose::persons_gate;
use crate::counted::counted;
use crate::gate::{Gate, LessonError, OwnChangeError};
use crate::inert;
use crate::lessons::Lessons;
use crate::site::Site;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Action {
    /// Write down what you learned
    Add(Add),
    /// The lessons of this clone
    List,
    /// Take lessons out of the file and forget them
    Prune(Prune),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The lesson becomes one line under \"Lessons Learned\" in CLAUDE.md, AGENT.md or AGENTS.md, the first \
that is there; else AGENTS.md is made. Nothing else in the file changes, and the ledger records it \
as your change.

Example:
  bailiwick lesson add INT-001 \"Tests need the database of docker compose\" --cause \"no fake for migrations\"")]
pub(super) struct Add {
    /// The intent that it was learned under
    intent: String,
    /// What you learned, in one line
    text: String,
    /// The file that it is about
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Why it went wrong
    #[arg(long, value_name = "TEXT")]
    cause: Option<String>,
    /// What repaired it
    #[arg(long, value_name = "TEXT")]
    fix: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Prune {
    /// Lessons by their ids, or enough of the beginning
    #[arg(value_name = "ID", required_unless_present = "closed")]
    ids: Vec<String>,
    /// All lessons that are closed
    #[arg(long, conflicts_with = "ids")]
    closed: bool,
}

impl Action {
    pub(super) fn is_query(&self) -> bool {
        matches!(self, Self::List)
    }
}

pub(super) fn run(action: &Action, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let gate = persons_gate(&site);
    match action {
        Action::Add(args) => add(&site, &gate, args, context),
        Action::List => list(&site, &gate, context),
        Action::Prune(args) => prune(&site, &gate, args, context),
    }
}

fn add(site: &Site, gate: &Gate, args: &Add, context: &Context) -> Result<ExitCode, CommandError> {
    let intent = super::named::intent(site, &args.intent)?;
    let sentence = |text: &String| plain(text, LONGEST_TEXT).trim_end_matches('.').to_owned();
    let text = sentence(&args.text);
    if text.is_empty() {
        return Err(CommandError::Usage("say what you learned".to_owned()));
    }
    let lesson = Lesson {
        at: SystemClock.now(),
        intent: intent.id().clone(),
        command: None,
        file: args.file.as_deref().map(|name| file(gate, name)).transpose()?,
        message: text,
        cause: args.cause.as_ref().map(sentence),
        fix: args.fix.as_ref().map(sentence),
        fixed_in: Vec::new(),
        closed: None,
    };
    let id = lesson.id();
    let written = Lessons::new(site, gate).add(lesson, &intent, &who::person()).map_err(failed)?;
    if context.json {
        context.terminal.json(&json!({ "id": id, "file": written }));
        return Ok(ExitCode::SUCCESS);
    }
    match written {
        Some(path) => context.terminal.styled(GOOD, format_args!("lesson {} is in {path}", reading::id(&id))),
        None => context.terminal.say("This lesson is there already."),
    }
    Ok(ExitCode::SUCCESS)
}

/// The intent that a lesson was learned under, which may be in the file no more: the change is recorded under its id.
fn there_or_gone(site: &Site, id: &IntentId) -> Result<Intent, CommandError> {
    if let Some(intent) = pollster::block_on(FsIntentRepo::new(site.layout.clone()).get(id))? {
        return Ok(intent);
    }
    let gone = IntentDraft::bare(id.clone(), "an intent that is gone", IntentStatus::Abandoned);
    Intent::new(gone).map_err(|error| CommandError::Other(error.to_string()))
}

fn file(gate: &Gate, name: &str) -> Result<RepoPath, CommandError> {
    let here = std::env::current_dir().ok();
    let here = here.as_deref().and_then(std::path::Path::to_str);
    match pollster::block_on(gate.ports().tree.workspace.locate(name, here)) {
        Location::Inside(found) => Ok(found.path),
        _ => Err(CommandError::Usage(format!("`{}` is not a file of this repository", inert::line(name)))),
    }
}

fn list(site: &Site, gate: &Gate, context: &Context) -> Result<ExitCode, CommandError> {
    let all = Lessons::new(site, gate).all()?;
    if context.json {
        let values: Vec<Value> = all.iter().map(as_json).collect();
        context.terminal.json(&json!({ "lessons": values }));
        return Ok(ExitCode::SUCCESS);
    }
    if all.is_empty() {
        context
            .terminal
            .say("There are no lessons yet. `bailiwick verify` keeps one for each check that fails.");
    }
    for KeptLesson { lesson, written, .. } in &all {
        let state = match (lesson.closed, lesson.command.is_some(), written) {
            (_, _, false) => format!("{WARN}waits{WARN:#}"),
            (Some(_), ..) => format!("{GOOD}fixed{GOOD:#}"),
            (None, true, _) => format!("{WARN}open{WARN:#}"),
            (None, false, _) => String::new(),
        };
        let what = match &lesson.command {
            Some(command) if lesson.message.is_empty() => format!("`{command}` failed"),
            Some(command) => format!("`{command}`: {}", lesson.message),
            None => lesson.message.clone(),
        };
        context.terminal.say(format_args!(
            "{HEADING}{}{HEADING:#}  {}  {state}  {}  {DIM}{}{DIM:#}",
            reading::id(&lesson.id()),
            lesson.intent,
            inert::line(&what),
            reading::ago(lesson.at, SystemClock.now()),
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(kept: &KeptLesson) -> Value {
    let Lesson { at, intent, command, file, message, cause, fix, fixed_in, closed } = &kept.lesson;
    json!({
        "id": kept.lesson.id(),
        "at": at,
        "intent": intent,
        "command": command,
        "file": file,
        "message": message,
        "cause": cause,
        "fix": fix,
        "fixed_in": fixed_in,
        "closed": closed,
        "written": kept.written,
    })
}

fn prune(site: &Site, gate: &Gate, args: &Prune, context: &Context) -> Result<ExitCode, CommandError> {
    /// Fewer digits could mean another lesson.
    const FEWEST: usize = 4;
    let lessons = Lessons::new(site, gate);
    let all = lessons.all()?;
    let mut wanted: Vec<&KeptLesson> = Vec::new();
    if args.closed {
        wanted.extend(all.iter().filter(|kept| kept.lesson.closed.is_some()));
    }
    for named in &args.ids {
        let fits = |kept: &&KeptLesson| named.len() >= FEWEST && kept.lesson.id().starts_with(named.as_str());
        let fitting: Vec<&KeptLesson> = all.iter().filter(fits).collect();
        let [kept] = fitting.as_slice() else {
            let is_short = named.len() < FEWEST;
            let named = inert::line(named);
            if is_short {
                let message =
                    format!("`{named}` is too short; write at least {FEWEST} characters of the lesson's id");
                return Err(CommandError::Other(message));
            }
            return Err(CommandError::Other(format!("`{named}` names {} lessons, not one", fitting.len())));
        };
        wanted.push(kept);
    }
    let ids: Vec<String> = wanted.iter().map(|kept| kept.lesson.id()).collect();
    let mut file = None;
    if let Some(first) = wanted.first() {
        let intent = there_or_gone(site, &first.lesson.intent)?;
        file = lessons.prune(&ids, &intent, &who::person()).map_err(failed)?;
    }
    if context.json {
        context.terminal.json(&json!({ "pruned": ids, "file": file }));
    } else {
        context.terminal.say(format_args!("{} taken out", counted(ids.len(), "lesson", "lessons")));
    }
    Ok(ExitCode::SUCCESS)
}

fn failed(error: LessonError) -> CommandError {
    match error {
        LessonError::Change(OwnChangeError::Gate(error)) => CommandError::Tool(error),
        other => CommandError::Other(other.to_string()),
    }
}
