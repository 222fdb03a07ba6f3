//! What a change means, asked where its diff is made: once for a question, once for a record. A call that changes no
//! file, or of which nobody is asked, is never looked at.

use bailiwick_domain::{ChangedFile, FileChange, Mutation, MutationEvidence, MutationMethod, RepoPath};

/// One file of a change with its contents.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) path: RepoPath,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Option<Vec<u8>>,
}

part! {
    /// Asks what understands source.
    pub(crate) struct Meaning {
        from readers: mutations, symbols;
    }
}

impl Meaning<'_> {
    /// The class of these changes.
    pub(crate) fn of_files(&self, files: &[Contents]) -> Mutation {
        let changes: Vec<FileChange<'_>> = files
            .iter()
            .map(|file| FileChange {
                path: &file.path,
                before: file.before.as_deref(),
                after: file.after.as_deref(),
            })
            .collect();
        self.mutations.classify(&changes)
    }

    /// Names the unit around each changed run.
    pub(crate) fn name_units(&self, file: &mut ChangedFile, after: Option<&[u8]>) {
        let Some(text) = after.and_then(|bytes| str::from_utf8(bytes).ok()) else { return };
        if file.ranges.is_empty() {
            return;
        }
        let lines: Vec<(usize, usize)> =
            file.ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
        let found = self.symbols.enclosing(&file.path, text, &lines);
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
