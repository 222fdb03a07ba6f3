//! `bailiwick approval`: the queue of requests, answered by a person at a terminal.

pub(crate) mod grant;
pub(crate) mod review;
mod unused;

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsApprovalQueue, Layout, Surfaces, SystemClock};
use bailiwick_domain::{
    Answer, Approval, ApprovalError, ApprovalId, ApprovalQueue, ApprovalRequest, Clock, Grant, Timestamp,
    Value, json,
};

use super::breadth::Twice;
use super::uncounted;
use super::void::{self, refuse_void};
use crate::command::likely;
use crate::command::output::columns::hanging;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, Terminal, WARN};
use crate::command::who::person;
use crate::command::{CommandError, Context};
use crate::inert;
use crate::review::Review;
use crate::site::Site;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// The requests that wait for an answer, the grants with what is left of them, and those to review
    List,
    /// Show one request whole, and approve it after a y; with --allow do not ask about its command again
    Approve(Approved),
    /// Show one request whole, and approve it and edits like it, within bounds
    Grant(grant::Given),
    /// End a grant before its time
    Revoke(grant::Revoked),
    /// What was done under a grant that is over, as one change: keep it, or put files back
    Review(review::Args),
    /// Reject one request, or withdraw an approval that no call has used yet
    Reject(Rejected),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Rejected {
    /// The request's id, as `approval list` shows it, or how it begins
    id: String,
    /// What the agent should know
    #[arg(long, short)]
    message: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bailiwick approval approve ap-3f9c2b7a          exactly this call, once
  bailiwick approval approve ap-3f9c2b7a --allow  and let the same command pass from now on")]
pub(crate) struct Approved {
    /// The request's id, as `approval list` shows it, or how it begins
    id: String,
    /// Trust the command from now on as well, as `bailiwick allow` does
    #[arg(long)]
    allow: bool,
}

pub(crate) fn run(action: &Action, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let queue = FsApprovalQueue::new(site.layout.clone());
    match action {
        Action::List => {
            Surfaces::new(site.layout.clone()).beat("list")?;
            list(&queue, &site.layout, context)
        }
        Action::Grant(args) => grant::give(&queue, &site.layout, context, args),
        Action::Review(args) => review::run(args, &site, context),
        Action::Revoke(args) => grant::revoke(&site.layout, context, args),
        Action::Approve(args) if args.allow => allow(&queue, &site, context, &args.id),
        Action::Approve(args) => answer(&queue, &site, context, &args.id, None),
        Action::Reject(args) => answer(&queue, &site, context, &args.id, Some(args)),
    }
}

/// What each id begins with.
const ID: &str = "ap-";

/// The requests that wait, oldest first: those that somebody can answer here, and those that the host's own prompt asks.
pub(crate) fn open(queue: &FsApprovalQueue) -> Result<Vec<Approval>, CommandError> {
    let now = SystemClock.now();
    let mut approvals = pollster::block_on(queue.list())?;
    approvals.retain(|approval| approval.is_waiting(now));
    Ok(approvals)
}

/// What the screen shows, for programs: the queue, the grants, the reviews, and what keeps calls from being judged.
pub(crate) fn as_the_queue(site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let now = SystemClock.now();
    let trouble = crate::command::judged::trouble(site);
    let mut value = queued(
        &site.layout,
        &open(&FsApprovalQueue::new(site.layout.clone()))?,
        (&grant::live(&site.layout, now)?, &review::waiting(&site.layout, now)?),
        now,
    );
    if let Some(members) = value.as_object_mut() {
        members.insert(
            "trouble".to_owned(),
            json!(trouble.as_ref().map(crate::command::judged::Trouble::as_json)),
        );
    }
    context.terminal.json(&value);
    Ok(if trouble.is_none() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn queued(
    layout: &Layout,
    approvals: &[Approval],
    (grants, reviews): (&[Grant], &[Grant]),
    now: Timestamp,
) -> Value {
    let list: Vec<Value> = approvals.iter().map(|approval| listed(layout, approval)).collect();
    let grants: Vec<Value> = grants.iter().map(|grant| grant::as_json(grant, now)).collect();
    let reviews: Vec<Value> = reviews.iter().map(review::waiting_json).collect();
    json!({ "approvals": list, "grants": grants, "reviews": reviews })
}

/// A request as it stands in this queue now.
fn listed(layout: &Layout, approval: &Approval) -> Value {
    let mut value = as_json(approval);
    if let Some(members) = value.as_object_mut() {
        members.insert("void".to_owned(), json!(void::why(layout, &approval.request)));
    }
    value
}

fn list(queue: &FsApprovalQueue, layout: &Layout, context: &Context) -> Result<ExitCode, CommandError> {
    let (all, now) = (pollster::block_on(queue.list())?, SystemClock.now());
    let unused: Vec<&Approval> = all.iter().filter(|approval| approval.is_unused(now)).collect();
    let approvals: Vec<Approval> = all.iter().filter(|approval| approval.is_waiting(now)).cloned().collect();
    let grants = grant::live(layout, now)?;
    let reviews = review::waiting(layout, now)?;
    if context.json {
        let mut value = queued(layout, &approvals, (&grants, &reviews), now);
        if let Some(members) = value.as_object_mut() {
            members.insert("unused".to_owned(), unused.iter().copied().map(unused::as_json).collect());
        }
        context.terminal.json(&value);
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unread) = uncounted::requests(layout) {
        context.terminal.warning(&unread);
    }
    if approvals.is_empty() {
        context.terminal.say("Nothing waits for an answer.");
    }
    say_all(layout, &approvals, context);
    unused::say(&unused, now, context);
    for grant in &grants {
        context.terminal.say(grant::line(grant, now));
    }
    for grant in &reviews {
        context.terminal.say(hanging(&review::waiting_line(grant), 4));
    }
    Ok(ExitCode::SUCCESS)
}

fn say_all(layout: &Layout, approvals: &[Approval], context: &Context) {
    for approval in approvals {
        let request = &approval.request;
        let what = match request.changed_paths.as_slice() {
            [] => super::asked::object(request),
            paths => inert::line(&paths.join(", ")),
        };
        let intent = request.intent_id.as_ref().map_or("-", bailiwick_domain::IntentId::as_str);
        let line = format!(
            "{HEADING}{}{HEADING:#}  {intent}  {}  {what}  {DIM}{}{DIM:#}{WARN}{}{WARN:#}",
            approval.id.0,
            inert::line(&request.tool),
            inert::line(&asker(request)),
            stands(layout, approval)
        );
        context.terminal.say(hanging(&line, 4));
    }
}

/// What keeps a person from answering it with a yes here, after a gap.
fn stands(layout: &Layout, approval: &Approval) -> String {
    if approval.is_with_host() {
        return format!("  {WITH_HOST}");
    }
    void::why(layout, &approval.request)
        .map(|why| format!("  void: {}", inert::line(&why)))
        .unwrap_or_default()
}

/// What people see of a request that the host's own prompt asks.
pub(crate) const WITH_HOST: &str = "with the host: answer it there";

/// The request with that id, or the one that still means something and whose id begins so.
pub(crate) fn named(queue: &FsApprovalQueue, id: &str) -> Result<Approval, CommandError> {
    if let Some(approval) = pollster::block_on(queue.get(&ApprovalId(id.to_owned())))? {
        return Ok(approval);
    }
    let (mut all, now) = (pollster::block_on(queue.list())?, SystemClock.now());
    let begin = id.strip_prefix(ID).unwrap_or(id);
    all.retain(|approval| {
        let digits = approval.id.0.strip_prefix(ID).unwrap_or(&approval.id.0);
        !begin.is_empty()
            && digits.starts_with(begin)
            && (approval.is_waiting(now) || approval.is_unused(now))
    });
    match all.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(ApprovalError::Unknown(id.to_owned()).into()),
        several => {
            let ids: Vec<&str> = several.iter().map(|approval| approval.id.0.as_str()).collect();
            Err(CommandError::Usage(format!(
                "several requests begin with `{}`: {}",
                inert::line(id),
                ids.join(", ")
            )))
        }
    }
}

/// Answers one request after a `y`: with a yes, or with a no and what the agent is told.
fn answer(
    queue: &FsApprovalQueue,
    site: &Site,
    context: &Context,
    id: &str,
    rejected: Option<&Rejected>,
) -> Result<ExitCode, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("answering an approval"));
    }
    let approval = named(queue, id)?;
    match approval.still_open(SystemClock.now()) {
        Err(ApprovalError::Answered(_)) if rejected.is_some() && approval.is_unused(SystemClock.now()) => {
            return unused::take_back(queue, &approval.id, context);
        }
        open => open?,
    }
    let (answer, style) = match rejected {
        None => (Answer::Approve { by: person() }, GOOD),
        Some(args) => (Answer::Reject { by: person(), feedback: args.message.clone() }, BAD),
    };
    let void = void::why(&site.layout, &approval.request).filter(|_| rejected.is_none());
    show(&context.terminal, &approval);
    for line in super::checks::accepted_with(&site.layout, &approval.request) {
        context.terminal.say(line);
    }
    if let Some(draft) = approval.request.drafted() {
        likely::tell_forgotten(site, &draft, context);
    }
    if let Some(why) = &void {
        let why = inert::line(why);
        context.terminal.warning(&format!("a yes lets nothing through: {why}"));
    }
    let question = if rejected.is_none() { "Approve exactly this?" } else { "Reject this?" };
    let twice = asked_twice(&approval.request).filter(|_| rejected.is_none());
    if !context.terminal.confirm(question) || !confirmed_twice(twice.as_ref(), context) {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    }
    let answered = void::answer(queue, &site.layout, &approval, &answer)?;
    let style = if answered.is_void() { WARN } else { style };
    context.terminal.styled(style, void::became(&answered));
    Ok(ExitCode::SUCCESS)
}

