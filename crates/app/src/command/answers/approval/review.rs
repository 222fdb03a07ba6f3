//! `bailiwick approval review`: what was done under a grant, as one change to keep or to put back, file by file.
//!
//! Deliberately absent: what the change is and how it is put back (`crate::restore`). Nothing waits for a review: a grant
//! that nobody has looked at hinders no other.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsGrantStore, Layout};
use bailiwick_domain::{Grant, GrantId, GrantStatus, GrantStore, RepoPath, Timestamp, Value, json};

use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::compose::{persons_gate, restorer};
use crate::counted::counted;
use crate::inert;
use crate::redact::redact;
use crate::restore::{GrantChanges, Restorer, Reviewed};
use crate::site::Site;

/// What `approval review` is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Shows everything that was done under a grant that is over as one change, from before its first call \
to now. Keep it, put single files back, or put all of them back; what is put back is recorded as \
your change. A file that changed after the grant's last call is never overwritten.

Examples:
  bailiwick approval review                              the grant that waits for it
  bailiwick approval review grant#3 --keep --yes
  bailiwick approval review 3 --revert src/auth/jwt.rs   this file goes back, the others stay
  bailiwick approval review 3 --revert-all")]
pub(in crate::command) struct Args {
    /// The grant, such as grant#3 or 3; the one that waits when not given
    #[arg(value_parser = GrantId::parse)]
    grant: Option<GrantId>,
    #[command(flatten)]
    word: Word,
    /// Do not ask before
    #[arg(long, requires = "Word")]
    yes: bool,
}

#[derive(Debug, clap::Args)]
#[group(id = "Word", multiple = false)]
struct Word {
    /// Keep everything
    #[arg(long)]
    keep: bool,
    /// Put this file back, and keep the others; may be given several times
    #[arg(long, value_name = "FILE")]
    revert: Vec<String>,
    /// Put every file back
    #[arg(long)]
    revert_all: bool,
}

/// What a person chose.
enum Choice {
    Later,
    /// It was asked for, and a question about it was not answered with a yes.
    Declined,
    PutBack(Vec<RepoPath>),
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let gate = persons_gate(site);
    let restorer = restorer(site, &gate);
    pollster::block_on(restorer.settle()).map_err(other)?;
    let ids = match args.grant {
        Some(id) => vec![id],
        None => {
            pollster::block_on(restorer.to_review()).map_err(other)?.iter().map(|grant| grant.id).collect()
        }
    };
    let found = pollster::block_on(restorer.changes_of_each(&ids));
    let found = found.into_iter().collect::<Result<Vec<_>, _>>().map_err(other)?;
    let is_decided = args.word.keep || args.word.revert_all || !args.word.revert.is_empty();
    if context.json && !is_decided {
        let all: Vec<Value> = found.iter().map(as_json).collect();
        context.terminal.json(&json!({ "reviews": all }));
        return Ok(ExitCode::SUCCESS);
    }
    match found.as_slice() {
        [] => {
            if context.json {
                context.terminal.json(&json!({ "reviewed": null }));
            } else {
                context.terminal.say("No grant waits for a review.");
            }
            Ok(ExitCode::SUCCESS)
        }
        [one] => decide(&restorer, one, args, (site, context)),
        several => {
            for changes in several {
                context.terminal.say(waiting_line(&changes.grant));
            }
            Err(CommandError::Usage("several grants wait for a review; name one".to_owned()))
        }
    }
}

fn other(error: impl ToString) -> CommandError {
    CommandError::Other(error.to_string())
}

fn decide(
    restorer: &Restorer<'_>,
    changes: &GrantChanges,
    args: &Args,
    (site, context): (&Site, &Context),
) -> Result<ExitCode, CommandError> {
    if !context.json {
        show(changes, context);
    }
    let paths = match choice(changes, args, (site, context))? {
        Choice::PutBack(paths) => paths,
        left => {
            context.terminal.say("Left for later.");
            return Ok(if matches!(left, Choice::Later) { ExitCode::SUCCESS } else { ExitCode::from(1) });
        }
    };
    let done = pollster::block_on(restorer.review(changes, &paths, &crate::command::who::person()))
        .map_err(other)?;
    report(changes, &done, context);
    Ok(ExitCode::SUCCESS)
}

/// What shall be put back: as the words say, after a `y`; without words, as a person chooses.
fn choice(
    changes: &GrantChanges,
    args: &Args,
    (site, context): (&Site, &Context),
) -> Result<Choice, CommandError> {
    let word = &args.word;
    let named = if word.revert_all {
        changes.paths()
    } else {
        let parsed = word.revert.iter().map(|name| RepoPath::new(&reading::from_root(name, site, context)));
        parsed.collect::<Result<Vec<_>, _>>().map_err(|error| CommandError::Usage(error.to_string()))?
    };
    let is_said = word.keep || word.revert_all || !word.revert.is_empty();
    if is_said && args.yes {
        return Ok(Choice::PutBack(named));
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("a review without `--yes`"));
    }
    if !is_said {
        return Ok(chosen(changes, context));
    }
    let question = match named.len() {
        0 => "Keep everything?".to_owned(),
        1 => "Put this file back, and keep the others?".to_owned(),
        count => format!("Put these {count} files back?"),
    };
    Ok(if context.terminal.confirm(&question) { Choice::PutBack(named) } else { Choice::Declined })
}

