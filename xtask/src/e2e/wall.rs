//! What the gate adds to the wall time of a long session of the real client: the same session with hooks and without,
//! alone and four at once.
//!
//! Only ratios are told; the scripted model answers at once, so the client's own time for a call is the base. Calls are
//! such as nobody is asked about: a person's time to think is not the gate's.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use serde_json::json;

use super::client::{self, Start};
use super::model::{Conversation, Model, NextTurn, Turn};
use crate::product;
use crate::world::{self, World};

/// Calls of one session.
const CALLS: usize = 200;
const QUICK_CALLS: usize = 40;
/// Sessions at once, in the second measurement.
const SESSIONS: usize = 4;
const TAGS: [&str; SESSIONS] = ["a", "b", "c", "d"];

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
    rounds: usize,
    allowance: f64,
}

/// The whole measurement.
pub(crate) const FULL: Plan = Plan { calls: CALLS, rounds: 3, allowance: 1.0 };
/// Short enough for every change.
pub(crate) const QUICK: Plan = Plan { calls: QUICK_CALLS, rounds: 2, allowance: QUICK_ALLOWANCE };

/// Measures, prints, and fails when a target is missed by more than the plan allows.
pub(crate) fn run(plan: Plan) -> Result<()> {
    let (client, product) = (client::install()?, product::binary()?);
    let plain = World::new(&product)?;
    let governed = World::new(&product)?;
    governed.govern()?;
    let mut missed = 0;
    for (sessions, target) in [(1, TARGET), (SESSIONS, 1.0 + (TARGET - 1.0) * SHARE)] {
        let ratio = ratio(&client, &plain, &governed, sessions, plan)?;
        let verdict = if ratio <= target { "met" } else { "missed" };
        println!(
            "{sessions} × {} calls: {ratio:.3} of the time without hooks, target ≤ {target:.3}: {verdict}",
            plan.calls
        );
        missed += usize::from(ratio.is_nan() || ratio > target * plan.allowance);
    }
    drop((plain, governed));
    world::sweep();
    if missed > 0 {
        bail!("{missed} targets missed");
    }
    Ok(())
}

/// The best time with hooks to the best without; both in each round, in changing order. What else a machine does only
/// ever adds, so the best of each is what compares.
fn ratio(client: &Path, plain: &World, governed: &World, sessions: usize, plan: Plan) -> Result<f64> {
    let (mut with, mut without) = (Duration::MAX, Duration::MAX);
    for round in 0..plan.rounds {
        let measure = |world| time(client, world, sessions, plan.calls);
        if round.is_multiple_of(2) {
            without = without.min(measure(plain)?);
            with = with.min(measure(governed)?);
        } else {
            with = with.min(measure(governed)?);
            without = without.min(measure(plain)?);
        }
    }
    Ok(with.as_secs_f64() / without.as_secs_f64())
}

/// The time until all of these sessions, begun together, are over.
fn time(client: &Path, world: &World, sessions: usize, calls: usize) -> Result<Duration> {
    let started = Instant::now();
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let tags = TAGS.into_iter().take(sessions);
        let running: Vec<_> =
            tags.map(|tag| scope.spawn(move || session(client, world, tag, calls))).collect();
        let ended = running.into_iter().map(|session| session.join());
        ended.map(|ended| ended.unwrap_or_else(|_| Err(anyhow!("a session's thread panicked")))).collect()
    });
    let taken = started.elapsed();
    results.into_iter().collect::<Result<()>>()?;
    Ok(taken)
}

fn session(client: &Path, world: &World, tag: &'static str, calls: usize) -> Result<()> {
    let root = Arc::new(world.repo());
    let next: NextTurn = Box::new(move |conversation, index| {
        ensure!(conversation == Conversation::Main, "nobody was sent");
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
