//! `bailiwick tools`: the classification registry, and the tools that are offered in a state (rows 36, 108).

use std::process::ExitCode;

use bailiwick_adapters_fs::FsPolicySource;
use bailiwick_domain::{State, Value, json};
use bailiwick_policy::registry;

use super::{CommandError, Context};
use crate::compose::settings;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
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

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let settings = match context.site() {
        Ok(site) => settings(&FsPolicySource::new(site.layout)),
        Err(_) => bailiwick_domain::Settings::default(),
    };
    let state = args.state.map_or(State::Action, |name| match name {
        StateName::Request => State::Request,
        StateName::Reasoning => State::Reasoning,
        StateName::Action => State::Action,
    });
    let offered = registry::offered(state, &settings.classification);
    if context.json {
        let tools: Vec<Value> = offered
            .iter()
            .map(|tool| json!({"name": tool.name, "class": tool.class, "effect": tool.effect}))
            .collect();
        context.terminal.json(&json!({ "tools": tools }));
        return Ok(ExitCode::SUCCESS);
    }
    for tool in offered {
        let class = json!(tool.class).as_str().unwrap_or_default().to_owned();
        let effect = json!(tool.effect).as_str().unwrap_or_default().to_owned();
        context.terminal.say(format_args!("{:<28} {class:<12} {effect}", tool.name));
    }
    Ok(ExitCode::SUCCESS)
}
