//! What a surface shows, as plain data: the requests that wait, the agents, the grants, the reviews, and what is wrong.

use std::sync::Arc;

use bailiwick_domain::{
    Actor, Approval, ApprovalId, Grant, GrantBounds, Pause, RepoPath, Timestamp, TrustedCommand,
};

use crate::command::answers::breadth::Twice;
use crate::command::judged::Trouble;
use crate::review::Review;

/// A request with what is shown of it.
#[derive(Clone, Debug)]
pub(in crate::command) struct Item {
    pub(in crate::command) approval: Arc<Approval>,
    pub(in crate::command) review: Arc<Review>,
    /// The class and effect of its tool.
    pub(in crate::command) class: String,
    pub(in crate::command) intent: Option<IntentFacts>,
    /// Why a yes would let nothing through.
    pub(in crate::command) void: Option<String>,
    /// What the agent's person had asked for when it was asked.
    pub(in crate::command) prompt: Option<Arc<str>>,
}

impl Item {
    pub(in crate::command) fn id(&self) -> &ApprovalId {
        &self.approval.id
    }

    /// Why a yes takes a second word, if it does.
    pub(in crate::command) fn twice(&self) -> Option<Twice> {
        Twice::of(&self.approval.request, &self.review)
    }

    /// The grant that may be given in place of a yes: none where a yes would let nothing through, or some is not shown.
    pub(in crate::command) fn offer(&self) -> Option<&GrantBounds> {
        let counts = self.void.is_none() && self.review.unseen.is_none();
        self.approval.request.offer.as_ref().filter(|_| counts)
    }

    /// The command that may be trusted with a yes.
    pub(in crate::command) fn allows(&self) -> Option<&TrustedCommand> {
        self.approval.request.allows.as_ref().filter(|_| self.void.is_none())
    }
}

/// What a person needs to know of the intent that a request serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::command) struct IntentFacts {
    pub(in crate::command) name: String,
    pub(in crate::command) why: Option<String>,
    pub(in crate::command) status: String,
    pub(in crate::command) scope: Vec<String>,
}

/// An agent asks a person to close an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct Done {
    pub(in crate::command) intent: String,
    pub(in crate::command) actor: Actor,
    pub(in crate::command) summary: String,
}

/// An agent that acted lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct Agent {
    pub(in crate::command) actor: Actor,
    pub(in crate::command) state: &'static str,
    pub(in crate::command) intent: Option<String>,
    pub(in crate::command) halted: bool,
    pub(in crate::command) last: Timestamp,
}

/// What was found at one look.
#[derive(Clone, Debug)]
pub(in crate::command) struct Snapshot {
    pub(in crate::command) requests: Vec<Item>,
    pub(in crate::command) agents: Vec<Agent>,
    /// The live grants.
    pub(in crate::command) grants: Vec<Grant>,
    /// The grants that wait for a review.
    pub(in crate::command) reviews: Vec<ReviewItem>,
    /// The intents whose work an agent calls done.
    pub(in crate::command) done: Vec<Done>,
    /// How many agents' processes run.
    pub(in crate::command) running: usize,
    /// The pause in force: nobody is asked.
    pub(in crate::command) pause: Option<Pause>,
    /// Why calls are not judged here, or every one is refused.
    pub(in crate::command) trouble: Option<Trouble>,
    pub(in crate::command) now: Timestamp,
}

/// A grant that waits for its review, with its cumulative change.
#[derive(Clone, Debug)]
pub(in crate::command) struct ReviewItem {
    pub(in crate::command) grant: Grant,
    pub(in crate::command) review: Arc<Review>,
    /// The change as it is, its secrets taken out.
    pub(in crate::command) diff: Arc<str>,
    /// Names the change, secrets and all, so that a person's word is to no other one.
    pub(in crate::command) shown: String,
    pub(in crate::command) files: Vec<ReviewFile>,
}

/// One file of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct ReviewFile {
    pub(in crate::command) path: RepoPath,
    /// Why it cannot be put back, if so.
    pub(in crate::command) obstacle: Option<String>,
}
