//! Options right behind a program's name, as in `make -s test`: those that decide how much is told, how many run at once, or
//! whether a host may be asked, and nothing else. A command is the same with and without them.

use super::environment;
use crate::read_only::options::is_number;

/// What stands for a number in an option.
const NUMBER: &str = "<number>";

/// For each program its options that take nothing from the next word, and where they are documented.
const EARLY: &[(&str, &[&str], &str)] = &[
    (
        "cargo",
        &["-q", "--quiet", "-v", "--verbose", "--locked", "--offline", "--frozen"],
        "https://doc.rust-lang.org/cargo/commands/cargo.html",
    ),
    ("npm", &["-s", "--silent"], "https://docs.npmjs.com/cli/using-npm/config"),
    ("npx", &["--no-install", "--no"], "https://docs.npmjs.com/cli/commands/npx"),
    ("yarn", &["-s", "--silent"], "https://classic.yarnpkg.com/en/docs/cli/run"),
    ("pnpm", &["-s", "--silent"], "https://pnpm.io/cli/run"),
    (
        "make",
        &["-s", "--silent", "--quiet", "-k", "--keep-going", "-j<number>", "--no-print-directory"],
        "https://www.gnu.org/software/make/manual/html_node/Options-Summary.html",
    ),
    (
        "ninja",
        &["-v", "--verbose", "--quiet", "-j<number>", "-k<number>"],
        "https://ninja-build.org/manual.html",
    ),
    ("just", &["-q", "--quiet"], "https://just.systems/man/en/"),
    ("mvn", MAVEN, "https://maven.apache.org/ref/current/maven-embedder/cli.html"),
    ("./mvnw", MAVEN, "https://maven.apache.org/ref/current/maven-embedder/cli.html"),
    ("gradle", GRADLE, "https://docs.gradle.org/current/userguide/command_line_interface.html"),
    ("./gradlew", GRADLE, "https://docs.gradle.org/current/userguide/command_line_interface.html"),
];

const MAVEN: &[&str] = &[
    "-q",
    "--quiet",
    "-B",
    "--batch-mode",
    "-ntp",
    "--no-transfer-progress",
    "-o",
    "--offline",
    "-e",
    "-T<number>",
];

const GRADLE: &[&str] =
    &["-q", "--quiet", "--info", "--stacktrace", "--no-daemon", "--offline", "--parallel", "--continue"];

/// What has such options behind its second word. Source: https://docs.astral.sh/uv/reference/cli/.
const RUNS: [&str; 2] = ["uv", "run"];
const OF_RUN: &[&str] = &["--frozen", "--locked", "--offline", "--no-sync", "-q", "--quiet"];

/// The words of a command without such options, and with the program of an environment in its shortest spelling.
pub(in crate::trust) fn without(words: &[String]) -> Vec<String> {
    let words = &by_npx(environment::spelled(words));
    let known = environment::plain(words);
    let early = known
        .first()
        .map_or(0, |program| words.iter().skip(1).take_while(|word| is_early(program, word)).count());
    let (program, rest) = words.split_at(words.len().min(1));
    let words: Vec<String> = program.iter().chain(rest.iter().skip(early)).cloned().collect();
    match words.split_at_checked(RUNS.len()) {
        Some((runs, rest)) if runs == RUNS => {
            let rest = rest.iter().skip_while(|word| OF_RUN.contains(&word.as_str()));
            runs.iter().chain(rest).cloned().collect()
        }
        _ => words,
    }
}

/// Where npm puts the programs of a folder's packages: `npx tsc` runs what lies there.
const INSTALLED: &str = "node_modules/.bin/";

/// A program of that folder as npx starts it.
fn by_npx(words: Vec<String>) -> Vec<String> {
    let name = words.first().and_then(|program| program.trim_start_matches("./").strip_prefix(INSTALLED));
    match name.filter(|name| !name.is_empty() && !name.contains('/') && !name.starts_with('-')) {
        Some(name) => {
            ["npx", name].into_iter().map(str::to_owned).chain(words.iter().skip(1).cloned()).collect()
        }
        None => words,
    }
}

fn is_early(program: &str, word: &str) -> bool {
    let of_it = EARLY.iter().filter(|(name, ..)| *name == program).flat_map(|(_, options, _)| options.iter());
    of_it.into_iter().any(|option| match option.strip_suffix(NUMBER) {
        Some(option) => word.strip_prefix(option).is_some_and(is_number),
        None => word == *option,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(line: &str) -> String {
        without(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()).join(" ")
    }

    // D-32
    #[test]
    fn options_right_behind_the_name_are_left_out() {
        assert_eq!(left("make -s -j8 test"), "make test");
        assert_eq!(left("mvn -q -B -T4 test -o"), "mvn test -o");
        assert_eq!(left("npx --no-install tsc -p ."), "npx tsc -p .");
        assert_eq!(left("./node_modules/.bin/tsc -p ."), "npx tsc -p .");
        assert_eq!(left("web/node_modules/.bin/tsc -p ."), "web/node_modules/.bin/tsc -p .");
        assert_eq!(left("cargo --locked -q test -q"), "cargo test -q");
        assert_eq!(left("uv run --frozen -q pytest -q"), "uv run pytest -q");
        for line in [
            "make -j test",
            "make -j8x test",
            "make -C sub test",
            "cargo -C sub test",
            "npm -t test",
            "x -s y",
            "make",
        ] {
            assert_eq!(left(line), line);
        }
        assert_eq!(without(&[]), Vec::<String>::new());
    }

    #[test]
    fn every_program_has_a_source_and_options() {
        for (program, options, source) in EARLY {
            assert!(source.starts_with("https://"), "{program}");
            assert!(
                options.iter().all(|option| option.starts_with('-') && !option.contains('=')),
                "{program}"
            );
        }
    }
}
