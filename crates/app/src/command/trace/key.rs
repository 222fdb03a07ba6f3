//! `bailiwick trace key`: the key that records are signed with here, and the keys of others that are known here.

use std::process::ExitCode;

use bailiwick_adapters_fs::{TraceKey, TraceKeys};
use bailiwick_domain::{Value, json};

use crate::command::terminal::{DIM, GOOD, HEADING};
use crate::command::{CommandError, Context};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each new entry of the ledger is signed with your key (`trace.sign`). It is made with the first of them, in your state
folder. Give its public half, which this command shows, to your team: `trace verify` notes entries by keys that
nobody named on that machine.

Examples:
  bailiwick trace key
  bailiwick trace key trust ed25519:8a88e3dd… dana
  bailiwick trace key forget dana")]
pub(in crate::command) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Your own key and those that are known here
    Show,
    /// Trust a public key
    Trust {
        /// The public key, as `trace key` shows it to its owner
        key: String,
        /// Whose it is
        name: String,
    },
    /// No longer trust a key
    Forget {
        /// The key, or its owner's name
        key_or_name: String,
    },
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let mut keys = TraceKeys::open(&site.layout)?;
    let terminal = &context.terminal;
    match &args.action {
        None | Some(Action::Show) => show(&keys, context),
        Some(Action::Trust { key, name }) => {
            let Some(key) = TraceKey::parse(key) else {
                let message =
                    format!("`{}` is no key: `ed25519:` and 64 lower-case digits", inert::line(key));
                return Err(CommandError::Usage(message));
            };
            keys.trust(key, name)?;
            match context.json {
                true => terminal.json(&json!({ "trusted": name })),
                false => terminal.say(format_args!("{GOOD}trusted{GOOD:#} as {}", inert::line(name))),
            }
        }
        Some(Action::Forget { key_or_name }) => {
            if keys.forget(key_or_name)? == 0 {
                let message = format!("no key is known here as `{}`", inert::line(key_or_name));
                return Err(CommandError::Other(message));
            }
            match context.json {
                true => terminal.json(&json!({ "forgotten": key_or_name })),
                false => terminal.say(format_args!("no longer trusted: {}", inert::line(key_or_name))),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(keys: &TraceKeys, context: &Context) {
    let terminal = &context.terminal;
    if context.json {
        let known: Vec<Value> = keys
            .others()
            .iter()
            .map(|known| json!({"key": known.key.as_str(), "name": known.name}))
            .collect();
        return terminal.json(&json!({"own": keys.own().map(TraceKey::as_str), "known": known}));
    }
    match keys.own() {
        Some(key) => terminal.say(format_args!("{HEADING}{key}{HEADING:#}  {DIM}yours{DIM:#}")),
        None => terminal.say("you have no key yet: it is made with the first entry of the ledger"),
    }
    for known in keys.others() {
        terminal.say(format_args!("{}  {}", known.key, inert::line(&known.name)));
    }
}
