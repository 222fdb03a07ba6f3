//! What an actor knows right before its command runs, so that its memory can follow what the command makes of it.

use bailiwick_domain::{ContentHash, FileState, RepoPath};
use bailiwick_policy::scope_match::ScopeMatcher;

use super::Gathering;
use super::case::{Case, in_folder, inside};

/// How many observations are looked through for files that a command may change.
const MOST_KNOWN: usize = 512;

/// How many bytes of them are hashed while others wait for the lock of the root.
const MOST_HASHED: u64 = 64 << 20;

/// How many words of a command are looked up as files that it may make.
const MOST_NAMED: usize = 128;

impl Gathering<'_> {
    /// The files of the scope that the actor knows as they are, right before its command runs, and those that the
    /// command names and that are not there yet.
    pub(crate) async fn known_to(&self, case: &Case<'_>) -> Vec<(RepoPath, FileState)> {
        let Some(intent) = case.active_intent().filter(|_| case.facts.command.is_some()) else {
            return Vec::new();
        };
        let Ok(scope) = ScopeMatcher::new(intent.owned_scope()) else { return Vec::new() };
        let seen = self.sessions.observations(&case.call.actor, MOST_KNOWN).await.unwrap_or_default();
        let mut known = Vec::new();
        let mut left = MOST_HASHED;
        for (path, seen) in seen.into_iter().filter(|(path, _)| scope.matches(path)) {
            let Ok(now) = self.workspace.read(&path, left).await else { continue };
            left = left.saturating_sub(now.as_ref().map_or(0, |bytes| bytes.len() as u64));
            let now = now.map_or(FileState::Absent, |bytes| FileState::Content(ContentHash::of(&bytes)));
            if now == seen.state && (now != FileState::Absent || self.is_not_there(&path).await) {
                known.push((path, seen.state));
            }
        }
        for path in self.named_and_absent(case, &scope).await {
            if !known.iter().any(|(other, _)| *other == path) {
                known.push((path, FileState::Absent));
            }
        }
        known
    }

    async fn is_not_there(&self, path: &RepoPath) -> bool {
        matches!(self.workspace.state(path).await, Ok(FileState::Absent))
    }

    /// What the command names in the scope and may make: the session then knows where it comes from.
    async fn named_and_absent(&self, case: &Case<'_>, scope: &ScopeMatcher) -> Vec<RepoPath> {
        let Some(command) = &case.facts.command else { return Vec::new() };
        let mut absent = Vec::new();
        for name in super::dispatch::names(command).into_iter().take(MOST_NAMED) {
            let name = in_folder(case.targets.cwd.as_deref(), &name);
            let location = self.workspace.locate(&name, case.call.cwd.as_deref()).await;
            if let Some(path) = inside(&location).filter(|path| scope.matches(path))
                && self.is_not_there(path).await
            {
                absent.push(path.clone());
            }
        }
        absent
    }
}
