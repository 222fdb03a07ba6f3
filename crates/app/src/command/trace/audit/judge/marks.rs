//! What says that an agent made a commit.
//!
//! Entries that a commit brings in say so where their work is in it. The hook seals whatever is not sealed yet, so they may
//! as well be about work that waits: in the working copy, in a stash, on another branch.

use std::collections::BTreeSet;

use bailiwick_domain::{Actor, ContentHash, StoredEntry, Value};

use super::super::commits::Commit;
use super::super::signatures;
use super::{Evidence, Judge, Judgement, Label};
use crate::command::CommandError;
use crate::evidence::{Certainty, Written};

/// What a commit has to do with the entries that it may be made of.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The entries that were looked into.
    seen: BTreeSet<String>,
    /// Those of them whose work is in the commit.
    has: BTreeSet<String>,
    /// Those that nobody can look into here, since git keeps another text than the one that they wrote.
    hidden: BTreeSet<String>,
}

impl Work {
    pub(super) fn look_into<'e>(&mut self, entries: impl IntoIterator<Item = &'e StoredEntry>) {
        self.seen.extend(entries.into_iter().map(|stored| stored.entry.id.clone()));
    }

    pub(super) fn hide<'e>(&mut self, entries: impl IntoIterator<Item = &'e StoredEntry>) {
        self.hidden.extend(entries.into_iter().map(|stored| stored.entry.id.clone()));
    }

    pub(super) fn take<'e>(&mut self, entries: impl IntoIterator<Item = &'e StoredEntry>) {
        self.has.extend(entries.into_iter().map(|stored| stored.entry.id.clone()));
    }

    /// Takes up who wrote a line that the commit brings. A brace that need not be from there is no work.
    pub(super) fn take_line(&mut self, text: &[u8], written: &Written<'_>) {
        let is_known = matches!(written.certainty, Certainty::InPlace | Certainty::Moved);
        if is_known || text.iter().any(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric()) {
            self.take([written.claim.stored]);
        }
    }

    /// Whether an entry has work in the commit, or nobody could look.
    fn may_have(&self, entry: &str) -> bool {
        self.has.contains(entry) || self.hidden.contains(entry) || !self.seen.contains(entry)
    }
}

/// The ids of an agent's entries about files of a commit; `None` where there may be some that cannot be read.
type Brought = Option<BTreeSet<String>>;

impl Judge<'_> {
    /// What says that an agent made the commit, which changed these files. What nobody recorded in it is then unexplained.
    pub(super) fn mark(
        &self,
        at: &Evidence,
        changed: &[&str],
        judgement: &mut Judgement,
    ) -> Result<(), CommandError> {
        let commit = &judgement.commit;
        let mut marks = Vec::new();
        let brought = self.brought(commit, at, changed)?;
        if brought.is_none_or(|ids| ids.iter().any(|id| judgement.work.may_have(id))) {
            marks.push("sealed entries".to_owned());
        }
        marks.extend(signatures::mark(&commit.message));
        let is_agents = |author: &&String| commit.author.contains(author.as_str());
        marks.extend(self.authors.iter().find(is_agents).map(|author| format!("author {author}")));
        if !marks.is_empty() {
            let by_hand = judgement.runs.iter_mut().filter(|run| run.label == Label::Human);
            by_hand.for_each(|run| run.label = Label::Unexplained);
        }
        judgement.marks = marks;
        Ok(())
    }

    /// What the segments say that no parent has. Those that a merge takes over from a parent are judged with the commits that
    /// brought them.
    fn brought(&self, commit: &Commit, at: &Evidence, changed: &[&str]) -> Result<Brought, CommandError> {
        let mut before = BTreeSet::new();
        for parent in commit.parents.iter().filter(|parent| self.git.has_commit(parent)) {
            before.extend(self.git.segments_at(parent)?);
        }
        let new = at.segments.difference(&before).map(|name| self.about(commit, name, changed));
        Ok(new.collect::<Option<Vec<_>>>().map(|all| all.into_iter().flatten().collect()))
    }

    /// An agent's entries about these files in a segment that a commit has.
    fn about(&self, commit: &Commit, segment: &ContentHash, files: &[&str]) -> Brought {
        let text = self.segment(commit, segment)?;
        let names: Vec<String> = files.iter().map(|file| Value::from(*file).to_string()).collect();
        let named = text.lines().filter(|line| names.iter().any(|name| line.contains(name)));
        let ids: Option<Vec<Option<String>>> = named.map(|line| agents_entry(line, files)).collect();
        ids.map(|ids| ids.into_iter().flatten().collect())
    }
}

/// The id of the entry in a line of a segment, if it is an agent's and about one of these files: a person's is a lesson, or a
/// change that was put back. The outer `None` is a line that cannot be read.
#[expect(clippy::option_option, reason = "what cannot be read may be one")]
fn agents_entry(line: &str, files: &[&str]) -> Option<Option<String>> {
    let entry: Value = serde_json::from_str(line).ok()?;
    let ours = entry.pointer("/metadata/dev.bailiwick")?;
    let changed = ours.get("files")?.as_array()?;
    let is_named =
        |file: &Value| file.get("path").and_then(Value::as_str).is_some_and(|path| files.contains(&path));
    let is_a_persons = ours.get("host").and_then(Value::as_str) == Some(Actor::HUMAN);
    if is_a_persons || !changed.iter().any(is_named) {
        return Some(None);
    }
    entry.get("id").and_then(Value::as_str).map(|id| Some(id.to_owned()))
}
