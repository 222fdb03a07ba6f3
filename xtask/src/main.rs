//! The project's own tasks: house rules, generated pages, tests against real clients, measurements.
//!
//! It imports nothing of the product: it reads the source as text and runs the binary.
#![expect(clippy::print_stdout, reason = "a development task reports on the terminal")]

mod docs;
mod e2e;
mod error_codes;
mod product;
mod rust_source;
mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy                          the house rules, all findings at once
  docs                          writes the generated pages
  e2e claude [FILTER]           the release binary under the real Claude Code
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
        ["e2e", "claude"] => e2e::claude(""),
        ["e2e", "claude", filter] => e2e::claude(filter),
        _ => bail!("no such task\n\n{USAGE}"),
    }
}
