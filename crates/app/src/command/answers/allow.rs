//! `bailiwick allow`: commands that a person trusts, so that nobody is asked about them again.
//!
//! Deliberately absent: what may be allowed, which lines an allowance takes, and which files it depends on; the gate
//! decides all of that.

use std::path::Path;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsAllowanceStore, FsPolicySource};
use bailiwick_domain::{
    Allowance, AllowanceId, AllowanceStore, AllowedFile, IntentId, RepoPath, TrustedCommand, Value, json,
};

use crate::command::output::terminal::{DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::compose::{self, persons_gate};
use crate::gate::{AllowError, Gate};
use crate::inert;
use crate::site::Site;

/// What is said wherever a command is allowed.
pub(in crate::command) const UNCONFINED: &str =
    "It runs unconfined: it, and whatever it starts, can do all that you can do.";

/// What `allow` is asked for.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
An agent's command passes without a question when its words are the ones that you allow, in the same \
folder of the repository. Further words may follow, as long as they stay inside the repository, and \
options only as far as they are known to be harmless; `--exact` takes the words as they are. What \
agents write around it counts as the same command: `cd` into the folder, `2>&1`, and a pipe into \
commands that only read. An intent must still be active. The command's script and manifest are \
remembered as they are: when one changes, you are asked again.

Shells and interpreters with code in their arguments, git that loses something, publishing, and \
clients such as curl or ssh can never be allowed.

Examples:
  bailiwick allow -- cargo test                      with further words such as `-p app` or a test's name
  bailiwick allow --exact -- npm run build           exactly this
  bailiwick allow --intent INT-001 -- make migrate   only while INT-001 is active
  bailiwick allow -- 'cd web && npm test'            in the folder web
  bailiwick allow list                               what is allowed, and what changed since
  bailiwick allow revoke 2                           take allow#2 back")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    given: Given,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// The commands that are allowed here
    List,
    /// Take an allowance back
    Revoke {
        /// The allowance, such as allow#2 or 2
        #[arg(value_parser = AllowanceId::parse)]
        allowance: AllowanceId,
    },
}

#[derive(Debug, clap::Args)]
struct Given {
    /// Only while this intent is active
    #[arg(long, value_name = "ID")]
    intent: Option<String>,
    /// Exactly these words and no further ones
    #[arg(long)]
    exact: bool,
    /// The command, as an agent types it
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    match &args.action {
        Some(Action::List) => list(&site, context),
        Some(Action::Revoke { allowance }) => revoke(&site, context, *allowance),
        None => allow(&args.given, &site, context),
    }
}

fn allow(given: &Given, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    if given.command.is_empty() {
        let usage = "name the command behind `--`: `bailiwick allow -- cargo test`";
        return Err(CommandError::Usage(usage.to_owned()));
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("allowing a command"));
    }
    let intent = given.intent.as_deref().map(|id| crate::command::named::intent(site, id)).transpose()?;
    let intent = intent.map(|intent| intent.id().clone());
    let gate = persons_gate(site);
    let (command, files) = read(&gate, given, &folder(site, context))?;
    show(context, &command, &files, intent.as_ref());
    if !context.terminal.confirm("Let agents run this without asking?") {
        context.terminal.say("This command is not allowed; nothing was changed.");
        return Ok(ExitCode::from(1));
    }
    let by = crate::command::who::person();
    let allowance =
        pollster::block_on(gate.allowances().allow(&command, intent.as_ref(), None, &by)).map_err(refused)?;
    context.terminal.styled(GOOD, format_args!("{} allowed", allowance.id));
    let id = allowance.id.number();
    context.terminal.say(format_args!("`bailiwick allow revoke {id}` takes it back"));
    Ok(ExitCode::SUCCESS)
}

