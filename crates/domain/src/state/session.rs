//! What is remembered of an actor, and where it stands in the handshake.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::calls::CallId;
use crate::consents::{ApprovalId, GrantId};
use crate::intents::{IntentId, Revision};
use crate::values::Timestamp;

/// Where an actor stands in the handshake. Names on the wire are exactly these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// A human's prompt arrived; nothing was done yet.
    #[default]
    Request,
    /// The agent looks around; no intent is active.
    Reasoning,
    /// An intent is active.
    Action,
}

impl State {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "REQUEST",
            Self::Reasoning => "REASONING",
            Self::Action => "ACTION",
        }
    }
}

/// The intent that an actor works under, at the revision that it selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveIntent {
    /// The intent.
    pub id: IntentId,
    /// The revision when it was selected.
    pub revision: Revision,
}

/// That a file is as an actor's own call left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The call.
    pub call: CallId,
    /// When it was recorded.
    pub at: Timestamp,
}

/// All that is remembered of an actor between calls, except observations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActorState {
    /// Where it stands.
    pub state: State,
    /// What it works under; set exactly in `ACTION`.
    pub active: Option<ActiveIntent>,
    /// When a human last prompted; a rejection from before that does not bind any more.
    pub prompted: Option<Timestamp>,
    /// What it worked under before the last prompt, offered as a hint.
    pub hint: Option<IntentId>,
    /// How often each call, by its key, was blocked since the last prompt or selection.
    pub blocked: BTreeMap<String, u32>,
    /// Why the session is halted, when the host ran a call that was denied.
    pub quarantine: Option<String>,
    /// The last calls that were refused, newest last, to notice a host that runs one all the same.
    pub denied: Vec<CallId>,
    /// Whether a mutation of this actor was recorded.
    pub mutated: bool,
    /// The model, when the host told it.
    pub model: Option<String>,
    /// The newest entry of the ledger that the meaning of a turn was told for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// The grant that may cover its calls; whether it still does is for the grants to say.
    pub grant: Option<GrantId>,
    /// When the gate saw the session begin; `None` where it was set up in the middle of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// When the last batch of calls that may have changed a file of a grant was over, with all that ran behind them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_over: Option<Timestamp>,
    /// Whether the shell that its host keeps between calls may stand in another folder than the one that the host tells.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub shell_moved: bool,
    /// Requests that it was told to wait for, oldest first, until it hears the answer or a person prompts.
    pub awaited: Vec<ApprovalId>,
}

impl ActorState {
    /// How many different blocked calls are remembered; older ones are forgotten first by key order.
    pub const MAX_BLOCKED: usize = 64;

    /// How many refused calls are remembered.
    pub const MAX_DENIED: usize = 32;

    /// How many requests are remembered that it waits for.
    pub const MAX_AWAITED: usize = 16;

    /// Remembers that it was told to wait for this request; whether that is news.
    pub fn wait_for(&mut self, id: &ApprovalId) -> bool {
        if self.awaited.contains(id) {
            return false;
        }
        if self.awaited.len() >= Self::MAX_AWAITED {
            self.awaited.remove(0);
        }
        self.awaited.push(id.clone());
        true
    }

    /// Forgets that it waits for this request, as it heard of the answer; whether it waited.
    pub fn hears_of(&mut self, id: &ApprovalId) -> bool {
        let known = self.awaited.len();
        self.awaited.retain(|awaited| awaited != id);
        self.awaited.len() != known
    }

    /// Remembers that this call was refused; whether that is news.
    pub fn deny(&mut self, call: &CallId) -> bool {
        if self.denied.contains(call) {
            return false;
        }
        if self.denied.len() >= Self::MAX_DENIED {
            self.denied.remove(0);
        }
        self.denied.push(call.clone());
        true
    }

    /// Counts one more block of the call with this key and returns the new count.
    pub fn count_block(&mut self, key: &str) -> u32 {
        if self.blocked.len() >= Self::MAX_BLOCKED && !self.blocked.contains_key(key) {
            self.blocked.pop_first();
        }
        let count = self.blocked.entry(key.into()).or_insert(0);
        *count = count.saturating_add(1);
        *count
    }
}
