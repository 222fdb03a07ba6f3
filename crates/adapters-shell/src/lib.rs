//! Reads a shell command and says whether it is proved to change nothing, or calls one of the gate's own tools.
//!
//! The proof covers simple commands of literal words whose program and options are in a table, and lines of such
//! commands with nothing but `|`, `&&`, `||`, `;`, line ends, `for`, `if`, `$(…)` and a leading `cd DIR &&` around them; whatever
//! is not in the table is unproved, with a reason. This is no boundary and no parser of the shell: it never runs anything, looks at no file, and
//! cannot know of aliases, functions or programs that shadow the ones it names. What git's own configuration makes git
//! start (pager, file system monitor, text conversion) the version control port is asked about. The files that say which
//! toolchain answers `cargo --version` are among those that no grant covers.
//!
//! `trust` is the other half: what a person may allow in advance, and which further words an allowance takes. `verifying` knows
//! commands that test, lint or build.
#![warn(missing_docs)]

mod names;
mod own_tool;
mod parts;
mod prefix;
mod read_only;
mod refusals;
mod trust;
mod verifying;
mod words;

use bailiwick_domain::{
    Admitted, CommandFault, CommandLine, CommandReader, CommandReading, Starts, TrustedCommand,
};

pub use crate::read_only::catalogue::{known, questions};
pub use crate::read_only::known::Known;

use crate::read_only::find::xargs;
use crate::read_only::options::Proof;
use crate::words::{Before, Line, Word};

/// Longer commands are not read at all, so that reading one takes a bounded time.
const MAX_BYTES: usize = 4096;

/// Variables that hold no secret.
#[rustfmt::skip]
const OPEN_VARIABLES: &[&str] = &[
    "PATH", "HOME", "PWD", "OLDPWD", "SHELL", "LANG", "LC_ALL", "TERM", "USER", "LOGNAME", "TZ", "TMPDIR", "EDITOR", "CI",
    "VIRTUAL_ENV", "CONDA_PREFIX", "CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOROOT", "JAVA_HOME", "NODE_ENV",
    "status",
];

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

    /// The words of the one command of a line that tests, lints or builds; nothing where the line does more, or where its
    /// exit status may be another command's.
    pub fn verifying(command: &str) -> Option<Vec<String>> {
        Self::split(command).ok().and_then(verifying::verifying)
    }

    fn split(command: &str) -> Result<Line, String> {
        if command.len() > MAX_BYTES {
            return Err(format!("the command is longer than {MAX_BYTES} bytes"));
        }
        words::line(command)
    }

    fn judge(&self, command: &str) -> Result<CommandReading, String> {
        let line = Self::split(command)?;
        if let Some(reading) = own_tool::of_line(&line, &self.own_paths) {
            return reading;
        }
        let mut reading = parts::of_line(&line);
        for (at, command) in line.commands.iter().enumerate() {
            parts::add(&mut reading, command, &prove_at(&line, at)?)?;
        }
        // What comes out of a pipe, or of several commands, is no file as a whole.
        if line.commands.len() != 1 || line.redirects || reading.all_parts().count() != 1 {
            parts::shows_no_file(&mut reading);
        }
        Ok(CommandReading::ReadOnly(reading))
    }
}

/// What a command starts, told by its words.
fn started_by(words: &[Word]) -> Starts {
    let Some((name, arguments)) = prefix::bare(words).split_first() else { return Starts::default() };
    let name = name.text.as_str();
    Starts {
        git: matches!(name, "git" | own_tool::PROGRAM),
        asked: read_only::versions::asks(name, &texts(arguments)),
        searcher: read_only::table::SEARCHERS.contains(&name)
            || name == xargs::PROGRAM
            || (name == "find" && arguments.iter().any(|word| word.text == read_only::find::EXEC)),
    }
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// The patterns among a command's words. What only asks whether a file is there shows nothing of the one that a loop came to.
fn patterns<'w>(name: &str, words: &'w [Word]) -> Vec<&'w str> {
    let only_asks = matches!(name, "test" | "[" | "[[");
    let is_one = |word: &Word| word.pattern && !(only_asks && word.quoted && !word.splits);
    words.iter().filter(|word| is_one(word)).map(|word| word.text.as_str()).collect()
}

/// Proves one command of a line.
fn prove_at(line: &Line, at: usize) -> Result<Proof, String> {
    let Some(command) = line.commands.get(at) else { return Err("there is no command".to_owned()) };
    let words = prefix::bare(&command.words);
    match words.split_first() {
        _ if command.assigns => Ok(Proof::default()),
        Some((name, arguments)) if name.text == xargs::PROGRAM && !name.quoted && command.input.is_none() => {
            if let Some(word) = arguments.iter().find(|word| word.open || word.pattern || word.braces) {
                return Err(format!("`{}` of `xargs` may stand for anything", word.text));
            }
            match xargs::only_prints(&texts(arguments)) {
                true => Ok(Proof::default()),
                false => xargs::prove(&texts(arguments), &pipe_before(line, at)?),
            }
        }
        _ => prove(&command.words),
    }
}

