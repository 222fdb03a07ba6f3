//! What the gate adds to the wall time of a long session of the real client: the same session without hooks, with hooks
//! that do nothing, and with the gate, alone and four at once.
//!
//! Only ratios are told, and two of them: with a scripted model that answers at once, so that the client's own time for
//! a call is the whole base, and with one that takes a second for each answer, which is quick for a real one. Hooks that
//! do nothing tell what the client itself spends on running hooks. Calls are such as nobody is asked about: a person's
//! time to think is not the gate's.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Value, json};

use super::client::model::{Conversation, Model, NextTurn, Turn};
use super::client::{self, Start};
use crate::generated::page;
use crate::stage::product;
use crate::stage::world::{self, World};

/// Calls of one session.
const CALLS: usize = 200;
const QUICK_CALLS: usize = 40;
/// Sessions at once, in the second measurement.
const SESSIONS: usize = 4;
const TAGS: [&str; SESSIONS] = ["a", "b", "c", "d"];

/// How long the model takes for each answer.
const THINKING: [Duration; 2] = [Duration::from_secs(1), Duration::ZERO];

/// How much a session may take longer than without hooks.
const TARGET: f64 = 1.05;
/// What four at once may add, in proportion to what one may.
const SHARE: f64 = 1.5;
/// A shared machine tells little about a few per cent; a short run only fails where the gate has become the cost.
const QUICK_ALLOWANCE: f64 = 1.5;

const LIMIT: Duration = Duration::from_secs(1200);

/// How much of everything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    calls: usize,
    /// Runs of each, with a model that answers at once; with one that thinks, one run is steady enough.
    rounds: usize,
    allowance: f64,
    /// Whether the page is written from it.
    is_whole: bool,
}

/// The whole measurement.
pub(crate) const FULL: Plan = Plan { calls: CALLS, rounds: 1, allowance: 1.0, is_whole: true };
/// Short enough for every change.
pub(crate) const QUICK: Plan =
    Plan { calls: QUICK_CALLS, rounds: 2, allowance: QUICK_ALLOWANCE, is_whole: false };

/// What a number of sessions at once came to, as ratios.
#[derive(Clone, Copy, Debug)]
struct Line {
    sessions: usize,
    thinking: Duration,
    /// Hooks that do nothing, to none.
    idle: f64,
    /// The gate, to none.
    gate: f64,
    target: f64,
}

impl Line {
    fn is_met(&self, allowance: f64) -> bool {
        self.gate <= self.target * allowance
    }
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_met(1.0) { "met" } else { "missed" };
        let Self { sessions, thinking, idle, gate, target } = self;
        let answers = if thinking.is_zero() { "at once".to_owned() } else { format!("after {thinking:?}") };
        let own = gate / idle;
        write!(
            out,
            "| {answers} | {sessions} | {idle:.3} | {gate:.3} | ≤ {target:.3} | {verdict} | {own:.3} |"
        )
    }
}

/// What is run: so many sessions at once of so many calls, and how long the model takes for each answer.
#[derive(Clone, Copy, Debug)]
struct Kind {
    sessions: usize,
    thinking: Duration,
    calls: usize,
}

/// The heading of the page's part about sessions.
pub(crate) const HEADING: &str = "## A long session of the real client";

