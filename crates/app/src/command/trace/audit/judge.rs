//! Judges one commit: its marks, the evidence that it has, and who answers for each run of lines.

use std::collections::BTreeSet;

use bailiwick_adapters_fs::intents_of;
use bailiwick_domain::{
    ContentHash, FileState, IntentId, IntentSet, LedgerQuery, Origin, RepoPath, StoredEntry, Timestamp,
};
use bailiwick_policy::scope_match::ScopeMatcher;

use super::commits::Commit;
use super::history::{self, Hunk};
use crate::command::git::Git;
use crate::command::trace::contents::Kept;
use crate::command::trace::source::{SourceFile, entries};
use crate::command::{CommandError, Context};
use crate::compose::same_tokens;
use crate::evidence::{Account, IndexedText, of_lines, traced, way};
use crate::site::Site;

/// Names of agents that sign commits they helped with.
const AGENTS: &[&str] = &["claude", "codex", "copilot", "cursor", "gemini", "devin", "aider", "jules"];

/// Who answers for a run of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Traced,
    Layout,
    OutOfScope,
    Human,
    Unexplained,
    Unknown,
}

impl Label {
    pub(super) const ALL: &[Self] =
        &[Self::Traced, Self::Layout, Self::Human, Self::OutOfScope, Self::Unexplained, Self::Unknown];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Traced => "traced",
            Self::Layout => "layout",
            Self::OutOfScope => "out_of_scope",
            Self::Human => "human",
            Self::Unexplained => "unexplained",
            Self::Unknown => "unknown",
        }
    }

    pub(super) fn fails(self) -> bool {
        matches!(self, Self::OutOfScope | Self::Unexplained)
    }
}

/// A run of lines with who answers for it.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) path: String,
    pub(super) hunk: Hunk,
    pub(super) label: Label,
    pub(super) intents: BTreeSet<IntentId>,
    /// How many of its lines are traced although it is not.
    pub(super) traced_lines: Option<(usize, usize)>,
}

impl Judged {
    pub(super) fn place(&self) -> String {
        let Hunk { first, count } = self.hunk;
        match count {
            0 => format!("{}:{first} (removed lines)", self.path),
            1 => format!("{}:{first}", self.path),
            _ => format!("{}:{first}-{}", self.path, first + count - 1),
        }
    }
}

/// A commit, judged.
#[derive(Debug)]
pub(super) struct Judgement {
    pub(super) commit: Commit,
    pub(super) marks: Vec<String>,
    pub(super) has_evidence: bool,
    pub(super) runs: Vec<Judged>,
}

impl Judgement {
    /// Whether it is an agent's commit with a run that nobody answers for.
    pub(super) fn fails(&self) -> bool {
        !self.marks.is_empty() && self.runs.iter().any(|run| run.label.fails())
    }

    pub(super) fn intents(&self) -> impl Iterator<Item = &str> {
        let all: BTreeSet<&str> =
            self.runs.iter().flat_map(|run| run.intents.iter().map(IntentId::as_str)).collect();
        all.into_iter()
    }
}

/// What every commit is judged with.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    site: &'a Site,
    git: &'a Git,
    context: &'a Context,
    authors: &'a [String],
    kept: Kept,
}

/// What counts at one commit.
struct Evidence {
    segments: BTreeSet<ContentHash>,
    until: Timestamp,
    intents: IntentSet,
}

impl Evidence {
    /// Entries of segments that the commit has, and of this clone's own ledger up to the commit.
    fn has(&self, stored: &StoredEntry) -> bool {
        match &stored.origin {
            Origin::Segment(name) => self.segments.contains(name),
            Origin::Live | Origin::Ended(_) => stored.entry.timestamp <= self.until,
        }
    }
}

impl<'a> Judge<'a> {
    pub(super) fn new(site: &'a Site, git: &'a Git, context: &'a Context, authors: &'a [String]) -> Self {
        Self { site, git, context, authors, kept: Kept::of(site) }
    }

    pub(super) fn commit(&self, commit: Commit) -> Result<Judgement, CommandError> {
        let segments = self.git.segments_at(&commit.id)?;
        let intents = self.git.file_at(&commit.id, bailiwick_adapters_fs::Layout::INTENTS);
        let evidence = Evidence {
            segments,
            until: Timestamp::from_unix_ms(commit.at_s.saturating_mul(1000).saturating_add(999)),
            intents: intents.map(|bytes| intents_of(&bytes)).unwrap_or_default(),
        };
        let marks = self.marks(&commit, &evidence)?;
        let mut judgement = Judgement {
            has_evidence: !evidence.segments.is_empty(),
            marks,
            runs: Vec::new(),
            commit: commit.clone(),
        };
        let lacks_parent = self.git.lacks_parent(&commit.id);
        for name in history::changed(self.git, &commit)? {
            let Ok(path) = RepoPath::new(&name) else { continue };
            if name.starts_with(".orchestration/") {
                continue;
            }
            if lacks_parent {
                judgement.runs.push(whole(&name, Label::Unknown));
                continue;
            }
            self.file(&path, &evidence, &mut judgement)?;
        }
        Ok(judgement)
    }

