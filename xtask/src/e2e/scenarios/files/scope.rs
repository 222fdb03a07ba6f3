//! What the active intent does not own, and what nobody owns.

use anyhow::ensure;

use crate::e2e::client::scenario::{Human, Scenario, call, text};
use crate::e2e::scenarios::{read, select, write};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![out_of_scope(), protected_settings(), protected_settings_by_command()]
}

// REQ 10, 16, 17, 19, 23, 161
fn out_of_scope() -> Scenario {
    let steps = vec![select(), read("src/core/main.ts"), write("src/core/main.ts", "x\n"), text("done")];
    Scenario::new("scope: a write outside is refused with the fixed sentence and nobody is asked", steps, |run| {
        let error = run.refused(2, "SCOPE_VIOLATION")?;
        let sentence = "Scope Violation: INT-001 is not authorized to edit src/core/main.ts. Request scope expansion.";
        ensure!(error["message"] == sentence, "{error}");
        run.asked(0)?;
        run.file_is("src/core/main.ts", "export const main = 1;\n")
    })
    .human(Human::Approves)
}

// D-13, K-51
fn protected_settings() -> Scenario {
    let steps = vec![select(), write(".claude/settings.json", "{}\n"), text("done")];
    Scenario::new("scope: the agent's own settings are protected", steps, |run| {
        run.refused(1, "PROTECTED_PATH")?;
        run.asked(0)?;
        run.file_is_absent(".claude/settings.json")
    })
    .human(Human::Approves)
}

// D-13
fn protected_settings_by_command() -> Scenario {
    let command = "echo '{}' > .claude/settings.json";
    let bash = call("Bash", serde_json::json!({ "command": command, "description": "does it" }));
    Scenario::new(
        "scope: a command that writes the agent's settings is refused",
        vec![select(), bash],
        |run| {
            run.error(1)?;
            run.file_is_absent(".claude/settings.json")
        },
    )
}
