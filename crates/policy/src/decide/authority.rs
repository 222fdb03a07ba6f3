//! Checks of who may change a path: ignore rules, then the owned scope.

use bailiwick_domain::{AncestorScope, Intent, Location, OwnedScope, RepoPath, WorkspacePath};

use super::violation::{Stray, Violation};
use super::{active, hits, intent_id, needs_intent};
use crate::calls::facts::{Facts, IgnoreFact, TargetFact};
use crate::calls::terms::Access;
use crate::globs::ignore_match::IgnoreRules;
use crate::globs::scope_match::{CaselessMatcher, ScopeMatcher};
use crate::guarded::protection::{self, Protection};

/// What `.intentignore` takes away. Rules that cannot be parsed stop everything destructive.
pub(super) fn ignored(facts: &Facts) -> Option<Violation> {
    let rules = match &facts.ignore {
        IgnoreFact::Absent => return None,
        IgnoreFact::Rules(rules) => rules,
        IgnoreFact::Invalid(why) => {
            return needs_intent(facts).then(|| Violation::IgnoreInvalid(why.clone()));
        }
    };
    let (places, rule) = hits(facts, |target| forbidding(facts, rules, target))?;
    Some(Violation::Ignored { places, rule })
}

fn forbidding(facts: &Facts, rules: &IgnoreRules, target: &TargetFact) -> Option<String> {
    let Location::Inside(found) = &target.location else { return None };
    rules.forbids_place(found, intent_id(facts), !target.access.mutates(), facts.folds_case)
}

/// The owned scope. Every changed path must lie in it and, for a sub-agent, in its parent's scope too; without a scope
/// nothing destructive may run at all.
pub(super) fn scope(facts: &Facts) -> Option<Violation> {
    let intent = active(facts).filter(|_| needs_intent(facts))?;
    if intent.owned_scope().is_empty() {
        return Some(Violation::NoScope(intent.id().clone()));
    }
    let scopes = match Scopes::of(facts, intent) {
        Ok(scopes) => scopes,
        Err(why) => return Some(Violation::ScopeInvalid(why)),
    };
    let (places, stray) = hits(facts, |target| scopes.stray(facts, target))?;
    let (intent, patterns) = (intent.id().clone(), intent.owned_scope().clone());
    Some(Violation::OutOfScope { intent, patterns, places, stray })
}

struct Scopes<'f> {
    own: ScopeMatcher,
    parent: Option<(&'f OwnedScope, ScopeMatcher)>,
    /// What the intent's ancestors own.
    ancestors: Vec<(&'f AncestorScope, ScopeMatcher)>,
    /// What the exclusions of both leave over where case does not count.
    left: Vec<CaselessMatcher>,
}

impl<'f> Scopes<'f> {
    fn of(facts: &'f Facts, intent: &'f Intent) -> Result<Self, String> {
        let scopes = [Some(intent.owned_scope()), facts.parent_scope.as_ref()].into_iter().flatten();
        let scopes = scopes.chain(intent.within().iter().map(|ancestor| &ancestor.owned_scope));
        let mut left = Vec::new();
        for scope in scopes.filter(|_| facts.folds_case) {
            left.extend(CaselessMatcher::left_by_exclusions(scope)?);
        }
        let parent = facts.parent_scope.as_ref();
        let parent = parent.map(|scope| Ok::<_, String>((scope, ScopeMatcher::new(scope)?))).transpose()?;
        let mut ancestors = Vec::with_capacity(intent.within().len());
        for ancestor in intent.within() {
            ancestors.push((ancestor, ScopeMatcher::new(&ancestor.owned_scope)?));
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
            return Some(Stray::Ancestor((*ancestor).clone()));
        }
        let (parent, _) = self.parent.as_ref().filter(|(_, scope)| !scope.matches(path))?;
        Some(Stray::Parent((*parent).clone()))
    }
}

/// Deleting and moving act on a link itself, not on what it leads to.
fn acted_on_link(found: &WorkspacePath, access: Access) -> Option<&RepoPath> {
    match access {
        Access::Anything | Access::Delete | Access::MoveFrom | Access::MoveTo => found.spelled.as_ref(),
        Access::Read | Access::Look | Access::Overwrite | Access::Anchored | Access::Patch => None,
    }
}
