//! Names by which a command, a script or a target publishes something.

/// Words that publish, wherever a program takes a subcommand or the name of a script.
const PUBLISHES: &[&str] = &["push", "unpublish", "yank", "deprecate"];

/// Words that act on an account. As words behind a runner of tests they pick tests.
const ACCOUNTS: &[&str] = &["login", "logout", "adduser", "owner"];

/// Beginnings of such words.
const PUBLISH_STEMS: &[&str] = &["publish", "deploy", "release", "upload"];

/// Beginnings of words for what writes to the system, as a target of a runner.
const INSTALL_STEMS: &[&str] = &["install", "uninstall"];

/// Whether a name says that something is published.
pub(super) fn is_publishing(name: &str) -> bool {
    parts_of(name).iter().any(|part| publishes(part) || ACCOUNTS.contains(&part.as_str()))
}

fn publishes(part: &str) -> bool {
    PUBLISHES.contains(&part) || begins_with(PUBLISH_STEMS, part)
}

fn begins_with(stems: &[&str], part: &str) -> bool {
    stems.iter().any(|stem| part.starts_with(stem))
}

/// Whether what a runner would run by this name publishes something, or writes to the system.
pub(super) fn reaches_out(name: &str) -> bool {
    is_publishing(name) || parts_of(name).iter().any(|part| begins_with(INSTALL_STEMS, part))
}

/// Whether a script that a person wrote may run something that reaches out by this word: some run the scripts or targets that
/// their words name, also by a pattern. Files of tests are named by words that no script has.
pub(super) fn reaches_out_of_a_script(word: &str) -> bool {
    if word.contains(['?', '[', '{', '(', '!']) {
        return true;
    }
    if is_source(word) {
        return runs_what_publishes(word);
    }
    let names_one = |part: &String| publishes(part) || begins_with(INSTALL_STEMS, part);
    !is_test(word) && (word.contains('*') || parts_of(word).iter().any(names_one))
}

/// Whether a word is the path of one source file: no script and no target is called so.
fn is_source(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    word.contains('/') && !word.contains(['*', ':']) && SOURCES.contains(&ending)
}

/// Endings of such files.
const SOURCES: &[&str] = &[
    "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "css", "scss", "html", "md", "php",
];

/// Whether a value is a text in words, as an option that picks tests has it: no script and no target is called so.
pub(super) fn is_sentence(value: &str) -> bool {
    value.contains(' ') && value.chars().all(|sign| sign.is_alphanumeric() || " ,.'".contains(sign))
}

/// Whether a script of this name runs tests.
pub(super) fn names_tests(script: &str) -> bool {
    const NAMES: &[&str] = &["t", "test", "tests", "spec", "specs", "e2e", "unit", "jest", "vitest", "mocha"];
    parts_of(script).iter().any(|part| NAMES.contains(&part.as_str()))
}

/// Whether a file publishes by its name, where a word makes a runner of tests run it. Each part of a module's name counts.
pub(super) fn runs_what_publishes(word: &str) -> bool {
    let name = file_of(word).trim_end_matches('/').rsplit('/').next().unwrap_or(word);
    let is_one = |parts: Vec<String>| {
        let is_test = parts.first().is_some_and(|part| TEST_PARTS.contains(&part.as_str()));
        !is_test && parts.iter().any(|part| publishes(part))
    };
    name.split('.').any(|part| is_one(parts_of(part))) && !is_test(word)
}

/// Whether a pattern may name a file that is no test, so that nobody knows what is run by it.
pub(super) fn may_name_any(word: &str) -> bool {
    file_of(word).contains(['*', '?', '[', '(', '!']) && !is_test(word)
}

/// Folders that hold tests, and what the names of tests begin or end with.
const TEST_FOLDERS: &[&str] = &["test", "tests", "__tests__", "spec", "specs", "e2e"];
const TEST_PARTS: &[&str] = &["test", "tests", "spec", "specs"];

