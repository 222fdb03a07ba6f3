//! Where a call stands, and what may stand there instead of it.
//!
//! A body takes the place of its call where it is run as often, at the same time and on the same values, and where leaving
//! it leaves no more than the call did.

use crate::language::Language;
use crate::names::{ancestors, is_name};
use crate::outline::{Node, Outline};
use crate::scope::{Binding, bind};
use crate::units::{self, words_of};

use super::arguments::{self, Filling};
use super::calls::{arguments_of, caller_of};
use super::first::comes_first;
use super::signature;
use super::template::{Bound, Template, is_function, is_loop, value_of};

/// What stands in the place of the call, and where.
pub(super) fn expanded<'t>(
    own: &Outline<'t>,
    call: usize,
    template: &Template<'t>,
) -> Option<(usize, Vec<Node<'t>>)> {
    let caller = caller_of(own, call)?;
    let receiver = receiver(own, call, caller, template)?;
    if !template.receiver_type.is_empty()
        && !arguments::declares_as(own, caller, &receiver, &template.receiver_type)
    {
        return None;
    }
    let given = arguments_of(own, own.child_by_field(call, "arguments")?);
    let bindings = bind(own, caller)?;
    for (argument, parameter) in given.iter().zip(&template.parameters) {
        arguments::is_fit(own, *argument, caller, &bindings, template, parameter).then_some(())?;
    }
    if means_something_else(own, caller, &bindings, template, &receiver) {
        return None;
    }
    let filling = Filling::of(own, call, caller, template, &given, &receiver)?;
    let place = Place::of(own, call, caller)?;
    // What the body holds is let go where the function ends.
    (place.is_last || !template.keeps).then_some(())?;
    put(own, &place, template, &filling)
}

/// Where a call stands.
struct Place {
    call: usize,
    /// The call with the `?` behind it.
    whole: usize,
    caller: usize,
    statement: usize,
    /// The statement ends the body of the caller.
    is_last: bool,
}

impl Place {
    fn of(own: &Outline<'_>, call: usize, caller: usize) -> Option<Self> {
        const LISTS: &[&str] =
            &["block", "statement_block", "compound_statement", "statement_list", "constructor_body"];
        let around = ancestors(own, call);
        let is_tried = around.first().is_some_and(|at| own.kind(*at) == "try_expression");
        let whole = if is_tried { *around.first()? } else { call };
        let is_statement = |at: &usize| {
            let kind = own.kind(*at);
            (kind.ends_with("_statement") && kind != "if_statement")
                || kind.ends_with("declaration") && kind != "variable_declaration"
                || kind == "variable_declaration" && own.language.is_script()
        };
        let is_listed =
            |at: usize| ancestors(own, at).first().is_some_and(|list| LISTS.contains(&own.kind(*list)));
        let of_list = || around.iter().copied().find(|at| is_listed(*at));
        let found = || around.iter().copied().find(is_statement).or_else(of_list);
        let statement = if is_listed(whole) { whole } else { found()? };
        let end = |at: usize| at + own.subtree(at).len();
        let body = own.child_by_field(caller, "body")?;
        let brackets = own.nodes.get(end(statement)..end(body)).unwrap_or_default();
        let is_direct = ancestors(own, statement)
            .into_iter()
            .take_while(|at| *at > body)
            .all(|at| own.kind(at) == "statement_list");
        let is_last = is_direct && brackets.iter().all(|node| matches!(node.text.as_ref(), "}" | ";"));
        Some(Self { call, whole, caller, statement, is_last })
    }
}

