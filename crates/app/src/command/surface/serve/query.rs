//! The reading commands that an editor may ask, run as this program in a process of its own.

use std::io::{Read, Seek};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use bailiwick_adapters_vscode::protocol::{Queried, code};
use bailiwick_adapters_vscode::{Later, Refusal};
use clap::Parser as _;
use serde_json::{Value, json};

use crate::command::setup::config;
use crate::command::{Cli, Command, trace};

/// The most words of one query, and the most bytes of one of them.
const WORDS: usize = 64;
const LONGEST: usize = 4096;

/// How long one may take.
const LIMIT: Duration = Duration::from_secs(60);

/// How often it is looked whether it is done.
const LOOK: Duration = Duration::from_millis(5);

/// The most that is read of what one prints.
const MOST: u64 = 64 << 20;

/// The query, ready to run; nothing runs yet.
///
/// # Errors
/// It is no reading command.
pub(super) fn prepared(root: &str, args: &[String]) -> Result<Later, Refusal> {
    let root = root.to_owned();
    if args.len() > WORDS || args.iter().any(|word| word.len() > LONGEST) {
        return Err(Refusal::parameters("a query has at most 64 words of at most 4096 bytes"));
    }
    let words: Vec<String> = ["--root".to_owned(), root.clone(), "--json".to_owned()]
        .into_iter()
        .chain(args.iter().cloned())
        .collect();
    let program = std::iter::once("bailiwick".to_owned());
    let cli = Cli::try_parse_from(program.chain(words.iter().cloned()))
        .map_err(|error| Refusal::parameters(error.to_string().lines().next().unwrap_or_default()))?;
    // A word that names another folder would be heard as well.
    let is_there = cli.json && cli.root.as_deref() == Some(std::path::Path::new(&root));
    if !is_there || !reads(&cli.command) {
        return Err(Refusal::parameters(format!(
            "`{}` is no query: an editor may ask status, log, map, doctor, intent list|show|check, config show, \
             trace log|show|blame|why|locate",
            args.join(" ")
        )));
    }
    Ok(Box::new(move || run(&words)))
}

/// What only reads, and answers once.
fn reads(command: &Command) -> bool {
    match command {
        Command::Status(_) | Command::Log(_) | Command::Doctor(_) => true,
        Command::Map(args) => args.is_query(),
        Command::Intent(action) => action.is_query(),
        Command::Config(action) => matches!(action, config::Action::Show),
        Command::Trace(action) => {
            use trace::Action::{Blame, Locate, Log, Show, Why};
            matches!(action, Log(_) | Show(_) | Blame(_) | Why(_) | Locate(_)) && action.is_open_to_agents()
        }
        _ => false,
    }
}

fn run(words: &[String]) -> Result<Value, Refusal> {
    let fault = |error: std::io::Error| Refusal { code: code::INTERNAL, message: error.to_string() };
    // What it prints goes into files: a full pipe would keep it from ending.
    let (mut out, mut errors) = (tempfile::tempfile().map_err(fault)?, tempfile::tempfile().map_err(fault)?);
    let mut child = Process::new(std::env::current_exe().map_err(fault)?)
        .args(words)
        .stdin(Stdio::null())
        .stdout(out.try_clone().map_err(fault)?)
        .stderr(errors.try_clone().map_err(fault)?)
        .spawn()
        .map_err(fault)?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(fault)? {
            break status;
        }
        if started.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Refusal {
                code: code::BUSY,
                message: "the query took longer than a minute".to_owned(),
            });
        }
        std::thread::sleep(LOOK);
    };
    let printed = text_of(&mut out).map_err(fault)?;
    let value = serde_json::from_str(&printed).unwrap_or(Value::Null);
    let trouble = if value.is_null() { Some(text_of(&mut errors).map_err(fault)?) } else { None };
    Ok(json!(Queried { exit: status.code().unwrap_or(2), value, trouble }))
}

fn text_of(file: &mut std::fs::File) -> std::io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
