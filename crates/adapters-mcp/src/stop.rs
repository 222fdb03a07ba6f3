//! Whether the work of a call is still wanted.

use tokio_util::sync::CancellationToken;

/// Says when a call shall end before it is done: the client took it back or went away, or its time is over.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    call: CancellationToken,
    server: CancellationToken,
}

impl Stop {
    pub(crate) fn of(call: CancellationToken, server: CancellationToken) -> Self {
        Self { call, server }
    }

    pub(crate) fn set(&self) {
        self.call.cancel();
    }

    /// Whether nobody waits for the outcome any more.
    pub fn is_set(&self) -> bool {
        self.call.is_cancelled() || self.server.is_cancelled()
    }
}
