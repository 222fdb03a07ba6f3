//! `bailiwick mcp proxy`: another MCP server behind the gate.
//!
//! Each call of its tools is judged as `mcp__SERVER__TOOL`, with the class that a person gave it where its definition is
//! still what the person saw; else it is destructive. The gate's own tools stand beside the server's.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bailiwick_adapters_fs::{FsTrustedTools, TrustedServer};
use bailiwick_adapters_mcp::{
    Definition, Judge, ProxyEnd, SERVER_NAME, SESSION, Stop, Ticket, Wanted, serve_proxy,
};
use bailiwick_domain::{Classification, Params, ToolCall, ToolError, ToolResult, Value};
use bailiwick_policy::Described;

use super::client::{Client, caller_of_this};
use crate::command::{CommandError, Context};
use crate::gate::{Because, Gate, HostTraits};
use crate::inert;
use crate::refusals::ServedFault;

/// What the content of a resource is read with, in the gate's own words.
const RESOURCE: &str = "access_mcp_resource";

/// Programs that start others: the name of a server is that of what they start.
const LAUNCHERS: &[&str] = &[
    "npx", "npm", "node", "bunx", "bun", "deno", "uvx", "uv", "python", "python3", "pipx", "docker",
    "podman", "env", "sh", "bash", "cmd", "run", "exec", "tool", "x",
];

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The server's name is `--name`, else it is taken from the command: the last part of the first word \
that is no launcher (npx, uvx, node …) and no option, without version and ending.

Examples:
  bailiwick mcp proxy -- npx -y @modelcontextprotocol/server-filesystem /home/you/shop
  bailiwick mcp proxy --name files -- /usr/local/bin/files-server --stdio")]
pub(super) struct Args {
    /// The server's name; taken from the command when not given
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The user's state folder; found in the environment when not given
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// What starts the server; no shell reads it
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let name = name_of(args.name.as_deref(), &args.command)?;
    let site = super::site(args.state.as_ref(), context)?;
    let folder =
        std::env::current_dir().map_err(|source| CommandError::io("the current directory", source))?;
    let proxy = Proxy {
        trusted: FsTrustedTools::new(&site.layout),
        client: Client::open(site, caller_of_this()),
        server: name.clone(),
        command: args.command.clone(),
        folder: folder.display().to_string(),
        next: AtomicU64::new(1),
        under_way: Mutex::default(),
    };
    let runtime = super::runtime()?;
    let end = runtime.block_on(serve_proxy(&args.command, Arc::new(proxy)));
    // A call that still blocks must not keep the process.
    runtime.shutdown_background();
    match end.map_err(|error| CommandError::Other(error.to_string()))? {
        ProxyEnd::Client => Ok(ExitCode::SUCCESS),
        ProxyEnd::Server(status) => {
            let status = status.map_or_else(String::new, |status| format!(" ({status})"));
            Err(CommandError::Other(format!("the MCP server `{name}` has ended{status}")))
        }
    }
}

/// The name that trust in a server is kept under, and that its tools have in the gate.
pub(super) fn name_of(given: Option<&str>, command: &[String]) -> Result<String, CommandError> {
    let derived = || {
        let words = command.iter().filter(|word| !word.starts_with('-'));
        let mut names = words.map(|word| short(word)).filter(|name| !LAUNCHERS.contains(&name.as_str()));
        names.next().unwrap_or_default()
    };
    let name = given.map_or_else(derived, str::to_owned);
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
    let fits = (1..=64).contains(&name.len())
        && name.chars().all(is_plain)
        && !name.contains("__")
        && !name.ends_with('_');
    if !fits || name.eq_ignore_ascii_case(SERVER_NAME) {
        let why =
            format!("`{}` cannot be the name of a server; say another with `--name`", inert::line(&name));
        return Err(CommandError::Usage(why));
    }
    Ok(name)
}

