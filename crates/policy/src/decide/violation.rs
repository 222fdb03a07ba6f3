//! What a call can fail, as data: one variant for each thing that a check finds, and what follows from it beside words.
//!
//! Deliberately absent: what an agent is told, which is `words`.

use bailiwick_domain::{
    AncestorScope, CommandFault, ContentHash, FileState, HealthFault, IntentId, Location, OwnedScope,
    RepoPath, State,
};

use crate::calls::facts::TargetFact;
use crate::calls::terms::Unreadable;
use crate::staleness::StaleCause;

/// A path that a violation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As messages show it: relative to the root where it is inside.
    pub path: String,
    /// As the agent spelled it.
    pub requested: String,
    /// Whether the call changes it, and does not only read it.
    pub is_changed: bool,
}

impl Place {
    pub(super) fn of(target: &TargetFact) -> Self {
        Self { path: shown(target), requested: target.requested.clone(), is_changed: target.access.mutates() }
    }
}

/// The paths that a violation is about, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The one that the message names.
    pub first: Place,
    /// Those that fail the same check.
    pub others: Vec<Place>,
}

impl Places {
    pub(super) fn of<'f>(targets: impl IntoIterator<Item = &'f TargetFact>) -> Option<Self> {
        let mut places = targets.into_iter().map(Place::of);
        Some(Self { first: places.next()?, others: places.collect() })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// Why a path is not in the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stray {
    /// The intent does not own it.
    Own,
    /// The scope that a sub-agent's parent works under does not hold it.
    Parent(OwnedScope),
    /// An ancestor of the intent does not own it.
    Ancestor(AncestorScope),
    /// It is sensitive by this pattern, and the scope does not name it literally.
    Sensitive(String),
    /// This link is acted on itself, and lies outside.
    Link(RepoPath),
}

/// A bound of an intent that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `max_files`.
    Files,
    /// `max_lines`.
    Lines,
}

impl Bound {
    /// The name of the constraint.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Files => "max_files",
            Self::Lines => "max_lines",
        }
    }
}

/// What a call fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The store cannot be trusted.
    Broken(HealthFault),
    /// The session is halted, for this reason.
    Halted(String),
    /// An intent must be active first.
    TooEarly {
        /// The tool as the host said it.
        tool: String,
        /// Where the actor stands.
        state: State,
        /// Whether the call would change something; else the settings let nothing run before a selection.
        to_change: bool,
        /// Why the call is not known to only read, where it could.
        unproved: Option<String>,
    },
    /// No intent is active in `ACTION`.
    NoIntent,
    /// The active intent is not in the file any more.
    IntentGone(IntentId),
    /// The active intent may not be worked under.
    IntentClosed {
        /// The intent.
        intent: IntentId,
        /// Frozen, expired, or its status.
        why: &'static str,
    },
    /// The call names another intent than the active one.
    OtherIntent {
        /// What it names.
        named: IntentId,
        /// What is active.
        active: IntentId,
    },
    /// No intent allows this command.
    Command(CommandFault),
    /// The parameters cannot be understood, or are too large to look at.
    Unreadable(Unreadable),
    /// A path cannot be used.
    UnusablePath {
        /// The path.
        places: Places,
        /// Why not.
        why: String,
    },
    /// Paths lead out of the root.
    OutsideWorkspace(Places),
    /// Paths that nobody's scope opens.
    Protected {
        /// The paths.
        places: Places,
        /// What protects the first of them.
        pattern: String,
    },
    /// The ignore rules cannot be understood: file, line and why.
    IgnoreInvalid(String),
    /// The ignore rules take paths away.
    Ignored {
        /// The paths.
        places: Places,
        /// The rule for the first of them.
        rule: String,
    },
    /// The intent owns nothing.
    NoScope(IntentId),
    /// A scope that counts here cannot be read, for this reason.
    ScopeInvalid(String),
    /// Changed paths are outside the scope.
    OutOfScope {
        /// The active intent.
        intent: IntentId,
        /// What it owns.
        patterns: OwnedScope,
        /// The paths.
        places: Places,
        /// Why the first of them is outside.
        stray: Stray,
    },
    /// The intent forbids the tool, by this name.
    ForbiddenTool {
        /// The intent.
        intent: IntentId,
        /// The name.
        tool: String,
    },
    /// The intent forbids changing these paths.
    ForbiddenPath {
        /// The intent.
        intent: IntentId,
        /// The paths.
        places: Places,
        /// Why the constraint cannot be read; it then forbids everything.
        unread: Option<String>,
    },
    /// More would be changed under the intent than a bound allows.
    TooMuch {
        /// The intent.
        intent: IntentId,
        /// Which bound.
        bound: Bound,
        /// What it allows.
        limit: u32,
        /// What was counted before.
        counted: u64,
        /// What the call adds.
        adds: u64,
    },
    /// The intent has a bound that counts, and nobody could count.
    Uncounted {
        /// The intent.
        intent: IntentId,
        /// Which bound.
        bound: Bound,
    },
    /// No requirement links the change.
    Unlinked {
        /// The intent.
        intent: IntentId,
        /// What it declares.
        declared: Vec<String>,
        /// What the call names and the intent does not declare; `None` where one must be declared and none is.
        named: Option<String>,
    },
    /// The change is not made on what the actor has seen.
    Stale {
        /// The path.
        places: Places,
        /// Why.
        cause: StaleCause,
        /// What the actor last read or wrote there.
        seen: Option<FileState>,
        /// The hash that came with the call, where that is the cause.
        claimed: Option<ContentHash>,
        /// What is there now.
        now: FileState,
    },
}

