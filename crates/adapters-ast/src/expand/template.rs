//! A function, taken apart so that its body can stand in the place of a call.

use std::collections::BTreeSet;

use crate::language::Language;
use crate::names::{ancestors, is_name};
use crate::outline::{Node, Outline};
use crate::units;

/// A function that can be expanded.
#[derive(Clone, Debug)]
pub(super) struct Template<'t> {
    pub(super) name: String,
    /// The name and the words of the type of each parameter.
    pub(super) parameters: Vec<(String, String)>,
    /// The name of the value that a method works on: `self`, a receiver of Go; empty where there is none.
    pub(super) receiver: String,
    /// The words of the receiver's type in Go.
    pub(super) receiver_type: String,
    pub(super) result: String,
    pub(super) form: Form<'t>,
    /// Names that the body uses and does not declare.
    pub(super) free: BTreeSet<String>,
    /// Names that the body declares.
    pub(super) own: BTreeSet<String>,
    pub(super) unit: usize,
    /// The container that it stands in.
    pub(super) container: usize,
    pub(super) is_private: bool,
    pub(super) is_static: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Form<'t> {
    /// The body returns this.
    Expression(Vec<Node<'t>>),
    /// The body does this and returns nothing.
    Statements(Vec<Vec<Node<'t>>>),
    /// The body does this and returns a variable that it declared with the type of the result.
    Returning(Vec<Vec<Node<'t>>>, String),
}

/// Words that bind a body to its function, or that are not followed here.
const BOUND: &[&str] = &[
    "arguments",
    "async",
    "await",
    "break",
    "catch",
    "continue",
    "defer",
    "eval",
    "exec",
    "global",
    "go",
    "goto",
    "lambda",
    "locals",
    "new.target",
    "nonlocal",
    "recover",
    "select",
    "super",
    "synchronized",
    "try",
    "with",
    "yield",
];

/// Takes a function apart; `None` where its body cannot stand elsewhere.
pub(super) fn take<'t>(outline: &Outline<'t>, unit: usize) -> Option<Template<'t>> {
    let kind = outline.nodes.get(unit)?.kind;
    let is_one = matches!(
        (outline.language, kind),
        (Language::Java, "method_declaration")
            | (Language::Python, "function_definition")
            | (Language::Go, "function_declaration" | "method_declaration")
            | (Language::TypeScript | Language::Tsx | Language::JavaScript, "function_declaration")
    );
    if !is_one || has_marks(outline, unit) {
        return None;
    }
    let name = leaf_name(outline, unit)?;
    let body = field(outline, unit, "body")?;
    let is_this = |node: &Node<'_>| outline.language.is_script() && node.text == "this";
    let is_bound = outline
        .subtree(body)
        .iter()
        .any(|node| node.is_leaf() && (BOUND.contains(&node.text.as_ref()) || is_this(node)));
    let (parameters, receiver) = parameters(outline, unit)?;
    let calls_itself = outline.language != Language::Java
        && outline.subtree(body).iter().any(|node| node.is_leaf() && is_name(node.kind) && node.text == name);
    if is_bound || calls_itself || is_reassigned(outline, body, &parameters) {
        return None;
    }
    let form = form(outline, body)?;
    let (own, free) = names(outline, body, &parameters);
    let container = ancestors(outline, unit).first().copied()?;
    let is_static = outline.subtree(unit).iter().take(8).any(|node| node.text == "static")
        && !outline.subtree(body).iter().any(|node| node.text == "this");
    let (is_private, result) = (is_private(outline, unit, &name), result(outline, unit));
    let receiver_type = field(outline, unit, "receiver")
        .and_then(|list| outline.children(list).find_map(|child| field(outline, child, "type")))
        .map(|kind| units::words_of(&outline.nodes, kind))
        .unwrap_or_default();
    Some(Template {
        name,
        parameters,
        receiver,
        receiver_type,
        result,
        form,
        free,
        own,
        unit,
        container,
        is_private,
        is_static,
    })
}

pub(super) fn field(outline: &Outline<'_>, index: usize, wanted: &str) -> Option<usize> {
    outline.children(index).find(|child| outline.nodes.get(*child).is_some_and(|node| node.field == wanted))
}

