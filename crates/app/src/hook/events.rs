//! What each event of a host means to the gate.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Duration;

use bailiwick_adapters_fs::{AgentProcesses, Dialogs, FsApprovalQueue, Layout, Surfaces};
use bailiwick_adapters_hooks::{EventKind, Host, HostEvent, PermissionMode, Reply, SERVED_TOOLS};
use bailiwick_domain::{
    Approval, CallId, Classification, EditRules, HANDSHAKE_SENTENCE, Params, ToolCall, ToolError, ToolResult,
    Value,
};

use bailiwick_policy::registry;

use super::arguments::Arguments;
use super::deadline::Deadline;
use super::proved::{load_check, own_hook, own_server, sub_agents};
use super::{elsewhere, errands, log, person, prompts, settings_change, stop};
use crate::approvers::{Awaited, ChannelApprover};
use crate::compose::{Door, HostPlaces, Stores, gate_over};
use crate::gate::{Because, Gate, HostTraits, Outcome};
use crate::handshake;
use crate::install_record::InstallRecord;
use crate::lessons::of_agents;
use crate::refusals::EventFault;
use crate::site::Site;

/// What a call still needs after somebody has answered: to be decided again, and to be written down.
const AFTER_AN_ANSWER: Duration = Duration::from_secs(6);

/// Answers one event. Whatever goes wrong before a call comes out as a denial, after it as a note.
pub(super) fn reply(arguments: &Arguments, deadline: Deadline, event: &HostEvent, bytes: &[u8]) -> Reply {
    if matches!(event.kind, EventKind::Other) {
        return Reply::NoOpinion;
    }
    let found = site(arguments, event);
    let is_governed = arguments.governed || found.as_ref().is_some_and(Site::is_governed);
    if !is_governed {
        return elsewhere::reply(arguments, event, found.as_ref()).unwrap_or(Reply::NoOpinion);
    }
    let Some(site) = found else { return no_root(event) };
    if matches!(event.kind, EventKind::LoadCheck) {
        return load_check::reply(arguments.host, event, &site);
    }
    if own_hook::judges(arguments.host, event, bytes, &site) {
        return Reply::NoOpinion;
    }
    if matches!(event.kind, EventKind::Prompt { injected: false, .. }) {
        prompts::forget(&site, &event.actor);
    }
    if let Err(error) = write_down(arguments, event, &site) {
        log::denied(event, &site, &error);
        return at_root(failed(event, error), &site);
    }
    if let Some(reply) = own_server::passed(arguments.host, event, &site.layout) {
        sub_agents::note(arguments.host, event, &site.layout);
        return reply;
    }
    // The process ends with the answer: taking the gate apart again would be work for nobody.
    let gate = ManuallyDrop::new(door(arguments, deadline, event, &site));
    at_root(pollster::block_on(answer(arguments, deadline, event, &site, &gate)), &site)
}

/// A refusal whose way out is a command shows that command whole, so that a person can copy it.
fn at_root(reply: Reply, site: &Site) -> Reply {
    const PLAIN: &str = "`bailiwick uninstall`";
    match reply {
        Reply::Deny(error) if error.suggestion().contains(PLAIN) => {
            let team = site.layout.orchestration().join("launch").exists();
            let shared = if team { " --shared" } else { "" };
            let whole = format!("`cd {} && bailiwick uninstall{shared}`", site.layout.root().display());
            let suggestion = error.suggestion().replace(PLAIN, &whole);
            Reply::Deny(Box::new(error.with_suggestion(suggestion)))
        }
        other => other,
    }
}

/// Records which process the agent is, so that nothing below it can run the commands that are for people. Calls that
/// the registry knows as safe start no process, so they need not pay for it.
fn write_down(arguments: &Arguments, event: &HostEvent, site: &Site) -> Result<(), ToolError> {
    load_check::note(arguments.host, event, site).map_err(EventFault::AgentUnrecorded)?;
    let starts_nothing = match &event.kind {
        EventKind::Pre { call, .. } => {
            let tool = registry::in_call(registry::classify(&call.tool, &BTreeMap::new()), &call.params);
            tool.class == Classification::Safe && registry::extras(&tool.canonical, &call.params).is_empty()
        }
        EventKind::Prompt { .. } | EventKind::SessionStart { .. } | EventKind::SubagentStart => false,
        _ => true,
    };
    if starts_nothing {
        return Ok(());
    }
    AgentProcesses::new(site.layout.clone())
        .record(arguments.host.profile.name)
        .map_err(|error| EventFault::AgentUnrecorded(error).into())
}