/// The command with further words where that is possible, else exactly as it is.
fn read(
    gate: &Gate,
    given: &Given,
    folder: &Option<RepoPath>,
) -> Result<(TrustedCommand, Vec<AllowedFile>), CommandError> {
    let text = typed(&given.command)?;
    let written =
        pollster::block_on(gate.allowances().written_command(&text, folder.as_ref())).map_err(refused)?;
    let exact = TrustedCommand { further: false, ..written.clone() };
    if !given.exact {
        let wide = TrustedCommand { further: true, ..written.clone() };
        match pollster::block_on(gate.allowances().allowable(&wide)) {
            Ok(files) => return Ok((wide, files)),
            Err(error) if written.further => return Err(refused(error)),
            Err(_) => {}
        }
    }
    let files = pollster::block_on(gate.allowances().allowable(&exact)).map_err(refused)?;
    Ok((exact, files))
}

/// Why nobody can allow this line, as it stands in the root; nothing where it can be allowed.
pub(in crate::command) fn why_never(gate: &Gate, line: &str) -> Option<String> {
    let command = pollster::block_on(gate.allowances().written_command(line, None));
    let exact = command.map(|command| TrustedCommand { further: false, ..command });
    match exact.and_then(|command| pollster::block_on(gate.allowances().allowable(&command))) {
        Err(AllowError::Never(why)) => Some(why),
        Ok(_) | Err(AllowError::Failed(_)) => None,
    }
}

/// The words as one line, as the person's own shell read them; a single word may be a line of its own.
fn typed(words: &[String]) -> Result<String, CommandError> {
    if let [line] = words {
        return Ok(line.clone());
    }
    if let Some(word) = words.iter().find(|word| word.contains('\'')) {
        return Err(CommandError::Usage(format!(
            "`{word}` holds a quote; give the command as one quoted line"
        )));
    }
    let is_plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:,+@%=…".contains(c))
    };
    let quoted: Vec<String> =
        words.iter().map(|word| if is_plain(word) { word.clone() } else { format!("'{word}'") }).collect();
    Ok(quoted.join(" "))
}

/// The folder that the person is in, below the root.
fn folder(site: &Site, context: &Context) -> Option<RepoPath> {
    let here = std::env::current_dir().ok().filter(|_| context.root.is_none())?;
    let below = here.strip_prefix(site.layout.root()).ok().map(Path::to_path_buf)?;
    RepoPath::new(&below.to_str()?.replace(std::path::MAIN_SEPARATOR, "/")).ok()
}

fn show(context: &Context, command: &TrustedCommand, files: &[AllowedFile], intent: Option<&IntentId>) {
    let line = |label: &str, text: &str| {
        context.terminal.say(format_args!("{DIM}{label:<8}{DIM:#} {}", inert::line(text)));
    };
    context.terminal.say(format_args!("{HEADING}{}{HEADING:#}", inert::line(&command.to_string())));
    for (label, text) in described(command, files) {
        line(label, &text);
    }
    line("intent", &intent.map_or("any that is active".to_owned(), |id| format!("only {id}")));
    context.terminal.say(format_args!("{WARN}{UNCONFINED}{WARN:#}"));
}

/// What an allowance would mean, line by line.
pub(in crate::command) fn described(
    command: &TrustedCommand,
    files: &[AllowedFile],
) -> Vec<(&'static str, String)> {
    let folder =
        command.folder.as_ref().map_or("the repository's own folder".to_owned(), ToString::to_string);
    let admits = match command.further {
        true => {
            "these words, and further ones inside the repository; options as far as they are known to be harmless"
        }
        false => "exactly these words",
    };
    let mut lines = vec![("folder", folder), ("admits", admits.to_owned())];
    let there: Vec<String> =
        files.iter().filter(|file| file.hash.is_some()).map(ToString::to_string).collect();
    if !there.is_empty() {
        lines.push(("until", format!("{} changes", there.join(", "))));
    }
    lines
}

