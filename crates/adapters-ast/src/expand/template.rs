//! A function, taken apart so that its body can stand in the place of a call.

use std::collections::{BTreeMap, BTreeSet};

use crate::items::binds_variables;
use crate::language::Language;
use crate::names::{ancestors, is_name};
use crate::outline::{Node, Outline};
use crate::scope::{Binding, bind};

use super::signature::{self, Parameter};

/// A node of a body, with the declaration of the function that it stands for.
#[derive(Clone, Debug)]
pub(super) struct Bound<'t> {
    pub(super) node: Node<'t>,
    pub(super) number: Option<usize>,
    /// Names of variables stand inside its text.
    pub(super) is_filled: bool,
}

type Piece<'t> = Vec<Bound<'t>>;

/// A function that can be expanded.
#[derive(Clone, Debug)]
pub(super) struct Template<'t> {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    /// The name of the value that a method works on: `self`, `this`, a receiver of Go; empty where there is none.
    pub(super) receiver: String,
    /// The declaration that the receiver is, where it is one.
    pub(super) receiver_number: Option<usize>,
    /// The words of the receiver's type in Go.
    pub(super) receiver_type: String,
    pub(super) result: String,
    /// The statements, without the value at the end.
    pub(super) statements: Vec<Piece<'t>>,
    /// What is returned at the end.
    pub(super) value: Option<Piece<'t>>,
    /// All statements as they are.
    pub(super) whole: Vec<Piece<'t>>,
    /// Whether the last statement leaves the function.
    pub(super) leaves: bool,
    /// Whether something before the end may leave the function.
    pub(super) returns: bool,
    /// Whether a function stands in it, which may run later.
    pub(super) has_function: bool,
    /// Whether something lives until its end that may do more than hold a value: a guard, a file.
    pub(super) keeps: bool,
    /// Names that the body uses and does not declare.
    pub(super) free: BTreeSet<String>,
    /// What the body declares, by its number.
    pub(super) own: BTreeMap<usize, String>,
    pub(super) unit: usize,
    /// The container that it stands in.
    pub(super) container: usize,
    pub(super) is_private: bool,
    pub(super) is_static: bool,
}

/// Whether a statement of Rust gives a name to something that its function may have to drop: no number, no reference, not
/// what is given back.
fn holds(outline: &Outline<'_>, statement: usize, result: Option<usize>) -> bool {
    let (Some(pattern), Some(value)) =
        (outline.child_by_field(statement, "pattern"), outline.child_by_field(statement, "value"))
    else {
        return outline.kind(statement) == "let_declaration";
    };
    let is_given_back = result.is_some_and(|result| {
        outline.kind(result) == "identifier" && outline.text(result) == outline.text(pattern)
    });
    let is_counted = outline.child_by_field(value, "function").is_some_and(|callee| {
        outline.child_by_field(callee, "field").is_some_and(|name| {
            let name = outline.text(name);
            matches!(name, "len" | "count")
                || ["is_", "as_", "contains"].iter().any(|start| name.starts_with(start))
        })
    });
    let is_plain = outline.kind(value).ends_with("_literal")
        || matches!(
            outline.kind(value),
            "reference_expression" | "binary_expression" | "type_cast_expression"
        );
    !(is_given_back || is_counted || is_plain || outline.text(pattern) == "_")
}

/// Words that bind a body to its function, or that are not followed here.
const BOUND: &[&str] = &[
    "Caller",
    "Callers",
    "GetCurrentMethod",
    "StackTrace",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "__builtin_frame_address",
    "__builtin_return_address",
    "__func__",
    "_getframe",
    "alloca",
    "arguments",
    "async",
    "await",
    "captureStackTrace",
    "currentframe",
    "defer",
    "eval",
    "exec",
    "global",
    "getStackTrace",
    "go",
    "goto",
    "locals",
    "new.target",
    "nonlocal",
    "recover",
    "select",
    "setjmp",
    "stacklevel",
    "super",
    "target",
    "using",
    "va_start",
    "yield",
];