/// Whether a word names a test by its folder or as a file.
fn is_test(word: &str) -> bool {
    let file = file_of(word);
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    // `tests/../scripts` is no folder of tests.
    let folders = folders.rsplit_once("..").map_or(folders, |(_, folders)| folders);
    let is_named = name.rsplit_once('.').is_some_and(|(stem, _)| {
        let parts = parts_of(stem);
        let ends = [parts.first(), parts.last()];
        ends.into_iter().flatten().any(|part| TEST_PARTS.contains(&part.as_str()))
            || ["Test", "Tests", "Spec"].iter().any(|end| stem.ends_with(end))
    });
    !file.contains(':') && (is_named || folders.split('/').any(|folder| TEST_FOLDERS.contains(&folder)))
}

/// The file of `a.py::test_b`, `a.rb:12` and `a.rb[1:2]`.
fn file_of(word: &str) -> &str {
    let file = word.split("::").next().unwrap_or(word);
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b":,".contains(&byte));
    let line = file.rsplit_once(':').filter(|(_, line)| is_number(line));
    let numbers =
        file.strip_suffix(']').and_then(|file| file.rsplit_once('[')).filter(|(_, all)| is_number(all));
    numbers.or(line).map_or(file, |(file, _)| file)
}

fn parts_of(name: &str) -> Vec<String> {
    let lower = name.to_ascii_lowercase();
    lower.split(|sign: char| !sign.is_ascii_alphanumeric()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_test, may_name_any, reaches_out_of_a_script, runs_what_publishes};

    #[test]
    fn a_test_is_told_by_its_folder_or_its_name() {
        for word in [
            "src/deploy.test.ts",
            "test_deploy.py",
            "tests/deploy",
            "a/__tests__/release.js",
            "src/DeployTest.php",
            "spec/deploy_spec.rb:12",
            "x/test_deploy.py::test_a",
            "src/**/*.spec.ts",
        ] {
            assert!(is_test(word), "{word}");
            assert!(!reaches_out_of_a_script(word) && !runs_what_publishes(word), "{word}");
            assert!(!may_name_any(word), "{word}");
        }
        for word in
            ["spec/deploy_spec.rb[1:2]", "tests.deploy", "tests.test_a.T.test_deploy", "../tests/release.js"]
        {
            assert!(!runs_what_publishes(word) && !may_name_any(word), "{word}");
        }
        for word in ["scripts/d*.js", "src/?.py", "[d]eploy.js", "lib/@(a).rb"] {
            assert!(may_name_any(word) && !may_name_any(&format!("tests/{word}")), "{word}");
        }
        for word in [
            "tests/../scripts/deploy.js",
            "deploy:test",
            "deploy-test",
            "deploy:test.x",
            "test",
            "scripts/deploy-latest.mjs",
        ] {
            assert!(!is_test(word), "{word}");
        }
    }

    #[test]
    fn what_reaches_out_is_told_by_its_words() {
        for word in ["deploy:prod", "pre-release", "publish-all", "deploy:test", "install", "*", "d*:prod"] {
            assert!(reaches_out_of_a_script(word), "{word}");
        }
        for word in ["{deploy,x.test.ts}", "@(deploy).test.ts", "[d]eploy.test.ts", "deplo?.test.ts"] {
            assert!(reaches_out_of_a_script(word), "{word}");
        }
        for word in
            ["scripts/deploy.mjs", "install.ts", "src/install", "src/install:x.ts", "src/install/*.ts"]
        {
            assert!(reaches_out_of_a_script(word), "{word}");
        }
        for word in ["login", "src/a.ts", "adds a user", "*.test.ts", "src/install.ts", "src/deploy/a.ts"] {
            assert!(!reaches_out_of_a_script(word), "{word}");
        }
        for word in [
            "scripts/deploy.mjs",
            "release.py::x",
            "deploy",
            "scripts/deploy/",
            "upload.rb:3",
            "scripts.deploy",
            "a.release.b",
        ] {
            assert!(runs_what_publishes(word), "{word}");
        }
        for word in ["login", "src/deploy/index.js", "tests/*.py", ".", "app.T.test_publish"] {
            assert!(!runs_what_publishes(word), "{word}");
        }
    }
}
