//! The first session: it explores, drafts an intent, edits, looks and tests; then a rename over twelve files.

use serde_json::json;

use crate::e2e::day::repository::{MODULES, module};
use crate::e2e::staged::line::What;
use crate::e2e::staged::line::{Line, edit, find, look, propose, read, reader, select, test_run, write};
use crate::e2e::staged::session::Session;

/// Commands that only read, ten of them.
const READERS: [&str; 10] = [
    "git status --short",
    "git diff --stat",
    "cat src/billing/tax.js",
    "grep -rn rate src/billing",
    "ls -la src/billing",
    "git log --oneline -5",
    "wc -l src/billing/invoice.js",
    "head -n 3 src/billing/refund.js",
    "find src/billing -name '*.js'",
    "git diff src/billing/invoice.js",
];

const TESTS: [&str; 2] = ["npm test --silent", "node --test tests/billing.test.js"];

/// Explore, propose, 20 edits, 10 read-only commands, 10 test runs.
pub(crate) fn morning() -> Session {
    let mut lines = explore();
    lines.extend(start());
    for (index, name) in MODULES.iter().take(8).enumerate() {
        lines.push(read(&module(name)));
        lines.push(edit(&module(name), "rate = 1;", "rate = 2;"));
        lines.push(edit(&module(name), &format!("label = '{name}'"), &format!("label = 'the {name}'")));
        lines.extend(look_and_test(index));
    }
    for (index, name) in ["credit", "debit", "fee", "rebate"].into_iter().enumerate() {
        lines.push(write(&module(name), &format!("export const {name} = {index};\n")));
        if index < 2 {
            lines.extend(look_and_test(8 + index));
        }
    }
    Session::new("morning", lines)
}

fn explore() -> Vec<Line> {
    let shell = |text| reader(text).under(What::Explore);
    vec![
        read("package.json"),
        look("Glob", json!({ "pattern": "src/billing/*.js" })),
        look("Grep", json!({ "pattern": "customerRef", "path": "{root}/src/billing" })),
        read("src/billing/invoice.js"),
        shell("ls"),
        shell("git log --oneline -3 | head -2"),
        shell("grep -rn total src/billing | sort | head -5"),
        shell("cat tests/billing.test.js"),
        shell("git status"),
    ]
}

fn start() -> Vec<Line> {
    let draft = json!({
        "name": "Raise the billing rate",
        "why": "Prices change in January",
        "owned_scope": ["src/billing/"],
        "acceptance_criteria": ["the tests pass"],
    });
    vec![find("propose_intent"), propose(draft), select("INT-001")]
}

fn look_and_test(index: usize) -> Vec<Line> {
    let reader = READERS.get(index).map(|text| reader(text));
    let test = TESTS.get(index % 2).map(|text| test_run(text));
    reader.into_iter().chain(test).collect()
}

/// A name that twelve files use; a second request of the person in the same conversation.
pub(crate) fn rename() -> Session {
    let mut lines = vec![
        select("INT-001"),
        look("Grep", json!({ "pattern": "customerRef", "path": "{root}/src/billing" })),
        read("src/billing/refs.js"),
    ];
    lines.extend(MODULES.iter().map(|name| read(&module(name))));
    lines.push(edit("src/billing/refs.js", "customerRef", "accountRef"));
    lines.extend(MODULES.iter().map(|name| edit(&module(name), "customerRef", "accountRef")));
    lines.push(test_run("npm test --silent"));
    Session::new("rename", lines).continued()
}
