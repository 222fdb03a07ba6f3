//! A turn that wants to end while a person has not answered yet (D-06).

use anyhow::ensure;

use crate::e2e::client::outcome::Run;
use crate::e2e::client::scenario::{Human, Scenario, Step, text};
use crate::e2e::scenarios::{LOGIN, LOGIN_BEFORE, read, select, write};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![held(), nobody(), not_heard()]
}

const THIRTY: &str = "export const timeout = 30;\n";
const STOPPING: &str = "stopping";

/// A call waits so many seconds for its answer, and a stop not longer.
fn impatient(world: &World, seconds: u32) -> anyhow::Result<()> {
    world.govern()?;
    world.write(".orchestration/config.yaml", &format!("approval: {{timeout_s: {seconds}}}\n"))
}

fn pending_then_over() -> Vec<Step> {
    vec![
        select(),
        read(LOGIN),
        write(LOGIN, THIRTY),
        text("I wait for a human").after(|world| {
            world.note(STOPPING, "now");
            Ok(())
        }),
    ]
}

/// How often the log tells that a turn went on.
fn times_continued(run: &Run) -> anyhow::Result<usize> {
    Ok(run.world.gate_says(&["log", "--json"])?.matches("the turn continues").count())
}

// D-06
fn held() -> Scenario {
    let mut steps = pending_then_over();
    steps.extend([write(LOGIN, THIRTY), text("done")]);
    Scenario::new("stop: held while a person is there, goes on with the yes, then ends", steps, |run| {
        run.refused(2, "APPROVAL_PENDING")?;
        ensure!(run.heard("Retry exactly the same call"), "the model never heard of the yes");
        run.passed(4, LOGIN)?;
        run.asked(1)?;
        ensure!(times_continued(run)? == 1, "the turn went on {} times", times_continued(run)?);
        run.file_is(LOGIN, THIRTY)
    })
    .setup(|world| impatient(world, 4))
    .human(Human::ApprovesOnce(STOPPING))
}

// D-06
fn nobody() -> Scenario {
    Scenario::new(
        "stop: with nobody there a turn with something pending ends at once",
        pending_then_over(),
        |run| {
            run.refused(2, "APPROVAL_PENDING")?;
            ensure!(times_continued(run)? == 0, "the turn went on for nobody");
            run.file_is(LOGIN, LOGIN_BEFORE)
        },
    )
}

// D-06: an agent that does not listen is told once, and may stop
fn not_heard() -> Scenario {
    let mut steps = pending_then_over();
    steps.push(text("I do not listen"));
    Scenario::new("stop: an agent that ignores the yes is told of it once", steps, |run| {
        ensure!(times_continued(run)? == 1, "the turn went on {} times", times_continued(run)?);
        run.file_is(LOGIN, LOGIN_BEFORE)
    })
    .setup(|world| impatient(world, 4))
    .human(Human::ApprovesOnce(STOPPING))
}
