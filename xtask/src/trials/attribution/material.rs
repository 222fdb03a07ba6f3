//! Real source text of five languages, from what lies on the machine: this repository, and the libraries of the languages
//! that are installed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::stage::dice::Dice;
use crate::workspace;

/// So many files of each language are enough.
const FILES: usize = 60;

/// Lines of real files, by language.
pub(super) struct Material(Vec<Language>);

/// The files of one language.
pub(super) struct Language {
    pub(super) extension: &'static str,
    files: Vec<Vec<String>>,
}

impl Material {
    pub(super) fn gather() -> Result<Self> {
        let root = workspace::root();
        let said = |program: &str, words: &[&str]| {
            let output = Command::new(program).args(words).output().ok()?;
            Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
        };
        let python = said("python3", &["-c", "import os; print(os.path.dirname(os.__file__))"]);
        let node = said("npm", &["root", "-g"]);
        let places = [
            ("rs", Some(root.join("crates"))),
            ("md", Some(root.join("docs"))),
            ("py", python),
            ("js", node),
            ("h", Some(PathBuf::from("/usr/include"))),
        ];
        let mut found = Vec::new();
        for (extension, place) in places {
            let mut files = Vec::new();
            if let Some(place) = place {
                gather(&place, extension, &mut files);
            }
            if files.len() >= 5 {
                found.push(Language { extension, files });
            }
        }
        ensure!(!found.is_empty(), "no source text is on this machine");
        Ok(Self(found))
    }

    pub(super) fn language(&self, number: usize) -> Option<&Language> {
        self.0.get(number % self.0.len())
    }
}

impl fmt::Display for Material {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for language in &self.0 {
            write!(out, "{} .{} files; ", language.files.len(), language.extension)?;
        }
        write!(out, "what is not on this machine is left out")
    }
}

impl Language {
    /// Lines that stand together in some file, about so many.
    pub(super) fn lines(&self, dice: &mut Dice, count: usize) -> Vec<String> {
        let Some(file) = dice.pick(&self.files) else { return Vec::new() };
        let start = dice.roll(file.len().saturating_sub(count).max(1));
        file.iter().skip(start).take(count).cloned().collect()
    }
}

fn gather(folder: &Path, extension: &str, files: &mut Vec<Vec<String>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if files.len() >= FILES {
            return;
        }
        if path.is_dir() && !path.is_symlink() {
            gather(&path, extension, files);
        } else if path.extension().is_some_and(|found| found == extension)
            && let Ok(text) = std::fs::read_to_string(&path)
            && (80..1_200).contains(&text.lines().count())
            && !text.contains('\r')
        {
            files.push(text.lines().map(|line| format!("{line}\n")).collect());
        }
    }
}
