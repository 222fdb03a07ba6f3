//! The host's own prompt, when no surface of the product is live and a person is at the client.

use anyhow::{Result, ensure};

use crate::e2e::client::interactive::{Interactive, Said};
use crate::e2e::scenarios::harness::hook;
use crate::e2e::scenarios::{bash, notes, select};
use crate::stage::world::World;

const TOUCH: &str = "touch src/auth/made.ts";
const ASK: &str = r#"printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because of INT-001"}}'"#;

pub(crate) fn interactive() -> Vec<Interactive> {
    vec![harness_asks(), approved(), rejected(), spent(), not_run()]
}

fn harness_asks() -> Interactive {
    Interactive {
        name: "host prompt: harness: a hook's question opens the dialog",
        setup: |world| hook(world, ASK),
        steps: vec![bash(TOUCH)],
        said: Said::Yes,
        shown: &[TOUCH, "because of INT-001"],
        expect: made,
    }
}

// K-12, REQ 144
fn approved() -> Interactive {
    Interactive {
        name: "host prompt: a command runs once the person said yes",
        setup: accepted,
        steps: vec![select(), bash(TOUCH)],
        said: Said::Yes,
        shown: &[TOUCH, "INT-001"],
        expect: made,
    }
}

// K-12, REQ 74
fn rejected() -> Interactive {
    Interactive {
        name: "host prompt: a command does not run once the person said no",
        setup: accepted,
        steps: vec![select(), bash(TOUCH)],
        said: Said::No,
        shown: &[TOUCH, "INT-001"],
        expect: |world| {
            ensure!(!world.repo().join("src/auth/made.ts").exists(), "the command ran");
            Ok(())
        },
    }
}

// A10, D-33
fn spent() -> Interactive {
    Interactive {
        name: "host prompt: a yes there is the answer and is spent",
        expect: |world| {
            made(world)?;
            let notes = notes(world)?;
            ensure!(notes.iter().any(|note| note == "approved in the host's own prompt"), "{notes:?}");
            let open = world.open_approvals()?;
            ensure!(open.is_empty(), "still open: {open:?}");
            Ok(())
        },
        ..approved()
    }
}

// A10, D-33
fn not_run() -> Interactive {
    Interactive {
        name: "host prompt: a no there leaves nothing that the queue can answer",
        expect: |world| {
            let notes = notes(world)?;
            ensure!(!notes.iter().any(|note| note == "ran"), "{notes:?}");
            for request in world.open_approvals()? {
                ensure!(request["status"] == "with_host", "the queue can answer {request}");
                let id = request["id"].as_str().unwrap_or_default();
                ensure!(world.approve(id).is_err(), "the queue has answered {id}");
            }
            Ok(())
        },
        ..rejected()
    }
}

/// Governed, with an intent that counts: the host's prompt cannot show one that does not (D-18).
fn accepted(world: &World) -> Result<()> {
    world.govern()?;
    world.accept_intent("INT-001")
}

fn made(world: &World) -> Result<()> {
    ensure!(world.repo().join("src/auth/made.ts").exists(), "the command did not run");
    Ok(())
}
