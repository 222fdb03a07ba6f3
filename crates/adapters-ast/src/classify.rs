//! Asks one proof after the other whether a set of changes leaves the behaviour as it was.
//!
//! The order of the proofs is that of their cost. The first that succeeds wins; where none does, the set is an
//! evolution of intent.

mod explain;
mod files;
mod moves;

use bailiwick_domain::{
    FileChange, Mutation, MutationClassifier, MutationEvidence, MutationMethod, RepoPath,
};

use self::explain::explain;
use crate::AstReader;
use crate::budget::Budget;
use crate::compare::{Comparison, Used};
use crate::expand;
use crate::forms;
use crate::language::Language;
use crate::names;
use crate::outline::Outline;
use crate::parse::Exceeded;

/// A file that is there before and after.
#[derive(Debug)]
pub(crate) struct Pair<'t> {
    pub(crate) path: &'t RepoPath,
    /// Where it lay before, when it was moved.
    pub(crate) was: Option<&'t RepoPath>,
    pub(crate) before: Outline<'t>,
    pub(crate) after: Outline<'t>,
}

impl MutationClassifier for AstReader {
    fn classify(&self, changes: &[FileChange<'_>]) -> Mutation {
        let changed = changes.iter().filter(|change| change.before != change.after);
        let changed: Vec<_> = changed.copied().collect();
        let budget = Budget::of(&self.limits);
        let read = self.read(&changed, &budget);
        let class = read.and_then(|pairs| match after_moves(&pairs) {
            Some(mutation) => Ok(mutation),
            None => decide(&pairs),
        });
        let mutation = class.unwrap_or_else(|refusal| refusal);
        match changed.first() {
            // A proof that was cut short is none.
            Some(change) if budget.is_spent() && mutation.method != MutationMethod::Limit => {
                out_of_time(change.path)
            }
            _ => mutation,
        }
    }
}

impl AstReader {
    fn read<'t>(&self, changes: &[FileChange<'t>], budget: &'t Budget) -> Result<Vec<Pair<'t>>, Mutation> {
        if let Some(change) = changes.get(self.limits.files) {
            return Err(refusal(
                MutationMethod::Limit,
                change.path,
                1,
                "there are too many files to compare",
            ));
        }
        let moved = files::moved(changes);
        let is_moved = |path: &RepoPath| moved.iter().any(|(from, to)| path == from.path || path == to.path);
        let stayed = changes.iter().filter(|change| !is_moved(change.path)).copied();
        let renamed =
            moved.iter().map(|(from, to)| FileChange { path: to.path, before: from.before, after: to.after });
        let mut pairs = Vec::new();
        for change in stayed.chain(renamed) {
            pairs.push(self.pair(&change, budget)?);
        }
        for (from, to) in &moved {
            let was = pairs.iter_mut().find(|pair| pair.path == to.path);
            was.into_iter().for_each(|pair| pair.was = Some(from.path));
        }
        Ok(pairs)
    }

    fn pair<'t>(&self, change: &FileChange<'t>, budget: &'t Budget) -> Result<Pair<'t>, Mutation> {
        let path = change.path;
        let (before, after) = match (change.before, change.after) {
            (Some(before), Some(after)) => (before, after),
            (None, _) => return Err(refusal(MutationMethod::WholeFile, path, 1, "the file is new")),
            (_, None) => return Err(refusal(MutationMethod::WholeFile, path, 1, "the file is gone")),
        };
        let (Ok(before), Ok(after)) = (str::from_utf8(before), str::from_utf8(after)) else {
            return Err(refusal(MutationMethod::WholeFile, path, 1, "the file is not text"));
        };
        let Some(language) = Language::of(path.as_str()) else {
            return Err(refusal(
                MutationMethod::UnknownLanguage,
                path,
                1,
                "there is no grammar for this file",
            ));
        };
        if language == Language::Php && sent_as_it_is(before) != sent_as_it_is(after) {
            let what = "what stands outside the program changed";
            return Err(refusal(MutationMethod::Unexplained, path, 1, what));
        }
        let read = |text| {
            Outline::read(language, text, &self.limits, budget)
                .map_err(|exceeded: Exceeded| refusal(MutationMethod::Limit, path, 1, exceeded.what()))
        };
        let pair = Pair { path, was: None, before: read(before)?, after: read(after)? };
        if pair.after.errors > pair.before.errors {
            let error = pair.after.nodes.iter().position(|node| matches!(node.kind, "ERROR" | "MISSING"));
            let line = error.map_or(1, |index| pair.after.line(index));
            return Err(refusal(MutationMethod::Syntax, path, line, "the change has a syntax error"));
        }
        Ok(pair)
    }
}

