//! Members that are named through the object itself or alone, where no variable has their name.

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::{Node, Outline};
use crate::units;

use super::{Rewriting, with_children};

/// `this.a` as `a`, and `this.f()` as `f()`: in Java and C# a bare name that no variable has is the member's.
pub(super) fn rewritten<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    match (own.language, own.kind(at)) {
        (Language::Java, "field_access") => {
            let parts: Vec<usize> = own.children(at).collect();
            let [object, _, name] = parts.as_slice() else { return None };
            bare(own, at, *object, *name)
        }
        (Language::CSharp, "member_access_expression") => {
            let parts: Vec<usize> = own.children(at).collect();
            let [object, _, name] = parts.as_slice() else { return None };
            bare(own, at, *object, *name)
        }
        (Language::Java, "method_invocation") => {
            let parts: Vec<usize> = own.children(at).collect();
            let [object, point, name, _] = parts.as_slice() else { return None };
            let is_own = own.text(*object) == "this" && own.kind(*name) == "identifier";
            let nodes = own.nodes.get(point + 1..at + own.subtree(at).len())?.to_vec();
            if is_own { with_children(own, at, nodes) } else { None }
        }
        _ => None,
    }
}

fn bare<'t>(own: &Outline<'t>, at: usize, object: usize, name: usize) -> Rewriting<'t> {
    let is_own = own.text(object) == "this" && own.kind(name) == "identifier";
    let function = ancestors(own, at)
        .into_iter()
        .rev()
        .find(|around| units::kind_of(own.language, own.kind(*around)) == Some(SymbolKind::Function))?;
    let word = own.text(name);
    let range = function..function + own.subtree(function).len();
    let is_alone =
        is_own && own.spend() && !range.into_iter().any(|at| own.text(at) == word && declares(own, at));
    is_alone.then(|| {
        let node = own.nodes.get(name).cloned();
        let field = own.nodes.get(at).map_or("", |node| node.field);
        node.into_iter().map(|node| Node { field, ..node }).collect()
    })
}

/// Whether a name that stands here may be a variable's own.
fn declares(own: &Outline<'_>, at: usize) -> bool {
    const READING: &[&str] = &[
        "field_access",
        "member_access_expression",
        "method_invocation",
        "name_colon",
        "assignment_expression",
    ];
    let Some(node) = own.nodes.get(at) else { return true };
    let parent = ancestors(own, at).first().map_or("", |parent| own.kind(*parent));
    let is_named =
        matches!(node.field, "name" | "left" | "parameters" | "pattern") && !READING.contains(&parent);
    is_named && !parent.ends_with("binary_expression")
        || node.kind == "implicit_parameter"
        || parent.contains("parameters")
        || parent.contains("pattern")
        || parent.ends_with("_clause")
}
