//! The picture as Mermaid text. Whatever stands in a name, it is a label there and nothing else.
//!
//! Viewers refuse a picture of more than 500 links or 50,000 characters, so it stays below both.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::beyond::Unowned;
use super::{Link, Picture};
use crate::evidence::MapChange;
use crate::inert;

/// So many links are drawn.
const MOST_LINKS: usize = 400;
/// So many bytes are drawn.
const MOST_BYTES: usize = 44_000;
/// So many files that changed without a record are drawn.
const MOST_DRIFT: usize = 50;
/// So many groups of files that nobody owns are drawn.
const MOST_GROUPS: usize = 20;
/// So many characters of a name are shown.
const LABEL: usize = 80;

/// What is drawn.
pub(super) struct Drawn {
    pub(super) text: String,
    pub(super) left_out: usize,
}

/// A thing in the picture, as its kind and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Intent(String),
    Requirement(String),
    Scope(String),
    File(String),
    Symbol(String, String),
}

/// The text so far, and the short names of the things in it.
#[derive(Default)]
struct Text {
    nodes: String,
    links: String,
    names: BTreeMap<Thing, String>,
    drawn: usize,
}

pub(super) fn drawn(picture: &Picture<'_>, symbols: bool) -> Drawn {
    let intents: BTreeMap<&str, (String, bool)> = picture.intents.iter().map(label).collect();
    let mut text = Text::default();
    let (mut left_out, mut drifted) = (0, 0);
    for link in &picture.links {
        drifted += usize::from(matches!(link, Link::Drifted { .. }));
        let is_too_much = drifted > MOST_DRIFT && matches!(link, Link::Drifted { .. });
        for (from, arrow, to) in arrows(link, symbols) {
            if is_too_much || text.drawn >= MOST_LINKS || text.nodes.len() + text.links.len() >= MOST_BYTES {
                left_out += 1;
                continue;
            }
            let from = text.name(&from, picture, &intents);
            let to = text.name(&to, picture, &intents);
            let _ = writeln!(text.links, "  {from} {arrow} {to}");
            text.drawn += 1;
        }
    }
    for node in &picture.intents {
        if text.nodes.len() + text.links.len() < MOST_BYTES {
            text.name(&Thing::Intent(node.id.to_string()), picture, &intents);
        }
    }
    let mut whole = format!("flowchart LR\n{}{}", text.nodes, text.links);
    picture.unowned.iter().for_each(|unowned| frame(&mut whole, unowned));
    whole.push_str("  classDef open stroke-dasharray: 4 4\n  classDef past stroke-width: 1px\n");
    if drifted > 0 {
        whole.push_str("  classDef drift stroke-width: 4px\n");
    }
    if left_out > 0 {
        let _ = writeln!(whole, "  %% {left_out} links are left out");
    }
    Drawn { text: whole, left_out }
}

/// The frame around what nobody owns.
fn frame(whole: &mut String, unowned: &Unowned) {
    if unowned.groups.is_empty() {
        return;
    }
    whole.push_str("  subgraph nobody[\"owned by no open intent\"]\n");
    for (nth, group) in unowned.groups.iter().take(MOST_GROUPS).enumerate() {
        let _ = writeln!(whole, "    u{nth}[\"{}\"]:::open", quoted(&group.label()));
    }
    let more = (unowned.groups.len() + unowned.left_out).saturating_sub(MOST_GROUPS);
    if more > 0 {
        let _ = writeln!(whole, "    u{MOST_GROUPS}[\"{more} more\"]:::open");
    }
    whole.push_str("  end\n");
}

/// The label of an intent, and whether it is over.
fn label(node: &super::Node) -> (&str, (String, bool)) {
    let said = match (&node.name, node.status) {
        (Some(name), Some(status)) => format!("{} {name} ({})", node.id, status.as_str()),
        _ => format!("{} (not in the intents file any more)", node.id),
    };
    (node.id.as_str(), (said, !node.status.is_some_and(|status| status.is_selectable())))
}

