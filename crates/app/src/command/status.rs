//! `bailiwick status`: where things stand.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_fs::{FsApprovalQueue, FsPolicySource, FsSessionStore, Surfaces, SystemClock};
use bailiwick_domain::{
    Actor, ActorState, Allowance, Approval, Clock, Grant, Health, Intent, IntentRepo, Pause, PolicySource,
    Value, json,
};

use super::intent::{Here, Reported, reported, said_done};
use super::judged::{self, Trouble};
use super::output::columns::hanging;
use super::output::reading;
use super::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use super::setup::doctor::hooks_in_trouble;
use super::trace::drift::{self, Drift};
use super::{CommandError, Context};
use crate::counted::counted;
use crate::gate::may_overlap;
use crate::inert;
use crate::site::Site;

/// How long is looked for drift; the rest is for `trace verify --drift`.
const DRIFT_TIME: Duration = Duration::from_millis(300);

/// How many sessions are shown.
const SESSIONS: usize = 10;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

struct Report {
    root: String,
    health: Health,
    /// Whether `init` ran here, or anything here asks the gate.
    is_begun: bool,
    /// Why no change is let through because of the ledger.
    ledger: Option<String>,
    /// Why calls are not judged, or refused whatever they are.
    trouble: Option<Trouble>,
    intents: Vec<Intent>,
    /// Whether the intents can be read.
    intents_are_read: bool,
    /// The intents that agents ask to close.
    reported: Vec<Reported>,
    here: Here,
    sessions: Vec<(Actor, ActorState)>,
    open: Vec<Approval>,
    /// The commands that a person trusts.
    allowed: Vec<Allowance>,
    /// Requests that cannot be read, in words.
    unread: Option<String>,
    /// Records of open calls that cannot be read, in words.
    unread_calls: Option<String>,
    /// Consents that were given and do not count, in words.
    unread_consents: Vec<String>,
    /// Grants whose changes nobody has looked at.
    reviews: Vec<Grant>,
    surfaces: Vec<String>,
    pause: Option<Pause>,
    /// What changed without a record; `None` where that cannot be found out.
    drift: Option<Drift>,
}

