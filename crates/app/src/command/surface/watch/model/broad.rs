//! A broad scope on the screen, or a change that is not shown whole: one key more than any other answer, and a key of its own, so that it is approved by
//! nobody who only presses `a`.

use std::time::Instant;

use bailiwick_domain::{Amended, Answer, ApprovalId};

use super::{Effect, Key, Mode, Model};
use crate::command::answers::breadth::Twice;

/// The key that approves it.
pub(in crate::command::surface::watch) const KEY: char = 'B';

/// A request that waits for its own key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command::surface::watch) struct Broad {
    pub(in crate::command::surface::watch) id: ApprovalId,
    /// What it was edited into, if it was.
    pub(in crate::command::surface::watch) edited: Option<Amended>,
    pub(in crate::command::surface::watch) twice: Twice,
}

impl Model {
    /// Why a yes to this request takes a key of its own, if it does.
    pub(super) fn twice_of(&self, id: &ApprovalId) -> Option<Twice> {
        self.requests.iter().find(|item| item.id() == id)?.twice()
    }

    /// Asks for the key.
    pub(super) fn ask_broad(&mut self, id: ApprovalId, edited: Option<Amended>, twice: Twice, at: Instant) {
        self.mode = Mode::Broad(Broad { id, edited, twice });
        self.shown_since = Some(at);
    }

    /// Only the key itself approves, and only after a look.
    pub(super) fn answer_broad(&mut self, asked: Broad, key: Key, at: Instant) -> Vec<Effect> {
        match key {
            Key::Char(KEY) if self.slipped(at) => {
                self.note = Some(super::TOO_FAST.to_owned());
                self.mode = Mode::Broad(asked);
                Vec::new()
            }
            Key::Char(KEY) => {
                let by = self.by.clone();
                let answer = match asked.edited {
                    Some(draft) => Answer::Amend { by, draft },
                    None => Answer::Approve { by },
                };
                vec![Effect::Answer(asked.id, answer)]
            }
            _ => {
                self.note = Some("nothing is approved; the request stays open".to_owned());
                Vec::new()
            }
        }
    }
}
