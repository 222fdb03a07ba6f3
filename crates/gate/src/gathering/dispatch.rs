//! The files whose content a command may run: an approval of `sh run.sh` is bound to the script's content (ADR 0007).
//!
//! Over-inclusive on purpose: one name too many asks once more, one too few would let a rewritten script run on an old
//! approval. No shell is parsed; what a pattern, a variable or a program's own search path leads to is not
//! known here, and the question says so where such a word stands for what runs.

mod manifests;

use manifests::MANIFESTS;

/// Words before the name of a folder that the rest runs in.
const MOVERS: &[&str] = &["cd", "pushd", "-C", "--prefix", "--cwd", "--dir", "--directory"];

/// The option of Python before the name of a module.
const MODULE: &str = "-m";

/// Programs that run the file behind them.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "fish", "source", ".", "exec", "env", "sudo", "time", "nohup", "xargs",
    "python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "pwsh", "powershell", "run",
];

/// Whether a runner dispatches to a file of this name, so that it counts where it is not there yet.
pub(crate) fn is_manifest(name: &str) -> bool {
    let is_named = |file: &&str| name.strip_suffix(*file).is_some_and(ends_folder);
    MANIFESTS.iter().any(|(_, files)| files.iter().any(is_named))
}

/// Whether what stands before a name is nothing or a folder.
fn ends_folder(before: &str) -> bool {
    before.is_empty() || before.ends_with('/')
}

/// How many words are looked up, far more than a person would read; and in how many folders.
const MOST_WORDS: usize = 1024;
const MOST_FOLDERS: usize = 4;

/// Names of files that the command may dispatch to, below the folder that it starts in.
pub(crate) fn names(command: &str) -> Vec<String> {
    let words = words(command);
    let runs = |head: &&str| words.iter().any(|word| base(word) == *head);
    let manifests = MANIFESTS.iter().filter(|(heads, _)| heads.iter().any(&runs));
    let mut names: Vec<String> = words.iter().filter(|word| !word.starts_with('-')).cloned().collect();
    names.extend(modules(&words));
    names.extend(manifests.flat_map(|(_, files)| files.iter().map(ToString::to_string)));
    let folders = folders(&words);
    let below = folders.iter().flat_map(|folder| names.iter().map(move |name| (folder, name)));
    let moved: Vec<String> = below.map(|(folder, name)| super::case::in_folder(Some(folder), name)).collect();
    names.extend(moved);
    names
}

/// The name of a program without its folder.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The files of the modules that `python -m` runs.
fn modules(words: &[String]) -> Vec<String> {
    let named = words.windows(2).filter_map(|pair| match pair {
        [option, module] if option == MODULE => Some(module.replace('.', "/")),
        _ => None,
    });
    let files =
        named.flat_map(|at| [format!("{at}.py"), format!("{at}/__main__.py"), format!("{at}/__init__.py")]);
    files.collect()
}

/// Files that a makefile includes by name, below its own folder.
pub(crate) fn included(name: &str, content: &[u8]) -> Vec<String> {
    let file = base(name).to_lowercase();
    if !(file.ends_with("makefile") || file.ends_with(".mk") || file.starts_with("makefile.")) {
        return Vec::new();
    }
    let folder = name.rsplit_once('/').map(|(folder, _)| folder);
    let text = String::from_utf8_lossy(content);
    let lines = text.lines().filter_map(|line| {
        let (word, files) = line.trim().split_once([' ', '\t'])?;
        matches!(word, "include" | "-include" | "sinclude").then_some(files)
    });
    let named = |files: &'_ str| -> Vec<String> {
        files.split_whitespace().take_while(|file| !file.starts_with('#')).map(str::to_owned).collect()
    };
    let files = lines.flat_map(named);
    let literal = files.filter(|file| !file.contains(['$', '*', '?', '[']));
    literal.map(|file| super::case::in_folder(folder, &file)).take(MOST_WORDS).collect()
}

