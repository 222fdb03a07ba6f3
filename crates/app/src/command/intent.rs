//! `bailiwick intent`: list, show, draw, check, create, expand and close intents.

pub(super) mod accept;
mod change;
mod check;
mod coverage;
mod fmt;
mod graph;
mod import;
mod markdown;
mod proposed;
mod reported;
mod revision;
mod suggest;

use std::process::ExitCode;

use bailiwick_adapters_fs::{NewIntent, SystemClock, append_intent, intents_schema};
use bailiwick_domain::{
    Breadth, Clock, Constraint, Intent, IntentId, IntentRepo, OwnedScope, PortError, Value, json,
};

pub(super) use self::reported::{Reported, reported};
pub(super) use self::revision::Here;
use super::answers::breadth::breadth_in_words;
use super::output::columns::hanging;
use super::output::reading;
use super::output::terminal::{DIM, GOOD, HEADING, WARN};
use super::{CommandError, Context};
use crate::approvers::SameConnection;
use crate::compose::{Door, HostPlaces, gate};
use crate::counted::counted;
use crate::gate::HostTraits;
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Action {
    /// All intents
    List,
    /// One intent whole
    Show {
        /// The intent
        id: String,
        /// As Markdown, with what only people read
        #[arg(long)]
        md: bool,
    },
    /// Intents, requirements, files and symbols with the links between them, as a picture
    Graph(graph::Graph),
    /// Each requirement: which intents serve it, where its code is now, and what its checks last said
    Coverage(coverage::Coverage),
    /// Errors and warnings in active_intents.yaml, with file, line, column and a fix
    Check(check::Check),
    /// Bring active_intents.yaml into one form; comments stay
    Fmt(fmt::Fmt),
    /// The JSON schema of active_intents.yaml, for editors
    Schema,
    /// Create an intent
    New(New),
    /// Take over the specs of spec-kit, OpenSpec or Kiro as intents, or what changed in them
    Import(import::Import),
    /// Accept what an agent drafted, an intent or more scope for one, as it is or changed; or an intent that came by git
    /// or by an import
    Accept(accept::Accept),
    /// Add patterns to an intent's scope
    Expand(change::Expand),
    /// Close an intent: no agent works under it any more
    Close(change::Close),
}

#[derive(Debug, clap::Args)]
pub(super) struct New {
    /// What shall be reached, in one line
    name: String,
    /// What it may change: a file, a folder with a trailing slash, or a glob; `!` excludes; repeatable. Without it, a
    /// scope is suggested
    #[arg(long, value_name = "PATTERN")]
    scope: Vec<String>,
    /// Suggest at most so many files
    #[arg(long, value_name = "FILES", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=240),
        conflicts_with = "scope")]
    suggest: u16,
    /// The reason
    #[arg(long)]
    why: Option<String>,
    /// When it is done; repeatable
    #[arg(long, value_name = "TEXT")]
    accept: Vec<String>,
    /// A requirement that it serves; repeatable
    #[arg(long, value_name = "ID")]
    requirement: Vec<String>,
    /// Its id; the next free INT-NNN when not given
    #[arg(long)]
    id: Option<String>,
    /// When it ends by itself: from now on, such as `4h` or `2days`
    #[arg(long, value_name = "TIME", value_parser = length)]
    expires: Option<std::time::Duration>,
    /// Allow a scope that owns everything, or a large part of the files
    #[arg(long)]
    allow_broad: bool,
}

fn length(text: &str) -> Result<std::time::Duration, String> {
    let length = humantime::parse_duration(text).map_err(|_| "a length from now on, such as 4h or 2days")?;
    if length.is_zero() { Err("it would already have ended".to_owned()) } else { Ok(length) }
}

impl Action {
    pub(super) fn is_query(&self) -> bool {
        match self {
            Self::List | Self::Show { .. } | Self::Schema | Self::Graph(_) | Self::Coverage(_) => true,
            Self::Check(args) => !args.writes(),
            Self::Fmt(args) => !args.writes(),
            Self::New(_) | Self::Import(_) | Self::Accept(_) | Self::Expand(_) | Self::Close(_) => false,
        }
    }
}

