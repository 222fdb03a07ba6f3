//! Assignments that say a variable twice, names that are thrown away, lists of parameters of one type, orders of words,
//! and texts with places to fill in.

use crate::language::Language;
use crate::names::is_name;
use crate::outline::{Node, Outline};
use crate::units::words_of;

use super::{Rewriting, leaf, with_children};

/// One place that is written in another way.
pub(super) fn rewritten<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    match (own.language, own.kind(at)) {
        (_, "assignment_expression" | "assignment_statement") => compound(own, at),
        (Language::Go, "range_clause" | "short_var_declaration") => thrown_away(own, at),
        (Language::Go, "parameter_list") => of_one_type(own, at),
        (Language::Go, "interface_type") => any(own, at),
        (Language::Go, "const_declaration") => sorted(own, at),
        (Language::Java, "modifiers") => in_order(own, at, |kind| !kind.contains("annotation")),
        (Language::CSharp, _) => in_order(own, at, |kind| kind == "modifier"),
        (Language::Php, _) => in_order(own, at, |kind| kind.ends_with("_modifier")),
        (Language::Rust, "token_tree") => filled_in(own, at),
        _ => None,
    }
}

/// What a list of one element holds; anything else itself.
fn only(own: &Outline<'_>, at: usize) -> usize {
    let is_one = own.kind(at) == "expression_list" && own.children(at).count() == 1;
    if is_one { at + 1 } else { at }
}

/// `a = a + b` as `a += b`, for a variable of a language in which operators are the language's own.
fn compound<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    const OPERATORS: &[(&str, &str)] = &[
        ("+", "+="),
        ("-", "-="),
        ("*", "*="),
        ("/", "/="),
        ("%", "%="),
        ("&", "&="),
        ("|", "|="),
        ("^", "^="),
    ];
    let is_script = own.language.is_script();
    // What other threads see changes in one step with the one, and in two with the other.
    let is_shared = || own.language == Language::C && own.source.contains("tomic");
    if !is_script && !matches!(own.language, Language::Go | Language::Java | Language::C) || is_shared() {
        return None;
    }
    let parts: Vec<usize> = own.children(at).collect();
    let [target, sign, value] = parts.as_slice() else { return None };
    let (name, sum) = (only(own, *target), only(own, *value));
    let is_variable = own.nodes.get(name).is_some_and(|node| node.is_leaf() && is_name(node.kind));
    let sides: Vec<usize> = own.children(sum).collect();
    let [left, operator, right] = sides.as_slice() else { return None };
    let is_sum = own.kind(sum) == "binary_expression" && own.text(*sign) == "=";
    let is_same = own.nodes.get(*left).is_some_and(|node| node.is_leaf() && node.text == own.text(name));
    let (_, sign_of) = OPERATORS.iter().find(|(operator_text, _)| own.text(*operator) == *operator_text)?;
    if !(is_variable && is_sum && is_same) {
        return None;
    }
    let mut nodes = own.subtree(*target).to_vec();
    let mut sign = leaf(own, *sign, sign_of, sign_of)?;
    sign.field = "operator";
    nodes.push(sign);
    if sum != *value {
        nodes.push(Node { size: 1 + own.subtree(*right).len(), ..own.nodes.get(*value)?.clone() });
    }
    nodes.extend(own.subtree(*right).iter().cloned());
    let mut whole = with_children(own, at, nodes)?;
    if is_script {
        whole.first_mut()?.kind = "augmented_assignment_expression";
    }
    Some(whole)
}

