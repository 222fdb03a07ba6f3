//! Intents that an agent drafts and more scope that it asks for: measured, asked about, written after a yes.
//!
//! Deliberately absent: the form of the intents file (the port `IntentWriter`).

mod done;
pub(crate) mod drafting;
mod drafts;
mod expansion;
mod left_out;
mod measure;
mod proposal;

use crate::consent::answer::Answers;
use crate::decisions::Decisions;
use crate::standing::Standing;
use crate::standing::own_tools::OwnTools;

part! {
    /// Drafts changes of the intents file and writes what a person approved.
    pub struct Authoring {
        from rules: intents, writer, meter, policy;
        from tree: workspace, vcs;
        from consents: approvals;
        from chance: clock;
        with standing: Standing, own_tools: OwnTools, answers: Answers, decisions: Decisions;
        keeps worktree: Option<&'g str>;
    }
}
