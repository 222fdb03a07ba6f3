//! Kills the gate at each call of the system that it makes, lets each of these calls fail or do less, and checks
//! that nothing acknowledged is lost and nothing gets through.
//!
//! What is run and in which state is a scene, made from a number; each point in it is another moment. So the count grows
//! by other moments and other states, not by doing the same again.

mod act;
mod fault;
mod flat;
mod judge;
mod points;
mod scene;
mod session;
mod wound;

use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};

use self::fault::{Ended, Injection, Start};
use self::points::{Depth, Tally};
use self::scene::Scene;
use crate::stage::side_by_side::side_by_side;
use crate::stage::{product, world};

/// How many points a short run tries.
pub(crate) const SHORT: usize = 900;
/// How many a full run tries.
pub(crate) const FULL: usize = 10_000;

/// After so many it is known that something is wrong.
const MOST_FAILURES: usize = 12;

/// Tries that many points, in as many scenes as it takes.
pub(crate) fn run(wanted: usize) -> Result<()> {
    flat::run(&product::binary()?)?;
    let depth = if wanted < FULL { Depth::Sample } else { Depth::All };
    Run { depth, wanted, ..Run::default() }.go(1..)
}

/// Tries every point of one scene.
pub(crate) fn scene(number: u64) -> Result<()> {
    Run { depth: Depth::All, wanted: 1, ..Run::default() }.go(number..=number)
}

#[derive(Debug, Default)]
struct Run {
    depth: Depth,
    wanted: usize,
    tried: AtomicUsize,
    done: Mutex<(Tally, u64, Vec<String>)>,
}

impl Run {
    /// Plays these scenes, as far as they are needed.
    fn go(self, scenes: impl Iterator<Item = u64> + Send) -> Result<()> {
        let product = product::binary()?;
        let is_needed = |_: &u64| self.tried.load(Ordering::SeqCst) < self.wanted && !self.is_broken();
        let played = side_by_side(scenes.take_while(is_needed), |number| {
            let scene = Scene::build(&product, number).with_context(|| format!("scene {number}"))?;
            self.play(&scene).with_context(|| format!("scene {number}"))
        });
        played.into_iter().collect::<Result<()>>()?;
        world::sweep();
        let (tally, scenes, failures) = self.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.iter().for_each(|failure| println!("BROKEN  {failure}"));
        println!("{tally} in {scenes} scenes");
        ensure!(failures.is_empty(), "{} points broke something", failures.len());
        Ok(())
    }

    fn is_broken(&self) -> bool {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).2.len() >= MOST_FAILURES
    }

    fn play(&self, scene: &Scene) -> Result<()> {
        scene.restore()?;
        let (ended, company) = perform(scene, None)?;
        ensure!(ended.code == Some(0), "without a fault it ends with {:?}: {}", ended.code, ended.stdout);
        judge::judge(scene, &ended, company.as_ref()).context("without a fault")?;
        let does = !scene.act.may_pass() || scene.told(&ended)?.as_deref() == Some("allow");
        ensure!(does, "without a fault the call does not get through: {}", ended.stdout);
        let mut tally = Tally::default();
        for injection in points::of(&ended.calls, self.depth, scene.seed) {
            scene.restore()?;
            let (after, company) = perform(scene, Some(injection))?;
            tally.add(injection.fault);
            self.tried.fetch_add(1, Ordering::SeqCst);
            if let Err(error) = judge::judge(scene, &after, company.as_ref()) {
                let what = ended.calls.get(injection.at).map(points::describe).unwrap_or_default();
                let state = (scene.act, scene.wound, scene.has_company);
                let place = format!("scene {} {state:?}, {injection:?} at {what}", scene.seed);
                self.done.lock().unwrap_or_else(PoisonError::into_inner).2.push(format!(
                    "{place}: {error:#}; it had ended with {:?} and {:?}",
                    after.code, after.stdout
                ));
                if self.is_broken() {
                    break;
                }
            }
        }
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.0.take(&tally);
        done.1 += 1;
        Ok(())
    }
}

/// Runs the scene's program, and the other session's hook beside it where the scene wants that.
fn perform(scene: &Scene, injection: Option<Injection>) -> Result<(Ended, Option<std::process::Output>)> {
    let (words, text) = scene.program();
    let (input, output) = (scene.world.base().join("input.json"), scene.world.base().join("output.json"));
    std::fs::write(&input, text)?;
    let start = Start {
        words: &words,
        environment: &scene.hook.environment,
        folder: &scene.world.repo(),
        input,
        output,
    };
    let company: Option<Child> = scene.has_company.then(|| scene.beside.start(&scene.next())).transpose()?;
    let ended = fault::run(&start, injection)?;
    let company = company.map(Child::wait_with_output).transpose()?;
    Ok((ended, company))
}
