//! How fields, variants and other names without a unit of their own are declared, so that it is known whether anything
//! could look them up by their text.

use crate::language::Language;
use crate::outline::Outline;

use super::guards::is_marked;

/// How a name is declared at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    /// It is not declared here.
    None,
    Private,
    Public,
    /// Declared in a way that makes its text matter.
    Forbidden,
}

/// The declaration at this place, where a rule here knows it.
pub(super) fn of(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    match outline.language {
        Language::Rust => in_rust(outline, index, ancestors),
        Language::TypeScript | Language::Tsx | Language::JavaScript => in_script(outline, index, ancestors),
        _ => None,
    }
}

fn field_of<'o>(outline: &'o Outline<'_>, index: usize) -> &'o str {
    outline.nodes.get(index).map_or("", |node| node.field)
}

/// Fields and variants that no derive turns into text.
fn in_rust(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let parent = *ancestors.first()?;
    if field_of(outline, index) != "name" {
        return None;
    }
    match outline.kind(parent) {
        "field_declaration" => {
            is_quiet(outline, ancestors, &["struct_item", "union_item"]).then_some(())?;
            let is_public =
                outline.children(parent).any(|child| outline.kind(child) == "visibility_modifier");
            Some(if is_public { Declaration::Public } else { Declaration::Private })
        }
        "enum_variant" => is_quiet(outline, ancestors, &["enum_item"]).then_some(Declaration::Public),
        _ => None,
    }
}

/// Whether the type around a member has no attribute that makes a text of its members.
fn is_quiet(outline: &Outline<'_>, ancestors: &[usize], kinds: &[&str]) -> bool {
    let item = ancestors.iter().copied().find(|at| kinds.contains(&outline.kind(*at)));
    let Some(item) = item else { return false };
    let above: Vec<usize> = ancestors.iter().copied().filter(|at| *at < item).collect();
    !is_marked(outline, item, &above) && !is_printed(outline, item, &above)
}

/// Whether `Debug` is derived: it writes the names of types, fields and variants.
pub(super) fn is_printed(outline: &Outline<'_>, item: usize, above: &[usize]) -> bool {
    let parent = above.first().copied().unwrap_or(0);
    let mut run = Vec::new();
    for child in outline.children(parent).take_while(|child| *child < item) {
        if outline.kind(child) == "attribute_item" { run.push(child) } else { run.clear() }
    }
    run.into_iter().any(|mark| outline.subtree(mark).iter().any(|node| node.text == "Debug"))
}

/// `#a`, which nothing else can name.
fn in_script(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let parent = *ancestors.first()?;
    let is_member =
        matches!(outline.kind(parent), "field_definition" | "public_field_definition" | "method_definition");
    let is_own = outline.kind(index) == "private_property_identifier" && is_member;
    let found = if is_decorated(outline, parent) { Declaration::Forbidden } else { Declaration::Private };
    is_own.then_some(found)
}

/// Whether a decorator stands in a member or right before it.
pub(super) fn is_decorated(outline: &Outline<'_>, member: usize) -> bool {
    outline.subtree(member).iter().any(|node| node.kind == "decorator")
        || member.checked_sub(1).is_some_and(|before| {
            outline
                .nodes
                .iter()
                .enumerate()
                .any(|(at, node)| node.kind == "decorator" && at + node.size == before + 1 && at < member)
        })
}