/// The last part of a word, without version and ending, in the signs of a name.
fn short(word: &str) -> String {
    let last = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let bare = last.split('@').next().unwrap_or_default();
    let bare = [".js", ".mjs", ".cjs", ".ts", ".py", ".exe", ".sh"]
        .iter()
        .fold(bare, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    let plain = |sign: char| if sign.is_ascii_alphanumeric() || sign == '-' { sign } else { '-' };
    bare.chars().map(plain).collect::<String>().trim_matches('-').to_owned()
}

/// One client before one server.
#[derive(Debug)]
struct Proxy {
    client: Client,
    trusted: FsTrustedTools,
    server: String,
    command: Vec<String>,
    /// What relative paths start from.
    folder: String,
    next: AtomicU64,
    under_way: Mutex<BTreeMap<u64, (ToolCall, Described)>>,
}

impl Proxy {
    fn gate(&self, tool: Described, stop: &Stop) -> Gate {
        self.client.gate(HostTraits::default(), stop).describing(tool)
    }

    /// What is known of a tool, and why nothing that a person said of it counts.
    fn described(&self, tool: &Definition) -> Result<(Described, Option<&'static str>), ToolError> {
        let all = self.trusted.all().map_err(ServedFault::TrustUnread)?;
        let (class, changed) = standing(all.get(&self.server), &self.command, tool);
        let described = Described {
            name: format!("mcp__{}__{}", self.server, tool.name),
            class,
            changed: changed.is_some(),
            schema: tool.schema.clone(),
        };
        Ok((described, changed))
    }

    fn through(&self, params: Params, tool: Described, stop: &Stop) -> Result<Ticket, ToolError> {
        let mut call = self.client.call(&tool.name, params);
        call.cwd = Some(self.folder.clone());
        self.client.judged(&self.gate(tool.clone(), stop), &call)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).insert(number, (call, tool));
        Ok(Ticket(number))
    }

    fn taken(&self, ticket: Ticket) -> Option<(ToolCall, Described)> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&ticket.0)
    }
}

/// The class of a tool where its server stands, and why none that was given counts.
pub(super) fn standing(
    server: Option<&TrustedServer>,
    command: &[String],
    tool: &Definition,
) -> (Classification, Option<&'static str>) {
    let known = server.and_then(|server| Some((server, server.tools.get(&tool.name)?)));
    let Some((server, known)) = known else { return (Classification::Destructive, None) };
    let changed = if server.command != command {
        Some("its server is started by another command than the one that was trusted")
    } else if known.definition != tool.hash {
        Some("its definition is not the one that was trusted")
    } else if tool.wavers {
        Some("its server described it in two ways since it was started")
    } else {
        None
    };
    (if changed.is_some() { Classification::Destructive } else { known.class }, changed)
}

impl Judge for Proxy {
    fn server(&self) -> &str {
        &self.server
    }

    fn judge(&self, wanted: &Wanted, stop: &Stop) -> Result<Ticket, ToolError> {
        let (params, tool, changed) = match wanted {
            Wanted::Call(tool, params) => {
                let (described, changed) = self.described(tool)?;
                (params.clone(), described, changed)
            }
            Wanted::Resource(uri) => {
                let mut params = Params::new();
                params.insert("server".to_owned(), Value::String(self.server.clone()));
                params.insert("uri".to_owned(), Value::String(uri.clone()));
                let (class, schema) = (Classification::Safe, Value::Null);
                (params, Described { name: RESOURCE.to_owned(), class, changed: false, schema }, None)
            }
        };
        if stop.is_set() {
            return Err(ServedFault::Unawaited.into());
        }
        let name = tool.name.clone();
        self.through(params, tool, stop).map_err(|error| match changed {
            None => error,
            Some(why) => quarantined(error, &name, why, &self.server),
        })
    }

    fn own(&self, name: &str, mut params: Params, stop: &Stop) -> Result<String, ToolError> {
        params.remove(SESSION);
        let call = self.client.call(name, params);
        match self.client.judged(&self.client.gate(HostTraits::default(), stop), &call)? {
            Because::OwnTool { result, .. } => Ok(result),
            _ => Err(ServedFault::NoAnswer.into()),
        }
    }

    fn ran(&self, ticket: Ticket, ok: bool) -> Result<(), ToolError> {
        let Some((call, tool)) = self.taken(ticket) else { return Ok(()) };
        let result = ToolResult { ok, showed: None };
        pollster::block_on(self.gate(tool, &Stop::default()).post(&call, &result)).map(|_| ())
    }

    fn not_run(&self, ticket: Ticket) {
        if let Some((call, tool)) = self.taken(ticket) {
            // What cannot be written down now is settled when the client ends.
            let gate = self.gate(tool, &Stop::default());
            drop(pollster::block_on(gate.recording().not_run(&call)));
        }
    }

    fn tell(&self, text: &str) {
        let text = inert::line(&format!("bailiwick: MCP server `{}`: {text}", self.server));
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    fn leave(&self) {
        self.client.leave();
    }

    fn end(&self) {
        self.client.close();
    }
}

/// A refusal of a tool that is not what a person trusted.
fn quarantined(error: ToolError, name: &str, why: &str, server: &str) -> ToolError {
    let note = format!(
        "`{name}` is quarantined: {why}. Ask the human to look at it: `bailiwick mcp trust {server}`."
    );
    let suggestion = format!("{note} {}", error.suggestion());
    error.with_suggestion(suggestion)
}
