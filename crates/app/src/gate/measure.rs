//! What a drafted scope would own, measured on the files that are there: the facts that a human reads beside a draft,
//! and the limit above which only a human may draft (D-01).

use std::fmt::Write as _;

use bailiwick_domain::{ErrorCode, IntentId, OwnedScope, RepoPath, ToolError};
use bailiwick_policy::executable::can_run;
use bailiwick_policy::scope_match::ScopeMatcher;

use super::{Gate, closed, may_overlap};
use crate::counted::counted;

/// More files than this are broad, and so is more than one in ten of all files.
const BROAD_FILES: usize = 200;
/// So many files are never broad, however small the repository is.
const NARROW_FILES: usize = 20;
/// How many of the files are named.
const NAMED_FILES: usize = 12;

/// What a scope owns now.
#[derive(Debug)]
pub(super) struct Measure {
    matched: Vec<RepoPath>,
    total: usize,
    is_complete: bool,
    overlaps: Vec<String>,
}

impl Gate {
    /// Why a scope is so wide that a human must say `--allow-broad`, if it is.
    ///
    /// # Errors
    /// When the files or the intents cannot be read, or a pattern is no glob.
    pub async fn too_broad(&self, scope: &OwnedScope) -> Result<Option<String>, ToolError> {
        Ok(self.measure(scope, None).await?.too_broad(scope))
    }

    /// Measures a scope, beside the intents other than `own`.
    pub(super) async fn measure(
        &self,
        scope: &OwnedScope,
        own: Option<&IntentId>,
    ) -> Result<Measure, ToolError> {
        let matcher = matcher(scope)?;
        let listing = self.ports.meter.tree().await.map_err(closed)?;
        let total = listing.files.len();
        let matched: Vec<RepoPath> = listing.files.into_iter().filter(|path| matcher.matches(path)).collect();
        let set = self.ports.intents.load().await.map_err(closed)?;
        let mut overlaps = Vec::new();
        for other in set.selectable().filter(|other| Some(other.id()) != own) {
            let theirs = self::matcher(other.owned_scope())?;
            let shared = matched.iter().filter(|path| theirs.matches(path)).count();
            if shared > 0 {
                overlaps.push(format!("{} ({}) in {}", other.id(), other.name(), files(shared)));
            } else if may_overlap(other.owned_scope(), scope) {
                overlaps.push(format!("{} ({}) in files that may come", other.id(), other.name()));
            }
        }
        Ok(Measure { matched, total, is_complete: listing.is_complete, overlaps })
    }
}

fn matcher(scope: &OwnedScope) -> Result<ScopeMatcher, ToolError> {
    ScopeMatcher::new(scope)
        .map_err(|why| ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}")))
}

impl Measure {
    /// Why the scope is too wide for an agent's draft, if it is.
    pub(super) fn too_broad(&self, scope: &OwnedScope) -> Option<String> {
        let owns_all = |glob: &str| matches!(glob, "**" | "*" | "**/*" | "." | "./" | "**/");
        let all = scope.patterns().iter().find(|pattern| !pattern.is_exclusion() && owns_all(pattern.glob()));
        if let Some(pattern) = all {
            return Some(format!("`{pattern}` owns everything"));
        }
        let matched = self.matched.len();
        if matched > BROAD_FILES {
            return Some(format!("it matches {}, and more than {BROAD_FILES} are broad", self.share()));
        }
        let most_of_it = self.is_complete && matched * 10 > self.total;
        (matched > NARROW_FILES && most_of_it)
            .then(|| format!("it matches {}, which is more than one in ten", self.share()))
    }

    /// How many files of how many.
    pub(super) fn share(&self) -> String {
        let more = if self.is_complete { "" } else { "more than " };
        format!("{} of {more}{}", self.matched.len(), files(self.total))
    }

    /// The facts as lines for a human. Nothing in them is an agent's word but the names of files and intents.
    pub(super) fn lines(&self) -> String {
        let mut lines = format!("matches {}\n", self.share());
        for path in self.matched.iter().take(NAMED_FILES) {
            let _ = writeln!(lines, "  {path}");
        }
        if let Some(more) = self.matched.len().checked_sub(NAMED_FILES).filter(|more| *more > 0) {
            let _ = writeln!(lines, "  and {more} more");
        }
        for overlap in &self.overlaps {
            let _ = writeln!(lines, "overlaps {overlap}");
        }
        let running: Vec<&RepoPath> = self.matched.iter().filter(|path| can_run(path)).collect();
        if !running.is_empty() {
            let _ = writeln!(lines, "can run code: {} of them", running.len());
        }
        for path in running.iter().take(NAMED_FILES) {
            let _ = writeln!(lines, "  {path}");
        }
        lines
    }
}

fn files(count: usize) -> String {
    counted(count, "file", "files")
}
