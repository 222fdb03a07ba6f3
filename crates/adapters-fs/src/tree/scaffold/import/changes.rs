//! What changes in the text of one intent: single values in their place, new items at the end of their list, new keys
//! where the guide has them. What is written in another way than line by line is left to a person.

use std::ops::Range;

use bailiwick_domain::{IntentRecord, SourceRecord, WrittenLine, WrittenRequirement};

use super::item;
use crate::files::yaml::{Entry, Node, Value, offset, source};
use crate::tree::intents::KEYS;
use crate::tree::scaffold::append::{dash_before, quoted};

/// Changes of one text, none of which is made yet.
pub(super) struct Edits<'t> {
    text: &'t str,
    newline: &'static str,
    edits: Vec<(Range<usize>, String)>,
}

/// For each item of the list, the line after its last one.
pub(super) fn end_of_items(text: &str, items: &[Node]) -> Vec<usize> {
    let after_last = text.lines().count() + 1;
    let starts = items.iter().skip(1).map(|node| node.at.line).chain(std::iter::once(after_last));
    starts.map(|next| trimmed(text, next)).collect()
}

/// The line after the last one before `next` that says something.
fn trimmed(text: &str, next: usize) -> usize {
    let says = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines = text.lines().enumerate().take(next.saturating_sub(1));
    lines.filter(|(_, line)| says(line)).map(|(at, _)| at + 2).last().unwrap_or(1)
}