fn site(arguments: &Arguments, event: &HostEvent) -> Option<Site> {
    let project = project(arguments, event);
    let cwd = event.cwd.as_ref().map(PathBuf::from).filter(|path| path.is_absolute());
    let target = target(event);
    Site::of_call(project.as_deref(), cwd.as_deref(), target.as_deref(), arguments.state.clone())
}

/// The project's folder, as the host tells it.
fn project(arguments: &Arguments, event: &HostEvent) -> Option<PathBuf> {
    let variable =
        || arguments.host.profile.project_dir_variable.and_then(std::env::var_os).map(PathBuf::from);
    let told = event.project_dir.as_ref().map(PathBuf::from);
    told.or_else(variable).filter(|path| path.is_absolute())
}

/// The first path of a call, to find the working copy that it is about.
fn target(event: &HostEvent) -> Option<PathBuf> {
    let params = match &event.kind {
        EventKind::Pre { call, .. } => &call.params,
        EventKind::Post { params, .. } => params,
        _ => return None,
    };
    let named = ["file_path", "filePath", "notebook_path", "path"]
        .iter()
        .find_map(|key| params.get(*key).and_then(Value::as_str));
    named.map(PathBuf::from).filter(|path| path.is_absolute())
}

fn no_root(event: &HostEvent) -> Reply {
    let place = event.project_dir.as_deref().or(event.cwd.as_deref()).unwrap_or(".");
    failed(event, EventFault::NoRoot { place }.into())
}

fn failed(event: &HostEvent, error: ToolError) -> Reply {
    match event.kind {
        EventKind::Pre { .. } | EventKind::LoadCheck => Reply::deny(error),
        EventKind::Prompt { .. } | EventKind::SessionStart { .. } | EventKind::Post { .. } => {
            Reply::Context(format!("Bailiwick: {}", error.to_json()))
        }
        _ => Reply::NoOpinion,
    }
}

fn door(arguments: &Arguments, deadline: Deadline, event: &HostEvent, site: &Site) -> Gate {
    let permission_mode = match &event.kind {
        EventKind::Pre { permission_mode, .. } => *permission_mode,
        _ => PermissionMode::Unknown,
    };
    let stores = Stores::open(site);
    let approver = ChannelApprover {
        channel: stores.settings.channel,
        queue: FsApprovalQueue::new(site.layout.clone()),
        surfaces: Surfaces::new(site.layout.clone()),
        dialogs: (!stores.settings.dialogs.is_empty()).then(|| Dialogs::new(&site.layout)),
        person_at_host: if arguments.host.profile.asks { person::look(permission_mode) } else { || false },
        until: Some(deadline.less(AFTER_AN_ANSWER)),
        awaited: Awaited::always(),
    };
    let places = HostPlaces {
        scratch: arguments.scratch(site.layout.root(), || own_folder(arguments, event, site)),
        prints: prints(arguments, event, site),
    };
    let host = HostTraits {
        hooks_subagents: sub_agents::are_hooked(arguments.host, event, &site.layout),
        own_server_proved: own_server::is_proved(arguments.host, event, &site.layout),
        edits: edit_rules(arguments.host, event),
        keeps_shell: arguments.host.profile.keeps_shell,
        hides_output: arguments.host.profile.hides_output,
        tells_early: arguments.host.profile.tells_early,
        carries_out: false,
    };
    gate_over(stores, site, Door { approver, host, places })
}

/// Where commands of this session print: below a folder of the project that the host was started in.
fn prints(arguments: &Arguments, event: &HostEvent, site: &Site) -> Vec<PathBuf> {
    let started_in = project(arguments, event).filter(|project| project != site.layout.root());
    let projects = [Some(site.layout.root().to_owned()), started_in];
    let end = |project: PathBuf| {
        (arguments.host.profile.prints)(crate::user_state::user_id(), &project, &event.actor.session)
    };
    projects.into_iter().flatten().filter_map(end).collect()
}

