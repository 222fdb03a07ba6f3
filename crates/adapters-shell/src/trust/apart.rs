//! Takes a line apart: into what is proved to read, and commands that may be allowed. Each of these must stand at the start of its
//! pipe, so that nothing but its own words tells it what to do.

use bailiwick_domain::{CommandLine, PlacedCommand, ReadOnly};

use super::forms::{early, environment, moved, wrapped};
use super::{loading, programs, variables};
use crate::parts;
use crate::prefix;
use crate::prove_at;
use crate::words::{self, Before, Line, Simple, Word};

/// Runners that take several targets and run one after another. Source: the manual of GNU make, "Goals".
const RUNS_TARGETS: &[&str] = &["make", "gmake"];

/// With more targets than this it is one command that nobody knows.
const MOST_TARGETS: usize = 16;

/// The readers and the commands of a line. What activates an environment is a part of each command behind it.
pub(crate) fn take_apart(line: Line) -> Result<CommandLine, String> {
    if line.splits {
        return Err(
            "`&>` starts a command in the background of some shells; write `>/dev/null 2>&1`".to_owned()
        );
    }
    let mut readers = parts::of_line(&line);
    let mut apart = Apart::default();
    for (at, command) in line.commands.iter().enumerate() {
        apart.follows(command);
        match prove_at(&line, at) {
            Ok(proof) => {
                apart.passes_by(command)?;
                parts::add(&mut readers, command, &proof)?;
            }
            Err(why) => {
                let words = words_of(command, why)?;
                apart.goes_to(command)?;
                apart.first.get_or_insert(at);
                match wrapped::text_of(&words) {
                    Some((text, before)) => apart.take_wrapped(&mut readers, text, before)?,
                    None if is_export(&words) => apart.exports(&line, at, &words)?,
                    None => apart.take(&line, at, words)?,
                }
                parts::start(&mut readers, command)?;
            }
        }
    }
    // What comes out of several commands is no file as a whole.
    parts::shows_no_file(&mut readers);
    apart.leave();
    if readers.all_parts().any(|part| !part.listed.is_empty()) && !apart.commands.is_empty() {
        return Err(
            "beside a command that may make files, `xargs` is only read with `-print0` and `-0`".to_owned()
        );
    }
    // What runs before a move may take its folder away.
    let first = apart.first.unwrap_or(usize::MAX);
    let is_doubted = |(place, count): (&String, &usize)| (*count > first).then(|| place.clone());
    readers.moves.doubted = line.needs.iter().zip(&line.behind).filter_map(is_doubted).collect();
    let (may_stray, exports) = (apart.may_stray, !apart.exported.is_empty());
    Ok(CommandLine { commands: apart.commands, may_stray, exports, readers })
}

/// Whether a command is a line of its own for another shell.
pub(crate) fn is_wrapped(command: &Simple) -> bool {
    let words: Vec<String> = prefix::bare(&command.words).iter().map(|word| word.text.clone()).collect();
    wrapped::text_of(&words).is_some()
}

/// The commands of a line so far.
#[derive(Debug, Default)]
struct Apart {
    commands: Vec<PlacedCommand>,
    /// Where the command at hand runs.
    folder: Option<String>,
    /// Which command of the line is the first of them.
    first: Option<usize>,
    /// Whether one of them runs elsewhere where a folder is not there.
    may_stray: bool,
    /// What was exported so far.
    exported: Vec<String>,
    /// Whether a command behind `;` may run without that.
    may_lack: bool,
    /// Whether what stands here may run without what was exported, or outside of the environment.
    is_lost: bool,
    environment: Option<Environment>,
}

/// An environment that is activated.
#[derive(Debug)]
struct Environment {
    script: String,
    /// The folder that the script is spelled from.
    folder: Option<String>,
    /// Whether a command behind `;` finds it, too.
    is_sure: bool,
    /// Whether a command has it as a part.
    is_used: bool,
}

impl Apart {
    /// Goes to the one folder in which a command runs.
    fn goes_to(&mut self, command: &Simple) -> Result<(), String> {
        let [folder] = command.surely.as_slice() else {
            return Err("it may run in more than one folder; write `&&` behind `cd`".to_owned());
        };
        self.folder.clone_from(folder);
        self.may_stray |= !command.elsewhere.is_empty();
        Ok(())
    }

    /// Comes to a command. Behind a `;` it may run though what activates an environment, or exports something, did not.
    fn follows(&mut self, command: &Simple) {
        let is_unsure = self.environment.as_ref().is_some_and(|environment| !environment.is_sure);
        self.is_lost |= command.is_cut && (is_unsure || self.may_lack);
    }

