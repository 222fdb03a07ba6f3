//! Generators of domain values for property tests. Every generated value is valid.

mod trace;

use alloc::string::String;

use proptest::prelude::*;

use crate::calls::{Actor, ErrorCode, ToolError};
use crate::intents::{
    Constraint, Criterion, Intent, IntentDraft, IntentId, IntentStatus, OwnedScope, ScopePattern,
};
use crate::state::State;
use crate::values::{ContentHash, FileState, RepoPath, Timestamp};

pub use trace::{changed_file, trace_entry};

/// A moment between the years 0 and 9999, which are all that the written form can say.
pub fn timestamp() -> impl Strategy<Value = Timestamp> {
    (-62_167_219_200_000_i64..=253_402_300_799_999).prop_map(Timestamp::from_unix_ms)
}

/// An intent id.
pub fn intent_id() -> impl Strategy<Value = IntentId> {
    "[A-Za-z0-9][A-Za-z0-9._-]{0,63}".prop_filter_map("an intent id", |text| IntentId::new(&text).ok())
}

/// A path of up to five segments, some of them awkward.
pub fn repo_path() -> impl Strategy<Value = RepoPath> {
    let segment = prop_oneof![
        4 => "[a-z]{1,6}(\\.[a-z]{1,3})?",
        1 => "[A-Z \\[\\]!*é~-]{1,4}",
        1 => Just(String::from("...")),
    ];
    prop::collection::vec(segment, 1..=5)
        .prop_filter_map("a path", |segments| RepoPath::new(&segments.join("/")).ok())
}

/// One pattern of a scope.
pub fn scope_pattern() -> impl Strategy<Value = ScopePattern> {
    "!?([a-z]{1,4}/){0,3}([a-z]{1,4}|\\*|\\*\\*|\\*\\.[a-z]{2})/?"
        .prop_filter_map("a pattern", |text| ScopePattern::new(&text).ok())
}

/// An owned scope, sometimes empty.
pub fn owned_scope() -> impl Strategy<Value = OwnedScope> {
    prop::collection::vec(scope_pattern(), 0..5)
        .prop_filter_map("a scope", |patterns| OwnedScope::new(patterns, false).ok())
}

/// A content hash.
pub fn content_hash() -> impl Strategy<Value = ContentHash> {
    any::<[u8; 4]>().prop_map(|seed| ContentHash::of(&seed))
}

/// What is on disk somewhere.
pub fn file_state() -> impl Strategy<Value = FileState> {
    prop_oneof![Just(FileState::Absent), content_hash().prop_map(FileState::Content), Just(FileState::Other)]
}

/// An actor, with any text as its ids.
pub fn actor() -> impl Strategy<Value = Actor> {
    ("[a-z-]{1,12}", any::<String>(), any::<Option<String>>()).prop_map(|(host, session, agent)| Actor {
        host,
        session,
        agent,
    })
}

/// A state of the handshake.
pub fn state() -> impl Strategy<Value = State> {
    prop_oneof![Just(State::Request), Just(State::Reasoning), Just(State::Action)]
}

/// A status of an intent.
pub fn intent_status() -> impl Strategy<Value = IntentStatus> {
    prop::sample::select(
        &[
            IntentStatus::Pending,
            IntentStatus::InProgress,
            IntentStatus::Blocked,
            IntentStatus::Completed,
            IntentStatus::Abandoned,
        ][..],
    )
}

/// A constraint of an intent.
pub fn constraint() -> impl Strategy<Value = Constraint> {
    prop_oneof![
        any::<String>().prop_map(Constraint::Text),
        prop::collection::vec(scope_pattern(), 0..3).prop_map(Constraint::ForbidPaths),
        prop::collection::vec("[a-z_]{1,10}", 0..3).prop_map(Constraint::ForbidTools),
        any::<u32>().prop_map(Constraint::MaxFiles),
        any::<u32>().prop_map(Constraint::MaxLines),
    ]
}

/// An intent of any status, frozen or not.
pub fn intent() -> impl Strategy<Value = Intent> {
    let goal = (intent_id(), "[A-Za-z][ -~]{0,30}", intent_status(), owned_scope());
    let rest = (
        prop::collection::vec(constraint(), 0..3),
        prop::collection::vec(any::<String>().prop_map(Criterion), 0..3),
        prop::collection::vec("REQ-[0-9]{1,3}", 0..3),
        any::<Option<String>>(),
        prop::option::of(intent_id()),
        any::<bool>(),
    );
    (goal, rest).prop_filter_map("an intent", |((id, name, status, owned_scope), rest)| {
        let (constraints, acceptance_criteria, requirements, why, parent, frozen) = rest;
        let draft = IntentDraft {
            id,
            name,
            status,
            owned_scope,
            constraints,
            acceptance_criteria,
            requirements,
            why,
            parent,
            frozen,
            expires: None,
            kind: None,
            within: alloc::vec::Vec::new(),
            wording: alloc::vec::Vec::new(),
        };
        Intent::new(draft).ok()
    })
}

/// A code of the catalogue.
pub fn error_code() -> impl Strategy<Value = ErrorCode> {
    prop::sample::select(ErrorCode::ALL)
}

/// An error with any texts and details.
pub fn tool_error() -> impl Strategy<Value = ToolError> {
    let texts = (any::<String>(), any::<String>(), any::<String>());
    let details = prop::collection::vec(any::<(String, String)>(), 0..4);
    (error_code(), texts, any::<bool>(), details).prop_map(|(code, texts, recoverable, details)| {
        let (message, reason, suggestion) = texts;
        let error = ToolError::new(code, message)
            .with_reason(reason)
            .with_suggestion(suggestion)
            .with_recoverable(recoverable);
        details.into_iter().fold(error, |error, (key, value)| error.with_detail(&key, value))
    })
}
