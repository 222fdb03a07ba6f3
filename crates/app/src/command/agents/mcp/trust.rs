//! `bailiwick mcp trust`: what of another MCP server a person trusts.
//!
//! The server's own hints propose a class, and a person says it. What was said is kept with the hash of each definition, so
//! that a changed one counts no more.

mod words;

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsTrustedTools, SystemClock, TrustedServer, TrustedTool};
use bailiwick_adapters_mcp::{Definition, listed};
use bailiwick_domain::{Classification, Clock, Map, Value, json};

use super::proxy::name_of;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::inert;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A tool that a person trusts as SAFE passes like reading, in `bailiwick mcp proxy` and only as long \
as its definition and the server's command stay what they are. All others are asked about. What a \
server says of its own tools is a proposal and proves nothing.

Examples:
  bailiwick mcp trust                                       what is trusted here
  bailiwick mcp trust files -- npx -y some-files-server .   look at its tools, and trust them
  bailiwick mcp trust files                                 again, with the same command: what changed?
  bailiwick mcp trust files --destructive search            but ask about this one
  bailiwick mcp trust files --revoke                        take it back")]
pub(super) struct Args {
    /// The server's name; without one, lists what is trusted
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    /// Trust this tool as reading, whatever is proposed
    #[arg(long, value_name = "TOOL", requires = "server")]
    safe: Vec<String>,
    /// Ask about this tool, whatever is proposed
    #[arg(long, value_name = "TOOL", requires = "server")]
    destructive: Vec<String>,
    /// Take the trust in this server back
    #[arg(long, requires = "server", conflicts_with_all = ["safe", "destructive", "command"])]
    revoke: bool,
    /// What starts the server; the trusted command when not given
    #[arg(last = true, value_name = "CMD", requires = "server")]
    command: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let store = FsTrustedTools::new(&context.site()?.layout);
    let Some(server) = &args.server else { return list(&store, context) };
    let name = name_of(Some(server), &[])?;
    if args.revoke {
        return revoke(&store, &name, context);
    }
    if !context.json && !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("trusting a server's tools"));
    }
    let known = store.all()?.remove(&name);
    let command = match (&known, args.command.is_empty()) {
        (_, false) => args.command.clone(),
        (Some(known), true) => known.command.clone(),
        (None, true) => {
            let usage =
                format!("name what starts the server behind `--`: `bailiwick mcp trust {name} -- CMD…`");
            return Err(CommandError::Usage(usage));
        }
    };
    let offered = super::runtime()?.block_on(listed(&command));
    let offered = offered.map_err(|error| CommandError::Other(error.to_string()))?;
    let looked = looked_at(&offered, known.as_ref(), args)?;
    if context.json {
        context.terminal.json(&as_json(&name, &command, &looked));
        return Ok(ExitCode::SUCCESS);
    }
    show(context, &name, (&command, known.as_ref()), &looked);
    let safe = looked.iter().filter(|one| one.is_safe()).count();
    let question = format!("Trust {name} so, and let agents use {safe} of its tools without asking?");
    if !context.terminal.confirm(&question) {
        context.terminal.say("Nothing is trusted anew.");
        return Ok(ExitCode::from(1));
    }
    let tools = looked.iter().filter_map(|one| Some((one.name.clone(), one.trusted()?))).collect();
    let by = crate::command::who::person();
    store.trust(&name, TrustedServer { command, tools, by, at: SystemClock.now() })?;
    context.terminal.styled(GOOD, format_args!("{name} trusted: {safe} tools pass like reading"));
    context.terminal.say(format_args!("`bailiwick mcp trust {name} --revoke` takes it back"));
    Ok(ExitCode::SUCCESS)
}

/// One tool, as it is now and as it was.
struct Looked<'a> {
    name: String,
    now: Option<&'a Definition>,
    before: Option<&'a TrustedTool>,
    class: Classification,
    why: &'static str,
}

impl Looked<'_> {
    fn is_safe(&self) -> bool {
        self.now.is_some() && self.class == Classification::Safe
    }

    fn trusted(&self) -> Option<TrustedTool> {
        let now = self.now?;
        Some(TrustedTool { class: self.class, definition: now.hash.clone(), told: now.whole.clone() })
    }

    fn change(&self) -> &'static str {
        match (self.now, self.before) {
            (Some(now), Some(before)) if now.hash == before.definition => "same",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "new",
            (None, _) => "gone",
        }
    }

    /// The members of the definition that are not what they were.
    fn changed_members(&self) -> Vec<String> {
        let (Some(now), Some(before)) = (self.now, self.before) else { return Vec::new() };
        let none = Map::new();
        let (now, before) =
            (now.whole.as_object().unwrap_or(&none), before.told.as_object().unwrap_or(&none));
        let names: std::collections::BTreeSet<&String> = now.keys().chain(before.keys()).collect();
        names.into_iter().filter(|name| now.get(*name) != before.get(*name)).cloned().collect()
    }
}

