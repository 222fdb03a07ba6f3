//! The project's own tasks: house rules, generated pages, tests against real clients, measurements.
//!
//! It imports nothing of the product: it reads the source as text and runs the binary.
#![expect(clippy::print_stdout, reason = "a development task reports on the terminal")]
#![expect(clippy::indexing_slicing, reason = "only JSON values are indexed, and a missing one is null")]

mod bench;
mod docs;
mod e2e;
mod error_codes;
mod hook_driver;
mod product;
mod relocs;
mod rust_source;
mod status;
mod terminal;
mod tidy;
mod workspace;
mod world;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy                          the house rules, all findings at once
  docs                          writes the generated pages
  bench [hook] [--quick]        what a hook call costs; the full run writes docs/performance.md
  relocs                        the release binary is static and not relocated
  status [--check]              docs/requirements-status.md: which test covers which requirement
  e2e claude [FILTER]           the release binary under the real Claude Code
  e2e claude-interactive        the part of it that needs the client's screen
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
        ["status"] => status::write(),
        ["status", "--check"] => status::check(),
        ["bench"] | ["bench", "hook"] => bench::run(bench::Depth::Full),
        ["bench", "--quick"] | ["bench", "hook", "--quick"] => bench::run(bench::Depth::Quick),
        ["relocs"] => relocs::run(),
        ["e2e", "claude"] => e2e::claude(e2e::Kinds::All, ""),
        ["e2e", "claude", filter] => e2e::claude(e2e::Kinds::All, filter),
        ["e2e", "claude-interactive"] => e2e::claude(e2e::Kinds::Interactive, ""),
        _ => bail!("no such task\n\n{USAGE}"),
    }
}
