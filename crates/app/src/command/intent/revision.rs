//! `bailiwick intent accept INT-001`: a person lets a revision that somebody else wrote count on this machine.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsIntentRepo, FsIntentWriter};
use bailiwick_domain::{Intent, IntentId, IntentRepo, IntentWriter, json};
use bailiwick_policy::acceptance::counts;

use super::super::{CommandError, Context};
use crate::command::output::terminal::GOOD;
use crate::compose::branch;
use crate::gate::acceptance::change_of;
use crate::inert;
use crate::site::Site;

/// The intents of a site, with what counts there.
pub(in crate::command) struct Here {
    /// The intents.
    pub(in crate::command) repo: FsIntentRepo,
    branch: String,
}

impl Here {
    pub(in crate::command) fn of(site: &Site) -> Self {
        Self { repo: FsIntentRepo::new(site.layout.clone()), branch: branch(site) }
    }

    /// Whether the intent counts on this machine as it is now.
    pub(in crate::command) fn is_accepted(&self, intent: &Intent) -> bool {
        let accepted = pollster::block_on(self.repo.accepted(intent.id()));
        accepted.is_ok_and(|accepted| counts(intent, &accepted, &self.branch))
    }
}

/// The intent of that id, if there is one.
pub(super) fn named(site: &Site, id: &str) -> Result<Option<Intent>, CommandError> {
    let Ok(id) = IntentId::new(id) else { return Ok(None) };
    Ok(pollster::block_on(FsIntentRepo::new(site.layout.clone()).get(&id))?)
}

pub(super) fn accept(site: &Site, intent: &Intent, context: &Context) -> Result<ExitCode, CommandError> {
    let id = intent.id().clone();
    let branch = branch(site);
    let accepted = pollster::block_on(FsIntentRepo::new(site.layout.clone()).accepted(&id))?;
    if counts(intent, &accepted, &branch) {
        return Ok(said(context, &id, "is already accepted on this machine"));
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("accepting an intent"));
    }
    for line in inert::lines(&change_of(accepted.newest(&branch), intent)) {
        context.terminal.say(line);
    }
    tell_commands(site, &id, context)?;
    if !context.terminal.confirm(&format!("Accept {id} like this on this machine?")) {
        context.terminal.say("Nothing was accepted.");
        return Ok(ExitCode::from(1));
    }
    pollster::block_on(FsIntentWriter::new(site.layout.clone()).accept(intent, &branch))?;
    Ok(said(context, &id, "is accepted"))
}

/// The commands that a yes lets `verify` run.
pub(super) fn tell_commands(site: &Site, id: &IntentId, context: &Context) -> Result<(), CommandError> {
    let report = FsIntentRepo::new(site.layout.clone()).load_report()?;
    let written = report.written.iter().filter(|written| written.id.value == *id);
    for line in written.flat_map(crate::command::answers::checks::commands) {
        context.terminal.say(line);
    }
    Ok(())
}

fn said(context: &Context, id: &IntentId, what: &str) -> ExitCode {
    if context.json {
        context.terminal.json(&json!({ "id": id, "accepted": true }));
    } else {
        context.terminal.styled(GOOD, format_args!("{id} {what}"));
    }
    ExitCode::SUCCESS
}
