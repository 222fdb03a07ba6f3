//! Intents: human-approved goals with an owned scope.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::intents::{OwnedScope, ScopePattern};
use crate::values::{ContentHash, Timestamp, canonical_of};

/// The id of an intent: letters, digits and hyphens, such as `INT-001`. Compared case-sensitively.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct IntentId(String);

/// A text that cannot be an intent id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an intent id: use 1 to 64 letters, digits, `-`, `_` or `.`, starting with a letter or digit"
)]
pub struct IntentIdError(String);

impl IntentId {
    /// Checks an id.
    ///
    /// ```
    /// use bailiwick_domain::IntentId;
    /// assert!(IntentId::new("INT-001").is_ok());
    /// assert!(IntentId::new("").is_err());
    /// assert!(IntentId::new("<script>").is_err());
    /// ```
    pub fn new(text: &str) -> Result<Self, IntentIdError> {
        let first = text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
        let rest = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if first && rest && text.len() <= 64 {
            Ok(Self(text.to_owned()))
        } else {
            Err(IntentIdError(text.chars().take(80).collect()))
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IntentId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for IntentId {
    type Error = IntentIdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<IntentId> for String {
    fn from(id: IntentId) -> Self {
        id.0
    }
}

/// Where an intent is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum IntentStatus {
    /// Approved, not started.
    Pending,
    /// Being worked on.
    InProgress,
    /// Waits for something; a human unblocks it.
    Blocked,
    /// Done.
    Completed,
    /// Given up.
    Abandoned,
}

impl IntentStatus {
    /// Whether an agent may select an intent of this status.
    pub fn is_selectable(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }

    /// The canonical spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::InProgress => "IN_PROGRESS",
            Self::Blocked => "BLOCKED",
            Self::Completed => "COMPLETED",
            Self::Abandoned => "ABANDONED",
        }
    }
}

impl fmt::Display for IntentStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A limit that an intent puts on itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// Told to the agent; not checkable by the gate.
    Text(String),
    /// No call may change a path that one of these globs matches.
    ForbidPaths(Vec<crate::intents::ScopePattern>),
    /// No call may use one of these tools (canonical names or aliases).
    ForbidTools(Vec<String>),
    /// So many files may be changed under one revision.
    MaxFiles(u32),
    /// So many lines may be added and removed under one revision.
    MaxLines(u32),
}

impl Constraint {
    /// Whether the gate must count to know if a call keeps it.
    pub fn is_counted(&self) -> bool {
        matches!(self, Self::MaxFiles(_) | Self::MaxLines(_))
    }

    /// Whether it forbids all that `other` forbids, and says nothing else.
    pub fn is_at_least(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::MaxFiles(now), Self::MaxFiles(was)) | (Self::MaxLines(now), Self::MaxLines(was)) => {
                now <= was
            }
            _ => self == other,
        }
    }
}

/// What sort of work an intent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentKind {
    /// A reason for other intents.
    Goal,
    /// New behaviour.
    Change,
    /// Behaviour that was meant and is not there.
    Fix,
    /// The same behaviour in another form.
    Refactor,
    /// Work around the code.
    Chore,
}

impl IntentKind {
    /// All kinds, by the word that a person writes.
    pub const WORDS: &[(&str, Self)] = &[
        ("goal", Self::Goal),
        ("change", Self::Change),
        ("fix", Self::Fix),
        ("refactor", Self::Refactor),
        ("chore", Self::Chore),
    ];
}

/// What an ancestor of an intent owns; its descendants change nothing beyond it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AncestorScope {
    /// The ancestor.
    pub intent: IntentId,
    /// What it owns; never empty.
    pub owned_scope: OwnedScope,
}

/// One acceptance criterion; checks are run by `bailiwick verify`, the gate only carries the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Criterion(pub String);

/// The hash of everything in an intent that governs or instructs; a new revision is a different intent to approve.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(ContentHash);

impl Revision {
    /// The full hash.
    pub fn hash(&self) -> &ContentHash {
        &self.0
    }

    /// The first twelve digits, for people.
    pub fn short(&self) -> &str {
        self.0.digits().get(..12).unwrap_or_default()
    }
}

