//! Checks of who may change a path: ignore rules, then the owned scope.

use bailiwick_domain::{
    AncestorScope, ErrorCode, Intent, IntentId, Location, OwnedScope, RepoPath, ToolError, WorkspacePath,
};

use super::{active, needs_intent, report};
use crate::calls::facts::{Facts, IgnoreFact, TargetFact};
use crate::calls::terms::Access;
use crate::globs::ignore_match::IgnoreRules;
use crate::globs::scope_match::{CaselessMatcher, ScopeMatcher};
use crate::guarded::protection::{self, Protection};

/// What `.intentignore` takes away. Rules that cannot be parsed stop everything destructive.
pub(super) fn ignored(facts: &Facts) -> Option<ToolError> {
    let rules = match &facts.ignore {
        IgnoreFact::Absent => return None,
        IgnoreFact::Rules(rules) => rules,
        IgnoreFact::Invalid(why) => return needs_intent(facts).then(|| unreadable(facts, why)),
    };
    let hits: Vec<(&TargetFact, String)> =
        facts.targets.iter().filter_map(|target| Some((target, forbidding(facts, rules, target)?))).collect();
    let (first, rule) = hits.first()?;
    let (path, verb) = (report::shown(first), if first.access.mutates() { "changed" } else { "read" });
    let message = format!("Intent Ignored: {path} may not be {verb}; .intentignore protects it.");
    let reason = format!("{message} The rule is {rule}.");
    let targets: Vec<&TargetFact> = hits.iter().map(|(target, _)| *target).collect();
    let error = ToolError::new(ErrorCode::IntentIgnored, message).with_reason(reason);
    Some(report::about(facts, &targets, error.with_detail("rule", rule.as_str())))
}

fn unreadable(facts: &Facts, why: &str) -> ToolError {
    let message = format!("Intentignore invalid: {why}. Nothing may be changed until it is repaired.");
    report::whole(facts, ToolError::new(ErrorCode::IntentignoreInvalid, message))
}

fn forbidding(facts: &Facts, rules: &IgnoreRules, target: &TargetFact) -> Option<String> {
    let Location::Inside(found) = &target.location else { return None };
    let reading = !target.access.mutates();
    let judge = |path: &RepoPath| rules.forbids(path, report::intent_id(facts), reading, facts.folds_case);
    judge(&found.path).or_else(|| found.spelled.as_ref().and_then(judge))
}

/// The owned scope. Every changed path must lie in it and, for a sub-agent, in its parent's scope too; without a scope
/// nothing destructive may run at all.
pub(super) fn scope(facts: &Facts) -> Option<ToolError> {
    let intent = active(facts).filter(|_| needs_intent(facts))?;
    if intent.owned_scope().is_empty() {
        let message =
            format!("No Scope: intent {} owns nothing, so nothing may be changed under it.", intent.id());
        return Some(report::whole(facts, ToolError::new(ErrorCode::NoScope, message)));
    }
    let scopes = match Scopes::of(facts, intent) {
        Ok(scopes) => scopes,
        Err(why) => return Some(report::whole(facts, ToolError::new(ErrorCode::OrchestrationInvalid, why))),
    };
    let strays: Vec<(&TargetFact, Stray)> =
        facts.targets.iter().filter_map(|target| Some((target, scopes.stray(facts, target)?))).collect();
    strays.first().map(|(first, why)| {
        let targets: Vec<&TargetFact> = strays.iter().map(|(target, _)| *target).collect();
        report::about(facts, &targets, violation(facts, intent, first, why))
    })
}

/// Why a path is not in the scope.
enum Stray {
    Own,
    Parent,
    Ancestor(IntentId),
    Sensitive(String),
    Link(RepoPath),
}

struct Scopes {
    own: ScopeMatcher,
    parent: Option<ScopeMatcher>,
    /// What the intent's ancestors own.
    ancestors: Vec<(IntentId, ScopeMatcher)>,
    /// What the exclusions of both leave over where case does not count.
    left: Vec<CaselessMatcher>,
}

impl Scopes {
    fn of(facts: &Facts, intent: &Intent) -> Result<Self, String> {
        let scopes = [Some(intent.owned_scope()), facts.parent_scope.as_ref()].into_iter().flatten();
        let scopes = scopes.chain(intent.within().iter().map(|ancestor| &ancestor.owned_scope));
        let mut left = Vec::new();
        for scope in scopes.filter(|_| facts.folds_case) {
            left.extend(CaselessMatcher::left_by_exclusions(scope)?);
        }
        let parent = facts.parent_scope.as_ref().map(ScopeMatcher::new).transpose()?;
        let mut ancestors = Vec::with_capacity(intent.within().len());
        for AncestorScope { intent, owned_scope } in intent.within() {
            ancestors.push((intent.clone(), ScopeMatcher::new(owned_scope)?));
        }
        Ok(Self { own: ScopeMatcher::new(intent.owned_scope())?, parent, ancestors, left })
    }

