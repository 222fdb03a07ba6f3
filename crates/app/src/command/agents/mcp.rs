//! `bailiwick mcp`: MCP server with the gate's own tools and governed ones.
//!
//! Without a hook the server is the door: it judges each call for an actor of its own. Where a hook let a call pass, the
//! hook's pass says who acts, and the server judges for that actor; of the gate's own tools it then only shows what the
//! hook did. `proxy` puts another server behind the gate, and `trust` says what of it a person trusts.

mod client;
mod door;
mod files;
mod http;
mod let_through;
mod pages;
mod proxy;
mod trust;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_adapters_mcp::serve_stdio;

use crate::command::{CommandError, Context};
use crate::site::Site;
use client::caller_of_this;
use door::McpDoor;

/// How long a call may take beside a command's own time; asking a person takes most of it.
const LIMIT: Duration = Duration::from_secs(60);

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    serving: Serving,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Another MCP server behind the gate
    Proxy(proxy::Args),
    /// What you trust of another server: look at its tools, and at what changed
    Trust(trust::Args),
}

impl Args {
    /// What a process below a governed agent may run.
    pub(crate) fn is_open_to_agents(&self) -> bool {
        !matches!(self.action, Some(Action::Trust(_)))
    }
}

#[derive(Debug, clap::Args)]
struct Serving {
    /// The user's state folder; found in the environment when not given
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Serve over HTTP on 127.0.0.1, for programs that have the token
    #[arg(long)]
    http: bool,
    /// The port; any free one when not given
    #[arg(long, requires = "http", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Make another token; a server that runs already keeps the old one until it ends
    #[arg(long, requires = "http")]
    new_token: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    match &args.action {
        Some(Action::Proxy(args)) => proxy::run(args, context),
        Some(Action::Trust(args)) => trust::run(args, context),
        None => served(&args.serving, context),
    }
}

fn served(args: &Serving, context: &Context) -> Result<ExitCode, CommandError> {
    let site = site(args.state.as_ref(), context)?;
    if args.http {
        return http::run(args.port, args.new_token, site, context);
    }
    let runtime = runtime()?;
    let door = Arc::new(McpDoor::open(site, caller_of_this()));
    let served = runtime.block_on(serve_stdio(door, LIMIT));
    // A call that still blocks must not keep the process.
    runtime.shutdown_background();
    served.map_err(|error| CommandError::Other(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// The repository, with the user's state folder where it is named.
fn site(state: Option<&PathBuf>, context: &Context) -> Result<Site, CommandError> {
    let Some(state) = state else { return context.place() };
    let whole = std::path::absolute(state).map_err(|source| CommandError::io(state.display(), source))?;
    context.place_with(Some(&whole))
}

fn runtime() -> Result<tokio::runtime::Runtime, CommandError> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().map_err(|source| CommandError::io("the MCP server", source))
}
