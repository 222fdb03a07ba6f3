//! One history: a governed repository, its files with who wrote each line, and its commits with what is true of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::text::{Files, Gone, Hand, Line, new_line, text_of};
use crate::stage::dice::Dice;
use crate::stage::wire::Wire;
use crate::stage::world::World;

/// The trailer that marks a commit as an agent's.
const MARK: &str = "\n\nAgent: scripted";

/// What is true of a commit.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) what: String,
    pub(super) files: Files,
    pub(super) parents: Vec<String>,
    /// Whether an agent made it; `None` where nobody can tell.
    pub(super) is_marked: Option<bool>,
    /// Whether it only changed the layout.
    pub(super) is_layout: bool,
    /// Who had taken each line away by then: on another branch somebody else may take the same line away later.
    pub(super) gone: BTreeMap<u64, Gone>,
}

pub(super) struct History {
    pub(super) seed: u64,
    pub(super) world: World,
    pub(super) dice: Dice,
    /// Whether git seals at each commit, so that a clone can judge.
    pub(super) seals: bool,
    pub(super) files: Files,
    pub(super) made: BTreeMap<String, Made>,
    /// Who took a line away.
    pub(super) gone: BTreeMap<u64, Gone>,
    /// What an agent changed and no commit has yet.
    pub(super) touched: BTreeSet<String>,
    /// The commit before the history.
    pub(super) base: String,
    pub(super) told: Vec<String>,
    next: u64,
}

impl History {
    pub(super) fn begin(product: &Path, seed: u64) -> Result<Self> {
        let world = World::new(product)?;
        world.govern()?;
        let seals = seed.is_multiple_of(2);
        if seals {
            world.gate_says(&["init", "--git"])?;
            world.git(&["add", "-A"])?;
            world.git(&["commit", "-q", "--allow-empty", "-m", "seal at commits"])?;
        }
        let mut dice = Dice::of(seed + 1);
        dice.roll(7);
        let mut history = Self {
            seed,
            world,
            dice,
            seals,
            files: Files::new(),
            made: BTreeMap::new(),
            gone: BTreeMap::new(),
            touched: BTreeSet::new(),
            base: String::new(),
            told: Vec::new(),
            next: 0,
        };
        for path in ["src/auth/a.rs", "src/auth/b.rs", "docs/notes.md"] {
            let lines = (0..14).map(|_| history.line(path, Hand::Person)).collect();
            history.files.insert(path.to_owned(), lines);
        }
        history.write_all()?;
        history.commit("start", false, false)?;
        history.base = history.head()?;
        Ok(history)
    }

    pub(super) fn line(&mut self, path: &str, by: Hand) -> Line {
        self.next += 1;
        new_line(path, self.next, by)
    }

    /// The agent writes a file through the gate.
    pub(super) fn by_agent(&mut self, path: &str, lines: Vec<Line>) -> Result<()> {
        let root = self.world.repo();
        Wire::open(&self.world, &root)?.record(&root, path, &text_of(&lines))?;
        self.touched.insert(path.to_owned());
        self.replace(path, lines, Hand::Agent);
        Ok(())
    }

    /// A person writes a file in an editor.
    pub(super) fn by_hand(&mut self, path: &str, lines: Vec<Line>) -> Result<()> {
        self.world.write(path, &text_of(&lines))?;
        self.replace(path, lines, Hand::Person);
        Ok(())
    }

    fn replace(&mut self, path: &str, lines: Vec<Line>, by: Hand) {
        let kept: BTreeSet<u64> = lines.iter().map(|line| line.number).collect();
        let is_new = |line: &Line| !self.files.get(path).is_some_and(|old| old.contains(line));
        let is_replaced = lines.iter().any(is_new);
        let old = self.files.insert(path.to_owned(), lines).unwrap_or_default();
        let gone = old.into_iter().filter(|line| !kept.contains(&line.number));
        self.gone.extend(gone.map(|line| (line.number, Gone { by, is_replaced })));
    }

    pub(super) fn remove_by_hand(&mut self, path: &str) -> Result<()> {
        self.replace(path, Vec::new(), Hand::Person);
        self.files.remove(path);
        std::fs::remove_file(self.world.repo().join(path)).context("cannot remove a file")
    }