    fn stray(&self, facts: &Facts, target: &TargetFact) -> Option<Stray> {
        let Location::Inside(found) = &target.location else { return None };
        if !target.access.mutates() {
            return None;
        }
        if let Some(stray) = self.path_strays(&found.path) {
            return Some(stray);
        }
        if let Some(link) =
            acted_on_link(found, target.access).filter(|link| self.path_strays(link).is_some())
        {
            return Some(Stray::Link(link.clone()));
        }
        match protection::of_change(found, &facts.settings) {
            Protection::Sensitive(pattern) if !self.own.names_literally(&found.path) => {
                Some(Stray::Sensitive(pattern))
            }
            Protection::Sensitive(_) | Protection::Protected(_) | Protection::None => None,
        }
    }

    fn path_strays(&self, path: &RepoPath) -> Option<Stray> {
        if !self.own.matches(path) || !self.left.iter().all(|left| left.matches(path)) {
            return Some(Stray::Own);
        }
        if let Some((ancestor, _)) = self.ancestors.iter().find(|(_, scope)| !scope.matches(path)) {
            return Some(Stray::Ancestor(ancestor.clone()));
        }
        let within = self.parent.as_ref().is_none_or(|parent| parent.matches(path));
        (!within).then_some(Stray::Parent)
    }
}

/// Deleting and moving act on a link itself, not on what it leads to.
fn acted_on_link(found: &WorkspacePath, access: Access) -> Option<&RepoPath> {
    match access {
        Access::Delete | Access::MoveFrom | Access::MoveTo => found.spelled.as_ref(),
        Access::Read | Access::Overwrite | Access::Anchored | Access::Patch => None,
    }
}

fn violation(facts: &Facts, intent: &Intent, target: &TargetFact, stray: &Stray) -> ToolError {
    let path = match stray {
        Stray::Link(link) => link.to_string(),
        Stray::Own | Stray::Parent | Stray::Ancestor(_) | Stray::Sensitive(_) => report::shown(target),
    };
    if matches!(stray, Stray::Parent) && facts.parent_scope.as_ref().is_some_and(OwnedScope::is_empty) {
        return without_parent(&path);
    }
    let error = ToolError::scope_violation(intent.id(), &path);
    let patterns = listed(intent.owned_scope());
    let mut reason = format!("{} Patterns checked: {patterns}.", error.message());
    match stray {
        Stray::Own | Stray::Link(_) => {}
        Stray::Parent => {
            let parent = facts.parent_scope.as_ref().map(listed).unwrap_or_default();
            reason.push_str(&format!(" A sub-agent also stays inside its parent's scope: {parent}."));
        }
        Stray::Ancestor(ancestor) => return beyond_ancestor(error, intent, ancestor),
        Stray::Sensitive(pattern) => {
            reason.push_str(&format!(
                " The file is sensitive ({pattern}), so the scope must name it literally."
            ));
        }
    }
    let others = report::others(facts);
    let elsewhere = if others.is_empty() {
        String::from("select the intent that owns this file")
    } else {
        format!("select the intent that owns this file (selectable: {})", others.join(", "))
    };
    let suggestion = format!(
        "Change a file inside the scope ({patterns}), {elsewhere}, or ask the human to expand the scope."
    );
    error.with_reason(reason).with_suggestion(suggestion)
}

/// The intent owns the path, and an ancestor of it does not: no wider scope of the intent itself helps.
fn beyond_ancestor(error: ToolError, intent: &Intent, ancestor: &IntentId) -> ToolError {
    let owned = intent.within().iter().find(|held| held.intent == *ancestor);
    let owned = owned.map(|held| listed(&held.owned_scope)).unwrap_or_default();
    let reason =
        format!("{} Its parent {ancestor} does not own this path (it owns {owned}).", error.message());
    let suggestion = format!("Change a file that {ancestor} owns too, or ask the human to widen {ancestor}.");
    error.with_reason(reason).with_suggestion(suggestion).with_detail("parent", ancestor.as_str())
}

/// It is not the sub-agent's intent that does not own the path: the session that started it owns nothing now.
fn without_parent(path: &str) -> ToolError {
    let message = format!(
        "Scope Violation: the session that started this sub-agent works under no intent that owns anything, so {path} may \
         not be edited."
    );
    ToolError::new(ErrorCode::ScopeViolation, message.as_str())
        .with_reason(format!("{message} A sub-agent stays inside its parent's scope."))
        .with_suggestion(
            "Stop this task and say so: the session that started it selects an intent, then the change is made again.",
        )
}

fn listed(scope: &OwnedScope) -> String {
    let patterns: Vec<&str> = scope.patterns().iter().map(bailiwick_domain::ScopePattern::as_str).collect();
    if patterns.is_empty() { "(none)".to_owned() } else { patterns.join(", ") }
}
