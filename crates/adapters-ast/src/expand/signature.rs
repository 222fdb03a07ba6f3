//! What a function says of itself before its body: name, parameters, result, and who may call it.

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::{Node, Outline};
use crate::units::{self, words_of};

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The words of its type.
    pub(super) kind: String,
    /// The node of its name.
    pub(super) at: usize,
    /// The declaration that it is.
    pub(super) number: Option<usize>,
}

/// The name of a function.
pub(super) fn name(outline: &Outline<'_>, unit: usize) -> Option<String> {
    if outline.language == Language::C {
        return units::name_of(outline, unit);
    }
    let name = outline.nodes.get(outline.child_by_field(unit, "name")?)?;
    name.is_leaf().then(|| name.text.to_string())
}

/// The parameters, and the name of the value that a method works on; `None` where one is not plain.
pub(super) fn parameters(outline: &Outline<'_>, unit: usize) -> Option<(Vec<Parameter>, Option<Parameter>)> {
    let mut found = Vec::new();
    let mut receiver = None;
    let itself =
        |name: &str| Parameter { name: name.to_owned(), kind: String::new(), at: unit, number: None };
    let parameter = |at: usize, kind: String| {
        let node = outline.nodes.get(at).filter(|node| node.is_leaf())?;
        Some(Parameter { name: node.text.to_string(), kind, at, number: None })
    };
    for child in outline.children(list(outline, unit)?) {
        let node = outline.nodes.get(child)?;
        match node.kind {
            "(" | ")" | "," => {}
            "self_parameter" => receiver = Some(itself("self")),
            "identifier" => found.push(parameter(child, String::new())?),
            "formal_parameter" | "parameter_declaration" | "parameter" => {
                found.extend(typed(outline, child)?);
            }
            "typed_parameter" => found.push(parameter(child + 1, String::new())?),
            "required_parameter" if outline.child_by_field(child, "value").is_none() => {
                found.push(parameter(outline.child_by_field(child, "pattern")?, String::new())?);
            }
            _ => return None,
        }
    }
    if let Some(holder) = outline.child_by_field(unit, "receiver") {
        let name = outline.subtree(holder).iter().position(|node| node.field == "name")?;
        receiver = Some(parameter(holder + name, String::new())?);
    }
    if outline.kind(unit) == "method_definition" {
        receiver = Some(itself("this"));
    }
    if outline.language == Language::Python && found.first().is_some_and(|first| first.name == "self") {
        receiver = Some(found.remove(0));
    }
    Some((found, receiver))
}

fn list(outline: &Outline<'_>, unit: usize) -> Option<usize> {
    if outline.language != Language::C {
        return outline.child_by_field(unit, "parameters");
    }
    let mut at = outline.child_by_field(unit, "declarator")?;
    while outline.kind(at) == "pointer_declarator" {
        at = outline.child_by_field(at, "declarator")?;
    }
    outline.child_by_field(at, "parameters")
}

/// The parameters of one declaration with a type.
fn typed(outline: &Outline<'_>, at: usize) -> Option<Vec<Parameter>> {
    let has_modifier = outline.children(at).any(|child| {
        matches!(outline.kind(child), "modifier" | "attribute_list" | "mutable_specifier" | "modifiers")
            || outline.nodes.get(child).is_some_and(|node| matches!(node.field, "value" | "default_value"))
    });
    if has_modifier {
        return None;
    }
    let one = |at: usize, kind: String| {
        let node = outline.nodes.get(at).filter(|node| node.is_leaf() && node.kind == "identifier")?;
        Some(Parameter { name: node.text.to_string(), kind, at, number: None })
    };
    if outline.language == Language::C {
        if words_of(&outline.nodes, at) == "void" {
            return Some(Vec::new());
        }
        let name = (at..at + outline.subtree(at).len()).find(|part| {
            outline.nodes.get(*part).is_some_and(|node| node.is_leaf() && node.kind == "identifier")
        })?;
        let is_plain = outline
            .subtree(at)
            .iter()
            .all(|node| !node.kind.contains("function_declarator") && !node.kind.contains("array"));
        return Some(vec![one(name, declared_type(outline, at, name)).filter(|_| is_plain)?]);
    }
    let kind = words_of(&outline.nodes, outline.child_by_field(at, "type")?);
    let names = outline.children(at).filter(|child| {
        outline.nodes.get(*child).is_some_and(|node| matches!(node.field, "name" | "pattern"))
    });
    names.map(|name| one(name, kind.clone())).collect()
}

/// The words of a declaration of C without the name and the value.
pub(super) fn declared_type(outline: &Outline<'_>, at: usize, name: usize) -> String {
    let end = at + outline.subtree(at).len();
    let sign = (name..end).find(|part| outline.kind(*part) == "=").unwrap_or(end);
    let words = (at..sign).filter(|part| *part != name).filter_map(|part| outline.nodes.get(part));
    words.filter(|node| node.is_leaf() && node.text != ";").map(|node| format!("{} ", node.text)).collect()
}