impl<'t> Edits<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Self { text, newline, edits: Vec::new() }
    }

    /// The text with all changes made; none of them touches another.
    pub(super) fn apply(mut self) -> Option<String> {
        self.edits.sort_by_key(|(at, _)| at.start);
        let touch = self.edits.windows(2).any(|pair| match pair {
            [(first, _), (second, _)] => first.end > second.start,
            _ => false,
        });
        if touch {
            return None;
        }
        let mut changed = self.text.to_owned();
        for (at, new) in self.edits.iter().rev() {
            changed.get(at.clone())?;
            changed.replace_range(at.clone(), new);
        }
        Some(changed)
    }

    /// Changes one intent, whose keys these are and which ends before that line.
    pub(super) fn change(
        &mut self,
        entries: &[Entry],
        end: usize,
        was: &IntentRecord,
        now: &IntentRecord,
    ) -> Option<()> {
        let name = if entries.iter().any(|entry| entry.key == "title") { "title" } else { "name" };
        let intent = Keys { entries, end };
        self.value(&intent, name, Some(&was.name), Some(&now.name))?;
        self.value(&intent, "status", Some(was.status.as_str()), Some(now.status.as_str()))?;
        let parent = |record: &IntentRecord| record.parent.as_ref().map(|id| id.as_str().to_owned());
        self.value(&intent, "parent", parent(was).as_deref(), parent(now).as_deref())?;
        self.value(&intent, "priority", was.priority.as_deref(), now.priority.as_deref())?;
        self.value(&intent, "why", was.why.as_deref(), now.why.as_deref())?;
        self.list(&intent, "requirements", (&was.requirements, &now.requirements), requirement_of, |one| {
            item::requirement(one).ok()
        })?;
        let plain = |text: &String| item::plain(text).ok();
        self.texts(&intent, "owned_scope", &was.owned_scope, &now.owned_scope)?;
        self.texts(&intent, "proposed_scope", &was.proposed_scope, &now.proposed_scope)?;
        self.list(&intent, "constraints", (&was.constraints, &now.constraints), line_of, |one| {
            item::said(one).ok()
        })?;
        self.list(&intent, "acceptance_criteria", (&was.criteria, &now.criteria), line_of, |one| {
            item::said(one).ok()
        })?;
        self.list(&intent, "assumptions", (&was.assumptions, &now.assumptions), |text| text_of(text), plain)?;
        self.texts(&intent, "questions", &was.questions, &now.questions)?;
        self.source(&intent, was.source.as_ref(), now.source.as_ref())
    }

    /// One value of a key, changed or added.
    fn value(&mut self, keys: &Keys<'_>, key: &str, was: Option<&str>, now: Option<&str>) -> Option<()> {
        if was == now {
            return Some(());
        }
        let new = quoted(now?).ok()?;
        match keys.entry(key) {
            Some(entry) => self.replace(&entry.node, &new),
            None => self.key(keys, key, &format!("{key}: {new}\n")),
        }
    }

    fn replace(&mut self, node: &Node, new: &str) -> Option<()> {
        let at = scalar(self.text, node)?;
        self.edits.push((at, new.to_owned()));
        Some(())
    }

    /// A list in which items change in their place or come at the end.
    fn list<T: PartialEq>(
        &mut self,
        keys: &Keys<'_>,
        key: &str,
        (was, now): (&[T], &[T]),
        entries: impl Fn(&T) -> Option<Written>,
        text: impl Fn(&T) -> Option<String>,
    ) -> Option<()> {
        if was == now {
            return Some(());
        }
        let nodes = keys.entry(key).map(|entry| &entry.node);
        let nodes = match nodes.map(|node| &node.value) {
            Some(Value::List(nodes)) => nodes.as_slice(),
            _ => &[],
        };
        if nodes.len() != was.len() || now.len() < was.len() {
            return None;
        }
        for ((node, was), now) in nodes.iter().zip(was).zip(now).filter(|((_, was), now)| was != now) {
            self.item(node, &entries(was)?, &entries(now)?)?;
        }
        let added: Option<String> = now.iter().skip(was.len()).map(text).collect();
        self.add(keys, key, &added?)
    }

    /// One item of a list: a text alone, or a map.
    fn item(
        &mut self,
        node: &Node,
        was: &[(&'static str, String)],
        now: &[(&'static str, String)],
    ) -> Option<()> {
        let Value::Map(entries) = &node.value else {
            return match now {
                [(_, text)] => self.replace(node, text),
                _ => None,
            };
        };
        let end = entries.iter().map(|entry| entry.node.at.line + 1).max()?;
        let keys = Keys { entries, end };
        for (key, new) in now.iter().filter(|entry| !was.contains(entry)) {
            match keys.entry(key) {
                Some(entry) => self.replace(&entry.node, new)?,
                None => self.below(&keys, &format!("{key}: {new}\n"))?,
            }
        }
        let left = was.iter().filter(|(key, _)| !now.iter().any(|(other, _)| other == key));
        for (key, _) in left {
            let entry = keys.entry(key)?;
            if *key != "vanished" {
                return None;
            }
            self.without(&keys, entry)?;
        }
        Some(())
    }

    /// Takes a mark away; where its line says more, it says `false`.
    fn without(&mut self, keys: &Keys<'_>, entry: &Entry) -> Option<()> {
        self.block(keys, entry, "").or_else(|| self.replace(&entry.node, "false"))
    }

    /// A list of texts: items at its end, or the whole of it where one goes.
    fn texts(&mut self, keys: &Keys<'_>, key: &str, was: &[String], now: &[String]) -> Option<()> {
        if was == now {
            return Some(());
        }
        if now.starts_with(was) {
            let added: Option<String> =
                now.iter().skip(was.len()).map(|text| item::plain(text).ok()).collect();
            return self.add(keys, key, &added?);
        }
        let entry = keys.entry(key)?;
        let Value::List(nodes) = &entry.node.value else { return None };
        let are_lines = nodes.iter().all(|node| scalar(self.text, node).is_some());
        if !are_lines || nodes.len() != was.len() {
            return None;
        }
        let items: Option<String> = now.iter().map(|text| item::plain(text).ok()).collect();
        let block =
            if now.is_empty() { String::new() } else { format!("{key}:\n{}", item::indented(&items?, 2)) };
        self.block(keys, entry, &block)
    }

    /// Items at the end of a list, which may not be there yet.
    fn add(&mut self, keys: &Keys<'_>, key: &str, items: &str) -> Option<()> {
        if items.is_empty() {
            return Some(());
        }
        let block = format!("{key}:\n{}", item::indented(items, 2));
        let Some(entry) = keys.entry(key) else { return self.key(keys, key, &block) };
        match &entry.node.value {
            Value::List(nodes) => match nodes.last() {
                Some(last) => {
                    let indent = dash_before(self.text, last.at)?;
                    let line = keys.end_of(self.text, entry)?;
                    self.insert(line, items, indent)
                }
                None => self.block(keys, entry, &block),
            },
            Value::Scalar(_) if entry.node.is_null() => self.block(keys, entry, &block),
            Value::Scalar(_) | Value::Map(_) => None,
        }
    }

    /// Another text for a key with its value, whole lines; nothing takes it away.
    fn block(&mut self, keys: &Keys<'_>, entry: &Entry, block: &str) -> Option<()> {
        let indent = keys.indent(self.text)?;
        let from = offset(self.text, crate::files::yaml::Mark { line: entry.at.line, column: 1 })?;
        let before = self.text.get(from..offset(self.text, entry.at)?)?;
        if !before.trim().is_empty() {
            return None;
        }
        let comment = self.text.get(from..)?.lines().next()?.contains('#');
        let to = start_of(self.text, keys.end_of(self.text, entry)?);
        let tail = self.text.get(from..to)?;
        if comment || tail.lines().any(|line| line.trim_start().starts_with('#')) {
            return None;
        }
        let new = item::indented(block, indent).replace('\n', self.newline);
        self.edits.push((from..to, new));
        Some(())
    }

    /// A new key with its value, behind those that the guide has before it.
    fn key(&mut self, keys: &Keys<'_>, key: &str, block: &str) -> Option<()> {
        let rank = |key: &str| KEYS.iter().position(|known| *known == key).unwrap_or(0);
        let before = keys.entries.iter().filter(|entry| rank(&entry.key) < rank(key));
        let entry = before.max_by_key(|entry| entry.at.line)?;
        let (line, indent) = (keys.end_of(self.text, entry)?, keys.indent(self.text)?);
        self.insert(line, block, indent)
    }

    /// Lines at the end of a map.
    fn below(&mut self, keys: &Keys<'_>, block: &str) -> Option<()> {
        let last = keys.entries.last()?;
        let (line, indent) = (keys.end_of(self.text, last)?, keys.indent(self.text)?);
        self.insert(line, block, indent)
    }

    fn insert(&mut self, line: usize, block: &str, indent: usize) -> Option<()> {
        let at = start_of(self.text, line);
        let mut new = item::indented(block, indent).replace('\n', self.newline);
        let is_open = at == self.text.len() && !self.text.ends_with('\n');
        if is_open && !self.edits.iter().any(|(other, _)| other.start == at) {
            new = format!("{}{new}", self.newline);
        }
        self.edits.push((at..at, new));
        Some(())
    }

    fn source(
        &mut self,
        keys: &Keys<'_>,
        was: Option<&SourceRecord>,
        now: Option<&SourceRecord>,
    ) -> Option<()> {
        let (Some(was), Some(now)) = (was, now) else { return (was == now).then_some(()) };
        if was == now {
            return Some(());
        }
        let entry = keys.entry("source")?;
        let Value::Map(entries) = &entry.node.value else { return None };
        let own = Keys { entries, end: keys.end_of(self.text, entry)? };
        let (was, now) = (item::source_entries(was).ok()?, item::source_entries(now).ok()?);
        for (key, new) in now.iter().filter(|entry| !was.contains(entry)) {
            match own.entry(key) {
                Some(entry) => self.replace(&entry.node, new)?,
                None => self.below(&own, &format!("{key}: {new}\n"))?,
            }
        }
        let vanished = |entries: &[(&str, String)]| entries.iter().any(|(key, _)| *key == "vanished");
        if vanished(&was) && !vanished(&now) {
            self.without(&own, own.entry("vanished")?)?;
        }
        Some(())
    }
}

/// The keys of an item and how each is written.
type Written = Vec<(&'static str, String)>;

fn requirement_of(one: &WrittenRequirement) -> Option<Written> {
    item::requirement_entries(one).ok()
}

fn line_of(one: &WrittenLine) -> Option<Written> {
    item::line_entries(one).ok()
}

fn text_of(text: &str) -> Option<Written> {
    Some(vec![("text", quoted(text).ok()?)])
}

/// The keys of a map, which ends before that line.
struct Keys<'n> {
    entries: &'n [Entry],
    end: usize,
}

impl Keys<'_> {
    fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The line after a key's value; `None` where keys share lines.
    fn end_of(&self, text: &str, entry: &Entry) -> Option<usize> {
        let next = self.entries.iter().map(|other| other.at.line).filter(|line| *line > entry.at.line).min();
        let alone = self.entries.iter().filter(|other| other.at.line == entry.at.line).count() == 1;
        let is_inline =
            text.lines().nth(entry.at.line.checked_sub(1)?)?.trim_start_matches(['-', ' ']).starts_with('{');
        (alone && !is_inline).then(|| trimmed(text, next.unwrap_or(self.end)).max(entry.at.line + 1))
    }

    /// The blanks before each key.
    fn indent(&self, text: &str) -> Option<usize> {
        let first = self.entries.first()?;
        let line = text.trim_start_matches('\u{feff}').lines().nth(first.at.line.checked_sub(1)?)?;
        let before: String = line.chars().take(first.at.column.checked_sub(1)?).collect();
        before.chars().all(|c| matches!(c, ' ' | '-')).then(|| before.chars().count())
    }
}

/// Where a line begins; the end of the text where there is no such line.
fn start_of(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum()
}

/// Where a scalar of one line stands in the text, its quotes included.
fn scalar(text: &str, node: &Node) -> Option<Range<usize>> {
    if let Some(at) = source(text, node) {
        return Some(at);
    }
    let Value::Scalar(scalar) = &node.value else { return None };
    let start = offset(text, node.at)?;
    let line = text.get(start..)?.lines().next()?;
    if scalar.plain || !line.starts_with('"') {
        return None;
    }
    let mut escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(start..start + at + 1),
            _ => {}
        }
    }
    None
}
