//! What a scope reaches: its examples, its patterns one by one, and how tight it is. What it shares with others is
//! `overlap`'s.

use bailiwick_domain::{Intent, IntentRule, OwnedScope, Placed, RepoPath, WrittenIntent};

use super::probe::{Probe, near};
use super::tree::Tree;
use super::{At, Note, ScopeFigure, World, head};
use crate::globs::scope_match::{Places, ScopeMatcher};
use crate::globs::within::outside;
use crate::guarded::breadth::names_protected;

/// Up to so many files a scope is not broad, however few there are.
const NARROW_FILES: usize = 20;

/// One open intent with what its scope matches.
#[derive(Debug)]
pub(super) struct Reach<'a> {
    pub(super) written: &'a WrittenIntent,
    pub(super) intent: &'a Intent,
    world: World<'a>,
    matcher: ScopeMatcher,
    /// Where its files stand in the listing.
    pub(super) owned: Places,
}

impl<'a> Reach<'a> {
    /// `None` where it owns nothing, or a pattern is no glob.
    pub(super) fn of(written: &'a WrittenIntent, intent: &'a Intent, tree: &mut Tree<'a>) -> Option<Self> {
        if intent.owned_scope().is_empty() {
            return None;
        }
        let (matcher, owned) = tree.listed.owned(intent.owned_scope()).ok()?;
        Some(Self { written, intent, world: tree.world, matcher, owned })
    }

    pub(super) fn judge(&self, tree: &mut Tree<'a>, note: &mut Note<'_>) {
        self.examples(note);
        self.patterns(tree, note);
        self.breadth(note);
        self.tightness(note);
    }

    fn owns(&self, path: &str) -> Option<bool> {
        RepoPath::new(path).ok().map(|path| self.matcher.matches(&path))
    }

    fn examples(&self, note: &mut Note<'_>) {
        let id = self.intent.id();
        for example in &self.written.allow {
            if self.owns(&example.value) != Some(true) {
                let message = format!("`{}` must be in the scope of `{id}`, and is not", example.value);
                let fix = "widen `owned_scope`, or take the example out";
                note(IntentRule::AllowedExample, at(example), message, fix);
            }
        }
        for example in &self.written.deny {
            if self.owns(&example.value) == Some(true) {
                let message = format!("`{}` must not be in the scope of `{id}`, and is", example.value);
                let fix = "narrow `owned_scope`, or exclude it with `!`";
                note(IntentRule::DeniedExample, at(example), message, fix);
            }
        }
        if self.written.allow.is_empty() && self.written.deny.is_empty() {
            let message = format!("intent `{id}` has no examples that test its scope");
            let fix = "add `examples: {allow: [path], deny: [path]}`";
            note(IntentRule::NoExamples, head(self.written), message, fix);
        }
    }

    fn patterns(&self, tree: &mut Tree<'a>, note: &mut Note<'_>) {
        for pattern in &self.written.scope {
            let includes = !pattern.value.is_exclusion();
            if let Some(place) = includes.then(|| names_protected(&pattern.value)).flatten() {
                let message = format!("`{}` names `{place}`, which only you change", pattern.value);
                note(IntentRule::Protected, at(pattern), message, "take the pattern out");
            } else if self.world.is_complete && !tree.listed.has_any(&pattern.value) {
                let message = format!("`{}` matches no file", pattern.value);
                let fix = match tree.elsewhere(&pattern.value) {
                    Some(place) => format!("did you mean `{place}`? Leave it if the work creates the files"),
                    None => "correct it; leave it if the work creates the files".to_owned(),
                };
                note(IntentRule::MatchesNothing, at(pattern), message, &fix);
            }
            for ancestor in self.intent.within().iter().filter(|_| includes) {
                let Ok(one) = OwnedScope::new(vec![pattern.value.clone()], true) else { continue };
                if outside(&one, &ancestor.owned_scope).is_some() {
                    let message = format!(
                        "`{}` names files that `{}` does not own; changes there are refused",
                        pattern.value, ancestor.intent
                    );
                    let fix = format!("narrow the pattern, or widen `{}`", ancestor.intent);
                    note(IntentRule::BeyondParent, at(pattern), message, &fix);
                }
            }
        }
    }

