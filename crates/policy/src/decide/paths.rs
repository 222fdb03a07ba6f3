//! Checks of where the call leads: readable parameters, places, protected and secret paths.

use bailiwick_domain::{Effect, Location};

use super::violation::{Places, Violation};
use crate::calls::facts::{Facts, TargetFact};
use crate::calls::terms::Access;
use crate::guarded::protection::{self, Protection};

/// Parameters and paths that cannot be understood, and parameters that are too large to look at.
pub(super) fn malformed(facts: &Facts) -> Option<Violation> {
    if let Some(unreadable) = &facts.malformed {
        return Some(Violation::Unreadable(unreadable.clone()));
    }
    facts.targets.iter().find_map(|target| match &target.location {
        Location::Invalid(why) => {
            Some(Violation::UnusablePath { places: Places::of([target])?, why: why.clone() })
        }
        _ => None,
    })
}

/// Nothing is in it, so anybody may read it: `grep -n X FILE /dev/null`.
const NULL_DEVICE: &str = "/dev/null";

/// Paths outside the root. Reading may also go to the host's scratch places and to `read.roots`.
pub(super) fn places(facts: &Facts) -> Option<Violation> {
    let strays = facts.targets.iter().filter(|target| leads_out(facts, target));
    Places::of(strays).map(Violation::OutsideWorkspace)
}

fn leads_out(facts: &Facts, target: &TargetFact) -> bool {
    match &target.location {
        Location::Outside(path) => target.access.mutates() || path != NULL_DEVICE,
        Location::ReadRoot(_) => target.access.mutates(),
        Location::Scratch(_) => target.access.mutates() && !is_own_note(facts, target),
        Location::Inside(_) | Location::Root | Location::Invalid(_) => false,
    }
}

/// Whether the agent only keeps its own notes there.
pub(super) fn is_own_note(facts: &Facts, target: &TargetFact) -> bool {
    facts.tool.effect == Effect::Interact && matches!(target.location, Location::Scratch(_))
}

/// Paths that nobody's scope opens, and the root itself, which no scope can own.
pub(super) fn protected(facts: &Facts) -> Option<Violation> {
    let (places, pattern) = super::hits(facts, |target| guard(facts, target))?;
    Some(Violation::Protected { places, pattern })
}

/// The pattern that keeps a call from a path. That a file is there is no secret: `ls` of its folder shows it.
fn guard(facts: &Facts, target: &TargetFact) -> Option<String> {
    if target.access == Access::Look {
        return None;
    }
    match (&target.location, target.access.mutates()) {
        (Location::Root, true) => Some(".".to_owned()),
        (Location::Inside(path), true) => match protection::of_change(path, &facts.settings) {
            Protection::Protected(pattern) => Some(pattern),
            Protection::None | Protection::Sensitive(_) => None,
        },
        (Location::Inside(path), false) => protection::of_reading(path, &facts.settings)
            .or_else(|| searches(facts).then(|| protection::of_search(path)).flatten()),
        (Location::Scratch(path) | Location::ReadRoot(path), false) => protection::of_reading_outside(path),
        (Location::Root | Location::Outside(_) | Location::Invalid(_), _) => None,
        (Location::Scratch(_) | Location::ReadRoot(_), true) => None,
    }
}

/// Whether the call looks through what is in the files of a folder, and not only at the folder. What a tool that is not
/// known does with one is not known either.
fn searches(facts: &Facts) -> bool {
    facts.searches || !facts.tool.known || facts.tool.canonical == "search_files"
}
