//! Which calls a grant covers, and which fuse ends it ([`fuse`]). Nobody is asked about a covered call; every other check runs before, and for each call.
//!
//! Pure and closed: what is not positively an edit of plain text in the bounds is not covered. Deliberately absent:
//! counting down, which [`Grant`] does, writing an end down (the gate's), and every rule that can forbid a call.

use bailiwick_domain::{
    Actor, Classification, Effect, FileState, Grant, GrantCost, GrantEnd, GrantFile, GrantLimits,
    GrantStatus, Location, RepoPath, Timestamp, WorkspacePath,
};

use crate::calls::facts::{Facts, IntentFact, TargetFact};
use crate::calls::registry::Extractor;
use crate::calls::terms::Access;
use crate::globs::scope_match::{CaselessMatcher, ScopeMatcher};
use crate::guarded::executable::run_by;
use crate::guarded::protection::{self, Protection};
use crate::staleness::{Freshness, freshness};

/// What a call would make of one file, as far as it is known before the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeFact {
    /// The file.
    pub path: RepoPath,
    /// What it will hold; `None` when that cannot be told.
    pub after: Option<FileState>,
    /// How many lines are added or removed, long lines counted as several; `None` when that cannot be told.
    pub lines: Option<u32>,
    /// Whether it is text before and after.
    pub is_text: bool,
    /// What runs it, by what the disk says rather than its name: its first line, its mode, git's configuration.
    pub run_by: Option<&'static str>,
    /// Whether the call also gives it another mode or another kind.
    pub sets_mode: bool,
}

/// When and where a call happens, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment<'a> {
    /// Now.
    pub now: Timestamp,
    /// Who calls.
    pub actor: &'a Actor,
    /// The working copy that the paths are relative to.
    pub worktree: Option<&'a str>,
    /// What `HEAD` names.
    pub branch: &'a str,
    /// When a human last prompted this actor.
    pub prompted: Option<Timestamp>,
}

/// Why a grant does not cover a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncovered {
    /// The grant is over, for every call.
    Over(GrantEnd),
    /// No grant covers such a call: why.
    Never(&'static str),
    /// It would go beyond this bound of the grant.
    Beyond(&'static str),
}

/// What a call takes of a grant, if the grant covers it.
///
/// # Errors
/// Why it does not.
pub fn covers(
    grant: &Grant,
    facts: &Facts,
    changes: &[ChangeFact],
    moment: &Moment<'_>,
) -> Result<GrantCost, Uncovered> {
    if *moment.actor != grant.terms.actor {
        return Err(Uncovered::Never("it was given to another actor"));
    }
    if moment.worktree != grant.terms.worktree.as_deref() {
        return Err(Uncovered::Never("it was given for another working copy"));
    }
    if let Some(why) = fuse(grant, facts, moment) {
        return Err(Uncovered::Over(why));
    }
    if !facts.unaccepted.is_empty() {
        return Err(Uncovered::Never("nobody has accepted its intent as it is now on this machine"));
    }
    let files = grantable(facts, changes).map_err(Uncovered::Never)?;
    let lines = changes.iter().filter_map(|change| change.lines).fold(0, u32::saturating_add);
    let cost = GrantCost { lines, files };
    within(grant, facts, &cost).map_err(Uncovered::Beyond)?;
    Ok(cost)
}

/// Why the grant is over, if it is: its fuses, in their order.
pub fn fuse(grant: &Grant, facts: &Facts, moment: &Moment<'_>) -> Option<GrantEnd> {
    if let GrantStatus::Ended { why, .. } = &grant.status {
        return Some(why.clone());
    }
    let terms = &grant.terms;
    if !matches!(&facts.intent, IntentFact::Active(intent) if terms.are_of(intent)) {
        return Some(GrantEnd::IntentChanged);
    }
    if moment.prompted.is_some_and(|prompted| terms.opened < prompted) {
        return Some(GrantEnd::TurnOver);
    }
    let fuses = [
        (moment.now < terms.opened || terms.expires() <= moment.now, GrantEnd::Expired),
        (moment.branch != terms.branch, GrantEnd::BranchChanged),
        (grant.used.blocks >= Grant::BLOCKS, GrantEnd::TwoBlocks),
        (has_drifted(grant, &facts.targets), GrantEnd::Drift),
    ];
    fuses.into_iter().find_map(|(fires, why)| fires.then_some(why))
}

/// Whether one of these files is not what the grant's calls have left there.
pub fn has_drifted(grant: &Grant, targets: &[TargetFact]) -> bool {
    let drifted = |target: &TargetFact| match &target.location {
        Location::Inside(found) if target.access.mutates() => {
            grant.file(&found.path).is_some_and(|file| file.after != target.current)
        }
        _ => false,
    };
    targets.iter().any(drifted)
}

/// The files of a call that some grant could cover; else why none ever covers it.
///
/// # Errors
/// The reason, as the end of the sentence "a grant does not cover this: …".
pub fn grantable(facts: &Facts, changes: &[ChangeFact]) -> Result<Vec<GrantFile>, &'static str> {
    if !facts.settings.grants {
        return Err("the settings allow no grants");
    }
    let tool = &facts.tool;
    if tool.class != Classification::Destructive || !tool.known || tool.own {
        return Err("the tool is not known");
    }
    if tool.effect != Effect::Write || !is_edit(tool.extractor) || facts.command.is_some() {
        return Err("it is no edit");
    }
    if !facts.extras.is_empty() {
        return Err("it carries parameters that change what it does, or that are not known");
    }
    if facts.targets.is_empty() || facts.targets.len() != changes.len() {
        return Err("what it changes is not known");
    }
    let mut files: Vec<GrantFile> = Vec::with_capacity(changes.len());
    for (target, change) in facts.targets.iter().zip(changes) {
        let file = changed(facts, target, change)?;
        if files.iter().any(|other| other.path == file.path) {
            return Err("it changes a file twice");
        }
        files.push(file);
    }
    Ok(files)
}

