//! `bailiwick acp`: stands between an editor and its agent that speak the Agent Client Protocol.
//!
//! One more surface on the stored queue: a hook below it hands its question over, and the editor shows it as a request for
//! permission. Whatever judges is the hook inside the agent. Deliberately absent: verdicts, and another queue.

mod desk;
mod places;
mod told;

use std::process::ExitCode;
use std::sync::Arc;

use bailiwick_adapters_acp::{AcpEnd, serve_acp};

use crate::command::{CommandError, Context};
use desk::AcpDesk;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Your editor starts this in place of the agent. Messages pass as they are; the hooks inside the agent \
judge its calls, so set them up with `bailiwick init` first. Questions stay in the queue until you \
turn the editor's own dialog on: name the editor in .orchestration/config.yaml, then run `bailiwick \
config accept`:

  approval: { dialogs: [zed] }

Examples:
  bailiwick acp -- opencode acp
  bailiwick acp -- npx -y @agentclientprotocol/claude-agent-acp")]
pub(crate) struct Args {
    /// What starts the agent; no shell reads it
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().map_err(|source| CommandError::io("the agent", source))?;
    let desk = Arc::new(AcpDesk::new(context.user_state.clone()));
    let end = runtime.block_on(serve_acp(&args.command, desk));
    // A look that still blocks must not keep the process.
    runtime.shutdown_background();
    match end.map_err(|error| CommandError::Other(error.to_string()))? {
        AcpEnd::Editor => Ok(ExitCode::SUCCESS),
        AcpEnd::Agent(Some(status)) if status.success() => Ok(ExitCode::SUCCESS),
        AcpEnd::Agent(status) => {
            let status = status.map_or_else(String::new, |status| format!(" ({status})"));
            Err(CommandError::Other(format!("the agent has ended{status}")))
        }
    }
}
