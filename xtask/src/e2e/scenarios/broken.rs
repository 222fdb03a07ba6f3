//! A gate that dies, hangs or disappears lets nothing through. One that ends well and says nothing of use does, and ours never
//! ends so.

use std::os::unix::fs::PermissionsExt as _;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{bash, write};
use crate::e2e::client::scenario::{Act, Scenario, text};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![
        broken("broken: a gate that aborts lets nothing through", |world| {
            become_script(world, "kill -ABRT $$")
        }),
        broken("broken: a gate that panics lets nothing through", |world| {
            become_script(world, "echo panicked >&2; exit 101")
        }),
        broken("broken: a gate that hangs lets nothing through", |world| {
            become_script(world, "exec sleep 20")
        }),
        broken("broken: a gate that is gone lets nothing through", |world| {
            std::fs::remove_file(world.gate()).context("remove the gate")
        }),
        passed_over("broken: the client goes on without an answer", |world| become_script(world, "exit 0")),
        passed_over("broken: the client goes on when the answer is no JSON", |world| {
            become_script(world, "echo yes; exit 0")
        }),
    ]
}

/// What the page of hosts says that the client lets through: nothing but the gate itself can close it.
fn passed_over(name: &'static str, act: Act) -> Scenario {
    let steps = vec![write("src/auth/new.ts", "x\n").after(act), text("done")];
    Scenario::new(name, steps, |run| run.file_is("src/auth/new.ts", "x\n"))
}

/// The gate works until the first call, so that it is the call that meets the broken one.
// design §7.1
fn broken(name: &'static str, act: Act) -> Scenario {
    let steps =
        vec![write("src/auth/new.ts", "x\n").after(act), bash("touch src/auth/made.ts"), text("done")];
    Scenario::new(name, steps, |run| {
        for step in [0, 1] {
            let told = run.told(step)?;
            ensure!(!told.contains("successfully"), "step {step} went through: {told}");
        }
        run.file_is_absent("src/auth/new.ts")?;
        run.file_is_absent("src/auth/made.ts")
    })
    .setup(|world| {
        world.govern()?;
        shorten_timeouts(world)
    })
}

fn become_script(world: &World, script: &str) -> Result<()> {
    let source = world.base().join("broken-gate");
    std::fs::write(&source, format!("#!/bin/sh\n{script}\n"))?;
    std::fs::set_permissions(&source, std::fs::Permissions::from_mode(0o755))?;
    std::fs::remove_file(world.gate())?;
    world.place_program(&source)
}

/// Two seconds for every installed hook, so that a hanging one is given up soon.
fn shorten_timeouts(world: &World) -> Result<()> {
    let path = ".claude/settings.local.json";
    let mut settings: Value = serde_json::from_str(&world.read(path).context("init wrote no settings")?)?;
    let events = settings["hooks"].as_object_mut().context("no hooks")?;
    for groups in events.values_mut().filter_map(Value::as_array_mut) {
        for hook in groups.iter_mut().filter_map(|group| group["hooks"].as_array_mut()).flatten() {
            hook["timeout"] = json!(2);
        }
    }
    world.write(path, &settings.to_string())
}
