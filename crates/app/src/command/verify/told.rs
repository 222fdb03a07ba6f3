//! What is told of the checks of intents: for people in lines, for programs in one JSON value.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsVerifications, SystemClock};
use bailiwick_domain::{Check, CheckOf, CheckResult, Clock, NamedCheck, Value, json};
use bailiwick_policy::verified::{Standing, Stands, standings};

use super::Subject;
use super::present::Present;
use super::running::Ran;
use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::inert;
use crate::redact::redact;
use crate::site::Site;

/// So many lines of what a failed command printed are shown.
const SHOWN: usize = 20;

pub(super) fn tell(
    subjects: &[Subject],
    site: &Site,
    store: &FsVerifications,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let (mut fails, mut values) = (false, Vec::new());
    for subject in subjects {
        let results = store.of(subject.intent.id())?;
        // Looked at again: what changed while a check ran ends its result at once.
        let now = Present::look(site, &subject.intent)?;
        let is_same = |result: &CheckResult| now.is_same(result);
        let mut stands =
            standings(&subject.written, subject.intent.revision(), now.last_work, &results, &is_same);
        stands
            .iter_mut()
            .filter(|one| is_left_out(subject, one))
            .for_each(|one| one.standing = Standing::Unmet);
        fails |= stands.iter().any(|one| matches!(one.standing, Standing::Failing | Standing::Unmet));
        if context.json {
            values.push(as_json(subject, &stands));
        } else {
            say(subject, &stands, context);
        }
    }
    if context.json {
        context.terminal.json(&json!({ "intents": values }));
    } else if subjects.is_empty() {
        context.terminal.say("No open intent has a check.");
    }
    Ok(match subjects.iter().any(Subject::is_broken_off) {
        true => ExitCode::from(super::BROKEN_OFF),
        false if fails => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

/// Whether this run had to run the check and did not: then an older result says nothing of what was asked for.
fn is_left_out(subject: &Subject, one: &Stands<'_>) -> bool {
    let of = subject.ran.iter().find(|ran| is_of(ran, &one.check));
    one.check.check != Check::Human && matches!(of, Some(Ran::Not { .. } | Ran::Stopped { .. }))
}

fn say(subject: &Subject, stands: &[Stands<'_>], context: &Context) {
    let terminal = &context.terminal;
    let (id, name) = (subject.intent.id(), inert::line(subject.intent.name()));
    terminal.say(format_args!("{HEADING}{id}{HEADING:#}  {name}"));
    if stands.is_empty() {
        terminal.say("  has no check; give a criterion `check:` with `run`, `file` or `human`");
    }
    for one in stands {
        let (style, word) = match one.standing {
            Standing::Met => (GOOD, "met"),
            Standing::Failing => (BAD, "failing"),
            Standing::Unmet => (WARN, "unmet"),
            Standing::Human => (WARN, "human"),
        };
        let what = inert::line(&described(&one.check));
        terminal
            .say(format_args!("  {style}{word:<7}{style:#}  {what}  {DIM}{}{DIM:#}", since(subject, one)));
        if let Some(ran) = subject.ran.iter().find(|ran| is_of(ran, &one.check)) {
            details(ran, one.standing, context);
        }
    }
    if subject.is_broken_off() {
        terminal.warning("you broke it off; what was not run stays as it was");
    }
}

fn details(ran: &Ran, standing: Standing, context: &Context) {
    let terminal = &context.terminal;
    match ran {
        Ran::Not { why, .. } => terminal.say(format_args!("           {WARN}{}{WARN:#}", inert::line(why))),
        Ran::Done { output, changed, .. } => {
            if standing == Standing::Failing {
                let text = redact(output);
                let lines: Vec<&str> = text.lines().collect();
                let from = lines.len().saturating_sub(SHOWN);
                for line in lines.get(from..).unwrap_or_default() {
                    terminal.say(format_args!("           {DIM}│{DIM:#} {}", inert::line(line)));
                }
            }
            if !changed.is_empty() {
                let named: Vec<String> =
                    changed.iter().take(3).map(|path| inert::line(path.as_str())).collect();
                let more = if changed.len() > 3 {
                    format!(" and {} more", changed.len() - 3)
                } else {
                    String::new()
                };
                let named = named.join(", ");
                terminal
                    .say(format_args!("           {WARN}changed while the check ran: {named}{more}{WARN:#}"));
            }
        }
        Ran::Stopped { .. } => {}
    }
}

fn is_of(ran: &Ran, check: &NamedCheck) -> bool {
    match ran {
        Ran::Done { result, .. } => result.check == *check,
        Ran::Not { check: other, .. } | Ran::Stopped { check: other } => other == check,
    }
}

/// The text of a check with what verifies it.
pub(super) fn described(check: &NamedCheck) -> String {
    let id = check.id.as_ref().map(|id| format!("{id}: ")).unwrap_or_default();
    let text = check.text.as_deref().unwrap_or(match check.of {
        CheckOf::Constraint => "a constraint",
        CheckOf::Criterion => "a criterion",
    });
    let by = match &check.check {
        Check::Run(command) => format!(" (`{command}`)"),
        Check::File(path) => format!(" (file `{path}`)"),
        Check::Human => String::new(),
    };
    format!("{id}{text}{by}")
}

/// Where a result comes from, or why an older one does not count.
fn since(subject: &Subject, one: &Stands<'_>) -> String {
    let tick = || {
        format!("you say so: bailiwick verify {} --tick {}", subject.intent.id(), quoted(one.check.name()))
    };
    match (one.standing, one.result) {
        (Standing::Human, Some(old)) => format!("ticked {}, before the last change; {}", age(old), tick()),
        (Standing::Human, None) => tick(),
        (Standing::Unmet, Some(old)) if is_left_out(subject, one) => {
            format!("not run now; last result {}", age(old))
        }
        (Standing::Unmet, None) if is_left_out(subject, one) => "not run".to_owned(),
        (Standing::Unmet, Some(old)) => format!("last run {}, before the last change", age(old)),
        (Standing::Unmet, None) => "never run".to_owned(),
        (_, Some(result)) => age(result),
        (_, None) => String::new(),
    }
}

fn age(result: &CheckResult) -> String {
    reading::ago(result.at, SystemClock.now())
}

fn quoted(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let name = inert::line(name);
    if is_plain { name } else { format!("'{name}'") }
}

fn as_json(subject: &Subject, stands: &[Stands<'_>]) -> Value {
    let one = |one: &Stands<'_>| {
        let NamedCheck { of, id, text, check } = &one.check;
        let ran = subject.ran.iter().find(|ran| is_of(ran, &one.check));
        let (why, changed) = match ran {
            Some(Ran::Not { why, .. }) => (Some(why), None),
            Some(Ran::Done { changed, .. }) => (None, Some(changed)),
            _ => (None, None),
        };
        json!({
            "of": of,
            "id": id,
            "text": text,
            "check": check,
            "standing": one.standing.as_str(),
            "outcome": one.result.map(|result| result.outcome),
            "status": one.result.and_then(|result| result.status),
            "revision": one.result.map(|result| &result.revision),
            "commit": one.result.and_then(|result| result.commit.as_ref()),
            "at": one.result.map(|result| result.at),
            "by": one.result.map(|result| &result.by),
            "before_work": one.result.map(|result| result.before_work),
            "not_run": why,
            "changed": changed,
        })
    };
    json!({
        "id": subject.intent.id(),
        "revision": subject.intent.revision(),
        "checks": stands.iter().map(one).collect::<Vec<_>>(),
    })
}
