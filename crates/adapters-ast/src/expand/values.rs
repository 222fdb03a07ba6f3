//! Puts a value in the place of a variable that is used once, right behind its declaration.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::{Node, Outline};
use crate::scope::{Binding, bind};
use crate::units;

use super::first::comes_first;
use super::rewrite::replace;

/// The most replacements in one text.
const MAX: usize = 50;

pub(super) fn only(own: &Outline<'_>, item: usize, kind: &str) -> Option<usize> {
    let mut found =
        own.children(item).filter(|child| own.nodes.get(*child).is_some_and(|node| node.kind == kind));
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The names that stand in functions, by the name of the function.
type Names<'o> = BTreeMap<Option<String>, BTreeSet<&'o str>>;

fn names_of_functions<'o>(outline: &'o Outline<'_>) -> Names<'o> {
    let mut found = Names::new();
    let mut around: Vec<(Option<String>, usize)> = Vec::new();
    for (at, node) in outline.nodes.iter().enumerate() {
        while around.pop_if(|(_, end)| *end <= at).is_some() {}
        if !outline.budget.spend(1 + around.len()) {
            break;
        }
        if crate::items::binds_variables(outline.language, node.kind) {
            around.push((units::name_of(outline, at), at + node.size));
        }
        // The name of a method that is called is none of a variable.
        let is_method =
            node.field == "name" && outline.nodes.get(at + 1).is_some_and(|next| next.field == "arguments");
        for (function, _) in around.iter().filter(|_| node.is_leaf() && !is_method && !is_member(node)) {
            found.entry(function.clone()).or_default().insert(node.text.as_ref());
        }
    }
    found
}

/// Replaces a variable that is declared right before the only statement that uses it, once and first.
pub(super) fn expand_variables<'t>(own: &mut Outline<'t>, other: &Outline<'t>) -> bool {
    let mut has_changed = false;
    let there = names_of_functions(other);
    for _ in 0..MAX {
        let Some((statement, mention, value)) = single_use(own, &there) else { break };
        replace(own, mention, value);
        replace(own, statement, Vec::new());
        has_changed = true;
    }
    has_changed
}

fn single_use<'t>(own: &Outline<'t>, there: &Names<'_>) -> Option<(usize, usize, Vec<Node<'t>>)> {
    (0..own.nodes.len()).find_map(|statement| {
        let (name, value) = declared(own, statement)?;
        let text = own.nodes.get(name)?.text.as_ref();
        let parents = ancestors(own, statement);
        let function = parents.iter().copied().find(|at| {
            own.nodes.get(*at).is_some_and(|node| crate::items::binds_variables(own.language, node.kind))
        })?;
        let is_there = there.get(&units::name_of(own, function)).is_some_and(|names| names.contains(text));
        (!is_there).then_some(())?;
        let bindings = bind(own, function)?;
        let binding = bindings.get(name.checked_sub(function)?)?.clone();
        let same = |(at, found): (usize, &Binding)| {
            (*found == binding && function + at != name).then_some(function + at)
        };
        let mentions: Vec<usize> = bindings.iter().enumerate().filter_map(same).collect();
        let next = statement + own.nodes.get(statement)?.size;
        let end = next + own.nodes.get(next)?.size;
        let [mention] = mentions.as_slice() else { return None };
        let is_next = next <= *mention && *mention < end && ancestors(own, next).first() == parents.first();
        let is_variable = matches!(binding, Binding::Local(_));
        let is_kept =
            is_kept(own, statement, value, *mention) && !changes_what_is_called(own, value, *mention);
        (is_variable && is_next && is_kept && comes_first(own, next, *mention))
            .then(|| (statement, *mention, in_its_place(own, *mention, value)))
    })
}