fn put<'t>(
    own: &Outline<'t>,
    place: &Place,
    template: &Template<'t>,
    filling: &Filling<'_, 't>,
) -> Option<(usize, Vec<Node<'t>>)> {
    let pieces =
        |all: &[Vec<Bound<'t>>]| all.iter().map(|piece| filling.fill(piece)).collect::<Option<Vec<_>>>();
    let is_returned = value_of(own, place.statement).is_some_and(|value| value == place.whole);
    let same_result = || has_same_result(own, place, template);
    // All of the body where the call is what the caller gives back.
    if is_returned && place.whole == place.call {
        let ends_alike = template.leaves || place.is_last;
        let may_leave =
            place.is_last || own.language != Language::Rust || (!template.returns && is_bare(own, place));
        let is_one = template.statements.is_empty();
        if !is_one && ends_alike && may_leave && same_result() {
            let whole =
                if own.language == Language::Rust { rust_body(place, template) } else { &template.whole };
            return Some((place.statement, in_a_block(own, place.statement, pieces(whole)?)));
        }
    }
    if template.returns && !is_tried_alike(own, place, template) {
        return None;
    }
    let value = value_at(own, place, template)?;
    let is_alone = own.kind(place.statement) == "expression_statement"
        && own.children(place.statement).next() == Some(place.whole);
    match value {
        None if is_alone => {
            let is_void = match own.language {
                Language::Java | Language::CSharp => template.result == "void",
                Language::C => template.result == "void ",
                Language::Go => template.result.is_empty(),
                _ => true,
            };
            is_void.then_some(())?;
            Some((place.statement, in_a_block(own, place.statement, pieces(&template.statements)?)))
        }
        None => None,
        Some(value) if template.statements.is_empty() => {
            is_kept_whole(own, place, template).then_some(())?;
            Some((place.whole, filling.fill(&value)?))
        }
        Some(value) => with_value(own, place, template, filling, &value),
    }
}

/// The statements of a body of Rust for a place that ends in its value.
fn rust_body<'b, 't>(place: &Place, template: &'b Template<'t>) -> &'b [Vec<Bound<'t>>] {
    if place.is_last || !template.returns { &template.whole } else { &[] }
}

/// Whether the call is the value of a block, with nothing behind it.
fn is_bare(own: &Outline<'_>, place: &Place) -> bool {
    let end = place.statement + own.subtree(place.statement).len();
    place.statement == place.call && own.nodes.get(end).is_some_and(|node| node.text == "}")
}

/// Whether the caller gives back what the function does, in languages that convert what is given back.
fn has_same_result(own: &Outline<'_>, place: &Place, template: &Template<'_>) -> bool {
    let is_typed = matches!(
        own.language,
        Language::Java | Language::CSharp | Language::C | Language::Go | Language::Rust
    );
    let mut around = ancestors(own, place.statement).into_iter().take_while(|at| *at > place.caller);
    let is_of_caller = !around.any(|at| is_function(own.language, own.kind(at)));
    !is_typed || is_of_caller && signature::result(own, place.caller) == template.result
}

/// Whether the call is tried with `?` in a function that fails as the body does.
fn is_tried_alike(own: &Outline<'_>, place: &Place, template: &Template<'_>) -> bool {
    let failure = |words: &str| {
        let (_, inside) = words.split_once("Result<").or_else(|| words.split_once("Option<"))?;
        let kind = words.split_once('<').map(|(kind, _)| kind.to_owned())?;
        let error = inside.rsplit_once(',').map(|(_, error)| error.trim_end_matches('>').to_owned());
        Some((kind, error))
    };
    let returns_itself = template.statements.iter().flatten().any(|bound| {
        bound.node.kind == "return_expression"
            || bound.node.text == "return"
            || bound.node.kind == "token_tree"
    });
    place.whole != place.call
        && !returns_itself
        && failure(&signature::result(own, place.caller))
            .is_some_and(|own| Some(own) == failure(&template.result))
}

/// What the body gives back at this place: behind a `?` what stands in `Ok`.
fn value_at<'t>(own: &Outline<'t>, place: &Place, template: &Template<'t>) -> Option<Option<Vec<Bound<'t>>>> {
    if place.whole == place.call {
        return Some(template.value.clone());
    }
    let value = template.value.as_ref()?;
    let nodes: Vec<Node<'t>> = value.iter().map(|bound| bound.node.clone()).collect();
    let texts: Vec<&str> = nodes.iter().map(|node| node.text.as_ref()).collect();
    let is_kept = is_tried_alike(own, place, template);
    match (nodes.first()?.kind, texts.as_slice()) {
        ("call_expression", [_, "Ok" | "Some", _, "(", .., ")"]) if is_kept => {
            let inside: Vec<Bound<'t>> = value.get(4..value.len() - 1)?.to_vec();
            let is_one = inside.first()?.node.size == inside.len();
            let is_unit = inside.first()?.node.kind == "unit_expression";
            is_one.then_some(if is_unit { None } else { Some(inside) })
        }
        _ => None,
    }
}