/// The parts of an intent before they are checked together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntentDraft {
    /// The id.
    pub id: IntentId,
    /// One line that says the goal.
    pub name: String,
    /// Where it is in its life.
    pub status: IntentStatus,
    /// What it may change; empty owns nothing.
    pub owned_scope: OwnedScope,
    /// Its limits.
    pub constraints: Vec<Constraint>,
    /// When it is done.
    pub acceptance_criteria: Vec<Criterion>,
    /// The requirements it serves, such as `REQ-7`.
    pub requirements: Vec<String>,
    /// The reason, for people and for the agent.
    pub why: Option<String>,
    /// The intent that is the reason for this one.
    pub parent: Option<IntentId>,
    /// Set by a person to stop all work on it, whatever its status.
    pub frozen: bool,
    /// When it expires: from then on nobody works under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// What sort of work it is, when its author said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<IntentKind>,
    /// What those of its ancestors own that own something, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<AncestorScope>,
    /// What its requirements say, where the file says it of them: the id, a colon and the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wording: Vec<String>,
}

impl IntentDraft {
    /// One that says nothing else, and owns nothing.
    pub fn bare(id: IntentId, name: &str, status: IntentStatus) -> Self {
        Self {
            id,
            name: name.to_owned(),
            status,
            owned_scope: OwnedScope::default(),
            constraints: Vec::new(),
            acceptance_criteria: Vec::new(),
            requirements: Vec::new(),
            why: None,
            parent: None,
            frozen: false,
            expires: None,
            kind: None,
            within: Vec::new(),
            wording: Vec::new(),
        }
    }
}

/// Why a draft is not an intent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IntentError {
    /// The name is blank.
    #[error("intent `{0}` has no name")]
    NoName(IntentId),
    /// It names itself as its parent.
    #[error("intent `{0}` is its own parent")]
    OwnParent(IntentId),
}

/// A human-approved goal with an id, an owned scope, constraints, acceptance criteria and requirements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    #[serde(flatten)]
    draft: IntentDraft,
    revision: Revision,
    #[serde(skip)]
    expired: bool,
}

impl Intent {
    /// Checks a draft and computes its revision.
    ///
    /// # Errors
    /// A blank name, or an intent that is its own parent.
    pub fn new(draft: IntentDraft) -> Result<Self, IntentError> {
        if draft.name.trim().is_empty() {
            return Err(IntentError::NoName(draft.id));
        }
        if draft.parent.as_ref() == Some(&draft.id) {
            return Err(IntentError::OwnParent(draft.id));
        }
        let revision = revision_of(&draft);
        Ok(Self { draft, revision, expired: false })
    }

    /// The intent as it stands at that moment: one whose time is over cannot be worked under. Who reads intents for a
    /// decision says when that is.
    #[must_use]
    pub fn as_of(self, now: Timestamp) -> Self {
        let expired = self.draft.expires.is_some_and(|end| end <= now);
        Self { expired, ..self }
    }

    /// From when on nobody works under it any more.
    pub fn expires(&self) -> Option<Timestamp> {
        self.draft.expires
    }