fn list(site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    let gate = persons_gate(site);
    let allowances = allowed(site)?;
    let changed = |allowance: &Allowance| pollster::block_on(gate.allowances().changed_since(allowance));
    if context.json {
        let list: Vec<Value> = allowances.iter().map(|one| as_json(one, &changed(one))).collect();
        context.terminal.json(&json!({ "allowances": list }));
        return Ok(ExitCode::SUCCESS);
    }
    if allowances.is_empty() {
        context.terminal.say("No command is allowed; `bailiwick allow -- COMMAND` allows one.");
    }
    for allowance in &allowances {
        let terms = &allowance.terms;
        let only = terms.intent.as_ref().map_or(String::new(), |intent| format!("  only {intent}"));
        let from = if terms.setting.is_some() { ", in config.yaml" } else { "" };
        context.terminal.say(format_args!(
            "{HEADING}{}{HEADING:#}  {}{only}  {DIM}by {}{from}{DIM:#}",
            allowance.id,
            inert::line(&terms.command.to_string()),
            inert::line(&terms.by)
        ));
        for file in changed(allowance) {
            context.terminal.say(format_args!("  {WARN}{file} changed since: you are asked again{WARN:#}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The published shape of one allowance.
fn as_json(allowance: &Allowance, changed: &[AllowedFile]) -> Value {
    let terms = &allowance.terms;
    json!({
        "id": allowance.id,
        "command": terms.command.to_string(),
        "folder": terms.command.folder,
        "words": terms.command.words,
        "further": terms.command.further,
        "intent_id": terms.intent,
        "setting": terms.setting,
        "by": terms.by,
        "at": terms.at,
        "files": terms.files.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "changed": changed.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn revoke(site: &Site, context: &Context, id: AllowanceId) -> Result<ExitCode, CommandError> {
    let by = crate::command::who::person();
    let revoked = pollster::block_on(persons_gate(site).allowances().revoke_allowance(id, &by))?;
    let revoked = revoked.ok_or_else(|| {
        CommandError::Other(format!("there is no {id}; `bailiwick allow list` shows what is allowed"))
    })?;
    if context.json {
        context.terminal.json(&json!({ "revoked": revoked.id }));
    } else {
        let command = inert::line(&revoked.terms.command.to_string());
        context.terminal.styled(GOOD, format_args!("{id} revoked; `{command}` is asked about again"));
    }
    if let Some(setting) = &revoked.terms.setting {
        context.terminal.warning(&format!("`{setting}` is still in config.yaml; remove it there too"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Every allowance that counts here, the oldest first.
pub(in crate::command) fn allowed(site: &Site) -> Result<Vec<Allowance>, CommandError> {
    let settings = compose::settings(&FsPolicySource::new(site.layout.clone()));
    let mut all = pollster::block_on(FsAllowanceStore::new(&site.layout).list())?;
    all.retain(|one| {
        one.terms.setting.as_ref().is_none_or(|setting| settings.allowed_commands.contains(setting))
    });
    Ok(all)
}

/// Allows what a question offers, on the files that it was asked about and before the question itself is answered.
pub(in crate::command) fn allow_offered(
    site: &Site,
    command: &TrustedCommand,
    asked: &[AllowedFile],
) -> Result<Allowance, CommandError> {
    let by = crate::command::who::person();
    pollster::block_on(persons_gate(site).allowances().allow_offered(command, asked, &by)).map_err(refused)
}

/// Allows every line of `commands.allow`, and forgets the allowances of lines that are gone. Says why a line counts not.
pub(in crate::command) fn accept_settings(
    site: &Site,
    lines: &[String],
) -> Result<Vec<(String, String)>, CommandError> {
    let (gate, by) = (persons_gate(site), crate::command::who::person());
    for old in pollster::block_on(FsAllowanceStore::new(&site.layout).list())? {
        if old.terms.setting.as_ref().is_some_and(|setting| !lines.contains(setting)) {
            pollster::block_on(gate.allowances().revoke_allowance(old.id, &by))?;
        }
    }
    let mut refusals = Vec::new();
    for line in lines {
        let allowed = pollster::block_on(async {
            let command = gate.allowances().written_command(line, None).await?;
            gate.allowances().allow(&command, None, Some(line), &by).await
        });
        if let Err(error) = allowed {
            refusals.push((line.clone(), error.to_string()));
        }
    }
    Ok(refusals)
}

fn refused(error: AllowError) -> CommandError {
    match error {
        AllowError::Never(why) => CommandError::Other(format!(
            "this cannot be allowed: {why}; you are asked each time an agent runs it"
        )),
        AllowError::Failed(error) => CommandError::Tool(Box::new(error)),
    }
}
