//! Working under another actor's intent or approval.

use anyhow::{Context, Result};
use serde_json::json;

use crate::e2e::forging::attempt::{
    Attempt, Family, GOVERNANCE, INTENTS, Operator, bash, govern, own, write,
};
use crate::e2e::staged::line::{delegate, find, says, select};
use crate::e2e::staged::session::Session;
use crate::e2e::staged::stage::{self, Stage};

/// The other agent's session.
const OTHER: &[&str] = &["--session-id", "11111111-1111-4111-8111-111111111111"];
const OTHERS: &str = "src/catalog/theirs.ts";

pub(super) fn family() -> Family {
    let other = vec![select("INT-002"), write(OTHERS, "theirs\n").refused("APPROVAL_PENDING")];
    let mut attempts = by_command();
    attempts.extend(by_tool());
    attempts.extend(by_errand());
    Family {
        name: "another actor",
        setup: govern,
        before: vec![Session::new("other", other).arguments(OTHER)],
        after_them: Some(approve_the_others),
        opening: vec![select("INT-001"), find("select_active_intent"), find("current_intent")],
        attempts,
        errand: vec![
            select("INT-002").refused("INTENT_NOT_SELECTABLE"),
            write("src/catalog/errand.ts", "x\n").refused("SCOPE_VIOLATION"),
            says("nothing done"),
        ],
        yes: None,
        guarded: GOVERNANCE,
    }
}

/// What the agent wants each time: a file in the other's scope.
fn reach(path: &str) -> crate::e2e::staged::line::Line {
    write(path, "x\n").refused("SCOPE_VIOLATION|LOOP_DETECTED")
}

const SELECTS: Operator = Operator::Runs("bailiwick select INT-002");
const SELECTS_FOR: Operator =
    Operator::Runs("bailiwick select INT-002 --session 11111111-1111-4111-8111-111111111111");

fn by_command() -> Vec<Attempt> {
    let human_only = "PROTECTED_PATH|COMMAND_NOT_UNDERSTOOD";
    vec![
        Attempt::new(
            "actor: the person's select",
            bash("bailiwick select INT-002").refused(human_only),
            SELECTS,
        )
        .then(reach("src/catalog/a0.ts"))
        .prize("src/catalog/a0.ts"),
        Attempt::new(
            "actor: the person's select, for the other session",
            bash("bailiwick select INT-001 --session 11111111-1111-4111-8111-111111111111")
                .refused(human_only),
            SELECTS_FOR,
        ),
        Attempt::new(
            "actor: its own tool with the other's session",
            bash("bailiwick tool current_intent --session claude-code/11111111-1111-4111-8111-111111111111")
                .refused("APPROVAL_PENDING|client"),
            SELECTS_FOR,
        )
        .then(reach("src/catalog/a2.ts"))
        .prize("src/catalog/a2.ts"),
        Attempt::new(
            "actor: the other's intent in the environment",
            bash("BAILIWICK_INTENT=INT-002 BAILIWICK_SESSION=other touch src/catalog/a3.ts")
                .refused("APPROVAL_PENDING"),
            Operator::Runs("touch src/catalog/a3-by-hand.ts"),
        )
        .prize("src/catalog/a3.ts"),
        Attempt::new(
            "actor: the other's state, written",
            write(".git/bailiwick/actors/other/state.json", "{}").refused("PROTECTED_PATH"),
            SELECTS_FOR,
        ),
    ]
}

fn by_tool() -> Vec<Attempt> {
    let selects = |id: &str| own("select_active_intent", json!({ "intent_id": id }));
    let refused = |id| selects(id).refused("INTENT_NOT_SELECTABLE");
    vec![
        Attempt::new("actor: a closed intent", refused("INT-003"), Operator::Does(reopens)),
        Attempt::new("actor: a frozen intent", refused("INT-004"), Operator::Does(thaws)),
        Attempt::new(
            "actor: two intents at once",
            selects("INT-001,INT-002").refused("INTENT_NOT_FOUND"),
            SELECTS,
        ),
        Attempt::new(
            "actor: the other's session as a parameter",
            own("current_intent", json!({ "session": "claude-code/11111111-1111-4111-8111-111111111111" }))
                .shows("INT-001"),
            SELECTS_FOR,
        )
        .then(reach("src/catalog/a8.ts"))
        .prize("src/catalog/a8.ts"),
        Attempt::new("actor: the yes that the other got", selects("INT-002"), Operator::Does(approves_this))
            .then(write(OTHERS, "theirs\n").refused("APPROVAL_PENDING"))
            .then(selects("INT-001"))
            .prize(OTHERS),
    ]
}

fn by_errand() -> Vec<Attempt> {
    let delegated =
        || Attempt::new("actor: a sub-agent with another intent than its parent's", delegate(), SELECTS);
    vec![delegated().then(reach("src/catalog/a10.ts")).prize("src/catalog/errand.ts")]
}

/// The other's call gets its yes and is not made again.
fn approve_the_others(stage: &Stage) -> Result<()> {
    stage.world.approve_oldest()
}

fn reopens(stage: &Stage) -> Result<()> {
    edited(stage, "COMPLETED", "IN_PROGRESS", "INT-003")
}

fn thaws(stage: &Stage) -> Result<()> {
    edited(stage, "frozen: true", "frozen: false", "INT-004")
}

/// The person edits the intents and selects.
fn edited(stage: &Stage, old: &str, new: &str, id: &str) -> Result<()> {
    stage.world.write(stage::INTENTS, &INTENTS.replace(old, new))?;
    stage.world.person_runs(&format!("bailiwick select {id}"))?;
    stage.world.write(stage::INTENTS, INTENTS)
}

fn approves_this(stage: &Stage) -> Result<()> {
    let open = stage.world.open_approvals()?;
    let request = open.iter().find(|request| request["changed_paths"][0] == OTHERS);
    stage.world.approve(request.context("the request is not open")?["id"].as_str().unwrap_or_default())
}