/// The statements of the body before the statement of the call, which takes the value.
fn with_value<'t>(
    own: &Outline<'t>,
    place: &Place,
    template: &Template<'t>,
    filling: &Filling<'_, 't>,
    value: &[Bound<'t>],
) -> Option<(usize, Vec<Node<'t>>)> {
    let statement = place.statement;
    let held = holder(own, place);
    let is_first = held.is_some() || comes_first(own, statement, place.whole);
    if !is_first || statement == place.call {
        return None;
    }
    let declared = held.and_then(|held| held.kind.clone());
    let keeps_type = match own.language {
        Language::Java | Language::CSharp | Language::C => declared.as_ref() == Some(&template.result),
        Language::Go => held_as_it_is(value),
        _ => true,
    };
    let is_returned = value_of(own, statement).is_some_and(|value| value == place.whole);
    if !(keeps_type || is_returned && has_same_result(own, place, template)) {
        return None;
    }
    let end = statement + own.subtree(statement).len();
    let around = own.nodes.get(statement..end)?;
    let in_list = !matches!(in_branch(own, statement), Some(true));
    in_list.then_some(())?;
    let mut pieces: Vec<Vec<Node<'t>>> =
        template.statements.iter().map(|piece| filling.fill(piece)).collect::<Option<_>>()?;
    // A variable that only carries the result has the name of what takes it.
    if let (Some(held), [bound]) = (holder(own, place).filter(|held| held.is_new), value)
        && let Some(name) = bound.number.and_then(|number| template.own.get(&number))
        && !template.free.contains(&held.name)
    {
        let renamed = filling.named(bound.number?, name, &held.name);
        let declares = |piece: &Vec<Bound<'t>>| {
            piece.iter().any(|part| {
                part.number == bound.number
                    && matches!(part.node.field, "name" | "left" | "pattern" | "declarator" | "")
            })
        };
        let is_alike = held.kind.is_none()
            || template
                .statements
                .iter()
                .any(|piece| declared_as(piece, name).as_ref() == held.kind.as_ref());
        if template.statements.iter().any(declares) && is_alike {
            let pieces =
                template.statements.iter().map(|piece| renamed.fill(piece)).collect::<Option<Vec<_>>>()?;
            return Some((statement, pieces.concat()));
        }
    }
    let value = filling.fill(value)?;
    let at = place.whole - statement;
    let old = own.nodes.get(place.whole)?.size;
    let mut last: Vec<Node<'t>> = around.to_vec();
    for (index, node) in last.iter_mut().enumerate().take(at) {
        if index + node.size > at {
            node.size = node.size + value.len() - old;
        }
    }
    let field = last.get(at)?.field;
    last.splice(at..at + old, value);
    last.get_mut(at)?.field = field;
    pieces.push(last);
    Some((statement, pieces.concat()))
}

