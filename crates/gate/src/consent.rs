//! What a person said, to this very call, to calls like it, or to its command; and whether the gate is paused. `look_up`
//! finds it, the kinds of consent have files of their own, `spending` uses one up.
//!
//! Deliberately absent: whether a call needs it (`bailiwick-policy`), and letting it through (`admission`).

pub(crate) mod allowances;
pub(crate) mod answer;
pub(crate) mod authority;
pub(crate) mod grants;
pub(crate) mod look_up;
pub(crate) mod pause;
mod spending;

use crate::decisions::Decisions;
use crate::gathering::Gathering;
use crate::standing::Standing;
use allowances::Allowances;
use answer::Answers;
use grants::Grants;

part! {
    /// Finds the consent that a call goes through by, and uses it up.
    pub(crate) struct Consenting {
        from records: pendings;
        with answers: Answers, grants: Grants, allowances: Allowances, gathering: Gathering,
            standing: Standing, decisions: Decisions;
    }
}
