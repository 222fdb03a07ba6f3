//! A branch that holds nothing but another branch: `else { if … }` as `else if …`, and two conditions as one with "and".

use crate::language::Language;
use crate::outline::{Node, Outline};

use super::branches::{inner, is_known, statements};
use super::{Rewriting, leaf, with_children};

/// One branch that is written in another way.
pub(super) fn rewritten<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    match own.kind(at) {
        "if_statement" | "if_expression" => chained(own, at).or_else(|| joined(own, at)),
        _ => None,
    }
}

/// The branch that is all of a block.
fn only_branch(own: &Outline<'_>, block: usize) -> Option<usize> {
    let is_block = matches!(own.kind(block), "block" | "statement_block" | "compound_statement");
    let inside = statements(own, block);
    let [only] = inside.as_slice() else { return None };
    // The last expression of a block of Rust may stand in a statement of its own.
    let branch = if own.language == Language::Rust && own.kind(*only) == "expression_statement" {
        let mut parts = own.children(*only);
        parts.next().filter(|_| parts.next().is_none())?
    } else {
        *only
    };
    (is_block && matches!(own.kind(branch), "if_statement" | "if_expression")).then_some(branch)
}

/// `else { if b { … } }` as `else if b { … }`, and as `elif` in Python.
fn chained<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let last = own.children(at).last()?;
    let end = at + own.subtree(at).len();
    let before = own.nodes.get(at + 1..last)?.to_vec();
    if own.language == Language::Python {
        let body = own.child_by_field(last, "body").filter(|_| own.kind(last) == "else_clause")?;
        let branch = only_branch(own, body)?;
        let parts: Vec<usize> = own.children(branch).collect();
        let is_clause = |part: &usize| matches!(own.kind(*part), "elif_clause" | "else_clause");
        let (head, clauses): (Vec<usize>, Vec<usize>) =
            parts.into_iter().skip(1).partition(|part| !is_clause(part));
        let mut clause = vec![leaf(own, branch, "elif", "elif")?];
        clause.extend(head.iter().flat_map(|part| own.subtree(*part).to_vec()));
        let mut whole = leaf(own, branch, "elif_clause", "")?;
        (whole.field, whole.size) = ("alternative", clause.len() + 1);
        let mut nodes = before;
        nodes.push(whole);
        nodes.extend(clause);
        nodes.extend(clauses.iter().flat_map(|part| own.subtree(*part).to_vec()));
        return with_children(own, at, nodes);
    }
    let block = match own.kind(last) {
        "else_clause" => own.children(last).last()?,
        _ if own.nodes.get(last)?.field == "alternative" => last,
        _ => return None,
    };
    let branch = only_branch(own, block)?;
    let mut inside = own.subtree(branch).to_vec();
    inside.first_mut()?.field = own.nodes.get(block)?.field;
    if block == last {
        return with_children(own, at, [before, inside].concat());
    }
    let head = own.nodes.get(last + 1..block)?.to_vec();
    let size = 1 + head.len() + inside.len();
    let clause = vec![Node { size, ..own.nodes.get(last)?.clone() }];
    (block + own.subtree(block).len() == end).then_some(())?;
    with_children(own, at, [before, clause, head, inside].concat())
}

/// `if a { if b { … } }` as `if a && b { … }`.
fn joined<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let plain = |at: usize| {
        let has = |field: &str| own.child_by_field(at, field).is_some();
        let is_plain = own.kind(at) == "if_statement" && !has("alternative") && !has("initializer");
        is_plain.then_some((own.child_by_field(at, "condition")?, own.child_by_field(at, "consequence")?))
    };
    is_known(own.language).then_some(())?;
    let (condition, consequence) = plain(at)?;
    let branch = only_branch(own, consequence)?;
    let (second, body) = plain(branch)?;
    let (place, first) = (inner(own, condition), own.nodes.get(inner(own, condition))?);
    let mut both = and(own, own.subtree(place), own.subtree(inner(own, second)), place)?;
    both.first_mut()?.field = first.field;
    let mut copy = own.clone();
    let mut inside = own.subtree(body).to_vec();
    inside.first_mut()?.field = "consequence";
    // From the back to the front, so that the places before stay what they are.
    crate::expand::replace(&mut copy, consequence, inside);
    crate::expand::replace(&mut copy, place, both);
    Some(copy.subtree(at).to_vec())
}

/// Two conditions of which the second is asked where the first holds.
fn and<'t>(own: &Outline<'t>, left: &[Node<'t>], right: &[Node<'t>], place: usize) -> Option<Vec<Node<'t>>> {
    let (kind, word) = if own.language == Language::Python {
        ("boolean_operator", "and")
    } else {
        ("binary_expression", "&&")
    };
    let first = right.first()?;
    let parts: Vec<usize> = crate::outline::children_of(right, 0).collect();
    if let (true, [one, sign, other]) = (first.kind == kind, parts.as_slice())
        && right.get(*sign)?.text == word
    {
        let side = |at: usize| right.get(at..at + right.get(at).map_or(0, |node| node.size));
        let before = and(own, left, side(*one)?, place)?;
        return joined_by(own, &before, side(*other)?, place, (kind, word));
    }
    joined_by(own, left, right, place, (kind, word))
}

fn joined_by<'t>(
    own: &Outline<'t>,
    left: &[Node<'t>],
    right: &[Node<'t>],
    place: usize,
    (kind, word): (&'static str, &'static str),
) -> Option<Vec<Node<'t>>> {
    let mut nodes = vec![leaf(own, place, kind, "")?];
    nodes.extend(left.iter().cloned());
    let sign = nodes.len();
    nodes.push(leaf(own, place, word, word)?);
    nodes.extend(right.iter().cloned());
    nodes.get_mut(1)?.field = "left";
    nodes.get_mut(sign)?.field = "operator";
    nodes.get_mut(sign + 1)?.field = "right";
    let size = nodes.len();
    nodes.first_mut()?.size = size;
    Some(nodes)
}
