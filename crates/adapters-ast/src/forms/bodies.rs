//! Bodies that are one value or one call, written with a block or without, and values that a function ends with.

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::Outline;

use super::{Rewriting, leaf, with_children};

/// One body that is written in another way.
pub(super) fn rewritten<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    match (own.language, own.kind(at)) {
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "arrow_function") => value(own, at),
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "function_expression") => {
            arrow(own, at)
        }
        (Language::Java, "lambda_expression") => value(own, at),
        (
            Language::CSharp,
            "method_declaration"
            | "local_function_statement"
            | "constructor_declaration"
            | "operator_declaration"
            | "accessor_declaration",
        ) => member(own, at),
        (Language::CSharp, "property_declaration" | "indexer_declaration") => property(own, at),
        (Language::Ruby, "body_statement") => last_value(own, at),
        (Language::Rust, "block") => last_value(own, at),
        _ => None,
    }
}

/// The only statement of a block.
fn only_statement(own: &Outline<'_>, block: usize) -> Option<usize> {
    let mut inside = own.children(block).filter(|child| !matches!(own.kind(*child), "{" | "}"));
    let only = inside.next()?;
    (inside.next().is_none()).then_some(only)
}

/// The value of a statement that returns one.
fn returned(own: &Outline<'_>, statement: usize) -> Option<usize> {
    let parts: Vec<usize> = own.children(statement).filter(|child| own.text(*child) != ";").collect();
    match (own.kind(statement), parts.as_slice()) {
        ("return_statement", [_, value]) => Some(*value),
        _ => None,
    }
}

/// `x => { return f(x) }` as `x => f(x)`.
fn value<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let body = own.child_by_field(at, "body")?;
    if !matches!(own.kind(body), "statement_block" | "block") {
        return None;
    }
    let value = returned(own, only_statement(own, body)?)?;
    let head = own.nodes.get(at + 1..body)?.to_vec();
    let mut nodes = head;
    let start = nodes.len();
    nodes.extend(own.subtree(value).iter().cloned());
    nodes.get_mut(start)?.field = "body";
    with_children(own, at, nodes)
}

/// `f(function (x) { … })` as `f((x) => { … })`, where nothing in it looks at how it was called.
fn arrow<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    // These may make something new of it, which an arrow does not let them.
    const MAKING: &[&str] = &[
        "callsFake",
        "createClass",
        "extend",
        "fn",
        "inherits",
        "mockImplementation",
        "mockImplementationOnce",
        "spy",
    ];
    const BOUND: &[&str] = &["this", "arguments", "super", "new.target", "yield", "eval", "target"];
    let around = ancestors(own, at);
    let [list, call, ..] = around.as_slice() else { return None };
    let is_argument = own.kind(*list) == "arguments" && own.kind(*call) == "call_expression";
    let is_bound = own.subtree(at).iter().any(|node| node.is_leaf() && BOUND.contains(&node.text.as_ref()));
    let has_name = own.child_by_field(at, "name").is_some();
    let makes = list.checked_sub(1).is_some_and(|callee| MAKING.contains(&own.text(callee)));
    let (parameters, body) = (own.child_by_field(at, "parameters")?, own.child_by_field(at, "body")?);
    if !is_argument || is_bound || has_name || makes || own.child_by_field(at, "type_parameters").is_some() {
        return None;
    }
    let mut nodes = Vec::new();
    for part in own.children(at).filter(|part| own.kind(*part) != "function") {
        if part == body {
            nodes.push(leaf(own, body, "=>", "=>")?);
        }
        match only_name(own, part).filter(|_| part == parameters) {
            Some(name) => {
                let mut name = own.nodes.get(name)?.clone();
                name.field = "parameters";
                nodes.push(name);
            }
            None => nodes.extend(own.subtree(part).iter().cloned()),
        }
    }
    let mut whole = with_children(own, at, nodes)?;
    whole.first_mut()?.kind = "arrow_function";
    Some(whole)
}

