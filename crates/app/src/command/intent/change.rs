//! `bailiwick intent close` and `intent expand`: a human's changes of an intent that is there. The text of the file
//! keeps its comments and order.

use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{FsApprovalQueue, FsIntentRepo, FsIntentWriter, FsWorkspaceLock, SystemClock};
use bailiwick_domain::{
    Answer, ApprovalId, ApprovalQueue, Clock, IntentChange, IntentEditError, IntentId, IntentRepo,
    IntentStatus, IntentWriter, NoPerson, OwnedScope, WorkspaceLock, json,
};

use super::super::{CommandError, Context, verify};
use crate::command::answers::{approval, void};
use crate::command::output::terminal::GOOD;
use crate::compose::branch;
use crate::counted::counted;
use crate::site::Site;

/// How long a running call may keep a person waiting.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every check of the intent must have passed, or been ticked by you, since the last change under it: \
run `bailiwick verify` before. An intent without checks closes at once.")]
pub(in crate::command) struct Close {
    /// The intent
    id: String,
    /// It is given up, not done
    #[arg(long)]
    abandon: bool,
    /// It is done though its checks are not met; that is logged
    #[arg(long, conflicts_with = "abandon")]
    unverified: bool,
}

#[derive(Debug, clap::Args)]
pub(in crate::command) struct Expand {
    /// The intent
    id: String,
    /// What it may change as well; repeatable
    #[arg(long, required = true, value_name = "PATTERN")]
    scope: Vec<String>,
    /// Allow a scope that owns everything, or a large part of the files
    #[arg(long)]
    allow_broad: bool,
}

pub(super) fn close(site: &Site, args: &Close, context: &Context) -> Result<ExitCode, CommandError> {
    let id = id_of(&args.id)?;
    crate::command::named::intent(site, &args.id)?;
    let status = if args.abandon { IntentStatus::Abandoned } else { IntentStatus::Completed };
    // Looked at, logged and changed under one lock: what was met is what is closed, and no closing goes unlogged.
    let lock = FsWorkspaceLock::new(site.layout.clone()).with_wait(PATIENCE);
    let held = pollster::block_on(lock.acquire())?;
    if let Some(ended) = ended(site, &id)? {
        return still(&id, ended, status, context);
    }
    let unmet = if args.abandon { Vec::new() } else { verify::unmet(site, &id)? };
    if !unmet.is_empty() && !args.unverified {
        return Err(CommandError::Other(format!(
            "{id} is not verified: {}. Run `bailiwick verify {id}`, or close it with --unverified",
            unmet.join("; ")
        )));
    }
    if !unmet.is_empty() {
        verify::log_unverified(site, &id, &unmet)?;
    }
    write(site, &IntentChange::SetStatus { id: id.clone(), status })?;
    drop(held);
    let withdrawn = withdraw(site, &id, status)?;
    if context.json {
        let value = json!({ "id": id, "status": status, "unmet": unmet, "withdrawn": withdrawn });
        context.terminal.json(&value);
    } else {
        context.terminal.styled(GOOD, format_args!("{id} is {status}"));
        for request in withdrawn {
            context.terminal.say(format_args!("{} is withdrawn: no call passes under {id}", request.0));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// How an intent ended, if it did.
fn ended(site: &Site, id: &IntentId) -> Result<Option<IntentStatus>, CommandError> {
    let intent = pollster::block_on(FsIntentRepo::new(site.layout.clone()).get(id))?;
    let is_over = |status: &IntentStatus| matches!(status, IntentStatus::Completed | IntentStatus::Abandoned);
    Ok(intent.map(|intent| intent.status()).filter(is_over))
}

/// An intent that ended stays as it ended: what it became is part of the record.
fn still(
    id: &IntentId,
    ended: IntentStatus,
    wanted: IntentStatus,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    if ended != wanted {
        return Err(CommandError::Other(format!("{id} is {ended} already; nothing was changed")));
    }
    if context.json {
        let none: [&str; 0] = [];
        context.terminal.json(&json!({ "id": id, "status": ended, "unmet": none, "withdrawn": none }));
    } else {
        context.terminal.say(format_args!("{id} is {ended} already"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Says no to what agents ask under an intent that is closed, since a yes would let nothing through.
fn withdraw(site: &Site, id: &IntentId, status: IntentStatus) -> Result<Vec<ApprovalId>, CommandError> {
    let queue = FsApprovalQueue::new(site.layout.clone());
    let by = NoPerson::Closing.name().to_owned();
    let no = Answer::Reject { by, feedback: Some(format!("{id} is {status}")) };
    let mut open = approval::open(&queue)?;
    open.retain(|approval| {
        let request = &approval.request;
        let is_void = request.intent_id.as_ref() == Some(id) && void::why(&site.layout, request).is_some();
        // One that was answered meanwhile stays as it is.
        is_void && pollster::block_on(queue.answer(&approval.id, &no, SystemClock.now())).is_ok()
    });
    Ok(open.into_iter().map(|approval| approval.id).collect())
}

pub(super) fn expand(site: &Site, args: &Expand, context: &Context) -> Result<ExitCode, CommandError> {
    let id = id_of(&args.id)?;
    crate::command::named::intent(site, &args.id)?;
    let added = OwnedScope::parse(args.scope.iter().map(String::as_str))
        .map_err(|error| CommandError::Usage(error.to_string()))?;
    if let Some(ended) = ended(site, &id)? {
        let next = "open a new one with `bailiwick intent new`";
        return Err(CommandError::Other(format!("{id} is {ended}, so no call passes under it; {next}")));
    }
    super::refuse_broad(site, &added, args.allow_broad)?;
    let layout = &site.layout;
    let intent = pollster::block_on(FsIntentRepo::new(layout.clone()).get(&id))?;
    let patterns = match intent {
        Some(intent) => intent.unowned(added.patterns()),
        None => added.patterns().to_vec(),
    };
    if !patterns.is_empty() {
        make(site, &IntentChange::Expand { id: id.clone(), patterns: patterns.clone() })?;
    }
    if context.json {
        context.terminal.json(&json!({ "id": id, "added": patterns }));
    } else if patterns.is_empty() {
        context.terminal.say(format_args!("{id} owns these paths already"));
    } else {
        let more = counted(patterns.len(), "more pattern", "more patterns");
        context.terminal.styled(GOOD, format_args!("{id} owns {more}"));
    }
    super::check::tell_of(site, &id, context)?;
    Ok(ExitCode::SUCCESS)
}

/// Drafts and writes under the lock, so that no call is judged by half of a change.
fn make(site: &Site, change: &IntentChange) -> Result<(), CommandError> {
    let lock = FsWorkspaceLock::new(site.layout.clone()).with_wait(PATIENCE);
    let _held = pollster::block_on(lock.acquire())?;
    write(site, change)
}

/// The same where the lock is held.
fn write(site: &Site, change: &IntentChange) -> Result<(), CommandError> {
    let writer = FsIntentWriter::new(site.layout.clone());
    let made = pollster::block_on(async {
        let edit = writer.draft(change).await?;
        writer.write(&edit, &branch(site)).await
    });
    made.map_err(|error| match error {
        IntentEditError::Port(error) => CommandError::Port(error),
        other => CommandError::Other(other.to_string()),
    })
}

fn id_of(named: &str) -> Result<IntentId, CommandError> {
    IntentId::new(named).map_err(|error| CommandError::Usage(error.to_string()))
}
