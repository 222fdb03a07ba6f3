//! A drafted intent, or the scope that is asked for, as YAML that a human edits, and back. It is read like an intent of
//! the file, as strictly.

use std::fmt::Write as _;

use bailiwick_domain::{Diagnostic, Intent, IntentProposal, OwnedScope, ScopePattern};

use super::append::{checked, list, quoted};
use crate::files::yaml::{self, Value};
use crate::tree::intents::decode;

/// The file that complaints name.
const DRAFT: &str = "the draft";

/// What stands before the human's text, so that it reads as an intent of a file.
const BEFORE: &str = "active_intents:\n  - id: DRAFT\n    status: PENDING\n";
const INDENT: usize = 4;

/// What a draft may say.
const KEYS: &[&str] = &["name", "why", SCOPE, "acceptance_criteria"];
const SCOPE: &str = "owned_scope";

/// The draft as text for an editor.
pub fn proposal_text(proposal: &IntentProposal) -> String {
    let one = |text: &str| quoted(text).unwrap_or_else(|_| serde_json::Value::from(text).to_string());
    let mut body = format!("name: {}\n", one(&proposal.name));
    if let Some(why) = &proposal.why {
        let _ = writeln!(body, "why: {}", one(why));
    }
    body + &added_scope_text(&proposal.owned_scope)
        + &a_list("acceptance_criteria", &proposal.acceptance_criteria)
}

/// The patterns that are asked for as text for an editor.
pub fn added_scope_text(scope: &OwnedScope) -> String {
    let patterns: Vec<&str> = scope.patterns().iter().map(ScopePattern::as_str).collect();
    a_list(SCOPE, &patterns)
}

fn a_list(key: &str, items: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    let _ = list(&mut text, key, items);
    text.lines().map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
}

/// The draft that such a text says.
///
/// # Errors
/// The text is no draft, says something that drafts do not have, or its scope is not valid; with line and column of
/// the text.
pub fn read_proposal(text: &str) -> Result<IntentProposal, Diagnostic> {
    foreign_key(text, KEYS)?;
    let intent = read(BEFORE, text)?;
    let criteria = intent.acceptance_criteria().iter().map(|criterion| criterion.0.clone());
    Ok(IntentProposal {
        name: intent.name().to_owned(),
        why: intent.why().map(str::to_owned),
        owned_scope: intent.owned_scope().clone(),
        acceptance_criteria: criteria.collect(),
    })
}

/// The patterns that such a text adds.
///
/// # Errors
/// The text says something else than a scope, or one that is not valid; with line and column of the text.
pub fn read_added_scope(text: &str) -> Result<OwnedScope, Diagnostic> {
    foreign_key(text, &[SCOPE])?;
    let intent = read(&format!("{BEFORE}    name: DRAFT\n"), text)?;
    let scope = intent.owned_scope().clone();
    if scope.is_empty() {
        return Err(complaint(1, "adds nothing", "leave a pattern, or reject the request"));
    }
    Ok(scope)
}

/// The one intent that the text says behind what stands before it.
fn read(before: &str, text: &str) -> Result<Intent, Diagnostic> {
    let indented: String = text.lines().map(|line| format!("{:INDENT$}{line}\n", "")).collect();
    let lines = before.lines().count();
    let report =
        checked(decode(format!("{before}{indented}").as_bytes())).map_err(|found| moved(&found, lines))?;
    let mut intents = report.set.iter();
    match (intents.next(), intents.next()) {
        (Some(intent), None) => Ok(intent.clone()),
        _ => Err(complaint(1, "is not one intent", "keep the keys at the beginning of their lines")),
    }
}

/// Only what a draft may say is read; anything else would be lost in silence.
fn foreign_key(text: &str, keys: &[&str]) -> Result<(), Diagnostic> {
    let root = yaml::read(DRAFT, text.as_bytes()).map_err(|error| *error)?;
    let Some(Value::Map(entries)) = root.map(|root| root.value) else {
        let needed =
            if keys.contains(&"name") { "write `name:` and `owned_scope:`" } else { "write `owned_scope:`" };
        return Err(complaint(1, "is empty, or no map", needed));
    };
    match entries.iter().find(|entry| !keys.contains(&entry.key.as_str())) {
        None => Ok(()),
        Some(entry) => {
            let message = format!("`{}` is nothing that a draft says", yaml::shortened(&entry.key));
            let mut found = complaint(entry.at.line, "", format!("it says {}", keys.join(", ")));
            found.message = message;
            Err(found)
        }
    }
}

fn complaint(line: usize, message: &str, fix: impl Into<String>) -> Diagnostic {
    Diagnostic {
        file: DRAFT.into(),
        line,
        column: 1,
        message: message.into(),
        fix: fix.into(),
        way_out: None,
    }
}

/// The place in the human's text.
fn moved(found: &Diagnostic, lines_before: usize) -> Diagnostic {
    Diagnostic {
        file: DRAFT.into(),
        line: found.line.saturating_sub(lines_before).max(1),
        column: found.column.saturating_sub(INDENT).max(1),
        ..found.clone()
    }
}