/// The only parameter of a list, when it is only a name.
fn only_name(own: &Outline<'_>, list: usize) -> Option<usize> {
    let mut inside = own.children(list).filter(|part| !matches!(own.kind(*part), "(" | ")"));
    let (only, None) = (inside.next()?, inside.next()) else { return None };
    match own.kind(only) {
        "identifier" => Some(only),
        "required_parameter" if own.subtree(only).len() == 2 => {
            Some(only + 1).filter(|name| own.kind(*name) == "identifier")
        }
        _ => None,
    }
}

/// `int F() { return x; }` as `int F() => x;`, and a call in a body that returns nothing.
fn member<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let body = own.child_by_field(at, "body").filter(|body| own.kind(*body) == "block")?;
    let statement = only_statement(own, body)?;
    let is_void = own.kind(at) == "constructor_declaration"
        || own.child_by_field(at, "returns").is_some_and(|result| own.text(result) == "void")
        || own.child_by_field(at, "type").is_some_and(|result| own.text(result) == "void")
        || own.child_by_field(at, "name").is_some_and(|name| matches!(own.text(name), "set" | "init"));
    let value = match own.kind(statement) {
        "return_statement" => returned(own, statement)?,
        "expression_statement" if is_void => own.children(statement).next()?,
        _ => return None,
    };
    let mut nodes = own.nodes.get(at + 1..body)?.to_vec();
    let mut clause = leaf(own, body, "arrow_expression_clause", "")?;
    (clause.field, clause.size) = ("body", 2 + own.subtree(value).len());
    nodes.push(clause);
    nodes.push(leaf(own, body, "=>", "=>")?);
    nodes.extend(own.subtree(value).iter().cloned());
    nodes.push(leaf(own, body, ";", ";")?);
    with_children(own, at, nodes)
}

/// `int P { get => x; }` as `int P => x;`.
fn property<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let accessors = own.child_by_field(at, "accessors")?;
    let getter = only_statement(own, accessors)?;
    let parts: Vec<usize> = own.children(getter).collect();
    let [name, clause, end] = parts.as_slice() else { return None };
    let is_getter = own.text(*name) == "get" && own.kind(*clause) == "arrow_expression_clause";
    let is_last = accessors + own.subtree(accessors).len() == at + own.subtree(at).len();
    if !is_getter || !is_last {
        return None;
    }
    let mut nodes = own.nodes.get(at + 1..accessors)?.to_vec();
    nodes.extend(own.subtree(*clause).iter().cloned());
    nodes.extend(own.subtree(*end).iter().cloned());
    with_children(own, at, nodes)
}

/// The value that a function of Ruby or Rust ends with, without `return`.
fn last_value<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let holder = ancestors(own, at).first().copied()?;
    let is_body = own.nodes.get(at)?.field == "body"
        && matches!(own.kind(holder), "method" | "singleton_method" | "function_item");
    let inside: Vec<usize> = own.children(at).filter(|child| own.kind(*child) != "}").collect();
    let last = inside.last().copied().filter(|_| is_body)?;
    let value = match (own.language, own.kind(last)) {
        (Language::Ruby, "return") => {
            let list = own.children(last).nth(1).filter(|list| own.kind(*list) == "argument_list")?;
            let mut values = own.children(list);
            let value = values.next()?;
            (values.next().is_none()
                && !matches!(own.kind(value), "splat_argument" | "pair" | "block_argument"))
            .then_some(value)?
        }
        (Language::Rust, "expression_statement") => {
            let inner = own.children(last).next().filter(|inner| own.kind(*inner) == "return_expression")?;
            own.children(inner).nth(1)?
        }
        _ => return None,
    };
    let mut nodes = own.nodes.get(at + 1..last)?.to_vec();
    nodes.extend(own.subtree(value).iter().cloned());
    nodes.extend(own.nodes.get(last + own.subtree(last).len()..at + own.subtree(at).len())?.iter().cloned());
    with_children(own, at, nodes)
}
