//! Paths as the real client takes them: on POSIX a backslash is a letter of a name (A2, D-45).

use crate::e2e::client::scenario::{Human, Scenario, text};
use crate::e2e::scenarios::{select, write};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![backslash()]
}

const ONE_NAME: &str = r"src\auth\lit_test.py";
const IN_SCOPE: &str = r"src/auth/a\b.ts";

// A2, D-45
fn backslash() -> Scenario {
    let steps = vec![
        select(),
        write(ONE_NAME, "x\n"),
        write(r"src/auth\a\b/../../README.md", "x\n"),
        write(IN_SCOPE, "x\n"),
        text("done"),
    ];
    Scenario::new("spelling: a backslash is part of a name and leads nowhere", steps, |run| {
        run.refused(1, "SCOPE_VIOLATION")?;
        run.file_is_absent(ONE_NAME)?;
        run.file_is_absent("src/auth/lit_test.py")?;
        run.file_is("README.md", "# Shop\n")?;
        run.passed(3, "")?;
        run.asked(1)?;
        run.file_is(IN_SCOPE, "x\n")
    })
    .human(Human::Approves)
}
