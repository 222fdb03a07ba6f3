//! The person at the desk: `bailiwick watch` stays open all day, every request that comes up is looked at and approved.
//!
//! What was asked is read from `approval list`, the yes is a key in the terminal; nothing here writes an approval.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::terminal::Terminal;
use crate::world::{PATIENCE, World};

/// How long the person looks at least; the screen takes a faster key for one that slipped.
const LOOK: Duration = Duration::from_millis(300);
/// How long a yes may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(3);

/// One question that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) kind: String,
    pub(crate) tool: String,
    pub(crate) actor: String,
    /// What tells it from other questions to a person: what changes, where.
    pub(crate) subject: String,
}

/// The desk.
pub(crate) struct Desk<'a> {
    world: &'a World,
    screen: Terminal,
}

impl<'a> Desk<'a> {
    /// Opens the screen and waits until it is drawn.
    pub(crate) fn open(world: &'a World) -> Result<Self> {
        let screen = world.terminal("bailiwick watch")?;
        screen.wait_for(&["q quit", "quit"], PATIENCE).context("`bailiwick watch` drew nothing")?;
        Ok(Self { world, screen })
    }

    /// Answers every request until told to stop; gives the questions by approval id.
    pub(crate) fn attend(&self, stop: &AtomicBool) -> Result<BTreeMap<String, Question>> {
        let mut answered = BTreeMap::new();
        while !stop.load(Ordering::SeqCst) {
            for request in self.world.open_approvals()? {
                let id = request["id"].as_str().context("a request without an id")?.to_owned();
                self.approve(&id)?;
                answered.insert(id, question(&request));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(answered)
    }

    /// Looks until the screen shows the request, presses the key, and sees that the yes arrived.
    fn approve(&self, id: &str) -> Result<()> {
        for _ in 0..5 {
            if self.screen.wait_for(&[id], PATIENCE).is_err() && !self.is_open(id)? {
                return Ok(());
            }
            std::thread::sleep(LOOK);
            self.screen.press(&["a"])?;
            let pressed = Instant::now();
            while pressed.elapsed() < ARRIVAL {
                if !self.is_open(id)? {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        bail!("the yes to {id} never arrived; the screen shows:\n{}", self.screen.screen()?.trim_end())
    }

    fn is_open(&self, id: &str) -> Result<bool> {
        Ok(self.world.open_approvals()?.iter().any(|request| request["id"] == id))
    }
}

/// A person who says yes to some requests without much thought, and leaves the others open.
pub(crate) fn careless(world: &World, yes: fn(&Value) -> bool, stop: &AtomicBool) -> Result<()> {
    while !stop.load(Ordering::SeqCst) {
        for request in world.open_approvals()?.iter().filter(|request| yes(request)) {
            world.approve(request["id"].as_str().context("a request without an id")?)?;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn question(request: &Value) -> Question {
    let text = |key: &str| request[key].as_str().unwrap_or_default().to_owned();
    Question {
        kind: text("kind"),
        tool: text("tool"),
        actor: text("actor"),
        subject: format!("{} {}", request["changed_paths"], request["diff_preview"]),
    }
}
