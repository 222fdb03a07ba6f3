//! A sub-agent is an actor of its own: its calls meet the same gate.

use anyhow::ensure;
use serde_json::json;

use super::{LOGIN, bash, impatient, read, select, write};
use crate::e2e::client::model::SUB_AGENT_MARK;
use crate::e2e::client::scenario::{Human, Scenario, Step, call, text};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![
        without_an_intent(),
        with_its_own_intent(),
        asked_about(),
        free_once_one_was_seen(),
        ungoverned(),
        skill(),
    ]
}

fn errand() -> Vec<Step> {
    let input = json!({
        "description": "an errand",
        "prompt": format!("{SUB_AGENT_MARK}: write a file"),
        "subagent_type": "general-purpose",
    });
    vec![select(), call("Agent", input), text("waiting")]
}

// D-12
fn without_an_intent() -> Scenario {
    Scenario::new("delegation: a sub-agent cannot write out of its parent's scope", errand(), |run| {
        let told = run.sub_agent_told(0)?;
        ensure!(told.contains("VIOLATION"), "the sub-agent was told {told}");
        run.file_is("src/core/main.ts", "export const main = 1;\n")?;
        run.file_is_absent("src/core/new.ts")
    })
    .sub_agent(vec![write("src/core/new.ts", "x\n"), text("done")])
    .human(Human::Approves)
}

// D-12
fn with_its_own_intent() -> Scenario {
    Scenario::new(
        "delegation: a sub-agent that selects an intent writes once a person approves it",
        errand(),
        |run| {
            run.file_is("src/auth/new.ts", "x\n")?;
            run.sub_agent_refused(2, "SCOPE_VIOLATION").map(drop)
        },
    )
    .sub_agent(vec![select(), write("src/auth/new.ts", "x\n"), write("src/core/new.ts", "x\n"), text("done")])
    .human(Human::Approves)
}

// A13, D-05
fn asked_about() -> Scenario {
    Scenario::new("delegation: the first sub-agent is asked about", errand(), |run| {
        run.refused(1, "APPROVAL_PENDING")?;
        ensure!(run.sub_agent_told(0).is_err(), "a sub-agent ran");
        Ok(())
    })
    .setup(impatient)
    .sub_agent(vec![read(LOGIN), text("done")])
}

// A13, D-05
fn free_once_one_was_seen() -> Scenario {
    let mut steps = errand();
    steps.extend(errand());
    Scenario::new("delegation: one whose calls were seen makes the next one free", steps, |run| {
        run.asked(1)?;
        let told = run.sub_agent_told(0)?;
        ensure!(told.contains("timeout = 10"), "the first was told {told}");
        let doctor = run.world.output(std::process::Command::new(run.world.gate()).arg("doctor"))?;
        let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
        ensure!(said.contains("calls of sub-agents reach the hook here"), "{said}");
        Ok(())
    })
    .sub_agent(vec![read(LOGIN), text("done"), read(LOGIN), text("done")])
    .human(Human::Approves)
}

// A13, D-20
fn ungoverned() -> Scenario {
    let commands = [
        "HOME=/tmp/x claude -p hello",
        "claude --permission-mode bypassPermissions -p hello",
        "npx claude --bare -p hello",
        "codex cloud exec --env e hello",
        "claude --remote hello",
        "gh api repos/o/r/dispatches -f event_type=x",
    ];
    let steps = std::iter::once(select()).chain(commands.map(bash)).chain([text("done")]).collect();
    Scenario::new("delegation: an agent without a gate is not started and nobody is asked", steps, |run| {
        for step in 1..=6 {
            run.refused(step, "DELEGATION_REFUSED")?;
        }
        run.asked(0)
    })
    .human(Human::Approves)
}

// A13: what its `!` lines run meets no hook
fn skill() -> Scenario {
    let steps = vec![select(), call("Skill", json!({"skill": "deploy"})), text("done")];
    Scenario::new("delegation: a skill is asked about before its lines run", steps, |run| {
        run.refused(1, "APPROVAL_PENDING")?;
        run.file_is_absent("src/auth/ran.ts")
    })
    .arguments(&["--allowedTools", "Read,Write,Edit,Bash,Skill"])
    .setup(|world| {
        impatient(world)?;
        let text = "---\nname: deploy\ndescription: deploys\n---\nDone: !`touch src/auth/ran.ts`\n";
        world.write(".claude/skills/deploy/SKILL.md", text)
    })
}
