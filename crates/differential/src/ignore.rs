//! The judges `ignore` and `plain-ignore`: what `git check-ignore` ignores by some lines, the gate forbids by them,
//! and of what people write it forbids hardly more.

mod lines;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use bailiwick_domain::{IgnoreFile, RepoPath};
use bailiwick_policy::IgnoreRules;
use tempfile::TempDir;

use crate::judge::{Finding, Orders, Tally, play};
use lines::Case;

const USUAL: u32 = 4_000;

/// Hostile and generated lines and names.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let (scratch, hits) = (scratch()?, Cell::new(0));
    let tally = play(orders, USUAL, &lines::hostile(), |case| {
        let asked = Asked::new(case)?;
        let ignored = ignored(scratch.path(), &asked.text, case)?;
        hits.set(hits.get() + ignored.len());
        asked.judge(case, &ignored)
    })?;
    println!("ignore: git ignores {} paths", hits.get());
    Ok(tally)
}

/// Lines and names as people write them. Git is asked twice, the second time with one byte for each character: what it
/// then ignores is what people mean.
pub(crate) fn run_plain(orders: &Orders) -> Result<Tally> {
    let (scratch, hits) = (scratch()?, Cell::new(0));
    let tally = play(orders, USUAL / 4, &lines::plain(), |case| {
        let asked = Asked::new(case)?;
        let by_bytes = ignored(scratch.path(), &asked.text, case)?;
        let narrow = case.narrow();
        let meant = ignored(scratch.path(), &lines::narrow(&asked.text), &narrow)?;
        let meant = case.paths.iter().zip(&narrow.paths).filter(|(_, narrow)| meant.contains(*narrow));
        let either: BTreeSet<Vec<u8>> = meant.map(|(path, _)| path.clone()).chain(by_bytes).collect();
        hits.set(hits.get() + either.len());
        asked.judge(case, &either)
    })?;
    println!("plain-ignore: git ignores {} paths", hits.get());
    tally.of_plain()
}

fn scratch() -> Result<TempDir> {
    let scratch = TempDir::new().context("a scratch folder")?;
    let made = git(scratch.path(), &["init", "--quiet"]).output().context("git")?;
    ensure!(made.status.success(), "git init failed");
    Ok(scratch)
}

fn git(folder: &Path, words: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(words).current_dir(folder).env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1");
    git.env_remove("XDG_CONFIG_HOME");
    git
}

/// What the gate is asked.
struct Asked {
    text: String,
    rules: IgnoreRules,
}

impl Asked {
    fn new(case: &Case) -> Result<Self> {
        // A line that is no rule here stops all work until a person changes it, and one that starts with `[` is a header.
        let is_rule = |line: &&str| !line.starts_with('[') && read(line).is_ok();
        let lines: Vec<&str> = case.lines.iter().map(String::as_str).filter(is_rule).collect();
        let text = lines.join("\n") + if case.is_open { "" } else { "\n" };
        let rules = read(&text)?;
        Ok(Self { text, rules })
    }

    fn judge(&self, case: &Case, ignored: &BTreeSet<Vec<u8>>) -> Result<Finding> {
        let mut more = false;
        for path in &case.paths {
            // A name that is no UTF-8 is refused by name, whatever the rules say.
            let Ok(text) = std::str::from_utf8(path) else { continue };
            let forbidden = self.rules.forbids(&RepoPath::new(text)?, None, false, case.folds_case).is_some();
            if ignored.contains(path) && !forbidden {
                return Ok(Finding::Missed(format!("git ignores {text:?}, the gate does not forbid it")));
            }
            more |= forbidden && !ignored.contains(path);
        }
        Ok(if more { Finding::Refused } else { Finding::Held })
    }
}

fn read(text: &str) -> Result<IgnoreRules> {
    let file = IgnoreFile { name: ".intentignore".to_owned(), text: text.to_owned() };
    IgnoreRules::parse(&[file]).map_err(|why| anyhow!("{why}"))
}

/// Which of the paths git ignores.
fn ignored(folder: &Path, text: &str, case: &Case) -> Result<BTreeSet<Vec<u8>>> {
    fs::write(folder.join(".gitignore"), text)?;
    let fold = format!("core.ignorecase={}", case.folds_case);
    let mut asked = git(folder, &["-c", &fold, "check-ignore", "--no-index", "-z", "--stdin"]);
    let mut asked = asked.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut input = case.paths.join(&0);
    input.push(0);
    asked.stdin.take().context("no input")?.write_all(&input)?;
    let output = asked.wait_with_output()?;
    ensure!(output.stderr.is_empty(), "git: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect())
}
