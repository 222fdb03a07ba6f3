//! The fields of one intent, in the short form and in the superset of the intent language; spellings from the wild
//! are accepted with a warning. Whether an empty scope may work is judged at the gate, not here.

use bailiwick_domain::{
    IntentDraft, IntentId, IntentKind, IntentRule, IntentStatus, OwnedScope, ScopePattern, Timestamp,
    WrittenRequirement,
};

use super::items;
use crate::files::yaml::{Entry, Findings, Mark, Node, shortened};

/// One intent as written, with the places that later complaints point at.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) intent: IntentDraft,
    pub(crate) id_at: Mark,
    pub(crate) parent_at: Option<Mark>,
}

pub(crate) const KEYS: &[&str] = &[
    "id",
    "name",
    "kind",
    "status",
    "parent",
    "priority",
    "why",
    "requirements",
    "owned_scope",
    "proposed_scope",
    "allow_broad",
    "constraints",
    "acceptance_criteria",
    "examples",
    "assumptions",
    "questions",
    "notes",
    "source",
    "frozen",
    "expires",
];

pub(super) const SOURCE_KEYS: &[&str] = &["tool", "path", "item", "lines", "sha256", "seen", "vanished"];

/// Reads one item of the list; `None` when it has no usable id, name, status or scope.
pub(crate) fn read(node: &Node, found: &mut Findings) -> Option<Draft> {
    if node.is_null() {
        found.error(node.at, "an intent is missing here", "remove the empty item");
        return None;
    }
    let entries = found.map(node, "active_intents")?;
    check_keys(entries, found);
    let (id_at, id) = id(node, entries, found)?;
    let name =
        alias(entries, ("name", "title"), found).and_then(|entry| found.filled_text(&entry.node, "name"));
    let status = one(entries, "status").and_then(|entry| status(&entry.node, found));
    let scope = scope(entries, found);
    let parent = one(entries, "parent").filter(|entry| !entry.node.is_null());
    let missing: Vec<&str> =
        [("name", has(entries, &["name", "title"])), ("status", has(entries, &["status"]))]
            .into_iter()
            .filter_map(|(key, there)| (!there).then_some(key))
            .collect();
    for key in missing {
        let (message, fix) = (format!("intent `{id}` has no `{key}`"), format!("add `{key}:`"));
        found.error_of(IntentRule::MissingKey, node.at, message, fix);
    }
    let intent = IntentDraft {
        name: name.unwrap_or_default(),
        status: status.unwrap_or(IntentStatus::Blocked),
        owned_scope: scope.unwrap_or_default(),
        constraints: one(entries, "constraints")
            .map(|entry| items::constraints(&entry.node, found))
            .unwrap_or_default(),
        acceptance_criteria: one(entries, "acceptance_criteria")
            .map(|entry| items::criteria(&entry.node, found))
            .unwrap_or_default(),
        requirements: requirements(&id, id_at, entries, found),
        why: optional(entries, "why").and_then(|entry| found.text(&entry.node, "why")),
        parent: parent.and_then(|entry| parent_id(entry, found)),
        frozen: optional(entries, "frozen")
            .and_then(|entry| found.flag(&entry.node, "frozen"))
            .unwrap_or(false),
        expires: optional(entries, "expires").and_then(|entry| moment(&entry.node, found)),
        kind: optional(entries, "kind").and_then(|entry| found.word(&entry.node, "kind", IntentKind::WORDS)),
        within: Vec::new(),
        wording: wording(entries),
        id,
    };
    check_the_rest(entries, found);
    let sound = !intent.name.is_empty() && status.is_some() && intent.parent.as_ref() != Some(&intent.id);
    if let Some(entry) = parent.filter(|_| intent.parent.as_ref() == Some(&intent.id)) {
        let message = format!("intent `{}` is its own parent", intent.id);
        found.error_of(IntentRule::ParentCycle, entry.node.at, message, "name another intent");
    }
    sound.then_some(Draft { intent, id_at, parent_at: parent.map(|entry| entry.node.at) })
}

fn one<'n>(entries: &'n [Entry], key: &str) -> Option<&'n Entry> {
    entries.iter().find(|entry| entry.key == key)
}

