//! One call with all that was found out about it in one look, and what later stages ask of it: above all the
//! fingerprint that a yes is bound to.

use std::path::Path;
use std::sync::OnceLock;

use bailiwick_domain::{
    ActorState, CallFacts, ContentHash, FileState, Fingerprint, Location, Premise, RepoPath, ToolCall,
    ToolError,
};
use bailiwick_policy::{Access, Facts, IntentFact, RequestedTarget, TargetFact, Targets};

use super::looked::Looked;
use crate::standing::Standing;
use crate::standing::acceptance::Unaccepted;

/// One call with everything that was found out about it in one look.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) call: &'a ToolCall,
    /// [`call_key`] of the call.
    pub(crate) key: String,
    pub(crate) actor_state: ActorState,
    /// Whether that is what is stored or comes of it. What cannot be read may be a quarantine, and is not written over.
    pub(crate) is_state_known: bool,
    /// Whether the actor was never seen before or its state differs from what is stored.
    pub(crate) state_changed: bool,
    pub(crate) facts: Facts,
    /// Intents whose revision nobody has accepted on this machine.
    pub(crate) unaccepted: Vec<Unaccepted>,
    pub(crate) targets: Targets,
    /// Files that a proved command shows whole.
    pub(crate) shows: Vec<String>,
    /// What its command runs, once that was asked for.
    pub(crate) runs: OnceLock<Vec<(RepoPath, FileState)>>,
    /// The files as this look found them.
    pub(crate) looked: Looked,
}

impl Case<'_> {
    /// Stores the state of the actor, where this look changed it.
    pub(crate) async fn save_state(&self, standing: &Standing<'_>) -> Result<(), ToolError> {
        if self.state_changed && self.is_state_known {
            standing.save(&self.call.actor, &self.actor_state).await?;
        }
        Ok(())
    }

    /// What goes through is not refused any more, whatever its host called it before.
    pub(crate) async fn forget_refusals(&mut self, standing: &Standing<'_>) -> Result<(), ToolError> {
        self.actor_state.denied.retain(|id| *id != self.call.id);
        self.state_changed = true;
        self.save_state(standing).await
    }

    /// What an approval of this call is bound to (ADR 0007). The tool counts by its own name: aliases
    /// are judged alike, but do different things.
    pub(crate) fn fingerprint(&self, runs: &[(RepoPath, FileState)]) -> Fingerprint {
        let dispatched: Vec<ContentHash> =
            runs.iter().filter_map(|(_, state)| state.content().cloned()).collect();
        let Premise { before, revision, .. } = self.premise();
        let params = bailiwick_domain::Value::Object(self.call.params.clone());
        Fingerprint::of(&CallFacts {
            tool: &self.call.tool,
            params: &params,
            cwd: self.call.cwd.as_deref(),
            before: &before,
            revision: revision.as_ref(),
            actor: &self.call.actor,
            dispatched: &dispatched,
        })
    }

    /// What an approval of this call rests on beside the call.
    pub(crate) fn premise(&self) -> Premise {
        let is_bound = |(wanted, target): &(&RequestedTarget, &TargetFact)| {
            target.access.mutates() || wanted.moved_to.is_some()
        };
        Premise {
            before: self
                .requests()
                .filter(is_bound)
                .filter_map(|(_, target)| Some((inside(&target.location)?.clone(), target.current.clone())))
                .collect(),
            revision: self.active_intent().map(|intent| intent.revision().clone()),
            runs: Vec::new(),
            allows: None,
        }
    }

    pub(crate) fn active_intent(&self) -> Option<&bailiwick_domain::Intent> {
        match &self.facts.intent {
            IntentFact::Active(intent) => Some(intent),
            IntentFact::None | IntentFact::Gone(_) => None,
        }
    }

    /// What the call wants of each path, with what was found there.
    pub(crate) fn requests(&self) -> impl Iterator<Item = (&RequestedTarget, &TargetFact)> {
        self.targets.paths.iter().zip(&self.facts.targets)
    }

    /// Where a path that moves away goes.
    pub(crate) fn moved_to(&self, wanted: &RequestedTarget) -> Option<&RepoPath> {
        let to = wanted.moved_to.as_deref().filter(|_| wanted.access == Access::MoveFrom)?;
        self.place(to, |access| access == Access::MoveTo).map(|(path, _)| path)
    }

    /// Where the content of a target comes from that something is moved or copied to.
    pub(crate) fn source_of(&self, target: &TargetFact) -> Option<(&RepoPath, &FileState)> {
        if target.access != Access::MoveTo {
            return None;
        }
        let leads_here =
            |wanted: &&RequestedTarget| wanted.moved_to.as_deref() == Some(target.requested.as_str());
        let source = self.targets.paths.iter().find(leads_here)?;
        self.place(&source.requested, |access| access == source.access)
    }

    /// Whether what comes to a target goes away from where it was; a copy does not.
    pub(crate) fn is_moved_here(&self, target: &TargetFact) -> bool {
        self.targets.paths.iter().any(|wanted| {
            wanted.access == Access::MoveFrom && wanted.moved_to.as_deref() == Some(target.requested.as_str())
        })
    }

    fn place(&self, requested: &str, is_meant: impl Fn(Access) -> bool) -> Option<(&RepoPath, &FileState)> {
        let named =
            self.facts.targets.iter().find(|fact| fact.requested == requested && is_meant(fact.access))?;
        Some((inside(&named.location)?, &named.current))
    }

    /// The paths that the call touches: relative to the root where they are inside, as spelled elsewhere.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.facts
            .targets
            .iter()
            .map(|target| {
                inside(&target.location).map_or_else(|| target.requested.clone(), ToString::to_string)
            })
            .collect()
    }
}

