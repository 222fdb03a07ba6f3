//! The person at the desk: `bailiwick watch` stays open all day, every request that comes up is looked at and approved.
//!
//! What was asked is read from `approval list`, the yes is a key in the terminal; nothing here writes an approval.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::stage::terminal::Terminal;
use crate::stage::world::{PATIENCE, World};

/// How long the person looks at least; the screen takes a faster key for one that slipped.
const LOOK: Duration = Duration::from_millis(300);
/// How long a yes may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(3);

/// What the person grants: more files than are offered, since a rename goes over many.
const BOUNDS: &str = "files 20 lines 200 lines-per-call 20 calls 30 minutes 20";

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

    /// Answers every request until told to stop, edits with a grant where the person grants; gives the questions by
    /// approval id.
    pub(crate) fn attend(&self, stop: &AtomicBool, grants: bool) -> Result<BTreeMap<String, Question>> {
        let mut answered = BTreeMap::new();
        while !stop.load(Ordering::SeqCst) {
            for request in self.world.open_approvals()? {
                let id = request["id"].as_str().context("a request without an id")?.to_owned();
                self.approve(&id, grants && request["offer"].is_object())?;
                answered.insert(id, question(&request));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(answered)
    }

    /// Looks until the screen shows the request, presses the key, and sees that the yes arrived.
    fn approve(&self, id: &str, by_grant: bool) -> Result<()> {
        for _ in 0..5 {
            if self.screen.wait_for(&[id], PATIENCE).is_err() && !self.is_open(id)? {
                return Ok(());
            }
            std::thread::sleep(LOOK);
            if by_grant {
                self.grant()?
            } else {
                self.screen.press(&["a"])?
            }
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

    /// Writes bounds of the person's own in place of those that are offered, and grants them.
    fn grant(&self) -> Result<()> {
        self.screen.press(&["g"])?;
        self.screen.wait_for(&["within these bounds"], PATIENCE)?;
        self.screen.press(&["-N", "100", "BSpace"])?;
        self.screen.type_text(BOUNDS)?;
        self.screen.wait_for(&[BOUNDS], PATIENCE)?;
        std::thread::sleep(LOOK);
        self.screen.press(&["Enter"])
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
