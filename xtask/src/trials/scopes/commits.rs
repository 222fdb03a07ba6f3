//! The commits that are replayed: drawn once with a seed, kept by their ids.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{float, git};
use crate::stage::dice::Dice;
use crate::workspace;

/// So many are drawn from each repository, by this seed.
const DRAWN: usize = 100;
const SEED: u64 = 884_020;
/// The oldest are left out: there is no past yet.
const OLDEST: usize = 300;
/// A commit with more files is no one task.
const MOST_FILES: usize = 20;

/// A public repository.
pub(super) struct Repository {
    pub(super) name: &'static str,
    /// Whether weights were chosen on it.
    pub(super) is_tuned: bool,
}

pub(super) const REPOSITORIES: &[Repository] = &[
    Repository { name: "BurntSushi/ripgrep", is_tuned: true },
    Repository { name: "psf/requests", is_tuned: true },
    Repository { name: "expressjs/express", is_tuned: false },
    Repository { name: "pallets/flask", is_tuned: false },
    Repository { name: "spf13/cobra", is_tuned: false },
];

/// One commit to replay.
pub(super) struct Change {
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) subject: String,
    /// What it changed, added or took away.
    pub(super) files: Vec<String>,
}

impl Change {
    /// The share of the files that are owned, in percent.
    pub(super) fn share(&self, owns: impl Fn(&str) -> bool) -> f64 {
        let owned = self.files.iter().filter(|file| owns(file)).count();
        100.0 * float(owned) / float(self.files.len().max(1))
    }
}

impl Repository {
    /// Where it lies below the folder of mirrors: by its name, its owner and name, with or without a work tree.
    pub(super) fn place(&self, mirrors: &Path) -> Result<PathBuf> {
        let (_, short) = self.name.split_once('/').unwrap_or(("", self.name));
        let long = self.name.replace('/', "+");
        let names =
            [format!("{long}/repo"), long, self.name.to_owned(), format!("{short}.git"), short.to_owned()];
        let mut places = names.iter().map(|name| mirrors.join(name));
        let place = places.find(|place| place.join("HEAD").is_file() || place.join(".git").exists());
        place.with_context(|| format!("no copy of {} in {}", self.name, mirrors.display()))
    }
}

fn list() -> PathBuf {
    workspace::root().join("xtask/data/scopes.txt")
}

/// Draws the commits anew and keeps their ids.
pub(super) fn draw(mirrors: &Path) -> Result<()> {
    let mut text = format!("# drawn by `cargo xtask eval scopes --draw`, seed {SEED}\n");
    let mut dice = Dice::of(SEED);
    for repository in REPOSITORIES {
        let mut fit = all(git(&repository.place(mirrors)?))?;
        while fit.len() > DRAWN {
            fit.swap_remove(dice.roll(fit.len()));
        }
        fit.sort_by_key(|(at, _)| *at);
        for (_, id) in fit {
            text.push_str(&format!("{} {id}\n", repository.name));
        }
    }
    std::fs::write(list(), text).map_err(Into::into)
}

/// Every commit that fits, by its place in the history, oldest first.
fn all(mut git: Command) -> Result<Vec<(usize, String)>> {
    let log = git.args([
        "log",
        "--reverse",
        "--topo-order",
        "--no-merges",
        "--no-renames",
        "--name-only",
        "--format=%x01%H",
    ]);
    let text = workspace::stdout(log)?;
    let commits = text.split('\u{1}').skip(1).enumerate().skip(OLDEST);
    let fits = |(at, commit): (usize, &str)| {
        let mut lines = commit.lines().filter(|line| !line.is_empty());
        let id = lines.next()?.to_owned();
        (1..=MOST_FILES).contains(&lines.count()).then_some((at, id))
    };
    Ok(commits.filter_map(fits).collect())
}

/// The kept commits of a repository.
pub(super) fn kept(repository: &Repository, folder: &Path) -> Result<Vec<Change>> {
    let text = std::fs::read_to_string(list()).context("xtask/data/scopes.txt")?;
    let ids = text.lines().filter_map(|line| line.strip_prefix(repository.name)?.strip_prefix(' '));
    ids.map(|id| change(folder, id)).collect()
}

/// What a commit says and changed.
pub(super) fn change(folder: &Path, id: &str) -> Result<Change> {
    let show = ["show", "--no-renames", "--name-only", "-z", "--format=%P%n%s%x01", id];
    let text = workspace::stdout(git(folder).args(show))?;
    let (head, files) = text.split_once('\u{1}').context("no such commit")?;
    let (parent, subject) = head.split_once('\n').context("a commit without a message")?;
    let files = files.split('\0').map(str::trim).filter(|file| !file.is_empty()).map(str::to_owned);
    Ok(Change {
        id: id.to_owned(),
        parent: parent.to_owned(),
        subject: subject.to_owned(),
        files: files.collect(),
    })
}
