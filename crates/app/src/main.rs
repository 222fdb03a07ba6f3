//! The `bailiwick` binary. The hook is dispatched before anything else starts: it runs on every tool call.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(word) if word == "hook" => bailiwick::hook::main(words),
        _ => bailiwick::command::main(),
    }
}
