//! Puts the bodies of functions in the place of their calls.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::names::{ancestors, is_name};
use crate::outline::{Node, Outline};
use crate::scope::{Binding, bind};
use crate::units;

use super::rewrite::replace;
use super::template::{Form, Template, field, take};

/// The most calls that are expanded in one text.
const MAX_CALLS: usize = 50;

/// Expands the calls that the other text does not make; says whether there were any. A new function that nothing calls
/// any more goes.
pub(super) fn expand<'t>(own: &mut Outline<'t>, other: &Outline<'t>, around: &[&Outline<'t>]) -> bool {
    let there = Calls::of(other);
    let mut has_changed = false;
    let mut looked_at: BTreeSet<usize> = BTreeSet::new();
    for _ in 0..MAX_CALLS {
        let templates = templates(own, &there, around);
        let next = next_call(own, other, &there, &templates, &looked_at);
        let Some((call, template)) = next else { break };
        match expanded(own, call, &template) {
            Some((at, nodes)) => {
                replace(own, at, nodes);
                has_changed = true;
            }
            None => {
                looked_at.insert(own.nodes.get(call).map_or(0, |node| node.start));
            }
        }
    }
    if has_changed {
        remove_new(own, &there);
    }
    has_changed
}

/// Functions whose calls may be expanded: in this text, and for Go in the other files of its package.
fn templates<'t>(own: &Outline<'t>, there: &Calls, around: &[&Outline<'t>]) -> Vec<(Template<'t>, bool)> {
    let mut found = Vec::new();
    for (at, node) in own.nodes.iter().enumerate() {
        if units::kind_of(own.language, node.kind) != Some(SymbolKind::Function) {
            continue;
        }
        let Some(template) = take(own, at) else { continue };
        let is_new = units::name_of(own, at).is_some_and(|name| !there.units.contains_key(&name));
        if !is_new || template.is_private {
            found.push((template, true));
        }
    }
    if own.language == Language::Go {
        let is_other = |outline: &&&Outline<'t>| {
            outline.language == Language::Go && !std::ptr::eq(outline.source, own.source)
        };
        for outline in around.iter().filter(is_other) {
            let functions =
                outline.nodes.iter().enumerate().filter(|(_, node)| node.kind.ends_with("_declaration"));
            found.extend(functions.filter_map(|(at, _)| take(outline, at)).map(|template| (template, false)));
        }
    }
    found
}

/// The functions of a text by their names, and how often each of them calls which name.
struct Calls {
    units: BTreeMap<String, Vec<usize>>,
    counts: BTreeMap<(usize, String), usize>,
    made: Vec<Call>,
}

/// One call of a bare name, with the function that makes it.
struct Call {
    at: usize,
    name: String,
    arguments: usize,
    caller: usize,
}

impl Calls {
    fn of(outline: &Outline<'_>) -> Self {
        let mut found = Self { units: BTreeMap::new(), counts: BTreeMap::new(), made: Vec::new() };
        let mut around: Vec<(usize, usize)> = Vec::new();
        for (at, node) in outline.nodes.iter().enumerate() {
            if !outline.budget.spend(1) {
                break;
            }
            while around.pop_if(|(_, end)| *end <= at).is_some() {}
            if units::kind_of(outline.language, node.kind) == Some(SymbolKind::Function) {
                around.push((at, at + node.size));
                let name = units::name_of(outline, at);
                name.into_iter().for_each(|name| found.units.entry(name).or_default().push(at));
            }
            let Some((name, arguments)) = called(outline, at) else { continue };
            for (unit, _) in &around {
                *found.counts.entry((*unit, name.clone())).or_default() += 1;
            }
            found.made.extend(around.last().map(|(caller, _)| Call { at, name, arguments, caller: *caller }));
        }
        found
    }

    fn count(&self, unit: usize, name: &str) -> usize {
        self.counts.get(&(unit, name.to_owned())).copied().unwrap_or_default()
    }
}

