//! `bailiwick gate`: the neutral wire, for a host of your own in any language.
//!
//! Answers carry the request's `id`. A person runs the program on this wire, so it may resolve what it asked.

mod in_time;
mod review;

use std::io::{BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::FsPolicySource;
use bailiwick_adapters_hooks::{MAX_EVENT_BYTES, strict_json};
use bailiwick_domain::{
    Actor, Answer, ApprovalId, CallId, ContentHash, ErrorCode, GrantBounds, IntentId, Params, Settings,
    Showed, ToolCall, ToolError, ToolResult, Value, json,
};

use serde::Deserialize;

use crate::approvers::SameConnection;
use crate::command::{CommandError, Context};
use crate::compose::{Door, HostPlaces, Stores, gate_over, restorer, settings};
use crate::gate::{Because, Gate, HostTraits, Outcome};
use crate::map_file;
use crate::refusals::RequestFault;
use crate::restore::Restorer;
use crate::site::Site;

/// The actor's host on this wire; never that of a hooked agent, so that no approval crosses over.
const HOST: &str = "gate";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let mut wired = Some(Wired::open(&site));
    std::panic::set_hook(Box::new(|_| {}));
    in_time::serve(
        std::io::stdin().lock(),
        std::io::stdout().lock(),
        LIMIT,
        |input, line| read_line(input, line).map_err(|source| CommandError::io("standard input", source)),
        |line| answered(&mut wired, &site, line),
        late,
        |source| CommandError::io("standard output", source),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// How long a request may take; nothing on this wire waits for a person.
const LIMIT: Duration = Duration::from_secs(60);

/// The answer to one line; a fault of the gate is a refusal.
fn answered(wired: &mut Option<Wired>, site: &Site, line: &[u8]) -> String {
    let now = match wired.take() {
        Some(before) => before.follow(site),
        None => Wired::open(site),
    };
    let restorer = restorer(site, &now.gate);
    let text =
        catch_unwind(AssertUnwindSafe(|| pollster::block_on(answer(&now.gate, &restorer, site, line))))
            .unwrap_or_else(|_| refused(&RequestFault::Panic.into()))
            .to_string();
    drop(restorer);
    *wired = Some(now);
    text
}

/// The answer to a request that takes too long.
fn late(line: &[u8]) -> String {
    said_of(line, &RequestFault::Late(LIMIT.as_secs()).into())
}

/// A refusal outside of what the gate itself answers.
fn said_of(line: &[u8], error: &ToolError) -> String {
    let mut answer = refused(error);
    if let (Value::Object(fields), Ok(Value::Object(request))) = (&mut answer, strict_json(line)) {
        fields.insert("id".to_owned(), request.get("id").cloned().unwrap_or(Value::Null));
    }
    answer.to_string()
}

/// The gate of this connection, with the settings that it was built with.
struct Wired {
    gate: Gate,
    settings: Settings,
}

impl Wired {
    fn open(site: &Site) -> Self {
        let stores = Stores::open(site);
        let settings = stores.settings.clone();
        let host = HostTraits { hides_output: true, ..HostTraits::default() };
        let door = Door { approver: SameConnection, host, places: HostPlaces::default() };
        let gate = gate_over(stores, site, door);
        Self { gate, settings }
    }

    /// The same connection under the settings as they are now: a long one must not outlive them.
    fn follow(self, site: &Site) -> Self {
        let now = settings(&FsPolicySource::new(site.layout.clone()));
        if now == self.settings {
            return self;
        }
        let fresh = Self::open(site);
        Self { gate: fresh.gate.in_place_of(self.gate), ..fresh }
    }
}

/// The next line without its end. Of an overlong one a byte too many is kept, by which it is refused, and the rest is
/// passed over.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let most = u64::try_from(MAX_EVENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let read = input.by_ref().take(most).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAX_EVENT_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

async fn answer(gate: &Gate, restorer: &Restorer<'_>, site: &Site, line: &[u8]) -> Value {
    let request = match strict_json(line) {
        Ok(Value::Object(request)) => request,
        Ok(_) => return refused(&RequestFault::NoObject.into()),
        Err(fault) => return refused(&RequestFault::NoJson(fault.to_string()).into()),
    };
    let id = request.get("id").cloned().unwrap_or(Value::Null);
    let mut answer = match phase(gate, restorer, site, &request).await {
        Ok(answer) => answer,
        Err(error) => refused(&error),
    };
    if let Value::Object(fields) = &mut answer {
        fields.insert("id".to_owned(), id);
    }
    answer
}

async fn phase(
    gate: &Gate,
    restorer: &Restorer<'_>,
    site: &Site,
    request: &Params,
) -> Result<Value, ToolError> {
    let actor = actor(request)?;
    match text(request, "phase") {
        Some("prompt") => {
            gate.settle(&actor).await?;
            if gate.turn_over(&actor).await?.evolved {
                let _ = map_file::follow(site);
            }
            let state = gate.prompt(&actor, false).await?;
            let context = crate::handshake::told(gate, "").await;
            Ok(json!({"action": "allow", "context": context, "state": state.state, "hint": state.hint}))
        }
        Some("pre") => Ok(said(gate.pre(&call(request, actor)?).await)),
        Some("resolve") => resolve(gate, request).await,
        Some("post") => post(gate, request, actor).await,
        Some("review") => review::answer(restorer, request).await,
        Some("status") => status(gate, &actor).await,
        other => Err(RequestFault::Phase(other).into()),
    }
}

async fn resolve(gate: &Gate, request: &Params) -> Result<Value, ToolError> {
    let id = text(request, "approvalId").ok_or(RequestFault::Missing("approvalId"))?;
    let by = text(request, "approver").unwrap_or("gate").to_owned();
    let feedback = text(request, "feedback").map(str::to_owned);
    // Only the positive word approves.
    let answer = match text(request, "decision") {
        Some("approve") => Answer::Approve { by },
        Some("grant") => Answer::Grant { by, bounds: bounds(request)? },
        _ => Answer::Reject { by, feedback },
    };
    Ok(said(gate.resolve(&ApprovalId(id.to_owned()), answer).await))
}

/// The bounds of a grant; what is not named is as offered. Bounds that are none answer nothing.
fn bounds(request: &Params) -> Result<GrantBounds, ToolError> {
    match request.get("bounds") {
        None | Some(Value::Null) => Ok(GrantBounds::default()),
        Some(given @ Value::Object(_)) => GrantBounds::deserialize(given)
            .map_err(|error| RequestFault::Unread("`bounds` are not the bounds of a grant", error).into()),
        Some(_) => Err(RequestFault::Not("bounds", "an object").into()),
    }
}

async fn post(gate: &Gate, request: &Params, actor: Actor) -> Result<Value, ToolError> {
    let ok =
        request.get("result").and_then(|result| result.get("ok")).and_then(Value::as_bool).unwrap_or(false);
    let result = ToolResult { ok, showed: showed(request)? };
    let report = gate.post(&call(request, actor)?, &result).await?;
    Ok(json!({"action": "recorded", "traceIds": report.trace_ids, "observations": report.observations}))
}

/// What the tool showed, where the host tells.
fn showed(request: &Params) -> Result<Option<Showed>, ToolError> {
    match request.get("result").and_then(|result| result.get("showed")) {
        None | Some(Value::Null) => Ok(None),
        Some(told) => Showed::deserialize(told)
            .map(Some)
            .map_err(|error| RequestFault::Unread("`result.showed` is not what a tool shows", error).into()),
    }
}

async fn status(gate: &Gate, actor: &Actor) -> Result<Value, ToolError> {
    let status = gate.status(actor).await?;
    let open: Vec<Value> = status.open.iter().map(crate::command::answers::approval::as_json).collect();
    Ok(json!({
        "action": "status",
        "health": status.health,
        "paused": status.pause,
        "state": status.actor.state,
        "activeIntent": status.actor.active.as_ref().map(|active| &active.id),
        "scope": status.intent.as_ref().map(bailiwick_domain::Intent::owned_scope),
        "pendingApprovals": open,
    }))
}

fn said(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Allow(Because::OwnTool { result, .. }) => json!({"action": "allow", "result": result}),
        Outcome::Allow(Because::Approved { approval, by }) => {
            json!({"action": "allow", "approvalId": approval, "approver": by})
        }
        Outcome::Allow(Because::Paused(pause)) => {
            json!({"action": "allow", "paused": {"by": pause.by, "until": pause.until}, "context": pause.told()})
        }
        Outcome::Allow(Because::Granted { grant, by }) => {
            json!({"action": "allow", "grant": grant, "approver": by})
        }
        Outcome::Allow(Because::Allowed { allowance, by }) => {
            json!({"action": "allow", "allowance": allowance, "approver": by})
        }
        Outcome::Allow(Because::Safe | Because::Repeated) => json!({"action": "allow"}),
        Outcome::Block(error) => refused(&error),
        Outcome::WaitForApproval(approval) | Outcome::AskHost(approval) => {
            let request = &approval.request;
            json!({
                "action": "waitForApproval",
                "approvalId": approval.id,
                "request": {
                    "intent_id": request.intent_id,
                    "tool": request.tool,
                    "changed_paths": request.changed_paths,
                    "diff_preview": request.diff_preview,
                    "reason": request.reason,
                    "kind": request.kind,
                    "fingerprint": request.fingerprint,
                    "mutation": request.mutation,
                    "offer": request.offer,
                    "broad": request.broad,
                },
            })
        }
    }
}

fn refused(error: &ToolError) -> Value {
    let mut answer = json!({"action": "block", "error": error});
    if error.code() == ErrorCode::Quarantined
        && let Value::Object(fields) = &mut answer
    {
        fields.insert("halt".to_owned(), Value::Bool(true));
    }
    answer
}

fn actor(request: &Params) -> Result<Actor, ToolError> {
    match request.get("userSessionId") {
        None | Some(Value::Null) => Ok(Actor::root(HOST, "default")),
        Some(Value::String(session)) if !session.is_empty() => Ok(Actor::root(HOST, session)),
        Some(Value::String(_)) => Err(RequestFault::Empty("userSessionId").into()),
        Some(_) => Err(RequestFault::Not("userSessionId", "a string").into()),
    }
}

fn call(request: &Params, actor: Actor) -> Result<ToolCall, ToolError> {
    let tool =
        text(request, "toolName").filter(|name| !name.is_empty()).ok_or(RequestFault::Missing("toolName"))?;
    let params = match request.get("params") {
        None | Some(Value::Null) => Params::new(),
        Some(Value::Object(params)) => params.clone(),
        Some(_) => return Err(RequestFault::Not("params", "an object").into()),
    };
    Ok(ToolCall {
        id: call_id(request, tool, &params)?,
        actor,
        tool: tool.to_owned(),
        params,
        cwd: optional(request, "cwd")?.map(str::to_owned),
        intent_id: named_intent(request)?,
        read_hash: claimed_hash(request)?,
        requirement_ids: requirement_ids(request)?,
    })
}

/// Calls without an id get one from what they are, so that their post event finds them.
fn call_id(request: &Params, tool: &str, params: &Params) -> Result<CallId, ToolError> {
    if let Some(id) = optional(request, "toolCallId")? {
        return Ok(CallId(id.to_owned()));
    }
    let params = bailiwick_domain::canonical_json(&Value::Object(params.clone()));
    Ok(CallId::made_up(&ContentHash::of(format!("{tool}\0{params}").as_bytes())))
}

fn named_intent(request: &Params) -> Result<Option<IntentId>, ToolError> {
    let named = optional(request, "intentId")?.filter(|name| !name.is_empty());
    named
        .map(|name| IntentId::new(name).map_err(|error| RequestFault::Name(error.to_string()).into()))
        .transpose()
}

fn claimed_hash(request: &Params) -> Result<Option<ContentHash>, ToolError> {
    let claimed = optional(request, "readHash")?.filter(|hash| !hash.is_empty());
    claimed
        .map(|hash| {
            ContentHash::parse(hash)
                .ok_or_else(|| RequestFault::Not("readHash", "`sha256:` and 64 digits").into())
        })
        .transpose()
}

fn requirement_ids(request: &Params) -> Result<Vec<String>, ToolError> {
    match request.get("requirementIds") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(ids)) => ids
            .iter()
            .map(|id| {
                id.as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| RequestFault::Holds("requirementIds", "not a string").into())
            })
            .collect(),
        Some(_) => Err(RequestFault::Not("requirementIds", "a list").into()),
    }
}

/// A text that need not be there. Another value is no request, since ignoring it would ask something else.
fn optional<'a>(request: &'a Params, key: &'static str) -> Result<Option<&'a str>, ToolError> {
    match request.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(RequestFault::Not(key, "a string").into()),
    }
}

fn text<'a>(request: &'a Params, key: &str) -> Option<&'a str> {
    request.get(key).and_then(Value::as_str)
}
