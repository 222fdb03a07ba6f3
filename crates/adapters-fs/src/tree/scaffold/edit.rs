//! Changes one key of one intent as text: comments, order and spelling of everything else stay. A change counts only
//! when the result, read back, says exactly what was meant and nothing else.

use bailiwick_domain::{
    Intent, IntentDraft, IntentEditError, IntentId, IntentSet, IntentStatus, OwnedScope, PortError,
    ScopePattern,
};

use super::append::{checked, count, dash_before};
use crate::files::Layout;
use crate::files::yaml::{self, Entry, Node, Value, offset, replaced, source};
use crate::tree::intents::{decode, draft_of};

/// The file with another status of one intent.
pub(super) fn with_status(
    bytes: &[u8],
    id: &IntentId,
    status: IntentStatus,
) -> Result<String, IntentEditError> {
    edited(
        bytes,
        id,
        |draft| draft.status = status,
        |text, item| {
            let entry = entry(item, &["status"])?;
            let at = source(text, &entry.node)?;
            Some(replaced(text, at, status.as_str()))
        },
    )
}

/// The file with more patterns in the owned scope of one intent.
pub(super) fn with_patterns(
    bytes: &[u8],
    id: &IntentId,
    patterns: &[ScopePattern],
) -> Result<String, IntentEditError> {
    refuse_goal(bytes, id)?;
    edited(
        bytes,
        id,
        |draft| {
            let all = draft.owned_scope.patterns().iter().chain(patterns).cloned().collect();
            draft.owned_scope = OwnedScope::new(all, true).unwrap_or_default();
        },
        |text, item| {
            let entry = entry(item, &["owned_scope"])?;
            match &entry.node.value {
                Value::List(items) => match items.last() {
                    Some(last) if dash_before(text, last.at).is_some() => below(text, last, patterns),
                    Some(last) => {
                        let end = source(text, last)?.end;
                        Some(replaced(text, end..end, &format!(", {}", quoted(patterns))))
                    }
                    None => {
                        let open = text.get(offset(text, entry.node.at)?..)?.starts_with('[');
                        let at = offset(text, entry.node.at)? + 1;
                        open.then(|| replaced(text, at..at, &quoted(patterns)))
                    }
                },
                Value::Scalar(_) | Value::Map(_) => None,
            }
        },
    )
}

/// An intent that says nothing of a scope is a goal: its children hold what is changed.
fn refuse_goal(bytes: &[u8], id: &IntentId) -> Result<(), IntentEditError> {
    let root = yaml::read(Layout::INTENTS, bytes).map_err(|error| PortError::Invalid(*error))?;
    let is_goal = root
        .as_ref()
        .and_then(|root| item(root, id))
        .is_some_and(|item| entry(item, &["owned_scope"]).is_none());
    if !is_goal {
        return Ok(());
    }
    let set = decode(bytes).set;
    let children = set.iter().filter(|intent| intent.parent() == Some(id));
    let children: Vec<&str> = children.map(|intent| intent.id().as_str()).collect();
    let instead = match children.as_slice() {
        [] => "it has no child yet that could have a scope".to_owned(),
        children => format!("expand one of its children: {}", children.join(", ")),
    };
    Err(IntentEditError::Refused(format!(
        "{id} is a goal, and nothing is changed under it itself; {instead}"
    )))
}

/// Makes a change of the text and proves that it is the change that was meant.
fn edited(
    bytes: &[u8],
    id: &IntentId,
    mean: impl Fn(&mut IntentDraft),
    change: impl Fn(&str, &[Entry]) -> Option<String>,
) -> Result<String, IntentEditError> {
    let before = checked(decode(bytes)).map_err(PortError::Invalid)?.set;
    if before.get(id).is_none() {
        return Err(IntentEditError::Refused(format!("there is no intent `{id}`")));
    }
    let by_hand = || {
        let message = format!(
            "{}: `{id}` is written in a way that cannot be changed safely; change it by hand",
            Layout::INTENTS
        );
        IntentEditError::Refused(message)
    };
    let text = std::str::from_utf8(bytes).map_err(|_| by_hand())?;
    let root = yaml::read(Layout::INTENTS, bytes).map_err(|error| PortError::Invalid(*error))?;
    let item = root.as_ref().and_then(|root| item(root, id)).ok_or_else(by_hand)?;
    let changed = change(text, item).ok_or_else(by_hand)?;
    let after = checked(decode(changed.as_bytes())).map_err(|_| by_hand())?.set;
    let agreed = serde_yaml::from_str::<serde_yaml::Value>(&changed)
        .is_ok_and(|value| count(&value) == Some(before.len()));
    if agreed && is_meant(&before, &after, id, mean) { Ok(changed) } else { Err(by_hand()) }
}

/// Whether the named intent is changed as meant and every other is as it was.
fn is_meant(before: &IntentSet, after: &IntentSet, id: &IntentId, mean: impl Fn(&mut IntentDraft)) -> bool {
    let expected = before.iter().map(|intent| {
        let mut draft = draft_of(intent);
        if intent.id() == id {
            mean(&mut draft);
        }
        Intent::new(draft).ok()
    });
    expected.eq(after.iter().cloned().map(Some))
}

/// The keys of the intent with that id.
fn item<'n>(root: &'n Node, id: &IntentId) -> Option<&'n [Entry]> {
    let items = match &root.value {
        Value::List(items) => items,
        Value::Map(entries) => match &entries.first()?.node.value {
            Value::List(items) => items,
            _ => return None,
        },
        Value::Scalar(_) => return None,
    };
    items.iter().find_map(|node| {
        let Value::Map(entries) = &node.value else { return None };
        let Value::Scalar(named) = &entry(entries, &["id", "intent_id"])?.node.value else { return None };
        (named.text == id.as_str()).then_some(entries.as_slice())
    })
}

fn entry<'n>(entries: &'n [Entry], keys: &[&str]) -> Option<&'n Entry> {
    entries.iter().find(|entry| keys.contains(&entry.key.as_str()))
}

/// Adds items below the last one of a list with dashes, at its indentation.
fn below(text: &str, last: &Node, patterns: &[ScopePattern]) -> Option<String> {
    let indent = dash_before(text, last.at)?;
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let end = source(text, last)?.end;
    let rest = text.get(end..)?;
    let (at, missing) = match rest.find('\n') {
        Some(newline) => (end + newline + 1, ""),
        None => (text.len(), newline),
    };
    let items: String = patterns
        .iter()
        .map(|pattern| format!("{:indent$}- {}{newline}", "", quoted(std::slice::from_ref(pattern))))
        .collect();
    Some(replaced(text, at..at, &format!("{missing}{items}")))
}

/// Patterns in quotes, with commas; JSON's quotes are YAML's.
fn quoted(patterns: &[ScopePattern]) -> String {
    let one = |pattern: &ScopePattern| serde_json::Value::from(pattern.as_str()).to_string();
    patterns.iter().map(one).collect::<Vec<_>>().join(", ")
}