pub(crate) fn inside(location: &Location) -> Option<&RepoPath> {
    match location {
        Location::Inside(found) => Some(&found.path),
        _ => None,
    }
}

/// The folder that a place is, below the root; `Some(None)` is the root itself, `None` is out of it.
pub(crate) fn folder_of(location: Location) -> Option<Option<RepoPath>> {
    match location {
        Location::Root => Some(None),
        Location::Inside(found) => Some(Some(found.path)),
        Location::Outside(_) | Location::Scratch(_) | Location::ReadRoot(_) | Location::Invalid(_) => None,
    }
}

/// A path as a command names it that runs in the folder which its parameters ask for. One that starts with `~` stays as
/// it is, so that it is refused as such.
pub(crate) fn in_folder(folder: Option<&str>, path: &str) -> String {
    match folder {
        Some(folder) if !path.starts_with('~') => {
            Path::new(folder).join(path).to_str().map_or_else(|| path.to_owned(), ToOwned::to_owned)
        }
        _ => path.to_owned(),
    }
}

/// Whether a word of a command sets a variable before its program.
pub(crate) fn sets_a_variable(word: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(is_part))
}

/// What makes two calls the same one for the loop breaker: tool, parameters and folder, not the state of files.
pub(crate) fn call_key(call: &ToolCall) -> String {
    let params = bailiwick_domain::canonical_json(&bailiwick_domain::Value::Object(call.params.clone()));
    ContentHash::of(format!("{}\0{}\0{params}", call.tool, call.cwd.as_deref().unwrap_or("")).as_bytes())
        .digits()
        .get(..16)
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::in_folder;

    #[test]
    fn a_path_is_named_in_the_folder_that_its_command_runs_in() {
        for (folder, path, expected) in [
            (None, "a.sh", "a.sh"),
            (Some("tools"), "a.sh", "tools/a.sh"),
            (Some("tools"), "/bin/a", "/bin/a"),
            (Some("tools"), "~/a.sh", "~/a.sh"),
        ] {
            assert_eq!(in_folder(folder, path), expected, "{folder:?} {path}");
        }
    }
}
