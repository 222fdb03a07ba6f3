//! The project's own tasks: house rules, generated pages, tests against real clients, measurements.
//!
//! It imports nothing of the product: it reads the source as text and runs the binary.
#![expect(clippy::print_stdout, reason = "a development task reports on the terminal")]
#![expect(clippy::indexing_slicing, reason = "only JSON values are indexed, and a missing one is null")]

#[cfg(unix)]
mod attribution;
#[cfg(unix)]
mod bench;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod crashes;
#[cfg(unix)]
mod dice;
mod differential;
mod docs;
#[cfg(unix)]
mod e2e;
mod error_codes;
mod eval;
#[cfg(unix)]
mod extension;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod follow;
#[cfg(unix)]
mod history;
#[cfg(unix)]
mod hook_driver;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod layout;
mod mutants;
#[cfg(unix)]
mod nightly;
mod picture;
mod product;
mod relocs;
mod rust_source;
mod status;
#[cfg(unix)]
mod stored_state;
#[cfg(unix)]
mod terminal;
mod texts;
mod tidy;
#[cfg(unix)]
mod wire;
mod workspace;
#[cfg(unix)]
mod world;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy                          the house rules, all findings at once
  docs                          writes the generated pages
  picture [demo|watch]          records the demo and the screens: docs/demo.svg, docs/watch-wide.svg and -narrow.svg
  bench [hook] [--quick]        what a hook call costs; the full run writes docs/performance.md
  bench ledger|ast [--quick]    what questions to a large ledger and the class of a change cost; the full run writes its
                                part of docs/performance.md
  bench limits [--quick|SEED]   what hostile large inputs cost a hook call: time and memory stay within the budget
  layout                        crates/app/hook.ld: where the linker puts the code of a hook call
  bench session [--quick]       what the gate adds to the wall time of a long session of the real client, beside hooks
                                that do nothing; the full run writes its part of docs/performance.md
  bench all                     all of them, whole
  relocs                        the release binary is static and not relocated
  status [--check]              docs/requirements-status.md: which test covers which requirement
  texts [--check]               docs/texts.md: every help screen and every sentence of the product on one page
  e2e claude [FILTER]           the release binary under the real Claude Code
  e2e claude-interactive        the part of it that needs the client's screen
  e2e agents [FILTER]           the real Codex, Copilot CLI and Gemini CLI: from the first reading to an approved change
  e2e vscode [FILTER]           the extension in a real VS Code: questions, views, blame, marks
  extension                     its types and unit tests
  vsix                          the extension with the release binary inside, as one file that editors on this platform install
  e2e first                     what a newcomer types until the first approved edit, counted; every command of README
  e2e day [each|granted]        a whole day under the gate, counted: blocks, questions, what `git status` shows; with a
                                yes to each edit, and its part with many edits with grants
  eval mutations [--data FILE.jsonl] [--json]
                                are changes called what people call them? exit 1 when one is unsafe
  eval attribution [--histories N] [--from SEED] [--kind KIND] [--verbose]
                                is each line given to who wrote it? beside `git blame`, on a part that nobody tuned on
  mutants [full|gate K/N]       would a test fail if this code were wrong? a sample of what changed, all that decides,
                                or a part of the stages of the gate
  differential [JUDGE]… [--cases N] [--seed N]
                                other programs on hostile inputs: nothing happens that the gate did not say
  e2e forging [FAMILY]          what an agent tries in order to get round the gate, and that a person can
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
        ["docs"] => docs::run(),
        ["picture"] => picture::write(),
        ["picture", "demo"] => picture::write_demo(),
        ["picture", "watch"] => picture::write_watch(),
        ["status"] => status::write(),
        ["status", "--check"] => status::check(),
        ["texts"] => texts::write(),
        ["texts", "--check"] => texts::check(),
        ["relocs"] => relocs::run(),
        ["eval", "mutations", options @ ..] => eval::mutations(options),
        ["mutants"] => mutants::changed(),
        ["mutants", "full"] => mutants::full(),
        ["mutants", "gate", shard] => mutants::gate(shard),
        ["differential", options @ ..] => differential::run(options),
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
                bench::ledger::run(full),
                bench::ast::run(full),
                e2e::wall::run(e2e::wall::FULL),
            ];
            measured.into_iter().collect()
        }
        ["bench", "ledger"] => bench::ledger::run(Depth::Full),
        ["bench", "ledger", "--quick"] => bench::ledger::run(Depth::Quick),
        ["bench", "ast"] => bench::ast::run(Depth::Full),
        ["bench", "ast", "--quick"] => bench::ast::run(Depth::Quick),
        ["bench", "limits"] => bench::limits::run(bench::limits::FULL, 1),
        ["bench", "limits", "--quick"] => bench::limits::run(bench::limits::SHORT, 1),
        ["bench", "limits", bench::limits::ONE, program @ ..] => bench::limits::one(program),
        ["bench", "limits", seed] => bench::limits::run(bench::limits::FULL, seed.parse()?),
        ["bench", "session"] => e2e::wall::run(e2e::wall::FULL),
        ["bench", "session", "--quick"] => e2e::wall::run(e2e::wall::QUICK),
        ["eval", "attribution", options @ ..] => attribution::run(options),
        ["e2e", "claude"] => e2e::claude(Kinds::All, ""),
        ["e2e", "claude", filter] => e2e::claude(Kinds::All, filter),
        ["e2e", "agents"] => e2e::agents::run(""),
        ["e2e", "agents", filter] => e2e::agents::run(filter),
        ["e2e", "vscode"] => e2e::vscode::run(e2e::vscode::SHORT, ""),
        ["e2e", "vscode", filter] => e2e::vscode::run(e2e::vscode::SHORT, filter),
        ["extension"] => extension::check(),
        ["vsix"] => extension::pack(),
        ["e2e", "first"] => e2e::first::run(),
        ["e2e", "day"] => e2e::day(&[e2e::Yes::Each, e2e::Yes::Granted]),
        ["e2e", "day", "each"] => e2e::day(&[e2e::Yes::Each]),
        ["e2e", "day", "granted"] => e2e::day(&[e2e::Yes::Granted]),
        ["e2e", "web"] => e2e::web::run(),
        ["e2e", "forging"] => e2e::forging(""),
        ["e2e", "forging", family] => e2e::forging(family),
        ["e2e", "claude-interactive"] => e2e::claude(Kinds::Interactive, ""),
        ["e2e", "proofs"] => e2e::proofs::run(e2e::proofs::SHORT),
        ["e2e", "proofs", "full"] => e2e::proofs::run(e2e::proofs::FULL),
        ["e2e", "ledger"] => history::run(1, history::SHORT).and_then(|()| crashes(&[])),
        ["e2e", "ledger", "crashes", which @ ..] => crashes(which),
        ["e2e", "ledger", "histories"] => history::run(1, history::SHORT),
        ["e2e", "ledger", "histories", first, count] => history::run(first.parse()?, count.parse()?),
        ["state", name] => stored_state::write(name),
        ["nightly"] => nightly::run(),
        #[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
        ["layout"] => layout::write(),
        _ => bail!("no such task\n\n{USAGE}"),
    }
}

/// The crashes of one scene, as many as a night tries, or a sample of many.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn crashes(which: &[&str]) -> Result<()> {
    match which {
        ["full"] => crashes::run(crashes::FULL),
        [scene] => crashes::scene(scene.parse()?),
        [] => crashes::run(crashes::SHORT),
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
