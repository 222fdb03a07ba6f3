//! The other program is the judge: wherever the gate predicts what another program does with a text, that program is
//! run on generated and hostile inputs, and what it did must be part of what the gate said.
//!
//! Each judge is a module of its own and one row of [`JUDGES`]. What runs here touches scratch folders only.
#![expect(clippy::print_stdout, reason = "a development task reports on the terminal")]

mod chat;
mod clients;
mod commands;
mod edits;
mod envelopes;
mod ignore;
mod judge;
mod patches;
mod paths;
mod server;
mod tree;

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use judge::{Judge, Orders};

/// Every judge: one row a program, or a family of programs, whose reading the gate predicts. What takes longest comes first.
const JUDGES: &[Judge] = &[
    Judge { name: "paths", run: paths::run },
    Judge { name: "patches", run: patches::run },
    Judge { name: "codex-patches", run: envelopes::codex::run },
    Judge { name: "opencode-patches", run: envelopes::opencode::run },
    Judge { name: "commands", run: commands::run },
    Judge { name: "ignore", run: ignore::run },
    Judge { name: "plain-patches", run: patches::run_plain },
    Judge { name: "edits", run: edits::run },
    Judge { name: "plain-ignore", run: ignore::run_plain },
];

const USAGE: &str = "usage: differential [JUDGE]… [--cases N] [--seed N] | --measured";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["--measured"] {
        edits::measured().for_each(|[package, version, program]| println!("{package} {version} {program}"));
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let (names, orders) = read(arguments)?;
    let chosen = |judge: &&Judge| names.is_empty() || names.iter().any(|name| name == judge.name);
    let next = Mutex::new(JUDGES.iter().filter(chosen));
    let work = || {
        let mut failed = Vec::new();
        loop {
            let judge = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(judge) = judge else { return failed };
            match (judge.run)(&orders) {
                Ok(tally) => println!("{}: {tally}", judge.name),
                Err(error) => {
                    println!("{}: {error:#}", judge.name);
                    failed.push(judge.name);
                }
            }
        }
    };
    // They wait for other programs more than they compute.
    let failed = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut failed = work();
        failed.extend(other.join().unwrap_or_else(|_| vec!["one that panicked"]));
        failed
    });
    if failed.is_empty() { Ok(()) } else { bail!("more happened than was said: {}", failed.join(", ")) }
}

fn read(arguments: &[String]) -> Result<(Vec<String>, Orders)> {
    let mut orders = Orders::default();
    let mut names = Vec::new();
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let mut number = || rest.next().context(USAGE)?.parse::<u32>().context(USAGE);
        match word.as_str() {
            "--cases" => orders.cases = Some(number()?),
            "--seed" => orders.seed = number()?,
            name if JUDGES.iter().any(|judge| judge.name == name) => names.push(name.to_owned()),
            name => bail!("no judge is called `{name}`\n{USAGE}"),
        }
    }
    Ok((names, orders))
}