/// Takes a function apart; `None` where its body cannot stand elsewhere.
pub(super) fn take<'t>(outline: &Outline<'t>, unit: usize) -> Option<Template<'t>> {
    if !is_expandable(outline, unit) || has_marks(outline, unit) {
        return None;
    }
    let name = signature::name(outline, unit)?;
    let body = outline.child_by_field(unit, "body")?;
    let (mut parameters, receiver) = signature::parameters(outline, unit)?;
    let mut known = parameters.clone();
    known.extend(receiver.clone());
    let is_this = |node: &Node<'_>| outline.language.is_script() && node.text == "this" && receiver.is_none();
    let words = outline.subtree(body);
    let is_bound =
        words.iter().any(|node| node.is_leaf() && (BOUND.contains(&node.text.as_ref()) || is_this(node)));
    let calls_itself = outline.language != Language::Java
        && words.iter().any(|node| node.is_leaf() && is_name(node.kind) && node.text == name);
    // What a function keeps between its calls is one thing for all of them.
    let keeps = outline.language == Language::C && words.iter().any(|node| node.text == "static")
        || words.iter().any(|node| node.kind == "static_item");
    let jumps = keeps || jumps_out(outline, body);
    if is_bound || calls_itself || jumps || signature::is_reassigned(outline, body, &known) {
        return None;
    }
    let bindings = bind(outline, unit)?;
    for parameter in &mut parameters {
        parameter.number = number(bindings.get(parameter.at.checked_sub(unit)?)?);
        parameter.number?;
    }
    let taken = Taken { outline, unit, bindings: &bindings };
    let receiver_number = receiver.as_ref().and_then(|known| taken.binding(known.at)).and_then(number);
    let (own, free) = taken.names(body, &parameters, receiver_number);
    let is_value = outline.kind(body) == "arrow_expression_clause";
    let all = if is_value { vec![body + 2] } else { statements(outline, body) };
    let value =
        all.last().copied().and_then(|last| if is_value { Some(last) } else { value_of(outline, last) });
    let before =
        if value.is_some() { all.split_last().map_or(&[][..], |(_, before)| before) } else { &all[..] };
    let leaves = all.last().is_some_and(|last| value.is_some() || is_leaving(outline, *last));
    let is_static = words_of_head(outline, unit).any(|word| word == "static")
        && !words.iter().any(|node| node.text == "this");
    let is_one = !is_value || signature::result(outline, unit) != "void";
    (!all.is_empty() && is_one).then(|| Template {
        statements: before.iter().map(|at| taken.piece(*at)).collect(),
        value: value.map(|at| taken.piece(at)),
        whole: all.iter().map(|at| taken.piece(*at)).collect(),
        leaves,
        returns: before.iter().any(|at| may_return(outline, *at)),
        keeps: outline.language == Language::Rust && before.iter().any(|at| holds(outline, *at, value)),
        has_function: words.iter().any(|node| is_function(outline.language, node.kind)),
        result: signature::result(outline, unit),
        receiver_type: signature::receiver_type(outline, unit),
        container: ancestors(outline, unit).first().copied().unwrap_or_default(),
        is_private: signature::is_private(outline, unit, &name),
        parameters,
        receiver: receiver.map(|receiver| receiver.name).unwrap_or_default(),
        receiver_number,
        own,
        free,
        unit,
        is_static,
        name,
    })
}

fn is_expandable(outline: &Outline<'_>, unit: usize) -> bool {
    matches!(
        (outline.language, outline.kind(unit)),
        (Language::Java | Language::CSharp, "method_declaration")
            | (Language::Python | Language::C, "function_definition")
            | (Language::Go, "function_declaration" | "method_declaration")
            | (Language::Rust, "function_item")
            | (
                Language::TypeScript | Language::Tsx | Language::JavaScript,
                "function_declaration" | "method_definition"
            )
    )
}

/// Whether a node of this kind is a function inside a body.
pub(super) fn is_function(language: Language, kind: &str) -> bool {
    binds_variables(language, kind) || kind == "lambda_expression" || kind.ends_with("_comprehension")
}

fn number(binding: &Binding) -> Option<usize> {
    match binding {
        Binding::Local(number) | Binding::Fixed(number) => Some(*number),
        Binding::Text | Binding::Filled(_) => None,
    }
}

/// A function with what its names stand for.
struct Taken<'o, 't> {
    outline: &'o Outline<'t>,
    unit: usize,
    bindings: &'o [Binding],
}

impl<'t> Taken<'_, 't> {
    fn binding(&self, at: usize) -> Option<&Binding> {
        self.bindings.get(at.checked_sub(self.unit)?)
    }

    fn piece(&self, from: usize) -> Piece<'t> {
        let nodes = self.outline.subtree(from).iter().enumerate();
        let bound = nodes.map(|(at, node)| {
            let binding = self.binding(from + at);
            let is_filled = matches!(binding, Some(Binding::Filled(_)));
            Bound { node: node.clone(), number: binding.and_then(number), is_filled }
        });
        bound.collect()
    }

    /// The names that a body declares, and the ones that it takes from around it.
    fn names(
        &self,
        body: usize,
        parameters: &[Parameter],
        receiver: Option<usize>,
    ) -> (BTreeMap<usize, String>, BTreeSet<String>) {
        let (mut own, mut free) = (BTreeMap::new(), BTreeSet::new());
        for (at, node) in self.outline.subtree(body).iter().enumerate() {
            match self.binding(body + at).and_then(number) {
                Some(number) if receiver == Some(number) => {}
                Some(number) if parameters.iter().all(|known| known.number != Some(number)) => {
                    own.insert(number, node.text.to_string());
                }
                None if node.is_leaf() && is_name(node.kind) => {
                    free.insert(node.text.to_string());
                }
                _ => {}
            }
        }
        (own, free)
    }
}

