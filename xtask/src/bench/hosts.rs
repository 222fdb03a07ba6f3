//! What a hook call costs in the words of every host, as a ratio to Claude Code's: a call that changes a file before an
//! intent is selected. The words come from the host's conformance page.
//!
//! Such a call goes all the way through the dialect and is refused by the first check of an ordinary session, so what
//! differs between hosts is the dialect alone.

use anyhow::{Context, Result};
use serde_json::Value;

use super::cpu::{self, Load, Plan};
use super::sheet::{Line, Sheet, Target};
use super::{Depth, SETTLED, governed};
use crate::stage::hook_driver::HookDriver;
use crate::stage::pages::{self, Effects, Page};
use crate::stage::world::World;

/// Whose words the others are compared with.
const BASE: &str = "claude-code";

/// Enough that no session is asked twice in a run: one that is refused again and again is no ordinary one.
const SESSIONS: u32 = 400;
const FULL: Plan = Plan { rounds: 20, spawns_per_round: 20 };
const QUICK: Plan = Plan { rounds: 7, spawns_per_round: 10 };
const MOST: f64 = 1.1;
/// Why the call is refused.
const CODE: &str = "STATE_VIOLATION";
/// An edit of a file that nobody read is refused for that as well; a page with nothing else is measured with it.
const ALSO: &str = "STALE_FILE";

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let world = governed()?;
    let hook = HookDriver::installed(&world)?;
    let mut pages = pages::all()?;
    pages.sort_by_key(|page| page.host != BASE);
    let effects = pages::effects(&world)?;
    let loads = pages.iter().map(|page| load(&world, &hook, page, &effects)).collect::<Result<Vec<_>>>()?;
    std::thread::sleep(SETTLED);
    let times = cpu::measure(&loads, if depth == Depth::Quick { QUICK } else { FULL })?;
    let (base, rest) = times.split_first().context("no host has a page")?;
    let lines = loads.iter().skip(1).zip(rest).map(|(load, time)| Line {
        what: format!("a write from {}", load.name),
        against: "a write from Claude Code",
        ratio: Some(cpu::ratio(time, base)),
        target: Target::Ratio(MOST),
    });
    let told = "What one hook process costs in the words of each host, as processor time in proportion to Claude Code's: \
                a write that is refused because no intent is selected. The median over rounds, interleaved.";
    Sheet { heading: "## Every host", told, task: "bench hosts", lines: lines.collect() }.conclude(depth)
}

/// A call of the page that changes a file and is refused, in sessions of its own.
fn load(world: &World, hook: &HookDriver, page: &Page, effects: &Effects) -> Result<Load> {
    let call = refused(world, hook, page, effects)?
        .with_context(|| format!("{}: no write is refused", page.host))?;
    let folder = world.base().join("events").join(&page.host);
    std::fs::create_dir_all(&folder)?;
    let mut inputs = Vec::new();
    for number in 0..SESSIONS {
        let file = folder.join(format!("{number}.json"));
        std::fs::write(&file, pages::in_session(&call, number).to_string())?;
        inputs.push(file);
    }
    Ok(Load {
        name: page.host.clone(),
        words: page.words(&hook.words).into_iter().map(str::to_owned).collect(),
        environment: hook.environment.clone(),
        folder: world.repo(),
        inputs,
    })
}

/// The first write of the page that is refused for want of an intent alone, or else the first that is refused for it.
fn refused(world: &World, hook: &HookDriver, page: &Page, effects: &Effects) -> Result<Option<Value>> {
    let (mut alone, mut with_more) = (None, None);
    for (_, event) in page.tools().filter(|(tool, _)| effects.get(*tool).is_some_and(|does| does == "write"))
    {
        let call = pages::in_world(event, world);
        let answer = page.answer(hook, &call)?;
        if !answer.refuses || !answer.said.contains(CODE) {
            continue;
        }
        let place = if answer.said.contains(ALSO) { &mut with_more } else { &mut alone };
        place.get_or_insert(serde_json::from_str(&call)?);
    }
    Ok(alone.or(with_more))
}
