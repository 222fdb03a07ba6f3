//! A scope that an import proposed, and a person's yes to it: what it owns now is shown first. Until then it counts for
//! nothing.

use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{FsIntentRepo, FsIntentWriter, FsWorkspaceLock, accepted_scope, write_imported};
use bailiwick_domain::{
    Intent, IntentDraft, IntentEditError, IntentId, IntentRepo, IntentWriter, NamedCheck, OwnedScope,
    ScopePattern, WorkspaceLock, WrittenIntent, json,
};

use super::super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::command::answers::approval;
use crate::command::answers::breadth::Twice;
use crate::command::output::terminal::{GOOD, WARN};
use crate::compose::{Door, HostPlaces, branch, gate};
use crate::gate::HostTraits;
use crate::gate::acceptance::change_of;
use crate::inert;
use crate::site::Site;

/// How long a running call may keep a person waiting.
const PATIENCE: Duration = Duration::from_secs(5);

/// What `intent show` says of an intent beside what governs.
pub(super) fn described(written: &WrittenIntent) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |word: &str, text: &str| lines.extend(super::fact(word, text));
    written.priority.iter().for_each(|text| say("priority", text));
    written.proposed.iter().for_each(|one| say("proposed", one.value.as_str()));
    written.questions.iter().for_each(|text| say("question", text));
    NamedCheck::of(written)
        .iter()
        .for_each(|check| say("check", &crate::command::answers::checks::said(check)));
    written.allow.iter().for_each(|example| say("must own", &example.value));
    written.deny.iter().for_each(|example| say("keeps out", &example.value));
    let of = |key: &str| written.source.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    if let (Some(path), lines) = (of("path"), of("lines").unwrap_or_default()) {
        say("source", &format!("{path}{}{lines}", if lines.is_empty() { "" } else { ":" }));
    }
    if of("vanished") == Some("true") {
        say("vanished", "it is no longer in the specs that it came from");
    }
    lines
}

/// The patterns that are proposed for an intent.
pub(super) fn of(site: &Site, id: &IntentId) -> Result<Vec<ScopePattern>, CommandError> {
    let report = FsIntentRepo::new(site.layout.clone()).load_report()?;
    let written = report.written.into_iter().find(|written| written.id.value == *id);
    let proposed = written.map(|written| written.proposed).unwrap_or_default();
    Ok(proposed.into_iter().map(|one| one.value).collect())
}

/// Lets the intent own what is proposed, or what the person wants instead, and accepts it as it then is.
pub(super) fn accept(
    site: &Site,
    intent: &Intent,
    proposed: &[ScopePattern],
    instead: &[String],
    context: &Context,
) -> Result<ExitCode, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("accepting a proposed scope"));
    }
    let usage = |error: &dyn std::fmt::Display| CommandError::Usage(error.to_string());
    let added: Vec<ScopePattern> = match instead {
        [] => proposed.to_vec(),
        texts => texts
            .iter()
            .map(|text| ScopePattern::new(text))
            .collect::<Result<_, _>>()
            .map_err(|error| usage(&error))?,
    };
    let mut all = intent.owned_scope().patterns().to_vec();
    all.extend(intent.unowned(&added));
    let scope = OwnedScope::new(all, false).map_err(|error| usage(&error))?;
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(site, door);
    let (facts, wide) = pollster::block_on(gate.authoring().measured(&scope, intent.id()))?;
    let draft = IntentDraft { owned_scope: scope, ..intent.draft().clone() };
    let meant = Intent::new(draft).map_err(|error| usage(&error))?;
    let here = FsIntentRepo::new(site.layout.clone());
    let accepted = pollster::block_on(here.accepted(intent.id()))?;
    let shown = change_of(accepted.newest(&branch(site)), &meant);
    for line in inert::lines(&format!("{shown}\n{facts}")) {
        context.terminal.say(approval::coloured(line));
    }
    super::revision::tell_commands(site, intent.id(), context)?;
    if intent.status() == bailiwick_domain::IntentStatus::Blocked {
        context
            .terminal
            .say(format_args!("{WARN}It stays BLOCKED until its questions are answered.{WARN:#}"));
    }
    let id = intent.id();
    let twice = wide.map(Twice::Broad);
    if !context.terminal.confirm(&format!("Let {id} own this?"))
        || !approval::confirmed_twice(twice.as_ref(), context)
    {
        context.terminal.say("Nothing was written.");
        return Ok(ExitCode::from(1));
    }
    write(site, &meant, &added)?;
    if context.json {
        context.terminal.json(&json!({ "id": id, "accepted": true, "owned_scope": meant.owned_scope() }));
    } else {
        context.terminal.styled(GOOD, format_args!("{id} is accepted with this scope"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes exactly what was shown, and remembers it as accepted.
fn write(site: &Site, meant: &Intent, added: &[ScopePattern]) -> Result<(), CommandError> {
    let lock = FsWorkspaceLock::new(site.layout.clone()).with_wait(PATIENCE);
    let _held = pollster::block_on(lock.acquire())?;
    let repo = FsIntentRepo::new(site.layout.clone());
    let current = pollster::block_on(repo.get(meant.id()))?;
    let changed = || CommandError::Other(IntentEditError::Changed.to_string());
    let same = |current: &Intent| {
        let draft = IntentDraft { owned_scope: meant.owned_scope().clone(), ..current.draft().clone() };
        Intent::new(draft).is_ok_and(|would| would.revision() == meant.revision())
    };
    if !current.is_some_and(|current| same(&current)) {
        return Err(changed());
    }
    let made = accepted_scope(&site.layout, meant.id(), added).map_err(said)?;
    write_imported(&site.layout, &made).map_err(said)?;
    let written = pollster::block_on(repo.get(meant.id()))?.filter(|now| now.revision() == meant.revision());
    let now = written.ok_or_else(changed)?;
    pollster::block_on(FsIntentWriter::new(site.layout.clone()).accept(&now, &branch(site)))?;
    Ok(())
}

pub(super) fn said(error: IntentEditError) -> CommandError {
    match error {
        IntentEditError::Port(error) => CommandError::Port(error),
        other => CommandError::Other(other.to_string()),
    }
}