/// The name and the value of a statement that declares one variable.
fn declared(own: &Outline<'_>, statement: usize) -> Option<(usize, usize)> {
    let node = own.nodes.get(statement)?;
    let declarator = match (own.language, node.kind) {
        (Language::Java, "local_variable_declaration") => only(own, statement, "variable_declarator")?,
        (Language::CSharp, "local_declaration_statement") => {
            only(own, only(own, statement, "variable_declaration")?, "variable_declarator")?
        }
        (
            Language::TypeScript | Language::Tsx | Language::JavaScript,
            "lexical_declaration" | "variable_declaration",
        ) => only(own, statement, "variable_declarator")?,
        (Language::Python, "expression_statement") => only(own, statement, "assignment")?,
        (Language::Go, "short_var_declaration") | (Language::Rust, "let_declaration") => statement,
        _ => return None,
    };
    let alone = |at: usize| {
        let is_list = own.nodes.get(at).is_some_and(|node| node.kind == "expression_list");
        if !is_list {
            return Some(at);
        }
        (own.children(at).count() == 1).then_some(at + 1)
    };
    let name =
        ["name", "left", "pattern"].into_iter().find_map(|wanted| own.child_by_field(declarator, wanted))?;
    let value = match own.language {
        Language::CSharp => own.children(declarator).last()?,
        _ => own.child_by_field(declarator, "value").or_else(|| own.child_by_field(declarator, "right"))?,
    };
    let (name, value) = (alone(name)?, alone(value)?);
    let is_leaf = own.nodes.get(name)?.is_leaf();
    let is_bound = own.subtree(value).iter().any(|node| {
        node.text == "yield"
            || node.kind.contains("function")
            || node.kind.contains("lambda")
            || node.kind.contains("closure")
    });
    let is_mutable = |child: usize| own.nodes.get(child).is_some_and(|node| node.kind == "mutable_specifier");
    let is_typed = own.language == Language::Rust
        && (own.child_by_field(statement, "type").is_some() || own.children(statement).any(is_mutable));
    (is_leaf && !is_bound && !is_typed && name != value).then_some((name, value))
}

/// Whether a member that is called in the place of its value is called on something, or a chain that may end early takes
/// more with it.
fn changes_what_is_called(own: &Outline<'_>, value: usize, mention: usize) -> bool {
    let field = own.nodes.get(mention).map_or("", |node| node.field);
    let is_member = matches!(
        own.kind(value),
        "field_expression" | "member_expression" | "optional_chain" | "subscript_expression"
    );
    let may_end = own.subtree(value).iter().any(|node| node.is_leaf() && node.text == "?.");
    is_member && field == "function" || may_end && matches!(field, "expression" | "function" | "object")
}

/// Whether the value stands for the variable without being converted, or living longer.
fn is_kept(own: &Outline<'_>, statement: usize, value: usize, mention: usize) -> bool {
    let parent = ancestors(own, mention).first().copied().unwrap_or_default();
    match own.language {
        Language::Java => java_keeps(own, statement, value, mention, parent),
        // What is copied out of a place and changed there is not what stays in it.
        Language::CSharp => {
            let is_receiver = own.nodes.get(mention).is_some_and(|node| node.field == "expression");
            let is_made = own.nodes.get(value).is_some_and(|node| {
                matches!(
                    node.kind,
                    "invocation_expression" | "object_creation_expression" | "await_expression"
                )
            });
            own.subtree(statement).iter().any(|node| node.kind == "implicit_type")
                && own.nodes.get(value).is_some_and(|node| !node.kind.ends_with("_literal"))
                && (is_made || !is_receiver)
        }
        Language::Go => own.nodes.get(value).is_some_and(|node| node.kind == "call_expression"),
        // What a chain of calls makes on its way lives as long as its statement.
        Language::Rust => {
            let is_call = |kind: &str| kind == "call_expression" || kind == "macro_invocation";
            // Behind a pattern that takes nothing out of it a value lives on to the end of its block.
            let is_lasting = matches!(
                own.kind(parent),
                "reference_expression" | "field_expression" | "match_expression" | "let_condition"
            );
            own.subtree(value).iter().filter(|node| is_call(node.kind)).count() <= 1
                && own
                    .subtree(value)
                    .iter()
                    .all(|node| !matches!(node.kind, "reference_expression" | "macro_invocation" | "block"))
                && !is_lasting
        }
        _ => true,
    }
}

