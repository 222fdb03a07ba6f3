//! Puts the bodies of functions in the place of their calls.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::{Node, Outline};
use crate::units;

use super::places::expanded;
use super::rewrite::replace;
use super::template::{Template, take};

/// The most calls that are expanded in one text.
const MAX_CALLS: usize = 50;

/// Expands the calls that the other text does not make; says whether there were any. A new function that nothing calls
/// any more goes.
pub(super) fn expand<'t>(own: &mut Outline<'t>, other: &Outline<'t>, around: &[&Outline<'t>]) -> bool {
    let there = Calls::of(other);
    let mut has_changed = false;
    let mut looked_at: BTreeSet<usize> = BTreeSet::new();
    for _ in 0..MAX_CALLS {
        let Some((at, nodes)) = next_expansion(own, other, &there, around, &mut looked_at) else { break };
        replace(own, at, nodes);
        has_changed = true;
    }
    if has_changed {
        remove_new(own, &there);
    }
    has_changed
}

/// The first call that can be expanded: where it stands and what stands there instead.
fn next_expansion<'t>(
    own: &Outline<'t>,
    other: &Outline<'t>,
    there: &Calls,
    around: &[&Outline<'t>],
    looked_at: &mut BTreeSet<usize>,
) -> Option<(usize, Vec<Node<'t>>)> {
    let here = Calls::of(own);
    let start = |call: &Call| own.nodes.get(call.at).map_or(0, |node| node.start);
    let is_left = |call: &&Call| !looked_at.contains(&start(call)) && here.is_more_than(there, own, call);
    let calls: Vec<&Call> = here.made.iter().filter(is_left).collect();
    let names: BTreeSet<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    let templates = templates(own, there, around, &names);
    for call in calls {
        if !own.budget.spend(1 + templates.len()) {
            return None;
        }
        looked_at.insert(start(call));
        let fits = |(template, _): &&(Template<'t>, bool)| {
            template.name == call.name && template.parameters.len() == call.arguments
        };
        let mut fitting = templates.iter().filter(fits);
        let (Some((template, is_here)), None) = (fitting.next(), fitting.next()) else { continue };
        let is_said = || {
            let said = units::words_of(&own.nodes, call.at);
            there.counterparts(own, call).iter().any(|unit| says(other, *unit, &said))
        };
        if (call.caller == template.unit && *is_here) || is_said() {
            continue;
        }
        if let Some(found) = expanded(own, call.at, template) {
            return Some(found);
        }
    }
    None
}

/// Functions of these names whose calls may be expanded: in this text, and for Go in the other files of its package.
fn templates<'t>(
    own: &Outline<'t>,
    there: &Calls,
    around: &[&Outline<'t>],
    names: &BTreeSet<&str>,
) -> Vec<(Template<'t>, bool)> {
    let mut found = Vec::new();
    let is_wanted = |outline: &Outline<'t>, at: usize| {
        outline.budget.spend(1)
            && outline
                .nodes
                .get(at)
                .is_some_and(|node| units::kind_of(outline.language, node.kind) == Some(SymbolKind::Function))
            && units::name_of(outline, at)
                .is_some_and(|name| names.contains(name.rsplit(['.', ':']).next().unwrap_or(&name)))
    };
    for at in (0..own.nodes.len()).filter(|at| is_wanted(own, *at)) {
        let Some(template) = take(own, at) else { continue };
        let is_new = units::name_of(own, at).is_some_and(|name| !there.units.contains_key(&name));
        if template.is_private || !is_new && is_fixed(own, &template) {
            found.push((template, true));
        }
    }
    if own.language == Language::Go {
        let is_other = |outline: &&&Outline<'t>| {
            outline.language == Language::Go && !std::ptr::eq(outline.source, own.source)
        };
        for outline in around.iter().filter(is_other) {
            let functions = (0..outline.nodes.len()).filter(|at| is_wanted(outline, *at));
            found.extend(functions.filter_map(|at| take(outline, at)).map(|template| (template, false)));
        }
    }
    found
}

