//! The door: who acts, the gate that judges, and what its answer means for the call.

use std::time::Duration;

use bailiwick_adapters_fs::{HookPasses, Process, SystemClock};
use bailiwick_adapters_mcp::{Page, SESSION, ServedTools, Stop, command_time, governed_names};
use bailiwick_domain::{Actor, CallId, Clock, Params, ToolCall, ToolError, Value};

use super::client::{Client, call_of};
use super::let_through::Work;
use super::pages;
use crate::approvers::SameConnection;
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::{Because, Gate, HostTraits};
use crate::refusals::ServedFault;
use crate::site::Site;

/// The parameter that says how long a command may run.
const LONGEST: &str = "timeout_ms";

/// One client's connection to the server.
#[derive(Debug)]
pub(super) struct McpDoor {
    client: Client,
    passes: HookPasses,
}

impl McpDoor {
    /// One for a client that is these processes.
    pub(super) fn open(site: Site, client: Vec<Process>) -> Self {
        let passes = HookPasses::new(&site.layout);
        Self { client: Client::open(site, client), passes }
    }

    /// What an own tool says, where a hook changed the state already.
    fn display(&self, name: &str, mut params: Params) -> Result<String, ToolError> {
        let (actor, _) = self.passed(name, &mut params)?;
        let gate = self.showing_gate();
        pollster::block_on(super::super::own_tool::display(&gate, &self.client.site, name, &params, &actor))
    }

    /// For whom a hook let exactly this call pass, and under which id.
    fn passed(&self, name: &str, params: &mut Params) -> Result<(Actor, CallId), ToolError> {
        let given = params.remove(SESSION);
        let pass = given.as_ref().and_then(Value::as_str);
        let pass = pass.and_then(|pass| self.passes.take(pass, (name, &*params), SystemClock.now()));
        pass.ok_or_else(|| ServedFault::SaysWho.into())
    }

    /// A gate that nobody is asked through.
    fn showing_gate(&self) -> Gate {
        let door =
            Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
        gate(&self.client.site, door)
    }

    /// The call as it is judged: for whom a hook's pass says, else for the actor of this connection.
    fn call_of(&self, name: &str, mut params: Params) -> Result<ToolCall, ToolError> {
        let mut call = if says_who(&params) {
            let acts = self.passed(name, &mut params)?;
            call_of(acts, name, params)
        } else {
            params.remove(SESSION);
            self.client.call(name, params)
        };
        // How long it may take says nothing of what it does: a yes holds for any time.
        call.params.remove(LONGEST);
        Ok(call)
    }

    fn judged(&self, call: &ToolCall, limit: Duration, stop: &Stop) -> Result<String, ToolError> {
        let gate = self.client.gate(HostTraits { carries_out: true, ..HostTraits::default() }, stop);
        let work = Work { gate: &gate, site: &self.client.site, call, limit, stop };
        let told = match self.client.judged(&gate, call)? {
            Because::OwnTool { result, .. } => return Ok(result),
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
        pollster::block_on(pages::shown(&self.showing_gate(), &self.client.site, &self.client.actor, page))
    }

    fn leave(&self) {
        self.client.leave();
    }

    fn end(&self) {
        self.client.close();
    }
}

/// Whether the call says for whom it is; nobody but a hook may say it.
fn says_who(params: &Params) -> bool {
    params.get(SESSION).is_some_and(|given| !given.is_null())
}
