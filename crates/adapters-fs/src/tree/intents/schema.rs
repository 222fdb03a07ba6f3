//! The form of the intents file as JSON Schema, for editors. Made from the same lists of words that the reader has.
//!
//! Deliberately absent: what only the reader knows, such as whether a parent exists.

use bailiwick_domain::{IntentKind, Strength, Value, json};

use super::fields::{KEYS, SOURCE_KEYS, status_words};
use super::items::{CHECK_KEYS, CONSTRAINT_KEYS, CRITERION_KEYS, MOST_FILES, MOST_LINES, REQUIREMENT_KEYS};

/// The schema of `active_intents.yaml`. Spellings from elsewhere are read, too, and are no part of it.
pub fn intents_schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Bailiwick intents",
        "description": "Goals that a person accepted, with what an agent may change for each.",
        "type": "object",
        "additionalProperties": false,
        "required": ["active_intents"],
        "properties": {
            "active_intents": { "type": ["array", "null"], "items": intent() },
        },
    })
}

fn intent() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["id", "name", "status"],
        "properties": of_keys(KEYS, key),
    })
}

fn of_keys(keys: &[&str], form: fn(&str) -> Value) -> Value {
    Value::Object(keys.iter().map(|key| ((*key).to_owned(), form(key))).collect())
}

fn described(mut form: Value, says: &str) -> Value {
    if let Some(members) = form.as_object_mut() {
        members.insert("description".to_owned(), json!(says));
    }
    form
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn texts() -> Value {
    json!({ "type": ["array", "null"], "items": text() })
}

/// The form of one key of an intent.
fn key(key: &str) -> Value {
    let kinds: Vec<&str> = IntentKind::WORDS.iter().map(|(word, _)| *word).collect();
    let (form, says) = match key {
        "id" => (
            json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" }),
            "Unique, such as INT-001.",
        ),
        "name" => (json!({ "type": "string", "minLength": 1 }), "The goal in one line."),
        "kind" => (
            json!({ "enum": kinds }),
            "What sort of work it is. A goal owns nothing and is a reason for others.",
        ),
        "status" => (json!({ "enum": status_words() }), "Agents can select PENDING and IN_PROGRESS."),
        "parent" => (
            json!({ "type": ["string", "null"] }),
            "The intent that this one serves; its constraints and its scope hold here, too.",
        ),
        "why" => (json!({ "type": ["string", "null"] }), "The reason. Shown to people."),
        "priority" => {
            (json!({ "type": ["string", "null"] }), "How urgent it is, such as P1. Shown to people.")
        }
        "requirements" => (
            lines(requirement()),
            "The requirements that it serves, by their ids; each change names them. A map also says what one is.",
        ),
        "proposed_scope" => (
            texts(),
            "What somebody proposed that it may change. It counts for nothing until a person accepts it.",
        ),
        "questions" => (texts(), "What has to be answered first. Shown to people."),
        "owned_scope" => {
            (texts(), "What may be changed: files, folders with a trailing slash, globs; `!` excludes.")
        }
        "allow_broad" => (
            json!({ "type": ["boolean", "null"] }),
            "Whether a scope of exclusions alone, or of a large part of the files, is meant.",
        ),
        "constraints" => {
            (lines(constraint()), "Limits: texts that agents are shown, and bounds that the gate enforces.")
        }
        "acceptance_criteria" => (lines(criterion()), "How one knows that it is done."),
        "examples" => (
            json!({
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": { "allow": texts(), "deny": texts() },
            }),
            "Paths that must and must not be in the scope; `bailiwick intent check` tests it.",
        ),
        "assumptions" => (texts(), "What it takes for granted."),
        "notes" => (json!({ "type": ["string", "null"] }), "For people alone; agents are never shown it."),
        "source" => (
            json!({
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": of_keys(SOURCE_KEYS, |key| if key == "vanished" { flag() } else { text() }),
            }),
            "Where it was imported from.",
        ),
        "frozen" => (json!({ "type": ["boolean", "null"] }), "Stops all work on it, in any status."),
        "expires" => (
            json!({ "type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$" }),
            "When it ends by itself, in UTC; quote it.",
        ),
        _ => (json!({}), ""),
    };
    described(form, says)
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn requirement() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["id"],
        "properties": of_keys(REQUIREMENT_KEYS, |key| match key {
            "strength" => json!({ "enum": Strength::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>() }),
            "vanished" => described(flag(), "It is no longer where it came from."),
            "source" => described(text(), "The file and line that it came from."),
            _ => text(),
        }),
    })
}

/// A list whose items are texts or maps.
fn lines(map: Value) -> Value {
    json!({ "type": ["array", "null"], "items": { "oneOf": [{ "type": "string", "minLength": 1 }, map] } })
}

fn constraint() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": of_keys(CONSTRAINT_KEYS, |key| match key {
            "check" => check(),
            "forbid_paths" => described(texts(), "Changes there are refused."),
            "forbid_tools" => described(texts(), "Calls of these tools are refused, under any of their names."),
            "max_files" => {
                described(json!({ "type": "integer", "minimum": 1, "maximum": MOST_FILES }), "So many files may be changed.")
            }
            "max_lines" => described(
                json!({ "type": "integer", "minimum": 1, "maximum": MOST_LINES }),
                "So many lines may be added and removed.",
            ),
            _ => text(),
        }),
    })
}

fn criterion() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text"],
        "properties": of_keys(CRITERION_KEYS, |key| if key == "check" { check() } else { text() }),
    })
}

fn check() -> Value {
    described(
        json!({
            "oneOf": [
                { "const": "human" },
                { "type": "object", "additionalProperties": false, "properties": of_keys(CHECK_KEYS, |_| text()) },
            ],
        }),
        "A command that must succeed, a file that must be there, or a person.",
    )
}
