//! `bailiwick intent coverage`: for each requirement which intents serve it, where its code is now, and what its checks
//! last said.
//!
//! It reads, and runs nothing. Deliberately absent: running a check (`verify`), and how a block is found again (`trace
//! locate`).

mod code;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsIntentRepo, SystemClock};
use bailiwick_domain::{
    Clock, Intent, IntentId, IntentSet, NamedCheck, RepoPath, Value, WrittenIntent, json,
};
use bailiwick_policy::lint::verifying;
use bailiwick_policy::verified::Standing;

use self::code::{Code, State};
use super::graph::served;
use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::trace::sources::claims::Claimed;
use crate::command::trace::sources::departed::Departed;
use crate::command::verify::{Known, known};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::evidence::Proof;
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Code: in each file that was changed for the requirement, by the newest entries that wrote lines \
there
  present   the file is as the last of these changes left it, or a block of it is there, also on other lines
  moved     a block of it is in another file
  changed   only with other white space, or some of its lines
  gone      nothing of it is there, or it was taken back; so is a file that is deleted, unless the \
change deleted it
  unknown   not looked at, because there is too much

Checks: the criteria that name the requirement in their id or text; those of an intent that serves \
nothing else. `met`, `failing`, `unmet` and `human` mean what they mean in `bailiwick verify`. \
Nothing is run.

Examples:
  bailiwick intent coverage             all requirements
  bailiwick intent coverage REQ-7       one, with its files and checks
  bailiwick intent coverage --json")]
pub(in crate::command) struct Coverage {
    /// Only these requirements, with their files and checks
    #[arg(value_name = "REQUIREMENT")]
    requirements: Vec<String>,
    #[command(flatten)]
    claimed: Claimed,
}

/// One requirement.
#[derive(Default)]
struct Covered<'a> {
    /// Those of the intents file that serve it.
    intents: Vec<&'a Intent>,
    /// What was changed for it.
    code: Vec<&'a Code>,
    checks: Vec<(&'a IntentId, &'a Known)>,
}

pub(super) fn run(site: &Site, args: &Coverage, context: &Context) -> Result<ExitCode, CommandError> {
    let report = FsIntentRepo::new(site.layout.clone()).load_report()?;
    if let Some(error) = report.errors.first() {
        return Err(CommandError::Other(format!("{error}; `bailiwick intent check` lists all")));
    }
    context.claims.take(args.claimed);
    let set = report.set.as_of(SystemClock.now());
    let code = code::look(site, context)?;
    let both = pairs(&set, &report.written);
    let known = known(site, &both)?;
    let mut all = covered(&set, &code, &known);
    if !args.requirements.is_empty() {
        for name in &args.requirements {
            if !all.contains_key(name.as_str()) {
                let name = inert::line(name);
                return Err(CommandError::Other(format!(
                    "no intent serves the requirement `{name}`, and nothing was changed for it; `bailiwick intent coverage` lists all"
                )));
            }
        }
        all.retain(|id, _| args.requirements.iter().any(|name| name == id));
    }
    let departed = Departed::look(site);
    if context.json {
        let all: Vec<Value> = all.iter().map(|(id, one)| one.as_json(id)).collect();
        context.terminal.json(&departed.with(json!({ "requirements": all })));
    } else {
        if all.is_empty() {
            context.terminal.say("No intent names a requirement, and nothing was changed for one.");
        }
        all.iter().for_each(|(id, one)| one.say(id, !args.requirements.is_empty(), context));
        departed.tell(context);
        context.claims.tell(context);
    }
    Ok(ExitCode::SUCCESS)
}

/// The intents with the same as they are written.
fn pairs<'a>(set: &'a IntentSet, written: &'a [WrittenIntent]) -> Vec<(&'a Intent, &'a WrittenIntent)> {
    let written: BTreeMap<&IntentId, &WrittenIntent> =
        written.iter().map(|one| (&one.id.value, one)).collect();
    set.iter().filter_map(|intent| Some((intent, *written.get(intent.id())?))).collect()
}

fn covered<'a>(
    set: &'a IntentSet,
    code: &'a [Code],
    known: &'a BTreeMap<&'a IntentId, Vec<Known>>,
) -> BTreeMap<String, Covered<'a>> {
    let mut all: BTreeMap<String, Covered<'a>> = BTreeMap::new();
    for intent in set.iter() {
        let known = known.get(intent.id()).map(Vec::as_slice).unwrap_or_default();
        let checks: Vec<NamedCheck> = known.iter().map(|one| one.check.clone()).collect();
        for requirement in served(intent) {
            let verifying = verifying(&requirement, intent, &checks);
            let verifying = known.iter().filter(|one| verifying.contains(&&one.check));
            let one = all.entry(requirement.clone()).or_default();
            one.checks.extend(verifying.map(|known| (intent.id(), known)));
            one.intents.push(intent);
        }
    }
    for code in code {
        for requirement in &code.requirements {
            all.entry(requirement.clone()).or_default().code.push(code);
        }
    }
    all
}

