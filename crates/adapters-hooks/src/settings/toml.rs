//! Hooks in a TOML file: one `[[hooks]]` table for each, which names its event. Ours are put in, replaced and taken out as
//! text, and every other byte of the file stays. The parser says only where they stand.

use std::ops::Range;

use bailiwick_domain::{Map, Value};
use toml_edit::{Document, Item, Table};

use super::command::HookCommand;
use super::text::{InstallError, without_mark};
use super::{HookSettings, Installed, InstalledHook, Registered, Switches, Uninstalled, handler};

/// The member that names the event.
const EVENT: &str = "event";

const NO_TABLES: InstallError =
    InstallError::Unexpected { key: "hooks", expected: "a list of `[[hooks]]` tables" };

/// The file with the hooks in it.
pub(super) fn install(
    settings: &HookSettings,
    existing: Option<&str>,
    command: &HookCommand,
) -> Result<Installed, InstallError> {
    let (mark, text) = without_mark(existing.unwrap_or_default());
    let read = Read::of(settings, text)?;
    let mut missing: Vec<&Registered> = settings.events.iter().collect();
    let mut changes = Vec::new();
    for entry in read.ours {
        let event = missing.iter().position(|event| entry.is_for(event)).map(|place| missing.remove(place));
        match event.map(|event| wanted(settings, command, event)) {
            Some(wanted) if entry.says(&wanted) => {}
            Some(wanted) => changes.push((entry.at, table(settings, &wanted, end_of_line(text)))),
            None => changes.push((with_its_line(text, entry.at), String::new())),
        }
    }
    // A list that is written as an empty value takes no tables.
    let empty = read.empty.filter(|_| !missing.is_empty());
    changes.extend(empty.map(|at| (with_its_line(text, at), String::new())));
    let mut after = changed(text, changes);
    for event in missing {
        append(&mut after, &table(settings, &wanted(settings, command, event), end_of_line(text)));
    }
    Read::of(settings, &after)?;
    let text = format!("{mark}{after}");
    Ok(Installed { changed: existing != Some(text.as_str()), text })
}

/// The file without ours.
pub(super) fn uninstall(
    settings: &HookSettings,
    existing: &str,
    created_by_us: bool,
) -> Result<Uninstalled, InstallError> {
    let (mark, text) = without_mark(existing);
    let ours = Read::of(settings, text)?.ours;
    let is_changed = !ours.is_empty();
    let changes = ours.into_iter().map(|entry| (with_its_line(text, entry.at), String::new())).collect();
    let after = changed(text, changes);
    let nothing_left = is_changed && created_by_us && after.trim().is_empty();
    Ok(Uninstalled { text: (!nothing_left).then(|| format!("{mark}{after}")), changed: is_changed })
}

/// All hooks of ours in the file; none when the host cannot read it.
pub(super) fn installed(settings: &HookSettings, text: &str) -> Vec<InstalledHook> {
    let read = Read::of(settings, without_mark(text).1);
    let ours = read.map(|read| read.ours).unwrap_or_default();
    ours.iter().map(|entry| handler::read(settings, entry.event(), &entry.members)).collect()
}

/// The way to the switch with which a file turns all hooks off; none when the host cannot read it.
pub(super) fn switched_off(switches: Switches, text: &str) -> Option<&'static [&'static str]> {
    let file = Document::parse(without_mark(text).1).ok()?;
    let found = switches.iter().find(|(way, off)| {
        let at = way.iter().try_fold(file.as_item(), |at, key| at.get(*key));
        at.and_then(Item::as_bool) == Some(*off)
    });
    found.map(|(way, _)| *way)
}

/// What the parser found.
struct Read {
    ours: Vec<Entry>,
    /// Where the list stands as an empty value.
    empty: Option<Range<usize>>,
}

/// One table of ours.
struct Entry {
    /// From its header to its last value.
    at: Range<usize>,
    members: Value,
}

impl Entry {
    fn event(&self) -> &str {
        self.members.get(EVENT).and_then(Value::as_str).unwrap_or_default()
    }

    fn is_for(&self, event: &Registered) -> bool {
        self.event() == event.name
    }

