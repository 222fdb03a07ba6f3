//! Tests of an intent itself, before any agent works under it: do its examples hold, what does its scope reach, and can
//! anybody tell when it is done?
//!
//! Pure: it judges the intents as written against a listing of files. Deliberately absent: running a check, and reading
//! the file, whose own complaints (level 1) come before.

mod overlap;
mod probe;
mod requirement;
mod scope;
mod text;
mod tree;

use std::collections::{BTreeMap, HashMap};

use bailiwick_domain::{
    Check, CheckOf, CheckOutcome, CheckResult, Intent, IntentId, IntentKind, IntentRule, IntentSet,
    NamedCheck, Placed, RepoPath, WrittenIntent, WrittenLine,
};

pub use probe::Probe;
pub use requirement::verifying;

/// What the intents are held against.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The files of the working copy, sorted.
    pub files: &'a [RepoPath],
    /// Whether those are all.
    pub is_complete: bool,
    /// A scope that owns more files is broad.
    pub broad_files: usize,
    /// And so is one that owns more of the files, in thousandths.
    pub broad_permille: u32,
    /// What `bailiwick verify` recorded of each intent's checks.
    pub results: &'a BTreeMap<IntentId, Vec<CheckResult>>,
}

/// One thing to repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: IntentRule,
    /// Whether it contradicts what the person wrote, so that the intent cannot be right as it is.
    pub is_error: bool,
    /// The intent.
    pub intent: IntentId,
    /// The line, 1-based.
    pub line: usize,
    /// The column in characters, 1-based.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub fix: String,
}

/// What a scope reaches, and how tight it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeFigure {
    /// The intent.
    pub intent: IntentId,
    /// How many files it owns.
    pub files: usize,
    /// Of how many.
    pub of: usize,
    /// How many near misses of its examples, or of files that it owns, were tried.
    pub probes: usize,
    /// How many of them the scope keeps out.
    pub kept_out: usize,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order of the file.
    pub findings: Vec<Finding>,
    /// One for each open intent with a scope.
    pub scopes: Vec<ScopeFigure>,
}

/// Judges the open intents up to that level (1 to 3). Closed ones are history.
pub fn lint(written: &[WrittenIntent], set: &IntentSet, world: &World<'_>, level: u8) -> Report {
    let mut found = Found { findings: Vec::new(), level };
    let mut reached = Vec::new();
    let mut scopes = Vec::new();
    let mut tree = tree::Tree::new(world);
    let open: HashMap<&IntentId, &Intent> =
        set.iter().filter(|intent| intent.is_open()).map(|intent| (intent.id(), intent)).collect();
    for written in written {
        let Some(intent) = open.get(&written.id.value).copied() else { continue };
        found.about(written, |note| {
            meaning(written, intent, note);
            checks(written, intent, world, note);
            recorded(written, world, note);
            text::vague(written, intent, note);
        });
        let Some(reach) = scope::Reach::of(written, intent, &mut tree) else { continue };
        found.about(written, |note| reach.judge(&mut tree, note));
        scopes.push(reach.figure());
        reached.push(reach);
    }
    overlap::overlaps(&reached, world, &mut found);
    found.findings.sort_by_key(|finding| (finding.line, finding.column));
    Report { findings: found.findings, scopes }
}

/// What was found so far, up to a level.
#[derive(Debug)]
struct Found {
    findings: Vec<Finding>,
    level: u8,
}

/// A place in the file: line and column.
type At = (usize, usize);

/// Takes one complaint about the intent in hand.
type Note<'n> = dyn FnMut(IntentRule, At, String, &str) + 'n;

