//! Reads a shell command and says whether it is proved to change nothing (D-03), or calls one of the gate's own tools
//! (D-19).
//!
//! The proof covers one simple command of literal words whose program and options are in a table, and pipelines of such
//! commands; whatever is not in the table is unproved, with a reason. This is no boundary and no parser of the shell: it
//! never runs anything, looks at no file, and cannot know of aliases, functions or programs that shadow the ones it
//! names. What git's own configuration makes git start (pager, file system monitor, text conversion) the version control
//! port is asked about.
#![warn(missing_docs)]

mod find;
mod git;
mod known;
mod options;
mod own_tool;
mod printf;
mod refusals;
mod script;
mod table;
mod words;

use bailiwick_domain::{CommandFault, CommandReader, CommandReading};

pub use crate::known::{Known, known};

use crate::options::Proof;
use crate::words::Word;

/// Longer commands are not read at all, so that reading one takes a bounded time (threat A16).
const MAX_BYTES: usize = 4096;

/// The table of read-only commands.
#[derive(Clone, Debug, Default)]
pub struct ReadOnlyTable {
    own_paths: Vec<String>,
}

impl ReadOnlyTable {
    /// A table that also knows the gate's own program by these absolute paths, besides its bare name.
    pub fn new(own_paths: Vec<String>) -> Self {
        let absolute = |path: &String| path.starts_with('/') || path.get(1..3) == Some(":\\");
        Self { own_paths: own_paths.into_iter().filter(absolute).collect() }
    }

    fn judge(&self, command: &str) -> Result<CommandReading, String> {
        if command.len() > MAX_BYTES {
            return Err(format!("the command is longer than {MAX_BYTES} bytes"));
        }
        let parts = words::split(command)?;
        let [words] = parts.as_slice() else { return pipeline(&parts) };
        let (name, arguments) = words.split_first().ok_or("there is no command")?;
        if own_tool::is_own(name, &self.own_paths) {
            return own_tool::read(arguments);
        }
        let Proof { shows, reads } = prove(name, arguments)?;
        Ok(CommandReading::ReadOnly { shows, reads })
    }
}

/// A pipeline is proved when each of its parts is, whatever flows between them: no program of the table obeys its input.
/// What comes out at its end is no file as a whole.
fn pipeline(parts: &[Vec<Word>]) -> Result<CommandReading, String> {
    let mut reads = Vec::new();
    for part in parts {
        let (name, arguments) = part.split_first().ok_or("a part of the pipeline is empty")?;
        reads.extend(prove(name, arguments)?.reads);
    }
    Ok(CommandReading::ReadOnly { shows: Vec::new(), reads })
}

fn prove(name: &Word, arguments: &[Word]) -> Result<Proof, String> {
    if name.quoted {
        return Err("the command's name is quoted".to_owned());
    }
    let arguments: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    match name.text.as_str() {
        "echo" => Ok(Proof::default()),
        "printf" => printf::prove(&arguments),
        "find" => find::prove(&arguments),
        "git" => git::prove(&arguments),
        name if name.contains('/') => Err(format!("`{name}` names a program by its path")),
        name => {
            let reader =
                table::lookup(name).ok_or_else(|| format!("`{name}` is not in the read-only table"))?;
            options::prove(reader, &arguments)
        }
    }
}

impl CommandReader for ReadOnlyTable {
    fn read(&self, command: &str) -> CommandReading {
        self.judge(command).unwrap_or_else(|why| CommandReading::Unproved { why })
    }

    fn fault(&self, command: &str) -> Option<CommandFault> {
        refusals::fault(command)
    }
}