/// Measures, prints, and fails when a target is missed by more than the plan allows; the whole measurement is written
/// into the page.
pub(crate) fn run(plan: Plan) -> Result<()> {
    let (client, product) = (client::install()?, product::binary()?);
    let setups = Setups::build(&product)?;
    let mut lines = Vec::new();
    for thinking in THINKING {
        for (sessions, target) in [(1, TARGET), (SESSIONS, 1.0 + (TARGET - 1.0) * SHARE)] {
            let kind = Kind { sessions, thinking, calls: plan.calls };
            let [plain, idle, gate] = match (thinking.is_zero(), sessions) {
                (true, _) => best(&client, &setups, kind, plan.rounds)?,
                (false, 1) => side_by_side(&client, &setups, kind)?,
                (false, _) => best(&client, &setups, kind, 1)?,
            };
            let to_none = |time: Duration| time.as_secs_f64() / plain.as_secs_f64();
            let line = Line { sessions, thinking, idle: to_none(idle), gate: to_none(gate), target };
            println!("{line}");
            lines.push(line);
        }
    }
    drop(setups);
    world::sweep();
    let text = report(&lines, plan);
    println!("{text}");
    if plan.is_whole {
        page::write_part(HEADING, &text)?;
    }
    let missed = lines.iter().filter(|line| !line.is_met(plan.allowance)).count();
    if missed > 0 {
        bail!("{missed} targets missed");
    }
    Ok(())
}

fn report(lines: &[Line], plan: Plan) -> String {
    let mut text = format!(
        "{HEADING}\n\n\
         Wall time of a session of {} calls that nobody is asked about (reading files, `cat`), under Claude Code with a \
         scripted model. Where that answers at once, the client's own time for a call is the whole base, and nothing \
         that starts a process for each call can meet the target: not even hooks that do nothing. A model that takes a \
         second for each answer is quick for a real one. Runs of each where it answers at once: {}, of which the best \
         counts; where it takes its time: one, a single session without hooks, with idle ones and with the gate at the \
         same time. Hooks that do nothing are `/bin/true` for the same events: what the client itself needs to \
         start a shell and a process for each. Repeat it with `cargo xtask bench session`.\n\n\
         | The model answers | Sessions at once | Hooks that do nothing / none | Gate / none | Target | | Gate / hooks that do nothing |\n\
         |---|---|---|---|---|---|---|\n",
        plan.calls, plan.rounds
    );
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The same repository in three worlds.
struct Setups {
    plain: World,
    idle: World,
    governed: World,
}

impl Setups {
    fn build(product: &Path) -> Result<Self> {
        let (plain, idle, governed) = (World::new(product)?, World::new(product)?, World::new(product)?);
        governed.govern()?;
        let settings = governed.read(SETTINGS).context("no settings were installed")?;
        idle.write(SETTINGS, &that_do_nothing(&settings)?)?;
        Ok(Self { plain, idle, governed })
    }
}

/// Where the hooks of one person are.
const SETTINGS: &str = ".claude/settings.local.json";

/// The same hooks for the same events, each with a program that does nothing in place of the gate.
fn that_do_nothing(settings: &str) -> Result<String> {
    const LINE: &str = "'/bin/true' || { echo 'refused' >&2; exit 2; }";
    let mut settings: Value = serde_json::from_str(settings).context(SETTINGS)?;
    let mut changed = 0;
    let events = settings["hooks"].as_object_mut().context("no hooks")?;
    for group in events.values_mut().filter_map(Value::as_array_mut).flatten() {
        for handler in group["hooks"].as_array_mut().into_iter().flatten() {
            handler["command"] = json!(LINE);
            changed += 1;
        }
    }
    ensure!(changed > 0, "no hook was found");
    Ok(settings.to_string())
}

/// The best time of each; all of them in each round, in changing order. What else a machine does only ever adds, so the
/// best of each is what compares.
fn best(client: &Path, setups: &Setups, kind: Kind, rounds: usize) -> Result<[Duration; 3]> {
    let worlds = [&setups.plain, &setups.idle, &setups.governed];
    let mut best = [Duration::MAX; 3];
    for round in 0..rounds {
        for step in 0..worlds.len() {
            let which = (round + step) % worlds.len();
            if let (Some(world), Some(best)) = (worlds.get(which), best.get_mut(which)) {
                *best = time(client, world, kind)?.min(*best);
            }
        }
    }
    Ok(best)
}

/// The time of each, all at once: where the model takes its time they hardly meet, and what else the machine does meets
/// all of them alike.
fn side_by_side(client: &Path, setups: &Setups, kind: Kind) -> Result<[Duration; 3]> {
    let worlds = [&setups.plain, &setups.idle, &setups.governed];
    let times = std::thread::scope(|scope| {
        let running = worlds.map(|world| scope.spawn(move || time(client, world, kind)));
        running.map(|session| session.join().map_err(|_| anyhow!("a session's thread panicked")))
    });
    let [plain, idle, gate] = times;
    Ok([plain??, idle??, gate??])
}

/// The time until all of these sessions, begun together, are over.
fn time(client: &Path, world: &World, kind: Kind) -> Result<Duration> {
    let started = Instant::now();
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let tags = TAGS.into_iter().take(kind.sessions);
        let running: Vec<_> =
            tags.map(|tag| scope.spawn(move || session(client, world, tag, kind))).collect();
        let ended = running.into_iter().map(|session| session.join());
        ended.map(|ended| ended.unwrap_or_else(|_| Err(anyhow!("a session's thread panicked")))).collect()
    });
    let taken = started.elapsed();
    results.into_iter().collect::<Result<()>>()?;
    Ok(taken)
}

