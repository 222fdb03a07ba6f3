//! The `bailiwick` binary. The hook is dispatched before anything else starts: it runs on every tool call.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let is_hook = words.next().is_some_and(|word| word == "hook");
    if is_hook && !std::env::args_os().any(|word| word == "--help" || word == "-h") {
        return bailiwick::hook::main(words);
    }
    bailiwick::command::main()
}
