//! What the host runs behind a write of an actor (a formatter on save), and until when it may still be at work.

use std::collections::BTreeSet;

use bailiwick_domain::{Actor, ActorState, FileState, RepoPath, ToolCall, ToolError, Written};

use super::Standing;
use crate::closed;

/// How many of the newest entries of an intent can hold the calls of one turn.
pub(crate) const LAST_ENTRIES: usize = 64;

/// How long after a write the host's chain behind it may still be at work, in milliseconds.
const CHAIN_MS: i64 = 30_000;

impl Standing<'_> {
    pub(crate) fn is_chain_alive(&self, written: &Written) -> bool {
        let age = self.clock.now().unix_ms() - written.at.unix_ms();
        (0..=CHAIN_MS).contains(&age)
    }

    /// Whether what the host runs behind a write of this actor may be what changed the file: until the batch of the write
    /// is over, when memory follows.
    pub(crate) async fn is_in_chain(
        &self,
        actor: &Actor,
        path: &RepoPath,
        now: &FileState,
    ) -> Result<bool, ToolError> {
        if !matches!(now, FileState::Content(_)) {
            return Ok(false);
        }
        let Some((_, written)) = self.sessions.own(actor, path).await.map_err(closed)? else {
            return Ok(false);
        };
        let state = self.sessions.load(actor).await.map_err(closed)?.unwrap_or_default();
        Ok(self.is_chain_alive(&written) && state.batch_over.is_none_or(|over| over < written.at))
    }

    /// The calls of a batch and all that ran behind them are over: what changes from now on is not their chain's.
    pub(crate) async fn end_chains(&self, calls: &[&ToolCall]) -> Result<(), ToolError> {
        let actors: BTreeSet<&Actor> = calls.iter().map(|call| &call.actor).collect();
        for actor in actors {
            let state = self.sessions.load(actor).await.map_err(closed)?;
            if let Some(state) = state.filter(|state| state.grant.is_some()) {
                let state = ActorState { batch_over: Some(self.clock.now()), ..state };
                self.sessions.save(actor, &state).await.map_err(closed)?;
            }
        }
        Ok(())
    }
}