fn leaf_name(outline: &Outline<'_>, unit: usize) -> Option<String> {
    let name = outline.nodes.get(field(outline, unit, "name")?)?;
    name.is_leaf().then(|| name.text.to_string())
}

/// Annotations, decorators, and words that make a call more than a call.
fn has_marks(outline: &Outline<'_>, unit: usize) -> bool {
    let heads = outline.children(unit).filter(|child| {
        outline.nodes.get(*child).is_some_and(|node| node.field != "body" && node.field != "parameters")
    });
    let is_mark = |node: &Node<'_>| {
        matches!(node.kind, "annotation" | "marker_annotation" | "decorator")
            || matches!(node.text.as_ref(), "synchronized" | "abstract" | "native" | "async")
            || (outline.language.is_script() && node.text == "*")
    };
    let is_marked = heads.into_iter().any(|head| outline.subtree(head).iter().any(is_mark));
    let parent = ancestors(outline, unit).first().and_then(|parent| outline.nodes.get(*parent));
    is_marked || parent.is_some_and(|node| node.kind == "decorated_definition")
}

type Parameters = (Vec<(String, String)>, String);

fn parameters(outline: &Outline<'_>, unit: usize) -> Option<Parameters> {
    let mut found = Vec::new();
    let mut receiver = String::new();
    for child in outline.children(field(outline, unit, "parameters")?) {
        let node = outline.nodes.get(child)?;
        let plain = |name: &Node<'_>| name.is_leaf().then(|| (name.text.to_string(), String::new()));
        match node.kind {
            "(" | ")" | "," => {}
            "identifier" => found.extend(plain(node)),
            "formal_parameter" | "parameter_declaration" => {
                let kind = field(outline, child, "type").map(|kind| units::words_of(&outline.nodes, kind))?;
                let names = outline.children(child).filter_map(|part| outline.nodes.get(part));
                let names = names.filter(|part| part.field == "name");
                found.extend(names.map(|name| (name.text.to_string(), kind.clone())));
            }
            "typed_parameter" => found.push(plain(outline.nodes.get(child + 1)?)?),
            "required_parameter" if field(outline, child, "value").is_none() => {
                found.push(plain(outline.nodes.get(field(outline, child, "pattern")?)?)?);
            }
            _ => return None,
        }
    }
    if let Some(holder) = field(outline, unit, "receiver") {
        receiver = outline.subtree(holder).iter().find(|node| node.field == "name")?.text.to_string();
    }
    if outline.language == Language::Python && found.first().is_some_and(|(name, _)| name == "self") {
        found.remove(0);
        receiver = "self".to_owned();
    }
    Some((found, receiver))
}

/// The statements of a body, by index.
pub(super) fn statements(outline: &Outline<'_>, body: usize) -> Vec<usize> {
    let kind = |at: usize| outline.nodes.get(at).map_or("", |node| node.kind);
    let list = outline.children(body).find(|child| kind(*child) == "statement_list").unwrap_or(body);
    outline.children(list).filter(|child| !matches!(kind(*child), "{" | "}")).collect()
}

/// What a `return` statement returns, when it is one value.
pub(super) fn returned(outline: &Outline<'_>, statement: usize) -> Option<usize> {
    let kind = |at: usize| outline.nodes.get(at).map_or("", |node| node.kind);
    let value = outline.children(statement).find(|child| !matches!(kind(*child), "return" | ";"))?;
    if kind(value) != "expression_list" {
        return Some(value);
    }
    let mut parts = outline.children(value);
    match (parts.next(), parts.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

fn form<'t>(outline: &Outline<'t>, body: usize) -> Option<Form<'t>> {
    let statements = statements(outline, body);
    if let [only] = statements.as_slice()
        && outline.nodes.get(*only)?.kind == "return_statement"
    {
        return Some(Form::Expression(outline.subtree(returned(outline, *only)?).to_vec()));
    }
    let returns = |at: &usize| outline.subtree(*at).iter().any(|node| node.kind == "return_statement");
    if let Some((last, first)) = statements.split_last()
        && outline.nodes.get(*last)?.kind == "return_statement"
        && !first.is_empty()
        && !first.iter().any(returns)
    {
        let name = outline.nodes.get(returned(outline, *last)?)?;
        let pieces = first.iter().map(|at| outline.subtree(*at).to_vec()).collect();
        let declares = |at: &usize| declares_result(outline, *at, &name.text, body);
        return (name.is_leaf() && name.kind == "identifier" && first.iter().any(declares))
            .then(|| Form::Returning(pieces, name.text.to_string()));
    }
    if statements.is_empty() || statements.iter().any(returns) {
        return None;
    }
    Some(Form::Statements(statements.iter().map(|at| outline.subtree(*at).to_vec()).collect()))
}

