//! One history: a governed repository, what is in its files with who wrote each line, and a second repository in which
//! each step is a commit, for `git blame`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::line::{Files, Line};
use super::material::{Language, Material};
use super::oracle;
use crate::stage::dice::Dice;
use crate::stage::wire::Wire;
use crate::stage::world::World;

/// What a history has beside edits of agents and people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Replay,
    Moves,
    Copies,
    Extracts,
    Formatters,
}

impl Kind {
    pub(super) const ALL: [Self; 5] =
        [Self::Replay, Self::Moves, Self::Copies, Self::Extracts, Self::Formatters];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Replay => "replays",
            Self::Moves => "moves",
            Self::Copies => "copies",
            Self::Extracts => "extracts",
            Self::Formatters => "formatters",
        }
    }
}

/// One history.
pub(super) struct History<'m> {
    pub(super) world: World,
    pub(super) kind: Kind,
    pub(super) language: &'m Language,
    pub(super) dice: Dice,
    pub(super) files: Files,
    /// What was there at the last commit.
    pub(super) committed: Files,
    /// Lines that an agent took away: a person may type them again.
    pub(super) gone: Vec<Vec<String>>,
    pub(super) steps: Vec<String>,
    /// The steps and commits with the files that they changed, and the entry.
    pub(super) told: Vec<String>,
    /// The files as they were at the last step.
    noted: Files,
    next: u64,
}

impl<'m> History<'m> {
    pub(super) fn begin(product: &Path, material: &'m Material, kind: Kind, seed: u64) -> Result<Self> {
        let world = World::new(product)?;
        world.govern()?;
        let mut dice = Dice::of(seed * 8 + kind as u64 + 1);
        dice.roll(7);
        let number = usize::try_from(seed).unwrap_or_default() / 2;
        let language = material.language(number).context("no material")?;
        let (files, committed, noted) = (Files::new(), Files::new(), Files::new());
        let (gone, steps, told) = (Vec::new(), Vec::new(), Vec::new());
        let history =
            Self { world, kind, language, dice, files, committed, gone, steps, told, noted, next: 0 };
        std::fs::create_dir_all(history.beside())?;
        history.beside_git(&["init", "-q"])?;
        Ok(history)
    }

    /// Lines with their writer, each of them new.
    pub(super) fn numbered(&mut self, lines: Vec<String>, writer: Option<&str>) -> Vec<Line> {
        let line = |text: String| {
            self.next += 1;
            Line { text, writer: writer.map(str::to_owned), seen: None, number: self.next }
        };
        lines.into_iter().map(line).collect()
    }

    /// A governed write of one whole file. Lines without a writer of the name `?` are the entry's.
    pub(super) fn govern(&mut self, path: &str, lines: Vec<Line>) -> Result<()> {
        let text: String = lines.iter().map(|line| line.text.as_str()).collect();
        if self
            .files
            .get(path)
            .is_some_and(|old| old.iter().map(|line| line.text.as_str()).collect::<String>() == text)
        {
            return Ok(());
        }
        let root = self.world.repo();
        let id = Wire::open(&self.world, &root)?.recorded(&root, path, &text)?;
        let own = |line: Line| match line.writer.as_deref() {
            Some("?") => Line { writer: Some(id.clone()), ..line },
            _ => line,
        };
        let lines =
            oracle::told(&self.world, self.text_of(path), lines.into_iter().map(own).collect(), Some(&id))?;
        self.files.insert(path.to_owned(), lines);
        self.note("govern", Some(&id))
    }

    /// A person's change of one file.
    pub(super) fn by_hand(&mut self, what: &str, path: &str, lines: Vec<Line>) -> Result<()> {
        let lines = oracle::told(&self.world, self.text_of(path), lines, None)?;
        self.files.insert(path.to_owned(), lines);
        self.write_all()?;
        self.note(what, None)
    }

    fn text_of(&self, path: &str) -> &[Line] {
        self.files.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// Makes the working copy what the truth says.
    pub(super) fn write_all(&self) -> Result<()> {
        for (path, lines) in &self.files {
            let text: String = lines.iter().map(|line| line.text.as_str()).collect();
            if self.world.read(path).as_deref() != Some(&text) {
                self.world.write(path, &text)?;
            }
        }
        Ok(())
    }

    pub(super) fn commit(&mut self) -> Result<()> {
        self.world.git(&["add", "-A"])?;
        self.world.git(&["commit", "-q", "--allow-empty", "-m", "step"])?;
        self.committed = self.files.clone();
        self.told.push("commit".to_owned());
        Ok(())
    }

    /// The working copy says what the truth says; else the history is none.
    pub(super) fn check(&self) -> Result<()> {
        for (path, lines) in &self.files {
            let text: String = lines.iter().map(|line| line.text.as_str()).collect();
            ensure!(
                self.world.read(path).as_deref() == Some(&text),
                "{path} is not what it should be: {:?}",
                self.steps
            );
        }
        Ok(())
    }

    /// The repository in which each step is a commit.
    pub(super) fn beside(&self) -> PathBuf {
        self.world.base().join("beside")
    }

    pub(super) fn beside_git(&self, words: &[&str]) -> Result<String> {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.beside()).args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.invalid",
        ]);
        let output = self.world.output(command.args(words))?;
        ensure!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Keeps the step.
    pub(super) fn note(&mut self, what: &str, writer: Option<&str>) -> Result<()> {
        let changed = self.files.iter().filter(|(path, lines)| self.noted.get(*path) != Some(*lines));
        let changed: Vec<&str> = changed.map(|(path, _)| path.as_str()).collect();
        let told = [what, writer.unwrap_or_default(), &changed.join(" ")].join(" ");
        self.told.push(told);
        self.steps.push(what.to_owned());
        self.noted.clone_from(&self.files);
        let place = self.beside();
        drop(std::fs::remove_dir_all(place.join("src")));
        for (path, lines) in &self.files {
            let target = place.join(path);
            std::fs::create_dir_all(target.parent().context("a path without a folder")?)?;
            std::fs::write(target, lines.iter().map(|line| line.text.as_str()).collect::<String>())?;
        }
        self.beside_git(&["add", "-A"])?;
        self.beside_git(&["commit", "-q", "--allow-empty", "-m", writer.unwrap_or("-")]).map(drop)
    }
}
