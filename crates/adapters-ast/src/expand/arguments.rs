//! What is given to a function, in the place of its parameters.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::Language;
use crate::names::is_name;
use crate::outline::{Node, Outline};
use crate::scope::Binding;
use crate::units::words_of;

use super::rewrite::replace;
use super::signature::{self, Parameter};
use super::template::{Bound, Template};

/// Whether an argument may stand for its parameter: a literal or a variable of the caller, of the very type.
pub(super) fn is_fit(
    own: &Outline<'_>,
    argument: usize,
    caller: usize,
    bindings: &[Binding],
    template: &Template<'_>,
    parameter: &Parameter,
) -> bool {
    let plain = behind_reference(own, argument);
    if is_member_of_receiver(own, plain) {
        return own.language != Language::C && reads_first(template, parameter);
    }
    // What runs later would see what the variable is then.
    let is_kept = !template.has_function || {
        let name = own.nodes.get(plain).map_or(String::new(), |node| node.text.to_string());
        let known = Parameter { name, kind: String::new(), at: plain, number: None };
        own.child_by_field(caller, "body").is_some_and(|body| !signature::is_reassigned(own, body, &[known]))
    };
    is_kept && is_simple(own, plain, caller, bindings) && has_type(own, argument, caller, &parameter.kind)
}

/// `x` of `&x` in Rust.
fn behind_reference(own: &Outline<'_>, argument: usize) -> usize {
    let is_reference = own.language == Language::Rust
        && own.nodes.get(argument).is_some_and(|node| node.kind == "reference_expression");
    if is_reference { own.child_by_field(argument, "value").unwrap_or(argument) } else { argument }
}

/// `this.x` and `self.x`.
fn is_member_of_receiver(own: &Outline<'_>, argument: usize) -> bool {
    let words: Vec<&str> =
        own.subtree(argument).iter().filter(|node| node.is_leaf()).map(|node| node.text.as_ref()).collect();
    matches!(words.as_slice(), ["self" | "this", ".", _])
        && own.nodes.get(argument).is_some_and(|node| {
            matches!(node.kind, "member_expression" | "attribute" | "field_access" | "field_expression")
        })
}

/// Whether a parameter is read before anything runs that might change what it was given: the body is one value, and no
/// call and no assignment is done before it.
fn reads_first(template: &Template<'_>, parameter: &Parameter) -> bool {
    let Some(value) = template.value.as_ref().filter(|_| template.statements.is_empty()) else {
        return false;
    };
    let runs = |bound: &Bound<'_>| {
        let kind = bound.node.kind;
        ["call", "invocation", "creation", "new_", "assignment", "update", "macro", "await"]
            .iter()
            .any(|part| kind.contains(part))
    };
    let may_skip = |bound: &Bound<'_>| {
        matches!(bound.node.text.as_ref(), "&&" | "||" | "and" | "or" | "?" | "??" | "?." | "if" | "match")
    };
    let mentions = value
        .iter()
        .enumerate()
        .filter(|(_, bound)| bound.number.is_some() && bound.number == parameter.number);
    let mut found = 0;
    for (at, _) in mentions {
        found += 1;
        let before = value.get(..at).unwrap_or_default();
        let is_done = |(start, bound): (usize, &Bound<'_>)| runs(bound) && start + bound.node.size <= at;
        if before.iter().enumerate().any(is_done) || before.iter().any(may_skip) {
            return false;
        }
    }
    found > 0 && !template.has_function
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
            | "boolean_literal"
            | "integer"
            | "integer_literal"
            | "number"
            | "number_literal"
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
    if own.language == Language::Rust {
        return has_type_of_rust(own, argument, caller, kind);
    }
    if !matches!(own.language, Language::Java | Language::Go | Language::CSharp | Language::C) {
        return true;
    }
    let Some(node) = own.nodes.get(argument) else { return false };
    match node.kind {
        "string_literal" => kind == "String" || kind == "string",
        "interpreted_string_literal" => kind == "string",
        "decimal_integer_literal" => kind == "int" && own.language == Language::Java,
        "integer_literal" => {
            kind == "int" && own.language == Language::CSharp && !node.text.ends_with(char::is_alphabetic)
        }
        "number_literal" => kind == "int " && node.text.chars().all(|c| c.is_ascii_digit()),
        "true" | "false" | "boolean_literal" => matches!(kind, "boolean" | "bool"),
        _ => declares_as(own, caller, &node.text, kind),
    }
}

/// Where the caller says the type of a variable it is the parameter's; what it does not say the compiler finds.
fn has_type_of_rust(own: &Outline<'_>, argument: usize, caller: usize, kind: &str) -> bool {
    let plain = behind_reference(own, argument);
    let Some(node) = own.nodes.get(plain) else { return false };
    match node.kind {
        "string_literal" => return matches!(kind, "&str" | "&'staticstr"),
        "boolean_literal" => return kind == "bool",
        "integer_literal" => {
            return kind.trim_start_matches(['u', 'i']).chars().all(|c| c.is_ascii_digit())
                || kind.ends_with("size");
        }
        _ => {}
    }
    let prefix: String = own
        .nodes
        .get(argument..plain)
        .unwrap_or_default()
        .iter()
        .filter(|part| part.is_leaf())
        .map(|part| part.text.as_ref())
        .collect();
    let end = caller + own.nodes.get(caller).map_or(0, |node| node.size);
    let types = (caller..end).filter(|at| {
        let is_named = || {
            own.child_by_field(*at, "pattern")
                .and_then(|name| own.nodes.get(name))
                .is_some_and(|name| name.text == node.text)
        };
        own.nodes.get(*at).is_some_and(|part| matches!(part.kind, "parameter" | "let_declaration"))
            && is_named()
    });
    types
        .filter_map(|at| own.child_by_field(at, "type"))
        .all(|at| format!("{prefix}{}", words_of(&own.nodes, at)) == kind)
}

