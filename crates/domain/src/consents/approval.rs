//! Approvals: a person's Approve or Reject, bound to one call's fingerprint (ADR 0007).

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::authoring::{Amended, Breadth, IntentProposal};
use crate::calls::{Actor, CallId, Mutation};
use crate::consents::{AllowedFile, ApprovalId, GrantBounds, TrustedCommand};
use crate::intents::{IntentId, Revision};
use crate::port_error::{ApprovalError, PortError};
use crate::values::{ContentHash, FileState, RepoPath, Timestamp, canonical_of};

/// What kind of question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalKind {
    /// A destructive call inside the rules.
    Destructive,
    /// A call outside the scope, where the settings let a person override it.
    ScopeOverride,
    /// An agent drafted a new intent; approval writes it into the intents file.
    IntentProposal,
    /// An agent asks for more paths in its intent's scope; approval writes a new revision.
    ScopeExpansion,
    /// A safe call that sends out what a person should see first. It needs no intent, and leaves no trace entry.
    Outbound,
}

impl ApprovalKind {
    /// Whether a yes changes the intents file. The host's own prompt never asks this: what it shows is too small, and
    /// its yes cannot be told from a permission rule.
    pub fn writes_intents(self) -> bool {
        matches!(self, Self::IntentProposal | Self::ScopeExpansion)
    }
}

/// The facts that a yes is bound to. Host noise (call id, description, timeout) is not among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallFacts<'a> {
    /// The tool's name as the host says it.
    pub tool: &'a str,
    /// Parameters without host noise.
    pub params: &'a Value,
    /// The directory that the call runs in.
    pub cwd: Option<&'a str>,
    /// Each target with what is on disk before the call.
    pub before: &'a [(RepoPath, FileState)],
    /// The revision of the active intent.
    pub revision: Option<&'a Revision>,
    /// Who asks.
    pub actor: &'a Actor,
    /// Content hashes of scripts or manifests that a command dispatches to.
    pub dispatched: &'a [ContentHash],
}

/// What a yes rests on beside the call itself. Where it changed, the call is asked about anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Premise {
    /// Each target with what was on disk before the call.
    pub before: Vec<(RepoPath, FileState)>,
    /// The revision of the active intent.
    pub revision: Option<Revision>,
    /// What a command runs, with what it held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<(RepoPath, FileState)>,
    /// What an allowance of the command would depend on; `None` where none is offered, and for requests of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allows: Option<Vec<AllowedFile>>,
}

/// The hash of exactly one call under exactly one state of the files (ADR 0007).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(ContentHash);

impl Fingerprint {
    /// The fingerprint of these facts.
    pub fn of(facts: &CallFacts<'_>) -> Self {
        Self(ContentHash::of(canonical_of(facts).as_bytes()))
    }

    /// The hash itself.
    pub fn hash(&self) -> &ContentHash {
        &self.0
    }
}

/// What a person is asked; it carries all that a decision needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    /// The active intent.
    pub intent_id: Option<IntentId>,
    /// The tool's canonical name.
    pub tool: String,
    /// The paths that will change, relative to the root.
    pub changed_paths: Vec<String>,
    /// A unified diff of what will change, or the command as text.
    pub diff_preview: String,
    /// Why a human is asked.
    pub reason: String,
    /// What kind of question it is.
    pub kind: ApprovalKind,
    /// What a yes is bound to.
    pub fingerprint: Fingerprint,
    /// Who asks.
    pub actor: Actor,
    /// The working copy that the paths are relative to, absolute; linked worktrees share one queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// The folder that the agent works in, as its host says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// What is drafted, when the question is whether to write it; a person may change it before approving. Of a
    /// scope expansion it is the intent with the patterns that are asked for as its scope, and only those can be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<IntentProposal>,
    /// The grant that may be given in place of a single approval, when the call is an edit that a grant could cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<GrantBounds>,
    /// What may be allowed from now on, when the call is a command that a person can trust.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allows: Option<TrustedCommand>,
    /// What the change means, predicted where its diff was made; `None` where there is no change of files to
    /// classify, and for requests of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<Mutation>,
    /// Revisions of intents that approval also accepts on this machine; `diff_preview` begins with their changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<Revision>,
    /// How wide the drafted scope is, where it is so wide that a person confirms it twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broad: Option<Breadth>,
    /// What a yes rests on, so that a surface can tell when it would let nothing through; `None` for requests of older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub premise: Option<Premise>,
}

impl ApprovalRequest {
    /// The draft in the form in which a human may change it; `None` where the question is no draft, or an older version
    /// asked it.
    pub fn drafted(&self) -> Option<Amended> {
        let draft = self.draft.clone()?;
        Some(match self.kind {
            ApprovalKind::ScopeExpansion => Amended::Scope { added_scope: draft.owned_scope },
            ApprovalKind::Destructive
            | ApprovalKind::ScopeOverride
            | ApprovalKind::IntentProposal
            | ApprovalKind::Outbound => Amended::Intent(draft),
        })
    }