/// The first call that the counterpart of its function does not make as often.
fn next_call<'t>(
    own: &Outline<'t>,
    other: &Outline<'t>,
    there: &Calls,
    templates: &[(Template<'t>, bool)],
    looked_at: &BTreeSet<usize>,
) -> Option<(usize, Template<'t>)> {
    let here = Calls::of(own);
    for Call { at, name, arguments, caller } in &here.made {
        if !own.budget.spend(1 + templates.len())
            || own.nodes.get(*at).is_some_and(|node| looked_at.contains(&node.start))
        {
            continue;
        }
        let fits = |(template, _): &&(Template<'t>, bool)| {
            template.name == *name && template.parameters.len() == *arguments
        };
        let mut fitting = templates.iter().filter(fits);
        let (Some((template, is_here)), None) = (fitting.next(), fitting.next()) else { continue };
        if *caller == template.unit && *is_here {
            continue;
        }
        let Some(caller_name) = units::name_of(own, *caller) else { continue };
        let Some(counterparts) = there.units.get(&caller_name) else { continue };
        let count = here.count(*caller, name);
        let said = units::words_of(&own.nodes, *at);
        if counterparts.iter().all(|unit| there.count(*unit, name) < count)
            && !counterparts.iter().any(|unit| says(other, *unit, &said))
        {
            return Some((*at, template.clone()));
        }
    }
    None
}

/// Whether a function makes this very call.
fn says(outline: &Outline<'_>, unit: usize, call: &str) -> bool {
    let size = outline.nodes.get(unit).map_or(0, |node| node.size);
    outline.budget.spend(size)
        && (unit..unit + size)
            .any(|at| called(outline, at).is_some() && units::words_of(&outline.nodes, at) == call)
}

fn caller_of(outline: &Outline<'_>, index: usize) -> Option<usize> {
    ancestors(outline, index).into_iter().find(|at| {
        outline
            .nodes
            .get(*at)
            .is_some_and(|node| units::kind_of(outline.language, node.kind) == Some(SymbolKind::Function))
    })
}

/// The bare name and the number of arguments of a call.
fn called(outline: &Outline<'_>, index: usize) -> Option<(String, usize)> {
    let node = outline.nodes.get(index)?;
    let name = match (outline.language, node.kind) {
        (Language::Java, "method_invocation") => field(outline, index, "name")?,
        (Language::Python, "call") | (_, "call_expression") => {
            callee(outline, field(outline, index, "function")?)?
        }
        _ => return None,
    };
    let arguments = field(outline, index, "arguments")?;
    Some((outline.nodes.get(name)?.text.to_string(), arguments_of(outline, arguments).len()))
}

fn callee(outline: &Outline<'_>, function: usize) -> Option<usize> {
    let node = outline.nodes.get(function)?;
    if node.is_leaf() {
        return Some(function);
    }
    field(outline, function, "field").or_else(|| field(outline, function, "attribute"))
}

fn arguments_of(outline: &Outline<'_>, list: usize) -> Vec<usize> {
    let is_one =
        |child: &usize| outline.nodes.get(*child).is_some_and(|node| !matches!(node.kind, "(" | ")" | ","));
    outline.children(list).filter(is_one).collect()
}

/// What stands in the place of the call, and where.
fn expanded<'t>(own: &Outline<'t>, call: usize, template: &Template<'t>) -> Option<(usize, Vec<Node<'t>>)> {
    let caller = caller_of(own, call)?;
    let receiver = receiver(own, call, caller, template)?;
    if !template.receiver_type.is_empty() && !declares_as(own, caller, &receiver, &template.receiver_type) {
        return None;
    }
    let arguments = arguments_of(own, field(own, call, "arguments")?);
    let bindings = bind(own, caller)?;
    for (argument, (_, kind)) in arguments.iter().zip(&template.parameters) {
        if !is_simple(own, *argument, caller, &bindings) || !has_type(own, *argument, caller, kind) {
            return None;
        }
    }
    if means_something_else(own, caller, &bindings, template, &receiver) {
        return None;
    }
    let argument = |name: &str| {
        let at = template.parameters.iter().position(|(parameter, _)| parameter == name)?;
        Some(own.subtree(*arguments.get(at)?).to_vec())
    };
    let filled = |nodes: &[Node<'t>]| fill(own, nodes, &argument, template, &receiver);
    match &template.form {
        Form::Expression(nodes) => is_kept_whole(own, call, template).then(|| (call, filled(nodes))),
        Form::Returning(statements, result) => {
            let (declaration, name) = declared_by(own, call, template)?;
            let mut own_names = template.own.clone();
            own_names.remove(result);
            let is_disjoint = !mentions(own, caller, &own_names) && !template.free.contains(&name);
            let renamed = |node: &Node<'t>| match &node.text {
                text if *text == **result && node.kind == "identifier" => {
                    Node { text: name.clone().into(), ..node.clone() }
                }
                _ => node.clone(),
            };
            is_disjoint.then(|| {
                let pieces = statements.iter().map(|nodes| filled(nodes).iter().map(renamed).collect());
                (declaration, pieces.collect::<Vec<Vec<Node<'t>>>>().concat())
            })
        }
        Form::Statements(statements) => {
            let statement = *ancestors(own, call).first()?;
            let is_alone = own.nodes.get(statement)?.kind == "expression_statement";
            let is_void = match own.language {
                Language::Java => template.result == "void",
                Language::Go => template.result.is_empty(),
                _ => true,
            };
            let is_disjoint = template.own.is_empty() || !mentions(own, caller, &template.own);
            (is_alone && is_void && is_disjoint).then(|| {
                let pieces: Vec<Vec<Node<'t>>> = statements.iter().map(|nodes| filled(nodes)).collect();
                (statement, in_a_block(own, statement, pieces))
            })
        }
    }
}

/// The statement that declares a variable of the result's type to hold the call's value, and the variable.
fn declared_by(own: &Outline<'_>, call: usize, template: &Template<'_>) -> Option<(usize, String)> {
    let parents = ancestors(own, call);
    let [declarator, statement, ..] = parents.as_slice() else { return None };
    let is_whole = own.nodes.get(*declarator)?.kind == "variable_declarator"
        && own.nodes.get(*statement)?.kind == "local_variable_declaration"
        && own.nodes.get(call)?.field == "value";
    let kind = units::words_of(&own.nodes, field(own, *statement, "type")?);
    let name = own.nodes.get(field(own, *declarator, "name")?)?;
    (is_whole && kind == template.result).then(|| (*statement, name.text.to_string()))
}

/// A piece of the body with the arguments in the place of the parameters.
fn fill<'t>(
    own: &Outline<'t>,
    nodes: &[Node<'t>],
    argument: &impl Fn(&str) -> Option<Vec<Node<'t>>>,
    template: &Template<'t>,
    receiver: &str,
) -> Vec<Node<'t>> {
    let mut piece = Outline { nodes: nodes.to_vec(), suppressions: Vec::new(), ..own.clone() };
    for at in (0..nodes.len()).rev() {
        let Some(node) = nodes.get(at) else { continue };
        let is_member = matches!(node.field, "attribute" | "field") || is_called_by_name(nodes, at);
        if !node.is_leaf() || node.kind != "identifier" || is_member {
            continue;
        }
        if let Some(with) = argument(&node.text) {
            replace(&mut piece, at, with);
        } else if !template.receiver.is_empty() && node.text == template.receiver {
            replace(&mut piece, at, vec![Node { text: receiver.to_owned().into(), ..node.clone() }]);
        }
    }
    piece.nodes
}

