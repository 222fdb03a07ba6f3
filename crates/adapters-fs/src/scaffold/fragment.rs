//! A drafted intent as YAML that a human edits, and back. It is read like an intent of the file, as strictly.

use std::fmt::Write as _;

use bailiwick_domain::{Diagnostic, IntentProposal, ScopePattern};

use super::append::{checked, list, quoted};
use crate::intents::decode;
use crate::yaml::{self, Value};

/// The file that complaints name.
const DRAFT: &str = "the draft";

/// What stands before the human's text, so that it reads as an intent of a file.
const BEFORE: &str = "active_intents:\n  - id: DRAFT\n    status: PENDING\n";
const INDENT: usize = 4;
const LINES_BEFORE: usize = 3;

/// What a draft may say.
const KEYS: [&str; 4] = ["name", "why", "owned_scope", "acceptance_criteria"];

/// The draft as text for an editor.
pub fn proposal_text(proposal: &IntentProposal) -> String {
    let one = |text: &str| quoted(text).unwrap_or_else(|_| serde_json::Value::from(text).to_string());
    let mut body = format!("name: {}\n", one(&proposal.name));
    if let Some(why) = &proposal.why {
        let _ = writeln!(body, "why: {}", one(why));
    }
    let scope: Vec<&str> = proposal.owned_scope.patterns().iter().map(ScopePattern::as_str).collect();
    let mut lists = String::new();
    let _ = list(&mut lists, "owned_scope", &scope);
    let _ = list(&mut lists, "acceptance_criteria", &proposal.acceptance_criteria);
    body + &lists
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
        .collect::<String>()
}

/// The draft that such a text says.
///
/// # Errors
/// The text is no draft, says something that drafts do not have, or its scope is not valid; with line and column of
/// the text.
pub fn read_proposal(text: &str) -> Result<IntentProposal, Diagnostic> {
    foreign_key(text)?;
    let indented: String = text.lines().map(|line| format!("{:INDENT$}{line}\n", "")).collect();
    let report = checked(decode(format!("{BEFORE}{indented}").as_bytes())).map_err(|found| moved(&found))?;
    let mut intents = report.set.iter();
    match (intents.next(), intents.next()) {
        (Some(intent), None) => Ok(IntentProposal {
            name: intent.name().to_owned(),
            why: intent.why().map(str::to_owned),
            owned_scope: intent.owned_scope().clone(),
            acceptance_criteria: intent
                .acceptance_criteria()
                .iter()
                .map(|criterion| criterion.0.clone())
                .collect(),
        }),
        _ => Err(complaint(1, "is not one intent", "keep the keys at the beginning of their lines")),
    }
}

/// Only what a draft may say is read; anything else would be lost in silence.
fn foreign_key(text: &str) -> Result<(), Diagnostic> {
    let root = yaml::read(DRAFT, text.as_bytes()).map_err(|error| *error)?;
    let Some(Value::Map(entries)) = root.map(|root| root.value) else {
        return Err(complaint(1, "is empty, or no map", "write `name:` and `owned_scope:`"));
    };
    match entries.iter().find(|entry| !KEYS.contains(&entry.key.as_str())) {
        None => Ok(()),
        Some(entry) => {
            let message = format!("`{}` is nothing that a draft says", yaml::shortened(&entry.key));
            let mut found = complaint(entry.at.line, "", format!("it says {}", KEYS.join(", ")));
            found.message = message;
            Err(found)
        }
    }
}

fn complaint(line: usize, message: &str, fix: impl Into<String>) -> Diagnostic {
    Diagnostic { file: DRAFT.into(), line, column: 1, message: message.into(), fix: fix.into() }
}

/// The place in the human's text.
fn moved(found: &Diagnostic) -> Diagnostic {
    Diagnostic {
        file: DRAFT.into(),
        line: found.line.saturating_sub(LINES_BEFORE).max(1),
        column: found.column.saturating_sub(INDENT).max(1),
        ..found.clone()
    }
}