pub(super) fn run(action: &Action, context: &Context) -> Result<ExitCode, CommandError> {
    if matches!(action, Action::Schema) {
        return Ok(schema(context));
    }
    let site = context.site()?;
    let here = Here::of(&site);
    match action {
        Action::List => list(&here, context),
        Action::Show { id, md } => show(&here, &site, id, *md, context),
        Action::Graph(args) => graph::run(&here, &site, args, context),
        Action::Coverage(args) => coverage::run(&site, args, context),
        Action::Check(args) => check::check(&site, args, context),
        Action::Schema => Ok(schema(context)),
        Action::Fmt(args) => fmt::fmt(&site, *args, context),
        Action::New(new) => create(&site, new, context),
        Action::Import(args) => import::import(&site, args, context),
        Action::Accept(args) => accept::accept(&site, args, context),
        Action::Expand(args) => change::expand(&site, args, context),
        Action::Close(args) => change::close(&site, args, context),
    }
}

/// Needs no repository.
fn schema(context: &Context) -> ExitCode {
    context.terminal.json(&intents_schema());
    ExitCode::SUCCESS
}

/// The file could not be taken as it is, so it is left so.
fn nothing_changed(error: PortError) -> PortError {
    match error {
        PortError::Invalid(found) => PortError::Unavailable(format!("{found}; nothing was changed")),
        other => other,
    }
}

/// What people see of an intent that waits for a yes.
pub(super) const NOT_ACCEPTED: &str = "not accepted on this machine yet";

/// An intent in one JSON object, without its history.
pub(super) fn summary(here: &Here, intent: &Intent) -> Value {
    json!({
        "accepted": here.is_accepted(intent),
        "id": intent.id(),
        "name": intent.name(),
        "status": intent.status(),
        "selectable": intent.is_selectable(),
        "expires": intent.expires(),
        "owned_scope": intent.owned_scope(),
        "revision": intent.revision().hash(),
    })
}