    /// Passes by a reader. One that a variable may lead astray is not read; what only gets a command's output is.
    fn passes_by(&self, command: &Simple) -> Result<(), String> {
        let only_prints = command.assigns
            || command.words.first().is_some_and(|name| matches!(name.text.as_str(), "echo" | "printf"));
        match self.exported.is_empty() || command.before == Before::Bar || only_prints {
            true => Ok(()),
            false => Err("a command behind `export` that is not allowed itself is not read".to_owned()),
        }
    }

    fn push(&mut self, words: Vec<String>) {
        self.commands.push(PlacedCommand { folder: self.folder.clone(), words });
    }

    /// Takes one command that is no reader.
    fn take(&mut self, line: &Line, at: usize, words: Vec<String>) -> Result<(), String> {
        let before = line.commands.get(at).map_or(Before::Start, |command| command.before);
        if let (Some(script), []) = environment::split(variables::split(&words).command) {
            return self.enter(line, at, script);
        }
        if self.is_lost || (before == Before::Joint("||") && self.environment.is_some()) {
            return Err("it may run without what stands before it; write `&&`".to_owned());
        }
        if let Some(environment) = &mut self.environment {
            environment.is_used = true;
        }
        let before = self.folder.clone();
        let variables::Parts { set, command, .. } = variables::split(&words);
        let moved = moved::split(command);
        if let Some((folder, _)) = &moved {
            self.folder = Some(words::joined(self.folder.as_deref(), folder));
        }
        let command = moved.map_or_else(|| command.to_vec(), |(_, command)| command);
        let script = self.environment.as_ref().map(|environment| environment.from(self.folder.as_deref()));
        let script = script.transpose()?;
        for command in each_target(command) {
            let words = self.exported.iter().chain(set).cloned().chain(command).collect();
            self.push(behind(script.as_deref(), words));
        }
        self.folder = before;
        Ok(())
    }

    /// Takes `export NAME=value`, which is as if that stood before each command behind it.
    fn exports(&mut self, line: &Line, at: usize, words: &[String]) -> Result<(), String> {
        let before = line.commands.get(at).map_or(Before::Start, |command| command.before);
        let is_piped = line.commands.get(at + 1).is_some_and(|next| next.before == Before::Bar);
        let set = words.get(1..).unwrap_or_default();
        let is_one = |word: &String| variables::may_be_exported(word) || prefix::is_harmless(word);
        if let Some(word) = set.iter().find(|word| !is_one(word)) {
            return Err(prefix::changed_by(prefix::variable(word).unwrap_or(word)));
        }
        if set.is_empty() || is_piped || line.grouped.is_some() || before == Before::Joint("||") {
            return Err("`export` stands alone before `&&` or `;`".to_owned());
        }
        self.may_lack |= before == Before::Joint("&&");
        self.exported.extend(set.iter().filter(|word| !prefix::is_harmless(word)).cloned());
        Ok(())
    }

    /// Takes the commands that stand in one word, which is a line of its own.
    fn take_wrapped(&mut self, readers: &mut ReadOnly, text: &str, starts: &[&str]) -> Result<(), String> {
        if self.environment.is_some() || !self.exported.is_empty() {
            return Err("a shell within an environment that was changed is not read".to_owned());
        }
        let line = words::line(text)?;
        if !line.needs.is_empty() || line.splits {
            return Err(
                "what a shell within this one moves, or sends to the background, is not read".to_owned()
            );
        }
        let before = self.commands.len();
        for (at, command) in line.commands.iter().enumerate() {
            match prove_at(&line, at) {
                Ok(proof) => {
                    let surely = vec![self.folder.clone()];
                    parts::add(readers, &Simple { surely, ..command.clone() }, &proof)?;
                }
                Err(why) => {
                    let words = words_of(command, why)?;
                    if wrapped::text_of(&words).is_some() || environment::split(&words).0.is_some() {
                        return Err("a shell within a shell is not read".to_owned());
                    }
                    self.push(starts.iter().map(ToString::to_string).chain(words).collect());
                }
            }
        }
        // What starts them does more than they do.
        if self.commands.len() == before && !starts.is_empty() {
            self.push(starts.iter().map(ToString::to_string).collect());
        }
        readers.posix |= line.posix;
        Ok(())
    }

    /// Takes what activates an environment. The shell itself must run it, and go on with what is behind it.
    fn enter(&mut self, line: &Line, at: usize, script: String) -> Result<(), String> {
        let Some(command) = line.commands.get(at) else { return Ok(()) };
        let words = command.words.iter().skip_while(|word| word.sets && !loading::is_one(&word.text));
        let name = words.into_iter().next().map_or("", |word| word.text.as_str());
        let is_piped = line.commands.get(at + 1).is_some_and(|next| next.before == Before::Bar);
        if !environment::runs_in_shell(name) || is_piped || line.grouped.is_some() {
            return Err("what activates an environment stands alone before `&&`".to_owned());
        }
        self.leave();
        // Not every shell knows `source`; where `.` fails, a shell that follows POSIX ends.
        let is_sure = command.before == Before::Start && name == ".";
        let folder = self.folder.clone();
        self.environment = Some(Environment { script, folder, is_sure, is_used: false });
        Ok(())
    }