impl Found {
    fn about(&mut self, written: &WrittenIntent, judge: impl FnOnce(&mut Note<'_>)) {
        judge(&mut |rule, (line, column), message, fix| {
            if rule.level() <= self.level {
                self.findings.push(Finding {
                    rule,
                    is_error: matches!(rule, IntentRule::AllowedExample | IntentRule::DeniedExample),
                    intent: written.id.value.clone(),
                    line,
                    column,
                    message,
                    fix: fix.to_owned(),
                });
            }
        });
    }
}

fn head(written: &WrittenIntent) -> At {
    (written.id.line, written.id.column)
}

/// Why it exists, and whether it still can be worked on.
fn meaning(written: &WrittenIntent, intent: &Intent, note: &mut Note<'_>) {
    let (id, at) = (intent.id(), head(written));
    if intent.why().is_none_or(|why| why.trim().is_empty()) {
        let fix = "add `why:` with what goes wrong without it";
        note(IntentRule::NoWhy, at, format!("intent `{id}` does not say why it exists"), fix);
    }
    if intent.closed_because() == Some("expired") {
        let fix = "set a later `expires:`, or the status to `COMPLETED` or `ABANDONED`";
        note(IntentRule::Expired, at, format!("intent `{id}` is open, but its time is over"), fix);
    }
    if intent.owned_scope().is_empty() && intent.kind() != Some(IntentKind::Goal) {
        let accept = format!("accept what is proposed: `bailiwick intent accept {id}`");
        let fix = match written.proposed.is_empty() {
            true => "add `owned_scope:`, or `kind: goal` if nothing shall be changed under it",
            false => accept.as_str(),
        };
        note(IntentRule::NoScope, at, format!("intent `{id}` is open and owns nothing"), fix);
    }
}

/// What the last runs of its checks say of the checks.
fn recorded(written: &WrittenIntent, world: &World<'_>, note: &mut Note<'_>) {
    let Some(results) = world.results.get(&written.id.value) else { return };
    let newest = |of: CheckOf, line: &Placed<WrittenLine>| {
        let found = line.value.checks.iter().filter_map(|check| {
            let (id, text, check) = (line.value.id.clone(), line.value.text.clone(), check.clone());
            crate::verified::result_of(results, &NamedCheck { of, id, text, check })
        });
        found.collect::<Vec<_>>()
    };
    for line in &written.criteria {
        let proves_nothing =
            |result: &&&CheckResult| result.before_work && result.outcome == CheckOutcome::Passed;
        if let Some(result) = newest(CheckOf::Criterion, line).iter().find(proves_nothing) {
            let message =
                format!("{} passed before any work, so it proves nothing", said(&result.check.check));
            let fix =
                "write a check that fails until the work is done, or run `bailiwick verify` again after it";
            note(IntentRule::PassedBefore, (line.line, line.column), message, fix);
        }
    }
    for line in &written.constraints {
        let fails = |result: &&&CheckResult| !result.outcome.is_met();
        if let Some(result) = newest(CheckOf::Constraint, line).iter().find(fails) {
            let message = format!("{} failed the last time it ran", said(&result.check.check));
            let fix = "repair what it checks, then run `bailiwick verify` again";
            note(IntentRule::ConstraintFails, (line.line, line.column), message, fix);
        }
    }
}

fn said(check: &Check) -> String {
    match check {
        Check::Run(command) => format!("`{command}`"),
        Check::File(path) => format!("the check for the file `{path}`"),
        Check::Human => "a person's check".to_owned(),
    }
}

/// Whether somebody can tell that it is done and that its limits hold.
fn checks(written: &WrittenIntent, intent: &Intent, world: &World<'_>, note: &mut Note<'_>) {
    let (id, at) = (intent.id(), head(written));
    let is_checked = written.criteria.iter().any(|criterion| !criterion.value.checks.is_empty());
    if !is_checked && intent.kind() != Some(IntentKind::Goal) {
        let fix = "give one acceptance criterion a `check:` with `run`, `file` or `human`";
        note(IntentRule::NoCheck, at, format!("nothing can verify that intent `{id}` is done"), fix);
    }
    for criterion in &written.criteria {
        for check in &criterion.value.checks {
            if let Check::File(path) = check
                && RepoPath::new(path).is_ok_and(|path| world.files.binary_search(&path).is_ok())
            {
                let message = format!("`{path}` is there already, so this check proves nothing");
                let fix = "name a file that the work creates, or use `run`";
                note(IntentRule::AlreadyMet, (criterion.line, criterion.column), message, fix);
            }
        }
    }
    for constraint in written.constraints.iter().filter(|constraint| !constraint.value.is_enforced) {
        if constraint.value.checks.is_empty() {
            let message = "the agent is shown this constraint, and nothing verifies it".to_owned();
            let fix =
                "add a `check:`, or write it as `forbid_paths`, `forbid_tools`, `max_files` or `max_lines`";
            note(IntentRule::Unenforced, (constraint.line, constraint.column), message, fix);
        }
    }
    let checks = NamedCheck::of(written);
    for requirement in intent.requirements() {
        if verifying(requirement, intent, &checks).is_empty() {
            let message = format!("no checked acceptance criterion of `{id}` names `{requirement}`");
            let fix = "name the requirement in the `id` or the `text` of the criterion that verifies it";
            note(IntentRule::Unverified, at, message, fix);
        }
    }
}
