//! Puts a value in the place of a variable that is used once, right behind its declaration.

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::{Node, Outline};
use crate::scope::{Binding, bind};
use crate::units;

use super::rewrite::replace;
use super::template::field;

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

/// Replaces a variable that is declared right before the only statement that uses it, once and first.
pub(super) fn expand_variables<'t>(own: &mut Outline<'t>, other: &Outline<'t>) -> bool {
    let mut has_changed = false;
    for _ in 0..MAX {
        let Some((statement, mention, value)) = single_use(own, other) else { break };
        replace(own, mention, value);
        replace(own, statement, Vec::new());
        has_changed = true;
    }
    has_changed
}

fn single_use<'t>(own: &Outline<'t>, other: &Outline<'t>) -> Option<(usize, usize, Vec<Node<'t>>)> {
    (0..own.nodes.len()).find_map(|statement| {
        let (name, value) = declared(own, statement)?;
        (own.spend() && other.spend()).then_some(())?;
        let text = own.nodes.get(name)?.text.clone();
        let parents = ancestors(own, statement);
        let function = parents.iter().copied().find(|at| {
            own.nodes.get(*at).is_some_and(|node| crate::items::binds_variables(own.language, node.kind))
        })?;
        let counterpart = units::name_of(own, function);
        let is_there = other.nodes.iter().enumerate().any(|(at, node)| {
            crate::items::binds_variables(other.language, node.kind)
                && units::name_of(other, at) == counterpart
                && other.subtree(at).iter().any(|node| node.is_leaf() && node.text == text)
        });
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
        (!is_there && is_variable && is_next && comes_first(own, next, *mention))
            .then(|| (statement, *mention, own.subtree(value).to_vec()))
    })
}

/// The name and the value of a statement that declares one variable, of a type that converts nothing.
fn declared(own: &Outline<'_>, statement: usize) -> Option<(usize, usize)> {
    let node = own.nodes.get(statement)?;
    let declarator = match (own.language, node.kind) {
        (Language::Java, "local_variable_declaration") => {
            let kind = units::words_of(&own.nodes, field(own, statement, "type")?);
            matches!(kind.as_str(), "String" | "var").then_some(())?;
            only(own, statement, "variable_declarator")?
        }
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "lexical_declaration") => {
            own.subtree(statement).iter().any(|node| node.text == "const").then_some(())?;
            only(own, statement, "variable_declarator")?
        }
        (Language::Python, "expression_statement") => only(own, statement, "assignment")?,
        _ => return None,
    };
    let name = field(own, declarator, "name").or_else(|| field(own, declarator, "left"))?;
    let value = field(own, declarator, "value").or_else(|| field(own, declarator, "right"))?;
    let is_leaf = own.nodes.get(name)?.is_leaf();
    let is_bound = own.subtree(value).iter().any(|node| {
        matches!(node.text.as_ref(), "await" | "yield")
            || node.kind.contains("function")
            || node.kind == "lambda"
    });
    (is_leaf && !is_bound).then_some((name, value))
}

/// Whether nothing is evaluated in a statement before the mention: only `return`, and the bare names of the functions
/// that it is the first argument of.
pub(super) fn comes_first(own: &Outline<'_>, statement: usize, mention: usize) -> bool {
    let kind = own.nodes.get(statement).map_or("", |node| node.kind);
    if !matches!(kind, "return_statement" | "expression_statement") {
        return false;
    }
    (statement..mention).all(|at| {
        let Some(node) = own.nodes.get(at) else { return false };
        if !node.is_leaf() {
            return matches!(
                node.kind,
                "return_statement"
                    | "expression_statement"
                    | "call"
                    | "call_expression"
                    | "method_invocation"
                    | "arguments"
                    | "argument_list"
            );
        }
        let is_callee =
            node.kind == "identifier" && own.nodes.get(at + 1).is_some_and(|next| next.field == "arguments");
        matches!(node.text.as_ref(), "return" | "(") || is_callee
    })
}