fn asked_twice(request: &ApprovalRequest) -> Option<Twice> {
    Twice::of(request, &Review::of(&request.diff_preview))
}

/// Some need a second answer, in a word that nobody types by habit.
pub(crate) fn confirmed_twice(twice: Option<&Twice>, context: &Context) -> bool {
    twice.is_none_or(|twice| {
        context.terminal.styled(WARN, format_args!("{}", twice.says()));
        let (asks, word) = twice.asks();
        context.terminal.confirm_with(asks, word)
    })
}

/// Allows the command of a request, and approves the request.
fn allow(
    queue: &FsApprovalQueue,
    site: &crate::site::Site,
    context: &Context,
    name: &str,
) -> Result<ExitCode, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("allowing a command"));
    }
    let approval = named(queue, name)?;
    let name = &approval.id.0;
    let Some(command) = approval.request.allows.as_ref().filter(|_| approval.is_open(SystemClock.now()))
    else {
        return Err(CommandError::Other(format!(
            "{name} is not an open request for a command that can be allowed"
        )));
    };
    let yes = Answer::Approve { by: person() };
    refuse_void(&site.layout, &approval)?;
    show(&context.terminal, &approval);
    for (label, text) in super::allow::described(command, approval.request.allowed_files()) {
        context.terminal.say(format_args!("{DIM}{label:<8}{DIM:#}{}", inert::line(&text)));
    }
    context.terminal.say(super::allow::UNCONFINED);
    let shown = command.to_string();
    if !context
        .terminal
        .confirm(&format!("Approve this, and let agents run `{}` without asking?", inert::line(&shown)))
    {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    }
    refuse_void(&site.layout, &approval)?;
    let allowance = super::allow::allow_offered(site, command, approval.request.allowed_files())?;
    void::answer(queue, &site.layout, &approval, &yes)?;
    context.terminal.styled(GOOD, format_args!("{name} approved, {} allowed", allowance.id));
    Ok(ExitCode::SUCCESS)
}