/// `for k, _ := range m` as `for k := range m`, and a look into a map that does not ask whether there was something.
fn thrown_away<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let list = own.child_by_field(at, "left").filter(|list| own.kind(*list) == "expression_list")?;
    let names: Vec<usize> = own.children(list).collect();
    let [first, _, last] = names.as_slice() else { return None };
    let is_look = own.kind(at) == "range_clause"
        || own.child_by_field(at, "right").is_some_and(|right| {
            let value = only(own, right);
            value != right && own.kind(value) == "index_expression"
        });
    if own.text(*last) != "_" || !is_look || own.text(*first) == "_" {
        return None;
    }
    let mut nodes = vec![Node { size: 1 + own.subtree(*first).len(), ..own.nodes.get(list)?.clone() }];
    nodes.extend(own.subtree(*first).iter().cloned());
    nodes.extend(own.nodes.get(list + own.subtree(list).len()..at + own.subtree(at).len())?.iter().cloned());
    let before = own.nodes.get(at + 1..list)?.to_vec();
    with_children(own, at, [before, nodes].concat())
}

/// `a int, b int` as `a, b int`.
fn of_one_type<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let parts: Vec<usize> = own.children(at).collect();
    let pair = parts.windows(3).find_map(|window| {
        let [one, comma, other] = window else { return None };
        let type_of = |part: usize| -> Option<String> {
            (own.kind(part) == "parameter_declaration").then_some(())?;
            own.child_by_field(part, "name")?;
            Some(words_of(&own.nodes, own.child_by_field(part, "type")?))
        };
        (own.kind(*comma) == "," && type_of(*one)? == type_of(*other)?).then_some((*one, *comma, *other))
    });
    let (one, comma, other) = pair?;
    let kind_of = own.child_by_field(one, "type")?;
    let mut merged = own.nodes.get(one + 1..kind_of)?.to_vec();
    merged.push(own.nodes.get(comma)?.clone());
    merged.extend(own.nodes.get(other + 1..other + own.subtree(other).len())?.iter().cloned());
    let mut nodes = own.nodes.get(at + 1..one)?.to_vec();
    nodes.push(Node { size: merged.len() + 1, ..own.nodes.get(one)?.clone() });
    nodes.extend(merged);
    nodes
        .extend(own.nodes.get(other + own.subtree(other).len()..at + own.subtree(at).len())?.iter().cloned());
    with_children(own, at, nodes)
}

/// `interface{}` as `any`, where the text gives that name to nothing else.
fn any<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let is_empty = own.subtree(at).iter().skip(1).all(|node| matches!(node.kind, "interface" | "{" | "}"));
    let is_taken = || {
        own.nodes.iter().any(|node| node.text == "any" && node.kind != "type_identifier")
            || own.nodes.iter().any(|node| node.text == "any" && node.field == "name")
    };
    let node = own.nodes.get(at)?;
    (is_empty && own.spend() && !is_taken())
        .then(|| vec![Node { kind: "type_identifier", text: "any".into(), size: 1, ..node.clone() }])
}

/// Constants of a Go package that are given a value each, none of which depends on its place. In a function one may hide a
/// name from those behind it only.
fn sorted<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    let specs: Vec<usize> = own.children(at).filter(|child| own.kind(*child) == "const_spec").collect();
    let has_value = |spec: &usize| own.child_by_field(*spec, "value").is_some();
    let counts = own.subtree(at).iter().any(|node| matches!(node.text.as_ref(), "iota" | "_"));
    let is_of_the_package = own.children(0).any(|item| item == at);
    let mut in_order = specs.clone();
    in_order.sort_by_cached_key(|spec| words_of(&own.nodes, *spec));
    if specs == in_order || !specs.iter().all(has_value) || counts || !is_of_the_package {
        return None;
    }
    let (first, last) = (*specs.first()?, *specs.last()?);
    let end = last + own.subtree(last).len();
    let inside = specs.iter().map(|spec| own.subtree(*spec).len()).sum::<usize>();
    // Nothing but the constants stands between them.
    (first + inside == end).then_some(())?;
    let mut nodes = own.nodes.get(at + 1..first)?.to_vec();
    nodes.extend(in_order.iter().flat_map(|spec| own.subtree(*spec).to_vec()));
    nodes.extend(own.nodes.get(end..at + own.subtree(at).len())?.iter().cloned());
    with_children(own, at, nodes)
}

