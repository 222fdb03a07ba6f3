//! Changes values of `config.yaml` as text: comments, order and spelling of everything else stay. A change counts only
//! when the result, read back, says exactly what was meant and nothing else.

use bailiwick_domain::{Diagnostic, PortError};
use serde_yaml::{Mapping, Value};

use super::decode;
use crate::files::Layout;
use crate::files::yaml::{self, Entry, Mark, Node, offset, replaced, source};

/// The settings file with these values; `text` is what it holds now. A key is `section.name`, a value one word of YAML.
/// What the file says already stays as it is written.
///
/// # Errors
/// The file is not valid, or is written in a way that cannot be changed safely.
pub fn config_with(text: &str, values: &[(&str, &str)]) -> Result<String, PortError> {
    if let Some(error) = decode(text.as_bytes()).errors.into_iter().next() {
        return Err(PortError::Invalid(error));
    }
    values.iter().try_fold(text.to_owned(), |text, (key, value)| with_value(&text, key, value))
}

/// The word that the settings file has for a key, when it has one.
pub fn config_word(text: &str, key: &str) -> Option<String> {
    let root = yaml::read(Layout::CONFIG, text.as_bytes()).ok()??;
    let (section, name) = key.split_once('.')?;
    match &entry(&entry(&root, section)?.node, name)?.node.value {
        yaml::Value::Scalar(scalar) => Some(scalar.text.clone()),
        yaml::Value::Map(_) | yaml::Value::List(_) => None,
    }
}

fn with_value(text: &str, key: &str, value: &str) -> Result<String, PortError> {
    let by_hand = || {
        PortError::Invalid(Diagnostic {
            file: Layout::CONFIG.into(),
            line: 0,
            column: 0,
            message: "the file is written in a way that cannot be changed safely".into(),
            fix: format!("write `{key}: {value}` into it by hand"),
            way_out: None,
        })
    };
    let (section, name) = key.split_once('.').ok_or_else(by_hand)?;
    let (before, wanted) = meanings(text, section, name, value).ok_or_else(by_hand)?;
    if before == wanted {
        return Ok(text.to_owned());
    }
    let root = yaml::read(Layout::CONFIG, text.as_bytes()).map_err(|error| PortError::Invalid(*error))?;
    let changed = match root.as_ref().and_then(|root| entry(root, section)) {
        None => Some(appended(text, section, name, value)),
        Some(found) => match entry(&found.node, name) {
            Some(known) => source(text, &known.node).map(|at| replaced(text, at, value)),
            None => inserted(text, found, name, value),
        },
    };
    let changed = changed.ok_or_else(by_hand)?;
    let says = |text: &str| serde_yaml::from_str::<Value>(text).ok();
    let is_meant = says(&changed).as_ref() == Some(&wanted) && decode(changed.as_bytes()).errors.is_empty();
    if is_meant { Ok(changed) } else { Err(by_hand()) }
}

/// What the file says, and what it shall say.
fn meanings(text: &str, section: &str, name: &str, value: &str) -> Option<(Value, Value)> {
    let before: Value = serde_yaml::from_str(text).ok()?;
    let mut wanted = before.clone();
    if wanted.is_null() {
        wanted = Value::Mapping(Mapping::new());
    }
    let sections = wanted.as_mapping_mut()?;
    let names = sections.entry(section.into()).or_insert_with(|| Value::Mapping(Mapping::new()));
    names.as_mapping_mut()?.insert(name.into(), serde_yaml::from_str(value).ok()?);
    Some((before, wanted))
}

fn entry<'n>(node: &'n Node, key: &str) -> Option<&'n Entry> {
    match &node.value {
        yaml::Value::Map(entries) => entries.iter().find(|entry| entry.key == key),
        yaml::Value::Scalar(_) | yaml::Value::List(_) => None,
    }
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A section that is not there yet, at the end.
fn appended(text: &str, section: &str, name: &str, value: &str) -> String {
    let line = newline(text);
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { line };
    format!("{text}{gap}{line}{section}:{line}  {name}: {value}{line}")
}

/// One more key of a section: in a line of its own before the first one, or within the braces.
fn inserted(text: &str, section: &Entry, name: &str, value: &str) -> Option<String> {
    let yaml::Value::Map(entries) = &section.node.value else { return None };
    let first = entries.first();
    if let Some(first) = first.filter(|first| first.at.line > section.at.line) {
        let at = offset(text, Mark { line: first.at.line, column: 1 })?;
        let indent = " ".repeat(first.at.column.checked_sub(1)?);
        return Some(replaced(text, at..at, &format!("{indent}{name}: {value}{}", newline(text))));
    }
    let open = offset(text, section.node.at)?;
    let comma = if first.is_some() { ", " } else { "" };
    text.get(open..)?
        .starts_with('{')
        .then(|| replaced(text, open + 1..open + 1, &format!("{name}: {value}{comma}")))
}
