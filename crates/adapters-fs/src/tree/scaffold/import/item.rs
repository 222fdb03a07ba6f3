//! A new intent as text, in the order of the guide, and the parts of it that a change adds.

use std::fmt::Write as _;

use bailiwick_domain::{IntentKind, IntentRecord, SourceRecord, WrittenLine, WrittenRequirement};

use super::super::append::quoted;

type Text = Result<String, serde_yaml::Error>;

/// The intent as an item of the list, with its dash at the beginning of the line.
pub(super) fn text(record: &IntentRecord) -> Text {
    let mut item = format!("- id: {}\n  name: {}\n", quoted(record.id.as_str())?, quoted(&record.name)?);
    let words = IntentKind::WORDS;
    let kind = words.iter().find(|(_, kind)| record.kind == Some(*kind)).map(|(word, _)| *word);
    kind.into_iter().for_each(|word| line(&mut item, "kind", word));
    line(&mut item, "status", record.status.as_str());
    for (key, value) in [
        ("parent", record.parent.as_ref().map(bailiwick_domain::IntentId::as_str)),
        ("priority", record.priority.as_deref()),
        ("why", record.why.as_deref()),
    ] {
        if let Some(value) = value {
            line(&mut item, key, &quoted(value)?);
        }
    }
    list(&mut item, "requirements", &record.requirements, requirement)?;
    match (record.owned_scope.is_empty(), record.kind) {
        (true, Some(IntentKind::Goal)) => {}
        (true, _) => line(&mut item, "owned_scope", "[]"),
        (false, _) => list(&mut item, "owned_scope", &record.owned_scope, |text| plain(text))?,
    }
    list(&mut item, "proposed_scope", &record.proposed_scope, |text| plain(text))?;
    list(&mut item, "constraints", &record.constraints, said)?;
    list(&mut item, "acceptance_criteria", &record.criteria, said)?;
    list(&mut item, "assumptions", &record.assumptions, |text| plain(text))?;
    list(&mut item, "questions", &record.questions, |text| plain(text))?;
    if let Some(source) = &record.source {
        item.push_str("  source:\n");
        for (key, value) in source_entries(source)? {
            let _ = writeln!(item, "    {key}: {value}");
        }
    }
    Ok(item)
}

fn line(item: &mut String, key: &str, value: &str) {
    let _ = writeln!(item, "  {key}: {value}");
}

fn list<T>(
    item: &mut String,
    key: &str,
    things: &[T],
    of: impl Fn(&T) -> Text,
) -> Result<(), serde_yaml::Error> {
    if things.is_empty() {
        return Ok(());
    }
    let _ = writeln!(item, "  {key}:");
    for thing in things {
        item.push_str(&indented(&of(thing)?, 4));
    }
    Ok(())
}

/// Each line behind so many blanks.
pub(super) fn indented(text: &str, indent: usize) -> String {
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{:indent$}{line}", "");
        out
    })
}

/// A text as an item.
pub(super) fn plain(text: &str) -> Text {
    Ok(format!("- {}\n", quoted(text)?))
}

/// A requirement as an item: a map where it says something.
pub(super) fn requirement(requirement: &WrittenRequirement) -> Text {
    let entries = requirement_entries(requirement)?;
    match entries.as_slice() {
        [(_, id)] => Ok(format!("- {id}\n")),
        entries => Ok(map(entries)),
    }
}

pub(super) fn requirement_entries(
    requirement: &WrittenRequirement,
) -> Result<Vec<(&'static str, String)>, serde_yaml::Error> {
    let mut entries = vec![("id", quoted(&requirement.id)?)];
    if let Some(text) = &requirement.text {
        entries.push(("text", quoted(text)?));
    }
    entries.extend(requirement.strength.map(|strength| ("strength", strength.as_str().to_owned())));
    if let Some(source) = &requirement.source {
        entries.push(("source", quoted(source)?));
    }
    if requirement.vanished {
        entries.push(("vanished", "true".to_owned()));
    }
    Ok(entries)
}

/// A constraint or a criterion as an item: a map where it is more than a text.
pub(super) fn said(said: &WrittenLine) -> Text {
    let entries = line_entries(said)?;
    match entries.as_slice() {
        [("text", text)] => Ok(format!("- {text}\n")),
        entries => Ok(map(entries)),
    }
}

pub(super) fn line_entries(said: &WrittenLine) -> Result<Vec<(&'static str, String)>, serde_yaml::Error> {
    let parts = [("id", &said.id), ("text", &said.text), ("because", &said.because)];
    let there = parts.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
    there.map(|(key, value)| Ok((key, quoted(value)?))).collect()
}

pub(super) fn source_entries(
    source: &SourceRecord,
) -> Result<Vec<(&'static str, String)>, serde_yaml::Error> {
    let mut entries = vec![("tool", quoted(&source.tool)?), ("path", quoted(&source.path)?)];
    let as_text = |text: &str| serde_json::Value::from(text).to_string();
    if let Some(item) = &source.item {
        entries.push(("item", quoted(item)?));
    }
    entries.extend(source.lines.as_deref().map(|lines| ("lines", as_text(lines))));
    entries.extend(source.sha256.as_deref().map(|hash| ("sha256", as_text(hash))));
    if !source.seen.is_empty() {
        entries.push(("seen", as_text(&source.seen.join(" "))));
    }
    if source.vanished {
        entries.push(("vanished", "true".to_owned()));
    }
    Ok(entries)
}

fn map(entries: &[(&'static str, String)]) -> String {
    let mut out = String::new();
    for (index, (key, value)) in entries.iter().enumerate() {
        let _ = writeln!(out, "{} {key}: {value}", if index == 0 { "-" } else { " " });
    }
    out
}
