//! The door: who acts, the gate that judges, and what its answer means for the call.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{
    AgentProcesses, FsApprovalQueue, FsSessionStore, HookPasses, Process, RandomIds, Surfaces, SystemClock,
    calling_client,
};
use bailiwick_adapters_mcp::{Page, SESSION, ServedTools, Stop, command_time, governed_names};
use bailiwick_domain::{
    Actor, Answer, ApprovalQueue, CallId, Clock, ErrorCode, IdSource, Params, PortError, ToolCall, ToolError,
    Value,
};

use super::let_through::Work;
use super::pages;
use crate::approvers::{ChannelApprover, SameConnection};
use crate::compose::{Door, HostPlaces, Stores, gate, gate_over};
use crate::gate::{Because, Gate, HostTraits, Outcome};
use crate::map_file;
use crate::site::Site;

/// The host's name in the actor of a client without a hook.
pub(super) const HOST: &str = "mcp";

/// Who takes back what a client asked that is gone, and why.
const CLIENT: &str = "the end of the client";
const GONE: &str = "the client that asked has ended";

/// The parameter that says how long a command may run.
const LONGEST: &str = "timeout_ms";

/// How long a call waits for a person: less than most clients wait for a tool.
const WAIT: Duration = Duration::from_secs(45);

/// One client's connection. Each call opens its own gate, so that settings count as they are, and nothing that blocks one
/// call is in the way of the others.
#[derive(Debug)]
pub(super) struct McpDoor {
    site: Site,
    actor: Actor,
    /// The client's processes, as they were at the beginning: they may end before it does.
    client: Vec<Process>,
    passes: HookPasses,
    next: AtomicU64,
}

impl McpDoor {
    /// One for a client that is these processes.
    pub(super) fn open(site: Site, client: Vec<Process>) -> Self {
        let id = RandomIds.uuid();
        let session = format!("{}-{}", std::process::id(), id.get(..8).unwrap_or(&id));
        let passes = HookPasses::new(&site.layout);
        let door = Self { actor: Actor::root(HOST, &session), client, passes, next: AtomicU64::new(1), site };
        if door.site.is_governed() {
            // Before the client's agent does anything. What cannot be written now is written before a call is judged.
            drop(door.write_down());
        }
        door
    }

    /// Records that this process and its client are an agent's.
    fn write_down(&self) -> Result<(), PortError> {
        AgentProcesses::new(self.site.layout.clone()).record_server(HOST, &self.client)
    }

    /// Its calls are over, and so are its grants.
    fn close(&self) {
        if !self.site.is_governed() || self.next.load(Ordering::Relaxed) == 1 {
            return;
        }
        let gate = self.gate();
        pollster::block_on(async {
            // What cannot be settled or ended now is found later.
            drop(gate.settle_session(&self.actor).await);
            if gate.turn_over(&self.actor).await.is_ok_and(|turn| turn.evolved) {
                drop(map_file::follow(&self.site));
            }
            drop(gate.session_over(&self.actor).await);
            self.take_back_requests().await;
        });
        drop(FsSessionStore::new(self.site.layout.clone()).end(&self.actor));
    }

    /// Nobody can use an answer to what this connection asked.
    async fn take_back_requests(&self) {
        let queue = FsApprovalQueue::new(self.site.layout.clone());
        let now = SystemClock.now();
        let open = queue.list().await.unwrap_or_default();
        let own = open.iter().filter(|one| one.is_open(now) && one.request.actor == self.actor);
        for request in own {
            let no = Answer::Reject { by: CLIENT.to_owned(), feedback: Some(GONE.to_owned()) };
            // One that was answered meanwhile stays as it is.
            drop(queue.answer(&request.id, &no, now).await);
        }
    }

    fn gate(&self) -> Gate {
        let stores = Stores::open(&self.site);
        let approver = ChannelApprover {
            channel: stores.settings.channel,
            queue: FsApprovalQueue::new(self.site.layout.clone()),
            surfaces: Surfaces::new(self.site.layout.clone()),
            // A question in the client proves no person.
            person_at_host: || false,
            until: Some(Instant::now() + WAIT),
        };
        let host = HostTraits { keeps_running: true, carries_out: true, ..HostTraits::default() };
        gate_over(stores, &self.site, Door { approver, host, places: HostPlaces::default() })
    }