/// Whether a value of Go has the type of the function's result without being converted: no constant.
fn held_as_it_is(value: &[Bound<'_>]) -> bool {
    value.first().is_some_and(|first| {
        matches!(
            first.node.kind,
            "identifier"
                | "call_expression"
                | "composite_literal"
                | "selector_expression"
                | "index_expression"
        )
    })
}

/// The words of the type with which a statement declares a name.
fn declared_as(piece: &[Bound<'_>], name: &str) -> Option<String> {
    let nodes: Vec<Node<'_>> = piece.iter().map(|bound| bound.node.clone()).collect();
    let declares = nodes.iter().any(|node| node.field == "name" && node.text == name);
    let kind = nodes.iter().position(|node| node.field == "type")?;
    declares.then(|| words_of(&nodes, kind))
}

/// What takes the value of a call whole.
#[derive(Clone)]
struct Holder {
    name: String,
    /// The words of its declared type, in languages that declare one.
    kind: Option<String>,
    /// It is declared there, and nothing knew it before.
    is_new: bool,
}

fn holder(own: &Outline<'_>, place: &Place) -> Option<Holder> {
    let around = ancestors(own, place.whole);
    let mut inside = around.iter().copied().take_while(|at| *at >= place.statement);
    let direct = inside.clone().find(|at| own.kind(*at) != "expression_list")?;
    let is_declarator = matches!(
        own.kind(direct),
        "variable_declarator"
            | "init_declarator"
            | "let_declaration"
            | "short_var_declaration"
            | "assignment"
            | "assignment_expression"
            | "var_spec"
    );
    let target = ["name", "pattern", "left", "declarator"]
        .into_iter()
        .find_map(|wanted| own.child_by_field(direct, wanted))?;
    let target = if own.kind(target) == "expression_list" { target + 1 } else { target };
    let is_value =
        own.nodes.get(place.whole).is_some_and(|node| node.field == "value" || node.field == "right")
            || inside.any(|at| own.nodes.get(at).is_some_and(|node| node.field == "right"))
            || own.language == Language::CSharp;
    let name = own.nodes.get(target).filter(|node| node.is_leaf() && is_name(node.kind))?;
    let others = |node: &Node<'_>| node.is_leaf() && is_name(node.kind) && node.text == name.text;
    let before = own.nodes.get(place.caller..target).unwrap_or_default();
    let in_loop = ancestors(own, place.statement).into_iter().take_while(|at| *at > place.caller).any(|at| {
        let kind = own.kind(at);
        is_loop(kind) || kind.starts_with("try")
    });
    let is_assignment = own.kind(direct).starts_with("assignment");
    let is_declared = !is_assignment || own.language == Language::Python && !in_loop;
    let is_new = is_declared && !before.iter().any(others) && own.language != Language::C;
    let statement_type = match own.language {
        Language::Java => own.child_by_field(place.statement, "type").map(|at| words_of(&own.nodes, at)),
        Language::CSharp => {
            own.child_by_field(place.statement + 1, "type").map(|at| words_of(&own.nodes, at))
        }
        Language::C => Some(signature::declared_type(own, place.statement, target)),
        _ => None,
    };
    (is_declarator && is_value).then(|| Holder { name: name.text.to_string(), kind: statement_type, is_new })
}

/// On what the method is called; it must be the very thing that the body works on.
fn receiver(own: &Outline<'_>, call: usize, caller: usize, template: &Template<'_>) -> Option<String> {
    let holder_of = |unit: usize| {
        ancestors(own, unit).into_iter().find(|at| {
            *at < unit
                && (own.kind(*at) == "impl_item"
                    || matches!(
                        units::kind_of(own.language, own.kind(*at)),
                        Some(bailiwick_domain::SymbolKind::Type)
                    ))
        })
    };
    let is_near = || {
        ancestors(own, caller).first() == Some(&template.container)
            || holder_of(caller).is_some_and(|holder| {
                Some(holder) == holder_of(template.unit)
                    || own.kind(holder) == "impl_item"
                        && holder_of(template.unit)
                            .is_some_and(|other| units::name_of(own, other) == units::name_of(own, holder))
            })
    };
    let is_around =
        || ancestors(own, caller).contains(&template.container) && holder_of(template.unit).is_none();
    match own.language {
        Language::Java => {
            let object = own.child_by_field(call, "object");
            let is_own =
                object.is_none_or(|object| own.nodes.get(object).is_some_and(|node| node.text == "this"));
            let is_nested = template.is_static
                && ancestors(own, caller).contains(&template.container)
                && is_nested_alone(own, caller, template);
            (is_own && (ancestors(own, caller).first() == Some(&template.container) || is_nested))
                .then(String::new)
        }
        Language::Go => {
            let function = own.child_by_field(call, "function")?;
            if own.nodes.get(function)?.is_leaf() {
                return template.receiver.is_empty().then(String::new);
            }
            let object = own.nodes.get(own.child_by_field(function, "operand")?)?;
            (object.is_leaf() && !template.receiver.is_empty()).then(|| object.text.to_string())
        }
        _ => {
            let function = own.child_by_field(call, "function")?;
            if own.nodes.get(function)?.is_leaf() {
                let is_visible = if own.language == Language::CSharp { is_near() } else { is_around() };
                return (is_visible && (template.receiver.is_empty())).then(String::new);
            }
            let object = ["object", "value", "expression", "path"]
                .into_iter()
                .find_map(|wanted| own.child_by_field(function, wanted))?;
            let object = own.nodes.get(object)?;
            let is_own = match own.language {
                Language::CSharp => object.text == "this" && template.receiver.is_empty(),
                Language::Rust if object.text == "Self" => template.receiver.is_empty(),
                _ => object.is_leaf() && !template.receiver.is_empty() && object.text == template.receiver,
            };
            (is_own && is_near()).then(|| template.receiver.clone())
        }
    }
}

/// Whether the classes between a caller and the container of a static method declare none of the names that its body
/// uses.
fn is_nested_alone(own: &Outline<'_>, caller: usize, template: &Template<'_>) -> bool {
    ancestors(own, caller).into_iter().take_while(|at| *at != template.container).all(|at| {
        let end = at + own.nodes.get(at).map_or(0, |node| node.size);
        !(at..end).any(|unit| {
            own.nodes.get(unit).is_some_and(|node| {
                units::kind_of(own.language, node.kind).is_some() && node.kind != "variable_declarator"
            }) && units::name_of(own, unit).is_some_and(|name| template.free.contains(&name))
        })
    })
}

/// Whether a statement is the only one of a branch.
fn in_branch(own: &Outline<'_>, statement: usize) -> Option<bool> {
    let parent = ancestors(own, statement).first().map(|at| own.kind(*at))?;
    Some(
        parent.starts_with("if_")
            || parent.starts_with("for_")
            || parent.starts_with("while_")
            || matches!(parent, "else_clause" | "enhanced_for_statement" | "foreach_statement"),
    )
}

/// Statements in the place of one: in a block of their own where only one may stand.
fn in_a_block<'t>(own: &Outline<'t>, statement: usize, pieces: Vec<Vec<Node<'t>>>) -> Vec<Node<'t>> {
    let count = pieces.len();
    let nodes = pieces.concat();
    if count == 1 || in_branch(own, statement) != Some(true) {
        return nodes;
    }
    let kind = match own.language {
        Language::Java | Language::CSharp => "block",
        Language::C => "compound_statement",
        _ => "statement_block",
    };
    let place = own.nodes.get(statement).map_or((0, 0), |node| (node.start, node.end));
    let node = |kind: &'static str, text: &'static str, size| Node {
        kind,
        field: "",
        text: text.into(),
        size,
        start: place.0,
        end: place.1,
    };
    let mut block = vec![node(kind, "", nodes.len() + 3), node("{", "{", 1)];
    block.extend(nodes);
    block.push(node("}", "}", 1));
    block
}

/// Whether a name of the body would mean something else at the place of the call.
fn means_something_else(
    own: &Outline<'_>,
    caller: usize,
    bindings: &[Binding],
    template: &Template<'_>,
    receiver: &str,
) -> bool {
    let nodes = own.subtree(caller);
    nodes.iter().zip(bindings).any(|(node, binding)| {
        matches!(binding, Binding::Local(_) | Binding::Fixed(_))
            && template.free.contains(node.text.as_ref())
            && (template.receiver_number.is_some() || node.text != template.receiver && node.text != receiver)
    })
}

/// Whether the value of the call is used as it is, so that its declared type converts nothing.
fn is_kept_whole(own: &Outline<'_>, place: &Place, template: &Template<'_>) -> bool {
    let is_returned = value_of(own, place.statement).is_some_and(|value| value == place.whole)
        && has_same_result(own, place, template);
    let is_held =
        || holder(own, place).and_then(|held| held.kind).is_some_and(|kind| kind == template.result);
    match own.language {
        Language::Java | Language::CSharp => {
            let is_receiver = own.nodes.get(place.call).is_some_and(|node| node.field == "object");
            let is_class = template.result.starts_with(char::is_uppercase);
            matches!(template.result.as_str(), "boolean" | "bool" | "String" | "string")
                || (is_receiver && is_class)
                || is_returned
                || is_held()
        }
        Language::C => {
            let is_truth = template
                .value
                .as_ref()
                .and_then(|value| value.first())
                .is_some_and(|first| matches!(first.node.kind, "binary_expression" | "unary_expression"))
                && template.value.iter().flatten().any(|bound| {
                    matches!(
                        bound.node.text.as_ref(),
                        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "!"
                    )
                })
                && matches!(template.result.as_str(), "int " | "bool ");
            is_truth || is_returned || is_held()
        }
        Language::Go => matches!(template.result.as_str(), "bool" | "string") || is_returned,
        // A number alone takes its type from what stands around it.
        Language::Rust => template.value.iter().flatten().any(|bound| is_name(bound.node.kind)),
        _ => own.nodes.get(place.call).is_some_and(|node| node.size > 1),
    }
}
