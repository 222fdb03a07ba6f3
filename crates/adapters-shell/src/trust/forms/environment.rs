//! Virtual environments of Python that lie in the root: `.venv/bin/pytest` is `pytest`, and behind `source .venv/bin/activate`
//! its bare name is enough, so that what activates is a part of the command. Agents are asked about each change in such a folder,
//! so its programs count as the machine's do.

use crate::read_only::options::is_number;

/// Folders of a virtual environment that hold its programs. Source: docs.python.org/3/library/venv.html; the gate asks about
/// changes in each of them.
const PROGRAMS: &[&str] = &[".venv/bin", ".venv/Scripts", "venv/bin", "venv/Scripts", "virtualenv/bin"];

/// What the shell runs in itself, by both of its names.
const RUNS_IN_SHELL: &[&str] = &["source", "."];

/// What stands between what activates an environment and the command behind it.
const THEN: &str = "&&";

/// The file by which a shell begins to find the programs of an environment.
const ACTIVATES: &str = "activate";

/// A command with the program by its plain name, by which the tables know it: `.venv/bin/python3.12 -m pytest` is `python3 -m
/// pytest`.
pub(in crate::trust) fn plain(words: &[String]) -> Vec<String> {
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let name = program_of(program).unwrap_or(program);
    let name = if is_of_a_version(name) { "python3" } else { name };
    std::iter::once(name.to_owned()).chain(arguments.iter().cloned()).collect()
}

/// A command with a program of an environment in its shortest spelling: `./.venv/bin/pytest` is `.venv/bin/pytest`.
pub(in crate::trust) fn spelled(words: &[String]) -> Vec<String> {
    let (program, arguments) = words.split_at(words.len().min(1));
    program.iter().map(|program| short(program)).chain(arguments.iter().cloned()).collect()
}

fn short(word: &str) -> String {
    match program_of(word) {
        Some(_) => word.trim_start_matches("./").to_owned(),
        None => word.to_owned(),
    }
}

/// The script that activates an environment before a command, and that command, which may be missing.
pub(in crate::trust) fn split(words: &[String]) -> (Option<String>, &[String]) {
    let (before, behind) = words.split_at(words.len().min(2));
    match (activated(before), behind.split_first()) {
        (Some(script), None) => (Some(short(script)), &[]),
        (Some(script), Some((then, command))) if then == THEN => (Some(short(script)), command),
        _ => (None, words),
    }
}

/// A command with what activates an environment before it.
pub(in crate::trust) fn behind(script: Option<&str>, command: Vec<String>) -> Vec<String> {
    let before = script.map(|script| ["source", script, THEN].map(str::to_owned));
    before.into_iter().flatten().chain(command).collect()
}

/// The plain name of a program that is spelled by its path in an environment of the root.
pub(in crate::trust) fn program_of(word: &str) -> Option<&str> {
    in_environment(word).filter(|_| !word.starts_with('/'))
}

/// The name of a file in an environment, wherever that lies.
fn in_environment(word: &str) -> Option<&str> {
    let (folder, name) = word.rsplit_once('/')?;
    let is_one = PROGRAMS.iter().any(|known| folder.strip_suffix(known).is_some_and(ends_folder));
    let name = name.strip_suffix(".exe").unwrap_or(name);
    (is_one && !name.is_empty()).then_some(name)
}

/// The script that makes the shell find an environment's programs first, where the command does nothing else.
fn activated(words: &[String]) -> Option<&str> {
    match words {
        [source, script] if RUNS_IN_SHELL.contains(&source.as_str()) => {
            (in_environment(script) == Some(ACTIVATES)).then_some(script)
        }
        _ => None,
    }
}

/// Whether by this name the shell runs a script in itself.
pub(in crate::trust) fn runs_in_shell(name: &str) -> bool {
    RUNS_IN_SHELL.contains(&name)
}

fn is_of_a_version(name: &str) -> bool {
    name.strip_prefix("python3.").is_some_and(is_number)
}

/// Whether what stands before a folder's name is nothing or other folders.
fn ends_folder(before: &str) -> bool {
    before.is_empty() || before.ends_with('/')
}

#[cfg(test)]
mod tests {
    use super::{plain, spelled, split};

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_program_of_an_environment_has_its_plain_name() {
        for (line, expected) in [
            (".venv/bin/pytest -q", "pytest -q"),
            ("./.venv/bin/python -m pytest", "python -m pytest"),
            ("../venv/bin/python3.12 -m pytest", "python3 -m pytest"),
            ("api/venv/Scripts/python.exe x", "python x"),
            ("python3.9 -m pytest", "python3 -m pytest"),
            ("bin/pytest", "bin/pytest"),
            ("my.venv/bin/pytest", "my.venv/bin/pytest"),
            ("/r/.venv/bin/pytest", "/r/.venv/bin/pytest"),
            (".venv/bin/", ".venv/bin/"),
            (".venv/bin/sub/pytest", ".venv/bin/sub/pytest"),
            ("python3.9x", "python3.9x"),
            ("python3.", "python3."),
        ] {
            assert_eq!(plain(&words(line)).join(" "), expected);
        }
        assert_eq!(plain(&[]), [""; 0]);
    }

    #[test]
    fn what_is_of_an_environment_has_one_spelling() {
        for (line, expected) in [
            ("./.venv/bin/pytest ./a", ".venv/bin/pytest ./a"),
            ("../.venv/bin/pytest", "../.venv/bin/pytest"),
            ("./run.sh ./a", "./run.sh ./a"),
        ] {
            assert_eq!(spelled(&words(line)).join(" "), expected);
        }
        assert_eq!(spelled(&[]), [""; 0]);
    }

    #[test]
    fn what_activates_an_environment_stands_apart_from_the_command_behind_it() {
        for (line, script, command) in [
            ("source .venv/bin/activate && pytest -q", ".venv/bin/activate", "pytest -q"),
            (". ././venv/bin/activate", "venv/bin/activate", ""),
            ("source /r/venv/bin/activate && x", "/r/venv/bin/activate", "x"),
            ("source ../.venv/Scripts/activate && a && b", "../.venv/Scripts/activate", "a && b"),
        ] {
            let words = words(line);
            let (found, behind) = split(&words);
            assert_eq!((found.as_deref(), behind.join(" ").as_str()), (Some(script), command), "{line}");
        }
        for line in [
            "source bin/activate",
            "source .venv/bin/activate x",
            "source .venv/bin/other",
            "sh .venv/bin/activate",
            "source",
        ] {
            assert_eq!(split(&words(line)), (None, words(line).as_slice()), "{line}");
        }
        assert_eq!(super::behind(Some("a"), words("b c")).join(" "), "source a && b c");
        assert_eq!(super::behind(None, words("b c")), words("b c"));
    }
}
