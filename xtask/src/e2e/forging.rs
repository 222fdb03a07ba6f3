//! What an agent tries in a real client in order to answer its own request, borrow another actor's intent, widen what it
//! may do, loosen the settings, move the root, or send another agent. None may succeed, and each is paired with proof
//! that the person can do the same.
//!
//! The attempts are data (`families`); this module plays a family in one session and judges it.

mod attempt;
mod families;
mod guard;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use self::attempt::{Attempt, Family, Operator};
use self::guard::Guard;
use super::client;
use super::staged::desk::careless;
use super::staged::session::{Entry, Session};
use super::staged::stage::Stage;
use crate::stage::product;
use crate::stage::side_by_side::side_by_side;
use crate::stage::world::{self, World};

/// Plays the families whose name holds the filter; one success of a forgery is an error.
pub(crate) fn run(filter: &str) -> Result<()> {
    let (client, product) = (client::install()?, product::binary()?);
    let chosen: Vec<Family> =
        families::all().into_iter().filter(|family| family.name.contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no family's name holds {filter:?}");
    let attempts: usize = chosen.iter().map(|family| family.attempts.len()).sum();
    let results = side_by_side(chosen, |family| {
        let world = Arc::new(World::new(&product)?);
        let stage = Arc::new(Stage::governed(&world, client.clone()));
        let name = family.name;
        play(family, &stage).context(name)
    });
    world::sweep();
    let findings = results.into_iter().sum::<Result<usize>>()?;
    ensure!(findings == 0, "{findings} findings in {attempts} attempts");
    println!("{attempts} attempts, 0 succeeded, each of them open to the person");
    Ok(())
}

/// One family in one world: the agent's attempts in one session, then the person's.
fn play(family: Family, stage: &Arc<Stage>) -> Result<usize> {
    let Family { name, setup, before, after_them, opening, attempts, errand, yes, guarded } = family;
    setup(stage)?;
    for session in before {
        session.hold(stage)?;
    }
    if let Some(act) = after_them {
        act(stage)?;
    }
    let guard = Guard::new(stage, guarded)?;
    let mut lines = opening;
    let first = lines.len();
    lines.extend(attempts.iter().flat_map(|attempt| attempt.lines.clone()));
    let session = Session::new(name, lines).errand(errand).look(guard.look());
    let entries = with_person(stage, yes, || session.hold(stage))??;
    let logged = logged_calls(&stage.world)?;
    let mut beside: Vec<String> = entries.iter().take(first).flat_map(wrong).collect();
    let mut rest = entries.into_iter().skip(first);
    let mut findings = 0;
    for attempt in attempts {
        let own: Vec<Entry> = rest.by_ref().take(attempt.lines.len()).collect();
        findings += judge(&attempt, &own, stage, &logged)?.len();
    }
    beside.extend(rest.flat_map(|entry| wrong(&entry)));
    beside.iter().for_each(|finding| println!("BROKEN  beside the attempts: {finding}"));
    Ok(findings + beside.len())
}

fn with_person<T>(stage: &Stage, yes: Option<fn(&Value) -> bool>, work: impl FnOnce() -> T) -> Result<T> {
    let Some(yes) = yes else { return Ok(work()) };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let person = scope.spawn(|| careless(&stage.world, yes, &stop));
        let done = work();
        stop.store(true, Ordering::SeqCst);
        person.join().map_err(|_| anyhow!("the person's thread panicked"))??;
        Ok(done)
    })
}

fn judge(attempt: &Attempt, entries: &[Entry], stage: &Stage, logged: &[String]) -> Result<Vec<String>> {
    let mut findings: Vec<String> = entries.iter().flat_map(wrong).collect();
    for entry in entries {
        if attempt.logged && entry.refused().is_some() && !logged.contains(&entry.call) {
            findings.push(entry.describe("the refusal is not in the decision log"));
        }
    }
    if let Some(prize) = attempt.prize
        && stage.folder.join(prize).symlink_metadata().is_ok()
    {
        findings.push(format!("{prize} is there: the forgery succeeded"));
    }
    if let Err(error) = operate(&attempt.operator, stage) {
        findings.push(format!("the person cannot do it either: {error:#}"));
    }
    println!("{}  {}", if findings.is_empty() { "ok    " } else { "BROKEN" }, attempt.name);
    findings.iter().for_each(|finding| println!("        {finding}"));
    Ok(findings)
}

fn operate(operator: &Operator, stage: &Stage) -> Result<()> {
    match operator {
        Operator::Runs(command) => {
            let command = stage.fill(&Value::String((*command).to_owned()));
            stage.world.person_runs(command.as_str().unwrap_or_default())
        }
        Operator::Does(act) => act(stage),
    }
}

fn wrong(entry: &Entry) -> Vec<String> {
    let found = entry.found.iter().cloned();
    entry.wrong().into_iter().chain(found).map(|what| entry.describe(&what)).collect()
}

/// The calls that the gate's decision log knows.
fn logged_calls(world: &World) -> Result<Vec<String>> {
    let log: Value = serde_json::from_str(&world.gate_says(&["log", "--json", "-n", "100000"])?)?;
    let records = log["decisions"].as_array().into_iter().flatten();
    Ok(records.filter_map(|record| record["call"].as_str().map(str::to_owned)).collect())
}