fn looked_at<'a>(
    offered: &'a [Definition],
    known: Option<&'a TrustedServer>,
    args: &Args,
) -> Result<Vec<Looked<'a>>, CommandError> {
    let mut named = args.safe.iter().chain(&args.destructive);
    if let Some(name) = named.find(|name| !offered.iter().any(|tool| tool.name == **name)) {
        return Err(CommandError::Usage(format!("the server has no tool `{}`", inert::line(name))));
    }
    let before = |name: &str| known.and_then(|known| known.tools.get(name));
    let mut looked: Vec<Looked> = offered
        .iter()
        .map(|tool| {
            let (class, why) = proposed(tool, before(&tool.name), args);
            Looked { name: tool.name.clone(), now: Some(tool), before: before(&tool.name), class, why }
        })
        .collect();
    let gone = known.into_iter().flat_map(|known| &known.tools);
    let gone = gone.filter(|(name, _)| !offered.iter().any(|tool| tool.name == **name));
    looked.extend(gone.map(|(name, tool)| Looked {
        name: name.clone(),
        now: None,
        before: Some(tool),
        class: tool.class,
        why: "the server has it no more",
    }));
    Ok(looked)
}

fn proposed(tool: &Definition, before: Option<&TrustedTool>, args: &Args) -> (Classification, &'static str) {
    if args.destructive.contains(&tool.name) {
        return (Classification::Destructive, "you say so");
    }
    if args.safe.contains(&tool.name) {
        return (Classification::Safe, "you say so");
    }
    if let Some(before) = before.filter(|before| before.definition == tool.hash) {
        return (before.class, "as before");
    }
    let hint = tool.whole.get("annotations").and_then(|hints| hints.get("readOnlyHint"));
    match hint.and_then(Value::as_bool) {
        Some(true) => (Classification::Safe, "the server says that it only reads"),
        _ => (Classification::Destructive, "the server does not say that it only reads"),
    }
}

fn show(
    context: &Context,
    name: &str,
    (command, known): (&[String], Option<&TrustedServer>),
    looked: &[Looked<'_>],
) {
    let say = |line: std::fmt::Arguments<'_>| context.terminal.say(line);
    say(format_args!("{HEADING}{name}{HEADING:#}  {DIM}{}{DIM:#}", inert::line(&command.join(" "))));
    if known.is_some_and(|known| known.command != command) {
        context.terminal.warning("it was trusted with another command");
    }
    for one in looked {
        let style = if one.is_safe() { GOOD } else { WARN };
        let class = json!(one.class);
        let class = class.as_str().unwrap_or_default().to_owned();
        let change = if known.is_some() { format!("  {}", one.change()) } else { String::new() };
        say(format_args!(
            "  {style}{class:<11}{style:#} {}{WARN}{change}{WARN:#}  {DIM}{}{DIM:#}",
            inert::line(&one.name),
            one.why
        ));
        for (side, line) in told(one) {
            let style = match side {
                words::Side::Now => DIM,
                words::Side::Before => BAD,
                words::Side::New => WARN,
            };
            say(format_args!("{style}{line}{style:#}"));
        }
    }
}

/// What the server says of a tool: all of it, or what changed since a person saw all of it.
fn told(one: &Looked<'_>) -> Vec<(words::Side, String)> {
    let Some(now) = one.now else { return Vec::new() };
    match one.before {
        Some(before) if before.definition == now.hash && before.class == one.class => Vec::new(),
        Some(before) if before.definition != now.hash => match words::changes(&now.whole, &before.told) {
            // Nothing that it said before is there to compare.
            lines if before.told.is_object() && !lines.is_empty() => lines,
            _ => words::all(&now.whole),
        },
        _ => words::all(&now.whole),
    }
}

fn as_json(name: &str, command: &[String], looked: &[Looked<'_>]) -> Value {
    let tools: Vec<Value> = looked
        .iter()
        .map(|one| {
            json!({
                "name": one.name,
                "proposed": one.class,
                "why": one.why,
                "change": one.change(),
                "changed": one.changed_members(),
                "definition": one.now.map(|now| &now.hash),
                "told": one.now.map(|now| &now.whole),
                "told_before": one.before.map(|before| &before.told),
            })
        })
        .collect();
    json!({"server": name, "command": command, "tools": tools})
}

fn list(store: &FsTrustedTools, context: &Context) -> Result<ExitCode, CommandError> {
    let servers = store.all()?;
    if context.json {
        let list: Vec<Value> = servers
            .iter()
            .map(|(name, server)| {
                let classes: Map<String, Value> =
                    server.tools.iter().map(|(name, tool)| (name.clone(), json!(tool.class))).collect();
                json!({"server": name, "command": server.command, "tools": classes, "by": server.by, "at": server.at})
            })
            .collect();
        context.terminal.json(&json!({ "servers": list }));
        return Ok(ExitCode::SUCCESS);
    }
    if servers.is_empty() {
        context.terminal.say("No server is trusted; `bailiwick mcp trust SERVER -- CMD…` looks at one.");
    }
    for (name, server) in &servers {
        let command = server.command.join(" ");
        context.terminal.say(format_args!(
            "{HEADING}{name}{HEADING:#}  {}  {DIM}by {}{DIM:#}",
            inert::line(&command),
            inert::line(&server.by)
        ));
        for (tool, trusted) in &server.tools {
            let class = json!(trusted.class);
            let class = class.as_str().unwrap_or_default();
            context.terminal.say(format_args!("  {class:<11} {}", inert::line(tool)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn revoke(store: &FsTrustedTools, name: &str, context: &Context) -> Result<ExitCode, CommandError> {
    if !store.revoke(name)? {
        return Err(CommandError::Other(format!("`{name}` is not trusted here")));
    }
    if context.json {
        context.terminal.json(&json!({ "revoked": name }));
    } else {
        context.terminal.styled(GOOD, format_args!("{name} is trusted no more; its tools are asked about"));
    }
    Ok(ExitCode::SUCCESS)
}