/// The arrows that a link is drawn as.
fn arrows(link: &Link<'_>, symbols: bool) -> Vec<(Thing, &'static str, Thing)> {
    let intent = |id: &bailiwick_domain::IntentId| Thing::Intent(id.to_string());
    let one = match link {
        Link::Serves { intent: id, requirement } => {
            (intent(id), "-->|serves|", Thing::Requirement(requirement.clone()))
        }
        Link::PartOf { child, parent } => (intent(child), "-->|part of|", intent(parent)),
        Link::Owns { intent: id, pattern } => (intent(id), "-.->|owns|", Thing::Scope(pattern.clone())),
        Link::Overlaps { one, other, .. } => (intent(one), "-.-|overlaps|", intent(other)),
        Link::Drifted { intent: id, file, .. } => {
            (intent(id), "-.->|drifted|", Thing::File(file.to_string()))
        }
        Link::Changed { change: MapChange { intent: id, file, symbols: named, .. }, .. } => {
            let place = Thing::File(file.to_string());
            if symbols && !named.is_empty() {
                let symbol = |name: &String| {
                    (intent(id), "-->|changed|", Thing::Symbol(file.to_string(), name.clone()))
                };
                return named.iter().map(symbol).collect();
            }
            (intent(id), "-->|changed|", place)
        }
    };
    Vec::from([one])
}

impl Text {
    /// The short name of a thing, which is drawn when it comes up for the first time.
    fn name(
        &mut self,
        thing: &Thing,
        picture: &Picture<'_>,
        intents: &BTreeMap<&str, (String, bool)>,
    ) -> String {
        if let Some(name) = self.names.get(thing) {
            return name.clone();
        }
        let nth = self.names.len();
        let (name, drawn) = match thing {
            Thing::Intent(id) => {
                let fallback = (id.clone(), true);
                let (said, is_past) = intents.get(id.as_str()).unwrap_or(&fallback);
                let class = if *is_past { ":::past" } else { "" };
                (format!("i{nth}"), format!("[\"{}\"]{class}", quoted(said)))
            }
            Thing::Requirement(id) => {
                let is_open = picture.requirements.get(id) == Some(&false);
                let class = if is_open { ":::open" } else { "" };
                (format!("r{nth}"), format!("([\"{}\"]){class}", quoted(id)))
            }
            Thing::Scope(pattern) => (format!("s{nth}"), format!("[\"{}\"]:::open", quoted(pattern))),
            Thing::File(path) => {
                let has_drifted =
                    |link: &Link<'_>| matches!(link, Link::Drifted { file, .. } if file.as_str() == path);
                let class = if picture.links.iter().any(has_drifted) { ":::drift" } else { "" };
                (format!("f{nth}"), format!("[[\"{}\"]]{class}", quoted(path)))
            }
            Thing::Symbol(file, symbol) => {
                (format!("y{nth}"), format!("[[\"{}\"]]", quoted(&format!("{file} {symbol}"))))
            }
        };
        let _ = writeln!(self.nodes, "  {name}{drawn}");
        self.names.insert(thing.clone(), name.clone());
        name
    }
}

/// A text inside double quotes in which no sign means anything. The sign that Mermaid puts in place of an entity while it
/// reads is escaped, too.
fn quoted(said: &str) -> String {
    let said = inert::line(said);
    let mut out = String::new();
    for (nth, c) in said.chars().enumerate() {
        if nth == LABEL {
            out.push('…');
            break;
        }
        let is_plain = c.is_alphanumeric() && c != '\u{fb02}';
        if is_plain || " -_./,()…".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn no_sign_of_a_name_means_anything_in_the_picture() {
        let odd = "a\"]; b[(x)] --> c|d| %%{init: {}}%% <b>`end`&#35;\nsubgraph\u{fb02}";
        let text = quoted(odd);
        assert!(text.chars().all(|c| c.is_alphanumeric() || " -_./,()…#;".contains(c)), "{text}");
        assert_eq!(quoted("src/auth/jwt.rs"), "src/auth/jwt.rs");
        assert_eq!(quoted("\""), "#34;");
        assert!(quoted(&"x".repeat(200)).chars().count() <= 81);
    }
}