fn list(here: &Here, context: &Context) -> Result<ExitCode, CommandError> {
    let set = pollster::block_on(here.repo.load())?;
    if context.json {
        context
            .terminal
            .json(&json!({ "intents": set.iter().map(|intent| summary(here, intent)).collect::<Vec<_>>() }));
        return Ok(ExitCode::SUCCESS);
    }
    if set.is_empty() {
        context.terminal.say("There are no intents yet. Create one:");
        context.terminal.say("  bailiwick intent new \"Fix login timeout\" --scope src/auth/");
    }
    for intent in set.iter() {
        let style = if intent.is_selectable() { GOOD } else { DIM };
        let scope: Vec<&str> =
            intent.owned_scope().patterns().iter().map(|pattern| pattern.as_str()).collect();
        context.terminal.say(format_args!(
            "{HEADING}{}{HEADING:#}  {style}{:<11}{style:#}  {}  {DIM}{}{}{DIM:#}{WARN}{}{WARN:#}",
            intent.id(),
            intent.status().as_str(),
            inert::line(intent.name()),
            inert::line(&scope.join(" ")),
            end(intent).map(|end| format!("  {end}")).unwrap_or_default(),
            mark(here, intent)
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// What follows an open intent in a list that a human has not accepted.
pub(super) fn mark(here: &Here, intent: &Intent) -> String {
    let waits = intent.is_selectable() && !here.is_accepted(intent);
    if waits { format!("  {NOT_ACCEPTED}") } else { String::new() }
}

fn show(
    here: &Here,
    site: &Site,
    named: &str,
    md: bool,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let set = pollster::block_on(here.repo.load())?;
    let found = IntentId::new(named).ok().and_then(|id| set.get(&id).cloned());
    let Some(intent) = found else { return Err(super::named::unknown(named, &set)) };
    if md {
        let report = here.repo.load_report()?;
        let written = report.written.iter().find(|written| written.id.value == *intent.id());
        let page = written.map(|written| markdown::page(&intent, written)).unwrap_or_default();
        page.lines().for_each(|line| context.terminal.say(line));
        return Ok(ExitCode::SUCCESS);
    }
    // What cannot be read shows elsewhere.
    let reported =
        reported(site, &set).unwrap_or_default().into_iter().find(|one| one.intent == *intent.id());
    if context.json {
        let mut whole = json!(intent);
        if let (Some(members), Some(one)) = (whole.as_object_mut(), &reported) {
            members.insert("reported_done".to_owned(), one.as_json());
        }
        context.terminal.json(&whole);
        return Ok(ExitCode::SUCCESS);
    }
    let report = here.repo.load_report()?;
    let written = report.written.iter().find(|written| written.id.value == *intent.id());
    for line in described(&intent).into_iter().chain(written.into_iter().flat_map(proposed::described)) {
        context.terminal.say(line);
    }
    if let Some(one) = reported {
        context.terminal.say(hanging(&said_done(&one), 10));
    }
    if !here.is_accepted(&intent) {
        context
            .terminal
            .say(format_args!("{WARN}{NOT_ACCEPTED}{WARN:#}: bailiwick intent accept {}", intent.id()));
    }
    Ok(ExitCode::SUCCESS)
}

/// That an agent asks to close an intent, what it says, and what to do.
pub(super) fn said_done(one: &Reported) -> String {
    let (id, session) = (&one.intent, inert::line(&reading::actor(&one.actor)));
    let (ago, summary) = (reading::ago(one.at, SystemClock.now()), inert::line(&one.summary));
    format!(
        "{WARN}done?{WARN:#}     {session} said so {ago}: {summary}  {DIM}bailiwick verify {id}, then bailiwick intent close {id}{DIM:#}"
    )
}

fn described(intent: &Intent) -> Vec<String> {
    let mut lines = vec![
        format!("{HEADING}{}{HEADING:#}  {}", intent.id(), inert::line(intent.name())),
        format!(
            "{DIM}status{DIM:#}    {}{}",
            intent.status(),
            if intent.is_frozen() { " (frozen)" } else { "" }
        ),
        format!("{DIM}revision{DIM:#}  {}", intent.revision().short()),
    ];
    lines.extend(end(intent).map(|end| format!("{DIM}time{DIM:#}      {end}")));
    lines.extend(intent.why().into_iter().flat_map(|why| fact("why", why)));
    lines.extend(intent.parent().map(|parent| format!("{DIM}parent{DIM:#}    {parent}")));
    for pattern in intent.owned_scope().patterns() {
        lines.push(format!("{DIM}scope{DIM:#}     {}", inert::line(pattern.as_str())));
    }
    for constraint in intent.constraints() {
        lines.extend(fact("limit", &said(constraint)));
    }
    for criterion in intent.acceptance_criteria() {
        lines.extend(fact("accept", &criterion.0));
    }
    let said = |id: &str| {
        intent.wording().iter().find(|said| said.strip_prefix(id).is_some_and(|rest| rest.starts_with(": ")))
    };
    for id in intent.requirements() {
        let text = said(id).map_or(id.as_str(), String::as_str);
        lines.extend(fact("serves", text));
    }
    lines
}

/// A fact behind its name, each further line of it below the first.
fn fact(name: &str, text: &str) -> Vec<String> {
    const COLUMNS: usize = 10;
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    let lines = names.zip(inert::lines(text.trim_end()));
    let said = lines.map(|(name, line)| {
        let gap = COLUMNS.saturating_sub(name.len());
        format!("{DIM}{name}{DIM:#}{:gap$}{line}", "")
    });
    said.collect()
}

/// When an intent ends, or that it has.
fn end(intent: &Intent) -> Option<String> {
    let expires = intent.expires()?;
    let left = expires.unix_ms().saturating_sub(SystemClock.now().unix_ms());
    let length = roughly(std::time::Duration::from_secs(left.unsigned_abs() / 1000));
    Some(match left {
        1.. => format!("ends in {length}"),
        _ => format!("expired {length} ago"),
    })
}

/// A length in its two largest units.
fn roughly(length: std::time::Duration) -> String {
    const UNITS: usize = 2;
    let whole = humantime::format_duration(length).to_string();
    whole.split(' ').take(UNITS).collect::<Vec<_>>().join(" ")
}

fn said(constraint: &Constraint) -> String {
    match constraint {
        Constraint::Text(text) => text.clone(),
        Constraint::ForbidPaths(patterns) => {
            format!(
                "no change to {}",
                patterns.iter().map(|pattern| pattern.as_str()).collect::<Vec<_>>().join(", ")
            )
        }
        Constraint::ForbidTools(tools) => format!("no use of {}", tools.join(", ")),
        Constraint::MaxFiles(limit) => format!("at most {} changed", counted(*limit, "file", "files")),
        Constraint::MaxLines(limit) => format!("at most {} changed", counted(*limit, "line", "lines")),
    }
}

/// A scope that owns everything, or a large part of the files, is rarely what a person means.
pub(super) fn refuse_broad(site: &Site, scope: &OwnedScope, allow_broad: bool) -> Result<(), CommandError> {
    if allow_broad {
        return Ok(());
    }
    match breadth(site, scope)? {
        None => Ok(()),
        Some(wide) => {
            let says = breadth_in_words(wide);
            Err(CommandError::Usage(format!("the scope is broad: {says}. Narrow it, or add --allow-broad")))
        }
    }
}

/// How wide a scope is, where it is broad.
pub(super) fn breadth(site: &Site, scope: &OwnedScope) -> Result<Option<Breadth>, CommandError> {
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(site, door);
    Ok(pollster::block_on(gate.authoring().breadth(scope))?)
}

fn create(site: &Site, new: &New, context: &Context) -> Result<ExitCode, CommandError> {
    let taken;
    let patterns = if new.scope.is_empty() {
        match suggest::offer(site, &new.name, usize::from(new.suggest), context)? {
            suggest::Offer::Taken(patterns) => taken = patterns,
            suggest::Offer::Left(code) => return Ok(code),
        }
        &taken
    } else {
        &new.scope
    };
    let scope = OwnedScope::parse(patterns.iter().map(String::as_str))
        .map_err(|error| CommandError::Usage(error.to_string()))?;
    refuse_broad(site, &scope, new.allow_broad)?;
    let id = new
        .id
        .as_deref()
        .map(IntentId::new)
        .transpose()
        .map_err(|error| CommandError::Usage(error.to_string()))?;
    let id = append_intent(
        &site.layout,
        &NewIntent {
            id,
            name: new.name.clone(),
            why: new.why.clone(),
            owned_scope: scope.patterns().to_vec(),
            acceptance_criteria: new.accept.clone(),
            requirements: new.requirement.clone(),
            allow_broad: new.allow_broad,
            expires: new.expires.map(|length| SystemClock.now().plus_seconds(length.as_secs().max(1))),
        },
    )
    .map_err(|error| CommandError::Other(error.to_string()))?;
    if context.json {
        context.terminal.json(&json!({ "id": id }));
    } else {
        context.terminal.styled(GOOD, format_args!("{id} created: {}", inert::line(&new.name)));
        context.terminal.say("An agent selects it with select_active_intent.");
    }
    check::tell_of(site, &id, context)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::roughly;

    #[test]
    fn two_units_say_enough() {
        assert_eq!(roughly(Duration::from_secs(0)), "0s");
        assert_eq!(roughly(Duration::from_secs(3 * 3600)), "3h");
        assert_eq!(roughly(Duration::from_secs(2 * 86_400 + 3 * 3600 + 5)), "2days 3h");
    }
}