/// What a file of PHP sends before its first and behind its last word, blanks and marks of the encoding too.
fn sent_as_it_is(text: &str) -> (&str, &str) {
    let head = text.split_once("<?").map_or(text, |(head, _)| head);
    let tail = text.rsplit_once("?>").map_or("", |(_, tail)| tail);
    (head, tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n')).unwrap_or(tail))
}

fn refusal(method: MutationMethod, path: &RepoPath, line: usize, what: &str) -> Mutation {
    let what = what.to_owned();
    Mutation::evolution(method, vec![MutationEvidence { path: path.clone(), line, what }])
}

/// A proof of what is left once what moved between the files is taken out of both sides.
fn after_moves(pairs: &[Pair<'_>]) -> Option<Mutation> {
    let (rest, mut told) = moves::settled(pairs)?;
    let proof = decide(&rest).ok().filter(Mutation::is_refactor)?;
    told.extend(suppressions(pairs));
    let method = match proof.method {
        MutationMethod::SameTokens => MutationMethod::SameItems,
        other => other,
    };
    Some(Mutation::refactor(method, told))
}

fn out_of_time(path: &RepoPath) -> Mutation {
    refusal(MutationMethod::Limit, path, 1, Exceeded::Time.what())
}

/// Whether there is something left to spend on another look at these files.
fn in_time(pairs: &[Pair<'_>]) -> Result<(), Mutation> {
    match pairs.iter().find(|pair| !(pair.before.spend() && pair.after.spend())) {
        Some(pair) => Err(out_of_time(pair.path)),
        None => Ok(()),
    }
}

fn decide(pairs: &[Pair<'_>]) -> Result<Mutation, Mutation> {
    if pairs.iter().all(|pair| pair.was.is_none() && same_tokens(&pair.before, &pair.after)) {
        return Ok(Mutation::refactor(MutationMethod::SameTokens, suppressions(pairs)));
    }
    in_time(pairs)?;
    let sides: Vec<_> = pairs.iter().map(|pair| (&pair.before, &pair.after)).collect();
    let renames = names::accepted(&sides);
    if let Some(pair) = pairs.iter().find(|pair| !files::may_be_called_that(pair, pairs, &renames)) {
        return Err(refusal(MutationMethod::WholeFile, pair.path, 1, "the file is new"));
    }
    let mut used = Used::default();
    let mut differences = Vec::new();
    for pair in pairs {
        in_time(std::slice::from_ref(pair))?;
        let mut comparison = Comparison::new(&pair.before, &pair.after, &renames);
        if let Err(difference) = comparison.run() {
            let (line, what) = explain(&pair.before, &pair.after, difference);
            differences.push(MutationEvidence { path: pair.path.clone(), line, what });
        }
        used.order |= comparison.used.order;
        used.variables |= comparison.used.variables;
        used.names |= comparison.used.names;
    }
    let is_open = !differences.is_empty() && pairs.iter().all(|pair| pair.was.is_none());
    if is_open && in_time(pairs).is_ok() && expands(pairs) {
        return Ok(Mutation::refactor(MutationMethod::Expanded, suppressions(pairs)));
    }
    if is_open && in_time(pairs).is_ok() && forms_alike(pairs) {
        return Ok(Mutation::refactor(MutationMethod::SameItems, suppressions(pairs)));
    }
    if !differences.is_empty() {
        let is_cut_short = in_time(pairs).err();
        let method = is_cut_short.as_ref().map_or(MutationMethod::Unexplained, |_| MutationMethod::Limit);
        differences.extend(is_cut_short.into_iter().flat_map(|refusal| refusal.evidence));
        return Ok(Mutation::evolution(method, differences));
    }
    let method = if used.variables || used.names || renames.iter().next().is_some() {
        MutationMethod::Renamed
    } else {
        MutationMethod::SameItems
    };
    Ok(Mutation::refactor(method, suppressions(pairs)))
}

/// Whether the texts are the same once one side is written out: the new one for what was extracted, the old one for
/// what was put in place.
fn expands(pairs: &[Pair<'_>]) -> bool {
    let after: Vec<&Outline<'_>> = pairs.iter().map(|pair| &pair.after).collect();
    let before: Vec<&Outline<'_>> = pairs.iter().map(|pair| &pair.before).collect();
    let extracted =
        pairs.iter().map(|pair| (pair.before.clone(), written_out(&pair.after, &pair.before, &after)));
    let inlined =
        pairs.iter().map(|pair| (written_out(&pair.before, &pair.after, &before), pair.after.clone()));
    is_same(&extracted.collect::<Vec<_>>()) || is_same(&inlined.collect::<Vec<_>>())
}

/// Whether the texts are the same once both are written in one form.
fn forms_alike(pairs: &[Pair<'_>]) -> bool {
    let formed: Vec<_> = pairs
        .iter()
        .map(|pair| (forms::in_one_form(&pair.before), forms::in_one_form(&pair.after)))
        .collect();
    let has_any = formed.iter().any(|(before, after)| before.is_some() || after.is_some());
    let sides = formed.into_iter().zip(pairs).map(|((before, after), pair)| {
        (before.unwrap_or_else(|| pair.before.clone()), after.unwrap_or_else(|| pair.after.clone()))
    });
    has_any && is_same(&sides.collect::<Vec<_>>())
}

fn written_out<'t>(own: &Outline<'t>, other: &Outline<'t>, around: &[&Outline<'t>]) -> Outline<'t> {
    expand::toward(own, other, around).unwrap_or_else(|| own.clone())
}

fn is_same(sides: &[(Outline<'_>, Outline<'_>)]) -> bool {
    let pairs: Vec<_> = sides.iter().map(|(before, after)| (before, after)).collect();
    let renames = names::accepted(&pairs);
    pairs.iter().all(|(before, after)| Comparison::new(before, after, &renames).run().is_ok())
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
