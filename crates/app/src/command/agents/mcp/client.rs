//! Who a connection acts for, the gate that judges for it, and its end. A client of the server and one behind a proxy are
//! the same to the gate.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bailiwick_adapters_fs::{
    AgentProcesses, Dialogs, FsApprovalQueue, FsSessionStore, Process, RandomIds, Surfaces, SystemClock,
    calling_client,
};
use bailiwick_adapters_mcp::Stop;
use bailiwick_domain::{
    Actor, Answer, ApprovalQueue, CallId, Clock, IdSource, Params, PortError, ToolCall, ToolError,
};

use crate::approvers::{Awaited, ChannelApprover};
use crate::compose::{Door, HostPlaces, Stores, gate_over};
use crate::gate::{Because, Gate, HostTraits, Outcome};
use crate::map_file;
use crate::refusals::ServedFault;
use crate::site::Site;

/// The host's name in the actor of a client without a hook.
pub(super) const HOST: &str = "mcp";

/// Who takes back what a client asked that is gone, and why.
const CLIENT: &str = "the end of the client";
const GONE: &str = "the client that asked has ended";

/// How long a call waits for a person: less than most clients wait for a tool.
const WAIT: Duration = Duration::from_secs(45);

/// One client's connection.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) site: Site,
    pub(super) actor: Actor,
    /// The client's processes, as they were at the beginning: they may end before it does.
    processes: Vec<Process>,
    next: AtomicU64,
}

impl Client {
    /// One for a client that is these processes.
    pub(super) fn open(site: Site, processes: Vec<Process>) -> Self {
        let id = RandomIds.uuid();
        let session = format!("{}-{}", std::process::id(), id.get(..8).unwrap_or(&id));
        let client = Self { actor: Actor::root(HOST, &session), processes, next: AtomicU64::new(1), site };
        if client.site.is_governed() {
            // Before the client's agent does anything. What cannot be written now is written before a call is judged.
            drop(client.write_down());
        }
        client
    }

    /// Records that this process and its client are an agent's.
    fn write_down(&self) -> Result<(), PortError> {
        AgentProcesses::new(self.site.layout.clone()).record_server(HOST, &self.processes)
    }

    /// Whether there can be anything of it that ends with it.
    fn has_called(&self) -> bool {
        self.site.is_governed() && self.next.load(Ordering::Relaxed) > 1
    }

    /// It is gone, and its calls may still be on their way: what it asked is taken back first.
    pub(super) fn leave(&self) {
        if self.has_called() {
            pollster::block_on(self.take_back_requests());
        }
    }

    /// Its calls are over, and so are its grants.
    pub(super) fn close(&self) {
        if !self.has_called() {
            return;
        }
        let gate = self.gate(HostTraits::default(), &Stop::default());
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

    /// Each call opens its own gate, so that settings count as they are, and nothing that blocks one call is in the way of
    /// the others. A person is asked until the call is stopped.
    pub(super) fn gate(&self, host: HostTraits, stop: &Stop) -> Gate {
        let stop = stop.clone();
        let stores = Stores::open(&self.site);
        let approver = ChannelApprover {
            channel: stores.settings.channel,
            queue: FsApprovalQueue::new(self.site.layout.clone()),
            surfaces: Surfaces::new(self.site.layout.clone()),
            dialogs: (!stores.settings.dialogs.is_empty()).then(|| Dialogs::new(&self.site.layout)),
            // A question in the client proves no person.
            person_at_host: || false,
            until: Some(Instant::now() + WAIT),
            awaited: Awaited::while_true(move || !stop.is_set()),
        };
        let host = HostTraits { hides_output: true, ..host };
        gate_over(stores, &self.site, Door { approver, host, places: HostPlaces::default() })
    }

    /// A call of this client's own actor, under the next id.
    pub(super) fn call(&self, tool: &str, params: Params) -> ToolCall {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        call_of((self.actor.clone(), CallId(format!("call-{number}"))), tool, params)
    }

    /// Why a call may run.
    pub(super) fn judged(&self, gate: &Gate, call: &ToolCall) -> Result<Because, ToolError> {
        self.write_down().map_err(ServedFault::AgentUnrecorded)?;
        match pollster::block_on(gate.pre(call)) {
            // Letting a call through again would do its work again.
            Outcome::Allow(Because::Repeated) => Err(ServedFault::DoneAlready.into()),
            Outcome::Allow(because) => Ok(because),
            Outcome::Block(error) => Err(*error),
            Outcome::WaitForApproval(approval) | Outcome::AskHost(approval) => {
                Err(ServedFault::Waits(&approval.id).into())
            }
        }
    }
}

/// A call as it is judged.
pub(super) fn call_of((actor, id): (Actor, CallId), tool: &str, params: Params) -> ToolCall {
    ToolCall {
        id,
        actor,
        tool: tool.to_owned(),
        params,
        cwd: None,
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}

/// The client of a server that it has started itself.
pub(super) fn caller_of_this() -> Vec<Process> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    calling_client(&words)
}