/// How the host's tools write, by the version that it tells its hooks.
fn edit_rules(host: &Host, event: &HostEvent) -> EditRules {
    let tool = match &event.kind {
        EventKind::Pre { call, .. } => &call.tool,
        EventKind::Post { tool, .. } => tool,
        _ => "",
    };
    let told = host.edits.and_then(|edits| edits.told).and_then(|by| std::env::var(by.variable).ok());
    host.edit_rules(tool, told.as_deref())
}

/// The host's own folder as `init` has written it down here, for the hooks of a team. Looked up only for calls that
/// name a file outside the root.
fn own_folder(arguments: &Arguments, event: &HostEvent, site: &Site) -> Option<PathBuf> {
    target(event).filter(|path| !path.starts_with(site.layout.root()))?;
    InstallRecord::read(&site.layout, arguments.host.profile.name)?.config
}

async fn answer(
    arguments: &Arguments,
    deadline: Deadline,
    event: &HostEvent,
    site: &Site,
    gate: &Gate,
) -> Reply {
    let actor = &event.actor;
    match &event.kind {
        EventKind::Pre { call, .. } => {
            sub_agents::note(arguments.host, event, &site.layout);
            pre(arguments, gate, call, &site.layout).await
        }
        EventKind::Post { call_id, tool, params, ok, showed, failure, amended_by_human } => {
            let call = after_call(arguments, event, call_id, tool, params);
            let result = ToolResult { ok: *ok, showed: showed.clone() };
            let reply = noted(gate.post_amended(&call, &result, *amended_by_human).await);
            of_agents::note(gate, site, &call, &result, failure.as_deref()).await;
            reply
        }
        EventKind::Prompt { injected, prompt } => {
            let settled = gate.settle(actor).await.map(drop);
            let injected = *injected || errands::are_open(arguments.host, actor, &site.layout);
            if !injected {
                stop::turn_over(gate, actor, site).await;
            }
            match gate.prompt(actor, injected).await {
                Ok(_) if injected => noted(settled),
                Ok(state) => {
                    prompts::keep(gate, site, actor, prompt).await;
                    let broken = handshake::broken(gate).await;
                    with_pause(gate, broken.unwrap_or_else(|| reminder(state.hint.as_ref()))).await
                }
                Err(error) => failed(event, error),
            }
        }
        EventKind::SessionStart { model, .. } => {
            let started = gate.session_started(actor, model.clone()).await;
            match started {
                Ok(()) => with_pause(gate, handshake::told(gate, SERVED_TOOLS).await).await,
                Err(error) => failed(event, error),
            }
        }
        EventKind::SubagentStart => {
            errands::begin(arguments.host, actor, &site.layout);
            with_pause(gate, handshake::told(gate, SERVED_TOOLS).await).await
        }
        EventKind::PostBatch { calls } => {
            let _ = gate.settle(actor).await;
            let _ = gate.adopt_behind(calls).await;
            Reply::NoOpinion
        }
        EventKind::Stop { .. } => {
            errands::forget(arguments.host, actor, &site.layout);
            stop::reply(gate, site, actor, deadline, stop::LONGEST_OF_A_TURN).await
        }
        EventKind::SubagentStop { .. } => {
            errands::end(arguments.host, actor, &site.layout);
            stop::reply(gate, site, actor, deadline, stop::LONGEST_OF_AN_ERRAND).await
        }
        EventKind::SessionEnd => {
            errands::forget(arguments.host, actor, &site.layout);
            let _ = gate.settle_session(actor).await;
            stop::turn_over(gate, actor, site).await;
            let _ = gate.session_over(actor).await;
            prompts::forget(site, actor);
            Reply::NoOpinion
        }
        EventKind::ConfigChange { path } => {
            settings_change::reply(arguments.host, event, path.as_deref(), &site.layout, gate).await
        }
        EventKind::LoadCheck | EventKind::Other => Reply::NoOpinion,
    }
}

/// What an agent is told, and that a person paused the gate, if so.
async fn with_pause(gate: &Gate, text: String) -> Reply {
    match gate.pausing().pause_in_force().await {
        Some(pause) => Reply::Context(format!("{}\n\n{text}", pause.told())),
        None => Reply::Context(text),
    }
}

fn noted<T>(result: Result<T, ToolError>) -> Reply {
    match result {
        Ok(_) => Reply::NoOpinion,
        Err(error) => Reply::Context(format!("Bailiwick could not record this call: {}", error.to_json())),
    }
}

