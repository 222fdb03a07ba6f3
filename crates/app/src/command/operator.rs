//! Who may run the commands that are for people: nobody below a governed agent.
//!
//! Until commands run confined this is no boundary against a hostile process of the same user; it keeps an agent from
//! answering its own request by running a command.

use bailiwick_adapters_fs::{AgentProcesses, Process};

use super::{CommandError, Context};
use crate::inert;

/// The host of clients of our server.
const HOST: &str = "mcp";

/// Variables that hosts set in the shells they give to agents.
const MARKS: &[&str] = &["CLAUDECODE"];

pub(super) fn require(context: &Context) -> Result<(), CommandError> {
    if let Some(mark) =
        MARKS.iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
    {
        return Err(CommandError::BelowAgent(format!("{mark} is set")));
    }
    let site = context.place()?;
    let agents = AgentProcesses::new(site.layout);
    match agents.governed_ancestor() {
        Some(agent) => Err(CommandError::BelowAgent(told(&agent, agents.host_of(&agent).as_deref()))),
        None => Ok(()),
    }
}

/// Names the process, and says why it counts as an agent.
fn told(agent: &Process, host: Option<&str>) -> String {
    let name = inert::line(&agent.name);
    let why = match host {
        Some(HOST) => ", of a client of `bailiwick mcp`".to_owned(),
        Some(host) => format!(", of {}", inert::line(host)),
        None => String::new(),
    };
    format!("`{name}`, process {}{why}", agent.pid)
}