    /// An environment that no command needed must be allowed, too.
    fn leave(&mut self) {
        if let Some(environment) = self.environment.take().filter(|environment| !environment.is_used) {
            let words = behind(Some(&environment.script), Vec::new());
            self.commands.push(PlacedCommand { folder: environment.folder, words });
        }
    }
}

impl Environment {
    /// Its script as spelled from another folder, which must lie below the one where it was activated.
    fn from(&self, folder: Option<&str>) -> Result<String, String> {
        let below = match (self.folder.as_deref(), folder) {
            (None, here) => Some(here.unwrap_or_default()),
            (Some(before), Some(here)) if before == here => Some(""),
            (Some(before), Some(here)) => here.strip_prefix(before).and_then(|rest| rest.strip_prefix('/')),
            (Some(_), None) => None,
        };
        let parts = below.map(|below| below.split('/').filter(|part| !part.is_empty()));
        let is_plain =
            |below: &str| !below.starts_with('/') && below.split('/').all(|part| !part.starts_with('.'));
        match (parts, self.script.starts_with('/')) {
            (_, true) => Ok(self.script.clone()),
            (Some(parts), false) if below.is_some_and(is_plain) => {
                Ok("../".repeat(parts.count()) + &self.script)
            }
            _ => Err("an environment was activated elsewhere; activate it behind the `cd`".to_owned()),
        }
    }
}

/// A command behind what activates an environment, and behind the variables that are set for it.
fn behind(script: Option<&str>, words: Vec<String>) -> Vec<String> {
    let variables::Parts { set, command, .. } = variables::split(&words);
    let command = environment::behind(script, command.to_vec());
    set.iter().cloned().chain(command).collect()
}

/// Whether a shell puts nothing but names of files for a pattern, none of which is an option, where the command takes such names:
/// then it is to it as if the pattern were quoted.
fn is_of_files(pattern: &Word, words: &[Word]) -> bool {
    let begins = pattern.text.trim_start_matches("./");
    let is_name = begins.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '_');
    let (_, command) = prefix::before(words, |word| loading::is_one(word) || variables::is_one(word));
    let texts: Vec<String> = command.iter().map(|word| word.text.clone()).collect();
    let takes_them = programs::rules_of(&texts).is_some_and(|rules| {
        rules.takes_files(&pattern.text) && !command.iter().take(rules.head_length()).any(|word| word.pattern)
    });
    is_name && !pattern.quoted && !pattern.splits && takes_them
}

fn is_export(words: &[String]) -> bool {
    words.first().is_some_and(|name| name == "export")
}

/// The words of a command that is no proved reader, where they alone tell it what to do.
fn words_of(command: &Simple, why: String) -> Result<Vec<String>, String> {
    let Simple { before, within, words, input, .. } = command;
    if let Some(pattern) = words.iter().find(|word| word.pattern && !is_of_files(word, words)) {
        return Err(format!("`{}` stands for whatever files it names then", pattern.text));
    }
    if let Some(word) = words.iter().find(|word| word.braces) {
        return Err(format!("`{}` is not the same to every shell; quote it", word.text));
    }
    if input.is_some() {
        return Err("what a file tells a command to do is not allowed with it".to_owned());
    }
    if *within {
        return Err(format!("{why}; within `for`, `if` and `$(…)` nothing counts that you allowed"));
    }
    if *before == Before::Bar {
        return Err(format!("{why}; behind `|` nothing counts that you allowed"));
    }
    let (loads, words) = prefix::before(words, |word| loading::is_one(word) || variables::is_one(word));
    if words.first().is_some_and(|name| name.quoted) || words.iter().any(|word| word.open) {
        return Err(why);
    }
    Ok(loads.into_iter().chain(words).map(|word| word.text.clone()).collect())
}

/// `make lint test` as `make lint` and `make test`, for each of which there may be an allowance.
fn each_target(words: Vec<String>) -> Vec<Vec<String>> {
    let is_target = |word: &String| !word.starts_with('-') && !word.contains('=');
    let plain = early::without(&words);
    match plain.split_first() {
        Some((runner, targets))
            if RUNS_TARGETS.contains(&runner.as_str())
                && (2..=MOST_TARGETS).contains(&targets.len())
                && targets.iter().all(is_target) =>
        {
            targets.iter().map(|target| vec![runner.clone(), target.clone()]).collect()
        }
        _ => vec![words],
    }
}