    /// What says that an agent made the commit.
    fn marks(&self, commit: &Commit, evidence: &Evidence) -> Result<Vec<String>, CommandError> {
        let mut marks = Vec::new();
        let mut before = BTreeSet::new();
        for parent in commit.parents.iter().filter(|parent| self.git.has_commit(parent)) {
            before.extend(self.git.segments_at(parent)?);
        }
        // A merge brings segments of commits that are judged by themselves.
        if commit.parents.len() < 2 && !evidence.segments.is_subset(&before) {
            marks.push("sealed entries".to_owned());
        }
        marks.extend(trailers(&commit.message));
        let is_agents = |author: &&String| commit.author.contains(author.as_str());
        marks.extend(self.authors.iter().find(is_agents).map(|author| format!("author {author}")));
        Ok(marks)
    }

    fn file(&self, path: &RepoPath, at: &Evidence, judgement: &mut Judgement) -> Result<(), CommandError> {
        let commit = judgement.commit.clone();
        let parent = commit.parents.first();
        let (before, old) = match parent {
            Some(parent) => history::state(self.git, parent, path.as_str()),
            None => (FileState::Absent, None),
        };
        let (after, new) = history::state(self.git, &commit.id, path.as_str());
        let text = new.clone().unwrap_or_default();
        let hunks = history::hunks(self.git, &commit, path)?;
        let source = SourceFile { path: path.clone(), text };
        let indexed = IndexedText::new(&source.text);
        let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
        let mut found = entries(self.site, self.context, &source, &indexed, &query)?;
        found.retain(|stored| at.has(stored));
        judgement.has_evidence |= !found.is_empty();
        let all: Vec<&StoredEntry> = found.iter().collect();
        if let Some(intents) = way(path, &before, &after, &all) {
            let label = if is_in_scope(path, &intents, at, &all) { Label::Traced } else { Label::OutOfScope };
            judgement.runs.extend(hunks.into_iter().map(|hunk| Judged {
                path: path.to_string(),
                hunk,
                label,
                intents: intents.clone(),
                traced_lines: None,
            }));
            return Ok(());
        }
        let nobody = if judgement.marks.is_empty() { Label::Human } else { Label::Unexplained };
        let is_layout = match (&old, &new) {
            (Some(old), Some(new)) => old != new && same_tokens(path, old, new),
            _ => false,
        };
        let nobody = if is_layout { Label::Layout } else { nobody };
        let written = if source.text.contains(&0) {
            Vec::new()
        } else {
            traced(path, &source.text, &indexed, &found, &self.kept)
        };
        let owners: Vec<Option<IntentId>> = written
            .iter()
            .map(|written| written.as_ref().map(|written| written.claim.stored.entry.context.intent.clone()))
            .collect();
        let lines: Vec<&[u8]> = source.text.split(|byte| *byte == b'\n').collect();
        let is_blank = |line: usize| lines.get(line).is_some_and(|line| line.trim_ascii().is_empty());
        for hunk in hunks {
            let mut run = Judged { hunk, ..whole(path.as_str(), nobody) };
            match of_lines(hunk.lines(), &owners, is_blank) {
                Account::Traced(intents) => {
                    let in_scope = is_in_scope(path, &intents, at, &all);
                    run.label = if in_scope { Label::Traced } else { Label::OutOfScope };
                    run.intents = intents;
                }
                Account::Untraced { traced, of } => run.traced_lines = Some((traced, of)),
            }
            judgement.runs.push(run);
        }
        Ok(())
    }
}

fn whole(path: &str, label: Label) -> Judged {
    Judged { path: path.to_owned(), hunk: Hunk::WHOLE, label, intents: BTreeSet::new(), traced_lines: None }
}

/// Trailers that name an agent or an intent. Trailers stand in the last paragraph of a message.
fn trailers(message: &str) -> Option<String> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let (key, value) = (key.trim().to_lowercase(), value.trim().to_lowercase());
        let names_agent = || AGENTS.iter().any(|agent| value.contains(agent));
        let is_mark = match key.as_str() {
            "intent" | "agent" => !value.is_empty(),
            "co-authored-by" | "assisted-by" | "generated-by" => names_agent(),
            _ => false,
        };
        is_mark.then(|| format!("trailer {}", line.trim()))
    })
}

/// Whether each intent owns the path as the commit has it. Where the commit has the intent no more, or in another revision,
/// the gate's own look at the time counts; and so does a person's yes to a file beyond the scope.
fn is_in_scope(
    path: &RepoPath,
    intents: &BTreeSet<IntentId>,
    at: &Evidence,
    entries: &[&StoredEntry],
) -> bool {
    intents.iter().all(|id| {
        let Some(intent) = at.intents.get(id) else { return true };
        let of_file = |stored: &&&StoredEntry| {
            let context = &stored.entry.context;
            context.intent == *id && stored.entry.files.iter().any(|file| file.path == *path)
        };
        let is_told = entries.iter().filter(of_file).any(|stored| {
            stored.entry.context.scope_override || stored.entry.context.revision != *intent.revision()
        });
        is_told || ScopeMatcher::new(intent.owned_scope()).is_ok_and(|scope| scope.matches(path))
    })
}

#[cfg(test)]
mod tests {
    use super::trailers;

    #[test]
    fn only_trailers_of_the_last_paragraph_are_marks() {
        for (message, is_mark) in [
            ("Fix it\n\nIntent: INT-001\n", true),
            ("Fix it\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n", true),
            ("Fix it\n\nCo-authored-by: Ada <ada@example.com>\n", false),
            ("Fix it\n\nIntent: is explained here\n\nSigned-off-by: Ada <ada@example.com>\n", false),
            ("Intent\n", false),
        ] {
            assert_eq!(trailers(message).is_some(), is_mark, "{message}");
        }
    }
}
