//! The table of tasks: how each is typed, what it is for, and what runs it. The usage is written from the same rows, so a
//! task that is there is told.
//!
//! It runs nothing itself. A row's function gets the words behind the task's own and refuses those that it does not know.

mod anywhere;
#[cfg(unix)]
mod measured;
#[cfg(unix)]
mod packed;
#[cfg(unix)]
mod played;

use anyhow::{Result, bail};

/// Where the text of a row begins, and where it ends.
const COLUMN: usize = 32;
const WIDTH: usize = 120;

/// One task.
struct Task {
    /// What is typed behind `cargo xtask`.
    words: &'static str,
    /// What may follow, in the signs of a usage.
    takes: &'static str,
    /// What it is for.
    about: &'static str,
    /// Runs it with the words that follow.
    run: fn(&[&str]) -> Result<()>,
}

/// All tasks, in the order of the usage.
const TASKS: &[&[Task]] = &[
    anywhere::TASKS,
    #[cfg(unix)]
    measured::TASKS,
    #[cfg(unix)]
    played::TASKS,
    #[cfg(unix)]
    packed::TASKS,
];

/// Runs the task that the words name.
///
/// # Errors
/// There is none of that name, or it failed.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let named = |task: &&Task| is_called(task, words);
    match all().filter(named).max_by_key(|task| task.words.len()) {
        Some(task) => (task.run)(words.get(task.words.split(' ').count()..).unwrap_or_default()),
        None => bail!("no such task\n\n{}", usage()),
    }
}

fn all() -> impl Iterator<Item = &'static Task> {
    TASKS.iter().copied().flatten()
}

fn is_called(task: &Task, words: &[&str]) -> bool {
    let own: Vec<&str> = task.words.split(' ').collect();
    words.starts_with(&own)
}

fn usage() -> String {
    let rows = all().map(row).collect::<String>();
    format!("usage: cargo xtask TASK\n\n{rows}")
}

/// A row of the usage; the text stands beside the task, or below one that is long.
fn row(task: &Task) -> String {
    let name = format!("  {} {}", task.words, task.takes);
    let name = name.trim_end();
    let mut row =
        if name.len() < COLUMN { format!("{name:COLUMN$}") } else { format!("{name}\n{:COLUMN$}", "") };
    let mut column = COLUMN;
    for word in task.about.split(' ') {
        if column > COLUMN && column + 1 + word.len() > WIDTH {
            row.push_str(&format!("\n{:COLUMN$}", ""));
            column = COLUMN;
        } else if column > COLUMN {
            row.push(' ');
            column += 1;
        }
        row.push_str(word);
        column += word.len();
    }
    row + "\n"
}

/// The end of a task that nothing may follow, or that knows none of these words.
fn unknown(rest: &[&str]) -> Result<()> {
    bail!("`{}` means nothing here\n\n{}", rest.join(" "), usage())
}

/// Runs what takes no further words.
fn alone(rest: &[&str], run: fn() -> Result<()>) -> Result<()> {
    if rest.is_empty() { run() } else { unknown(rest) }
}

/// Runs what takes one word that chooses a part of it, or none for all of it.
#[cfg(unix)]
fn filtered(rest: &[&str], run: impl Fn(&str) -> Result<()>) -> Result<()> {
    match rest {
        [] => run(""),
        [filter] => run(filter),
        _ => unknown(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn a_long_text_goes_on_below_and_a_long_name_stands_alone() {
        let task = |words, about| Task { words, takes: "[FILTER]", about, run: unknown };
        assert_eq!(row(&task("e2e x", "one two")), "  e2e x [FILTER]                one two\n");
        let long = row(&task("a-task-with-a-very-long-name", "one two"));
        assert_eq!(
            long,
            "  a-task-with-a-very-long-name [FILTER]\n                                one two\n"
        );
        assert!(all().map(row).all(|row| row.lines().all(|line| line.len() <= WIDTH)));
    }

    #[test]
    fn the_longest_name_is_meant() {
        let named = |words: &[&str]| {
            let found = all().filter(|task| is_called(task, words)).max_by_key(|task| task.words.len());
            found.map(|task| task.words)
        };
        assert_eq!(named(&["tidy"]), Some("tidy"));
        assert_eq!(named(&["tidyness"]), None);
        assert!(run(&["tidy", "more"]).is_err(), "nothing may follow");
        #[cfg(unix)]
        assert_eq!(named(&["bench", "hosts", "--quick"]), Some("bench hosts"));
    }

    /// The page for contributors shows every task, and no other.
    #[cfg(unix)]
    #[test]
    fn contributors_are_told_of_every_task() {
        let page = std::fs::read_to_string(workspace::root().join("CONTRIBUTING.md")).unwrap();
        for task in all() {
            assert!(page.contains(&format!("cargo xtask {}", task.words)), "{}", task.words);
        }
        for told in page.split("cargo xtask ").skip(1) {
            let line = told.split(['\n', '`', '#']).next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            assert!(words == ["TASK"] || all().any(|task| is_called(task, &words)), "cargo xtask {line}");
        }
    }
}