/// Whether a statement of Java declares this variable with the type that the function returns.
fn declares_result(outline: &Outline<'_>, statement: usize, name: &str, body: usize) -> bool {
    let kind = |at: usize| field(outline, at, "type").map(|kind| units::words_of(&outline.nodes, kind));
    let unit = ancestors(outline, body).first().copied();
    let declares = |node: &Node<'_>| node.field == "name" && node.text == name;
    outline.nodes.get(statement).is_some_and(|node| node.kind == "local_variable_declaration")
        && outline.subtree(statement).iter().take(16).any(declares)
        && unit.and_then(kind).is_some_and(|wanted| kind(statement) == Some(wanted))
}

type Names = BTreeSet<String>;

/// The names that a body declares, and the ones that it takes from around it.
fn names(outline: &Outline<'_>, body: usize, parameters: &[(String, String)]) -> (Names, Names) {
    const DECLARING: &[&str] = &[
        "assignment",
        "enhanced_for_statement",
        "for_in_clause",
        "for_in_statement",
        "for_statement",
        "formal_parameter",
        "range_clause",
        "short_var_declaration",
        "var_spec",
        "variable_declarator",
    ];
    let (mut own, mut free) = (Names::new(), Names::new());
    let nodes = outline.subtree(body);
    for (at, node) in nodes.iter().enumerate() {
        if !node.is_leaf() || !is_name(node.kind) {
            continue;
        }
        let near = nodes.get(at.saturating_sub(4)..at).unwrap_or_default();
        let declares = near.iter().any(|node| DECLARING.contains(&node.kind))
            && matches!(node.field, "name" | "left" | "pattern" | "");
        if declares {
            own.insert(node.text.to_string());
        }
        if !parameters.iter().any(|(name, _)| *name == node.text) {
            free.insert(node.text.to_string());
        }
    }
    free.retain(|name| !own.contains(name));
    (own, free)
}

/// Whether something may give a parameter another value, or take its address.
fn is_reassigned(outline: &Outline<'_>, body: usize, parameters: &[(String, String)]) -> bool {
    let nodes = outline.subtree(body);
    let is_parameter = |leaf: &Node<'_>| parameters.iter().any(|(name, _)| *name == leaf.text);
    nodes.iter().enumerate().any(|(at, node)| {
        let kind = node.kind;
        let takes_address = kind.contains("unary") && nodes.get(at + 1).is_some_and(|next| next.text == "&");
        let changes =
            ["assignment", "update", "inc_statement", "dec_statement", "short_var", "named_expression"]
                .iter()
                .any(|part| kind.contains(part));
        let inside = nodes.get(at + 1..at + node.size).unwrap_or_default();
        let targets = inside.iter().take(if takes_address { inside.len() } else { 3 });
        (changes || takes_address) && targets.into_iter().any(|leaf| leaf.is_leaf() && is_parameter(leaf))
    })
}

fn result(outline: &Outline<'_>, unit: usize) -> String {
    let kind = field(outline, unit, "type").or_else(|| field(outline, unit, "result"));
    kind.map(|kind| units::words_of(&outline.nodes, kind)).unwrap_or_default()
}

fn is_private(outline: &Outline<'_>, unit: usize, name: &str) -> bool {
    match outline.language {
        Language::Java => outline.subtree(unit).iter().take(8).any(|node| node.text == "private"),
        Language::Go => !name.starts_with(char::is_uppercase),
        Language::Python => !name.starts_with("test"),
        _ => !ancestors(outline, unit)
            .iter()
            .any(|at| outline.nodes.get(*at).is_some_and(|node| node.kind == "export_statement")),
    }
}
