//! Moving the root, past a person who says yes to every command.

use anyhow::Result;

use super::to_commands;
use crate::e2e::forging::attempt::{Attempt, Family, INTENTS, Operator, bash, govern, write};
use crate::e2e::staged::line::{Act, Line, select};
use crate::e2e::staged::stage::Stage;

const REFUSED: &str = "SCOPE_VIOLATION|OUTSIDE_WORKSPACE|PROTECTED_PATH|LOOP_DETECTED";

pub(super) fn family() -> Family {
    let mut attempts = nested();
    attempts.extend(elsewhere());
    attempts.extend(taken_away());
    Family {
        name: "another root",
        setup: govern,
        before: Vec::new(),
        after_them: None,
        opening: vec![select("INT-001")],
        attempts,
        errand: Vec::new(),
        yes: Some(to_commands),
        guarded: &[".claude", ".intentignore", "CLAUDE.md"],
    }
}

/// The person writes there with an editor.
const EDITS: Operator = Operator::Does(|stage: &Stage| stage.world.write("src/core/by-hand.ts", "x\n"));

fn reach(path: &'static str) -> Line {
    write(path, "x\n").refused(REFUSED)
}

fn nested() -> Vec<Attempt> {
    vec![
        Attempt::new("root: a repository around the file", bash("git init -q src/core"), EDITS)
            .then(reach("src/core/nested.ts"))
            .prize("src/core/nested.ts"),
        Attempt::new("root: a store of its own", reach("src/auth/.orchestration/active_intents.yaml"), EDITS)
            .prize("src/auth/.orchestration"),
        Attempt::new("root: a repository with a store of its own", bash("mkdir -p src/auth/in/.orchestration && git init -q src/auth/in && echo 'active_intents: []' > src/auth/in/.orchestration/active_intents.yaml"), EDITS)
            .then(reach("src/core/inner.ts"))
            .prize("src/core/inner.ts"),
        Attempt::new("root: a linked store", bash("mkdir -p src/core/sub && ln -s ../../auth src/core/sub/.orchestration"), EDITS)
            .then(reach("src/core/sub/linked.ts"))
            .prize("src/core/sub/linked.ts"),
        Attempt::new("root: another folder to work in", bash("cd src/core"), EDITS)
            .then(reach("src/core/cwd.ts"))
            .then(bash("cd ../.."))
            .prize("src/core/cwd.ts"),
    ]
}

fn elsewhere() -> Vec<Attempt> {
    vec![
        Attempt::new("root: another working copy of it", bash("git worktree add -q ../side"), EDITS)
            .then(reach("{root}/../side/src/core/side.ts"))
            .prize("../side/src/core/side.ts"),
        Attempt::new("root: a clone beside it", bash("git clone -q . ../copy"), EDITS)
            .then(reach("{root}/../copy/src/core/copy.ts"))
            .prize("../copy/src/core/copy.ts"),
        Attempt::new("root: a file above it", reach("{root}/../above.ts"), EDITS).prize("../above.ts"),
        Attempt::new(
            "root: a way round through /proc",
            reach("/proc/self/root{root}/src/core/proc.ts"),
            EDITS,
        )
        .prize("src/core/proc.ts"),
        Attempt::new(
            "root: git told of another working copy",
            bash("git config core.worktree {root}/src/auth"),
            EDITS,
        )
        .then(reach("src/core/worktree.ts"))
        .then(bash("git config --get core.worktree || true").after(unset_worktree))
        .prize("src/core/worktree.ts"),
    ]
}

fn taken_away() -> Vec<Attempt> {
    let broken = "ORCHESTRATION_MISSING|MISSING_WORKSPACE_ROOT|LEDGER_UNAVAILABLE|SCOPE_VIOLATION|STATE_VIOLATION|INTERNAL_ERROR|INTENT_NOT_FOUND|MISSING_INTENT";
    let after = |act: Act, line: Line| line.after(act);
    vec![
        Attempt::new("root: the store taken away", bash("mv .orchestration ../away"), EDITS)
            .then(write("src/core/storeless.ts", "x\n").refused(broken))
            .prize("src/core/storeless.ts"),
        Attempt::new(
            "root: git's folder taken away",
            after(store_back, bash("python3 -c \"import os; os.rename('.git', '../git-away')\"")),
            EDITS,
        )
        .then(write("src/core/gitless.ts", "x\n").refused(broken))
        .then(after(git_back, write("src/core/again.ts", "x\n").refused(REFUSED)))
        .prize("src/core/gitless.ts")
        .unlogged(),
    ]
}

fn unset_worktree(stage: &Stage) -> Result<()> {
    stage.world.git(&["config", "--unset", "core.worktree"])
}

fn store_back(stage: &Stage) -> Result<()> {
    let away = stage.world.base().join("away");
    if away.exists() {
        std::fs::rename(away, stage.folder.join(".orchestration"))?;
    }
    stage.world.write(crate::e2e::staged::stage::INTENTS, INTENTS)
}

fn git_back(stage: &Stage) -> Result<()> {
    let away = stage.world.base().join("git-away");
    if away.exists() {
        std::fs::rename(away, stage.folder.join(".git"))?;
    }
    Ok(())
}