/// Whether all declarations of a name in the caller give it this type.
pub(super) fn declares_as(own: &Outline<'_>, caller: usize, name: &str, kind: &str) -> bool {
    const DECLARING: &[&str] = &[
        "declaration",
        "enhanced_for_statement",
        "foreach_statement",
        "formal_parameter",
        "local_variable_declaration",
        "parameter",
        "parameter_declaration",
        "variable_declaration",
    ];
    let end = caller + own.nodes.get(caller).map_or(0, |node| node.size);
    let is_declarator = |node: &Node<'_>| {
        matches!(node.field, "name" | "declarator") || (node.field == "left" && node.is_leaf())
    };
    let declares = |part: &Node<'_>| part.is_leaf() && is_declarator(part) && part.text == name;
    let mut types = (caller..end)
        .filter(|at| own.nodes.get(*at).is_some_and(|node| DECLARING.contains(&node.kind)))
        .filter_map(|at| {
            let name = at + own.subtree(at).iter().take(12).position(declares)?;
            if own.language == Language::C {
                return Some(signature::declared_type(own, at, name));
            }
            own.child_by_field(at, "type").map(|at| words_of(&own.nodes, at))
        });
    types.next().is_some_and(|found| found == kind) && types.all(|found| found == kind)
}

/// What stands for the parameters of a function at one call.
#[derive(Clone)]
pub(super) struct Filling<'o, 't> {
    own: &'o Outline<'t>,
    given: BTreeMap<usize, Vec<Node<'t>>>,
    /// Other names for what the body declares, where the caller has the same ones.
    names: BTreeMap<usize, String>,
    /// The names of the function that read otherwise at the call.
    changed: BTreeSet<String>,
    /// The declaration of the receiver, and its name at the call.
    receiver: (Option<usize>, String),
}

impl<'o, 't> Filling<'o, 't> {
    /// `None` where a name of the body is also one of the caller and cannot be told apart.
    pub(super) fn of(
        own: &'o Outline<'t>,
        call: usize,
        caller: usize,
        template: &Template<'t>,
        given: &[usize],
        receiver: &str,
    ) -> Option<Self> {
        let (mut values, mut changed) = (BTreeMap::new(), BTreeSet::new());
        for (argument, parameter) in given.iter().zip(&template.parameters) {
            let plain = behind_reference(own, *argument);
            if own.nodes.get(plain).is_none_or(|node| node.text != parameter.name) {
                changed.insert(parameter.name.clone());
            }
            values.insert(parameter.number?, own.subtree(plain).to_vec());
        }
        let taken: BTreeSet<&str> = own
            .subtree(caller)
            .iter()
            .filter(|node| node.is_leaf() && is_name(node.kind))
            .map(|node| node.text.as_ref())
            .collect();
        let start = own.nodes.get(call)?.start;
        let others: Vec<_> = template.own.iter().filter(|(_, name)| taken.contains(name.as_str())).collect();
        changed.extend(others.iter().map(|(_, name)| (*name).clone()));
        let names =
            others.into_iter().map(|(number, name)| (*number, format!("{name}\u{b7}{start}"))).collect();
        Some(Self {
            own,
            given: values,
            names,
            changed,
            receiver: (template.receiver_number, receiver.to_owned()),
        })
    }

    /// The same with a name for one thing that the body declares.
    pub(super) fn named(&self, number: usize, was: &str, name: &str) -> Self {
        let (mut names, mut changed) = (self.names.clone(), self.changed.clone());
        changed.extend(names.insert(number, name.to_owned()));
        changed.insert(was.to_owned());
        Self { names, changed, ..self.clone() }
    }

    /// A piece of the body with the arguments in the place of the parameters; `None` where a text has a name in it that
    /// would have to change.
    pub(super) fn fill(&self, piece: &[Bound<'t>]) -> Option<Vec<Node<'t>>> {
        let nodes = piece.iter().map(|bound| bound.node.clone()).collect();
        let mut filled = Outline { nodes, suppressions: Vec::new(), ..self.own.clone() };
        for (at, bound) in piece.iter().enumerate().rev() {
            let node = &bound.node;
            if bound.is_filled {
                self.is_told_apart(&node.text).then_some(())?;
            }
            if let Some(number) = bound.number {
                if Some(number) == self.receiver.0 {
                    let text = self.receiver.1.clone().into();
                    replace(&mut filled, at, vec![Node { text, ..node.clone() }]);
                } else if let Some(with) = self.given.get(&number) {
                    let is_held = node.kind.contains("shorthand")
                        && with.first().is_none_or(|with| with.text != node.text || with.size > 1);
                    (!is_held).then_some(())?;
                    replace(&mut filled, at, with.clone());
                } else if let Some(name) = self.names.get(&number) {
                    (!node.kind.contains("shorthand")).then_some(())?;
                    replace(&mut filled, at, vec![Node { text: name.clone().into(), ..node.clone() }]);
                }
            }
        }
        Some(filled.nodes)
    }

    /// Whether no name that has to change stands inside a text with places to fill in.
    fn is_told_apart(&self, text: &str) -> bool {
        text.split('{').skip(1).all(|place| {
            let end = place.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(place.len());
            place.get(..end).is_none_or(|name| !self.changed.contains(name))
        })
    }
}