/// The words of the commands whose output a command gets, the first one first.
fn pipe_before(line: &Line, at: usize) -> Result<Vec<Vec<&str>>, String> {
    let mut pipe = Vec::new();
    for (place, command) in line.commands.iter().enumerate().take(at + 1).rev() {
        let words = prefix::bare(&command.words);
        let is_odd = |word: &Word| word.open || word.braces || word.pattern;
        let stands_apart = command.within || line.has_choices || line.grouped.is_some();
        let tells_more = place < at && (command.input.is_some() || command.tells_errors);
        if stands_apart || tells_more || words.iter().any(is_odd) {
            return Err("`xargs` is only read behind plain commands that tell nothing but names".to_owned());
        }
        pipe.push(texts(words));
        if command.before != Before::Bar {
            break;
        }
    }
    pipe.reverse();
    pipe.pop();
    Ok(pipe)
}

fn prove(words: &[Word]) -> Result<Proof, String> {
    let bare = prefix::bare(words);
    let proof = prove_program(bare)?;
    // What is cut off when its time is over is shown in part.
    Ok(if bare.len() == words.len() { proof } else { Proof { shows: Vec::new(), ..proof } })
}

fn prove_program(words: &[Word]) -> Result<Proof, String> {
    let (name, arguments) = words.split_first().ok_or("there is no command")?;
    if let Some(variable) = prefix::variable(&name.text) {
        return Err(prefix::changed_by(variable));
    }
    if name.quoted || name.open {
        return Err("the command's name is quoted, or stands for something else".to_owned());
    }
    let only_prints = matches!(name.text.as_str(), "echo" | "printf");
    if let Some(word) = words.iter().find(|word| word.open).filter(|_| !only_prints) {
        let line = word.text.lines().next().unwrap_or_default();
        return Err(format!("`{line}` may stand for anything"));
    }
    if name.text == "printf" && format_of(arguments).is_some_and(|format| format.open || format.pattern) {
        return Err("the format of `printf` may be anything".to_owned());
    }
    if name.pattern {
        return Err("the command's name is a pattern".to_owned());
    }
    if let Some(word) = words.iter().find(|word| word.braces).filter(|_| name.text != "git") {
        return Err(format!("`{}` is a revision to git alone", word.text));
    }
    let proof = prove_words(&name.text, patterns(&name.text, arguments), &texts(arguments))?;
    match words.iter().any(|word| word.text.contains('\n')) && !only_prints {
        true => Err(format!("`{}` is not read with a word of several lines", name.text)),
        false => Ok(proof),
    }
}

fn prove_words(name: &str, patterns: Vec<&str>, arguments: &[&str]) -> Result<Proof, String> {
    if !patterns.is_empty() {
        return read_only::patterns::prove(name, arguments, patterns);
    }
    if read_only::versions::asks(name, arguments) {
        return Ok(Proof::default());
    }
    match name {
        "echo" => Ok(Proof::default()),
        "printf" => read_only::printf::prove(arguments),
        "find" => read_only::find::prove(arguments),
        "test" => read_only::asking::test(arguments),
        "[" => read_only::asking::bracket(arguments),
        "[[" => read_only::asking::brackets(arguments),
        "command" => read_only::asking::command(arguments),
        "export" => prefix::export(arguments),
        "git" => read_only::git::prove(arguments),
        own_tool::PROGRAM => read_only::queries::prove(arguments),
        name if name.contains('/') => Err(format!("`{name}` names a program by its path")),
        name => {
            let reader = read_only::table::lookup(name)
                .ok_or_else(|| format!("`{name}` is not in the read-only table"))?;
            read_only::options::prove(reader, arguments)
        }
    }
}

/// The word that `printf` takes for its format.
fn format_of(arguments: &[Word]) -> Option<&Word> {
    match arguments {
        [dashes, format, ..] if dashes.text == "--" => Some(format),
        arguments => arguments.first(),
    }
}

impl CommandReader for ReadOnlyTable {
    fn read(&self, command: &str) -> CommandReading {
        self.judge(command)
            .unwrap_or_else(|why| CommandReading::Unproved { why: own_tool::explained(command, why) })
    }

    fn fault(&self, command: &str) -> Option<CommandFault> {
        refusals::fault(command)
    }

    fn line(&self, command: &str) -> Result<CommandLine, String> {
        trust::take_apart(Self::split(command)?)
    }

    fn can_allow(&self, command: &TrustedCommand) -> Result<Option<String>, String> {
        trust::can_allow(command)
    }

    fn admits(&self, allowed: &TrustedCommand, words: &[String]) -> Result<Option<Admitted>, String> {
        trust::admits(allowed, words)
    }

    fn offer(&self, words: &[String]) -> Option<(Vec<String>, bool)> {
        trust::offer(words)
    }
}
