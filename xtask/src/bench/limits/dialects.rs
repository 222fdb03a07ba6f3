//! Every host's dialect, in the words of its conformance page: a call that is refused when it is small is refused with 300 KB of
//! text in it, and with values that nest 10,000 deep, within a multiple of what the small one costs.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{ONE, Used, read_used};
use crate::stage::hook_driver::HookDriver;
use crate::stage::pages::{self, Page};
use crate::stage::world::World;

const LARGE: usize = 300 * 1024;
const DEEP: usize = 10_000;
/// What a large one may cost, as a multiple of a small one.
const TIMES: u32 = 50;
/// A small one costs little, so the best of some tries counts.
const TRIES: usize = 3;
/// Stands in an event for what is no JSON value that could be held here.
const MARK: &str = "@deep@";

/// One event and how it ended.
struct Ended {
    used: Used,
    refused: bool,
    said: String,
}

/// What is wrong, a sentence each.
pub(super) fn faults(world: &World, hook: &HookDriver) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for page in pages::all()? {
        let host = &page.host;
        let Some((event, small)) = refused_call(world, hook, &page)? else {
            faults.push(format!("{host}: no call of its page is refused in a new repository"));
            continue;
        };
        let mut deep = event.clone();
        deep["more"] = MARK.into();
        let deep = deep.to_string().replace(&format!("\"{MARK}\""), &nested(DEEP));
        let inputs = [
            ("300 KB of text", with_text(&event).to_string()),
            ("300 KB that nobody reads", with_more(&event).to_string()),
            ("10,000 levels", deep),
        ];
        for (what, event) in inputs {
            let ended = least(world, hook, &page, &event)?;
            let allowed = small * TIMES;
            if !ended.refused {
                faults.push(format!("{host}: {what} is answered with {:.200}", ended.said));
            }
            if ended.used.time > allowed {
                faults.push(format!("{host}: {what} takes {:?} of {allowed:?}", ended.used.time));
            }
        }
    }
    Ok(faults)
}

/// The first call of the page that is refused, and what that costs.
fn refused_call(world: &World, hook: &HookDriver, page: &Page) -> Result<Option<(Value, Duration)>> {
    for event in page.calls() {
        let text = pages::in_world(event, world);
        let ended = least(world, hook, page, &text)?;
        if ended.refused {
            return Ok(Some((serde_json::from_str(&text)?, ended.used.time)));
        }
    }
    Ok(None)
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

fn with_more(event: &Value) -> Value {
    let mut event = event.clone();
    event["more"] = "x y ".repeat(LARGE / 4).into();
    event
}

/// The longest text below the event's own fields is followed by a long one.
fn with_text(event: &Value) -> Value {
    let mut event = event.clone();
    let fields = event.as_object_mut().into_iter().flat_map(|fields| fields.values_mut());
    let mut texts = Vec::new();
    fields.filter(|value| !value.is_string()).for_each(|value| texts_in(value, &mut texts));
    if let Some(text) = texts.into_iter().filter(|text| !text.starts_with('/')).max_by_key(|text| text.len())
    {
        text.push_str(&"x y ".repeat(LARGE / 4));
    }
    event
}

fn texts_in<'a>(value: &'a mut Value, texts: &mut Vec<&'a mut String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter_mut().for_each(|value| texts_in(value, texts)),
        Value::Object(fields) => fields.values_mut().for_each(|value| texts_in(value, texts)),
        _ => {}
    }
}

fn least(world: &World, hook: &HookDriver, page: &Page, event: &str) -> Result<Ended> {
    let mut best = once(world, hook, page, event)?;
    for _ in 1..TRIES {
        let again = once(world, hook, page, event)?;
        if again.used.time < best.used.time {
            best = again;
        }
    }
    Ok(best)
}

/// The installed command, for another host.
fn once(world: &World, hook: &HookDriver, page: &Page, event: &str) -> Result<Ended> {
    let place: PathBuf = world.base().join("event.json");
    File::create(&place)?.write_all(event.as_bytes())?;
    let mut measured = Command::new(std::env::current_exe()?);
    measured.args(["bench", "limits", ONE]).arg(world.base().join("used")).args(page.words(&hook.words));
    measured.env_clear().envs(hook.environment.iter().cloned()).current_dir(&hook.repo);
    let output = measured.stdin(File::open(&place)?).stderr(Stdio::piped()).output()?;
    let (used, status) = read_used(world).context("the measurement")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Ended { used, refused: page.refuses(&said, status), said })
}
