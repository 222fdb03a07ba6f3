//! The project's own tasks: house rules, generated pages, tests against real clients, measurements.
//!
//! It imports nothing of the product: it reads the source as text and runs the binary.
#![expect(clippy::print_stdout, reason = "a development task reports on the terminal")]
#![expect(clippy::indexing_slicing, reason = "only JSON values are indexed, and a missing one is null")]

#[cfg(unix)]
mod bench;
#[cfg(unix)]
mod dist;
#[cfg(unix)]
mod e2e;
#[cfg(unix)]
mod extension;
mod generated;
#[cfg(unix)]
mod nightly;
mod rust_source;
mod stage;
mod tidy;
mod trials;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

#[cfg(unix)]
use crate::e2e::agents::Breadth;

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy                          the house rules, all findings at once
  docs                          writes the generated pages
  picture [demo|watch]          records the demo and the screens: docs/demo.svg, docs/watch-wide.svg and -narrow.svg
  bench [hook] [--quick]        what a hook call costs; the full run writes docs/performance.md
  bench ledger|ast [--quick]    what questions to a large ledger and the class of a change cost; the full run writes its
                                part of docs/performance.md
  bench intents [--quick]       what checking and formatting a thousand intents costs beside parsing their file; the full
                                run writes its part of docs/performance.md
  bench hosts [--quick]         what a hook call costs in the words of each host, beside Claude Code's; the full run writes
                                its part of docs/performance.md
  bench limits [--quick|SEED]   what hostile large inputs cost a hook call: time and memory stay within the budget
  layout                        crates/app/hook.ld: where the linker puts the code of a hook call
  bench session [--quick]       what the gate adds to the wall time of a long session of the real client, beside hooks
                                that do nothing; the full run writes its part of docs/performance.md
  bench vscode [--quick]        what a question costs in the editor; the full run writes its part of docs/performance.md
  bench all                     all of them, whole
  relocs                        the release binary is static and not relocated
  status [--check]              docs/requirements-status.md: which test covers which requirement
  texts [--check]               docs/texts.md: every help screen and every sentence of the product on one page
  e2e claude [FILTER]           the release binary under the real Claude Code
  e2e claude-interactive        the part of it that needs the client's screen
  e2e agents [full] [FILTER]    the real Codex, Copilot CLI, Gemini CLI, OpenCode and Qwen Code: from the first reading
                                to an approved change; full: every way in which the gate can fail at a tool
  e2e acp [FILTER]              `bailiwick acp` between a scripted editor and real agents: OpenCode, Claude Code's and
                                Codex's adapters, Gemini CLI; questions in the editor, everything else byte for byte
  dist [--check]                what people install, from one locked release build, in target/dist: an archive, npm packages, a
                                Debian package, a plugin for Claude Code, checksums, a bill of materials; checked: each
                                installed into an empty root and used
  fuzz [TARGET]… [--seconds N]  any bytes at the hook of every host, patches, shell lines, MCP frames: nothing panics, what is
                                not understood is never a pass
  e2e vscode [themes|full|FILTER]  the extension in a real VS Code: questions, views, blame, marks; a run in each of three themes, or ten
  extension                     its types and unit tests
  vsix                          the extension with the release binary inside, as one file that editors on this platform install
  e2e first                     what a newcomer types until the first approved edit, counted; every command of README
  e2e day [each|granted]        a whole day under the gate, counted: blocks, questions, what `git status` shows; with a
                                yes to each edit, and its part with many edits with grants
  eval mutations [--data FILE.jsonl] [--json]
                                are changes called what people call them? exit 1 when one is unsafe
  eval attribution [--histories N] [--from SEED] [--kind KIND] [--verbose]
                                is each line given to who wrote it? beside `git blame`, on a part that nobody tuned on
  eval audit [--histories N] [--from SEED]
                                does `bailiwick audit` label each changed run of lines rightly? histories with a known truth
  eval scopes [--mirrors DIR] [--verbose]
                                how much of a commit would a scope own that is suggested for its message? beside a naive
                                one; of public repositories, or of one that is made for this
  mutants [full|gate K/N]       would a test fail if this code were wrong? a sample of what changed, all that decides,
                                or a part of the stages of the gate
  differential [JUDGE]… [--cases N] [--seed N]
                                other programs on hostile inputs: nothing happens that the gate did not say
  e2e forging [FAMILY]          what an agent tries in order to get round the gate, and that a person can
  e2e game [HOST]               an adversary in the words of every host, without its client: nothing out of scope changes, nobody
                                approves, and no evidence is rewritten; the disk is the judge
  e2e mcp                       `bailiwick mcp` under clients that are not ours: the Inspector, the TypeScript SDK,
                                the conformance suite; the proxy before a file server and before the suite's fixture
  e2e web                       the page of `watch --web` in a real Chromium, with real hooks that wait; pictures
  e2e ledger                    both of these
  e2e ledger histories [FIRST COUNT]
                                random histories of ordinary git: never a false alarm of `trace verify`
  e2e ledger crashes [SCENE|full]
                                killed at each call of the system, and each of them failing: nothing is lost
  e2e proofs [full]             proofs of entries, whole and damaged: the product and a second implementation agree
  state NAME                    a sample of what this version stores, below crates/app/tests/fixtures/state, for later
                                versions to read
  nightly                       everything at full count
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[&str]) -> Result<()> {
    match words {
        ["tidy"] => tidy::run(),
        ["docs"] => generated::docs::run(),
        ["picture"] => generated::picture::write(),
        ["picture", "demo"] => generated::picture::write_demo(),
        ["picture", "watch"] => generated::picture::write_watch(),
        ["status"] => generated::status::write(),
        ["status", "--check"] => generated::status::check(),
        ["texts"] => generated::texts::write(),
        ["texts", "--check"] => generated::texts::check(),
        ["relocs"] => trials::relocs::run(),
        ["eval", "mutations", options @ ..] => trials::eval::mutations(options),
        ["mutants"] => trials::mutants::changed(),
        ["mutants", "full"] => trials::mutants::full(),
        ["mutants", "gate", shard] => trials::mutants::gate(shard),
        ["differential", options @ ..] => trials::differential::run(options),
        _ => dispatch_real_runs(words),
    }
}