/// Tools that put text into files, and do nothing else.
fn is_edit(extractor: Extractor) -> bool {
    match extractor {
        Extractor::Write
        | Extractor::Edit
        | Extractor::MultiFileEdit
        | Extractor::Insert
        | Extractor::Blocks
        | Extractor::Patch
        | Extractor::Editor => true,
        Extractor::Nothing
        | Extractor::Unknown
        | Extractor::ReadFile
        | Extractor::ReadTree
        | Extractor::ReadGlob
        | Extractor::Delete
        | Extractor::Move
        | Extractor::Notebook
        | Extractor::Image
        | Extractor::Command => false,
    }
}

fn changed(facts: &Facts, target: &TargetFact, change: &ChangeFact) -> Result<GrantFile, &'static str> {
    match target.access {
        Access::Overwrite | Access::Anchored | Access::Patch => {}
        Access::Delete | Access::MoveFrom | Access::MoveTo => return Err("it removes or moves a file"),
        Access::Anything => return Err("what it changes is not known"),
        Access::Read | Access::Look => return Err("it is no edit"),
    }
    let Location::Inside(found) = &target.location else { return Err("it leaves the repository") };
    if change.path != found.path {
        return Err("what it changes is not known");
    }
    place(facts, found)?;
    if target.current == FileState::Other || freshness(target, facts.settings.never_read) != Freshness::Fresh
    {
        return Err("the file is no plain file, or was not shown to the agent");
    }
    let (Some(after @ FileState::Content(_)), Some(_)) = (&change.after, change.lines) else {
        return Err("its result cannot be predicted");
    };
    if !change.is_text || change.sets_mode {
        return Err("it changes more than text");
    }
    if let Some(says) = change.run_by {
        return Err(says);
    }
    Ok(GrantFile { path: found.path.clone(), before: target.current.clone(), after: after.clone() })
}

fn place(facts: &Facts, found: &WorkspacePath) -> Result<(), &'static str> {
    if found.spelled.is_some() {
        return Err("it goes through a link");
    }
    if protection::of_change(found, &facts.settings) != Protection::None {
        return Err("the file is sensitive");
    }
    let folded = RepoPath::new(&found.folded);
    let folded = folded.map_or(Some("its name is not known"), |folded| run_by(&folded));
    run_by(&found.path).or(folded).map_or(Ok(()), Err)
}

fn within(grant: &Grant, facts: &Facts, cost: &GrantCost) -> Result<(), &'static str> {
    let (used, limits) = (&grant.used, grant.terms.bounds.limits());
    if !cost.files.iter().all(|file| is_among(limits, &file.path, facts.folds_case)) {
        return Err("the paths that were granted");
    }
    let fresh = cost.files.iter().filter(|file| grant.file(&file.path).is_none()).count();
    let files = used.files.len().saturating_add(fresh);
    let bounds = [
        (used.calls.saturating_add(1) > limits.max_calls, "the number of calls"),
        (cost.lines > limits.max_lines_per_call, "the lines of one call"),
        (used.lines.saturating_add(cost.lines) > limits.max_lines, "the lines that were granted"),
        (u32::try_from(files).map_or(true, |files| files > limits.max_files), "the number of files"),
    ];
    match bounds.into_iter().find(|(beyond, _)| *beyond) {
        Some((_, bound)) => Err(bound),
        None => Ok(()),
    }
}

/// Whether the grant names the path, where it names paths at all. What cannot be understood names nothing.
fn is_among(limits: &GrantLimits, path: &RepoPath, folds_case: bool) -> bool {
    if limits.paths.is_empty() {
        return true;
    }
    let left = if folds_case { CaselessMatcher::left_by_exclusions(&limits.paths) } else { Ok(None) };
    match (ScopeMatcher::new(&limits.paths), left) {
        (Ok(exact), Ok(left)) => exact.matches(path) && left.is_none_or(|left| left.matches(path)),
        _ => false,
    }
}