/// Where the way out of a violation lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// In the store, which a person repairs: it is not the agent's doing.
    Store,
    /// In selecting an intent.
    Selection,
    /// In the scope: in another one, or in a person's override.
    Scope,
    /// In the call itself.
    Call,
}

impl Violation {
    /// Where the way out lies; what follows from a violation beside words follows from this.
    pub fn concern(&self) -> Concern {
        match self {
            Self::Broken(_) | Self::ScopeInvalid(_) => Concern::Store,
            Self::TooEarly { .. }
            | Self::NoIntent
            | Self::IntentGone(_)
            | Self::IntentClosed { .. }
            | Self::OtherIntent { .. } => Concern::Selection,
            Self::NoScope(_) | Self::OutOfScope { .. } => Concern::Scope,
            Self::Halted(_)
            | Self::Command(_)
            | Self::Unreadable(_)
            | Self::UnusablePath { .. }
            | Self::OutsideWorkspace(_)
            | Self::Protected { .. }
            | Self::IgnoreInvalid(_)
            | Self::Ignored { .. }
            | Self::ForbiddenTool { .. }
            | Self::ForbiddenPath { .. }
            | Self::TooMuch { .. }
            | Self::Uncounted { .. }
            | Self::Unlinked { .. }
            | Self::Stale { .. } => Concern::Call,
        }
    }

    /// The paths that it is about, where it is not about the call as a whole.
    pub(super) fn places(&self) -> Option<&Places> {
        match self {
            Self::UnusablePath { places, .. }
            | Self::OutsideWorkspace(places)
            | Self::Protected { places, .. }
            | Self::Ignored { places, .. }
            | Self::OutOfScope { places, .. }
            | Self::ForbiddenPath { places, .. }
            | Self::Stale { places, .. } => Some(places),
            Self::Broken(_)
            | Self::Halted(_)
            | Self::TooEarly { .. }
            | Self::NoIntent
            | Self::IntentGone(_)
            | Self::IntentClosed { .. }
            | Self::OtherIntent { .. }
            | Self::Command(_)
            | Self::Unreadable(_)
            | Self::IgnoreInvalid(_)
            | Self::NoScope(_)
            | Self::ScopeInvalid(_)
            | Self::ForbiddenTool { .. }
            | Self::TooMuch { .. }
            | Self::Uncounted { .. }
            | Self::Unlinked { .. } => None,
        }
    }
}

/// A path as messages show it: relative to the root where it is inside.
pub(super) fn shown(target: &TargetFact) -> String {
    match &target.location {
        Location::Inside(found) => found.path.to_string(),
        Location::Root => ".".to_owned(),
        Location::Scratch(path) | Location::ReadRoot(path) | Location::Outside(path) => path.clone(),
        Location::Invalid(_) => beginning(&target.requested),
    }
}

/// As much of a path that cannot be used as a person reads.
fn beginning(path: &str) -> String {
    const SHOWN: usize = 200;
    match path.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", path.get(..end).unwrap_or_default()),
        None => path.to_owned(),
    }
}
