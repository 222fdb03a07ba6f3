//! A file that is not what the agent read. The client itself refuses some of these writes before it asks the gate; a
//! change while a person reads the question is the gate's alone.

use anyhow::ensure;

use crate::e2e::client::scenario::{Human, Scenario, text};
use crate::e2e::scenarios::{LOGIN, LOGIN_BEFORE, bash, read, select, write};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![changed_since(), changed_while_asked(), never_read()]
}

// REQ 128, 166, 167
fn changed_since() -> Scenario {
    let steps = vec![
        select(),
        read(LOGIN),
        write(LOGIN, "mine\n").after(|world| world.write(LOGIN, "export const timeout = 77;\n")),
        read(LOGIN),
        write(LOGIN, "mine\n"),
        text("done"),
    ];
    Scenario::new("stale: a change from outside stops the write until it is read again", steps, |run| {
        let told = run.told(2)?;
        let by_gate = run.refused(2, "STALE_FILE").is_ok();
        let by_client = told.contains("modified since read");
        ensure!(by_gate || by_client, "the stale write was answered with {told}");
        run.passed(3, "timeout = 77")?;
        run.passed(4, LOGIN)?;
        run.asked(1)?;
        run.file_is(LOGIN, "mine\n")
    })
    .human(Human::Approves)
}

// K-09, REQ 128, 166
fn changed_while_asked() -> Scenario {
    let steps = vec![select(), read(LOGIN), write(LOGIN, "mine\n"), text("done")];
    Scenario::new("stale: a change while the person reads stops the approved write", steps, |run| {
        run.refused(2, "STALE_FILE")?;
        run.asked(1)?;
        run.file_is(LOGIN, "theirs\n")
    })
    .human(Human::ApprovesLate(|world| world.write(LOGIN, "theirs\n")))
}

// K-10
fn never_read() -> Scenario {
    let steps = vec![select(), bash(&format!("printf mine > {LOGIN}")), write(LOGIN, "mine\n"), text("done")];
    Scenario::new("stale: a file that was never read is not overwritten", steps, |run| {
        run.error(1)?;
        let told = run.told(2)?;
        let by_gate = run.refused(2, "STALE_FILE").is_ok();
        ensure!(by_gate || told.contains("has not been read"), "the blind write was answered with {told}");
        run.file_is(LOGIN, LOGIN_BEFORE)
    })
}
