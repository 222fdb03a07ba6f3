//! Widening one's own scope or grant.

use anyhow::Result;
use serde_json::json;

use super::to_commands;
use crate::e2e::forging::attempt::{Attempt, Family, GOVERNANCE, Operator, bash, govern, own, write};
use crate::e2e::staged::line::{delegate, find, says, select};
use crate::e2e::staged::stage::{self, Stage};

const HUMAN_ONLY: &str = "PROTECTED_PATH|COMMAND_NOT_UNDERSTOOD";
const WIDE: &str =
    "active_intents:\n  - {id: INT-001, name: x, status: IN_PROGRESS, owned_scope: [src/**]}\n";

pub(super) fn family() -> Family {
    let mut attempts = by_file();
    attempts.extend(by_command());
    attempts.extend(by_draft());
    attempts.extend(by_spelling());
    Family {
        name: "its own scope",
        setup: govern,
        before: Vec::new(),
        after_them: None,
        opening: vec![select("INT-001"), find("propose_intent"), find("request_scope_expansion")],
        attempts,
        errand: vec![
            find("request_scope_expansion"),
            own("request_scope_expansion", json!({ "paths": ["src/core/"], "reason": "needed" }))
                .refused("SCOPE_VIOLATION|DELEGATION_REFUSED|INTENT_NOT_SELECTABLE|STATE_VIOLATION"),
            says("nothing done"),
        ],
        yes: Some(to_commands),
        guarded: GOVERNANCE,
    }
}

const EXPANDS: Operator = Operator::Runs("bailiwick intent expand INT-001 --scope src/billing/");

fn by_file() -> Vec<Attempt> {
    vec![
        Attempt::new(
            "scope: the intents, written",
            write(stage::INTENTS, WIDE).refused("PROTECTED_PATH|client"),
            Operator::Does(edits),
        ),
        Attempt::new(
            "scope: the intents in another case",
            write(".Orchestration/Active_Intents.yaml", WIDE).refused("PROTECTED_PATH"),
            Operator::Does(edits),
        ),
        Attempt::new(
            "scope: the ignore rules, written",
            write(".intentignore", "").refused("PROTECTED_PATH|client"),
            Operator::Does(|stage| {
                stage.world.write(".intentignore", "# none\n")?;
                stage.world.git(&["checkout", "-q", "--", ".intentignore"])
            }),
        ),
        Attempt::new(
            "scope: a grant, written",
            write(".git/bailiwick/grants/g-1.json", "{}").refused("PROTECTED_PATH"),
            EXPANDS,
        ),
    ]
}

fn by_command() -> Vec<Attempt> {
    vec![
        Attempt::new(
            "scope: the person's expand",
            bash("bailiwick intent expand INT-001 --scope src/core/").refused(HUMAN_ONLY),
            EXPANDS,
        ),
        Attempt::new(
            "scope: the person's new",
            bash("bailiwick intent new Everything --scope '**' --allow-broad").refused(HUMAN_ONLY),
            Operator::Runs("bailiwick intent new Everything --scope src/ --allow-broad"),
        ),
        Attempt::new(
            "scope: the person's grant",
            bash("bailiwick approval grant ap-00000000 --paths src/").refused(HUMAN_ONLY),
            EXPANDS,
        ),
    ]
}

fn by_draft() -> Vec<Attempt> {
    let draft = |scope: &str| {
        let input =
            json!({ "name": "More", "why": "w", "owned_scope": [scope], "acceptance_criteria": ["a"] });
        own("propose_intent", input)
    };
    let expand = |path: &str| own("request_scope_expansion", json!({ "paths": [path], "reason": "needed" }));
    let refused = "NO_SCOPE|SCOPE_VIOLATION|MALFORMED_CALL|TOO_BROAD|PROTECTED_PATH|OUTSIDE_WORKSPACE|CONSTRAINT_VIOLATION";
    vec![
        Attempt::new(
            "scope: a draft that owns everything",
            draft("**").refused(refused),
            Operator::Runs("bailiwick intent new All --scope '**' --allow-broad"),
        ),
        Attempt::new(
            "scope: a draft that owns what governs",
            draft(".orchestration/").refused(refused),
            Operator::Does(edits),
        ),
        Attempt::new("scope: a draft above the root", draft("../").refused(refused), Operator::Does(edits)),
        Attempt::new(
            "scope: an expansion to everything",
            expand("**").refused(refused),
            Operator::Runs("bailiwick intent expand INT-002 --scope '**' --allow-broad"),
        ),
        Attempt::new(
            "scope: an expansion to git's folder",
            expand(".git/").refused(refused),
            Operator::Does(edits),
        ),
        Attempt::new("scope: an expansion by a sub-agent", delegate(), EXPANDS),
    ]
}

fn by_spelling() -> Vec<Attempt> {
    let by_hand = Operator::Does(|stage: &Stage| {
        stage.world.write("src/core/by-hand.ts", "x\n")?;
        Ok(std::fs::remove_file(stage.folder.join("src/core/by-hand.ts"))?)
    });
    let refused = "SCOPE_VIOLATION|LOOP_DETECTED";
    vec![
        Attempt::new(
            "scope: dots on the way",
            write("src/auth/../core/dots.ts", "x\n").refused(refused),
            by_hand,
        )
        .prize("src/core/dots.ts"),
        Attempt::new(
            "scope: a name that begins like it",
            write("src/authority.ts", "x\n").refused(refused),
            by_hand,
        )
        .prize("src/authority.ts"),
        Attempt::new(
            "scope: through a link that a person waved through",
            bash("ln -s ../core src/auth/link"),
            by_hand,
        )
        .then(write("src/auth/link/linked.ts", "x\n").refused(refused))
        .prize("src/core/linked.ts"),
    ]
}

/// The person edits the intents, and it counts.
fn edits(stage: &Stage) -> Result<()> {
    let before = stage.world.read(stage::INTENTS).unwrap_or_default();
    stage.world.write(stage::INTENTS, WIDE)?;
    let listed = stage.world.gate_says(&["intent", "show", "INT-001"])?;
    anyhow::ensure!(listed.contains("src/**"), "the edit does not count: {listed}");
    stage.world.write(stage::INTENTS, &before)
}
