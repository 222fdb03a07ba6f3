//! Makes large ledgers and trees, and does the least work that a question to them could cost. `cargo xtask bench
//! ledger` runs it and compares the program with it.
//!
//! The same words make the same content, but for what an entry says of its place. Deliberately absent: measuring
//! processes, and what is enough.

mod append;
mod floors;
mod history;
mod random;
mod tree;

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use bailiwick_adapters_fs::{FsLedger, Layout};
use bailiwick_domain::Sync;

type Outcome = Result<String, Box<dyn Error>>;

const USAGE: &str = "\
usage: ledger_at_size TASK

  fill ROOT PRIVATE STATE COUNT              entries of many files and intents
  edits ROOT PRIVATE STATE FILE COUNT LINES  entries that all edit one file, which is left as they made it
  tree ROOT PRIVATE STATE FILES BYTES        a tree of source, and an entry whose code went to another file; its id
  change ROOT NUMBER                         changes one file of that tree
  append FOLDER ROUNDS                       what an append costs, as a ratio to one synced write of the same bytes, and
                                             how many microseconds that one takes
  parse FOLDER                               hashes and parses each line of the ledger there
  hash PATH                                  reads and hashes a file, or every file below a folder
  look PATH                                  looks at every file below a folder, without reading it
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(text) => {
            drop(writeln!(std::io::stdout(), "{text}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            drop(writeln!(std::io::stderr(), "error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Outcome {
    match words {
        ["fill", root, private, state, count] => history::fill(&ledger(root, private, state), count.parse()?),
        ["edits", root, private, state, file, count, lines] => {
            let target = Path::new(root).join(file);
            history::edits(&ledger(root, private, state), file, &target, count.parse()?, lines.parse()?)
        }
        ["tree", root, private, state, files, bytes] => {
            tree::grow(&ledger(root, private, state), Path::new(root), files.parse()?, bytes.parse()?)
        }
        ["change", root, number] => tree::change(Path::new(root), number.parse()?),
        ["append", folder, rounds] => append::measure(Path::new(folder), rounds.parse()?),
        ["parse", folder] => floors::parse(Path::new(folder)),
        ["hash", path] => floors::hash(Path::new(path)),
        ["look", path] => floors::look(Path::new(path)),
        _ => Err(USAGE.into()),
    }
}

/// Nothing here has to survive a power cut.
fn ledger(root: &str, private: &str, state: &str) -> FsLedger {
    FsLedger::new(Layout::new(root, private, Some(state.into())), Sync::Os)
}
