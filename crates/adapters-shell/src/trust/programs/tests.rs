//! That the table is whole, and that nothing in it runs or loads something.

use super::*;

// D-32: one place, and a source in each line
#[test]
fn every_line_of_the_table_is_whole_and_has_a_source() {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(columns.len(), 4, "{line}");
        let mut further = columns[1].split(' ');
        assert!(
            further.next().is_some_and(|first| ["words", "packages", "one", "none"].contains(&first)),
            "{line}"
        );
        assert!(
            further.all(|word| {
                ["getopt", "scripts", "runs", "acts", "tests", "tags"].contains(&word)
                    || word.starts_with("not:")
            }),
            "{line}"
        );
        assert!(columns[3].starts_with("https://"), "{line}");
        assert!(columns[2].split_whitespace().all(|option| option.starts_with('-')), "{line}");
    }
    let spellings: Vec<&str> = rows().map(|(spelling, _)| spelling).collect();
    let once: std::collections::BTreeSet<&str> = spellings.iter().copied().collect();
    assert_eq!(once.len(), spellings.len(), "a spelling is there twice");
}

// D-32: an option whose next word may be a value or not takes it only where that word can be nothing else
#[test]
fn an_option_with_an_optional_value_says_which_words_are_one() {
    for (spelling, rest) in rows() {
        let rules = Rules::read(0, rest).unwrap();
        for rule in rules.options.iter().filter(|rule| rule.next) {
            let is_alone = rules.options.iter().any(|other| other.name == rule.name && other.value.is_none());
            assert!(
                !is_alone || !matches!(rule.value, Some("" | "*" | TARGET | RUN)),
                "{spelling}: {rule:?}"
            );
        }
        let kinds = rules.options.iter().filter_map(|rule| rule.value);
        let mut odd =
            kinds.filter(|kind| kind.starts_with('<') && ![NULL, NUMBER, TARGET, RUN].contains(kind));
        assert_eq!(odd.next(), None, "{spelling}");
    }
}

// D-32: options that run a program, load code, read settings or write where they are told
#[test]
fn no_line_has_an_option_that_runs_or_loads_something() {
    const NEVER: &[&str] = &[
        "--config",
        "--manifest-path",
        "--target-dir",
        "-exec",
        "-toolexec",
        "-overlay",
        "-o",
        "-Z",
        "--plugin",
        "--plugins",
        "--rulesdir",
        "--require",
        "-I",
        "--init-script",
        "--load-plugins",
        "--rootdir",
        "--import-mode",
        "--globalSetup",
        "--script-shell",
        "-C",
        "--directory",
        "--prefix",
        "--cwd",
        "--eval",
        "-ldflags",
        "-gcflags",
        "-modfile",
        "--python-executable",
        "--no-verify",
        "--amend",
        "--upload-pack",
        "-D",
        "-P",
    ];
    for (spelling, rest) in rows() {
        let rules = Rules::read(0, rest).unwrap();
        let found = rules.options.iter().find(|rule| {
            // Lint levels of the compiler; Jest's "only changed"; Maven's "offline"; the kind of build of CMake.
            let is_other = (rule.name == "-D" && spelling == "cargo clippy --")
                || (rule.name == "--config" && spelling == "cmake --build *")
                || (rule.name == "-o" && (spelling.contains("jest") || spelling.contains("mvn")));
            NEVER.contains(&rule.name) && !is_other && rule.value != Some(NULL)
        });
        assert!(found.is_none(), "{spelling}: {found:?}");
    }
}
