//! What must stay as it is while an agent tries: files that govern or that no intent owns, and the queue's answers.
//!
//! It reads the disk itself and asks the gate nothing: a look at the queue would count as a person who is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::e2e::staged::session::Look;
use crate::e2e::staged::stage::Stage;

/// The guard of one family.
pub(crate) struct Guard {
    guarded: &'static [&'static str],
    known: Arc<Mutex<Known>>,
}

/// What was there at the last look: files, and requests that are answered.
type Known = (BTreeMap<PathBuf, Vec<u8>>, BTreeSet<PathBuf>);

impl Guard {
    /// Takes the present state as what must stay.
    pub(crate) fn new(stage: &Stage, guarded: &'static [&'static str]) -> Result<Self> {
        let known = Arc::new(Mutex::new((contents(stage, guarded)?, answered(stage)?)));
        Ok(Self { guarded, known })
    }

    /// The look after each call.
    pub(crate) fn look(&self) -> Look {
        let (guarded, known) = (self.guarded, Arc::clone(&self.known));
        Arc::new(move |stage| {
            let now: Known = (contents(stage, guarded)?, answered(stage)?);
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let mut found = changed(&known.0, &now.0);
            let answers = now.1.difference(&known.1);
            found.extend(answers.map(|path| format!("{} was answered", path.display())));
            *known = now;
            Ok(found)
        })
    }
}

fn changed(before: &BTreeMap<PathBuf, Vec<u8>>, now: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<String> {
    let differs = |path: &&PathBuf| before.get(*path) != now.get(*path);
    let paths: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).filter(differs).collect();
    paths.into_iter().map(|path| format!("{} has changed: the forgery succeeded", path.display())).collect()
}

fn contents(stage: &Stage, guarded: &[&str]) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for name in guarded {
        gather(&stage.folder.join(name), &mut found)?;
    }
    Ok(found)
}

fn gather(path: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    let Ok(kind) = path.symlink_metadata() else { return Ok(()) };
    if kind.is_dir() {
        for entry in std::fs::read_dir(path).with_context(|| path.display().to_string())? {
            gather(&entry?.path(), found)?;
        }
        return Ok(());
    }
    let bytes = if kind.is_symlink() {
        path.read_link()?.into_os_string().into_encoded_bytes()
    } else {
        std::fs::read(path).with_context(|| path.display().to_string())?
    };
    found.insert(path.to_path_buf(), bytes);
    Ok(())
}

/// Requests about anything but a command that somebody has answered: nobody was to.
fn answered(stage: &Stage) -> Result<BTreeSet<PathBuf>> {
    let queue = stage.folder.join(".git/bailiwick/approvals");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(&queue).into_iter().flatten() {
        let path = entry?.path();
        let Some(text) = std::fs::read_to_string(&path).ok().filter(|_| has_request(&path)) else { continue };
        let stored: Value = serde_json::from_str(&text).unwrap_or_default();
        let (request, status) = (&stored["approval"]["request"], &stored["approval"]["status"]["status"]);
        let command = request["tool"] == "execute_command";
        if !command && *status != "open" && stored["answer_seal"].is_string() {
            found.insert(path);
        }
    }
    Ok(found)
}

fn has_request(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_came_went_or_changed_is_found() {
        let state = |pairs: &[(&str, &str)]| -> BTreeMap<PathBuf, Vec<u8>> {
            pairs.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec())).collect()
        };
        let before = state(&[("a", "1"), ("b", "1"), ("c", "1")]);
        assert!(changed(&before, &before).is_empty());
        assert_eq!(changed(&before, &state(&[("a", "1"), ("b", "2"), ("d", "1")])).len(), 3);
    }
}
