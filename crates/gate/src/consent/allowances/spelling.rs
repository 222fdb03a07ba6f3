//! How the program of a command is spelled: by its whole path, it is the same as by its path from the folder that it runs in.

use bailiwick_domain::RepoPath;

use crate::gathering::case::sets_a_variable;

/// What the shell runs in itself; the file behind it is what counts.
const RUNS_IN_SHELL: &[&str] = &["source", "."];

/// A command with its program spelled from the folder of the root that it runs in, where it lies below that.
pub(super) fn from_folder(words: &[String], root: &str, place: Option<&RepoPath>) -> Vec<String> {
    let set = words.len() - from_program(words).len();
    let in_shell = words.iter().skip(set).take_while(|word| RUNS_IN_SHELL.contains(&word.as_str()));
    let count = set + in_shell.count();
    let short = |(at, word): (usize, &String)| match below(word, root, place) {
        Some(path) if at == count => path,
        _ => word.clone(),
    };
    words.iter().enumerate().map(short).collect()
}

/// A command without the variables that are set before it.
pub(super) fn from_program(words: &[String]) -> &[String] {
    let (_, command) = words.split_at(words.iter().take_while(|word| sets_a_variable(word)).count());
    command
}

/// The script that a command's shell runs in itself first.
pub(super) fn activated(words: &[String]) -> Option<&str> {
    match from_program(words) {
        [source, script, ..] if RUNS_IN_SHELL.contains(&source.as_str()) => Some(script),
        _ => None,
    }
}

/// The path below the folder.
fn below(word: &str, root: &str, place: Option<&RepoPath>) -> Option<String> {
    let path = word.strip_prefix(root)?.strip_prefix('/')?;
    let path = match place {
        Some(folder) => path.strip_prefix(folder.as_str())?.strip_prefix('/')?,
        None => path,
    };
    // Without a slash it would be a program of the search path.
    Some(if path.contains('/') { path.to_owned() } else { format!("./{path}") })
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::RepoPath;

    use super::from_folder;

    #[test]
    fn a_program_of_the_folder_is_spelled_from_there() {
        let api = RepoPath::new("api").unwrap();
        for (line, place, expected) in [
            ("/r/.venv/bin/pytest -q /r/t", None, ".venv/bin/pytest -q /r/t"),
            ("A=/r/x B=1 /r/.venv/bin/pytest -q", None, "A=/r/x B=1 .venv/bin/pytest -q"),
            ("source /r/.venv/bin/activate", None, "source .venv/bin/activate"),
            ("/r/api/bin/x", Some(&api), "bin/x"),
            ("/r/bin/x", Some(&api), "/r/bin/x"),
            ("/r/apis/bin/x", Some(&api), "/r/apis/bin/x"),
            ("/rx/bin/x", None, "/rx/bin/x"),
            ("/r/gradlew test", None, "./gradlew test"),
            ("/usr/bin/x /r/bin/x", None, "/usr/bin/x /r/bin/x"),
            ("pytest /r/t/a", None, "pytest /r/t/a"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(from_folder(&words, "/r", place).join(" "), expected);
        }
        assert_eq!(from_folder(&[], "/r", None), [""; 0]);
    }
}