    /// What an allowance of its command depends on, as it was when this was asked.
    pub fn allowed_files(&self) -> &[AllowedFile] {
        self.premise.as_ref().and_then(|premise| premise.allows.as_deref()).unwrap_or_default()
    }

    /// Whether a human's change of the draft is one of what was drafted.
    fn can_become(&self, amended: &Amended) -> bool {
        self.drafted()
            .is_some_and(|drafted| core::mem::discriminant(&drafted) == core::mem::discriminant(amended))
    }
}

/// Where an approval stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum ApprovalStatus {
    /// Nobody has answered.
    Open,
    /// A human said yes; not used yet.
    Approved {
        /// Who said so.
        by: String,
        /// When.
        at: Timestamp,
        /// The grant that begins when the yes is used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantBounds>,
    },
    /// A human said no, or nobody can say yes any more.
    Rejected {
        /// Who said so, or what ended it ([`NoPerson`](crate::NoPerson)).
        by: String,
        /// When.
        at: Timestamp,
        /// What the human wants the agent to know.
        feedback: Option<String>,
    },
    /// A human said yes when that could let nothing through any more; it never does.
    Void {
        /// Who said so.
        by: String,
        /// When.
        at: Timestamp,
        /// What had changed.
        why: String,
    },
    /// The yes was used by one call.
    Used {
        /// Who had said yes.
        by: String,
        /// When it was used.
        at: Timestamp,
    },
    /// The host's own prompt asks: it is answered there and nowhere else.
    WithHost {
        /// The call that was handed over; no other call's event says anything of this request.
        call: CallId,
        /// Since when.
        at: Timestamp,
    },
    /// The host's own prompt is over, and nothing was run.
    NotRun {
        /// Since when that is known.
        at: Timestamp,
    },
}

/// A request in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// What is asked.
    pub request: ApprovalRequest,
    /// When it was asked.
    pub created: Timestamp,
    /// When it lapses (10 minutes later).
    pub expires: Timestamp,
    /// Where it stands.
    pub status: ApprovalStatus,
    /// The draft as the person approved it, where that differs from what was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amended: Option<Amended>,
}

impl Approval {
    /// How long a request stays open, and an approval usable, in seconds.
    pub const LIFETIME_S: u64 = 600;

    /// Where it stands after an answer, which a store writes down in one step.
    ///
    /// # Errors
    /// It was answered before, it expired, the answer is none of a human's, it changes a draft where there is
    /// none, or it grants where no grant was offered.
    pub fn answered(&self, answer: &Answer, now: Timestamp) -> Result<Self, ApprovalError> {
        self.still_open(now)?;
        let (status, amended) = match answer.clone() {
            Answer::Approve { by } => (ApprovalStatus::Approved { by, at: now, grant: None }, None),
            Answer::Grant { .. } if self.request.offer.is_none() => {
                return Err(ApprovalError::NotOffered(self.id.0.clone()));
            }
            Answer::Grant { by, bounds } => {
                (ApprovalStatus::Approved { by, at: now, grant: Some(bounds) }, None)
            }
            Answer::Amend { ref draft, .. } if !self.request.can_become(draft) => {
                return Err(ApprovalError::NoDraft(self.id.0.clone()));
            }
            Answer::Amend { by, draft } => {
                (ApprovalStatus::Approved { by, at: now, grant: None }, Some(draft))
            }
            Answer::Void { by, why } => (ApprovalStatus::Void { by, at: now, why }, None),
            Answer::Reject { by, feedback } => (ApprovalStatus::Rejected { by, at: now, feedback }, None),
            Answer::Deferred | Answer::AskHost | Answer::Unanswered { .. } => {
                let why = "only a person's approval or rejection can be recorded";
                return Err(PortError::Unavailable(why.into()).into());
            }
        };
        Ok(Self { status, amended, ..self.clone() })
    }

    /// Where it stands once a person takes back a yes that no call has used.
    ///
    /// # Errors
    /// There is no such yes: it was used, it lapsed, or nobody said it.
    pub fn taken_back(&self, by: &str, now: Timestamp) -> Result<Self, ApprovalError> {
        match &self.status {
            ApprovalStatus::Approved { .. } if now >= self.expires => {
                Err(ApprovalError::Lapsed(self.id.0.clone()))
            }
            ApprovalStatus::Approved { .. } => {
                let feedback = Some("the yes was taken back before a call used it".into());
                let status = ApprovalStatus::Rejected { by: by.into(), at: now, feedback };
                Ok(Self { status, ..self.clone() })
            }
            _ => Err(ApprovalError::Answered(self.id.0.clone())),
        }
    }

