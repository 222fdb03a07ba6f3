//! Allowing the command of a request on the screen: the key shows what would be allowed, and only a `y` allows it.

use std::time::Instant;

use bailiwick_domain::{ApprovalId, TrustedCommand};

use super::{Effect, Key, Mode, Model};
use crate::command::answers::asked;

impl Model {
    /// Shows what would be allowed with the shown request, or why nothing can be.
    pub(super) fn trust(&mut self, at: Instant) -> Vec<Effect> {
        let Some(item) = self.shown() else { return Vec::new() };
        let command = asked::command(&item.approval.request).map(str::to_owned);
        let (id, allows) = (item.id().clone(), item.allows().cloned());
        match allows {
            Some(command) => {
                self.mode = Mode::Trusting(id, command);
                self.shown_since = Some(at);
            }
            None => match command {
                Some(command) => return vec![Effect::Explain(command)],
                None => {
                    self.note = Some("only a command can be trusted, and this request is none".to_owned())
                }
            },
        }
        Vec::new()
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