/// The tasks that run the product for real; they need a Unix.
#[cfg(unix)]
fn dispatch_real_runs(words: &[&str]) -> Result<()> {
    use bench::Depth;
    use e2e::Kinds;
    match words {
        ["bench"] | ["bench", "hook"] => bench::run(Depth::Full),
        ["bench", "--quick"] | ["bench", "hook", "--quick"] => bench::run(Depth::Quick),
        ["bench", "all"] => {
            let full = Depth::Full;
            let measured = [
                bench::run(full),
                bench::hosts::run(full),
                bench::ledger::run(full),
                bench::ast::run(full),
                bench::intents::run(full),
                e2e::wall::run(e2e::wall::FULL),
            ];
            measured.into_iter().collect()
        }
        ["bench", "hosts"] => bench::hosts::run(Depth::Full),
        ["bench", "hosts", "--quick"] => bench::hosts::run(Depth::Quick),
        ["bench", "ledger"] => bench::ledger::run(Depth::Full),
        ["bench", "ledger", "--quick"] => bench::ledger::run(Depth::Quick),
        ["bench", "ast"] => bench::ast::run(Depth::Full),
        ["bench", "ast", "--quick"] => bench::ast::run(Depth::Quick),
        ["bench", "intents"] => bench::intents::run(Depth::Full),
        ["bench", "intents", "--quick"] => bench::intents::run(Depth::Quick),
        ["bench", "vscode"] => bench::editor::run(Depth::Full),
        ["bench", "vscode", "--quick"] => bench::editor::run(Depth::Quick),
        ["bench", "limits"] => bench::limits::run(bench::limits::FULL, 1),
        ["bench", "limits", "--quick"] => bench::limits::run(bench::limits::SHORT, 1),
        ["bench", "limits", bench::limits::ONE, program @ ..] => bench::limits::one(program),
        ["bench", "limits", seed] => bench::limits::run(bench::limits::FULL, seed.parse()?),
        ["bench", "session"] => e2e::wall::run(e2e::wall::FULL),
        ["bench", "session", "--quick"] => e2e::wall::run(e2e::wall::QUICK),
        ["eval", "attribution", options @ ..] => trials::attribution::run(options),
        ["eval", "audit", options @ ..] => trials::audits::run(options),
        ["eval", "scopes", options @ ..] => trials::scopes::run(options),
        ["e2e", "claude"] => e2e::claude(Kinds::All, ""),
        ["e2e", "claude", filter] => e2e::claude(Kinds::All, filter),
        ["e2e", "agents"] => e2e::agents::run("", Breadth::Smoke),
        ["e2e", "agents", "full"] => e2e::agents::run("", Breadth::Full),
        ["e2e", "agents", "full", filter] => e2e::agents::run(filter, Breadth::Full),
        ["e2e", "agents", filter] => e2e::agents::run(filter, Breadth::Smoke),
        ["e2e", "acp"] => e2e::agents::acp::run(""),
        ["e2e", "acp", filter] => e2e::agents::acp::run(filter),
        ["e2e", "vscode"] => e2e::vscode::run(e2e::vscode::SHORT, ""),
        ["e2e", "vscode", "themes"] => e2e::vscode::run(e2e::vscode::THEMES, ""),
        ["e2e", "vscode", "full"] => e2e::vscode::run(e2e::vscode::FULL, ""),
        ["e2e", "vscode", filter] => e2e::vscode::run(e2e::vscode::SHORT, filter),
        ["dist"] => dist::run(),
        ["dist", "--check"] => dist::check(),
        ["fuzz", options @ ..] => trials::fuzz::run(options),
        ["extension"] => extension::check(),
        ["vsix"] => extension::pack(),
        ["e2e", "first"] => e2e::first::run(),
        ["e2e", "day"] => e2e::day(&[e2e::Yes::Each, e2e::Yes::Granted]),
        ["e2e", "day", "each"] => e2e::day(&[e2e::Yes::Each]),
        ["e2e", "day", "granted"] => e2e::day(&[e2e::Yes::Granted]),
        ["e2e", "web"] => e2e::driver::web::run(),
        ["e2e", "mcp"] => e2e::driver::mcp::run(),
        ["e2e", "game"] => e2e::game::run(""),
        ["e2e", "game", host] => e2e::game::run(host),
        ["e2e", "forging"] => e2e::forging(""),
        ["e2e", "forging", family] => e2e::forging(family),
        ["e2e", "claude-interactive"] => e2e::claude(Kinds::Interactive, ""),
        ["e2e", "proofs"] => e2e::proofs::run(e2e::proofs::SHORT),
        ["e2e", "proofs", "full"] => e2e::proofs::run(e2e::proofs::FULL),
        ["e2e", "ledger"] => trials::history::run(1, trials::history::SHORT).and_then(|()| crashes(&[])),
        ["e2e", "ledger", "crashes", which @ ..] => crashes(which),
        ["e2e", "ledger", "histories"] => trials::history::run(1, trials::history::SHORT),
        ["e2e", "ledger", "histories", first, count] => trials::history::run(first.parse()?, count.parse()?),
        ["state", name] => generated::stored_state::write(name),
        ["nightly"] => nightly::run(),
        #[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
        ["layout"] => generated::layout::write(),
        _ => bail!("no such task\n\n{USAGE}"),
    }
}

/// The crashes of one scene, as many as a night tries, or a sample of many.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn crashes(which: &[&str]) -> Result<()> {
    match which {
        ["full"] => trials::crashes::run(trials::crashes::FULL),
        [scene] => trials::crashes::scene(scene.parse()?),
        [] => trials::crashes::run(trials::crashes::SHORT),
        _ => bail!("no such task\n\n{USAGE}"),
    }
}

/// Programs are followed on one system so far.
#[cfg(all(unix, not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))))]
fn crashes(_which: &[&str]) -> Result<()> {
    println!("crashes are tried on Linux on x86-64 only");
    Ok(())
}

#[cfg(not(unix))]
fn dispatch_real_runs(_words: &[&str]) -> Result<()> {
    bail!("no such task on this system\n\n{USAGE}")
}