/// Words whose order says nothing, in one order.
fn in_order<'t>(own: &Outline<'t>, at: usize, is_word: fn(&str) -> bool) -> Rewriting<'t> {
    let parts: Vec<usize> = own.children(at).collect();
    let is_turned = |pair: &[usize]| match pair {
        [one, other] => {
            is_word(own.kind(*one))
                && is_word(own.kind(*other))
                && words_of(&own.nodes, *one) > words_of(&own.nodes, *other)
        }
        _ => false,
    };
    let first = parts.windows(2).position(is_turned)?;
    let (one, other) = (*parts.get(first)?, *parts.get(first + 1)?);
    let mut nodes = own.nodes.get(at + 1..one)?.to_vec();
    nodes.extend(own.subtree(other).iter().cloned());
    nodes.extend(own.subtree(one).iter().cloned());
    nodes
        .extend(own.nodes.get(other + own.subtree(other).len()..at + own.subtree(at).len())?.iter().cloned());
    with_children(own, at, nodes)
}

/// `format!("{}", a)` as `format!("{a}")`, for variables. A `panic!` of one text fills nothing in before the edition of
/// 2021.
fn filled_in<'t>(own: &Outline<'t>, at: usize) -> Rewriting<'t> {
    const MACROS: &[&str] =
        &["eprint", "eprintln", "format", "format_args", "print", "println", "write", "writeln"];
    let name = at.checked_sub(2).map_or("", |name| own.text(name));
    if !MACROS.contains(&name) || own.text(at - 1) != "!" {
        return None;
    }
    let parts: Vec<usize> = own.children(at).collect();
    let place = parts.iter().position(|part| own.kind(*part) == "string_literal")?;
    let is_first = place == 1 || (place == 3 && name.starts_with("write"));
    let literal = *parts.get(place)?;
    let rest = parts.get(place + 1..parts.len().checked_sub(1)?)?;
    if !is_first || rest.first().is_none_or(|comma| own.kind(*comma) != ",") {
        return None;
    }
    let arguments: Vec<&[usize]> = rest.get(1..)?.split(|part| own.kind(*part) == ",").collect();
    let is_named = |argument: &&[usize]| argument.iter().any(|part| own.kind(*part) == "=");
    let variable = |argument: &[usize]| match argument {
        [only] if own.kind(*only) == "identifier" => Some(own.text(*only).to_owned()),
        _ => None,
    };
    if arguments.iter().any(is_named) || !arguments.iter().any(|argument| variable(argument).is_some()) {
        return None;
    }
    let names: Vec<Option<String>> = arguments.iter().map(|argument| variable(argument)).collect();
    let mut nodes = own.subtree(literal).to_vec();
    let mut next = 0;
    for node in nodes.iter_mut().filter(|node| node.kind == "string_content") {
        node.text = with_names(&node.text, &names, &mut next)?.into();
    }
    if next != names.len() {
        return None;
    }
    let mut whole = own.nodes.get(at + 1..literal)?.to_vec();
    whole.extend(nodes);
    for argument in arguments.iter().filter(|argument| variable(argument).is_none()) {
        whole.push(leaf(own, literal, ",", ",")?);
        whole.extend(argument.iter().flat_map(|part| own.subtree(*part).to_vec()));
    }
    whole.push(own.nodes.get(*parts.last()?)?.clone());
    with_children(own, at, whole)
}

/// A text whose empty places carry the names of variables; `None` where a place says more than how to write a value.
fn with_names(text: &str, names: &[Option<String>], next: &mut usize) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once('{') {
        out.push_str(head);
        out.push('{');
        if let Some(tail) = tail.strip_prefix('{') {
            out.push('{');
            rest = tail;
            continue;
        }
        let (inside, tail) = tail.split_once('}')?;
        let (name, how) = inside.split_once(':').map_or((inside, ""), |(name, how)| (name, how));
        if how.contains(['$', '*']) || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if name.is_empty() {
            out.push_str(names.get(*next)?.as_deref().unwrap_or_default());
            *next += 1;
        } else {
            out.push_str(name);
        }
        if !how.is_empty() {
            out.push(':');
            out.push_str(how);
        }
        out.push('}');
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}
