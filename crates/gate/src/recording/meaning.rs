//! What a change means, asked where its diff is made: once for a question, once for a record. A call that changes no
//! file, or of which nobody is asked, is never looked at.

use bailiwick_domain::{
    ChangedFile, FileChange, Mutation, MutationEvidence, MutationMethod, PortError, RepoPath,
};

use crate::Gate;
use crate::gathering::case::{Case, inside};

/// One file of a change with its contents.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) path: RepoPath,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Option<Vec<u8>>,
}

impl Gate {
    /// The class that the change of a call is predicted to have, and the one that the agent claims; `None` for a
    /// call that changes no file that it names.
    pub(crate) async fn predicted_meaning(&self, case: &Case<'_>) -> Result<Option<Mutation>, PortError> {
        let mut files = Vec::new();
        if case.facts.command.is_some() {
            return Ok(None);
        }
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            let Some(path) = inside(&target.location) else { continue };
            let before = self.content(&case.looked, path, &target.current).await?;
            let source = self.source_of(case, target).await;
            let predicted =
                crate::change::after(&case.targets, target, source.as_deref().or(before.as_deref()));
            let Some(after) = predicted else {
                let unknown = unknown(path, "what the file will hold cannot be computed");
                return Ok(Some(unknown.with_claim(case.call.claimed_class())));
            };
            files.push(Contents { path: path.clone(), before, after });
        }
        Ok((!files.is_empty()).then(|| self.meaning(&files).with_claim(case.call.claimed_class())))
    }

    /// The class of these changes.
    pub(crate) fn meaning(&self, files: &[Contents]) -> Mutation {
        let changes: Vec<FileChange<'_>> = files
            .iter()
            .map(|file| FileChange {
                path: &file.path,
                before: file.before.as_deref(),
                after: file.after.as_deref(),
            })
            .collect();
        self.ports.readers.mutations.classify(&changes)
    }

    /// Names the unit around each changed run.
    pub(crate) fn name_units(&self, file: &mut ChangedFile, after: Option<&[u8]>) {
        let Some(text) = after.and_then(|bytes| str::from_utf8(bytes).ok()) else { return };
        if file.ranges.is_empty() {
            return;
        }
        let lines: Vec<(usize, usize)> =
            file.ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
        let found = self.ports.readers.symbols.enclosing(&file.path, text, &lines);
        for (range, symbol) in file.ranges.iter_mut().zip(found) {
            range.symbol = symbol;
        }
    }
}

/// A change that could not be looked at.
pub(crate) fn unknown(path: &RepoPath, what: &str) -> Mutation {
    let evidence = MutationEvidence { path: path.clone(), line: 1, what: what.to_owned() };
    Mutation::evolution(MutationMethod::WholeFile, vec![evidence])
}
