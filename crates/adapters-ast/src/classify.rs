//! Asks one proof after the other whether a set of changes leaves the behaviour as it was (REQ-TRACE-004).
//!
//! The order of the proofs is that of their cost. The first that succeeds wins; where none does, the set is an
//! evolution of intent.

use std::time::Instant;

use bailiwick_domain::{
    FileChange, Mutation, MutationClassifier, MutationEvidence, MutationMethod, RepoPath,
};

use crate::AstReader;
use crate::compare::{Comparison, Used};
use crate::explain::explain;
use crate::language::Language;
use crate::names;
use crate::outline::Outline;
use crate::parse::Exceeded;

/// A file that is there before and after.
#[derive(Debug)]
pub(crate) struct Pair<'t> {
    pub(crate) path: &'t RepoPath,
    pub(crate) before: Outline<'t>,
    pub(crate) after: Outline<'t>,
}

impl MutationClassifier for AstReader {
    fn classify(&self, changes: &[FileChange<'_>]) -> Mutation {
        let changed = changes.iter().filter(|change| change.before != change.after);
        match self.read(&changed.copied().collect::<Vec<_>>()) {
            Ok(pairs) => decide(&pairs),
            Err(refusal) => refusal,
        }
    }
}

impl AstReader {
    fn read<'t>(&self, changes: &[FileChange<'t>]) -> Result<Vec<Pair<'t>>, Mutation> {
        let deadline = Instant::now() + self.limits.time;
        if let Some(change) = changes.get(self.limits.files) {
            return Err(refusal(
                MutationMethod::Limit,
                change.path,
                1,
                "there are too many files to be looked at",
            ));
        }
        changes.iter().map(|change| self.pair(change, deadline)).collect()
    }

    fn pair<'t>(&self, change: &FileChange<'t>, deadline: Instant) -> Result<Pair<'t>, Mutation> {
        let path = change.path;
        let (before, after) = match (change.before, change.after) {
            (Some(before), Some(after)) => (before, after),
            (None, _) => return Err(refusal(MutationMethod::WholeFile, path, 1, "the file is new")),
            (_, None) => return Err(refusal(MutationMethod::WholeFile, path, 1, "the file is gone")),
        };
        let (Ok(before), Ok(after)) = (str::from_utf8(before), str::from_utf8(after)) else {
            return Err(refusal(MutationMethod::WholeFile, path, 1, "the file is no text"));
        };
        let Some(language) = Language::of(path.as_str()) else {
            return Err(refusal(
                MutationMethod::UnknownLanguage,
                path,
                1,
                "there is no grammar for this file",
            ));
        };
        let read = |text| {
            Outline::read(language, text, &self.limits, deadline)
                .map_err(|exceeded: Exceeded| refusal(MutationMethod::Limit, path, 1, exceeded.what()))
        };
        let pair = Pair { path, before: read(before)?, after: read(after)? };
        if pair.after.errors > pair.before.errors {
            let error = pair.after.nodes.iter().position(|node| matches!(node.kind, "ERROR" | "MISSING"));
            let line = error.map_or(1, |index| pair.after.line(index));
            return Err(refusal(MutationMethod::Syntax, path, line, "the change has a syntax error"));
        }
        Ok(pair)
    }
}

fn refusal(method: MutationMethod, path: &RepoPath, line: usize, what: &str) -> Mutation {
    let what = what.to_owned();
    Mutation::evolution(method, vec![MutationEvidence { path: path.clone(), line, what }])
}

fn decide(pairs: &[Pair<'_>]) -> Mutation {
    if pairs.iter().all(|pair| same_tokens(&pair.before, &pair.after)) {
        return Mutation::refactor(MutationMethod::SameTokens, suppressions(pairs));
    }
    let sides: Vec<_> = pairs.iter().map(|pair| (&pair.before, &pair.after)).collect();
    let renames = names::accepted(&sides);
    let mut used = Used::default();
    let mut differences = Vec::new();
    for pair in pairs {
        let mut comparison = Comparison::new(&pair.before, &pair.after, &renames);
        if let Err(difference) = comparison.run() {
            let (line, what) = explain(&pair.before, &pair.after, difference);
            differences.push(MutationEvidence { path: pair.path.clone(), line, what });
        }
        used.order |= comparison.used.order;
        used.variables |= comparison.used.variables;
        used.names |= comparison.used.names;
    }
    if !differences.is_empty() {
        return Mutation::evolution(MutationMethod::Unexplained, differences);
    }
    let method = if used.variables || used.names || renames.iter().next().is_some() {
        MutationMethod::Renamed
    } else {
        MutationMethod::SameItems
    };
    Mutation::refactor(method, suppressions(pairs))
}

/// Whether two texts have the same tokens in the same structure.
pub(crate) fn same_tokens(before: &Outline<'_>, after: &Outline<'_>) -> bool {
    before.nodes.len() == after.nodes.len()
        && before.nodes.iter().zip(&after.nodes).all(|(before, after)| before.is_like(after))
}

/// Tools that were told to keep quiet, or are not any more: no behaviour, but a human may want to know.
fn suppressions(pairs: &[Pair<'_>]) -> Vec<MutationEvidence> {
    let mut evidence = Vec::new();
    for pair in pairs {
        if pair.before.suppressions != pair.after.suppressions {
            let what = "comments that silence a tool changed".to_owned();
            evidence.push(MutationEvidence { path: pair.path.clone(), line: 1, what });
        }
    }
    evidence
}
