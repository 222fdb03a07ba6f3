//! `bailiwick tools`: the classification registry, and the tools that are offered in a state.

use std::collections::BTreeMap;
use std::process::ExitCode;

use bailiwick_adapters_fs::FsPolicySource;
use bailiwick_domain::{Classification, State, Value, json};
use bailiwick_policy::handshake::is_tool_allowed;
use bailiwick_policy::registry;

use crate::command::output::columns::hanging;
use crate::command::output::terminal::DIM;
use crate::command::{CommandError, Context};
use crate::compose::settings;
use crate::inert;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what is offered in this state
    #[arg(long, value_enum)]
    state: Option<StateName>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum StateName {
    Request,
    Reasoning,
    Action,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let settings = match context.site() {
        Ok(site) => settings(&FsPolicySource::new(site.layout)),
        Err(_) => bailiwick_domain::Settings::default(),
    };
    let state = args.state.map_or(State::Action, |name| match name {
        StateName::Request => State::Request,
        StateName::Reasoning => State::Reasoning,
        StateName::Action => State::Action,
    });
    let classes = &settings.classification;
    let class_of = |name: &str| registry::classify(name, classes).class;
    let offered = registry::offered(state, classes);
    // What only the settings know is offered like every other tool of its class.
    let others: Vec<(&String, Classification)> = classes
        .iter()
        .filter(|(name, _)| !registry::entries().any(|row| row.is_called(name)))
        .map(|(name, class)| (name, *class))
        .filter(|(_, class)| args.state.is_none() || is_tool_allowed(state, *class, false))
        .collect();
    if context.json {
        let known = offered.iter().map(|tool| {
            let is_set = is_set(tool, classes);
            json!({"name": tool.name, "aliases": tool.aliases, "class": class_of(tool.name), "effect": tool.effect, "set": is_set})
        });
        let others = others.iter().map(
            |(name, class)| json!({"name": name, "aliases": [], "class": class, "effect": "execute", "set": true}),
        );
        let tools: Vec<Value> = known.chain(others).collect();
        context.terminal.json(&json!({ "tools": tools }));
        return Ok(ExitCode::SUCCESS);
    }
    for tool in offered {
        let by = if is_set(tool, classes) { "  (class from config.yaml)" } else { "" };
        let effect = word(&json!(tool.effect));
        say(context, tool.name, class_of(tool.name), &format!("{effect}{by}"));
        if !tool.aliases.is_empty() {
            context.terminal.say(format_args!("  {DIM}also {}{DIM:#}", hanging(&tool.aliases.join(", "), 7)));
        }
    }
    for (name, class) in others {
        say(context, &inert::line(name), class, "(class from config.yaml)");
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the settings give this tool a class, by its name or another one.
fn is_set(tool: &registry::Row, classes: &BTreeMap<String, Classification>) -> bool {
    !tool.own && classes.keys().any(|name| tool.is_called(name))
}

fn say(context: &Context, name: &str, class: Classification, rest: &str) {
    context.terminal.say(format_args!("{name:<28} {:<12} {rest}", word(&json!(class))));
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
