//! Tasks that need no Unix: they read sources, write pages, and run `cargo`.

use super::{Task, alone, unknown};
use crate::generated::{docs, picture, status, texts};
use crate::tidy;
use crate::trials::{differential, eval, relocs};

pub(super) const TASKS: &[Task] = &[
    Task {
        words: "tidy",
        takes: "",
        about: "the house rules, all findings at once",
        run: |rest| alone(rest, tidy::run),
    },
    Task {
        words: "docs",
        takes: "",
        about: "docs/protocol/errors.md, from the catalogue of errors",
        run: |rest| alone(rest, docs::run),
    },
    Task {
        words: "status",
        takes: "[--check]",
        about: "docs/requirements-status.md: which test covers which requirement",
        run: |rest| match rest {
            [] => status::write(),
            ["--check"] => status::check(),
            _ => unknown(rest),
        },
    },
    Task {
        words: "texts",
        takes: "[--check]",
        about: "docs/texts.md: every help screen and every sentence of the product on one page",
        run: |rest| match rest {
            [] => texts::write(),
            ["--check"] => texts::check(),
            _ => unknown(rest),
        },
    },
    Task {
        words: "picture",
        takes: "[demo|watch]",
        about: "records the demo and the screens: docs/demo.svg, docs/watch-wide.svg and -narrow.svg",
        run: |rest| match rest {
            [] => picture::write(),
            ["demo"] => picture::write_demo(),
            ["watch"] => picture::write_watch(),
            _ => unknown(rest),
        },
    },
    Task {
        words: "relocs",
        takes: "",
        about: "the release binary is static and not relocated",
        run: |rest| alone(rest, relocs::run),
    },
    Task {
        words: "differential",
        takes: "[JUDGE]… [--cases N] [--seed N]",
        about: "other programs on hostile inputs: nothing happens that the gate did not say",
        run: differential::run,
    },
    Task {
        words: "eval mutations",
        takes: "[--data FILE.jsonl] [--json]",
        about: "are changes called what people call them? fails when one is unsafe",
        run: eval::mutations,
    },
];
