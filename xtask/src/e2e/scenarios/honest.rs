//! Sessions that look like a gate that was gone past, and are honest: nobody is quarantined (D-34).

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::{bash, notes, select, write};
use crate::e2e::client::outcome::Run;
use crate::e2e::client::scenario::{Human, Scenario, text};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![two_hooks(), late_post(), pause(), init_in_mid_session()]
}

const LOCAL: &str = ".claude/settings.local.json";

fn nobody_is_halted(run: &Run, steps: usize) -> Result<()> {
    for step in 0..steps {
        let told = run.told(step)?;
        ensure!(!told.contains("QUARANTINED"), "step {step}: {told}");
    }
    let notes = notes(&run.world)?;
    ensure!(!notes.iter().any(|note| note.contains("the host ran")), "{notes:?}");
    Ok(())
}

fn settings(world: &World) -> Result<Value> {
    Ok(serde_json::from_str(&world.read(LOCAL).unwrap_or_default())?)
}

/// The gate's hooks stand in the settings of the team as well, by another name of the program, so that the client does
/// not take them for the same.
fn hooked_twice(world: &World) -> Result<()> {
    world.govern()?;
    std::os::unix::fs::symlink(world.gate(), world.bin().join("second"))?;
    let again = settings(world)?.to_string().replace("bin/bailiwick'", "bin/second'");
    ensure!(again.contains("bin/second"), "no hook names the program: {again}");
    world.write(".claude/settings.json", &again)
}

// D-34: two installed hooks
fn two_hooks() -> Scenario {
    let steps = vec![
        select(),
        write("src/auth/one.ts", "1\n"),
        bash("touch src/auth/two.ts"),
        write("src/auth/three.ts", "3\n"),
        text("done"),
    ];
    Scenario::new("honest: two installed hooks judge each call and halt nobody", steps, |run| {
        run.passed(3, "src/auth/three.ts")?;
        run.asked(3)?;
        nobody_is_halted(run, 4)
    })
    .setup(hooked_twice)
    .human(Human::Approves)
}

/// The hook after a call runs beside the session and comes when the call is settled.
fn slow_after(world: &World) -> Result<()> {
    world.govern()?;
    let mut settings = settings(world)?;
    let hook = &mut settings["hooks"]["PostToolUse"][0]["hooks"][0];
    let command = hook["command"].as_str().unwrap_or_default().to_owned();
    hook["command"] = json!(format!("sleep 2; {command}"));
    hook["async"] = json!(true);
    world.write(LOCAL, &settings.to_string())
}

// D-34: a late post
fn late_post() -> Scenario {
    let steps = vec![
        select(),
        bash("touch src/auth/one.ts"),
        bash("touch src/auth/two.ts; sleep 4"),
        bash("touch src/auth/three.ts"),
        text("done"),
    ];
    Scenario::new("honest: the event of a call that was settled before halts nobody", steps, |run| {
        run.passed(3, "")?;
        run.asked(3)?;
        let notes = notes(&run.world)?;
        ensure!(
            notes.iter().any(|note| note.contains("nothing waits for it")),
            "no event was late: {notes:?}"
        );
        nobody_is_halted(run, 4)
    })
    .setup(slow_after)
    .human(Human::Approves)
}

// D-34, D-07: a pause
fn pause() -> Scenario {
    let steps = vec![
        select(),
        write("src/auth/one.ts", "1\n"),
        bash("touch src/auth/two.ts").after(|world| world.person_runs("bailiwick pause --for 15m")),
        bash("touch src/auth/three.ts").after(|world| world.person_runs("bailiwick resume")),
        text("done"),
    ];
    Scenario::new("honest: a pause in the middle of a session halts nobody", steps, |run| {
        run.passed(3, "")?;
        run.asked(2)?;
        run.file_is("src/auth/two.ts", "")?;
        run.file_is("src/auth/three.ts", "")?;
        nobody_is_halted(run, 4)
    })
    .human(Human::Approves)
}

// D-34: `init` in mid-session
fn init_in_mid_session() -> Scenario {
    let steps = vec![
        write("src/auth/one.ts", "1\n"),
        write("src/auth/two.ts", "2\n").after(World::govern),
        bash("ls src/auth"),
        bash("ls src"),
        text("done"),
    ];
    Scenario::new("honest: a gate that comes in mid-session halts nobody", steps, |run| {
        run.file_is("src/auth/one.ts", "1\n")?;
        run.passed(3, "auth")?;
        nobody_is_halted(run, 4)
    })
    .setup(|_| Ok(()))
}
