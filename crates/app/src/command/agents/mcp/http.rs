//! `bailiwick mcp --http`: the same server for programs that connect to it. Nobody is above it who would be its client: the
//! client is the program at the other end of a connection, which is found and noted before anything is judged for it.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use bailiwick_adapters_fs::{AgentProcesses, CALLERS_ARE_KNOWN, FsMcpToken, Process, calling_over};
use bailiwick_adapters_mcp::{HttpServer, ServedTools, Sessions, serve_http};
use bailiwick_loopback::Secret;

use super::LIMIT;
use super::client::{HOST, caller_of_this};
use super::door::McpDoor;
use crate::command::output::terminal::{HEADING, Terminal};
use crate::command::{CommandError, Context};
use crate::site::Site;

/// Serves until Ctrl-C.
pub(super) fn run(
    port: Option<u16>,
    new_token: bool,
    site: Site,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    if !CALLERS_ARE_KNOWN {
        let why = "on this system it cannot be told which program connects; let the client start `bailiwick mcp` itself";
        return Err(CommandError::Usage(why.to_owned()));
    }
    // A server that cannot start changes no token.
    let server = HttpServer::bind(port).map_err(|source| {
        let place = port.map_or_else(|| "127.0.0.1".to_owned(), |port| format!("port {port} of 127.0.0.1"));
        CommandError::io(place, source)
    })?;
    let (token, file) = token(&site, new_token)?;
    say(&context.terminal, &server, &token, &file);
    let clients =
        Arc::new(Clients { site, own: server.address(), above: caller_of_this(), known: Mutex::default() });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|source| CommandError::io("the MCP server", source))?;
    let served = runtime.block_on(serve_http(server, token, clients, LIMIT));
    // A call that still blocks must not keep the process.
    runtime.shutdown_background();
    served.map_err(|error| CommandError::Other(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// The token of this repository, kept so that a client's settings stay right.
fn token(site: &Site, new: bool) -> Result<(Secret, FsMcpToken), CommandError> {
    let file = FsMcpToken::of(&site.layout).ok_or_else(|| {
        CommandError::Usage("your state folder is not known; name it with --state DIR".to_owned())
    })?;
    let fresh = Secret::random().map_err(|source| CommandError::io("the token", source))?;
    if new {
        file.replace(fresh.reveal())?;
    }
    let kept = file.kept_or(fresh.reveal())?;
    let token = Secret::kept(&kept).ok_or_else(|| {
        CommandError::Other(format!("{} holds no token; --new-token makes one", file.path().display()))
    })?;
    Ok((token, file))
}

fn say(terminal: &Terminal, server: &HttpServer, token: &Secret, file: &FsMcpToken) {
    terminal.styled(HEADING, server.url());
    if terminal.has_person() {
        terminal.say(format_args!("Authorization: Bearer {}", token.reveal()));
    }
    terminal.say(format_args!(
        "The token is in {}. Only programs that send it are answered.",
        file.path().display()
    ));
    terminal.say("Ctrl-C ends the server and all sessions.");
}

/// The programs that have connected, each an agent's.
#[derive(Debug)]
struct Clients {
    site: Site,
    own: SocketAddr,
    /// Who started this server, as it is for one over pipes.
    above: Vec<Process>,
    known: Mutex<Vec<Process>>,
}

impl Clients {
    /// Those that still run, with these.
    fn with(&self, found: Vec<Process>) -> Vec<Process> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(Process::is_alive);
        for process in found {
            if !known.contains(&process) {
                known.push(process);
            }
        }
        self.above.iter().chain(known.iter()).cloned().collect()
    }
}

impl Sessions for Clients {
    fn admit(&self, caller: SocketAddr) -> bool {
        let Some(found) = calling_over(caller, self.own) else { return false };
        let all = self.with(found);
        !self.site.is_governed()
            || AgentProcesses::new(self.site.layout.clone()).record_server(HOST, &all).is_ok()
    }

    fn open(&self) -> Arc<dyn ServedTools> {
        Arc::new(McpDoor::open(self.site.clone(), self.with(Vec::new())))
    }
}