async fn pre(arguments: &Arguments, gate: &Gate, call: &ToolCall, layout: &Layout) -> Reply {
    let judged = ToolCall { params: arguments.host.judged_params(&call.tool, &call.params), ..call.clone() };
    match gate.pre(&judged).await {
        Outcome::Allow(Because::Paused(pause)) => Reply::Context(pause.told()),
        Outcome::Allow(Because::OwnTool { name, .. }) => own_tool(arguments.host, call, &name, layout),
        Outcome::Allow(because) => pinned(arguments.host, call, passed(because)),
        Outcome::Block(error) => Reply::Deny(error),
        Outcome::AskHost(approval) | Outcome::WaitForApproval(approval) => {
            Reply::Ask { reason: question(&approval) }
        }
    }
}

/// A call that may run, as exactly the call that was judged.
fn pinned(host: &Host, call: &ToolCall, reply: Reply) -> Reply {
    match (reply, (host.pinned)(call)) {
        (Reply::NoOpinion, Some(params)) => Reply::AllowRewritten { params, reason: String::new() },
        (Reply::Allow { reason }, Some(params)) => Reply::AllowRewritten { params, reason },
        (reply, _) => reply,
    }
}

/// Why a call passed, for the person.
fn passed(because: Because) -> Reply {
    match because {
        Because::Safe | Because::Paused(_) | Because::OwnTool { .. } => Reply::NoOpinion,
        Because::Approved { by, .. } => Reply::Allow { reason: format!("approved by {by} in Bailiwick") },
        Because::Granted { grant, by } => {
            Reply::Allow { reason: format!("covered by {grant}, given by {by} in Bailiwick") }
        }
        Because::Allowed { allowance, by } => {
            Reply::Allow { reason: format!("{allowance}: {by} trusts this command") }
        }
        Because::Repeated => Reply::Allow { reason: "approved before in Bailiwick".to_owned() },
    }
}

/// Lets the display of an own tool know whose answer to show.
fn own_tool(host: &Host, call: &ToolCall, name: &str, layout: &Layout) -> Reply {
    let mut params: Params = call.params.clone();
    let reason = format!("{name} is Bailiwick's own tool");
    if let Some(command) = params.get("command") {
        let whole = command.as_str().and_then(at_this_program).filter(|_| (host.pinned)(call).is_some());
        let Some(whole) = whole else { return Reply::Allow { reason } };
        params.insert("command".to_owned(), whole.into());
        return Reply::AllowRewritten { params, reason };
    }
    own_server::with_pass(call, name, layout, reason)
}

/// A command of the gate's own with this program in it, which need not be on the search path of the agent's shell.
fn at_this_program(command: &str) -> Option<String> {
    let rest = command.strip_prefix("bailiwick ")?;
    let program = std::env::current_exe().ok()?;
    Some(format!("'{}' {rest}", program.to_str()?.replace('\'', r"'\''")))
}

/// The most of a request that the host's own prompt shows, in bytes; it cuts longer reasons itself, at their end only.
const MAX_QUESTION: usize = 6_000;

/// What the host's own prompt can show of the request: inert, and when it is long both of its ends, so that
/// nothing hides in it.
fn question(approval: &Approval) -> String {
    let request = &approval.request;
    let intent = request.intent_id.as_ref().map_or("none", bailiwick_domain::IntentId::as_str);
    let text = format!(
        "Bailiwick asks. Intent: {intent}. {}{}\nPaths: {}\n{}",
        request.reason,
        request.mutation.as_ref().map(|mutation| format!("\n{}", mutation.in_a_line())).unwrap_or_default(),
        request.changed_paths.join(", "),
        request.diff_preview
    );
    crate::inert::both_ends(&crate::inert::lines(&text).join("\n"), MAX_QUESTION)
}

fn reminder(hint: Option<&bailiwick_domain::IntentId>) -> String {
    let previous = hint
        .map(|id| format!(" The previous intent was {id}; select it again if this request belongs to it."))
        .unwrap_or_default();
    format!("{HANDSHAKE_SENTENCE} Select one with select_active_intent before the first change.{previous}")
}

fn after_call(
    arguments: &Arguments,
    event: &HostEvent,
    id: &CallId,
    tool: &str,
    params: &Params,
) -> ToolCall {
    ToolCall {
        id: id.clone(),
        actor: event.actor.clone(),
        tool: tool.to_owned(),
        params: arguments.host.judged_params(tool, params),
        cwd: event.cwd.clone(),
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}