/// Whether a leaf names a member, whatever variables there are.
fn is_member(node: &Node<'_>) -> bool {
    matches!(node.kind, "field_identifier" | "property_identifier")
        || matches!(node.field, "attribute" | "property")
}

/// A type of Java that converts nothing at the place of the mention.
fn java_keeps(own: &Outline<'_>, statement: usize, value: usize, mention: usize, parent: usize) -> bool {
    const BOXED: &[&str] = &["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];
    let Some(kind) = own.child_by_field(statement, "type").map(|at| units::words_of(&own.nodes, at)) else {
        return false;
    };
    if matches!(kind.as_str(), "String" | "var") {
        return true;
    }
    let node = |at: usize| own.nodes.get(at);
    let is_inferred = own.subtree(value).iter().any(|node| {
        node.kind.contains("method_reference")
            || node.kind == "array_initializer"
            || (node.kind == "type_arguments" && node.size <= 3)
    });
    let is_reference = kind.starts_with(char::is_uppercase) && !BOXED.contains(&kind.as_str());
    let is_receiver =
        node(mention).is_some_and(|node| node.field == "object") && own.kind(parent) == "method_invocation";
    let is_generic_call =
        kind.contains('<') && node(value).is_some_and(|node| node.kind == "method_invocation");
    let is_thrown = own.kind(parent) == "throw_statement";
    let is_returned = own.kind(parent) == "return_statement";
    let function = ancestors(own, statement).into_iter().find(|at| {
        crate::items::binds_variables(own.language, own.kind(*at)) || own.kind(*at) == "lambda_expression"
    });
    let result = function.map(|function| super::signature::result(own, function)).unwrap_or_default();
    let is_reference_result = result.starts_with(char::is_uppercase) && !BOXED.contains(&result.as_str());
    let returns_it = is_returned && (result == kind || is_reference && is_reference_result);
    let is_condition = kind == "boolean"
        && matches!(own.kind(parent), "parenthesized_expression" | "unary_expression" | "if_statement");
    !is_inferred && (returns_it || is_reference && (is_thrown || is_receiver && !is_generic_call))
        || is_condition
}

/// A value that stands as the object of an access or behind an operator: in parentheses where it needs them.
fn in_its_place<'t>(own: &Outline<'t>, mention: usize, value: usize) -> Vec<Node<'t>> {
    const LOOSE: &[&str] = &[
        "as_expression",
        "await_expression",
        "binary_expression",
        "binary_operator",
        "boolean_operator",
        "cast_expression",
        "comparison_operator",
        "conditional_expression",
        "new_expression",
        "not_operator",
        "ternary_expression",
        "unary_expression",
    ];
    let nodes = own.subtree(value).to_vec();
    let parent = ancestors(own, mention).first().map_or("", |at| own.kind(*at));
    let is_object =
        own.nodes.get(mention).is_some_and(|node| matches!(node.field, "object" | "operand" | "expression"))
            && parent != "parenthesized_expression"
            || own.nodes.get(mention).is_some_and(|node| node.field == "value")
                && parent == "field_expression"
            || matches!(parent, "unary_expression" | "try_expression" | "await_expression");
    let is_loose =
        own.nodes.get(value).is_some_and(|node| LOOSE.contains(&node.kind) && node.kind != "new_expression");
    let Some(place) = own.nodes.get(mention).filter(|_| is_object && is_loose) else { return nodes };
    let node = |kind: &'static str, text: &'static str, size| Node {
        kind,
        field: "",
        text: text.into(),
        size,
        start: place.start,
        end: place.end,
    };
    let mut whole = vec![node("parenthesized_expression", "", nodes.len() + 3), node("(", "(", 1)];
    whole.extend(nodes);
    whole.push(node(")", ")", 1));
    whole
}