    /// Where it stands once the host's own prompt asks about this call.
    ///
    /// # Errors
    /// It was answered before, or it expired.
    pub fn handed_over(&self, call: &CallId, now: Timestamp) -> Result<Self, ApprovalError> {
        self.still_open(now)?;
        Ok(Self { status: ApprovalStatus::WithHost { call: call.clone(), at: now }, ..self.clone() })
    }

    /// Where it stands once the host's own prompt about this call is over: `by` said yes, or nothing was run.
    ///
    /// # Errors
    /// The host's prompt does not ask about it for this call.
    pub fn settled_by_host(
        &self,
        call: &CallId,
        by: Option<&str>,
        now: Timestamp,
    ) -> Result<Self, ApprovalError> {
        if !matches!(&self.status, ApprovalStatus::WithHost { call: asked, .. } if asked == call) {
            return Err(ApprovalError::Answered(self.id.0.clone()));
        }
        let status = match by {
            Some(by) => ApprovalStatus::Used { by: by.into(), at: now },
            None => ApprovalStatus::NotRun { at: now },
        };
        Ok(Self { status, ..self.clone() })
    }

    /// Whether somebody can answer it in the queue.
    ///
    /// # Errors
    /// Why nobody can: it was answered, it lapsed, or the host's own prompt asks.
    pub fn still_open(&self, now: Timestamp) -> Result<(), ApprovalError> {
        match &self.status {
            ApprovalStatus::WithHost { .. } => Err(ApprovalError::WithHost(self.id.0.clone())),
            ApprovalStatus::Open if now >= self.expires => Err(ApprovalError::Lapsed(self.id.0.clone())),
            ApprovalStatus::Open => Ok(()),
            _ => Err(ApprovalError::Answered(self.id.0.clone())),
        }
    }

    /// Whether the host's own prompt asks about it.
    pub fn is_with_host(&self) -> bool {
        matches!(self.status, ApprovalStatus::WithHost { .. })
    }

    /// The call that the host's own prompt asks about.
    pub fn call_with_host(&self) -> Option<&CallId> {
        match &self.status {
            ApprovalStatus::WithHost { call, .. } => Some(call),
            _ => None,
        }
    }

    /// Whether it belongs into the queue: somebody can answer it there, or at the host's own prompt.
    pub fn is_waiting(&self, now: Timestamp) -> bool {
        self.is_open(now) || self.is_with_host()
    }

    /// Whether somebody can still answer it.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.status == ApprovalStatus::Open && now < self.expires
    }

    /// Whether its agent can still hear something of it: it is open, or its answer counts and was not used.
    pub fn is_unheard(&self, now: Timestamp) -> bool {
        use ApprovalStatus::{Approved, Open, Rejected, Void};
        now < self.expires && matches!(self.status, Open | Approved { .. } | Rejected { .. } | Void { .. })
    }

    /// Whether it was answered with a yes that lets nothing through.
    pub fn is_void(&self) -> bool {
        matches!(self.status, ApprovalStatus::Void { .. })
    }

    /// Whether somebody said yes, and the call that may use it has not come yet.
    pub fn is_unused(&self, now: Timestamp) -> bool {
        matches!(self.status, ApprovalStatus::Approved { .. }) && now < self.expires
    }

    /// Whether a call with this fingerprint may use the yes.
    pub fn is_usable(&self, fingerprint: &Fingerprint, now: Timestamp) -> bool {
        self.is_unused(now) && self.request.fingerprint == *fingerprint
    }
}

/// What a channel came back with. A channel never answers `Approve` on its own: silence, a closed channel and a lapse
/// of time are `Unanswered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A human said yes to exactly this.
    Approve {
        /// Who.
        by: String,
    },
    /// A person approved the draft as they changed it, and nothing else.
    Amend {
        /// Who.
        by: String,
        /// What shall be written.
        draft: Amended,
    },
    /// A person approved exactly this, and edits like it within these bounds.
    Grant {
        /// Who.
        by: String,
        /// How far the grant goes.
        bounds: GrantBounds,
    },
    /// A human said yes, but what was asked about has changed: it lets nothing through.
    Void {
        /// Who.
        by: String,
        /// What changed.
        why: String,
    },
    /// A human said no, or nobody can say yes any more.
    Reject {
        /// Who, or what ended it ([`NoPerson`](crate::NoPerson)).
        by: String,
        /// What the human wants the agent to know.
        feedback: Option<String>,
    },
    /// The caller resolves it on the same connection.
    Deferred,
    /// The host's own prompt shall ask; a human is provably there.
    AskHost,
    /// Nobody answered in time, or nobody is there.
    Unanswered {
        /// Why, for the agent.
        why: String,
    },
}
