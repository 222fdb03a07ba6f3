//! What a drafted scope would own, measured on the files that are there: the facts that a person reads beside a draft,
//! and from which width on a person is asked twice.

use std::fmt::Write as _;

use bailiwick_domain::{Breadth, IntentId, OwnedScope, RepoPath, Settings, ToolError};
use bailiwick_policy::breadth::owns_everything;
use bailiwick_policy::executable::can_run;
use bailiwick_policy::scope_match::ScopeMatcher;

use super::Authoring;
use crate::closed;
use crate::presentation::counted::counted;
use crate::refusals::{DraftFault, Hindrance};
use crate::standing::overlap::may_overlap;

/// So many files are never broad, however small the repository is.
const NARROW_FILES: usize = 20;
/// How many of the files are named.
const NAMED_FILES: usize = 12;

/// What a scope owns now.
#[derive(Debug)]
pub(crate) struct Measure {
    matched: Vec<RepoPath>,
    total: usize,
    is_complete: bool,
    overlaps: Vec<String>,
}

impl Authoring<'_> {
    /// How wide a scope is, where it is so wide that a person must say so twice.
    ///
    /// # Errors
    /// When the files, the settings or the intents cannot be read, or a pattern is no glob.
    pub async fn breadth(&self, scope: &OwnedScope) -> Result<Option<Breadth>, ToolError> {
        let measure = self.measure(scope, None).await?;
        if owns_everything(scope).map_err(no_glob)? {
            return Ok(Some(measure.width()));
        }
        self.broad(&measure).await
    }

    /// What a scope owns now, as lines for a person, beside the intents other than `own`; and how wide it is, where it is
    /// broad.
    ///
    /// # Errors
    /// When the files, the settings or the intents cannot be read, or a pattern is no glob.
    pub async fn measured(
        &self,
        scope: &OwnedScope,
        own: &IntentId,
    ) -> Result<(String, Option<Breadth>), ToolError> {
        let measure = self.measure(scope, Some(own)).await?;
        let wide = if owns_everything(scope).map_err(no_glob)? {
            Some(measure.width())
        } else {
            self.broad(&measure).await?
        };
        Ok((measure.lines(), wide))
    }

    /// The width of a measured scope, where the settings call it broad.
    pub(crate) async fn broad(&self, measure: &Measure) -> Result<Option<Breadth>, ToolError> {
        let settings = self.policy.settings().await.map_err(closed)?;
        Ok(measure.is_broad(&settings).then(|| measure.width()))
    }

    /// Measures a scope, beside the intents other than `own`.
    pub(crate) async fn measure(
        &self,
        scope: &OwnedScope,
        own: Option<&IntentId>,
    ) -> Result<Measure, ToolError> {
        let matcher = matcher(scope)?;
        let listing = self.meter.tree().await.map_err(closed)?;
        let total = listing.files.len();
        let matched: Vec<RepoPath> = listing.files.into_iter().filter(|path| matcher.matches(path)).collect();
        let set = self.intents.load().await.map_err(closed)?;
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
    ScopeMatcher::new(scope).map_err(no_glob)
}

pub(crate) fn no_glob(why: String) -> ToolError {
    Hindrance::Draft(DraftFault::NoGlob(why)).error()
}

impl Measure {
    /// Whether it owns many files, or a large part of all. In a tree that was not listed to its end the part is not known.
    fn is_broad(&self, settings: &Settings) -> bool {
        let matched = self.matched.len();
        let permille = matched.saturating_mul(1000);
        let is_large = permille > self.total.saturating_mul(settings.broad_permille as usize);
        matched > settings.broad_files || (matched > NARROW_FILES && self.is_complete && is_large)
    }

    fn width(&self) -> Breadth {
        let can_run = self.matched.iter().filter(|path| can_run(path)).count();
        Breadth { files: self.matched.len(), of: self.total, can_run }
    }

    /// How many files of how many.
    pub(crate) fn share(&self) -> String {
        let more = if self.is_complete { "" } else { "more than " };
        format!("{} of {more}{}", self.matched.len(), files(self.total))
    }

    /// The facts as lines for a human. Nothing in them is an agent's word but the names of files and intents.
    pub(crate) fn lines(&self) -> String {
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

#[cfg(test)]
mod tests {
    use bailiwick_domain::{RepoPath, Settings};

    use super::{Measure, NAMED_FILES, NARROW_FILES};

    fn measured(matched: usize, total: usize, is_complete: bool) -> Measure {
        let path = |number| RepoPath::new(&format!("src/{number}.rs")).unwrap();
        Measure { matched: (0..matched).map(path).collect(), total, is_complete, overlaps: Vec::new() }
    }

    #[test]
    fn a_scope_is_broad_by_its_files_or_by_its_part_of_all() {
        let settings = Settings { broad_files: 100, broad_permille: 500, ..Settings::default() };
        for (matched, total, is_complete, expected) in [
            (100, 100_000, true, false),
            (101, 100_000, true, true),
            (101, 100_000, false, true),
            (NARROW_FILES, NARROW_FILES, true, false),
            (NARROW_FILES + 1, NARROW_FILES + 1, true, true),
            (NARROW_FILES + 1, NARROW_FILES + 1, false, false),
            (50, 100, true, false),
            (51, 100, true, true),
        ] {
            let is_broad = measured(matched, total, is_complete).is_broad(&settings);
            assert_eq!(is_broad, expected, "{matched} of {total} {is_complete}");
        }
    }

    #[test]
    fn so_many_files_are_named_and_the_others_counted() {
        let most = measured(NAMED_FILES, 100, true).lines();
        assert_eq!(most.lines().count(), 1 + NAMED_FILES, "{most}");
        let more = measured(NAMED_FILES + 1, 100, false).lines();
        assert!(more.starts_with("matches 13 of more than 100 files\n"), "{more}");
        assert!(more.ends_with("  and 1 more\n"), "{more}");
    }
}
