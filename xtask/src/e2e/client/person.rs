//! The person at `bailiwick watch`: waits until the screen shows an open request, then presses a key.
//!
//! The person acts through a real terminal; nothing here writes an approval by another way.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::scenario::{Act, Human};
use crate::stage::terminal::Terminal;
use crate::stage::world::{PATIENCE, World};

/// How long a person looks at least; the screen takes a faster key for one that slipped.
const LOOK: Duration = Duration::from_millis(300);

/// A person who sits down, or nobody.
pub(crate) struct Person<'a> {
    world: &'a World,
    seat: Option<Seat>,
}

/// The screen, the keys to press, and what happens meanwhile.
struct Seat {
    terminal: Terminal,
    keys: &'static [&'static str],
    meanwhile: Option<Act>,
    away_until: Option<&'static str>,
}

impl<'a> Person<'a> {
    /// Opens the screen, when somebody is there, and waits until it is drawn.
    pub(crate) fn sit_down(world: &'a World, human: Human) -> Result<Self> {
        let (keys, meanwhile): (&[&str], _) = match human {
            Human::Absent => return Ok(Self { world, seat: None }),
            Human::Approves | Human::ApprovesOnce(_) => (&["a"], None),
            Human::Grants => (&["g", "Enter"], None),
            Human::Rejects => (&["r", "Enter"], None),
            Human::ApprovesLate(act) => (&["a"], Some(act)),
        };
        let away_until = match human {
            Human::ApprovesOnce(note) => Some(note),
            _ => None,
        };
        let terminal = world.terminal("bailiwick watch")?;
        terminal.wait_for(&["q"], PATIENCE).context("`bailiwick watch` drew nothing")?;
        Ok(Self { world, seat: Some(Seat { terminal, keys, meanwhile, away_until }) })
    }

    /// Answers every request until told to stop; gives the screens that were answered.
    pub(crate) fn attend(&self, stop: &AtomicBool) -> Result<Vec<String>> {
        let mut screens = Vec::new();
        let mut answered = BTreeSet::new();
        let Some(Seat { terminal, keys, meanwhile, away_until }) = &self.seat else { return Ok(screens) };
        while !stop.load(Ordering::SeqCst) {
            let is_here = away_until.is_none_or(|note| self.world.is_noted(note));
            for request in if is_here { self.world.open_approvals()? } else { Vec::new() } {
                if answered.insert(request["id"].to_string()) {
                    let marks = marks_of(&request);
                    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
                    screens.push(terminal.wait_for(&marks, PATIENCE)?);
                    if let Some(act) = meanwhile {
                        act(self.world)?;
                    }
                    for key in *keys {
                        std::thread::sleep(LOOK);
                        terminal.press(&[key])?;
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(screens)
    }
}

/// The texts by which a request is known on the screen.
fn marks_of(request: &Value) -> Vec<String> {
    let paths = request["changed_paths"].as_array().into_iter().flatten();
    let id = request["id"].as_str();
    paths.filter_map(Value::as_str).chain(id).map(str::to_owned).collect()
}
