//! What a person let count of each intent on this machine: what Bailiwick wrote for a person, what a person approved,
//! and on which branches it was narrowed or closed since. Kept in the user's state folder, so that nothing that
//! comes by git can add to it; one file an intent, so that a look costs the same however many intents there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bailiwick_domain::{Accepted, ContentHash, Intent, IntentDraft, IntentId, PortError};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::state::accepted::{key, read, write};

/// How many states of one intent are remembered; the oldest is forgotten first.
const MAX_REVISIONS: usize = 8;

/// On how many branches it is remembered that an intent was narrowed or closed; the oldest is forgotten first.
const MAX_BRANCHES: usize = 64;

/// The accepted intents of one repository; its linked worktrees share them.
#[derive(Debug)]
pub(crate) struct AcceptedIntents {
    /// `None` where there is no state folder: nothing is accepted.
    folder: Option<PathBuf>,
    repository: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntentFile {
    repository: String,
    /// The newest last.
    states: Vec<IntentDraft>,
    /// The newest last, with what `HEAD` named.
    taken: Vec<(String, IntentDraft)>,
}

/// All intents in one file, as version 0.1.0 kept them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OldFile {
    repository: String,
    intents: BTreeMap<IntentId, Vec<IntentDraft>>,
}

impl AcceptedIntents {
    pub(crate) fn new(layout: &Layout) -> Self {
        let name = format!("{}.intents", key(layout.private()).digits());
        Self {
            folder: layout.user_state().map(|folder| folder.join("accepted").join(name)),
            repository: layout.private().display().to_string(),
        }
    }

    /// Where they are kept: the files, and the folder of most of them.
    pub(crate) fn into_files(self) -> (Vec<PathBuf>, Option<PathBuf>) {
        let Some(folder) = self.folder else { return (Vec::new(), None) };
        let listed = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files = listed.map(|entry| entry.path()).chain(std::iter::once(old_place(&folder))).collect();
        (files, Some(folder))
    }

    /// What was accepted of an intent. A file that cannot be read accepts nothing.
    pub(crate) fn of(&self, id: &IntentId) -> Accepted {
        let Some(folder) = &self.folder else { return Accepted::default() };
        let known = known(folder, id).unwrap_or_default();
        let taken = known.taken.into_iter().filter_map(|(branch, draft)| Some((branch, intent(draft)?)));
        Accepted { taken: taken.collect(), states: known.states.into_iter().filter_map(intent).collect() }
    }

    /// Remembers the intent as what a person accepted last; one that is closed stays closed on its branch. Without a
    /// branch it counts on all of them.
    pub(crate) fn add(&self, intent: &Intent, branch: Option<&str>) -> Result<(), PortError> {
        if let Some(branch) = branch.filter(|_| !intent.is_open()) {
            return self.take(intent, branch);
        }
        self.change(intent.id(), |known| {
            known.taken.retain(|(other, _)| branch.is_some_and(|branch| other != branch));
            known.states.retain(|draft| draft != intent.draft());
            known.states.push(intent.draft().clone());
            let surplus = known.states.len().saturating_sub(MAX_REVISIONS);
            known.states.drain(..surplus);
        })
    }

    /// Remembers that the intent was narrowed or closed to this on a branch.
    pub(crate) fn take(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        self.change(intent.id(), |known| {
            known.taken.retain(|(other, _)| other != branch);
            known.taken.push((branch.to_owned(), intent.draft().clone()));
            let surplus = known.taken.len().saturating_sub(MAX_BRANCHES);
            known.taken.drain(..surplus);
        })
    }

    fn change(&self, id: &IntentId, change: impl FnOnce(&mut IntentFile)) -> Result<(), PortError> {
        let Some(folder) = &self.folder else {
            return Err(PortError::Unavailable("there is no state folder to store it in".to_owned()));
        };
        let mut file = known(folder, id)?;
        file.repository.clone_from(&self.repository);
        change(&mut file);
        write(&place(folder, id), &file)?;
        forget_old(folder, id)
    }
}

fn intent(draft: IntentDraft) -> Option<Intent> {
    Intent::new(draft).ok()
}

fn place(folder: &Path, id: &IntentId) -> PathBuf {
    folder.join(format!("{}.json", ContentHash::of(id.as_str().as_bytes()).digits()))
}

fn old_place(folder: &Path) -> PathBuf {
    folder.with_extension("intents.json")
}

fn known(folder: &Path, id: &IntentId) -> Result<IntentFile, PortError> {
    let path = place(folder, id);
    if path.exists() {
        return read(&path);
    }
    let mut old: OldFile = read(&old_place(folder))?;
    let states = old.intents.remove(id).unwrap_or_default();
    Ok(IntentFile { repository: old.repository, states, taken: Vec::new() })
}

/// Takes the intent out of the file of version 0.1.0, so that one of that version that still runs here shows it again
/// rather than count what was closed since.
fn forget_old(folder: &Path, id: &IntentId) -> Result<(), PortError> {
    let path = old_place(folder);
    if !path.exists() {
        return Ok(());
    }
    let mut old: OldFile = read(&path)?;
    match old.intents.remove(id) {
        Some(_) => write(&path, &old),
        None => Ok(()),
    }
}
