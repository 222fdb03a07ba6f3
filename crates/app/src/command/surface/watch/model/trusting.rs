//! Allowing the command of a request on the screen: the key shows what would be allowed, and only a `y` allows it.

use std::time::Instant;

use bailiwick_domain::{ApprovalId, TrustedCommand};

use super::{Effect, Key, Mode, Model};

impl Model {
    /// Shows what would be allowed with the shown request.
    pub(super) fn trust(&mut self, at: Instant) {
        let Some(item) = self.shown() else { return };
        let (id, allows) = (item.id().clone(), item.approval.request.allows.clone());
        match allows {
            Some(command) => {
                self.mode = Mode::Trusting(id, command);
                self.shown_since = Some(at);
            }
            None => self.note = Some("this request is not a command that can be allowed".to_owned()),
        }
    }

    /// Only a `y` that is no slip allows.
    pub(super) fn allow(
        &mut self,
        id: ApprovalId,
        command: TrustedCommand,
        key: Key,
        at: Instant,
    ) -> Vec<Effect> {
        match key {
            Key::Char('y') if self.slipped(at) => {
                self.note = Some("Too fast: press again to confirm".to_owned());
                self.mode = Mode::Trusting(id, command);
                Vec::new()
            }
            Key::Char('y') => vec![Effect::Allow(id, command)],
            _ => {
                self.note = Some("nothing is allowed; the request stays open".to_owned());
                Vec::new()
            }
        }
    }
}