/// Whether a call of the function is a call of this very one: no subclass has another.
fn is_fixed(own: &Outline<'_>, template: &Template<'_>) -> bool {
    match own.language {
        Language::Java => {
            template.is_static || own.subtree(template.unit).iter().take(12).any(|node| node.text == "final")
        }
        Language::Python | Language::TypeScript | Language::Tsx | Language::JavaScript => {
            template.receiver.is_empty()
        }
        _ => true,
    }
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

    /// The functions here of the name of another text's caller.
    fn counterparts(&self, other: &Outline<'_>, call: &Call) -> &[usize] {
        let name = units::name_of(other, call.caller);
        name.and_then(|name| self.units.get(&name)).map_or(&[], Vec::as_slice)
    }

    /// Whether the caller calls this more often than its counterparts in another text do.
    fn is_more_than(&self, there: &Self, own: &Outline<'_>, call: &Call) -> bool {
        let counterparts = there.counterparts(own, call);
        let count = self.count(call.caller, &call.name);
        own.budget.spend(1)
            && !counterparts.is_empty()
            && counterparts.iter().all(|unit| there.count(*unit, &call.name) < count)
    }
}

/// Whether a function makes this very call.
fn says(outline: &Outline<'_>, unit: usize, call: &str) -> bool {
    let size = outline.nodes.get(unit).map_or(0, |node| node.size);
    outline.budget.spend(size)
        && (unit..unit + size)
            .any(|at| called(outline, at).is_some() && units::words_of(&outline.nodes, at) == call)
}

pub(super) fn caller_of(outline: &Outline<'_>, index: usize) -> Option<usize> {
    ancestors(outline, index).into_iter().find(|at| {
        outline
            .nodes
            .get(*at)
            .is_some_and(|node| units::kind_of(outline.language, node.kind) == Some(SymbolKind::Function))
    })
}

/// The bare name and the number of arguments of a call that may be one of a function of this text: on nothing, or on the
/// object itself.
fn called(outline: &Outline<'_>, index: usize) -> Option<(String, usize)> {
    let node = outline.nodes.get(index)?;
    let name = match (outline.language, node.kind) {
        (Language::Java, "method_invocation") => {
            let is_own =
                outline.child_by_field(index, "object").is_none_or(|object| is_itself(outline, object));
            outline.child_by_field(index, "name").filter(|_| is_own)?
        }
        (Language::Python, "call") | (_, "call_expression" | "invocation_expression") => {
            callee(outline, outline.child_by_field(index, "function")?)?
        }
        _ => return None,
    };
    let arguments = outline.child_by_field(index, "arguments")?;
    Some((outline.nodes.get(name)?.text.to_string(), arguments_of(outline, arguments).len()))
}

/// Whether a name of Java is that of a method of another object.
fn is_of_another(own: &Outline<'_>, name: usize) -> bool {
    let call = ancestors(own, name).first().copied().filter(|_| own.language == Language::Java);
    call.and_then(|call| own.child_by_field(call, "object")).is_some_and(|object| {
        own.nodes.get(name).is_some_and(|node| node.field == "name") && !is_itself(own, object)
    })
}

fn is_itself(outline: &Outline<'_>, object: usize) -> bool {
    outline.nodes.get(object).is_some_and(|node| matches!(node.text.as_ref(), "this" | "self" | "Self"))
}

fn callee(outline: &Outline<'_>, function: usize) -> Option<usize> {
    let node = outline.nodes.get(function)?;
    if node.is_leaf() {
        return Some(function);
    }
    let object = ["object", "value", "expression", "path"]
        .into_iter()
        .find_map(|wanted| outline.child_by_field(function, wanted));
    if outline.language != Language::Go && !object.is_some_and(|object| is_itself(outline, object)) {
        return None;
    }
    ["field", "attribute", "property", "name"]
        .into_iter()
        .find_map(|wanted| outline.child_by_field(function, wanted))
}

/// The arguments of a call, each the value itself.
pub(super) fn arguments_of(outline: &Outline<'_>, list: usize) -> Vec<usize> {
    let is_one =
        |child: &usize| outline.nodes.get(*child).is_some_and(|node| !matches!(node.kind, "(" | ")" | ","));
    let value = |child: usize| {
        let is_wrapped = outline.nodes.get(child).is_some_and(|node| node.kind == "argument")
            && outline.children(child).count() == 1;
        if is_wrapped { child + 1 } else { child }
    };
    outline.children(list).filter(is_one).map(value).collect()
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
                !inside.contains(&index)
                    && node.is_leaf()
                    && node.text == template.name
                    && !is_of_another(own, index)
            };
            template.is_private && own.spend() && !own.nodes.iter().enumerate().any(is_mentioned)
        });
        let Some(dead) = dead else { return };
        replace(own, dead, Vec::new());
    }
}
