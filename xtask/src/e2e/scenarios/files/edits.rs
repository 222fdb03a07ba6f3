//! Work that must pass, as the real client does it: its line ends, its empty replacements, its files that come and go
//! (B).

use anyhow::{Result, ensure};
use serde_json::json;

use crate::e2e::client::outcome::Run;
use crate::e2e::client::scenario::{Human, Scenario, Step, call, text};
use crate::e2e::scenarios::{LOGIN, bash, notes, read, select, write};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![line_ends(), emptied(), gone(), born_of_a_command(), quoted_words()]
}

const LINES: &str = "src/auth/lines.ts";

fn edit(path: &str, old: &str, new: &str) -> Step {
    let file = format!("{{root}}/{path}");
    call("Edit", json!({"file_path": file, "old_string": old, "new_string": new}))
}

fn with_lines(world: &World, text: &str) -> Result<()> {
    world.govern()?;
    world.write(LINES, text)?;
    world.commit("lines")
}

/// What was written is what was approved.
fn as_predicted(run: &Run) -> Result<()> {
    let notes = notes(&run.world)?;
    ensure!(notes.iter().any(|note| note == "recorded"), "{notes:?}");
    ensure!(!notes.iter().any(|note| note.contains("amended") || note.contains("otherwise")), "{notes:?}");
    Ok(())
}

// B: CRLF
fn line_ends() -> Scenario {
    let steps = vec![select(), read(LINES), edit(LINES, "b\nc", "b\nx\ny"), text("done")];
    Scenario::new("edits: an anchor over two lines fits a file with CRLF, which keeps it", steps, |run| {
        run.passed(2, LINES)?;
        run.asked(1)?;
        as_predicted(run)?;
        run.file_is(LINES, "a\r\nb\r\nx\r\ny\r\n")
    })
    .setup(|world| with_lines(world, "a\r\nb\r\nc\r\n"))
    .human(Human::Approves)
}

// B: an empty replacement
fn emptied() -> Scenario {
    let steps = vec![select(), read(LINES), edit(LINES, "b", ""), text("done")];
    Scenario::new("edits: an empty replacement leaves what the client leaves", steps, |run| {
        run.passed(2, LINES)?;
        run.asked(1)?;
        as_predicted(run)
    })
    .setup(|world| with_lines(world, "a\nb\nc\n"))
    .human(Human::Approves)
}

// B: deleted since
fn gone() -> Scenario {
    let steps = vec![
        select(),
        read(LOGIN),
        write(LOGIN, "mine\n").after(|world| Ok(std::fs::remove_file(world.repo().join(LOGIN))?)),
        text("done"),
    ];
    Scenario::new("edits: a file that is gone since it was read is written anew", steps, |run| {
        run.passed(2, LOGIN)?;
        run.asked(1)?;
        run.file_is(LOGIN, "mine\n")
    })
    .human(Human::Approves)
}

// B: made by one's own approved command
fn born_of_a_command() -> Scenario {
    let steps = vec![
        select(),
        bash("printf 'one\\n' > src/auth/made.ts"),
        read("src/auth/made.ts"),
        edit("src/auth/made.ts", "one", "two"),
        text("done"),
    ];
    Scenario::new("edits: a file that one's own command made is edited", steps, |run| {
        run.passed(3, "src/auth/made.ts")?;
        run.asked(2)?;
        run.file_is("src/auth/made.ts", "two\n")
    })
    .human(Human::Approves)
}

// B: a command's words in a commit message are words
fn quoted_words() -> Scenario {
    let message = "never run claude --bare or bailiwick approval approve";
    let commit = format!("git commit -q --allow-empty -m \"{message}\"");
    Scenario::new("edits: a commit message may quote what is refused", vec![select(), bash(&commit)], |run| {
        run.passed(1, "")?;
        run.asked(1)?;
        let log = run.world.output(std::process::Command::new("git").args(["log", "-1", "--format=%s"]))?;
        let said = String::from_utf8_lossy(&log.stdout).into_owned();
        ensure!(said.starts_with("never run claude --bare"), "the last commit says {said}");
        Ok(())
    })
    .human(Human::Approves)
}
