//! Where the linker puts the hook's code: writes `crates/app/hook.ld`, which `crates/app/build.rs` hands to the linker.
//!
//! A hook call touches a seventh of the program's code. Spread over all of it, that is one page fault for each stretch;
//! side by side it is a fourth of them. What is touched is found out by stepping through real hook calls. The file is
//! never needed: a line that names nothing any more costs a page fault and nothing else.

mod sections;
mod trace;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use self::sections::Sections;
use self::trace::Trace;
use crate::stage::hook_driver::HookDriver;
use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;

const SCRIPT: &str = "crates/app/hook.ld";

/// A file that changed just now is read again at each call; what is laid out is the call on files at rest.
const SETTLED: std::time::Duration = std::time::Duration::from_secs(5);

/// One name in so many may be gone. At one in fifty a call cost about a tenth more.
const STALE: usize = 100;

/// Builds the release binary, steps through hook calls and writes the script.
pub(crate) fn write() -> Result<()> {
    let (program, map) = product::mapped_release()?;
    let sections = sections(&map.context("the linker wrote no map: build without flags of your own")?)?;
    let folder = product::target_folder()?.join("layout");
    std::fs::create_dir_all(&folder)?;
    let world = World::in_folder(&program, &folder)?;
    let trace = ordinary_calls(&world, &folder)?;
    let script = sections.script(trace.calls());
    let path = workspace::root().join(SCRIPT);
    std::fs::write(&path, &script).with_context(|| path.display().to_string())?;
    println!("{SCRIPT}: {} lines", script.lines().count());
    Ok(())
}

/// Fails when too many names in the script are gone from the release binary: then new ones are not in the script either.
pub(crate) fn check() -> Result<()> {
    let (_, Some(map)) = product::mapped_release()? else {
        println!("layout: this build has flags of its own, nothing to check");
        return Ok(());
    };
    let script = std::fs::read_to_string(workspace::root().join(SCRIPT))?;
    let (missed, all) = (sections(&map)?.missed(&script), sections::names(&script).count());
    println!("layout: {} of {all} names are gone from this build", missed.len());
    missed.iter().take(10).for_each(|line| println!("  {line}"));
    ensure!(missed.len() * STALE <= all, "{SCRIPT} is out of date; run `cargo xtask layout`");
    Ok(())
}

fn sections(map: &Path) -> Result<Sections> {
    let sections = Sections::parse(&std::fs::read_to_string(map)?);
    ensure!(!sections.is_empty(), "the linker's map names no code");
    Ok(sections)
}

/// The calls of an ordinary session, the most frequent first.
fn ordinary_calls(world: &World, folder: &Path) -> Result<Trace> {
    world.govern()?;
    let hook = HookDriver::installed(world)?;
    std::thread::sleep(SETTLED);
    hook.select("INT-001")?;
    let path = |path: &str| world.repo().join(path).display().to_string();
    let read = hook.call("Read", &json!({"file_path": path("src/auth/login.ts")}), "toolu_read");
    hook.send(&read)?;
    let outside = json!({"file_path": path("src/core/new.ts"), "content": "1\n"});
    let inside = json!({"file_path": path("src/auth/new.ts"), "content": "export {};\n"});
    let write = hook.call("Write", &inside, "toolu_inside");
    let mut trace = Trace::new(folder);
    trace.follow(&hook, &read)?;
    trace.follow(&hook, &after(&read, &json!({"type": "text"})))?;
    trace.follow(&hook, &hook.call("Write", &outside, "toolu_outside"))?;
    let asked = trace.follow(&hook, &write)?;
    trace.follow(&hook, &write)?;
    world.approve(crate::stage::hook_driver::request_id(&asked).context("nobody was asked")?)?;
    trace.follow(&hook, &write)?;
    world.write("src/auth/new.ts", "export {};\n")?;
    trace.follow(&hook, &after(&write, &json!({"type": "create"})))?;
    trace.follow(&hook, &hook.call("Bash", &json!({"command": "git status"}), "toolu_status"))?;
    trace.follow(&hook, &hook.call("Bash", &json!({"command": "make"}), "toolu_make"))?;
    let mut prompt = hook.event("UserPromptSubmit");
    prompt["prompt"] = json!("go");
    trace.follow(&hook, &prompt)?;
    trace.follow(&hook, &hook.event("Stop"))?;
    Ok(trace)
}

/// The event that follows a call.
fn after(call: &Value, response: &Value) -> Value {
    let mut event = call.clone();
    event["hook_event_name"] = json!("PostToolUse");
    event["tool_response"] = response.clone();
    event
}
