//! The product under real clients: a scripted model, a real agent, a real gate, and a person who is a script too.
//!
//! The scenarios say what must come of it; this module runs them, two at a time, and reports.

pub(crate) mod agents;
pub(crate) mod client;
mod day;
pub(crate) mod driver;
pub(crate) mod first;
mod forging;
pub(crate) mod game;
pub(crate) mod proofs;
mod scenarios;
mod staged;
pub(crate) mod vscode;
pub(crate) mod wall;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use self::client::interactive::{self, Interactive};
use self::client::model::{Conversation, Model, NextTurn, Turn};
use self::client::outcome::Run;
use self::client::person::Person;
use self::client::scenario::Scenario;
use crate::stage::product;
use crate::stage::side_by_side::side_by_side;
use crate::stage::world::{self, World};

const LIMIT: Duration = Duration::from_secs(90);

pub(crate) use self::day::{Yes, run as day};
pub(crate) use self::forging::run as forging;

/// Which scenarios to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// All of them.
    All,
    /// Those on the client's screen.
    Interactive,
}

/// Runs the scenarios whose name holds the filter; any failure is an error.
pub(crate) fn claude(kinds: Kinds, filter: &str) -> Result<()> {
    let bench = Bench { client: client::install()?, product: product::binary()? };
    let headless = if kinds == Kinds::All { scenarios::all() } else { Vec::new() };
    let jobs = headless.into_iter().map(Job::Headless);
    let jobs = jobs.chain(scenarios::interactive().into_iter().map(Job::Interactive));
    let chosen: Vec<Job> = jobs.filter(|job| job.name().contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no scenario's name holds {filter:?}");
    each("scenarios", chosen, |job| job.name().to_owned(), |job| job.play(&bench))
}

/// Plays each of them, two at a time, and says how it went; any failure is an error.
fn each<W: Send>(
    what: &str,
    works: Vec<W>,
    name: impl Fn(&W) -> String + Sync,
    play: impl Fn(&W) -> Result<()> + Sync,
) -> Result<()> {
    let played = side_by_side(works, |work| {
        let played = play(&work);
        report(&name(&work), &played);
        played
    });
    world::sweep();
    let failed = played.iter().filter(|played| played.is_err()).count();
    println!("{} passed, {failed} failed", played.len() - failed);
    ensure!(failed == 0, "{failed} {what} failed");
    Ok(())
}

/// One scenario of either kind.
enum Job {
    Headless(Scenario),
    Interactive(Interactive),
}

impl Job {
    fn name(&self) -> &'static str {
        match self {
            Self::Headless(scenario) => scenario.name,
            Self::Interactive(scenario) => scenario.name,
        }
    }

    fn play(&self, bench: &Bench) -> Result<()> {
        match self {
            Self::Headless(scenario) => play(bench, scenario),
            Self::Interactive(scenario) => interactive::play(&bench.client, &bench.product, scenario),
        }
    }
}

/// What every scenario needs.
struct Bench {
    client: PathBuf,
    product: PathBuf,
}

fn report(name: &str, result: &Result<()>) {
    match result {
        Ok(()) => println!("ok      {name}"),
        Err(error) => println!("FAILED  {name}: {error:#}"),
    }
}

fn play(bench: &Bench, scenario: &Scenario) -> Result<()> {
    let world = Arc::new(World::new(&bench.product)?);
    (scenario.setup)(&world).context("setup")?;
    let model = Model::start(script(scenario, &world))?;
    let person = Person::sit_down(&world, scenario.human)?;
    let stop = AtomicBool::new(false);
    let (ended, screens) = std::thread::scope(|scope| {
        let attending = scope.spawn(|| person.attend(&stop));
        let ended = run_client(&bench.client, &world, &model.url(), scenario);
        stop.store(true, Ordering::SeqCst);
        (ended, attending.join())
    });
    let screens = screens.map_err(|_| anyhow!("the person's thread panicked"))?;
    let faults = model.faults();
    let run = Run::new(Arc::clone(&world), ended?, model.requests(), screens.context("the person")?);
    let verdict = judge(&run, &faults, scenario);
    verdict.map_err(|error| anyhow!("{error:#}\n{}", run.story()))
}

fn run_client(client: &Path, world: &World, url: &str, scenario: &Scenario) -> Result<client::Ended> {
    let mut arguments =
        vec!["-p", "go", "--allowedTools", "Read,Write,Edit,Bash,Glob,Grep,Agent,mcp__bailiwick"];
    arguments.extend(scenario.arguments);
    client::run(client::Start {
        program: client,
        folder: &world.repo(),
        environment: client::environment(world, url),
        arguments: &arguments,
        prints: world.base().join("client"),
        limit: LIMIT,
    })
}

fn judge(run: &Run, faults: &[String], scenario: &Scenario) -> Result<()> {
    ensure!(faults.is_empty(), "the script failed: {}", faults.join("; "));
    ensure!(!run.ended.timed_out, "the client did not end within {LIMIT:?}");
    (scenario.expect)(run)
}

/// The scenario's steps as the model's turns.
fn script(scenario: &Scenario, world: &Arc<World>) -> NextTurn {
    let (main, sub_agent) = (scenario.steps.clone(), scenario.sub_agent.clone());
    let world = Arc::clone(world);
    Box::new(move |conversation, index| {
        let steps = match conversation {
            Conversation::Main => &main,
            Conversation::SubAgent => &sub_agent,
        };
        let Some(step) = steps.get(index) else { return Ok(None) };
        if let Some(act) = step.before {
            act(&world).with_context(|| format!("before step {index}"))?;
        }
        Ok(Some(match &step.turn {
            Turn::Text(text) => Turn::Text(text.clone()),
            Turn::Call { tool, input } => Turn::Call { tool: tool.clone(), input: world.fill(input) },
        }))
    })
}