fn session(client: &Path, world: &World, tag: &'static str, kind: Kind) -> Result<()> {
    let Kind { calls, thinking, .. } = kind;
    let root = Arc::new(world.repo());
    let next: NextTurn = Box::new(move |conversation, index| {
        ensure!(conversation == Conversation::Main, "nobody was sent");
        std::thread::sleep(thinking);
        Ok((index < calls).then(|| call(&root, index)))
    });
    let model = Model::start_tagged(tag, next)?;
    let ended = client::run(Start {
        program: client,
        folder: &world.repo(),
        environment: client::environment(world, &model.url()),
        arguments: &["-p", "go", "--allowedTools", "Read,Bash"],
        prints: world.base().join(tag),
        limit: LIMIT,
    })?;
    let faults = model.faults();
    ensure!(faults.is_empty() && !ended.timed_out, "{tag}: {} {}", faults.join("; "), ended.stderr);
    let asked = model.requests().len();
    ensure!(asked > calls, "{tag}: the model was asked {asked} times for {calls} calls: {}", ended.stdout);
    Ok(())
}

/// Reading by the client's own tool and by the shell, in turn.
fn call(root: &Path, index: usize) -> Turn {
    let path = |name: &str| root.join(name).display().to_string();
    if index.is_multiple_of(2) {
        let file = if index.is_multiple_of(4) { "src/auth/login.ts" } else { "src/core/main.ts" };
        Turn::Call { tool: "Read".to_owned(), input: json!({ "file_path": path(file) }) }
    } else {
        let input = json!({ "command": "cat src/auth/login.ts", "description": "reads" });
        Turn::Call { tool: "Bash".to_owned(), input }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_that_do_nothing_are_for_the_same_events() {
        let installed = json!({"hooks": {
            "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "gate", "timeout": 120}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "gate"}]}],
        }});
        let idle: Value = serde_json::from_str(&that_do_nothing(&installed.to_string()).unwrap()).unwrap();
        let handler = &idle["hooks"]["PreToolUse"][0]["hooks"][0];
        assert!(handler["command"].as_str().unwrap().contains("/bin/true") && handler["timeout"] == 120);
        assert!(!idle.to_string().contains("gate"));
        that_do_nothing("{\"hooks\": {}}").unwrap_err();
    }

    #[test]
    fn the_gate_is_judged_against_no_hooks_at_all() {
        let line = Line { sessions: 1, thinking: Duration::ZERO, idle: 1.2, gate: 1.21, target: 1.05 };
        assert!(!line.is_met(1.0) && line.is_met(1.5));
        assert!(!Line { gate: f64::NAN, ..line }.is_met(1.5));
        assert!(report(&[line], FULL).contains("| at once | 1 | 1.200 | 1.210 | ≤ 1.050 | missed | 1.008 |"));
    }
}