/// The words of a function before its parameters.
fn words_of_head<'o>(outline: &'o Outline<'_>, unit: usize) -> impl Iterator<Item = &'o str> {
    let end = outline
        .child_by_field(unit, "parameters")
        .or_else(|| outline.child_by_field(unit, "declarator"))
        .unwrap_or(unit);
    outline.nodes.get(unit..end).unwrap_or_default().iter().map(|node| node.text.as_ref())
}

/// Annotations, decorators, attributes, and words that make a call more than a call.
fn has_marks(outline: &Outline<'_>, unit: usize) -> bool {
    let heads = outline.children(unit).filter(|child| {
        outline.nodes.get(*child).is_some_and(|node| node.field != "body" && node.field != "parameters")
    });
    let is_mark = |node: &Node<'_>| {
        matches!(
            node.kind,
            "annotation"
                | "marker_annotation"
                | "decorator"
                | "attribute_list"
                | "type_parameters"
                | "type_parameter_list"
                | "where_clause"
        ) || matches!(
            node.text.as_ref(),
            "synchronized"
                | "abstract"
                | "native"
                | "async"
                | "unsafe"
                | "extern"
                | "const"
                | "virtual"
                | "override"
                | "get"
                | "set"
                | "partial"
        ) || (outline.language.is_script() && node.text == "*")
    };
    let is_constant_pointer = outline.language == Language::C;
    let is_marked = heads.into_iter().any(|head| {
        outline
            .subtree(head)
            .iter()
            .any(|node| is_mark(node) && !(is_constant_pointer && node.text == "const"))
    });
    let parent = ancestors(outline, unit).first().copied();
    let is_decorated = parent.is_some_and(|parent| {
        let before = outline.children(parent).take_while(|child| *child < unit).last();
        outline.kind(parent) == "decorated_definition"
            || before.is_some_and(|before| matches!(outline.kind(before), "attribute_item" | "decorator"))
    });
    is_marked || is_decorated
}

/// The statements of a body, by index.
fn statements(outline: &Outline<'_>, body: usize) -> Vec<usize> {
    let list = outline.children(body).find(|child| outline.kind(*child) == "statement_list").unwrap_or(body);
    outline.children(list).filter(|child| !matches!(outline.kind(*child), "{" | "}" | ";")).collect()
}

/// What a statement at the end of a body gives back, when it is one value.
pub(super) fn value_of(outline: &Outline<'_>, statement: usize) -> Option<usize> {
    if outline.language == Language::Rust {
        return rust_value(outline, statement);
    }
    if outline.kind(statement) != "return_statement" {
        return None;
    }
    let value = outline.children(statement).find(|child| !matches!(outline.kind(*child), "return" | ";"))?;
    if outline.kind(value) != "expression_list" {
        return Some(value);
    }
    let mut parts = outline.children(value);
    match (parts.next(), parts.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

fn rust_value(outline: &Outline<'_>, statement: usize) -> Option<usize> {
    let of_statement = outline.kind(statement);
    if of_statement == "expression_statement" {
        let inner =
            outline.children(statement).next().filter(|at| outline.kind(*at) == "return_expression")?;
        return outline.children(inner).nth(1);
    }
    let is_value = !of_statement.ends_with("_declaration")
        && !of_statement.ends_with("_item")
        && !matches!(of_statement, "empty_statement" | "macro_definition");
    is_value.then_some(statement)
}

fn is_leaving(outline: &Outline<'_>, statement: usize) -> bool {
    matches!(outline.kind(statement), "return_statement" | "throw_statement" | "raise_statement")
}

/// Whether a statement may leave the function that it stands in; what leaves a function inside it does not.
fn may_return(outline: &Outline<'_>, statement: usize) -> bool {
    let end = statement + outline.subtree(statement).len();
    let mut at = statement;
    while let Some(node) = outline.nodes.get(at).filter(|_| at < end) {
        if is_function(outline.language, node.kind) && !node.kind.ends_with("_comprehension") {
            at += node.size;
            continue;
        }
        if matches!(node.kind, "return_statement" | "return_expression" | "try_expression") {
            return true;
        }
        // A macro may return.
        if node.kind == "token_tree"
            && outline.subtree(at).iter().any(|node| matches!(node.text.as_ref(), "return" | "?"))
        {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether `break` or `continue` stands where no loop or switch of the body holds it.
fn jumps_out(outline: &Outline<'_>, body: usize) -> bool {
    let end = body + outline.subtree(body).len();
    let is_jump = |at: &usize| {
        outline
            .nodes
            .get(*at)
            .is_some_and(|node| node.is_leaf() && matches!(node.text.as_ref(), "break" | "continue"))
    };
    (body..end).filter(is_jump).any(|at| {
        let holds = |around: usize| {
            let kind = outline.kind(around);
            is_loop(kind) || (kind.contains("switch") && outline.text(at) == "break")
        };
        !ancestors(outline, at).into_iter().take_while(|around| *around > body).any(holds)
    })
}

/// Whether a node of this kind runs its body again and again.
pub(super) fn is_loop(kind: &str) -> bool {
    ["for", "while", "loop", "enhanced_for", "do_"].iter().any(|start| kind.starts_with(start))
}
