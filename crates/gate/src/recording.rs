//! What became of a call: the files decide, not the event. Its entry, what its actor has seen of it, what nobody reported.
//!
//! Deliberately absent: what an entry says later (`evidence`).

mod adopt;
mod counted;
mod explained;
mod moves;
mod outward;
pub(crate) mod own_change;
pub(crate) mod post;
mod reconcile;

use crate::change::meaning::Meaning;
use crate::consent::grants::Grants;
use crate::decisions::Decisions;
use crate::gathering::Gathering;
use crate::gathering::explain::Explanations;
use crate::gathering::shown::Sights;
use crate::standing::Standing;
use crate::standing::own_tools::OwnTools;
use crate::{Extension, HostTraits};

part! {
    /// Looks at what became of calls and appends their entries.
    pub struct Recording {
        from tree: workspace, vcs, lock;
        from consents: approvals;
        from records: sessions, pendings, ledger, tallies;
        from chance: clock, ids;
        with gathering: Gathering, explanations: Explanations, sights: Sights, standing: Standing,
            own_tools: OwnTools, grants: Grants, meaning: Meaning, decisions: Decisions;
        keeps host: HostTraits, extensions: &'g [Extension];
    }
}
