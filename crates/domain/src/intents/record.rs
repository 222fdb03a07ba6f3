//! An intent as the file records it, without places: what an import writes, compares and changes.
//!
//! Deliberately absent: what of it governs ([`Intent`]), and what only a person writes, such as notes and examples.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::intents::{
    Intent, IntentId, IntentKind, IntentStatus, Placed, WrittenIntent, WrittenLine, WrittenRequirement,
};

/// Where an intent was imported from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRecord {
    /// The kind of specs.
    pub tool: String,
    /// The file.
    pub path: String,
    /// Which part of the file, such as a user story; the whole file where there is none.
    pub item: Option<String>,
    /// The lines of that part.
    pub lines: Option<String>,
    /// The hash of all that was imported.
    pub sha256: Option<String>,
    /// A short hash of each thing that was imported: what differs from them, a person wrote.
    pub seen: Vec<String>,
    /// It is no longer where it came from.
    pub vanished: bool,
}

/// An intent as the file records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntentRecord {
    /// Its id.
    pub id: IntentId,
    /// The goal in one line.
    pub name: String,
    /// What sort of work it is.
    pub kind: Option<IntentKind>,
    /// Where it is in its life.
    pub status: IntentStatus,
    /// The intent that is its reason.
    pub parent: Option<IntentId>,
    /// How urgent it is, in its author's word.
    pub priority: Option<String>,
    /// The reason.
    pub why: Option<String>,
    /// The requirements that it serves.
    pub requirements: Vec<WrittenRequirement>,
    /// What it may change.
    pub owned_scope: Vec<String>,
    /// What was proposed that it may change.
    pub proposed_scope: Vec<String>,
    /// Its limits.
    pub constraints: Vec<WrittenLine>,
    /// When it is done.
    pub criteria: Vec<WrittenLine>,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// What has to be answered first.
    pub questions: Vec<String>,
    /// Where it was imported from.
    pub source: Option<SourceRecord>,
}

impl IntentRecord {
    /// An intent that owns nothing and says nothing but its name.
    pub fn new(id: IntentId, name: String) -> Self {
        Self {
            id,
            name,
            kind: None,
            status: IntentStatus::Pending,
            parent: None,
            priority: None,
            why: None,
            requirements: Vec::new(),
            owned_scope: Vec::new(),
            proposed_scope: Vec::new(),
            constraints: Vec::new(),
            criteria: Vec::new(),
            assumptions: Vec::new(),
            questions: Vec::new(),
            source: None,
        }
    }

    /// What the file says of an intent.
    pub fn of(intent: &Intent, written: &WrittenIntent) -> Self {
        fn bare<T: Clone>(placed: &[Placed<T>]) -> Vec<T> {
            placed.iter().map(|one| one.value.clone()).collect()
        }
        let patterns = |placed: &[Placed<crate::ScopePattern>]| {
            placed.iter().map(|one| one.value.as_str().to_owned()).collect::<Vec<_>>()
        };
        Self {
            kind: intent.kind(),
            status: intent.status(),
            parent: intent.parent().cloned(),
            priority: written.priority.clone(),
            why: intent.why().map(str::to_owned),
            requirements: bare(&written.requirements),
            owned_scope: patterns(&written.scope),
            proposed_scope: patterns(&written.proposed),
            constraints: bare(&written.constraints),
            criteria: bare(&written.criteria),
            assumptions: written.assumptions.clone(),
            questions: written.questions.clone(),
            source: source_of(&written.source),
            ..Self::new(intent.id().clone(), intent.name().to_owned())
        }
    }
}

fn source_of(entries: &[(String, String)]) -> Option<SourceRecord> {
    let of = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let seen = of("seen").unwrap_or_default();
    Some(SourceRecord {
        tool: of("tool")?,
        path: of("path")?,
        item: of("item"),
        lines: of("lines"),
        sha256: of("sha256"),
        seen: seen.split_ascii_whitespace().map(str::to_owned).collect(),
        vanished: of("vanished").as_deref() == Some("true"),
    })
}