/// Whether a name is that of a method that is called, not of a variable.
fn is_called_by_name(nodes: &[Node<'_>], at: usize) -> bool {
    nodes.get(at).is_some_and(|node| node.field == "name")
        && nodes.get(at + 1).is_some_and(|next| next.field == "arguments")
}

/// On what the method is called; it must be the very thing that the body works on.
fn receiver(own: &Outline<'_>, call: usize, caller: usize, template: &Template<'_>) -> Option<String> {
    match own.language {
        Language::Java => {
            let object = field(own, call, "object");
            let is_own =
                object.is_none_or(|object| own.nodes.get(object).is_some_and(|node| node.text == "this"));
            let is_near = ancestors(own, caller).first() == Some(&template.container)
                || (template.is_static
                    && ancestors(own, caller).contains(&template.container)
                    && is_nested_alone(own, caller, template));
            (is_own && is_near).then(String::new)
        }
        Language::Python | Language::Go => {
            let function = field(own, call, "function")?;
            if own.nodes.get(function)?.is_leaf() {
                return template.receiver.is_empty().then(String::new);
            }
            let object = field(own, function, "object").or_else(|| field(own, function, "operand"))?;
            let object = own.nodes.get(object)?;
            let is_self = own.language == Language::Go || object.text == "self";
            (object.is_leaf() && is_self && !template.receiver.is_empty()).then(|| object.text.to_string())
        }
        _ => {
            let function = field(own, call, "function")?;
            own.nodes.get(function)?.is_leaf().then(String::new)
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

/// A literal, or a variable of the caller.
fn is_simple(own: &Outline<'_>, argument: usize, caller: usize, bindings: &[Binding]) -> bool {
    let Some(node) = own.nodes.get(argument) else { return false };
    let is_literal = matches!(
        node.kind,
        "string"
            | "string_literal"
            | "interpreted_string_literal"
            | "true"
            | "false"
            | "integer"
            | "number"
            | "decimal_integer_literal"
            | "none"
    );
    let is_plain_text = is_literal
        && (node.is_leaf() || own.subtree(argument).iter().all(|part| part.kind != "interpolation"));
    let is_local = node.is_leaf()
        && argument
            .checked_sub(caller)
            .and_then(|at| bindings.get(at))
            .is_some_and(|binding| matches!(binding, Binding::Local(_) | Binding::Fixed(_)));
    is_local
        || (is_plain_text && node.is_leaf())
        || (is_plain_text && matches!(node.kind, "string_literal" | "interpreted_string_literal"))
}

/// Whether the argument has the parameter's type, word by word, so that nothing is converted.
fn has_type(own: &Outline<'_>, argument: usize, caller: usize, kind: &str) -> bool {
    if !matches!(own.language, Language::Java | Language::Go) {
        return true;
    }
    let Some(node) = own.nodes.get(argument) else { return false };
    match node.kind {
        "string_literal" => kind == "String",
        "interpreted_string_literal" => kind == "string",
        "decimal_integer_literal" => kind == "int" && own.language == Language::Java,
        "true" | "false" => matches!(kind, "boolean" | "bool"),
        _ => declares_as(own, caller, &node.text, kind),
    }
}

/// Whether all declarations of a name in the caller give it this type.
fn declares_as(own: &Outline<'_>, caller: usize, name: &str, kind: &str) -> bool {
    const DECLARING: &[&str] = &[
        "enhanced_for_statement",
        "formal_parameter",
        "local_variable_declaration",
        "parameter_declaration",
    ];
    let end = caller + own.nodes.get(caller).map_or(0, |node| node.size);
    let declares = |part: &Node<'_>| part.field == "name" && part.text == name;
    let mut types = (caller..end)
        .filter(|at| own.nodes.get(*at).is_some_and(|node| DECLARING.contains(&node.kind)))
        .filter(|at| own.subtree(*at).iter().take(12).any(declares))
        .filter_map(|at| field(own, at, "type"))
        .map(|at| units::words_of(&own.nodes, at));
    types.next().is_some_and(|found| found == kind) && types.all(|found| found == kind)
}

/// Statements in the place of one: in a block of their own where only one may stand.
fn in_a_block<'t>(own: &Outline<'t>, statement: usize, pieces: Vec<Vec<Node<'t>>>) -> Vec<Node<'t>> {
    let parent =
        ancestors(own, statement).first().and_then(|at| own.nodes.get(*at)).map_or("", |node| node.kind);
    let count = pieces.len();
    let nodes = pieces.concat();
    let is_branch = parent.starts_with("if_")
        || parent.starts_with("for_")
        || parent.starts_with("while_")
        || matches!(parent, "else_clause" | "enhanced_for_statement");
    if count == 1 || !is_branch {
        return nodes;
    }
    let kind = if own.language == Language::Java { "block" } else { "statement_block" };
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
            && node.text != template.receiver
            && node.text != receiver
    })
}

fn mentions(own: &Outline<'_>, caller: usize, names: &BTreeSet<String>) -> bool {
    own.subtree(caller)
        .iter()
        .any(|node| node.is_leaf() && is_name(node.kind) && names.contains(node.text.as_ref()))
}

/// Whether the value of the call is used as it is, so that its declared type converts nothing.
fn is_kept_whole(own: &Outline<'_>, call: usize, template: &Template<'_>) -> bool {
    match own.language {
        Language::Java => {
            let is_receiver = own.nodes.get(call).is_some_and(|node| node.field == "object");
            let is_class = template.result.starts_with(char::is_uppercase);
            matches!(template.result.as_str(), "boolean" | "String") || (is_receiver && is_class)
        }
        Language::Go => matches!(template.result.as_str(), "bool" | "string"),
        _ => own.nodes.get(call).is_some_and(|node| node.size > 1),
    }
}

/// Takes out the new functions that nothing mentions any more.
fn remove_new(own: &mut Outline<'_>, there: &Calls) {
    loop {
        let dead = (0..own.nodes.len()).find(|at| {
            let Some(node) = own.nodes.get(*at) else { return false };
            let is_new = units::kind_of(own.language, node.kind) == Some(SymbolKind::Function)
                && units::name_of(own, *at).is_some_and(|name| !there.units.contains_key(&name));
            let Some(template) = is_new.then(|| take(own, *at)).flatten() else { return false };
            let inside = *at..*at + node.size;
            let is_mentioned = |(index, node): (usize, &Node<'_>)| {
                !inside.contains(&index) && node.is_leaf() && node.text == template.name
            };
            template.is_private && own.spend() && !own.nodes.iter().enumerate().any(is_mentioned)
        });
        let Some(dead) = dead else { return };
        replace(own, dead, Vec::new());
    }
}
