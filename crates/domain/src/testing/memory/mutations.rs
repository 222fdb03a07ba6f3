//! A classifier of changes and a finder of symbols that know only what a test tells them.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use std::sync::Mutex;

use super::held;
use crate::calls::{FileChange, Mutation, MutationEvidence, MutationMethod, Symbol};
use crate::ports::{MutationClassifier, SymbolFinder};
use crate::values::RepoPath;

/// Calls a change a refactor when it only adds or takes blanks, and says of everything else what it was told to say.
#[derive(Clone, Debug, Default)]
pub struct MemoryMutations {
    evidence: String,
    symbol: Option<Symbol>,
    asked: Arc<Mutex<usize>>,
}

impl MemoryMutations {
    /// Names this difference where it finds one.
    #[must_use]
    pub fn with_evidence(mut self, what: &str) -> Self {
        self.evidence = what.into();
        self
    }

    /// Finds this symbol around every line.
    #[must_use]
    pub fn with_symbol(mut self, symbol: Symbol) -> Self {
        self.symbol = Some(symbol);
        self
    }

    /// How often a set of changes was classified.
    pub fn asked(&self) -> usize {
        *held(&self.asked)
    }
}

impl MutationClassifier for MemoryMutations {
    fn classify(&self, changes: &[FileChange<'_>]) -> Mutation {
        *held(&self.asked) += 1;
        let words = |bytes: Option<&[u8]>| {
            bytes.map(|bytes| {
                bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>()
            })
        };
        match changes.iter().find(|change| words(change.before) != words(change.after)) {
            None => Mutation::refactor(MutationMethod::SameTokens, Vec::new()),
            Some(change) => {
                let (path, what) = (change.path.clone(), self.evidence.clone());
                let evidence = vec![MutationEvidence { path, line: 1, what }];
                Mutation::evolution(MutationMethod::Unexplained, evidence)
            }
        }
    }
}

impl SymbolFinder for MemoryMutations {
    fn enclosing(&self, _path: &RepoPath, _text: &str, lines: &[(usize, usize)]) -> Vec<Option<Symbol>> {
        lines.iter().map(|_| self.symbol.clone()).collect()
    }
}
