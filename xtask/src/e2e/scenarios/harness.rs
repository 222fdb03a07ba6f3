//! The harness proves itself: without the product, a hand-written hook shows that denials reach the model and that the
//! absence of a denial lets the call through.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::e2e::client::scenario::{Scenario, Step, call, text};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario::new("harness: a hook's denial reaches the model", write_one_file(), |run| {
            let error = run.refused(0, "STATE_VIOLATION")?;
            ensure!(error["reason"] == "select first", "{error}");
            run.file_is_absent("new.txt")
        })
        .setup(|world| hook(world, DENY)),
        Scenario::new("harness: without a hook the same call goes through", write_one_file(), |run| {
            run.passed(0, "new.txt")?;
            run.file_is("new.txt", "new\n")
        })
        .setup(|_| Ok(())),
        Scenario::new("harness: a change between steps happens before the next call", two_reads(), |run| {
            run.passed(0, "timeout = 10")?;
            run.passed(1, "timeout = 99")
        })
        .setup(|_| Ok(())),
    ]
}

const DENY: &str = r#"printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"{\"code\":\"STATE_VIOLATION\",\"reason\":\"select first\"}"}}'"#;

/// Puts a hand-written hook in place of the product's.
pub(super) fn hook(world: &World, command: &str) -> Result<()> {
    let entry = json!({"type": "command", "command": command, "onFailure": "block"});
    let settings = json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [entry]}]}});
    world.write(".claude/settings.local.json", &settings.to_string())
}

fn write_one_file() -> Vec<Step> {
    vec![call("Write", json!({"file_path": "{root}/new.txt", "content": "new\n"})), text("done")]
}

fn two_reads() -> Vec<Step> {
    let read = || call("Read", json!({"file_path": "{root}/src/auth/login.ts"}));
    let change = |world: &World| world.write("src/auth/login.ts", "export const timeout = 99;\n");
    vec![read(), read().after(change), text("done")]
}
