//! The facts of one call, as they are now: what it is, where it leads, what is on disk and what its actor last saw.
//!
//! Deliberately absent: what follows from them (`bailiwick-policy`).

pub(crate) mod case;
mod count;
pub(crate) mod dispatch;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod foreseen;
mod known;
pub(crate) mod looked;
mod readers;
mod runs;
mod scripts;
pub(crate) mod shown;

use bailiwick_domain::{Action, DecisionContext, DecisionRecord};
use bailiwick_policy::{Described, TargetFact};

use crate::HostTraits;
use crate::decisions::Decisions;
use crate::presentation::redact::redact;
use crate::standing::Standing;
use case::Case;
use explain::Explanations;

part! {
    /// Finds the facts of a call.
    pub(crate) struct Gathering {
        from rules: policy, intents;
        from tree: workspace, vcs;
        from records: sessions, pendings, tallies;
        from readers: commands;
        with standing: Standing, explanations: Explanations, decisions: Decisions;
        keeps host: HostTraits, described: Option<&'g Described>;
    }
}

/// The most of a scope that a line of the log takes, in bytes; its revision tells a longer one.
const LONGEST_SCOPE: usize = 1024;

impl Gathering<'_> {
    /// What is moved or copied to a target, as it is now.
    pub(crate) async fn source_of(&self, case: &Case<'_>, target: &TargetFact) -> Option<Vec<u8>> {
        let (source, found) = case.source_of(target)?;
        self.content(&case.looked, source, found).await.ok().flatten()
    }

    /// The line of a call in the decision log, with what the call was judged in.
    pub(crate) fn record(&self, case: &Case<'_>, action: Action, note: String) -> DecisionRecord {
        DecisionRecord {
            class: Some(case.facts.tool.class),
            paths: case.paths(),
            command: case.facts.command.as_deref().map(shown_command),
            context: Some(Box::new(self.context(case))),
            ..self.decisions.record_of(case.call, &case.actor_state, action, note)
        }
    }

    /// What the call was judged in.
    fn context(&self, case: &Case<'_>) -> DecisionContext {
        let intent = case.active_intent();
        let patterns = intent.into_iter().flat_map(|intent| intent.owned_scope().patterns());
        let scope: Vec<String> = patterns.map(|pattern| pattern.as_str().to_owned()).collect();
        let length = scope.iter().map(String::len).sum::<usize>();
        DecisionContext {
            root: self.workspace.root(),
            revision: intent.map(|intent| intent.revision().clone()),
            scope: if length > LONGEST_SCOPE { Vec::new() } else { scope },
        }
    }
}

/// A command as the log keeps it: without secrets of known forms, and cut where nobody reads on.
fn shown_command(command: &str) -> String {
    const LONGEST: usize = 2_000;
    let cut = command.get(..command.floor_char_boundary(LONGEST)).unwrap_or(command);
    redact(cut)
}
