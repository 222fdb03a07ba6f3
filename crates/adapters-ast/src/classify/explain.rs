//! Puts a difference into words for the human who is asked: "the default of `timeout` changed".

use crate::compare::Difference;
use crate::names::ancestors;
use crate::outline::{Node, Outline};
use crate::units;

/// The longest text that is quoted.
const MAX_QUOTE: usize = 40;

/// What is around code that stands in no named unit.
const NOWHERE: &str = "the file";

/// The line that a difference is on and what it is.
pub(crate) fn explain(before: &Outline<'_>, after: &Outline<'_>, difference: Difference) -> (usize, String) {
    match (difference.before, difference.after) {
        (Some(old), Some(new)) => (after.line(new), changed(before, after, old, new)),
        (None, Some(new)) => (after.line(new), format!("{} is new", thing(after, new))),
        (Some(old), None) => (before.line(old), format!("{} was removed or moved", thing(before, old))),
        (None, None) => (1, "the text changed".to_owned()),
    }
}

fn changed(before: &Outline<'_>, after: &Outline<'_>, old: usize, new: usize) -> String {
    let around = ancestors(after, new);
    let kinds: Vec<&str> =
        std::iter::once(new).chain(around.iter().copied()).map(|at| after.kind(at)).collect();
    let owner = owner(after, new, &around);
    let has = |words: &[&str]| kinds.iter().any(|kind| words.iter().any(|word| kind.contains(word)));
    if let Some(name) = default_of(after, new, &around) {
        return format!("the default of `{name}` changed");
    }
    if kinds.first() == Some(&"PRAGMA") {
        return format!("the directive {} changed", quote(after.text(new)));
    }
    if has(&["decorator", "attribute_item", "annotation", "attribute_list"]) {
        return format!("an attribute of {owner} changed");
    }
    if has(&["import", "use_declaration", "using_directive"]) {
        return format!(
            "the import {} changed",
            quote(&words(after, around.last().copied().unwrap_or(new), new))
        );
    }
    if has(&["visibility", "modifier"]) {
        return format!("the visibility or a modifier of {owner} changed");
    }
    if has(&["parameter"]) {
        return format!("the parameters of {owner} changed");
    }
    let (was, is) = (before.nodes.get(old), after.nodes.get(new));
    match (was, is) {
        (Some(was), Some(is)) if was.is_leaf() && is.is_leaf() => {
            format!("{} became {} in {owner}", quote(&was.text), quote(&is.text))
        }
        _ if [before.kind(old), after.kind(new)].contains(&"decorated_definition") => {
            format!("a decorator of {} changed", thing(after, new))
        }
        _ if owner == NOWHERE => format!("{} changed", thing(after, new)),
        _ => format!("{owner} changed"),
    }
}

fn default_of(outline: &Outline<'_>, index: usize, around: &[usize]) -> Option<String> {
    let mut inside = index;
    for at in around {
        let node = outline.nodes.get(*at)?;
        let is_value = outline
            .nodes
            .get(inside)
            .is_some_and(|node| matches!(node.field, "value" | "default_value" | "right"));
        let is_parameter = node.kind.contains("parameter") && !node.kind.ends_with("parameters");
        if is_parameter && is_value {
            return units::name_of(outline, *at).or_else(|| {
                outline
                    .subtree(*at)
                    .iter()
                    .find(|node| node.kind.contains("identifier"))
                    .map(|node| node.text.to_string())
            });
        }
        inside = *at;
    }
    None
}

/// The named unit around a node.
fn owner(outline: &Outline<'_>, index: usize, around: &[usize]) -> String {
    let named = std::iter::once(index).chain(around.iter().copied()).find_map(|at| {
        units::kind_of(outline.language, outline.kind(at))?;
        units::name_of(outline, at)
    });
    named.map_or_else(|| NOWHERE.to_owned(), |name| format!("`{name}`"))
}

/// The thing that stands at a node: the unit that it is or wraps.
fn thing(outline: &Outline<'_>, index: usize) -> String {
    let size = outline.nodes.get(index).map_or(0, |node| node.size);
    let named = (index..index + size).find_map(|at| {
        units::kind_of(outline.language, outline.kind(at))?;
        units::name_of(outline, at)
    });
    named.map_or_else(|| quote(&words(outline, index, index)), |name| format!("`{name}`"))
}

/// The source from a node on, shortened; the first of the two that has any.
fn words(outline: &Outline<'_>, index: usize, fallback: usize) -> String {
    let source = |at: usize| {
        let node: &Node<'_> = outline.nodes.get(at)?;
        outline.source.get(node.start..node.end)
    };
    let is_short = |text: &&str| text.len() <= 4 * MAX_QUOTE;
    source(index).filter(is_short).or_else(|| source(fallback)).unwrap_or_default().to_owned()
}

fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(MAX_QUOTE).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    format!("`{}{more}`", short.replace('`', "'"))
}
