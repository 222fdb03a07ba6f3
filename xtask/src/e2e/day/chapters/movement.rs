//! Branches are switched, commits rebased, changes stashed: by the person while an agent works, and by the agent.

use anyhow::Result;

use crate::e2e::staged::line::{command, edit, read, reader, select};
use crate::e2e::staged::session::Session;
use crate::e2e::staged::stage::Stage;

/// The person moves the working copy between the agent's steps.
pub(crate) fn by_the_person() -> Session {
    let lines = vec![
        select("INT-001"),
        read("src/billing/tax.js"),
        edit("src/billing/tax.js", "rate = 2;", "rate = 3;"),
        edit("src/billing/tax.js", "rate = 3;", "rate = 4;").after(stash),
        edit("src/billing/tax.js", "rate = 4;", "rate = 5;").after(|stage| stage.committed("rates")),
        edit("src/billing/tax.js", "rate = 5;", "rate = 6;").after(switch),
        reader("git log --oneline -3"),
        edit("src/billing/tax.js", "rate = 6;", "rate = 7;").after(rebase),
        edit("src/billing/tax.js", "rate = 7;", "rate = 8;").after(editor),
    ];
    Session::new("movement", lines)
}

fn stash(stage: &Stage) -> Result<()> {
    stage.world.git(&["stash", "-q"])?;
    stage.world.git(&["stash", "pop", "-q"])
}

/// There and back again: the files are what they were, younger.
fn switch(stage: &Stage) -> Result<()> {
    stage.committed("more rates")?;
    stage.world.git(&["switch", "-q", "upstream"])?;
    stage.world.git(&["switch", "-q", "main"])
}

fn rebase(stage: &Stage) -> Result<()> {
    stage.committed("even more rates")?;
    stage.world.git(&["rebase", "-q", "upstream"])
}

/// The person saves another line of the file in an editor.
fn editor(stage: &Stage) -> Result<()> {
    let path = "src/billing/tax.js";
    let text = stage.world.read(path).unwrap_or_default();
    stage.world.write(path, &text.replace("label = 'the tax'", "label = 'a tax'"))
}

/// The agent does the same through its shell, each time with a yes.
pub(crate) fn by_the_agent() -> Session {
    let lines = vec![
        select("INT-001"),
        read("src/billing/refund.js"),
        command("git switch -c rates-for-all"),
        edit("src/billing/refund.js", "rate = 2;", "rate = 3;"),
        command("git stash"),
        command("git stash pop"),
        read("src/billing/refund.js"),
        edit("src/billing/refund.js", "rate = 3;", "rate = 4;"),
        command("git commit -qam 'refund rates'").changes(&[]),
        command("git rebase upstream"),
        command("git switch main"),
        read("src/billing/refund.js"),
        edit("src/billing/refund.js", "rate = 2;", "rate = 5;"),
    ];
    Session::new("git", lines)
}