/// Shows a request whole, as inert text, so that nothing in it can hide or move what is read.
pub(crate) fn show(terminal: &Terminal, approval: &Approval) {
    for line in described(approval) {
        terminal.say(line);
    }
}

/// A request as lines for a person.
pub(crate) fn described(approval: &Approval) -> Vec<String> {
    let request = &approval.request;
    let intent = request.intent_id.as_ref().map_or("none", bailiwick_domain::IntentId::as_str);
    let mut lines = vec![
        format!("{HEADING}{}{HEADING:#}  {}", approval.id.0, inert::line(&request.tool)),
        format!("{DIM}intent{DIM:#}  {intent}"),
        format!("{DIM}agent{DIM:#}   {}", fact(&asker(request))),
        format!("{DIM}reason{DIM:#}  {}", fact(&request.reason)),
    ];
    if let Some(mutation) = &request.mutation {
        lines.push(format!("{DIM}change{DIM:#}  {}", fact(&mutation.in_a_line())));
    }
    for path in &request.changed_paths {
        lines.push(format!("{DIM}path{DIM:#}    {}", inert::line(path)));
    }
    lines.push(String::new());
    // In the preview of files only sentences begin with a letter; what a command says stays as it is.
    let is_prose = |line: &str| {
        !request.changed_paths.is_empty() && line.starts_with(|first: char| first.is_ascii_uppercase())
    };
    let shown = |line: String| if is_prose(&line) { hanging(&line, 0) } else { coloured(line) };
    lines.extend(inert::lines(&request.diff_preview).into_iter().map(shown));
    lines.push(String::new());
    lines
}

/// A fact behind its name.
fn fact(text: &str) -> String {
    /// The columns of the name.
    const NAME: usize = 8;
    hanging(&inert::line(text), NAME)
}

/// Who asks and from where: host, session, sub-agent, and the folder that it works in.
fn asker(request: &ApprovalRequest) -> String {
    match request.folder.as_ref().or(request.worktree.as_ref()) {
        Some(folder) => format!("{} in {folder}", crate::command::output::reading::actor(&request.actor)),
        None => crate::command::output::reading::actor(&request.actor),
    }
}

pub(crate) fn coloured(line: String) -> String {
    let style = match line.as_bytes().first() {
        Some(b'+') if !line.starts_with("+++") => GOOD,
        Some(b'-') if !line.starts_with("---") => BAD,
        Some(b'@') => DIM,
        _ => return line,
    };
    format!("{style}{line}{style:#}")
}

/// The published shape of one request.
pub(crate) fn as_json(approval: &Approval) -> Value {
    let request = &approval.request;
    json!({
        "id": approval.id,
        "status": if approval.is_with_host() { "with_host" } else { "open" },
        "kind": request.kind,
        "intent_id": request.intent_id,
        "actor": request.actor.to_string(),
        "asked_by": {
            "host": request.actor.host,
            "session": request.actor.session,
            "agent": request.actor.agent,
            "worktree": request.worktree,
            "folder": request.folder,
        },
        "tool": request.tool,
        "draft": request.draft,
        "offer": request.offer,
        "broad": request.broad,
        "allows": request.allows.as_ref().map(ToString::to_string),
        "changed_paths": request.changed_paths,
        "diff_preview": request.diff_preview,
        "reason": request.reason,
        "mutation": request.mutation,
        "created": approval.created,
        "expires": approval.expires,
    })
}
