//! The turn of an actor: a prompt of its person begins it, its stop ends it; what it meant as a whole, and where the actor
//! stands. Beside it what else a host says of a session and not of a call.
//!
//! Deliberately absent: the way of a call, which pays nothing for this.

mod over;
mod prompt;
mod status;

use crate::change::meaning::Meaning;
use crate::consent::grants::Grants;
use crate::consent::pause::Pausing;
use crate::decisions::Decisions;
use crate::standing::Standing;
pub use over::TurnReport;
pub use status::Status;

part! {
    /// Begins and ends turns.
    pub struct Turns {
        from rules: policy, intents;
        from tree: workspace, lock;
        from consents: approvals;
        from records: sessions, pendings, ledger;
        from chance: clock;
        with standing: Standing, grants: Grants, pausing: Pausing, meaning: Meaning,
            decisions: Decisions;
    }
}