fn chosen(changes: &GrantChanges, context: &Context) -> Choice {
    let files = changes.revertible();
    let mut answers = vec!["look at it later".to_owned(), "keep everything".to_owned()];
    if !files.is_empty() {
        answers.push(format!("put back all that can be ({})", counted(files.len(), "file", "files")));
    }
    answers.extend(files.iter().map(|path| format!("put back {} alone", inert::line(path.as_str()))));
    match context.terminal.choose("Keep or revert?", &answers, 0) {
        None | Some(0) => Choice::Later,
        Some(1) => Choice::PutBack(Vec::new()),
        Some(2) => Choice::PutBack(files),
        Some(at) => files.get(at - 3).map_or(Choice::Later, |path| Choice::PutBack(vec![path.clone()])),
    }
}

fn show(changes: &GrantChanges, context: &Context) {
    let (terminal, grant) = (&context.terminal, &changes.grant);
    terminal.say(waiting_line(grant));
    for file in &changes.files {
        let path = inert::line(file.path.as_str());
        match &file.obstacle {
            Some(why) => terminal.say(format_args!(
                "{HEADING}{path}{HEADING:#}  {BAD}cannot be put back:{BAD:#} {}",
                inert::line(why)
            )),
            None if file.diff.is_empty() => {
                terminal.say(format_args!("{HEADING}{path}{HEADING:#}  {DIM}is as it was before{DIM:#}"));
            }
            None => terminal.say(format_args!("{HEADING}{path}{HEADING:#}")),
        }
        for line in inert::lines(&redact(&file.diff)) {
            terminal.say(super::coloured(line));
        }
    }
}

fn report(changes: &GrantChanges, done: &Reviewed, context: &Context) {
    let back = done.grant.review.as_ref().map(|review| review.reverted.clone()).unwrap_or_default();
    if context.json {
        return context.terminal.json(&reviewed_json(changes, done));
    }
    let words = match back.len() {
        0 => "everything is kept".to_owned(),
        count => format!("{count} of {} files put back", changes.files.len()),
    };
    context.terminal.styled(GOOD, format_args!("{} reviewed: {words}", done.grant.id));
}

/// What was done, for programs.
pub(in crate::command) fn reviewed_json(changes: &GrantChanges, done: &Reviewed) -> Value {
    let back = done.grant.review.as_ref().map(|review| review.reverted.clone()).unwrap_or_default();
    let kept: Vec<&RepoPath> =
        changes.files.iter().map(|file| &file.path).filter(|path| !back.contains(path)).collect();
    json!({"reviewed": done.grant.id, "put_back": back, "kept": kept, "trace_ids": done.trace_ids})
}

/// A grant that waits for its review, for people.
pub(in crate::command) fn waiting_line(grant: &Grant) -> String {
    let (files, why) = (grant.used.files.len(), over(grant));
    format!(
        "{HEADING}{}{HEADING:#}  {}  {WARN}{} to review{WARN:#}{why}  {DIM}{}; `bailiwick approval review {}`{DIM:#}",
        grant.id,
        grant.terms.intent,
        counted(files, "file", "files"),
        inert::line(&crate::command::output::reading::actor(&grant.terms.actor)),
        grant.id.number(),
    )
}

fn over(grant: &Grant) -> String {
    match &grant.status {
        GrantStatus::Ended { why, .. } => format!(", ended because {}", inert::line(&why.because())),
        GrantStatus::Live => String::new(),
    }
}

/// The grants of a working copy that wait for a review at that moment, oldest first.
pub(in crate::command) fn waiting(layout: &Layout, now: Timestamp) -> Result<Vec<Grant>, CommandError> {
    let here = layout.root().display().to_string();
    let mut grants = pollster::block_on(FsGrantStore::new(layout).list())?;
    let is_here = |grant: &Grant| grant.terms.worktree.as_ref().is_none_or(|worktree| *worktree == here);
    grants.retain(|grant| grant.is_to_review(now) && is_here(grant));
    Ok(grants)
}

/// The published shape of a grant that waits for its review.
pub(in crate::command) fn waiting_json(grant: &Grant) -> Value {
    let ended = match &grant.status {
        GrantStatus::Ended { why, at } => json!({"because": why.because(), "at": at}),
        GrantStatus::Live => json!({"because": "it expired", "at": grant.terms.expires()}),
    };
    let paths: Vec<&str> = grant.used.files.iter().map(|file| file.path.as_str()).collect();
    json!({
        "id": grant.id,
        "intent_id": grant.terms.intent,
        "actor": grant.terms.actor.to_string(),
        "by": grant.terms.by,
        "calls": grant.used.calls,
        "ended": ended,
        "files": paths,
    })
}

/// The same with its change.
pub(in crate::command) fn as_json(changes: &GrantChanges) -> Value {
    let file = |file: &crate::restore::GrantChange| {
        json!({
            "path": file.path,
            "diff": redact(&file.diff),
            "can_put_back": file.obstacle.is_none(),
            "reason": file.obstacle,
        })
    };
    let mut shape = waiting_json(&changes.grant);
    if let Value::Object(fields) = &mut shape {
        fields.insert("files".to_owned(), changes.files.iter().map(file).collect());
    }
    shape
}
