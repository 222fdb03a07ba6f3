//! Which commands test, lint or build: `verifying.txt`.

use crate::words::Line;

const TABLE: &str = include_str!("verifying.txt");

/// The words of the one command of a line, where it tests, lints or builds. The exit status of a longer line may be another
/// command's.
pub(crate) fn verifying(line: Line) -> Option<Vec<String>> {
    let is_alone = matches!(line.commands.as_slice(), [command] if !crate::trust::is_wrapped(command));
    let apart = crate::trust::take_apart(line).ok().filter(|_| is_alone)?;
    apart.commands.into_iter().map(|command| command.words).find(|words| is_verifying(words))
}

fn is_verifying(words: &[String]) -> bool {
    spellings().any(|spelling| {
        let head: Vec<&str> = spelling.split(' ').collect();
        // `make` alone builds; `make deploy` does not.
        let is_whole = head.as_slice() != ["make"] || words.get(1).is_none_or(|word| word.starts_with('-'));
        words.len() >= head.len()
            && is_whole
            && words.iter().zip(&head).all(|(word, part)| *part == "*" || word == part)
    })
}

/// What the table names.
fn spellings() -> impl Iterator<Item = &'static str> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.filter_map(|line| line.split_once(" | ")).flat_map(|(spellings, _)| spellings.split(", "))
}

#[cfg(test)]
mod tests {
    use super::{TABLE, spellings};
    use crate::ReadOnlyTable;

    #[test]
    fn each_line_says_what_it_does_and_where_that_stands() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let columns: Vec<&str> = line.split(" | ").collect();
            let [_, does, source] = columns.as_slice() else { panic!("{line}") };
            assert!(["test", "lint", "build"].contains(does) && source.starts_with("https://"), "{line}");
        }
        let mut all: Vec<&str> = spellings().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "a spelling stands twice");
    }

    // REQ 168, issue 6
    #[test]
    fn tests_lints_and_builds_are_known_by_their_words() {
        for (command, words) in [
            ("cargo test -p app login", "cargo test -p app login"),
            ("cd web && npm test", "npm test"),
            ("RUST_BACKTRACE=1 cargo test 2>&1", "cargo test"),
            ("make -j4", "make -j4"),
            ("cmake --build out", "cmake --build out"),
        ] {
            let found = ReadOnlyTable::verifying(command).unwrap_or_default();
            assert_eq!(found.join(" "), words, "{command}");
        }
        for command in [
            "cargo run",
            "make deploy",
            "npm install",
            "rm -rf target",
            "cargo test | tail -5",
            "cargo test; echo done",
            "cargo test && rm -rf src",
            "cargo build && cargo test",
            "sh -c 'cargo test'",
            "ls",
            "",
        ] {
            assert_eq!(ReadOnlyTable::verifying(command), None, "{command}");
        }
    }
}