/// A moment in UTC; milliseconds may be left out.
fn moment(node: &Node, found: &mut Findings) -> Option<Timestamp> {
    let text = found.text(node, "expires")?;
    let read = Timestamp::parse(&text).or_else(|_| Timestamp::parse(&text.replace('Z', ".000Z")));
    if read.is_err() {
        let message = format!("`{}` is not a time in UTC", shortened(&text));
        found.error(node.at, message, "write it like \"2026-02-18T12:00:00Z\"");
    }
    read.ok()
}

fn optional<'n>(entries: &'n [Entry], key: &str) -> Option<&'n Entry> {
    one(entries, key).filter(|entry| !entry.node.is_null())
}

fn has(entries: &[Entry], keys: &[&str]) -> bool {
    keys.iter().any(|key| one(entries, key).is_some())
}

/// The entry under its canonical key, or under a spelling from the wild with a warning.
fn alias<'n>(entries: &'n [Entry], keys: (&str, &str), found: &mut Findings) -> Option<&'n Entry> {
    let (canonical, variant) = keys;
    match (one(entries, canonical), one(entries, variant)) {
        (Some(entry), None) => Some(entry),
        (None, Some(entry)) => {
            let fix = format!("rename it to `{canonical}`");
            found.warn(entry.at, format!("`{variant}` is read as `{canonical}`"), fix);
            Some(entry)
        }
        (Some(entry), Some(second)) => {
            found.error(
                second.at,
                format!("`{canonical}` and `{variant}` are both there"),
                format!("keep `{canonical}`"),
            );
            Some(entry)
        }
        (None, None) => None,
    }
}

fn check_keys(entries: &[Entry], found: &mut Findings) {
    for entry in entries {
        if !KEYS.contains(&entry.key.as_str()) && !matches!(entry.key.as_str(), "title" | "intent_id") {
            found.unknown_key(entry, "an intent", KEYS);
        }
    }
}

fn id(node: &Node, entries: &[Entry], found: &mut Findings) -> Option<(Mark, IntentId)> {
    let Some(entry) = alias(entries, ("id", "intent_id"), found) else {
        let (message, fix) = ("an intent has no `id`", "add `id:`, such as `id: INT-001`");
        found.error_of(IntentRule::MissingKey, node.at, message, fix);
        return None;
    };
    let text = found.text(&entry.node, "id")?;
    match IntentId::new(&text) {
        Ok(id) => Some((entry.node.at, id)),
        Err(error) => {
            found.error(entry.node.at, error.to_string(), "");
            None
        }
    }
}

fn parent_id(entry: &Entry, found: &mut Findings) -> Option<IntentId> {
    let text = found.text(&entry.node, "parent")?;
    IntentId::new(&text).map_err(|error| found.error(entry.node.at, error.to_string(), "")).ok()
}

const STATUSES: &[(&str, IntentStatus, &[&str])] = &[
    ("PENDING", IntentStatus::Pending, &["NOT_STARTED", "TODO", "TO_DO", "OPEN", "PLANNED", "READY"]),
    (
        "IN_PROGRESS",
        IntentStatus::InProgress,
        &["INPROGRESS", "ACTIVE", "STARTED", "DOING", "WIP", "ONGOING"],
    ),
    ("BLOCKED", IntentStatus::Blocked, &["ON_HOLD", "WAITING", "PAUSED"]),
    ("COMPLETED", IntentStatus::Completed, &["COMPLETE", "DONE", "CLOSED", "FINISHED", "RESOLVED"]),
    ("ABANDONED", IntentStatus::Abandoned, &["CANCELLED", "CANCELED", "DROPPED", "REJECTED", "WONTFIX"]),
];

/// The row of a status, however it is spelled.
fn row_of(text: &str) -> Option<&'static (&'static str, IntentStatus, &'static [&'static str])> {
    let folded = text.trim().to_uppercase().replace(['-', ' '], "_");
    STATUSES.iter().find(|(word, _, variants)| *word == folded || variants.contains(&folded.as_str()))
}

/// The canonical statuses.
pub(super) fn status_words() -> Vec<&'static str> {
    STATUSES.iter().map(|(word, ..)| *word).collect()
}

