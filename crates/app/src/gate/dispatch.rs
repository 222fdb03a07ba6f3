//! Which files a command may run what is in them: a yes to `sh run.sh` is bound to the script's content (D-17).
//!
//! Over-inclusive on purpose: one name too many asks once more, one too few would let a rewritten script run on an old
//! yes (threats B9, B10). No shell is parsed; what a pattern or a program's own search path leads to is not known here.

/// Manifests that common runners dispatch to: a yes to `npm test` is bound to what `package.json` says.
const MANIFESTS: &[(&str, &[&str])] = &[
    ("make", &["Makefile", "makefile", "GNUmakefile"]),
    ("just", &["justfile", "Justfile"]),
    ("npm", &["package.json"]),
    ("npx", &["package.json"]),
    ("pnpm", &["package.json"]),
    ("yarn", &["package.json"]),
    ("bun", &["package.json"]),
    ("cargo", &["Cargo.toml", "build.rs", ".cargo/config.toml"]),
    ("pytest", &["conftest.py", "pyproject.toml", "pytest.ini"]),
    ("go", &["go.mod"]),
];

/// Words before the name of a folder that the rest runs in.
const MOVERS: &[&str] = &["cd", "pushd", "-C", "--prefix", "--cwd", "--dir", "--directory"];

/// How many words are looked up, far more than a person would read; and in how many folders.
const MOST_WORDS: usize = 1024;
const MOST_FOLDERS: usize = 4;

/// Names of files that the command may dispatch to, below the folder that it starts in.
pub(super) fn names(command: &str) -> Vec<String> {
    let words = words(command);
    let manifests = MANIFESTS.iter().filter(|(head, _)| words.iter().any(|word| word == head));
    let mut names: Vec<String> = words.iter().filter(|word| !word.starts_with('-')).cloned().collect();
    names.extend(manifests.flat_map(|(_, files)| files.iter().map(ToString::to_string)));
    let folders = folders(&words);
    let below = folders.iter().flat_map(|folder| names.iter().map(move |name| (folder, name)));
    let moved: Vec<String> = below.map(|(folder, name)| super::case::in_folder(Some(folder), name)).collect();
    names.extend(moved);
    names
}

/// The words in the order in which they stand, each once: as they are between quotes, and with the quotes left out.
fn words(command: &str) -> Vec<String> {
    let bare = command.replace(['"', '\'', '\\'], "");
    let parts = |text: &'_ str| -> Vec<String> {
        text.split(|c: char| c.is_whitespace() || ";&|()<>'\"`=".contains(c)).map(str::to_owned).collect()
    };
    let mut words: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for word in parts(command).into_iter().chain(parts(&bare)).filter(|word| !word.is_empty()) {
        let again = MOVERS.contains(&word.as_str());
        if words.len() < MOST_WORDS && (seen.insert(word.clone()) || again) {
            words.push(word);
        }
    }
    words
}

/// The folders that the command moves to, each alone and below those before it.
fn folders(words: &[String]) -> Vec<String> {
    let mut folders: Vec<String> = Vec::new();
    let mut last: Option<String> = None;
    for pair in words.windows(2) {
        let [mover, folder] = pair else { continue };
        if folders.len() >= MOST_FOLDERS || !MOVERS.contains(&mover.as_str()) {
            continue;
        }
        let nested = super::case::in_folder(last.as_deref(), folder);
        if nested != *folder {
            folders.push(folder.clone());
        }
        folders.push(nested.clone());
        last = Some(nested);
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::names;

    // D-17, threat B9, threat B10
    #[test]
    fn scripts_and_manifests_are_found_behind_quotes_folders_and_padding() {
        let padded =
            format!("echo {}; sh a/run.sh", (0..200).map(|n| n.to_string()).collect::<Vec<_>>().join(" "));
        for (command, name) in [
            ("sh a/run.sh", "a/run.sh"),
            ("cd a && sh run.sh", "a/run.sh"),
            ("cd a && cd b && sh run.sh", "a/b/run.sh"),
            ("sh a/\"run\".sh", "a/run.sh"),
            ("sh 'a/run.sh'", "a/run.sh"),
            ("sh a/ru\\n.sh", "a/run.sh"),
            ("npm --prefix a test", "a/package.json"),
            ("npm --prefix=a test", "a/package.json"),
            ("make -C a", "a/Makefile"),
            (padded.as_str(), "a/run.sh"),
        ] {
            assert!(names(command).iter().any(|found| found == name), "{command}: {:?}", names(command));
        }
    }

    // D-17
    #[test]
    fn the_names_of_the_longest_command_are_few() {
        let long: String = (0..20_000).map(|n| format!("cd w{n} ")).collect();
        assert!(names(&long).len() < 10_000);
    }
}
