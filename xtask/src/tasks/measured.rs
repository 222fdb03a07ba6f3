//! Measurements and evaluations: `bench`, `eval` and `mutants`.

use anyhow::Result;

use super::{Task, alone, unknown};
use crate::bench::{self, Depth};
use crate::e2e::wall;
use crate::trials::{attribution, audits, mutants, scopes};

pub(super) const TASKS: &[Task] = &[
    Task {
        words: "bench",
        takes: "[hook] [--quick]",
        about: "what a hook call costs; the full run writes docs/performance.md",
        run: |rest| deep(rest.strip_prefix(&["hook"]).unwrap_or(rest), bench::run),
    },
    Task {
        words: "bench ledger",
        takes: "[--quick]",
        about: "what questions to a large ledger cost; the full run writes its part of the page",
        run: |rest| deep(rest, bench::ledger::run),
    },
    Task {
        words: "bench ast",
        takes: "[--quick]",
        about: "what the class of a change costs; the full run writes its part of the page",
        run: |rest| deep(rest, bench::ast::run),
    },
    Task {
        words: "bench intents",
        takes: "[--quick]",
        about: "what checking and formatting a thousand intents costs beside parsing their file; the full run writes its part \
                of the page",
        run: |rest| deep(rest, bench::intents::run),
    },
    Task {
        words: "bench hosts",
        takes: "[--quick]",
        about: "what a hook call costs in the words of each host, beside Claude Code's; the full run writes its part of the \
                page",
        run: |rest| deep(rest, bench::hosts::run),
    },
    Task {
        words: "bench session",
        takes: "[--quick]",
        about: "what the gate adds to the wall time of a long session of the real client, beside hooks that do nothing; the \
                full run writes its part of the page",
        run: |rest| match rest {
            [] => wall::run(wall::FULL),
            ["--quick"] => wall::run(wall::QUICK),
            _ => unknown(rest),
        },
    },
    Task {
        words: "bench vscode",
        takes: "[--quick]",
        about: "what a question costs in the editor; the full run writes its part of the page",
        run: |rest| deep(rest, bench::editor::run),
    },
    Task {
        words: "bench limits",
        takes: "[--quick|SEED]",
        about: "what hostile large inputs cost a hook call: time and memory stay within the budget",
        run: limits,
    },
    Task {
        words: "bench all",
        takes: "",
        about: "hook, hosts, ledger, ast, intents and session, whole",
        run: |rest| alone(rest, all),
    },
    Task {
        words: "eval attribution",
        takes: "[--histories N] [--from SEED] [--kind KIND] [--verbose]",
        about: "is each line given to who wrote it? beside `git blame`, on a part that nobody tuned on",
        run: attribution::run,
    },
    Task {
        words: "eval audit",
        takes: "[--histories N] [--from SEED]",
        about: "does `bailiwick audit` label each changed run of lines rightly? histories with a known truth",
        run: audits::run,
    },
    Task {
        words: "eval scopes",
        takes: "[--mirrors DIR] [--verbose]",
        about: "how much of a commit would a scope own that is suggested for its message? beside a naive one; of public \
                repositories, or of one that is made for this",
        run: scopes::run,
    },
    Task {
        words: "mutants",
        takes: "[full|again [TEXT]]",
        about: "would a test fail if this code were wrong? a sample of what changed, all that decides, or those that no test \
                failed for yet",
        run: |rest| match rest {
            [] => mutants::changed(),
            ["full"] => mutants::full(),
            ["again"] => mutants::again(""),
            ["again", text] => mutants::again(text),
            _ => unknown(rest),
        },
    },
];

fn deep(rest: &[&str], run: fn(Depth) -> Result<()>) -> Result<()> {
    match rest {
        [] => run(Depth::Full),
        ["--quick"] => run(Depth::Quick),
        _ => unknown(rest),
    }
}

fn limits(rest: &[&str]) -> Result<()> {
    match rest {
        [] => bench::limits::run(bench::limits::FULL, 1),
        ["--quick"] => bench::limits::run(bench::limits::SHORT, 1),
        // What it runs itself with, for one program.
        [bench::limits::ONE, program @ ..] => bench::limits::one(program),
        [seed] => bench::limits::run(bench::limits::FULL, seed.parse()?),
        _ => unknown(rest),
    }
}

/// Each is run whatever became of the one before.
fn all() -> Result<()> {
    let full = Depth::Full;
    let measured = [
        bench::run(full),
        bench::hosts::run(full),
        bench::ledger::run(full),
        bench::ast::run(full),
        bench::intents::run(full),
        wall::run(wall::FULL),
    ];
    measured.into_iter().collect()
}
