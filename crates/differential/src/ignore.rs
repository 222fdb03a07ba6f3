//! `git check-ignore`: what git ignores by these lines, the gate forbids by them (D-45).

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use bailiwick_domain::{IgnoreFile, RepoPath};
use bailiwick_policy::IgnoreRules;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;

use crate::judge::{Finding, Orders, Tally, play};

const USUAL: u32 = 4_000;

#[derive(Clone, Debug)]
struct Case {
    lines: Vec<String>,
    paths: Vec<String>,
}

pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let scratch = TempDir::new().context("a scratch folder")?;
    let made = git(scratch.path(), &["init", "--quiet"]).output().context("git")?;
    ensure!(made.status.success(), "git init failed");
    let cases = (vec(line(), 1..6), vec(path(), 1..12)).prop_map(|(lines, paths)| Case { lines, paths });
    play(orders, USUAL, &cases, |case| judge(scratch.path(), case))
}

fn git(folder: &Path, words: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(words).current_dir(folder).env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1");
    git.env_remove("XDG_CONFIG_HOME");
    git
}

fn piece() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a",
        "a",
        "b",
        "ab",
        "A",
        "\u{e9}",
        "a\u{e9}",
        "\u{e8}",
        "?",
        "??",
        "*",
        "*",
        "**",
        "a**",
        "**a",
        "***",
        "[ab]",
        "[!a]",
        "[^b]",
        "[\u{e9}]",
        "[!\u{e9}]",
        "[\u{e0}-\u{fc}]",
        "[a-\u{e9}]",
        "[]a]",
        "[a-]",
        "[[:alpha:]]",
        "[[:upper:]b]",
        "[\\]]",
        "\\a",
        "\\*",
        "\\?",
        "\\[",
        "\\\\",
        "{a,b}",
        "{a",
        ",",
        "}",
        " ",
        "\\ ",
        "#",
        "!",
        "-",
        ".",
        "[a",
        "\\\u{e9}",
    ])
}

fn line() -> impl Strategy<Value = String> {
    let segment = vec(piece(), 1..4).prop_map(|pieces| pieces.concat());
    let start = select(vec!["", "", "", "!", "!", "/", "!/", "**/", "\\!", "\\#", "#", " ", "//"]);
    let end = select(vec!["", "", "", "/", "/", "/**", "/*", " ", "  ", "\\ ", "\t", "/ ", "//", "\r", "\\"]);
    (start, vec(segment, 1..4), end)
        .prop_map(|(start, segments, end)| format!("{start}{}{end}", segments.join("/")))
}

fn path() -> impl Strategy<Value = String> {
    let name = select(vec![
        "a",
        "a",
        "b",
        "ab",
        "ba",
        "A",
        "\u{e9}",
        "a\u{e9}",
        "\u{e8}",
        "\u{fc}",
        "aa",
        "aab",
        "a b",
        "a ",
        " a",
        "[a]",
        "]",
        "{a,b}",
        "{a",
        "*",
        "?",
        "!a",
        "#a",
        "\\a",
        "a\\",
        "\\",
        "-",
        "...",
        "\u{10348}",
        "e\u{301}",
    ]);
    vec(name, 1..5).prop_map(|names| names.join("/"))
}

fn judge(folder: &Path, case: &Case) -> Result<Finding> {
    // A line that is no rule here stops all work until a person changes it, and one that starts with `[` is a header.
    let is_rule = |line: &&str| !line.starts_with('[') && read(line).is_ok();
    let lines: Vec<&str> = case.lines.iter().map(String::as_str).filter(is_rule).collect();
    let text = lines.join("\n") + "\n";
    let rules = read(&text)?;
    fs::write(folder.join(".gitignore"), &text)?;
    let ignored = ignored(folder, &case.paths)?;
    let mut more = false;
    for path in &case.paths {
        let forbidden = rules.forbids(&RepoPath::new(path)?, None, false, false).is_some();
        if ignored.contains(path) && !forbidden {
            return Ok(Finding::Missed(format!("git ignores {path:?}, the gate does not forbid it")));
        }
        more |= forbidden && !ignored.contains(path);
    }
    Ok(if more { Finding::Refused } else { Finding::Held })
}

fn read(text: &str) -> Result<IgnoreRules> {
    let file = IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() };
    IgnoreRules::parse(&[file]).map_err(|why| anyhow!("{why}"))
}

/// Which of the paths git ignores.
fn ignored(folder: &Path, paths: &[String]) -> Result<BTreeSet<String>> {
    let mut asked = git(folder, &["check-ignore", "--no-index", "-z", "--stdin"]);
    let mut asked = asked.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let input: String = paths.iter().map(|path| format!("{path}\0")).collect();
    asked.stdin.take().context("no input")?.write_all(input.as_bytes())?;
    let output = asked.wait_with_output()?;
    ensure!(output.stderr.is_empty(), "git: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.split_terminator('\0').map(str::to_owned).collect())
}
