//! `var`, `let` and `const` of JavaScript, where nothing can tell which one it is.

use std::collections::BTreeSet;

use crate::names::ancestors;
use crate::outline::{Node, Outline};

use super::{Rewriting, with_children};

const FUNCTIONS: &[&str] = &[
    "arrow_function",
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "method_definition",
];

/// The names that get another value somewhere in a text.
pub(super) fn assigned(own: &Outline<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if !own.language.is_script() {
        return found;
    }
    for (at, node) in own.nodes.iter().enumerate() {
        let is_change = matches!(
            node.kind,
            "assignment_expression"
                | "augmented_assignment_expression"
                | "update_expression"
                | "for_in_statement"
        );
        let is_target = |node: &Node<'_>| matches!(node.field, "left" | "argument");
        for target in own.children(at).filter(|_| is_change) {
            if own.nodes.get(target).is_some_and(is_target) && own.budget.spend(1) {
                let leaves = own.subtree(target).iter().filter(|node| node.is_leaf());
                found.extend(leaves.map(|node| node.text.to_string()));
            }
        }
    }
    found
}

/// A declaration as `let`.
pub(super) fn rewritten<'t>(own: &Outline<'t>, at: usize, assigned: &BTreeSet<String>) -> Rewriting<'t> {
    if !own.language.is_script() {
        return None;
    }
    let is_as_let = match (own.kind(at), own.text(at + 1)) {
        ("lexical_declaration", "const") => {
            let is_kept = |name: &String| !assigned.contains(name);
            names(own, at).is_some_and(|names| names.iter().all(is_kept))
        }
        ("variable_declaration", "var") => {
            names(own, at).is_some_and(|names| names.iter().all(|name| stays_in_its_block(own, at, name)))
        }
        _ => false,
    };
    if !is_as_let {
        return None;
    }
    let mut nodes = own.nodes.get(at + 1..at + own.subtree(at).len())?.to_vec();
    let word = nodes.first_mut()?;
    (word.kind, word.text, word.field) = ("let", "let".into(), "kind");
    let mut whole = with_children(own, at, nodes)?;
    whole.first_mut()?.kind = "lexical_declaration";
    Some(whole)
}

/// The names that a declaration gives, each a plain one with a value.
fn names(own: &Outline<'_>, at: usize) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for declarator in own.children(at).filter(|child| own.kind(*child) == "variable_declarator") {
        own.child_by_field(declarator, "value")?;
        let name = own.child_by_field(declarator, "name")?;
        let pattern = own.subtree(name).iter().filter(|node| {
            node.is_leaf()
                && (node.kind == "identifier" || node.kind == "shorthand_property_identifier_pattern")
        });
        found.extend(pattern.map(|node| node.text.to_string()));
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a name that `var` gives is mentioned only behind its declaration and inside its block, is declared once, and
/// is not seen from a function that might run before or keep one loop's value into the next.
fn stays_in_its_block(own: &Outline<'_>, at: usize, name: &str) -> bool {
    let around = ancestors(own, at);
    let is_function = |place: &&usize| FUNCTIONS.contains(&own.kind(**place));
    let (Some(block), function) = (around.first().copied(), around.iter().find(is_function).copied()) else {
        return false;
    };
    let is_block = match own.kind(block) {
        "statement_block" | "for_statement" => function.is_some(),
        "program" => is_module(own),
        _ => false,
    };
    let scope = function.unwrap_or(0);
    let within = around.iter().take_while(|place| **place != scope);
    let in_loop = within.into_iter().any(|place| {
        matches!(own.kind(*place), "for_statement" | "for_in_statement" | "while_statement" | "do_statement")
    });
    let end = block + own.subtree(block).len();
    let names_it = |node: &Node<'_>| {
        node.is_leaf()
            && node.text == name
            && !matches!(node.kind, "property_identifier" | "string" | "statement_identifier" | "comment")
    };
    let mut declared = 0;
    let mut inner_until = scope;
    let mut is_hoisted = false;
    for index in scope + 1..scope + own.subtree(scope).len() {
        let Some(node) = own.nodes.get(index) else { return false };
        if FUNCTIONS.contains(&node.kind) && index >= inner_until {
            inner_until = index + node.size;
            is_hoisted = node.kind.ends_with("_declaration") && function.is_some();
        }
        if !names_it(node) {
            continue;
        }
        declared += usize::from(node.field == "name" || node.field == "parameter");
        let is_seen_from_a_function = index < inner_until && (in_loop || is_hoisted);
        if index < at || index >= end || is_seen_from_a_function {
            return false;
        }
    }
    is_block && declared == 1 && own.spend() && !own.subtree(scope).iter().any(|node| node.text == "eval")
}

/// Whether the names of a text are its own: a script's would be everybody's.
fn is_module(own: &Outline<'_>) -> bool {
    own.children(0).any(|child| matches!(own.kind(child), "import_statement" | "export_statement"))
        || own.nodes.windows(3).any(|nodes| {
            matches!(nodes, [object, _, member] if object.text == "module" && member.text == "exports")
        })
}
