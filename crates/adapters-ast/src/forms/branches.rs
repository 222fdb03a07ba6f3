//! Branches: an `else` behind a branch that always leaves, a negated condition with both branches, and what is said behind
//! a statement of Ruby.
//!
//! Only where `!` and `!=` are the language's own: a type may give them another meaning in C++, C#, Ruby and Rust.

use crate::expand::replace;
use crate::language::Language;
use crate::names::ancestors;
use crate::outline::{Node, Outline};

use super::Rewriting;

/// Whether conditions of the language are turned here.
pub(super) fn is_known(language: Language) -> bool {
    language.is_script() || matches!(language, Language::Go | Language::Java | Language::Python)
}

/// One branch that is written in another way.
pub(super) fn rewritten<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    match own.kind(at) {
        "if_statement" if is_known(own.language) => flat(own, at).or_else(|| turned(own, at)),
        "if_modifier" | "unless_modifier" if own.language == Language::Ruby => behind(own, at),
        _ => None,
    }
}

/// `a if b` as `if b; a; end`. A condition that assigns declares too late in the one and not in the other.
fn behind<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let children: Vec<usize> = own.children(at).collect();
    let [body, word, condition] = children.as_slice() else { return None };
    let declares =
        |node: &Node<'_>| node.kind.contains("assignment") || matches!(node.text.as_ref(), "=~" | "defined?");
    // What is assigned in front is a variable in the condition behind it.
    let is_assigned = |name: &Node<'_>| {
        name.kind == "identifier"
            && own.kind(*body).contains("assignment")
            && own.subtree(*body).iter().any(|node| node.text == name.text)
    };
    let condition_nodes = || own.subtree(*condition).iter();
    if condition_nodes().any(declares) || condition_nodes().any(is_assigned) || own.kind(*body) == "begin" {
        return None;
    }
    let place = own.nodes.get(at)?;
    let node = |kind: &'static str, field, text: &'static str, size| Node {
        kind,
        field,
        text: text.into(),
        size,
        start: place.start,
        end: place.end,
    };
    let whole = if own.kind(*word) == "if" { "if" } else { "unless" };
    let (condition, body) = (own.subtree(*condition), own.subtree(*body));
    let mut nodes = vec![node(whole, "", "", 4 + condition.len() + body.len()), node(whole, "", whole, 1)];
    nodes.extend(condition.iter().cloned());
    nodes.push(node("then", "consequence", "", 1 + body.len()));
    nodes.extend(body.iter().cloned());
    nodes.push(node("end", "", "end", 1));
    Some(nodes)
}

/// A statement with exactly two branches.
struct Branches {
    condition: usize,
    yes: usize,
    /// Where the words of the second branch begin; they end with the statement.
    otherwise: usize,
    no: usize,
}

fn branches(own: &Outline<'_>, at: usize) -> Option<Branches> {
    let with = |field: &str| -> Vec<usize> {
        own.children(at)
            .filter(|child| own.nodes.get(*child).is_some_and(|node| node.field == field))
            .collect()
    };
    if own.kind(at) != "if_statement" || !with("initializer").is_empty() {
        return None;
    }
    let (condition, yes, alternative) = (with("condition"), with("consequence"), with("alternative"));
    let ([condition], [yes], [alternative]) = (condition.as_slice(), yes.as_slice(), alternative.as_slice())
    else {
        return None;
    };
    let (otherwise, no) = match own.kind(*alternative) {
        "else_clause" => (*alternative, own.children(*alternative).last()?),
        "elif_clause" => return None,
        _ => (own.children(at).find(|child| own.kind(*child) == "else")?, *alternative),
    };
    let is_last = *alternative + own.nodes.get(*alternative)?.size == at + own.nodes.get(at)?.size;
    (is_last && own.kind(no) != "if_statement").then_some(Branches {
        condition: *condition,
        yes: *yes,
        otherwise,
        no,
    })
}