    fn breadth(&self, note: &mut Note<'_>) {
        let (files, of) = (self.owned.len(), self.world.files.len());
        let permille = files.saturating_mul(1000);
        let is_part = |thousandths: usize| files > NARROW_FILES && permille > of.saturating_mul(thousandths);
        let broad = usize::try_from(self.world.broad_permille).unwrap_or(usize::MAX);
        let is_broad = files > self.world.broad_files || (self.world.is_complete && is_part(broad));
        let is_half = self.world.is_complete && is_part(500);
        if is_half || (is_broad && !self.written.allow_broad) {
            let percent = files.saturating_mul(100) / of.max(1);
            let message =
                format!("the scope of `{}` covers {files} of {of} files ({percent}%)", self.intent.id());
            let at = self.written.scope.first().map_or(head(self.written), at);
            note(IntentRule::Broad, at, message, "name the folders or files that the work needs");
        }
    }

    /// The paths whose near misses are tried: the examples, else a few of the files that it owns.
    fn seeds(&self) -> Vec<RepoPath> {
        let examples: Vec<RepoPath> =
            self.written.allow.iter().filter_map(|example| RepoPath::new(&example.value).ok()).collect();
        if !examples.is_empty() {
            return examples;
        }
        let last = self.owned.len().saturating_sub(1);
        let mut places: Vec<usize> = [0, last / 2, last].into_iter().collect();
        places.dedup();
        let files = places.into_iter().filter_map(|place| self.owned.nth(place));
        files.filter_map(|at| self.world.files.get(at)).cloned().collect()
    }

    pub(super) fn figure(&self) -> ScopeFigure {
        let mut figure = ScopeFigure {
            intent: self.intent.id().clone(),
            files: self.owned.len(),
            of: self.world.files.len(),
            probes: 0,
            kept_out: 0,
        };
        for (_, path) in self.seeds().iter().flat_map(near) {
            figure.probes += 1;
            figure.kept_out += usize::from(!path.is_some_and(|path| self.matcher.matches(&path)));
        }
        figure
    }

    fn tightness(&self, note: &mut Note<'_>) {
        let allowed: Vec<&str> = self.written.allow.iter().map(|example| example.value.as_str()).collect();
        let reaches = |path: &RepoPath| self.matcher.matches(path) && !allowed.contains(&path.as_str());
        for example in &self.written.allow {
            let Ok(path) = RepoPath::new(&example.value) else { continue };
            let beyond = near(&path).into_iter().find_map(|(probe, path)| {
                path.filter(|path| matches!(probe, Probe::Sibling | Probe::Parent) && reaches(path))
            });
            if let Some(beyond) = beyond {
                let message = format!("`{beyond}` would be in the scope as well");
                let fix = "name the folder in the pattern, or add it to `examples.allow` if that is meant";
                note(IntentRule::LooseScope, at(example), message, fix);
            }
        }
        for example in &self.written.deny {
            let Ok(path) = RepoPath::new(&example.value) else { continue };
            if self.matcher.matches(&path) {
                continue;
            }
            let beside = near(&path).into_iter().find_map(|(probe, path)| {
                path.filter(|path| matches!(probe, Probe::Extension | Probe::Test) && reaches(path))
            });
            if let Some(beside) = beside {
                let message = format!("`{}` is kept out, but `{beside}` is in the scope", example.value);
                note(IntentRule::NearDenied, at(example), message, "exclude the folder, not the file");
            }
        }
    }
}

fn at<T>(placed: &Placed<T>) -> At {
    (placed.line, placed.column)
}
