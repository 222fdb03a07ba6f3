//! `bailiwick approval grant` and `revoke`: a person approves in advance, within bounds, or takes that back.
//!
//! Deliberately absent: what a grant covers, and what else ends one; the gate decides both.

use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{
    FsApprovalQueue, FsDecisionLog, FsGrantStore, FsIntentRepo, FsWorkspaceLock, Layout, SystemClock,
};
use bailiwick_domain::{
    Action, Answer, ApprovalError, ApprovalRequest, Clock, DecisionLog, Grant, GrantBounds, GrantEnd,
    GrantId, GrantLimits, GrantStatus, GrantStore, IntentRepo, OwnedScope, Timestamp, Value, WorkspaceLock,
    json,
};

use super::super::draft::in_worktree;
use super::super::void::{self, refuse_void};
use crate::command::output::terminal::{DIM, GOOD, HEADING};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::gate::{grant_fits, grant_record};
use crate::inert;

/// How long a call under way is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// What `approval grant` is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The request is approved, and its agent's edits like it pass without a question as long as they stay \
within the bounds, the intent, its revision and its branch stay what they are, and the turn lasts. \
Every other check still runs for each call. Deleting, moving, commands and files that can run are \
never covered. Bounds that are not given are those that the request offers.

Examples:
  bailiwick approval grant ap-3f9c2b7a                                what the request offers
  bailiwick approval grant ap-3f9c2b7a --files 3 --calls 8 --for 10m  less of it
  bailiwick approval grant ap-3f9c2b7a --path src/auth/               only there")]
pub(in crate::command) struct Given {
    /// The request's id, as `approval list` shows it, or how it begins
    id: String,
    #[command(flatten)]
    bounds: Bounds,
}

#[derive(Debug, clap::Args)]
struct Bounds {
    /// So many different files
    #[arg(long, value_name = "N")]
    files: Option<u32>,
    /// So many lines in all, added and removed
    #[arg(long, value_name = "M")]
    lines: Option<u32>,
    /// So many calls
    #[arg(long, value_name = "K")]
    calls: Option<u32>,
    /// So many lines in one call
    #[arg(long, value_name = "L")]
    lines_per_call: Option<u32>,
    /// Only there, as patterns like those of a scope; within the intent's scope in any case
    #[arg(long = "path", value_name = "PATTERN")]
    paths: Vec<String>,
    /// For how long, such as 20m; at most 30m, and never longer than the turn
    #[arg(long = "for", value_name = "TIME", value_parser = seconds)]
    seconds: Option<u32>,
}

/// What `approval revoke` is asked for.
#[derive(Debug, clap::Args)]
pub(in crate::command) struct Revoked {
    /// The grant, such as grant#3 or 3
    #[arg(required_unless_present = "all", value_parser = GrantId::parse)]
    grant: Option<GrantId>,
    /// Every grant of this repository, and every yes that no call has used yet
    #[arg(long, conflicts_with = "grant")]
    all: bool,
}

fn seconds(text: &str) -> Result<u32, String> {
    let length = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    u32::try_from(length.as_secs()).map_err(|_| "a grant lasts at most 30m".to_owned())
}

impl Bounds {
    /// The bounds, where they were not given those that are offered.
    fn within(&self, offer: &GrantBounds) -> Result<GrantBounds, CommandError> {
        let usage = |error: String| CommandError::Usage(error);
        let offered = offer.limits();
        let paths = match self.paths.as_slice() {
            [] => offered.paths.clone(),
            given => OwnedScope::parse(given.iter().map(String::as_str))
                .map_err(|error| usage(error.to_string()))?,
        };
        let limits = GrantLimits {
            paths,
            max_files: self.files.unwrap_or(offered.max_files),
            max_calls: self.calls.unwrap_or(offered.max_calls),
            max_lines: self.lines.unwrap_or(offered.max_lines),
            max_lines_per_call: self.lines_per_call.unwrap_or(offered.max_lines_per_call),
            seconds: self.seconds.unwrap_or(offered.seconds),
        };
        GrantBounds::new(limits).map_err(|error| usage(error.to_string()))
    }
}

