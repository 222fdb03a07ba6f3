//! No file is half merged: what git writes where two changes meet is not there.

use crate::workspace::TextFile;

const MARKS: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];

/// The lines that git wrote.
pub(crate) fn check(file: &TextFile) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    let left = lines.filter(|(_, line)| MARKS.iter().any(|mark| line.starts_with(mark)));
    left.map(|(at, _)| format!("{}:{}: a merge is not finished here", file.path, at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::workspace::TextFile;

    #[test]
    fn what_git_writes_between_two_changes_is_found() {
        let text = |mark: &str| format!("one\n{mark}HEAD\ntwo\n");
        for mark in super::MARKS {
            let found = check(&TextFile::sample("docs/a.md", &text(mark)));
            assert_eq!(found, ["docs/a.md:2: a merge is not finished here"], "{mark}");
        }
        assert!(check(&TextFile::sample("docs/a.md", &text("    <<<<<<< "))).is_empty());
    }
}
