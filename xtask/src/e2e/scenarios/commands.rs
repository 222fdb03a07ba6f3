//! Shell commands: asked for, read-only, and forged.

use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::{LOGIN, bash, select, write};
use crate::e2e::client::scenario::{Human, Scenario, call, text};
use crate::stage::world::{PATIENCE, World};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![approved(), rejected(), read_only(), pipelines(), in_background(), strange_repository(), forged()]
}

const TOUCH: &str = "touch src/auth/made.ts";

// REQ 11, 84, 144
fn approved() -> Scenario {
    Scenario::new(
        "commands: one that changes files runs once a person approves it",
        vec![select(), bash(TOUCH)],
        |run| {
            run.passed(1, "")?;
            run.asked(1)?;
            run.seen(TOUCH)?;
            run.file_is("src/auth/made.ts", "")
        },
    )
    .human(Human::Approves)
}

// REQ 22, 84
fn rejected() -> Scenario {
    Scenario::new("commands: a rejected one does not run", vec![select(), bash(TOUCH)], |run| {
        run.refused(1, "DESTRUCTIVE_ACTION_REJECTED")?;
        run.asked(1)?;
        run.file_is_absent("src/auth/made.ts")
    })
    .human(Human::Rejects)
}

// D-03
fn read_only() -> Scenario {
    let command = format!("cat {LOGIN}");
    Scenario::new(
        "commands: a proved reader passes before any intent and nobody is asked",
        vec![bash(&command)],
        |run| {
            run.passed(0, "timeout = 10")?;
            run.asked(0)
        },
    )
    .human(Human::Rejects)
}

// D-03
fn pipelines() -> Scenario {
    let steps = vec![
        bash("grep -rn timeout src | sort | head -5"),
        bash("cat src/auth/login.ts | tee src/auth/copy.ts"),
        bash("ls src|xargs touch"),
    ];
    Scenario::new(
        "commands: a pipeline of readers passes before any intent, one unsafe part stops it",
        steps,
        |run| {
            run.passed(0, "timeout = 10")?;
            run.refused(1, "STATE_VIOLATION")?;
            run.refused(2, "STATE_VIOLATION")?;
            run.asked(0)?;
            run.file_is_absent("src/auth/copy.ts")
        },
    )
    .human(Human::Rejects)
}

// B
fn in_background() -> Scenario {
    let input = json!({"command": format!("cat {LOGIN}"), "description": "looks", "run_in_background": true});
    let steps = vec![
        call("Bash", input),
        call("Read", json!({"file_path": "{output}"})).after(note_output),
        bash("tail -n 5 {output}"),
        text("done"),
    ];
    Scenario::new("commands: what one in the background printed may be read", steps, |run| {
        run.passed(1, "timeout = 10")?;
        run.passed(2, "timeout = 10")?;
        run.asked(0)
    })
    .human(Human::Rejects)
}

/// Where the client keeps what the command printed: `claude-UID/PROJECT/SESSION/tasks/ID.output`.
fn note_output(world: &World) -> Result<()> {
    let user = std::fs::metadata(world.base())?.uid();
    let dashed = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
    let project: String = world.repo().display().to_string().chars().map(dashed).collect();
    let folder = std::env::temp_dir().join(format!("claude-{user}")).join(project);
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        for session in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            for file in std::fs::read_dir(session.path().join("tasks")).into_iter().flatten().flatten() {
                if std::fs::read_to_string(file.path()).is_ok_and(|text| text.contains("timeout")) {
                    world.note("output", &file.path().display().to_string());
                    return Ok(());
                }
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("the client printed nothing below {}", folder.display())
}

/// A repository beside the governed one, whose configuration has git start a program.
fn with_a_stranger(world: &World) -> Result<()> {
    world.govern()?;
    world.write("../other/a.txt", "a\n")?;
    for words in [
        &["init", "-q", "../other"][..],
        &["-C", "../other", "config", "user.name", "Dev"],
        &["-C", "../other", "config", "user.email", "dev@example.com"],
        &["-C", "../other", "add", "-A"],
        &["-C", "../other", "commit", "-q", "-m", "other"],
        &["-C", "../other", "config", "core.fsmonitor", "touch ../monitor-ran; false"],
    ] {
        world.git(words)?;
    }
    Ok(())
}

// A3
fn strange_repository() -> Scenario {
    let steps = vec![
        bash("cd ../other && git status"),
        bash("git -C ../other status"),
        bash("git -C ../other log -p -1"),
        text("done"),
    ];
    Scenario::new("commands: git in a stranger's folder is no proved reader", steps, |run| {
        let ran = run.world.base().join("monitor-ran");
        for step in 0..3 {
            run.error(step)?;
        }
        run.asked(0)?;
        ensure!(!ran.exists(), "git has started the stranger's program");
        run.world.output(std::process::Command::new("git").args(["-C", "../other", "status"]))?;
        ensure!(ran.exists(), "git would not have started it at all");
        Ok(())
    })
    .setup(with_a_stranger)
    .arguments(&["--add-dir", "../other"])
    .human(Human::Rejects)
}

// D-16, K-42, REQ 143
fn forged() -> Scenario {
    let steps = vec![
        select(),
        write("src/auth/new.ts", "new\n"),
        bash("bailiwick approval approve {approval}").after(note_approval),
        bash("yes | bailiwick approval approve {approval}"),
        write("src/auth/new.ts", "new\n").after(World::approve_oldest),
        text("done"),
    ];
    Scenario::new("commands: the agent cannot approve its own call, the operator can", steps, |run| {
        run.refused(1, "APPROVAL_PENDING")?;
        for forgery in [2, 3] {
            let code = run.error(forgery)?["code"].take();
            ensure!(
                code != "APPROVAL_PENDING" && code != "APPROVAL_TIMEOUT",
                "the forgery {forgery} was put to a person"
            );
        }
        run.passed(4, "src/auth/new.ts")?;
        run.file_is("src/auth/new.ts", "new\n")
    })
    .setup(|world| {
        world.govern()?;
        world.write(".orchestration/config.yaml", "approval: {timeout_s: 3}\n")
    })
}

fn note_approval(world: &World) -> Result<()> {
    let request = world.oldest_approval()?;
    world.note("approval", request["id"].as_str().context("an approval without an id")?);
    Ok(())
}
