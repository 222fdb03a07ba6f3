//! `bailiwick trace key`: the key that records are signed with here, and the keys of others that are known here.

use std::path::PathBuf;
use std::process::ExitCode;

use bailiwick_adapters_fs::{KnownKey, TraceKey, TraceKeys, Until};
use bailiwick_domain::{Value, json};

use crate::command::output::terminal::{DIM, GOOD, HEADING};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each new entry of the ledger is signed with your key (`trace.sign`). It is made with the first of \
them, in your state folder. Give its public half, which this command shows, to your team: `trace \
verify` notes entries by keys that nobody named on that machine.

A key counts as somebody's only after you said so here. `trace.keys` in the settings is a proposal: \
`--from-config` shows what it names and asks. A name may have several keys. For a key that was \
stolen name checkpoints from before: it counts for the entries that they signed, and for nothing \
else. What a key signed that you forget is claimed, and no alarm.

Examples:
  bailiwick trace key
  bailiwick trace key trust --from-config
  bailiwick trace key rotate dana
  bailiwick trace key stolen ed25519:8a88e3dd… --until then.checkpoint
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
        #[arg(required_unless_present = "from_config")]
        key: Option<String>,
        /// Whose it is
        #[arg(required_unless_present = "from_config")]
        name: Option<String>,
        /// The keys that `trace.keys` proposes, after you looked at them
        #[arg(long, conflicts_with_all = ["key", "name"])]
        from_config: bool,
    },
    /// Sign with another key from now on; the one before stays known under this name
    Rotate {
        /// What your key before is called from now on
        name: String,
    },
    /// Your key is gone: what it signed counts as this name's, and the next entry makes another
    Lost {
        /// The public key, as it stands in your entries
        key: String,
        /// What it is called from now on
        name: String,
    },
    /// A key was stolen: count it for what is known to be from before, and for nothing else
    Stolen {
        /// The public key
        key: String,
        /// A checkpoint from before, kept elsewhere and signed with a key that is known here
        #[arg(long, value_name = "FILE")]
        until: Vec<PathBuf>,
    },
    /// No longer trust a key
    Forget {
        /// The key, or its owner's name
        key_or_name: String,
    },
}

/// Behind the name of a key that was stolen.
const STOLEN: &str = ", stolen";

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let mut keys = TraceKeys::open(&site.layout)?;
    let terminal = &context.terminal;
    match &args.action {
        None | Some(Action::Show) => show(&keys, context),
        Some(Action::Trust { from_config: true, .. }) => return from_config(&mut keys, site, context),
        Some(Action::Trust { key, name, .. }) => {
            let name = name.as_deref().unwrap_or_default();
            let key = parsed(key.as_deref().unwrap_or_default())?;
            refuse_own(&keys, &key, "already counts as you. To give it a name and sign with another one:")?;
            keys.trust(KnownKey::new(key, name))?;
            match context.json {
                true => terminal.json(&json!({ "trusted": name })),
                false => terminal.say(format_args!("{GOOD}trusted{GOOD:#} as {}", inert::line(name))),
            }
        }
        Some(Action::Rotate { name }) => {
            let next = keys.rotate(name)?;
            match context.json {
                true => terminal.json(&json!({ "own": next.as_str() })),
                false => terminal.say(format_args!(
                    "{GOOD}{next}{GOOD:#} signs from now on; give it to your team. The key before is {}",
                    inert::line(name)
                )),
            }
        }
        Some(Action::Lost { key, name }) => {
            let key = parsed(key)?;
            refuse_own(&keys, &key, "is not lost: it is here. To sign with another one:")?;
            keys.trust(KnownKey::new(key, name))?;
            match context.json {
                true => terminal.json(&json!({ "trusted": name })),
                false => terminal.say(format_args!(
                    "what it signed is {}; the next entry makes another key",
                    inert::line(name)
                )),
            }
        }
        Some(Action::Stolen { key, until }) => stolen(&mut keys, &parsed(key)?, until, context)?,
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

fn parsed(key: &str) -> Result<TraceKey, CommandError> {
    TraceKey::parse(key).ok_or_else(|| {
        let key = inert::line(key);
        CommandError::Usage(format!("`{key}` is not a key: `ed25519:` and 64 lower-case digits"))
    })
}

/// Refuses one's own key: a second name for it would say nothing, since it goes on signing.
fn refuse_own(keys: &TraceKeys, key: &TraceKey, why: &str) -> Result<(), CommandError> {
    if keys.own() != Some(key) {
        return Ok(());
    }
    Err(CommandError::Other(format!("your own key {why} `bailiwick trace key rotate NAME`")))
}

/// Counts a stolen key for what checkpoints signed that were made before.
fn stolen(
    keys: &mut TraceKeys,
    key: &TraceKey,
    until: &[PathBuf],
    context: &Context,
) -> Result<(), CommandError> {
    let checkpoints = until.iter().map(|file| super::verify::checkpoint_of(file, keys));
    let checkpoints = checkpoints.collect::<Result<Vec<_>, _>>()?;
    let until: Vec<Until> = checkpoints.iter().filter_map(|(_, checkpoint)| checkpoint.until()).collect();
    let count: u64 = until.iter().map(|until| until.entries).sum();
    if keys.own() == Some(key) {
        let message = "this is your own key: `bailiwick trace key rotate NAME` first";
        return Err(CommandError::Other(message.to_owned()));
    }
    if !keys.until(key, until)? {
        return Err(CommandError::Other(format!("no key is known here as `{key}`")));
    }
    match context.json {
        true => context.terminal.json(&json!({ "stolen": key.as_str(), "entries": count })),
        false => context.terminal.say(format_args!(
            "it counts for {} from before, and for nothing else",
            counted(count, "entry", "entries")
        )),
    }
    Ok(())
}

/// Copies the keys that the settings propose, as far as a person takes them.
fn from_config(keys: &mut TraceKeys, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let text = std::fs::read_to_string(site.layout.config_file()).unwrap_or_default();
    let proposed = super::verify::proposed(&text)?;
    let is_news = |known: &&KnownKey| {
        keys.own() != Some(&known.key) && !keys.is_stolen(&known.key) && !keys.others().contains(known)
    };
    let news: Vec<KnownKey> = proposed.iter().filter(is_news).cloned().collect();
    if news.is_empty() {
        context.terminal.say("the settings propose no new key");
        return Ok(ExitCode::SUCCESS);
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("`trace key trust --from-config`"));
    }
    for known in news {
        let stolen = if known.until.is_some() { STOLEN } else { "" };
        context.terminal.say(format_args!("{}  {}{stolen}", known.key, inert::line(&known.name)));
        let name = inert::line(&known.name);
        if context.terminal.confirm(&format!("Is this {name}'s key, and did {name} tell you so?")) {
            keys.trust(known)?;
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
            .map(|known| {
                let mut value = json!({"key": known.key.as_str(), "name": known.name});
                if let (Some(members), true) = (value.as_object_mut(), known.until.is_some()) {
                    members.insert("stolen".to_owned(), json!(true));
                }
                value
            })
            .collect();
        return terminal.json(&json!({"own": keys.own().map(TraceKey::as_str), "known": known}));
    }
    match keys.own() {
        Some(key) => terminal.say(format_args!("{HEADING}{key}{HEADING:#}  {DIM}yours{DIM:#}")),
        None => terminal.say("you have no key yet: it is made with the first entry of the ledger"),
    }
    for known in keys.others() {
        let stolen = if known.until.is_some() { STOLEN } else { "" };
        terminal.say(format_args!("{}  {}{stolen}", known.key, inert::line(&known.name)));
    }
}