impl Covered<'_> {
    /// Each file with the best that is known of it.
    fn files(&self) -> BTreeMap<&RepoPath, State> {
        let mut files: BTreeMap<&RepoPath, State> = BTreeMap::new();
        for code in &self.code {
            let state = files.entry(&code.file).or_insert(code.state);
            *state = (*state).min(code.state);
        }
        files
    }

    /// How many files are in each state, in the order of the states.
    fn counts(&self) -> Vec<(State, usize)> {
        let files = self.files();
        let of = |state: State| files.values().filter(|one| **one == state).count();
        State::ALL.iter().map(|state| (*state, of(*state))).collect()
    }

    fn standing(&self, standing: Standing) -> usize {
        self.checks.iter().filter(|(_, known)| known.standing == standing).count()
    }

    fn as_json(&self, id: &str) -> Value {
        let intent =
            |intent: &&Intent| json!({"id": intent.id(), "name": intent.name(), "status": intent.status()});
        let file = |code: &&Code| {
            json!({
                "intent": code.intent,
                "file": code.file,
                "symbols": code.symbols,
                "state": code.state.as_str(),
                "now": code.now,
                "proof": Proof::as_str(code.proof),
            })
        };
        let check = |(intent, known): &(&IntentId, &Known)| {
            json!({
                "intent": intent,
                "id": known.check.id,
                "text": known.check.text,
                "check": known.check.check,
                "standing": known.standing.as_str(),
                "outcome": known.result.as_ref().map(|result| result.outcome),
                "at": known.result.as_ref().map(|result| result.at),
                "by": known.result.as_ref().map(|result| &result.by),
            })
        };
        let counts: BTreeMap<&str, usize> =
            self.counts().into_iter().map(|(state, count)| (state.as_str(), count)).collect();
        json!({
            "id": id,
            "intents": self.intents.iter().map(intent).collect::<Vec<_>>(),
            "code": counts,
            "files": self.code.iter().map(file).collect::<Vec<_>>(),
            "checks": self.checks.iter().map(check).collect::<Vec<_>>(),
        })
    }

    fn say(&self, id: &str, whole: bool, context: &Context) {
        let terminal = &context.terminal;
        let (code, checks) = (self.code_in_words(), self.checks_in_words());
        let intents: BTreeSet<&str> = self.intents.iter().map(|intent| intent.id().as_str()).collect();
        let intents = match intents.len() {
            0 => "no intent".to_owned(),
            1..=4 => intents.into_iter().collect::<Vec<_>>().join(" "),
            many => counted(many, "intent", "intents"),
        };
        terminal.say(format_args!(
            "{HEADING}{}{HEADING:#}  {}  {code}  {checks}",
            inert::line(id),
            inert::line(&intents)
        ));
        if !whole {
            return;
        }
        for one in &self.code {
            let style = one.state.style();
            let place = match &one.now {
                Some(now) if *now != one.file => format!("{} (now {now})", one.file),
                _ => one.file.to_string(),
            };
            let symbols = one.symbols.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            terminal.say(format_args!(
                "  {style}{:<8}{style:#} {}  {DIM}{} {}{DIM:#}",
                one.state.as_str(),
                inert::line(&place),
                inert::line(one.intent.as_str()),
                inert::line(&symbols)
            ));
        }
        for (intent, known) in &self.checks {
            let style = style_of(known.standing);
            let ran = known.result.as_ref().map(|result| reading::ago(result.at, SystemClock.now()));
            terminal.say(format_args!(
                "  {style}{:<8}{style:#} {}  {DIM}{intent}, {}{DIM:#}",
                known.standing.as_str(),
                inert::line(known.check.name()),
                ran.as_deref().unwrap_or("never run")
            ));
        }
    }

    fn code_in_words(&self) -> String {
        if self.code.is_empty() {
            return format!("{WARN}no code{WARN:#}");
        }
        let counts = self.counts().into_iter().filter(|(_, count)| *count > 0);
        let said = counts.map(|(state, count)| {
            let style = state.style();
            format!("{style}{count} {}{style:#}", state.as_str())
        });
        format!("code: {}", said.collect::<Vec<_>>().join(", "))
    }

    fn checks_in_words(&self) -> String {
        if self.checks.is_empty() {
            return format!("{WARN}no check{WARN:#}");
        }
        let all = [Standing::Met, Standing::Failing, Standing::Unmet, Standing::Human];
        let some = all.into_iter().filter(|standing| self.standing(*standing) > 0);
        let said = some.map(|standing| {
            let style = style_of(standing);
            format!("{style}{} {}{style:#}", self.standing(standing), standing.as_str())
        });
        format!("checks: {}", said.collect::<Vec<_>>().join(", "))
    }
}

fn style_of(standing: Standing) -> anstyle::Style {
    match standing {
        Standing::Met => GOOD,
        Standing::Failing => BAD,
        Standing::Unmet | Standing::Human => WARN,
    }
}
