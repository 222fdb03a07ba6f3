//! What a program tells of itself and of what it works on: whoever allowed `go test` lets `go` start, with all that it may load or
//! fetch before it does anything. So `go version` and `go doc fmt` need no further yes.

use super::forms::environment;

/// Words that start the program behind them.
const LAUNCHERS: &[&[&str]] = &[
    &[],
    &["npx"],
    &["pnpm", "exec"],
    &["cargo"],
    &["python", "-m"],
    &["python3", "-m"],
    &["uv", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["bundle", "exec"],
];

/// Programs that say no more than their version by `-V`. Others say it and go on, as Yarn, Maven and Gradle do.
const BY_V: &[&str] = &["cargo", "pytest", "ruff", "mypy"];

/// Commands of the table that only tell, by their programs.
const TELL: &[(&str, &[&str])] = &[
    ("go", &["doc", "list"]),
    ("cargo", &["tree", "metadata"]),
    ("npm", &["ls", "list", "run", "run-script"]),
    ("pnpm", &["ls", "list"]),
    ("gradle", &["dependencies", "projects", "tasks"]),
    ("./gradlew", &["dependencies", "projects", "tasks"]),
];

/// Whether a command only tells, and its program is the one that the allowed words start.
pub(super) fn only_tells(allowed: &[String], words: &[String]) -> bool {
    let (Some(program), Some(verb)) = (words.first(), words.get(1)) else { return false };
    // Without the name of a script it lists them.
    let is_list = !verb.starts_with("run") || words.len() == 2;
    let is_one =
        |(name, verbs): &(&str, &[&str])| is_list && name == program && verbs.contains(&verb.as_str());
    allowed.first() == Some(program) && TELL.iter().any(is_one)
}

/// Whether the words only ask for the version or the usage of the program that the allowed ones start.
pub(super) fn is_asked(allowed: &[String], words: &[String]) -> bool {
    let Some((question, program)) = words.split_last() else { return false };
    let short = program.first().map(String::as_str);
    let is_question = match question.as_str() {
        "--version" | "--help" => true,
        "-V" => short.is_some_and(|name| BY_V.contains(&name)),
        "version" => program == ["go"],
        "-v" => {
            matches!(program, [tool] if ["mvn", "./mvnw", "gradle", "./gradlew"].contains(&tool.as_str()))
        }
        _ => false,
    };
    let plain = environment::plain(program);
    let Some((name, launcher)) = plain.split_last() else { return false };
    let is_own = launcher == ["cargo"] && matches!(name.as_str(), "xtask" | "make");
    let is_program = LAUNCHERS.iter().any(|known| launcher == *known) && !name.starts_with('-') && !is_own;
    is_question && is_program && allowed.starts_with(program)
}

#[cfg(test)]
mod tests {
    use super::{is_asked, only_tells};

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_version_is_asked_of_a_program_that_may_start() {
        for (allowed, asked) in [
            ("go test", "go version"),
            ("pnpm test", "pnpm --version"),
            ("npx tsc --noEmit", "npx tsc --version"),
            ("python -m pytest", "python -m pytest --version"),
            ("cargo clippy", "cargo clippy -V"),
            ("cargo clippy", "cargo clippy --help"),
            ("pytest", "pytest --version"),
            (".venv/bin/python -m pytest", ".venv/bin/python -m pytest --version"),
        ] {
            assert!(is_asked(&words(allowed), &words(asked)), "{asked}");
        }
        for (allowed, asked) in [
            ("go test", "pnpm --version"),
            ("npm test", "npm version"),
            ("npx tsc", "npx vite --version"),
            ("yarn lint", "yarn lint --version"),
            ("npm run lint", "npm run lint --version"),
            ("python -m pytest", "python -m --version"),
            ("pytest", "pytest tests --version"),
            ("pytest", "pytest"),
            ("pytest", "--version"),
            ("yarn test", "yarn -V"),
            ("cargo xtask ci", "cargo xtask --help"),
            ("mvn test", "mvn -V"),
            ("./gradlew test", "./gradlew -V"),
        ] {
            assert!(!is_asked(&words(allowed), &words(asked)), "{asked}");
        }
        assert!(!is_asked(&[], &[]));
        assert!(only_tells(&words("go test"), &words("go doc fmt")));
        assert!(only_tells(&words("npm test"), &words("npm run")));
        for (allowed, asked) in [
            ("npm test", "go doc fmt"),
            ("go test", "go env"),
            ("go test", "go"),
            ("npm test", "npm run build"),
            ("cargo test", "cargo doc"),
        ] {
            assert!(!only_tells(&words(allowed), &words(asked)), "{asked}");
        }
    }
}
