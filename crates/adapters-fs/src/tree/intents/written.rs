//! One intent as it is written, with places, for what looks at the text itself. What cannot be read is left out here:
//! `fields` has complained about it.

use bailiwick_domain::{
    Check, IntentId, Placed, ScopePattern, Strength, WrittenIntent, WrittenLine, WrittenRequirement,
};

use crate::files::yaml::{Entry, Node, Value};

/// An item of the list; `None` where it has no usable id.
pub(super) fn read(node: &Node) -> Option<WrittenIntent> {
    let Value::Map(entries) = &node.value else { return None };
    let id = value(entries, "id").or_else(|| value(entries, "intent_id"))?;
    let source = value(entries, "source").map(entries_of).unwrap_or_default();
    let examples = value(entries, "examples").map(entries_of).unwrap_or_default();
    let paths = |key: &str| value(examples, key).map(texts).unwrap_or_default();
    Some(WrittenIntent {
        id: placed(id, IntentId::new(text(id)?).ok()?),
        scope: patterns(entries, "owned_scope"),
        proposed: patterns(entries, "proposed_scope"),
        priority: value(entries, "priority").and_then(text).map(str::to_owned),
        requirements: requirements(entries),
        questions: bare_texts(entries, "questions"),
        allow_broad: value(entries, "allow_broad").and_then(text).is_some_and(|word| word == "true"),
        constraints: lines(entries, "constraints"),
        criteria: lines(entries, "acceptance_criteria"),
        allow: paths("allow"),
        deny: paths("deny"),
        assumptions: bare_texts(entries, "assumptions"),
        notes: value(entries, "notes").and_then(text).map(str::to_owned),
        source: source
            .iter()
            .filter_map(|entry| Some((entry.key.clone(), text(&entry.node)?.to_owned())))
            .collect(),
    })
}

fn patterns(entries: &[Entry], key: &str) -> Vec<Placed<ScopePattern>> {
    let pattern = |text: Placed<String>| {
        let Placed { line, column, value } = text;
        Some(Placed { line, column, value: ScopePattern::new(&value).ok()? })
    };
    value(entries, key).map(texts).unwrap_or_default().into_iter().filter_map(pattern).collect()
}

fn bare_texts(entries: &[Entry], key: &str) -> Vec<String> {
    value(entries, key).map(texts).unwrap_or_default().into_iter().map(|text| text.value).collect()
}

/// The requirements; a plain id is one, too.
pub(super) fn requirements(entries: &[Entry]) -> Vec<Placed<WrittenRequirement>> {
    let Some(Value::List(items)) = value(entries, "requirements").map(|node| &node.value) else {
        return Vec::new();
    };
    items.iter().filter_map(|item| Some(placed(item, requirement(item)?))).collect()
}

fn requirement(item: &Node) -> Option<WrittenRequirement> {
    let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(id) = text(item) {
        return Some(WrittenRequirement { id: filled(id)?, ..WrittenRequirement::default() });
    }
    let entries = entries_of(item);
    let of = |key: &str| value(entries, key).and_then(text).and_then(filled);
    let strength = of("strength");
    Some(WrittenRequirement {
        id: of("id")?,
        text: of("text"),
        strength: Strength::WORDS
            .iter()
            .find(|(word, _)| strength.as_deref() == Some(word))
            .map(|found| found.1),
        source: of("source"),
        vanished: of("vanished").is_some_and(|word| word == "true"),
    })
}

fn value<'n>(entries: &'n [Entry], key: &str) -> Option<&'n Node> {
    entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node).filter(|node| !node.is_null())
}

fn entries_of(node: &Node) -> &[Entry] {
    match &node.value {
        Value::Map(entries) => entries,
        Value::List(_) | Value::Scalar(_) => &[],
    }
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) => Some(scalar.text.as_str()),
        Value::List(_) | Value::Map(_) => None,
    }
}

fn texts(node: &Node) -> Vec<Placed<String>> {
    let Value::List(items) = &node.value else { return Vec::new() };
    items.iter().filter_map(|item| Some(placed(item, text(item)?.to_owned()))).collect()
}

fn placed<T>(node: &Node, value: T) -> Placed<T> {
    Placed { line: node.at.line, column: node.at.column, value }
}

/// Constraints or criteria; a plain text is one, too.
fn lines(entries: &[Entry], key: &str) -> Vec<Placed<WrittenLine>> {
    let Some(Value::List(items)) = value(entries, key).map(|node| &node.value) else { return Vec::new() };
    items.iter().map(|item| placed(item, line(item))).collect()
}

fn line(item: &Node) -> WrittenLine {
    let entries = entries_of(item);
    let of = |key: &str| value(entries, key).and_then(text).map(str::to_owned);
    let enforced = ["forbid_paths", "forbid_tools", "max_files", "max_lines"];
    WrittenLine {
        id: of("id"),
        text: of("text").or_else(|| text(item).map(str::to_owned)),
        because: of("because"),
        checks: value(entries, "check").map(checks).unwrap_or_default(),
        is_enforced: enforced.iter().any(|key| value(entries, key).is_some()),
    }
}

fn checks(node: &Node) -> Vec<Check> {
    if text(node) == Some("human") {
        return vec![Check::Human];
    }
    let of = |entry: &Entry| match (entry.key.as_str(), text(&entry.node)?) {
        ("run", command) => Some(Check::Run(command.to_owned())),
        ("file", path) => Some(Check::File(path.to_owned())),
        ("human", _) => Some(Check::Human),
        _ => None,
    };
    entries_of(node).iter().filter_map(of).collect()
}
