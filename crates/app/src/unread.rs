//! Source that nobody reads: what a library without the feature `ast` says of a change. Nothing is a proved refactor, and
//! no line has a named unit around it.

use bailiwick_domain::{
    FileChange, Mutation, MutationClassifier, MutationEvidence, MutationMethod, RepoPath, Symbol,
    SymbolFinder,
};

/// Reads nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SourceReader;

impl MutationClassifier for SourceReader {
    fn classify(&self, changes: &[FileChange<'_>]) -> Mutation {
        let what = "built without a reader of source".to_owned();
        let unread = |change: &FileChange<'_>| MutationEvidence {
            path: change.path.clone(),
            line: 1,
            what: what.clone(),
        };
        Mutation::evolution(MutationMethod::WholeFile, changes.iter().take(1).map(unread).collect())
    }
}

impl SymbolFinder for SourceReader {
    fn enclosing(&self, _path: &RepoPath, _text: &str, lines: &[(usize, usize)]) -> Vec<Option<Symbol>> {
        vec![None; lines.len()]
    }
}