/// Shows the request and the bounds, and grants after a `y`.
pub(super) fn give(
    queue: &FsApprovalQueue,
    layout: &Layout,
    context: &Context,
    args: &Given,
) -> Result<ExitCode, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("giving a grant"));
    }
    let approval = super::named(queue, &args.id)?;
    let offer = approval.request.offer.as_ref().ok_or(ApprovalError::NotOffered(approval.id.0.clone()))?;
    let bounds = args.bounds.within(offer)?;
    fits(layout, &approval.request, &bounds)?;
    let offered = bounds.to_string();
    let answer = Answer::Grant { by: crate::command::who::person(), bounds };
    refuse_void(layout, &approval)?;
    super::show(&context.terminal, &approval);
    context.terminal.say(format_args!("{HEADING}grant{HEADING:#}   {}", inert::line(&offered)));
    let twice = super::asked_twice(&approval.request);
    if !context.terminal.confirm("Approve this, and edits like it within these bounds?")
        || !super::confirmed_twice(twice.as_ref(), context)
    {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    }
    void::answer(queue, layout, &approval, &answer)?;
    context.terminal.styled(GOOD, format_args!("{} granted", approval.id.0));
    context
        .terminal
        .say("the grant begins when the agent makes this call; until then `bailiwick approval reject` takes it back");
    Ok(ExitCode::SUCCESS)
}

/// Whether the bounds stay in the scope of the request's intent, as the request's own working copy has it.
pub(in crate::command) fn fits(
    layout: &Layout,
    request: &ApprovalRequest,
    bounds: &GrantBounds,
) -> Result<(), ApprovalError> {
    let Some(id) = &request.intent_id else { return Ok(()) };
    let repo = FsIntentRepo::new(in_worktree(layout, request));
    match pollster::block_on(repo.get(id))? {
        Some(intent) => grant_fits(&intent, bounds),
        None => Ok(()),
    }
}