/// The canonical spelling of a status.
pub(crate) fn canonical_status(text: &str) -> Option<&'static str> {
    row_of(text).map(|(word, ..)| *word)
}

fn status(node: &Node, found: &mut Findings) -> Option<IntentStatus> {
    let text = found.text(node, "status")?;
    let known = row_of(&text);
    match known {
        Some((word, status, _)) => {
            if *word != text {
                let message = format!("the status `{}` is read as `{word}`", shortened(&text));
                found.warn(node.at, message, format!("write `{word}`"));
            }
            Some(*status)
        }
        None => {
            let words: Vec<(&str, ())> = STATUSES.iter().map(|(word, _, _)| (*word, ())).collect();
            let _ = found.word(node, "status", &words);
            None
        }
    }
}

/// Missing, null, `[]` and blanks are all an empty scope.
fn scope(entries: &[Entry], found: &mut Findings) -> Option<OwnedScope> {
    let broad = optional(entries, "allow_broad").and_then(|entry| found.flag(&entry.node, "allow_broad"));
    let entry = optional(entries, "owned_scope")?;
    if items::is_blank(&entry.node) {
        return None;
    }
    let texts = found.texts(&entry.node, "owned_scope");
    let patterns: Vec<ScopePattern> =
        texts.iter().filter_map(|(at, text)| items::pattern(*at, text, found)).collect();
    match OwnedScope::new(patterns, broad.unwrap_or(false)) {
        Ok(scope) => Some(scope),
        Err(error) => {
            found.error_of(IntentRule::BadPattern, entry.node.at, error.to_string(), "");
            None
        }
    }
}

fn requirements(id: &IntentId, at: Mark, entries: &[Entry], found: &mut Findings) -> Vec<String> {
    let listed: Vec<String> = match one(entries, "requirements") {
        Some(entry) => {
            let items = found.list(&entry.node, "requirements", "a list of strings").unwrap_or_default();
            items.iter().filter_map(|item| items::requirement(item, found)).collect()
        }
        None => Vec::new(),
    };
    if listed.is_empty() {
        let message = format!("intent `{id}` lists no requirement; `REQ-{id}` is derived for its traces");
        found.warn_of(IntentRule::NoRequirement, at, message, "add `requirements:`");
    }
    listed
}

/// What the requirements say, where that is written down. Their form is checked with their ids.
fn wording(entries: &[Entry]) -> Vec<String> {
    let said = |requirement: WrittenRequirement| Some(format!("{}: {}", requirement.id, requirement.text?));
    super::written::requirements(entries).into_iter().filter_map(|placed| said(placed.value)).collect()
}

/// Keys that tell people and other commands something; only their form is checked here.
fn check_the_rest(entries: &[Entry], found: &mut Findings) {
    for entry in entries.iter().filter(|entry| !entry.node.is_null()) {
        match entry.key.as_str() {
            "assumptions" | "questions" => drop(found.texts(&entry.node, &entry.key)),
            "notes" | "priority" => drop(found.text(&entry.node, &entry.key)),
            "proposed_scope" => {
                let texts = found.texts(&entry.node, "proposed_scope");
                texts.iter().for_each(|(at, text)| drop(items::pattern(*at, text, found)));
            }
            "examples" => check_examples(&entry.node, found),
            "source" => check_source(&entry.node, found),
            _ => {}
        }
    }
}

fn check_examples(node: &Node, found: &mut Findings) {
    for entry in found.map(node, "examples").unwrap_or_default() {
        match entry.key.as_str() {
            "allow" | "deny" => drop(found.texts(&entry.node, &entry.key)),
            _ => found.unknown_key(entry, "`examples`", &["allow", "deny"]),
        }
    }
}

fn check_source(node: &Node, found: &mut Findings) {
    for entry in found.map(node, "source").unwrap_or_default() {
        if entry.key == "vanished" {
            let _ = found.flag(&entry.node, "vanished");
        } else if SOURCE_KEYS.contains(&entry.key.as_str()) {
            let _ = found.text(&entry.node, &entry.key);
        } else {
            found.unknown_key(entry, "`source`", SOURCE_KEYS);
        }
    }
}