/// The statements of a branch.
pub(super) fn statements(own: &Outline<'_>, branch: usize) -> Vec<usize> {
    if !matches!(own.kind(branch), "block" | "statement_block" | "compound_statement") {
        return vec![branch];
    }
    let inside = own.children(branch).filter(|child| !matches!(own.kind(*child), "{" | "}"));
    let inside: Vec<usize> = inside.collect();
    match inside.as_slice() {
        [list] if own.kind(*list) == "statement_list" => own.children(*list).collect(),
        _ => inside,
    }
}

/// `if c { …; return } else { B }` with the words of `B` behind it, where they declare nothing that would reach further.
fn flat<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let Branches { yes, otherwise, no, .. } = branches(own, at)?;
    let parent = ancestors(own, at).first().copied()?;
    let is_in_list = match own.language {
        Language::Go => own.kind(parent) == "statement_list",
        Language::Java => own.kind(parent) == "block",
        Language::Python => matches!(own.kind(parent), "block" | "module"),
        _ => own.kind(parent) == "statement_block",
    };
    let last = statements(own, yes).last().copied()?;
    let leaves = matches!(
        own.kind(last),
        "return_statement" | "throw_statement" | "raise_statement" | "continue_statement" | "break_statement"
    );
    let moved = statements(own, no);
    let declares = |statement: &usize| {
        let kind = own.kind(*statement);
        kind.contains("declaration") || kind == "labeled_statement" || kind == "PRAGMA"
    };
    let stays_hidden = own.language == Language::Python || !moved.iter().any(declares);
    if !(is_in_list && leaves && stays_hidden) {
        return None;
    }
    let mut nodes = own.nodes.get(at..otherwise)?.to_vec();
    let size = nodes.len();
    nodes.first_mut()?.size = size;
    for statement in moved {
        let start = nodes.len();
        nodes.extend(own.subtree(statement).iter().cloned());
        nodes.get_mut(start)?.field = "";
    }
    Some(nodes)
}

/// `if !c { A } else { B }` as `if c { B } else { A }`.
fn turned<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let Branches { condition, yes, no, .. } = branches(own, at)?;
    let core = inner(own, condition);
    let positive = positive(own, core)?;
    let mut copy = own.clone();
    let (mut first, mut second) = (own.subtree(yes).to_vec(), own.subtree(no).to_vec());
    let fields = (own.nodes.get(yes)?.field, own.nodes.get(no)?.field);
    first.first_mut()?.field = fields.1;
    second.first_mut()?.field = fields.0;
    // From the back to the front, so that the places before stay what they are.
    replace(&mut copy, no, first);
    replace(&mut copy, yes, second);
    replace(&mut copy, core, positive);
    Some(copy.subtree(at).to_vec())
}

/// What stands inside parentheses.
pub(super) fn inner(own: &Outline<'_>, at: usize) -> usize {
    if own.kind(at) != "parenthesized_expression" {
        return at;
    }
    let inside: Vec<usize> =
        own.children(at).filter(|child| !matches!(own.kind(*child), "(" | ")")).collect();
    match inside.as_slice() {
        [only] => *only,
        _ => at,
    }
}

/// What a condition denies; `None` for one that denies nothing.
fn positive<'t>(own: &Outline<'t>, core: usize) -> Option<Vec<Node<'t>>> {
    let children: Vec<usize> = own.children(core).collect();
    match (own.kind(core), children.as_slice()) {
        ("unary_expression", [sign, operand]) if own.kind(*sign) == "!" => {
            Some(own.subtree(inner(own, *operand)).to_vec())
        }
        ("not_operator", [_, operand]) => Some(own.subtree(inner(own, *operand)).to_vec()),
        ("binary_expression", [_, operator, _]) => {
            let equal = match own.kind(*operator) {
                "!=" => "==",
                "!==" => "===",
                _ => return None,
            };
            let mut nodes = own.subtree(core).to_vec();
            let node = nodes.get_mut(operator - core)?;
            (node.kind, node.text) = (equal, equal.into());
            Some(nodes)
        }
        _ => None,
    }
}