    fn says(&self, wanted: &[(String, Value)]) -> bool {
        self.members == Value::Object(wanted.iter().cloned().collect())
    }
}

impl Read {
    fn of(settings: &HookSettings, text: &str) -> Result<Self, InstallError> {
        let file = Document::parse(text).map_err(|error| malformed(text, &error))?;
        let (ours, empty) = match file.as_table().get_key_value(settings.under) {
            None => (Vec::new(), None),
            Some((_, Item::ArrayOfTables(tables))) => {
                let entries = tables.iter().filter_map(|table| entry(settings, table).transpose());
                (entries.collect::<Result<Vec<_>, _>>()?, None)
            }
            Some((key, Item::Value(list))) if list.as_array().is_some_and(toml_edit::Array::is_empty) => {
                let whole = key.span().zip(list.span());
                (Vec::new(), Some(whole.map(|(key, list)| key.start..list.end).ok_or(NO_TABLES)?))
            }
            Some(_) => return Err(NO_TABLES),
        };
        Ok(Self { ours, empty })
    }
}

/// The table, when it is ours.
fn entry(settings: &HookSettings, table: &Table) -> Result<Option<Entry>, InstallError> {
    const PLAIN: InstallError =
        InstallError::Unexpected { key: "hooks[]", expected: "a table of plain values" };
    let members = table.iter().map(|(key, item)| (key.to_owned(), plain(item)));
    let members = Value::Object(members.collect::<Map<_, _>>());
    if !handler::is_ours(settings, &members) {
        return Ok(None);
    }
    let header = table.span().ok_or(PLAIN)?;
    let ends = table.iter().map(|(_, item)| item.as_value().and_then(toml_edit::Value::span));
    let ends: Vec<Range<usize>> = ends.collect::<Option<_>>().ok_or(PLAIN)?;
    let end = ends.iter().map(|value| value.end).max().unwrap_or(header.end);
    Ok(Some(Entry { at: header.start..end, members }))
}

/// A text or a number; nothing of ours is anything else.
fn plain(item: &Item) -> Value {
    let text = item.as_str().map(Value::from);
    text.or_else(|| item.as_integer().map(Value::from)).unwrap_or_default()
}

/// The members of the table for the event, in the order in which people write them.
fn wanted(settings: &HookSettings, command: &HookCommand, event: &Registered) -> Vec<(String, Value)> {
    let name = (EVENT.to_owned(), Value::from(event.name));
    std::iter::once(name).chain(handler::written(settings, command, event)).collect()
}

/// A table as text, without the end of its last line.
fn table(settings: &HookSettings, members: &[(String, Value)], end: &str) -> String {
    // A text of JSON is one of TOML.
    let lines = members.iter().map(|(key, value)| format!("{end}{key} = {value}"));
    format!("[[{}]]{}", settings.under, lines.collect::<String>())
}

/// Puts a table at the end, after an empty line.
fn append(text: &mut String, table: &str) {
    let end = end_of_line(text);
    let gap = match text.as_str() {
        "" => "",
        text if text.ends_with('\n') => end,
        _ => &end.repeat(2),
    };
    text.push_str(&format!("{gap}{table}{end}"));
}

/// The text with each place replaced.
fn changed(text: &str, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(at, _)| at.start);
    let mut after = text.to_owned();
    for (at, new) in changes.into_iter().rev() {
        after.replace_range(at, &new);
    }
    after
}

/// The place with the rest of its last line, and the empty line before.
fn with_its_line(text: &str, at: Range<usize>) -> Range<usize> {
    let end = end_of_line(text);
    let (before, after) = (text.get(..at.start).unwrap_or_default(), text.get(at.end..).unwrap_or_default());
    let before = before.trim_end_matches([' ', '\t']);
    let is_gap = before.strip_suffix(end).is_some_and(|line| line.is_empty() || line.ends_with(end));
    let start = before.len() - if is_gap { end.len() } else { 0 };
    start..after.find('\n').map_or(text.len(), |rest| at.end + rest + 1)
}

fn end_of_line(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn malformed(text: &str, error: &toml_edit::TomlError) -> InstallError {
    let before = error.span().and_then(|at| text.get(..at.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    InstallError::MalformedToml { line, why: error.message().to_owned() }
}
