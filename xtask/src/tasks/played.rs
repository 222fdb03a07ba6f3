//! Runs of the real program from end to end, under real clients or hostile scripts.

use anyhow::Result;

use super::{Task, alone, filtered, unknown};
use crate::e2e::agents::Breadth;
use crate::e2e::{self, Kinds, Yes};
use crate::nightly;
use crate::trials::{fuzz, history};

pub(super) const TASKS: &[Task] = &[
    Task {
        words: "e2e claude",
        takes: "[FILTER]",
        about: "the release binary under the real Claude Code",
        run: |rest| filtered(rest, |filter| e2e::claude(Kinds::All, filter)),
    },
    Task {
        words: "e2e claude-interactive",
        takes: "",
        about: "the part of it that needs the client's screen",
        run: |rest| alone(rest, || e2e::claude(Kinds::Interactive, "")),
    },
    Task {
        words: "e2e agents",
        takes: "[full] [FILTER]",
        about: "the real Codex, Copilot CLI, Gemini CLI, OpenCode, Qwen Code, Cline and Kimi Code: from the first reading to an \
                approved change; full: every way in which the gate can fail at a tool",
        run: |rest| match rest.strip_prefix(&["full"]) {
            Some(rest) => filtered(rest, |filter| e2e::agents::run(filter, Breadth::Full)),
            None => filtered(rest, |filter| e2e::agents::run(filter, Breadth::Smoke)),
        },
    },
    Task {
        words: "e2e acp",
        takes: "[FILTER]",
        about: "`bailiwick acp` between a scripted editor and real agents: OpenCode, Claude Code's and Codex's adapters, Gemini \
                CLI; questions in the editor, everything else byte for byte",
        run: |rest| filtered(rest, e2e::agents::acp::run),
    },
    Task {
        words: "e2e vscode",
        takes: "[themes|full|FILTER]",
        about: "the extension in a real VS Code: questions, views, blame, marks; a run in each of three themes, or ten",
        run: |rest| match rest {
            ["themes"] => e2e::vscode::run(e2e::vscode::THEMES, ""),
            ["full"] => e2e::vscode::run(e2e::vscode::FULL, ""),
            _ => filtered(rest, |filter| e2e::vscode::run(e2e::vscode::SHORT, filter)),
        },
    },
    Task {
        words: "e2e web",
        takes: "",
        about: "the page of `watch --web` in a real Chromium, with real hooks that wait; pictures",
        run: |rest| alone(rest, e2e::driver::web::run),
    },
    Task {
        words: "e2e mcp",
        takes: "",
        about: "`bailiwick mcp` under clients that are not ours: the Inspector, the TypeScript SDK, the conformance suite; the \
                proxy before a file server and before the suite's fixture",
        run: |rest| alone(rest, e2e::driver::mcp::run),
    },
    Task {
        words: "e2e first",
        takes: "",
        about: "what a newcomer types until the first approved edit, counted; every command of README",
        run: |rest| alone(rest, e2e::first::run),
    },
    Task {
        words: "e2e day",
        takes: "[each|granted]",
        about: "a whole day under the gate, counted: blocks, questions, what `git status` shows; with a yes to each edit, and \
                its part with many edits with grants",
        run: |rest| match rest {
            [] => e2e::day(&[Yes::Each, Yes::Granted]),
            ["each"] => e2e::day(&[Yes::Each]),
            ["granted"] => e2e::day(&[Yes::Granted]),
            _ => unknown(rest),
        },
    },
    Task {
        words: "e2e forging",
        takes: "[FAMILY]",
        about: "what an agent tries in order to get round the gate, and that a person can",
        run: |rest| filtered(rest, e2e::forging),
    },
    Task {
        words: "e2e game",
        takes: "[HOST]",
        about: "an adversary in the words of every host, without its client: nothing out of scope changes, nobody approves, and \
                no evidence is rewritten; the disk is the judge",
        run: |rest| filtered(rest, e2e::game::run),
    },
    Task {
        words: "e2e ledger",
        takes: "",
        about: "its two parts, one after the other",
        run: |rest| alone(rest, || history::run(1, history::SHORT).and_then(|()| crashes(&[]))),
    },
    Task {
        words: "e2e ledger histories",
        takes: "[FIRST COUNT]",
        about: "random histories of ordinary git: never a false alarm of `trace verify`",
        run: |rest| match rest {
            [] => history::run(1, history::SHORT),
            [first, count] => history::run(first.parse()?, count.parse()?),
            _ => unknown(rest),
        },
    },
    Task {
        words: "e2e ledger crashes",
        takes: "[SCENE|full]",
        about: "killed at each call of the system, and each of them failing: nothing is lost",
        run: crashes,
    },
    Task {
        words: "e2e proofs",
        takes: "[full]",
        about: "proofs of entries, whole and damaged: the product and a second implementation agree",
        run: |rest| match rest {
            [] => e2e::proofs::run(e2e::proofs::SHORT),
            ["full"] => e2e::proofs::run(e2e::proofs::FULL),
            _ => unknown(rest),
        },
    },
    Task {
        words: "fuzz",
        takes: "[TARGET]… [--seconds N]",
        about: "any bytes at the hook of every host, patches, shell lines, MCP frames: nothing panics, what is not understood is \
                never a pass",
        run: fuzz::run,
    },
    Task {
        words: "nightly",
        takes: "",
        about: "everything at full count",
        run: |rest| alone(rest, nightly::run),
    },
];

/// The crashes of one scene, as many as a night tries, or a sample of many.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn crashes(which: &[&str]) -> Result<()> {
    use crate::trials::crashes;
    match which {
        ["full"] => crashes::run(crashes::FULL),
        [scene] => crashes::scene(scene.parse()?),
        [] => crashes::run(crashes::SHORT),
        _ => unknown(which),
    }
}

/// Programs are followed on one system so far.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
fn crashes(_which: &[&str]) -> Result<()> {
    println!("crashes are tried on Linux on x86-64 only");
    Ok(())
}
