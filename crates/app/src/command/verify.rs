//! `bailiwick verify`: runs the checks of an intent, records what came of them, and shows what is met.
//!
//! A person runs it. Deliberately absent: how a result counts (`bailiwick_policy::verified`), which commands a person
//! trusts (the gate's allowances), and closing an intent.

mod effects;
mod present;
mod running;
mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{FsIntentRepo, FsVerifications, SystemClock};
use bailiwick_domain::{
    Action, Actor, Check, CheckOutcome, CheckResult, Clock, DecisionRecord, Intent, IntentId, NamedCheck,
    State, WrittenIntent,
};
use bailiwick_policy::verified::{Standing, Stands, standings};

use super::output::terminal::DIM;
use super::{CommandError, Context};
use crate::compose::persons_gate;
use crate::gate::Gate;
use crate::inert;
use crate::lessons::{Failure, Lessons};
use crate::redact::redact;
use crate::site::Site;
use present::{Moment, Present};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A check of the intents file is a command (`run`), a file that must be there (`file`), or a person \
who says so (`human`). Commands run in the root of the repository, unconfined, as you. Those that \
you allowed (`bailiwick allow`) and those that only read run at once; you are asked about each other \
one, with its text. Without a terminal those are not run.

A result counts for the revision of the intent that it was made under, until something is recorded \
under it, or the files that it owns or that the check names change, or another commit changes other \
files. `intent check` and `intent close` read the results.

A command that fails becomes one line under \"Lessons Learned\" in CLAUDE.md, AGENT.md or AGENTS.md: \
files that git tracks, so look at them before you commit. When the command passes again, the line \
says what was changed. --no-lesson writes nothing.

Exit status: 1 when a check fails or was not run, 130 when you broke it off. Checks that wait for a \
person do not count, and --tick ends with 0 when it ticked.

Examples:
  bailiwick verify INT-001               run its checks
  bailiwick verify --all                 those of every open intent
  bailiwick verify INT-001 --no-lesson   before the work starts, when checks still must fail
  bailiwick verify INT-001 --last        only show what the last runs said
  bailiwick verify INT-001 --tick AC-2   you say that AC-2 is met, by its id or its text")]
pub(super) struct Args {
    /// The intent
    #[arg(value_name = "INTENT")]
    intent: Option<String>,
    /// Every open intent
    #[arg(long, conflicts_with = "intent")]
    all: bool,
    /// Run nothing; show what was recorded
    #[arg(long, conflicts_with_all = ["tick", "timeout"])]
    last: bool,
    /// A criterion or constraint with `check: human` is met: you looked; repeatable
    #[arg(long, value_name = "CRITERION", conflicts_with = "all")]
    tick: Vec<String>,
    /// Keep no lesson of a command that fails
    #[arg(long, conflicts_with_all = ["last", "tick"])]
    no_lesson: bool,
    /// How long one command may run
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration)]
    timeout: Duration,
}

impl Args {
    pub(super) fn is_query(&self) -> bool {
        self.last
    }
}

/// The exit status of a program that Ctrl-C ended.
const BROKEN_OFF: u8 = 130;

/// An intent that is verified.
struct Subject {
    intent: Intent,
    written: WrittenIntent,
    /// What its checks left in this run, check by check.
    ran: Vec<running::Ran>,
}