pub(super) fn run(_args: &Args, context: &Context) -> Result<ExitCode, CommandError> {
    let report = look(&context.site()?)?;
    if context.json {
        context.terminal.json(&as_json(&report));
    } else {
        show(&report, context);
    }
    let is_well = report.trouble.is_none();
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn look(site: &Site) -> Result<Report, CommandError> {
    let layout = &site.layout;
    let here = Here::of(site);
    let loaded = pollster::block_on(here.repo.load());
    let intents_are_read = loaded.is_ok();
    let intents = loaded.unwrap_or_default();
    let store = FsSessionStore::new(layout.clone());
    let mut sessions = store.known()?;
    sessions.retain(|(actor, _)| !store.has_ended(actor));
    sessions.truncate(SESSIONS);
    Ok(Report {
        root: layout.root().display().to_string(),
        health: pollster::block_on(FsPolicySource::new(layout.clone()).health()),
        is_begun: judged::not_begun(site).is_none(),
        ledger: judged::ledger(site).map(|trouble| format!("{}. {}", trouble.why, trouble.next)),
        trouble: judged::trouble(site)
            .or_else(|| judged::nobody_hooked(site))
            .or_else(|| hooks_in_trouble(site)),
        reported: reported(site, &intents)?,
        intents: intents.iter().cloned().collect(),
        intents_are_read,
        here,
        sessions,
        open: super::answers::approval::open(&FsApprovalQueue::new(layout.clone()))?,
        unread: super::answers::uncounted::requests(layout),
        unread_calls: super::answers::uncounted::calls(layout),
        unread_consents: super::answers::uncounted::consents(layout),
        allowed: super::answers::allow::allowed(site)?,
        reviews: super::answers::approval::review::waiting(layout, SystemClock.now())?,
        surfaces: Surfaces::new(layout.clone()).live(SystemClock.now()),
        pause: super::answers::pause::in_force(layout),
        drift: drift::find(site, Some(DRIFT_TIME)).ok(),
    })
}

fn as_json(report: &Report) -> Value {
    let sessions: Vec<Value> = report
        .sessions
        .iter()
        .map(|(actor, state)| {
            json!({
                "session": actor.to_string(),
                "state": state.state,
                "active_intent": state.active.as_ref().map(|active| &active.id),
                "quarantine": state.quarantine,
            })
        })
        .collect();
    let summary = |intent| super::intent::summary(&report.here, intent);
    let intents: Vec<Value> = report.intents.iter().map(summary).collect();
    let open: Vec<Value> = report.open.iter().map(super::answers::approval::as_json).collect();
    json!({
        "root": report.root,
        "health": report.health,
        "ledger": report.ledger,
        "trouble": report.trouble.as_ref().map(Trouble::as_json),
        "paused": report.pause,
        "intents": intents,
        "reported_done": report.reported.iter().map(|one| (one.intent.to_string(), one.as_json()))
            .collect::<BTreeMap<_, _>>(),
        "overlaps": overlaps(&report.intents),
        "sessions": sessions,
        "approvals": open,
        "allowances": report.allowed.iter().map(|one| json!({
            "id": one.id,
            "command": one.terms.command.to_string(),
            "intent_id": one.terms.intent,
        })).collect::<Vec<_>>(),
        "reviews": report.reviews.iter().map(super::answers::approval::review::waiting_json).collect::<Vec<_>>(),
        "unread_requests": report.unread,
        "unread_calls": report.unread_calls,
        "unread_consents": report.unread_consents,
        "surfaces": report.surfaces,
        "drift": report.drift.as_ref().map(|drift| json!({"files": drift.files.len(), "complete": drift.is_complete})),
    })
}

fn show(report: &Report, context: &Context) {
    let terminal = &context.terminal;
    terminal.say(format_args!("{HEADING}{}{HEADING:#}", report.root));
    match &report.health {
        // Beside a trouble it would read as if all were well.
        Health::Ok if report.trouble.is_some() => {}
        Health::Ok => terminal.styled(GOOD, "Store: OK"),
        Health::Broken(_) if report.is_begun => terminal.styled(BAD, "Store: broken"),
        Health::Broken(_) => terminal.styled(WARN, "Store: not made in this clone yet"),
    }
    if let Some(trouble) = &report.trouble {
        let why = format!("{}: {}", trouble.effect, inert::line(&trouble.why));
        terminal.styled(BAD, hanging(&why, 0));
        terminal.styled(WARN, hanging(&inert::line(&trouble.next), 0));
    }
    if let Some(pause) = &report.pause {
        terminal.styled(WARN, super::answers::pause::line(pause));
    }
    match report.intents_are_read {
        true => terminal.say(format_args!("Intents: {}", counts(&report.intents))),
        false => terminal.styled(BAD, "Intents: cannot be read; `bailiwick intent check` says why"),
    }
    for intent in report.intents.iter().filter(|intent| intent.is_selectable()) {
        let mark = super::intent::mark(&report.here, intent);
        let name = inert::line(intent.name());
        terminal.say(format_args!("  {}  {}  {name}{WARN}{mark}{WARN:#}", intent.id(), intent.status()));
    }
    for one in &report.reported {
        terminal.say(format_args!("  {}  {}", one.intent, hanging(&said_done(one), 4)));
    }
    for (one, other) in overlaps(&report.intents) {
        terminal.say(format_args!("  {WARN}{one} and {other} may own the same files{WARN:#}"));
    }
    terminal.say(format_args!("Sessions: {}", report.sessions.len()));
    for (actor, state) in &report.sessions {
        let active = active(report.intents_are_read.then_some(report.intents.as_slice()), state);
        let halted = state
            .quarantine
            .as_ref()
            .map(|why| format!("  halted: {}", inert::line(why)))
            .unwrap_or_default();
        terminal.say(format_args!(
            "  {}  {}  {active}{BAD}{halted}{BAD:#}",
            inert::line(&reading::actor(actor)),
            state.state.as_str()
        ));
    }
    for line in waiting(&report.open) {
        terminal.say(line);
    }
    if !report.allowed.is_empty() {
        let count = report.allowed.len();
        terminal.say(format_args!("allowed commands: {count}  {DIM}`bailiwick allow list`{DIM:#}"));
    }
    say_uncounted(report, context);
    if !report.reviews.is_empty() {
        terminal.say(format_args!("To review: {}", report.reviews.len()));
    }
    for grant in &report.reviews {
        let line = hanging(&super::answers::approval::review::waiting_line(grant), 4);
        terminal.say(format_args!("  {line}"));
    }
    match &report.drift {
        Some(drift) if drift.files.is_empty() && drift.is_complete => {}
        Some(drift) => terminal.styled(WARN, format_args!("Drift: {}", drift_line(drift))),
        None => terminal.styled(WARN, "Drift: cannot be checked"),
    }
    // A list that was printed a moment ago is not open.
    let open: Vec<&str> = report.surfaces.iter().map(String::as_str).filter(|name| *name != "list").collect();
    let live = match open.as_slice() {
        [] => "Nobody is watching the queue; run `bailiwick watch`.".to_owned(),
        names => format!("The queue is open in: {}", names.join(", ")),
    };
    terminal.say(format_args!("{DIM}{live}{DIM:#}"));
}

/// What lies where requests, open calls and consents do and does not count.
fn say_uncounted(report: &Report, context: &Context) {
    let requests = report.unread.iter().map(|told| ("Requests", told));
    let calls = report.unread_calls.iter().map(|told| ("Open calls", told));
    let consents = report.unread_consents.iter().map(|told| ("Consents", told));
    for (what, told) in requests.chain(calls).chain(consents) {
        context.terminal.styled(WARN, format_args!("{what}: {}", inert::line(told)));
    }
}

/// How many intents are open, and how many are closed for which reason: only the open ones are listed.
fn counts(intents: &[Intent]) -> String {
    let mut closed: BTreeMap<String, usize> = BTreeMap::new();
    for why in intents.iter().filter_map(Intent::closed_because) {
        *closed.entry(why.to_ascii_lowercase()).or_default() += 1;
    }
    let open = intents.len() - closed.values().sum::<usize>();
    let closed = closed.iter().map(|(why, count)| format!(", {count} {why}"));
    format!("{open} open{}", closed.collect::<String>())
}

/// The intent of a session, and why nothing passes under it any more; of intents that cannot be read nothing is said.
fn active(intents: Option<&[Intent]>, state: &ActorState) -> String {
    let Some(active) = &state.active else { return "no intent".to_owned() };
    let Some(intents) = intents else { return active.id.to_string() };
    let why = match intents.iter().find(|intent| *intent.id() == active.id) {
        Some(intent) => intent.closed_because().map(str::to_ascii_lowercase),
        None => Some("gone".to_owned()),
    };
    why.map_or_else(|| active.id.to_string(), |why| format!("{}, which is {why}", active.id))
}

/// How many requests wait, and where each of them is answered: one that the host itself asks is answered nowhere else.
fn waiting(open: &[Approval]) -> Vec<String> {
    let with_host: Vec<&Approval> = open.iter().filter(|approval| approval.is_with_host()).collect();
    let mut lines = vec![match open.len() - with_host.len() {
        0 => "No request waits for you.".to_owned(),
        1 => "1 request waits for you: `bailiwick watch`".to_owned(),
        more => format!("{more} requests wait for you: `bailiwick watch`"),
    }];
    if !with_host.is_empty() {
        let hosts: BTreeSet<&str> =
            with_host.iter().map(|approval| approval.request.actor.host.as_str()).collect();
        let hosts: Vec<String> = hosts.into_iter().map(inert::line).collect();
        let asked = counted(with_host.len(), "request is", "requests are");
        lines.push(format!("{asked} asked in a dialog of {}: answer there", hosts.join(", ")));
    }
    lines
}

/// How much there is, and where to see more.
fn drift_line(drift: &Drift) -> String {
    if drift.files.is_empty() {
        return "checked a part of the files; `bailiwick trace verify --drift` checks all".to_owned();
    }
    let least = if drift.is_complete { "" } else { "at least " };
    let counted = drift::in_words(drift.files.len());
    let which = if drift.files.len() == 1 { "names it" } else { "lists them" };
    format!("{least}{counted}; `bailiwick trace verify --drift` {which}")
}

/// Pairs of live intents whose scopes may own the same file.
fn overlaps(intents: &[Intent]) -> Vec<(String, String)> {
    let live: Vec<&Intent> = intents.iter().filter(|intent| intent.is_selectable()).collect();
    let mut pairs = Vec::new();
    for (index, one) in live.iter().enumerate() {
        for other in live.iter().skip(index + 1) {
            if may_overlap(one.owned_scope(), other.owned_scope()) {
                pairs.push((one.id().to_string(), other.id().to_string()));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{
        ActiveIntent, Actor, ActorState, Approval, ApprovalId, ApprovalStatus, CallId, Intent, IntentStatus,
    };

    use super::{active, counts, waiting};

    fn intent(id: &str, status: IntentStatus) -> Intent {
        Intent::new(bailiwick_domain::IntentDraft { status, ..sample::draft(id, &["src/"]) }).unwrap()
    }

    fn ended(id: &str) -> Intent {
        let draft =
            bailiwick_domain::IntentDraft { expires: Some(sample::now()), ..sample::draft(id, &["src/"]) };
        Intent::new(draft).unwrap().as_of(sample::now().plus_seconds(1))
    }

    #[test]
    fn only_open_intents_are_counted_as_such() {
        let open = || intent("INT-001", IntentStatus::Pending);
        assert_eq!(counts(&[]), "0 open");
        assert_eq!(counts(&[open()]), "1 open");
        let all = [open(), ended("INT-002"), ended("INT-003"), intent("INT-004", IntentStatus::Abandoned)];
        assert_eq!(counts(&all), "1 open, 1 abandoned, 2 expired");
    }

    #[test]
    fn a_session_says_that_its_intent_is_over() {
        let all = [intent("INT-001", IntentStatus::Pending), ended("INT-002")];
        let under = |id: &str| {
            let revision = all[0].revision().clone();
            let active = Some(ActiveIntent { id: sample::intent_id(id), revision });
            ActorState { active, ..ActorState::default() }
        };
        assert_eq!(active(Some(&all), &ActorState::default()), "no intent");
        assert_eq!(active(Some(&all), &under("INT-001")), "INT-001");
        assert_eq!(active(Some(&all), &under("INT-002")), "INT-002, which is expired");
        assert_eq!(active(Some(&all), &under("INT-003")), "INT-003, which is gone");
        assert_eq!(active(None, &under("INT-003")), "INT-003", "nothing is known of it");
    }

    fn asked(host: &str, status: ApprovalStatus) -> Approval {
        let mut request = sample::request("a");
        request.actor = Actor::root(host, "6f0c2d1e");
        Approval {
            id: ApprovalId("ap-1".to_owned()),
            request,
            created: sample::now(),
            expires: sample::now().plus_seconds(60),
            status,
            amended: None,
        }
    }

    #[test]
    fn only_what_can_be_answered_here_waits_for_you() {
        let here = || asked("claude-code", ApprovalStatus::Open);
        let there = || {
            asked("copilot", ApprovalStatus::WithHost { call: CallId("c1".to_owned()), at: sample::now() })
        };
        assert_eq!(waiting(&[]), ["No request waits for you."]);
        assert_eq!(waiting(&[here()]), ["1 request waits for you: `bailiwick watch`"]);
        assert_eq!(
            waiting(&[here(), there(), there()]),
            [
                "1 request waits for you: `bailiwick watch`",
                "2 requests are asked in a dialog of copilot: answer there"
            ]
        );
    }
}
