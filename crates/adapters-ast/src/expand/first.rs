//! Whether something is the first thing that a statement evaluates, once and in any case.

use crate::language::Language;
use crate::names::{ancestors, is_name};
use crate::outline::Outline;

/// Nodes that evaluate all their children, in order.
const IN_ORDER: &[&str] = &[
    "argument",
    "argument_list",
    "arguments",
    "array",
    "as_expression",
    "assignment",
    "assignment_expression",
    "attribute",
    "await_expression",
    "call",
    "call_expression",
    "cast_expression",
    "expression_list",
    "expression_statement",
    "field_access",
    "field_expression",
    "invocation_expression",
    "let_declaration",
    "lexical_declaration",
    "list",
    "local_declaration_statement",
    "local_variable_declaration",
    "member_access_expression",
    "member_expression",
    "method_invocation",
    "not_operator",
    "parenthesized_expression",
    "prefix_unary_expression",
    "raise_statement",
    "return_expression",
    "return_statement",
    "selector_expression",
    "short_var_declaration",
    "throw_statement",
    "try_expression",
    "unary_expression",
    "variable_declaration",
    "variable_declarator",
];

/// Nodes that evaluate what has one of these fields first, and once.
const BY_FIELD: &[(&str, &[&str])] = &[
    ("binary_expression", &["left"]),
    ("binary_operator", &["left"]),
    ("boolean_operator", &["left"]),
    ("enhanced_for_statement", &["value"]),
    ("for_expression", &["value"]),
    ("for_in_statement", &["right"]),
    ("foreach_statement", &["right"]),
    ("if_expression", &["condition"]),
    ("if_statement", &["condition"]),
    ("match_expression", &["value"]),
    ("new_expression", &["arguments"]),
    ("range_clause", &["right"]),
    ("ternary_expression", &["condition"]),
];

/// Whether nothing that could tell is evaluated in a statement before a place in it.
pub(super) fn comes_first(own: &Outline<'_>, statement: usize, place: usize) -> bool {
    let mut child = place;
    for parent in ancestors(own, place) {
        if parent < statement {
            break;
        }
        if !evaluates_first(own, parent, child) {
            return false;
        }
        child = parent;
    }
    child == statement
}

fn evaluates_first(own: &Outline<'_>, parent: usize, child: usize) -> bool {
    let (of_parent, of_child) = (own.kind(parent), own.nodes.get(child).map_or("", |node| node.field));
    let by_field = BY_FIELD.iter().find(|(known, _)| *known == of_parent).map(|(_, fields)| *fields);
    let is_one = match (own.language, of_parent) {
        (Language::Python, "for_statement") => of_child == "right",
        (Language::Go, "for_statement") => own.kind(child) == "range_clause",
        (Language::Go, "if_statement") => {
            of_child == "condition" && own.child_by_field(parent, "initializer").is_none()
        }
        (_, "comparison_operator") => own.children(parent).next() == Some(child),
        // A class may be made ready before its arguments are evaluated.
        (Language::CSharp, "object_creation_expression") => of_child == "arguments",
        _ => by_field.map_or(IN_ORDER.contains(&of_parent), |fields| fields.contains(&of_child)),
    };
    is_one
        && own
            .children(parent)
            .take_while(|before| *before < child)
            .all(|before| is_quiet(own, parent, before))
}

/// Whether reading this before or after something else makes no difference.
fn is_quiet(own: &Outline<'_>, parent: usize, at: usize) -> bool {
    let Some(node) = own.nodes.get(at) else { return false };
    let declares = matches!(node.field, "name" | "pattern" | "left")
        && (own.kind(parent).contains("declarat")
            || own.kind(parent).starts_with("for")
            || own.kind(parent).starts_with("enhanced_for")
            || own.kind(parent) == "range_clause");
    let assigns = node.field == "left" && own.kind(parent).starts_with("assignment");
    if node.field == "type" || matches!(node.kind, "modifiers" | "type_annotation") {
        return true;
    }
    if node.is_leaf() {
        let is_callee = matches!(node.field, "function" | "name" | "constructor")
            && own.child_by_field(parent, "arguments").is_some();
        return !is_name(node.kind) || declares || assigns || is_callee || is_constant(own, at);
    }
    let leaves = || own.subtree(at).iter().enumerate().filter(|(_, node)| node.is_leaf());
    if node.kind.contains("string") || node.kind.ends_with("_literal") {
        return leaves().all(|(_, node)| !is_name(node.kind));
    }
    if declares {
        return leaves().all(|(_, node)| is_name(node.kind) || !node.text.contains('('));
    }
    // What a method is called on, and a member of the object itself that gets a value.
    let object = ["object", "operand", "value", "expression"]
        .into_iter()
        .find_map(|wanted| own.child_by_field(at, wanted));
    let is_method = node.field == "function"
        && object.is_some_and(|object| {
            own.nodes.get(object).is_some_and(|node| node.is_leaf()) && is_constant(own, object)
        });
    let is_own_member = assigns
        && object.is_some_and(|object| {
            own.nodes.get(object).is_some_and(|node| matches!(node.text.as_ref(), "this" | "self"))
        });
    is_method || is_own_member
}

/// Whether a name, or the object itself, cannot get another value by what is evaluated in between.
fn is_constant(own: &Outline<'_>, at: usize) -> bool {
    let Some(node) = own.nodes.get(at) else { return false };
    if matches!(node.text.as_ref(), "this" | "self" | "cls" | "super") || !is_name(node.kind) {
        return true;
    }
    let is_type = node.text.starts_with(char::is_uppercase);
    let is_known = is_type
        || is_variable_of_function(own, at)
        || own.language.is_script()
        || own.language == Language::Python;
    is_known && own.spend() && !is_changed(own, &node.text)
}

/// Whether the function around a place declares the name that stands there.
fn is_variable_of_function(own: &Outline<'_>, at: usize) -> bool {
    let Some(text) = own.nodes.get(at).map(|node| node.text.clone()) else { return false };
    let function = ancestors(own, at)
        .into_iter()
        .find(|around| crate::items::binds_variables(own.language, own.kind(*around)));
    function.is_some_and(|function| {
        own.nodes.get(function..at).unwrap_or_default().iter().any(|node| {
            node.is_leaf() && node.text == text && matches!(node.field, "name" | "pattern" | "left" | "declarator")
        }) || own.nodes.get(function..at).unwrap_or_default().windows(2).any(|nodes| {
            matches!(nodes, [list, name] if list.kind == "expression_list" && list.field == "left" && name.text == text)
        })
    })
}

/// Whether a name gets a value more than once in a text.
fn is_changed(own: &Outline<'_>, name: &str) -> bool {
    let mut given = 0;
    for (at, node) in own.nodes.iter().enumerate() {
        let is_update = node.kind.contains("update")
            || node.kind.contains("inc_statement")
            || node.kind.contains("dec_statement");
        let is_assignment =
            node.kind.contains("assignment") || matches!(node.kind, "named_expression" | "for_statement");
        let is_target = |child: usize| {
            own.nodes.get(child).is_some_and(|child| is_update || matches!(child.field, "left" | "name"))
        };
        if is_update || is_assignment {
            given += own
                .children(at)
                .filter(|child| is_target(*child))
                .filter(|child| {
                    own.subtree(*child).iter().take(4).any(|node| node.is_leaf() && node.text == name)
                })
                .count();
        }
    }
    // The first one of Python declares.
    given > usize::from(own.language == Language::Python)
}