impl Subject {
    fn is_broken_off(&self) -> bool {
        self.ran.iter().any(|ran| matches!(ran, running::Ran::Stopped { .. }))
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    if args.intent.is_none() && !args.all {
        let usage =
            "name an intent, `bailiwick verify INT-001`, or verify every open one: `bailiwick verify --all`";
        return Err(CommandError::Usage(usage.to_owned()));
    }
    let site = context.site()?;
    let mut subjects = subjects(&site, args.intent.as_deref())?;
    let store = FsVerifications::new(&site.layout);
    // What cannot be read is said before anything runs.
    for subject in &subjects {
        store.of(subject.intent.id())?;
    }
    let gate = persons_gate(&site);
    if !args.tick.is_empty() {
        for subject in &subjects {
            tick(subject, &args.tick, &site, &store, context)?;
        }
        // The tick was done; how the other checks stand is shown, and fails nothing.
        return told::tell(&subjects, &site, &store, context).map(|_| ExitCode::SUCCESS);
    } else if !args.last {
        let runner = running::Runner::new(&site, &gate, context, args.timeout);
        for subject in &mut subjects {
            verify(subject, &runner, &store)?;
            if !args.no_lesson {
                keep_lessons(subject, &site, &gate, context);
            }
            if subject.is_broken_off() {
                break;
            }
        }
    }
    told::tell(&subjects, &site, &store, context)
}

/// The intent of that id, or all open ones with a check.
fn subjects(site: &Site, named: Option<&str>) -> Result<Vec<Subject>, CommandError> {
    let report = FsIntentRepo::new(site.layout.clone()).load_report()?;
    if let Some(error) = report.errors.first() {
        return Err(CommandError::Other(format!("{error}; `bailiwick intent check` lists all")));
    }
    let set = report.set.as_of(SystemClock.now());
    let wanted =
        named.map(IntentId::new).transpose().map_err(|error| CommandError::Usage(error.to_string()))?;
    let mut subjects = Vec::new();
    for written in report.written {
        let Some(intent) = set.get(&written.id.value) else { continue };
        let is_wanted = match &wanted {
            Some(id) => intent.id() == id,
            None => intent.is_open() && !NamedCheck::of(&written).is_empty(),
        };
        if is_wanted {
            subjects.push(Subject { intent: intent.clone(), written, ran: Vec::new() });
        }
    }
    if let Some(id) = wanted.filter(|_| subjects.is_empty()) {
        super::named::intent(site, id.as_str())?;
    }
    Ok(subjects)
}

fn verify(
    subject: &mut Subject,
    runner: &running::Runner<'_>,
    store: &FsVerifications,
) -> Result<(), CommandError> {
    let checks = NamedCheck::of(&subject.written);
    for check in checks.iter().filter(|check| check.check != Check::Human) {
        let ran = runner.run(subject, check)?;
        // Recorded one by one: what is known stays known when the next one is broken off.
        if let running::Ran::Done { result, .. } = &ran {
            record(subject, store, std::slice::from_ref(result))?;
        }
        subject.ran.push(ran);
        if subject.is_broken_off() {
            break;
        }
    }
    Ok(())
}

/// A command that failed is a lesson, and one that passed closes the lessons of before. What cannot be written is said, and
/// the results stay.
fn keep_lessons(subject: &Subject, site: &Site, gate: &Gate, context: &Context) {
    let lessons = Lessons::new(site, gate);
    let by = super::who::person();
    for ran in &subject.ran {
        let running::Ran::Done { result, output, only_read, .. } = ran else { continue };
        let Check::Run(command) = &result.check.check else { continue };
        let kept = if result.outcome.is_met() {
            lessons.passed(command, &subject.intent, Some(&by), None)
        } else {
            // Nobody was asked about a reader, so no line of what it read goes into a file that travels with git.
            let output = match (result.outcome, only_read) {
                (CheckOutcome::TimedOut, _) => "error: took too long",
                (_, true) => "",
                (_, false) => output,
            };
            lessons.failed(&Failure { command, intent: &subject.intent, output, by: Some(&by), turn: None })
        };
        match kept {
            Ok(Some(path)) if !context.json => {
                let what = match result.outcome.is_met() {
                    true => "the lesson of it is closed in",
                    false => "a lesson was written to",
                };
                context.terminal.say(format_args!("{DIM}{what} {path}{DIM:#}"));
            }
            Ok(_) => {}
            Err(error) => context.terminal.warning(&inert::line(&error.to_string())),
        }
    }
}

fn record(subject: &Subject, store: &FsVerifications, new: &[CheckResult]) -> Result<(), CommandError> {
    let there = NamedCheck::of(&subject.written);
    Ok(store.record(subject.intent.id(), new, |old| there.contains(&old.check))?)
}

fn tick(
    subject: &Subject,
    named: &[String],
    site: &Site,
    store: &FsVerifications,
    context: &Context,
) -> Result<(), CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("ticking a criterion"));
    }
    if context.json {
        return Err(CommandError::Usage("--tick asks you, so it does not go with --json".to_owned()));
    }
    let found = named.iter().map(|name| ticked_by(name, subject)).collect::<Result<Vec<_>, _>>()?;
    for check in &found {
        context.terminal.say(inert::line(check.text.as_deref().unwrap_or(check.name())));
    }
    let (at, before) = (SystemClock.now(), Present::look(site, &subject.intent)?);
    if !context.terminal.confirm("Did you look, and is this met?") {
        return Err(CommandError::Other("nothing is ticked".to_owned()));
    }
    // What changed while you were asked is not what you looked at.
    if Present::look(site, &subject.intent)?.differs(&before, &found) {
        return Err(CommandError::Other(
            "nothing is ticked: something was changed while you were asked; look again".to_owned(),
        ));
    }
    let before_work = before.is_before_work();
    let ticked = |check: NamedCheck| CheckResult {
        over: before.over(&check),
        check,
        outcome: CheckOutcome::Ticked,
        status: None,
        revision: subject.intent.revision().clone(),
        commit: before.commit.clone(),
        at,
        by: super::who::person(),
        before_work,
    };
    let new: Vec<CheckResult> = found.into_iter().map(ticked).collect();
    record(subject, store, &new)
}