    /// What an own tool says, where a hook changed the state already.
    fn display(&self, name: &str, mut params: Params) -> Result<String, ToolError> {
        let (actor, _) = self.passed(name, &mut params)?;
        let gate = self.showing_gate();
        pollster::block_on(super::super::own_tool::display(&gate, &self.site, name, &params, &actor))
    }

    /// For whom a hook let exactly this call pass, and under which id.
    fn passed(&self, name: &str, params: &mut Params) -> Result<(Actor, CallId), ToolError> {
        let given = params.remove(SESSION);
        let pass = given.as_ref().and_then(Value::as_str);
        let pass = pass.and_then(|pass| self.passes.take(pass, (name, &*params), SystemClock.now()));
        pass.ok_or_else(not_given)
    }

    /// A gate that nobody is asked through.
    fn showing_gate(&self) -> Gate {
        let door =
            Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
        gate(&self.site, door)
    }

    /// The call as it is judged: for whom a hook's pass says, else for the actor of this connection.
    fn call_of(&self, name: &str, mut params: Params) -> Result<ToolCall, ToolError> {
        let (actor, id) = if says_who(&params) {
            self.passed(name, &mut params)?
        } else {
            params.remove(SESSION);
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            (self.actor.clone(), CallId(format!("call-{number}")))
        };
        // How long it may take says nothing of what it does: a yes holds for any time.
        params.remove(LONGEST);
        Ok(ToolCall {
            id,
            actor,
            tool: name.to_owned(),
            params,
            cwd: None,
            intent_id: None,
            read_hash: None,
            requirement_ids: Vec::new(),
        })
    }

    fn judged(&self, call: &ToolCall, limit: Duration, stop: &Stop) -> Result<String, ToolError> {
        self.write_down().map_err(|error| ToolError::new(ErrorCode::LedgerUnavailable, error.to_string()))?;
        let gate = self.gate();
        let work = Work { gate: &gate, site: &self.site, call, limit, stop };
        let because = match pollster::block_on(gate.pre(call)) {
            Outcome::Allow(because) => because,
            Outcome::Block(error) => return Err(*error),
            Outcome::WaitForApproval(approval) | Outcome::AskHost(approval) => {
                let message = format!("{} waits for a human and cannot be answered here", approval.id.0);
                return Err(ToolError::new(ErrorCode::ApprovalPending, message));
            }
        };
        let told = match because {
            Because::OwnTool { result, .. } => return Ok(result),
            // The server is what carries a call out: letting it through again would do the work again.
            Because::Repeated => return Err(done_already()),
            Because::Paused(pause) => Some(pause.told()),
            _ => None,
        };
        let text = pollster::block_on(work.done())?;
        Ok(told.map_or_else(|| text.clone(), |told| format!("{told}\n\n{text}")))
    }
}

impl ServedTools for McpDoor {
    fn call(&self, name: &str, params: Params, stop: &Stop) -> Result<String, ToolError> {
        let is_own = !governed_names().any(|governed| governed == name);
        if is_own && says_who(&params) {
            return self.display(name, params);
        }
        let limit = command_time(name, &params);
        let call = self.call_of(name, params)?;
        self.judged(&call, limit, stop)
    }

    fn show(&self, page: &Page) -> Result<String, ToolError> {
        pollster::block_on(pages::shown(&self.showing_gate(), &self.site, &self.actor, page))
    }

    fn end(&self) {
        self.close();
    }
}

/// The client of a server that it has started itself.
pub(super) fn caller_of_this() -> Vec<Process> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    calling_client(&words)
}

/// Whether the call says for whom it is; nobody but a hook may say it.
fn says_who(params: &Params) -> bool {
    params.get(SESSION).is_some_and(|given| !given.is_null())
}

fn done_already() -> ToolError {
    ToolError::new(
        ErrorCode::MalformedCall,
        "Malformed call: this call is under way or was carried out already",
    )
    .with_suggestion("Wait for its answer. To do it again, send a new call.")
}

fn not_given() -> ToolError {
    let message =
        "Malformed call: `session` is not what the gate filled in for this call, or this call came already";
    ToolError::new(ErrorCode::MalformedCall, message)
        .with_suggestion("Leave `session` out; the gate fills it in.")
}
