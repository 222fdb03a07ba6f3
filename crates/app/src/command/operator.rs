//! Who may run the commands that are for people: nobody below a governed agent.
//!
//! Until commands run confined this is no boundary against a hostile process of the same user; it keeps an agent from
//! answering its own request by running a command.

use bailiwick_adapters_fs::AgentProcesses;

use super::{CommandError, Context};

/// Variables that hosts set in the shells they give to agents.
const MARKS: &[&str] = &["CLAUDECODE"];

pub(super) fn require(context: &Context) -> Result<(), CommandError> {
    if let Some(mark) =
        MARKS.iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
    {
        return Err(CommandError::BelowAgent(format!("{mark} is set")));
    }
    let site = context.place()?;
    match AgentProcesses::new(site.layout).governed_ancestor() {
        Some(agent) => Err(CommandError::BelowAgent(format!("process {}", agent.pid))),
        None => Ok(()),
    }
}
