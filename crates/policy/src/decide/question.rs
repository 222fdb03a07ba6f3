//! Why a person is asked, in words for that person. Never the agent's own words: they could mislead.

use bailiwick_domain::{Effect, Location};

use super::violation::{Violation, shown};
use super::words::Words;
use super::{active, work};
use crate::calls::facts::{Facts, TargetFact};
use crate::calls::registry::Extractor;
use crate::calls::terms::Access;
use crate::guarded::protection::{self, Protection};
use crate::staleness::{Freshness, Unseen};

/// The reason for asking about a destructive call inside the rules.
pub(super) fn destructive(facts: &Facts) -> String {
    let intent = active(facts)
        .map_or_else(String::new, |intent| format!(" under {} ({})", intent.id(), intent.name()));
    let mut sentences = vec![format!("{}{intent}.", what(facts))];
    sentences.extend(facts.extras.sentences());
    sentences.extend(notes(facts));
    sentences.join(" ")
}

/// The reason for asking about what a call sends out.
pub(super) fn outbound(facts: &Facts, why: &str) -> String {
    format!("`{}` {why}. It changes no file; approval covers this one call.", facts.tool_name)
}

/// The reason for asking to override the scope: the violation, then what else a human should know.
pub(super) fn scope_override(facts: &Facts, violation: &Violation) -> String {
    let why = Words::of(facts, &[]).violation(violation);
    let mut sentences =
        vec![why.reason().to_owned(), "Approving overrides the scope for this one call.".to_owned()];
    sentences.extend(notes(facts));
    sentences.join(" ")
}

fn what(facts: &Facts) -> String {
    let name = &facts.tool_name;
    let changed: Vec<String> =
        facts.targets.iter().filter(|target| target.access.mutates()).map(shown).collect();
    match (facts.tool.effect, changed.as_slice()) {
        (Effect::Delegate, _) => format!("`{name}` hands work to another agent"),
        (Effect::Execute, _) if facts.tool.extractor == Extractor::Command => {
            format!("`{name}` runs a command")
        }
        (Effect::Delete, [_, ..]) => format!("`{name}` removes or moves {}", changed.join(", ")),
        (_, [_, ..]) => format!("`{name}` changes {}", changed.join(", ")),
        (_, []) => format!("`{name}` can change things"),
    }
}

fn notes(facts: &Facts) -> Vec<String> {
    let mut notes = Vec::new();
    for id in &facts.unaccepted {
        notes.push(format!(
            "{id} is new or wider than what was accepted on this machine, or open again: approving accepts it as shown."
        ));
    }
    if !facts.tool.known && !facts.targets.is_empty() {
        notes.push("The tool is not known; what else it touches is not known either.".to_owned());
    } else if !facts.tool.known {
        notes.push("The tool is not known, so what it touches is not known either.".to_owned());
    } else if facts.tool.extractor == Extractor::Unknown && facts.tool.effect != Effect::Delegate {
        notes.push("Its parameters do not say what it touches.".to_owned());
    }
    if facts.count.as_ref().is_some_and(|count| count.adds.is_none()) {
        notes.push("How many lines it changes shows only after it ran; they count then.".to_owned());
    }
    notes.extend(facts.doubt());
    notes.extend(facts.targets.iter().flat_map(|target| target_notes(facts, target)));
    notes
}

fn target_notes(facts: &Facts, target: &TargetFact) -> Vec<String> {
    let Location::Inside(found) = &target.location else { return Vec::new() };
    if !target.access.mutates() {
        return Vec::new();
    }
    let mut notes = Vec::new();
    if let Protection::Sensitive(pattern) = protection::of_change(found, &facts.settings) {
        notes.push(format!("{} is sensitive ({pattern}).", found.path));
    }
    match work::freshness(facts, target) {
        Freshness::Ask(why) => notes.push(format!("{} {}.", found.path, unseen(why))),
        Freshness::Fresh if changed_since(target) => {
            notes.push(format!(
                "{} changed since the agent read it; the text that it quotes is there.",
                found.path
            ));
        }
        Freshness::Fresh | Freshness::Stale(_) => {}
    }
    if let Some(link) = &found.spelled {
        let on_link = matches!(target.access, Access::Delete | Access::MoveFrom);
        notes.push(if on_link {
            format!("{link} is a link to {}.", found.path)
        } else {
            format!("{link} leads to {}.", found.path)
        });
    }
    notes
}

/// Whether what an edit quotes a part of is another text than the one that was read.
fn changed_since(target: &TargetFact) -> bool {
    target.observed.as_ref().is_some_and(|seen| seen.state != target.current)
}

fn unseen(why: Unseen) -> &'static str {
    match why {
        Unseen::NeverRead => "exists and was never read in this session",
        Unseen::PartlyRead => "was read only in part in this session",
        Unseen::Gone => "was read in this session and is gone since",
    }
}
