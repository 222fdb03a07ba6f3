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
mod tasks;
mod tidy;
mod trials;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match tasks::run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