/// Ends grants and writes down who did.
pub(super) fn revoke(layout: &Layout, context: &Context, args: &Revoked) -> Result<ExitCode, CommandError> {
    let revoked = revoke_of(layout, args.grant)?;
    let taken_back = if args.grant.is_none() { super::unused::take_back_all(layout)? } else { Vec::new() };
    if context.json {
        context.terminal.json(&json!({ "revoked": revoked, "taken_back": taken_back }));
    } else if revoked.is_empty() && taken_back.is_empty() {
        context.terminal.say("No grant is live, and no yes waits for its call.");
    }
    for id in taken_back.iter().filter(|_| !context.json) {
        super::unused::said(context, id);
    }
    for id in revoked.iter().filter(|_| !context.json) {
        context.terminal.styled(GOOD, format_args!("{id} revoked; edits are asked about again"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends that grant, if it has not ended, and writes down who did.
pub(in crate::command) fn revoke_one(layout: &Layout, id: GrantId) -> Result<Vec<GrantId>, CommandError> {
    revoke_of(layout, Some(id))
}

fn revoke_of(layout: &Layout, named: Option<GrantId>) -> Result<Vec<GrantId>, CommandError> {
    let lock = FsWorkspaceLock::new(layout.clone()).with_wait(PATIENCE);
    let _held = pollster::block_on(lock.acquire())?;
    let store = FsGrantStore::new(layout);
    let mut revoked = Vec::new();
    for grant in meant(&store, named)? {
        end(&store, layout, &grant)?;
        revoked.push(grant.id);
    }
    Ok(revoked)
}

/// The grants that have not ended, of those that were named.
fn meant(store: &FsGrantStore, named: Option<GrantId>) -> Result<Vec<Grant>, CommandError> {
    let mut grants = match named {
        None => pollster::block_on(store.list())?,
        Some(id) => {
            let found = pollster::block_on(store.get(id))?;
            vec![found.ok_or_else(|| {
                CommandError::Other(format!(
                    "there is no {id}; `bailiwick approval list` shows the grants that are in force"
                ))
            })?]
        }
    };
    grants.retain(|grant| grant.status == GrantStatus::Live);
    Ok(grants)
}

/// Ended first: a log that cannot be written is no reason to leave a grant in force.
fn end(store: &FsGrantStore, layout: &Layout, grant: &Grant) -> Result<(), CommandError> {
    let (why, now) = (GrantEnd::Revoked { by: crate::command::who::person() }, SystemClock.now());
    let ended = pollster::block_on(store.end(grant.id, &why, now))
        .map_err(|error| CommandError::Other(error.to_string()))?;
    let note = format!("{} ended: {}", ended.id, why.because());
    let record = grant_record(&ended, Action::GrantEnded, now, note);
    Ok(pollster::block_on(FsDecisionLog::new(layout.clone()).append(&record)).map(drop)?)
}

/// The grants that can cover calls at that moment, oldest first.
pub(in crate::command) fn live(layout: &Layout, now: Timestamp) -> Result<Vec<Grant>, CommandError> {
    let mut grants = pollster::block_on(FsGrantStore::new(layout).list())?;
    grants.retain(|grant| grant.is_live(now));
    Ok(grants)
}

/// A grant with what is left of it, as a line for a person.
pub(super) fn line(grant: &Grant, now: Timestamp) -> String {
    let terms = &grant.terms;
    format!(
        "{HEADING}{}{HEADING:#}  {}  {} left  {DIM}{}, given by {}{DIM:#}",
        grant.id,
        terms.intent,
        left_in_words(grant, now),
        inert::line(&crate::command::output::reading::actor(&terms.actor)),
        inert::line(&terms.by)
    )
}

/// What is left of a grant, for people.
pub(in crate::command) fn left_in_words(grant: &Grant, now: Timestamp) -> String {
    let left = Left::of(grant, now);
    let minutes = left.seconds.div_ceil(60);
    let (files, lines) = (counted(left.files, "file", "files"), counted(left.lines, "line", "lines"));
    format!("{files}, {lines}, {}, {minutes} min", counted(left.calls, "call", "calls"))
}

/// What is left of a grant.
struct Left {
    files: u32,
    lines: u32,
    calls: u32,
    seconds: u64,
}

impl Left {
    fn of(grant: &Grant, now: Timestamp) -> Self {
        let (used, limits) = (&grant.used, grant.terms.bounds.limits());
        let files = u32::try_from(used.files.len()).unwrap_or(u32::MAX);
        let ms = grant.terms.expires().unix_ms().saturating_sub(now.unix_ms());
        Self {
            files: limits.max_files.saturating_sub(files),
            lines: limits.max_lines.saturating_sub(used.lines),
            calls: limits.max_calls.saturating_sub(used.calls),
            seconds: u64::try_from(ms).unwrap_or_default().div_ceil(1000),
        }
    }
}

/// The published shape of one grant.
pub(super) fn as_json(grant: &Grant, now: Timestamp) -> Value {
    let (terms, left) = (&grant.terms, Left::of(grant, now));
    let files: Vec<&str> = grant.used.files.iter().map(|file| file.path.as_str()).collect();
    json!({
        "id": grant.id,
        "approval": terms.approval,
        "by": terms.by,
        "actor": terms.actor.to_string(),
        "intent_id": terms.intent,
        "worktree": terms.worktree,
        "branch": terms.branch,
        "bounds": terms.bounds,
        "used": {"files": files, "lines": grant.used.lines, "calls": grant.used.calls},
        "left": {"files": left.files, "lines": left.lines, "calls": left.calls, "seconds": left.seconds},
        "opened": terms.opened,
        "expires": terms.expires(),
    })
}

#[cfg(test)]
mod tests {
    use super::seconds;

    // D-02
    #[test]
    fn a_time_is_read_as_seconds() {
        assert_eq!(seconds("20m"), Ok(1200));
        for text in ["", "20", "soon", "-5m", "99999999999h"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
