//! A repository that is made for this: features with a module, a test, a page and a template that belongs to them by
//! history alone. Messages name what is changed in another form of the word, or only something of the text.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::commits::{Change, change};
use super::git;
use crate::stage::dice::Dice;
use crate::workspace;

const SEED: u64 = 884_021;
/// So many commits are made, and the last of them are replayed.
const MADE: usize = 240;
const REPLAYED: usize = 40;

const AREAS: [&str; 6] = ["billing", "mail", "search", "accounts", "reports", "storage"];
const THINGS: [&str; 8] = ["retry", "invoice", "digest", "session", "filter", "quota", "export", "template"];
const VERBS: [&str; 6] = ["Fix", "Speed up", "Handle empty", "Log", "Validate", "Rework"];

/// Makes it and gives its last commits.
pub(super) fn repository(folder: &Path) -> Result<Vec<Change>> {
    std::fs::create_dir_all(folder)?;
    workspace::run(git(folder).args(["init", "-q", "-b", "main"]))?;
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .spawn()
        .context("run git fast-import")?;
    let stdin = import.stdin.take().context("no input")?;
    std::io::Write::write_all(&mut { stdin }, stream().as_bytes())?;
    ensure!(import.wait()?.success(), "git fast-import failed");
    let ids =
        workspace::stdout(git(folder).args(["rev-list", "--max-count", &REPLAYED.to_string(), "main"]))?;
    ids.lines().rev().map(|id| change(folder, id)).collect()
}

/// What git imports.
fn stream() -> String {
    let mut dice = Dice::of(SEED);
    let mut stream = String::new();
    let first: Vec<(String, String)> =
        AREAS.iter().flat_map(|area| THINGS.iter().flat_map(|thing| files(area, thing, 0))).collect();
    commit(&mut stream, 1, "Begin", &first);
    for at in 2..=MADE {
        let area = dice.pick(&AREAS).copied().unwrap_or_default();
        let thing = dice.pick(&THINGS).copied().unwrap_or_default();
        let verb = dice.pick(&VERBS).copied().unwrap_or_default();
        let mut changed = files(area, thing, at);
        // The page is changed in one of three, and each of them has something to do with the others.
        if dice.roll(3) > 0 {
            changed.retain(|(path, _)| !path.starts_with("docs/"));
        }
        let message = match dice.roll(3) {
            0 => format!("{verb} {thing}s of {area}"),
            1 => format!("{verb} the {}", inner(area, thing)),
            _ => format!("{area}: {verb} {thing}"),
        };
        commit(&mut stream, at, &message, &changed);
    }
    stream
}

/// A name that stands in the text of one module only.
fn inner(area: &str, thing: &str) -> String {
    format!("{area}_{thing}_window")
}

fn files(area: &str, thing: &str, round: usize) -> Vec<(String, String)> {
    let text = format!("fn {}() {{ {round} }}\n", inner(area, thing));
    vec![
        (format!("src/{area}/{thing}.rs"), text),
        (format!("tests/{area}/{thing}_test.rs"), format!("fn holds() {{ {round} }}\n")),
        (format!("docs/{area}/{thing}.md"), format!("Round {round}.\n")),
        // Nothing but history says what this belongs to.
        (format!("assets/{}.bin", number(area, thing)), format!("{round}\n")),
    ]
}

fn number(area: &str, thing: &str) -> usize {
    let place = |of: &[&str], what: &str| of.iter().position(|one| *one == what).unwrap_or_default();
    100 + place(&AREAS, area) * THINGS.len() + place(&THINGS, thing)
}

fn commit(stream: &mut String, at: usize, message: &str, files: &[(String, String)]) {
    let when = 1_700_000_000 + at * 3600;
    // Writing into a string cannot fail.
    let _ = write!(
        stream,
        "commit refs/heads/main\ncommitter Dev <dev@example.com> {when} +0000\ndata {}\n{message}\n",
        message.len()
    );
    for (path, text) in files {
        let _ = write!(stream, "M 644 inline {path}\ndata {}\n{text}\n", text.len());
    }
    stream.push('\n');
}