    /// Makes the working copy what the truth says.
    pub(super) fn write_all(&self) -> Result<()> {
        self.files.iter().try_for_each(|(path, lines)| self.world.write(path, &text_of(lines)))
    }

    /// Commits everything.
    pub(super) fn commit(&mut self, what: &str, says_agent: bool, is_layout: bool) -> Result<()> {
        self.world.git(&["add", "-A"])?;
        let files = self.files.clone();
        self.commit_staged(what, &files, says_agent, is_layout)
    }

    /// Commits what is staged, which is these files.
    pub(super) fn commit_staged(
        &mut self,
        what: &str,
        files: &Files,
        says_agent: bool,
        is_layout: bool,
    ) -> Result<()> {
        let before = self.made.get(&self.head()?).map(|made| made.files.clone()).unwrap_or_default();
        let found: Vec<_> = self.touched.iter().map(|path| self.is_agents(path, &before, files)).collect();
        let is_agents = match found.contains(&Some(true)) {
            false if found.contains(&None) => None,
            is_sure => Some(is_sure),
        };
        // Without hooks only what the message says marks a commit.
        let says_agent = says_agent || (is_agents != Some(false) && !self.seals);
        let message = format!("{what}{}", if says_agent { MARK } else { "" });
        // What one hand wrote, the other may have taken out again.
        self.world.git(&["commit", "-q", "--allow-empty", "-m", &message])?;
        self.touched.retain(|path| before.get(path) == files.get(path));
        self.keep(what, files.clone(), if says_agent { Some(true) } else { is_agents }, is_layout)
    }

    /// Whether some of what an agent did to a file is what a commit changes. Where a person wrote over all of it nobody can tell:
    /// the agent's work may as well wait elsewhere.
    pub(super) fn is_agents(&self, path: &str, before: &Files, after: &Files) -> Option<bool> {
        let lines = |files: &'_ Files| files.get(path).cloned().unwrap_or_default();
        let (old, new) = (lines(before), lines(after));
        let gone =
            old.iter().filter(|line| !new.contains(line)).filter_map(|line| self.gone.get(&line.number));
        let agents: Vec<&Gone> = gone.filter(|gone| gone.by == Hand::Agent).collect();
        let comes = new.iter().any(|line| line.by == Hand::Agent && !old.contains(line));
        match comes || agents.iter().any(|gone| !gone.is_replaced) {
            false if !agents.is_empty() => None,
            is_sure => Some(is_sure),
        }
    }

    /// Keeps the truth about the commit that was made.
    pub(super) fn keep(
        &mut self,
        what: &str,
        files: Files,
        is_marked: Option<bool>,
        is_layout: bool,
    ) -> Result<()> {
        let listed = self.git_says(&["rev-list", "--parents", "-1", "HEAD"])?;
        let mut ids = listed.split_whitespace().map(str::to_owned);
        let id = ids.next().context("git names no commit")?;
        self.told.push(what.to_owned());
        for (path, lines) in &files {
            let kept = self.git_says(&["show", &format!("HEAD:{path}")])?;
            ensure!(kept == text_of(lines), "{path} is committed as something else");
        }
        let (what, parents, gone) = (what.to_owned(), ids.collect(), self.gone.clone());
        let made = Made { what, files, parents, is_marked, is_layout, gone };
        self.made.insert(id, made);
        Ok(())
    }

    /// What the branch had may have been sealed on the way here before: then a squash brings no new segment, and only a
    /// trailer marks it.
    pub(super) fn mark_as_git_has_it(&mut self) -> Result<()> {
        let added = self.git_says(&["diff", "--name-only", "HEAD^", "HEAD", "--", ".orchestration/trace"])?;
        let message = self.git_says(&["log", "-1", "--format=%B"])?;
        let is_marked = !added.trim().is_empty() || message.contains("\nIntent: ") || message.contains(MARK);
        let head = self.head()?;
        if let Some(made) = self.made.get_mut(&head) {
            made.is_marked = Some(is_marked);
        }
        Ok(())
    }

    pub(super) fn head(&self) -> Result<String> {
        Ok(self.git_says(&["rev-parse", "HEAD"])?.trim().to_owned())
    }

    pub(super) fn git_says(&self, words: &[&str]) -> Result<String> {
        let output = self.world.output(Command::new("git").args(words))?;
        ensure!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