/// The words of what a function gives back.
pub(super) fn result(outline: &Outline<'_>, unit: usize) -> String {
    if outline.language == Language::C {
        let end = list(outline, unit).unwrap_or(unit);
        let words = outline.nodes.get(unit..end).unwrap_or_default().iter();
        let is_word = |node: &&Node<'_>| {
            node.is_leaf() && node.kind != "identifier" && !matches!(node.text.as_ref(), "static" | "inline")
        };
        return words.filter(is_word).map(|node| format!("{} ", node.text)).collect();
    }
    let fields = ["type", "result", "returns", "return_type"];
    let kind = fields.iter().find_map(|wanted| outline.child_by_field(unit, wanted));
    kind.map(|kind| words_of(&outline.nodes, kind)).unwrap_or_default()
}

/// The words of the type that a method of Go belongs to.
pub(super) fn receiver_type(outline: &Outline<'_>, unit: usize) -> String {
    outline
        .child_by_field(unit, "receiver")
        .and_then(|list| outline.children(list).find_map(|child| outline.child_by_field(child, "type")))
        .map(|kind| words_of(&outline.nodes, kind))
        .unwrap_or_default()
}

/// Whether nobody outside the text is meant to call a function.
pub(super) fn is_private(outline: &Outline<'_>, unit: usize, name: &str) -> bool {
    let says = |words: &[&str]| {
        outline
            .subtree(unit)
            .iter()
            .take(12)
            .any(|node| node.is_leaf() && words.contains(&node.text.as_ref()))
    };
    match outline.language {
        Language::Java => says(&["private"]),
        Language::C => says(&["static"]),
        Language::CSharp => !says(&["public", "internal", "protected"]),
        Language::Rust => {
            let is_of_trait = ancestors(outline, unit).iter().any(|at| {
                outline.kind(*at) == "trait_item" || outline.child_by_field(*at, "trait").is_some()
            });
            !is_of_trait && outline.children(unit).all(|child| outline.kind(child) != "visibility_modifier")
        }
        Language::Go => !name.starts_with(char::is_uppercase),
        // A class above may have a method of that name, which it calls.
        Language::Python => {
            let inherits = ancestors(outline, unit).into_iter().any(|at| {
                outline.kind(at) == "class_definition" && outline.child_by_field(at, "superclasses").is_some()
            });
            !name.starts_with("test") && !name.starts_with("__") && (!inherits || name.starts_with('_'))
        }
        _ if outline.kind(unit) == "method_definition" => says(&["private"]) || name.starts_with(['#', '_']),
        _ => !ancestors(outline, unit).iter().any(|at| outline.kind(*at) == "export_statement"),
    }
}

/// Whether something may give a parameter another value, or take its address. Where a value is copied, a change of a part
/// of it counts.
pub(super) fn is_reassigned(outline: &Outline<'_>, body: usize, parameters: &[Parameter]) -> bool {
    const CHANGES: &[&str] = &[
        "assignment",
        "update",
        "inc_statement",
        "dec_statement",
        "short_var",
        "named_expression",
        "for_in",
        "delete",
        "postfix_unary",
        "prefix_unary",
    ];
    let has_references =
        matches!(outline.language, Language::Java | Language::Python) || outline.language.is_script();
    let is_parameter =
        |node: &Node<'_>| node.is_leaf() && parameters.iter().any(|known| known.name == node.text);
    let is_part = |at: usize| {
        matches!(
            outline.kind(at),
            "attribute"
                | "subscript"
                | "member_expression"
                | "subscript_expression"
                | "field_access"
                | "array_access"
        )
    };
    (body..body + outline.subtree(body).len()).any(|at| {
        let Some(node) = outline.nodes.get(at) else { return true };
        let takes_address = (node.kind.contains("unary") || node.kind == "pointer_expression")
            && outline.nodes.get(at + 1).is_some_and(|next| next.text == "&");
        let is_loop =
            outline.language == Language::Python && matches!(node.kind, "for_statement" | "as_pattern");
        let is_unary = node.kind.contains("_unary");
        let counts = |at: usize| matches!(outline.kind(at), "++" | "--");
        let changes = CHANGES.iter().any(|part| node.kind.contains(part))
            && (!is_unary || outline.children(at).any(counts));
        if !takes_address && !is_loop && !changes {
            return false;
        }
        let value = outline.child_by_field(at, "right");
        let is_target = |target: &usize| {
            let is_new_name = outline.kind(*target) == "as_pattern_target"
                || outline.nodes.get(*target).is_some_and(|node| node.field == "left");
            Some(*target) != value && (!is_loop || is_new_name)
        };
        outline.children(at).filter(is_target).any(|target| {
            let is_only_a_part = has_references && is_part(target);
            !is_only_a_part && outline.subtree(target).iter().any(is_parameter)
        })
    })
}
