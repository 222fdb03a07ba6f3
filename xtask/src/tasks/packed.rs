//! What is made for people to install, and what the build itself is given.

use super::{Task, alone, unknown};
use crate::generated::{layout, stored_state};
use crate::{dist, extension};

pub(super) const TASKS: &[Task] = &[
    Task {
        words: "dist",
        takes: "[--check]",
        about: "what people install, from one locked release build, in target/dist: an archive, npm packages, a Debian package, \
                a plugin for Claude Code, checksums, a bill of materials; checked: each installed into an empty root and used",
        run: |rest| match rest {
            [] => dist::run(),
            ["--check"] => dist::check(),
            _ => unknown(rest),
        },
    },
    Task {
        words: "extension",
        takes: "",
        about: "the types and unit tests of the extension for VS Code",
        run: |rest| alone(rest, extension::check),
    },
    Task {
        words: "vsix",
        takes: "",
        about: "the extension with the release binary inside, as one file that editors on this platform install",
        run: |rest| alone(rest, extension::pack),
    },
    Task {
        words: "layout",
        takes: "[--check]",
        about: "crates/app/hook.ld: where the linker puts the code of a hook call; checked: whether it names \
                what is in the release binary",
        run: |rest| match rest {
            [] => layout::write(),
            ["--check"] => layout::check(),
            _ => unknown(rest),
        },
    },
    Task {
        words: "state",
        takes: "NAME",
        about: "a sample of what this version stores, below crates/app/tests/fixtures/state, for later versions to read",
        run: |rest| match rest {
            [name] => stored_state::write(name),
            _ => unknown(rest),
        },
    },
];