/// Words that stand for what runs and lead to a file that only a shell can tell: patterns, variables, substitutions. At
/// most a few are named.
pub(crate) fn unbound(command: &str) -> Vec<String> {
    const NAMED: usize = 3;
    let mut loose: Vec<String> = Vec::new();
    for part in without_texts(command).split([';', '&', '|', '\n', '(', ')']) {
        let words = part.split_whitespace().skip_while(|word| word.contains('=') && !word.starts_with('-'));
        let mut runs = true;
        for word in words {
            let is_loose = word.contains(['*', '?', '[', '$', '`']);
            if runs && is_loose && loose.len() < NAMED && !loose.iter().any(|known| known == word) {
                loose.push(word.to_owned());
            }
            runs = runs && !is_loose && (word.starts_with('-') || RUNNERS.contains(&base(word)));
        }
    }
    loose
}

/// Where one of these stands, a quote may be none, or end elsewhere.
const OTHER_QUOTES: [&str; 5] = ["#", "$'", "<<", "$(", "`"];

/// A command without what stands between single quotes, which no shell takes for more than a text; as it is where it is not plain
/// which of its quotes those are.
fn without_texts(command: &str) -> String {
    if OTHER_QUOTES.iter().any(|sign| command.contains(sign)) {
        return command.to_owned();
    }
    let (mut kept, mut rest, mut is_quoted) = (String::new(), command.chars(), false);
    while let Some(sign) = rest.next() {
        match sign {
            '\\' => {
                kept.push(sign);
                kept.extend(rest.next());
                continue;
            }
            '"' => is_quoted = !is_quoted,
            '\'' if !is_quoted && let Some((_, behind)) = rest.as_str().split_once('\'') => {
                kept.push_str("''");
                rest = behind.chars();
                continue;
            }
            _ => {}
        }
        kept.push(sign);
    }
    kept
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
        let again = word == MODULE || MOVERS.contains(&word.as_str());
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
    use super::{MOST_WORDS, included, is_manifest, names, unbound, words};

    // D-17, threat B9, threat B10
    #[test]
    fn scripts_and_manifests_are_found_behind_quotes_folders_and_padding() {
        let padded =
            format!("echo {}; sh a/run.sh", (0..200).map(|n| n.to_string()).collect::<Vec<_>>().join(" "));
        for (command, name) in [
            ("sh a/run.sh", "a/run.sh"),
            ("cd a && sh run.sh", "a/run.sh"),
            ("cd a && cd b && sh run.sh", "a/b/run.sh"),
            ("cd a && cd b && sh run.sh", "b/run.sh"),
            ("sh a/\"run\".sh", "a/run.sh"),
            ("sh 'a/run.sh'", "a/run.sh"),
            ("sh a/ru\\n.sh", "a/run.sh"),
            ("npm --prefix a test", "a/package.json"),
            ("npm --prefix=a test", "a/package.json"),
            ("make -C a", "a/Makefile"),
            (padded.as_str(), "a/run.sh"),
            // A15
            ("python -m tools.release", "tools/release.py"),
            ("cd a && python3 -m pkg", "a/pkg/__main__.py"),
            ("pip install -e .", "pyproject.toml"),
            ("python -m pytest", "pyproject.toml"),
            ("./mvnw test", "pom.xml"),
            ("./gradlew build", "build.gradle"),
            ("gradle build", "build.gradle.kts"),
            ("tox -e py", "tox.ini"),
            ("nox", "noxfile.py"),
            ("tox -e py", "tox.toml"),
            ("tox -e py", "pyproject.toml"),
            ("task build", "Taskfile.dist.yaml"),
            ("task build", "taskfile.dist.yml"),
            ("rake test", "rakefile.rb"),
            ("just build", "JUSTFILE"),
            ("pytest", ".pytest.ini"),
            ("flake8 src", ".flake8"),
            ("npx mocha", ".mocharc.yaml"),
            ("npx prettier --check .", ".prettierrc.cjs"),
            ("npx eslint .", "eslint.config.ts"),
            ("bundle exec rubocop", ".rubocop.yml"),
            ("mix credo", ".credo.exs"),
            ("cargo nextest run", ".config/nextest.toml"),
            ("golangci-lint run", ".golangci.yaml"),
            ("docker compose up", "compose.override.yaml"),
            ("docker-compose -f x.yml up", "docker-compose.yml"),
            ("npx jest", "jest.config.js"),
            ("npm test", "vitest.config.ts"),
            ("rake deploy", "Rakefile"),
            ("bundle exec rake", "Gemfile"),
            ("S=a/run.sh; sh $S", "a/run.sh"),
        ] {
            assert!(names(command).iter().any(|found| found == name), "{command}: {:?}", names(command));
        }
    }

    // D-17: what another program runs is no name of this command
    #[test]
    fn a_command_has_the_manifests_of_its_own_programs_alone() {
        for (command, name, expected) in [
            ("npm test", "package.json", true),
            ("/usr/bin/npm test", "package.json", true),
            ("npm test", "Cargo.toml", false),
            ("echo cargo-npm", "package.json", false),
        ] {
            assert_eq!(names(command).iter().any(|found| found == name), expected, "{command} {name}");
        }
        for (name, expected) in [
            ("package.json", true),
            ("web/package.json", true),
            ("my-package.json", false),
            ("package.json.bak", false),
        ] {
            assert_eq!(is_manifest(name), expected, "{name}");
        }
    }

    // D-17
    #[test]
    fn words_count_once_but_for_what_stands_before_a_folder() {
        assert_eq!(words("cd a && cd b && sh b"), ["cd", "a", "cd", "b", "sh", "cd", "cd"]);
        assert_eq!(words("python -m a -m b"), ["python", "-m", "a", "-m", "b", "-m", "-m"]);
        let text = |count: usize| (0..count).map(|number| format!("w{number} ")).collect::<String>();
        assert_eq!(words(&text(MOST_WORDS - 1)).len(), MOST_WORDS - 1);
        assert_eq!(words(&text(MOST_WORDS + 1)).len(), MOST_WORDS);
    }

    // A15
    #[test]
    fn makefiles_bind_what_they_include_by_name() {
        let text = b"all:\n\techo\ninclude rules.mk ../common.mk $(X).mk # not this\n-include local.mk\n";
        assert_eq!(included("a/Makefile", text), ["a/rules.mk", "a/../common.mk", "a/local.mk"]);
        assert_eq!(included("Makefile", text), ["rules.mk", "../common.mk", "local.mk"]);
        assert!(included("a/run.sh", text).is_empty());
    }

    // A15
    #[test]
    fn what_only_a_shell_can_tell_is_named_as_not_bound() {
        for (command, loose) in [
            ("sh scripts/*.sh", vec!["scripts/*.sh"]),
            ("X=1 bash -e $SCRIPT a b", vec!["$SCRIPT"]),
            ("$RUN --now; python \"$P\"", vec!["$RUN", "\"$P\""]),
            ("cd a && ./tools/[ab].sh", vec!["./tools/[ab].sh"]),
            ("rm *.o && git commit -m 'costs $5'", vec![]),
            ("cargo test -- 'a*'", vec![]),
            ("grep -v $PATTERN src/*", vec![]),
            ("jq '.a[] | .[0]; *b' x.json && sh *a", vec!["*a"]),
            ("sh 'it'\\''s' \"it's\"; $RUN \"that's\"", vec!["$RUN"]),
            ("sh *a; sh *a; sh *b; sh *c; sh *d", vec!["*a", "*b", "*c"]),
            ("echo $'\\'' ; sh $X ; echo 'b'", vec!["$X"]),
            ("# it's\nsh $X a\necho 'a'", vec!["$X"]),
            ("sh ./a.sh # it's\nsh $X; echo 'done'", vec!["$X"]),
            ("cat <<'EOF' > src/n\ndon't\nEOF\nsh $X\necho 'b'", vec!["$X"]),
            ("echo \"$(echo 'a\"b')\"; sh $X; echo 'z'", vec!["$X"]),
        ] {
            assert_eq!(unbound(command), loose, "{command}");
        }
    }

    // D-17
    #[test]
    fn the_names_of_the_longest_command_are_few() {
        let long: String = (0..20_000).map(|n| format!("cd w{n} ")).collect();
        assert!(names(&long).len() < 10_000);
    }
}