/// The check of a person that is named so.
fn ticked_by(name: &str, subject: &Subject) -> Result<NamedCheck, CommandError> {
    let id = subject.intent.id();
    let checks: Vec<NamedCheck> =
        NamedCheck::of(&subject.written).into_iter().filter(|check| check.check == Check::Human).collect();
    let is_named =
        |check: &&NamedCheck| check.id.as_deref() == Some(name) || check.text.as_deref() == Some(name);
    let mut fitting = checks.iter().filter(is_named);
    let Some(check) = fitting.next() else {
        let others = checks.iter().map(|check| format!("`{}`", inert::line(check.name())));
        let others = others.collect::<Vec<_>>().join(", ");
        let others = if others.is_empty() { "it has none".to_owned() } else { format!("it has {others}") };
        return Err(CommandError::Usage(format!(
            "{id} has no `check: human` named `{}`: {others}",
            inert::line(name)
        )));
    };
    if fitting.next().is_some() {
        let name = inert::line(name);
        return Err(CommandError::Usage(format!("several checks of {id} are named `{name}`; give them ids")));
    }
    Ok(check.clone())
}

/// A check with how it stands by what was recorded.
pub(super) struct Known {
    pub(super) check: NamedCheck,
    pub(super) standing: Standing,
    pub(super) result: Option<CheckResult>,
}

/// How the checks of these intents stand. Runs nothing; the ledger is walked once for all of them.
pub(super) fn known<'i>(
    site: &Site,
    intents: &[(&'i Intent, &WrittenIntent)],
) -> Result<BTreeMap<&'i IntentId, Vec<Known>>, CommandError> {
    let store = FsVerifications::new(&site.layout);
    let mut recorded = Vec::new();
    for (intent, written) in intents.iter().filter(|(_, written)| !NamedCheck::of(written).is_empty()) {
        recorded.push((*intent, *written, store.of(intent.id())?));
    }
    // Where nothing was recorded, nothing that is there now makes a difference.
    let looked = recorded.iter().filter(|(_, _, results)| !results.is_empty());
    let looked: BTreeSet<&IntentId> = looked.map(|(intent, ..)| intent.id()).collect();
    let moment = if looked.is_empty() { None } else { Some(Moment::look(site, &looked)?) };
    let mut all = BTreeMap::new();
    for (intent, written, results) in recorded {
        let now = moment.as_ref().filter(|_| !results.is_empty()).map(|moment| moment.of(intent));
        let is_same = |result: &CheckResult| now.as_ref().is_some_and(|now| now.is_same(result));
        let last_work = now.as_ref().and_then(|now| now.last_work);
        let stands = standings(written, intent.revision(), last_work, &results, &is_same);
        let known = stands.into_iter().map(|one| Known {
            check: one.check,
            standing: one.standing,
            result: one.result.cloned(),
        });
        all.insert(intent.id(), known.collect());
    }
    Ok(all)
}

/// What keeps an intent from being done, check by check.
pub(super) fn unmet(site: &Site, id: &IntentId) -> Result<Vec<String>, CommandError> {
    let report = FsIntentRepo::new(site.layout.clone()).load_report()?;
    let found = report.set.get(id).zip(report.written.iter().find(|written| written.id.value == *id));
    // An intent that is not there has nothing to verify; the change itself refuses it and names it.
    let Some((intent, written)) = found else { return Ok(Vec::new()) };
    let results = FsVerifications::new(&site.layout).of(id)?;
    let now = Present::look(site, intent)?;
    let stands =
        standings(written, intent.revision(), now.last_work, &results, &|result| now.is_same(result));
    let open = stands.iter().filter(|one| one.standing != Standing::Met);
    let said = |one: &Stands<'_>| {
        let name = inert::line(one.check.name());
        match one.standing {
            Standing::Human => format!("{name} waits for your tick"),
            standing => format!("{name} is {}", standing.as_str()),
        }
    };
    Ok(open.map(said).collect())
}

/// Writes down that an intent was closed though its checks are not met.
pub(super) fn log_unverified(site: &Site, id: &IntentId, unmet: &[String]) -> Result<(), CommandError> {
    let by = super::who::person();
    let note = redact(&format!("{by} closed {id} unverified: {}", unmet.join("; ")));
    let (now, actor) = (SystemClock.now(), Actor::root(Actor::HUMAN, &by));
    let record = DecisionRecord {
        intent: Some(id.clone()),
        ..DecisionRecord::new(now, actor, "close", State::Request, Action::Transition, note)
    };
    pollster::block_on(persons_gate(site).ports().records.decisions.append(&record))?;
    Ok(())
}
