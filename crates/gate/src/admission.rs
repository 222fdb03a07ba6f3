//! Whether a call runs: gather, decide, look for a yes, ask, admit or refuse. `look` is the list, the other files are its
//! stages.
//!
//! Deliberately absent: the rules (`bailiwick-policy`), and what became of the call (`recording`).

mod admit;
mod asking;
mod by_host;
mod judging;
mod later;
mod look;
mod paused;
mod refuse;
mod request;

use crate::Extension;
use crate::authoring::Authoring;
use crate::change::meaning::Meaning;
use crate::consent::Consenting;
use crate::consent::allowances::Allowances;
use crate::consent::answer::Answers;
use crate::consent::grants::Grants;
use crate::consent::pause::Pausing;
use crate::decisions::Decisions;
use crate::gathering::Gathering;
use crate::gathering::shown::Sights;
use crate::parts::Waiting;
use crate::standing::Standing;
use crate::standing::own_tools::OwnTools;

part! {
    /// Says whether a call runs.
    pub(crate) struct Admission {
        from rules: intents;
        from tree: workspace, lock;
        from consents: approver, approvals;
        from records: pendings, ledger;
        from chance: clock;
        with gathering: Gathering, sights: Sights, meaning: Meaning, standing: Standing,
            own_tools: OwnTools, consenting: Consenting, answers: Answers, grants: Grants,
            allowances: Allowances, pausing: Pausing, authoring: Authoring, decisions: Decisions;
        keeps worktree: Option<&'g str>, extensions: &'g [Extension], waiting: &'g Waiting;
    }
}