    /// Why an agent cannot work under it, in one word; `None` when it can.
    pub fn closed_because(&self) -> Option<&'static str> {
        match self.draft.status {
            _ if self.draft.frozen => Some("frozen"),
            _ if self.expired => Some("expired"),
            status if status.is_selectable() => None,
            status => Some(status.as_str()),
        }
    }

    /// Its parts.
    pub fn draft(&self) -> &IntentDraft {
        &self.draft
    }

    /// Its id.
    pub fn id(&self) -> &IntentId {
        &self.draft.id
    }

    /// Its goal in one line.
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Where it is in its life.
    pub fn status(&self) -> IntentStatus {
        self.draft.status
    }

    /// What it may change.
    pub fn owned_scope(&self) -> &OwnedScope {
        &self.draft.owned_scope
    }

    /// Those of the patterns that its scope does not hold yet, in their order.
    pub fn unowned(&self, patterns: &[ScopePattern]) -> Vec<ScopePattern> {
        let owned = self.owned_scope().patterns();
        patterns.iter().filter(|pattern| !owned.contains(pattern)).cloned().collect()
    }

    /// Its limits.
    pub fn constraints(&self) -> &[Constraint] {
        &self.draft.constraints
    }

    /// When it is done.
    pub fn acceptance_criteria(&self) -> &[Criterion] {
        &self.draft.acceptance_criteria
    }

    /// The requirements it serves as declared; may be empty.
    pub fn requirements(&self) -> &[String] {
        &self.draft.requirements
    }

    /// What its requirements say, where the file says it of them.
    pub fn wording(&self) -> &[String] {
        &self.draft.wording
    }

    /// The reason.
    pub fn why(&self) -> Option<&str> {
        self.draft.why.as_deref()
    }

    /// What sort of work it is, when its author said so.
    pub fn kind(&self) -> Option<IntentKind> {
        self.draft.kind
    }

    /// What its ancestors own: it changes nothing beyond that.
    pub fn within(&self) -> &[AncestorScope] {
        &self.draft.within
    }

    /// The intent that is the reason for this one.
    pub fn parent(&self) -> Option<&IntentId> {
        self.draft.parent.as_ref()
    }

    /// Whether a human froze it.
    pub fn is_frozen(&self) -> bool {
        self.draft.frozen
    }

    /// Whether it is open as it is written: neither closed by its status nor frozen, whatever the time is.
    pub fn is_open(&self) -> bool {
        self.draft.status.is_selectable() && !self.draft.frozen
    }

    /// Whether an agent may select it and work under it.
    pub fn is_selectable(&self) -> bool {
        self.closed_because().is_none()
    }

    /// The hash of what governs: id, scope, constraints, criteria, requirements, parent. Not the status, so that
    /// starting an intent does not revoke what was approved under it.
    pub fn revision(&self) -> &Revision {
        &self.revision
    }
}

fn revision_of(draft: &IntentDraft) -> Revision {
    #[derive(Serialize)]
    struct Governing<'a> {
        id: &'a IntentId,
        name: &'a str,
        why: Option<&'a str>,
        owned_scope: &'a OwnedScope,
        constraints: &'a [Constraint],
        acceptance_criteria: &'a [Criterion],
        requirements: &'a [String],
        parent: Option<&'a IntentId>,
        // An intent without an end keeps the revision that it had before intents could have one.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires: Option<Timestamp>,
        #[serde(skip_serializing_if = "<[AncestorScope]>::is_empty")]
        within: &'a [AncestorScope],
        #[serde(skip_serializing_if = "<[String]>::is_empty")]
        wording: &'a [String],
    }
    let governing = Governing {
        id: &draft.id,
        name: &draft.name,
        why: draft.why.as_deref(),
        owned_scope: &draft.owned_scope,
        constraints: &draft.constraints,
        acceptance_criteria: &draft.acceptance_criteria,
        requirements: &draft.requirements,
        parent: draft.parent.as_ref(),
        expires: draft.expires,
        within: &draft.within,
        wording: &draft.wording,
    };
    Revision(ContentHash::of(canonical_of(&governing).as_bytes()))
}

/// All intents of a repository, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntentSet(Vec<Intent>);

impl IntentSet {
    /// A set in file order; the loader has refused duplicate ids.
    pub fn new(intents: Vec<Intent>) -> Self {
        Self(intents)
    }

    /// The intent of that id.
    pub fn get(&self, id: &IntentId) -> Option<&Intent> {
        self.0.iter().find(|intent| intent.id() == id)
    }

    /// The intents as they stand at that moment.
    #[must_use]
    pub fn as_of(self, now: Timestamp) -> Self {
        Self(self.0.into_iter().map(|intent| intent.as_of(now)).collect())
    }

    /// All, in file order.
    pub fn iter(&self) -> impl Iterator<Item = &Intent> {
        self.0.iter()
    }

    /// Those that an agent may select.
    pub fn selectable(&self) -> impl Iterator<Item = &Intent> {
        self.0.iter().filter(|intent| intent.is_selectable())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
