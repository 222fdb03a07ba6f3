//! How fields, members of enumerations, variables of a file and other names without a unit of their own are declared, so
//! that it is known whether anything could look them up by their text.

use crate::language::Language;
use crate::outline::Outline;

use super::guards::{derives_only_quiet, is_marked};

/// How a name is declared at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    /// It is not declared here.
    None,
    Private,
    Public,
    /// Declared in a way that makes its text matter.
    Forbidden,
}

/// The declaration at this place, where a rule here knows it.
pub(super) fn of(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    match outline.language {
        Language::C | Language::Cpp => in_c(outline, index, ancestors),
        Language::Rust => in_rust(outline, index, ancestors),
        Language::TypeScript | Language::Tsx | Language::JavaScript => in_script(outline, index, ancestors),
        Language::CSharp => in_csharp(outline, index, ancestors),
        Language::Ruby => in_ruby(outline, index, ancestors),
        _ => None,
    }
}

fn field_of<'o>(outline: &'o Outline<'_>, index: usize) -> &'o str {
    outline.nodes.get(index).map_or("", |node| node.field)
}

/// Whether a leaf of the text fits.
fn says(outline: &Outline<'_>, fits: impl Fn(&str) -> bool) -> bool {
    !outline.spend() || outline.nodes.iter().any(|node| node.is_leaf() && fits(&node.text))
}

/// Fields, enumerators, other names of types, and variables of a file. No program of C can ask for such a name at run
/// time; a macro that makes a text of what it is given can.
fn in_c(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let parent = *ancestors.first()?;
    let kind = outline.kind(index);
    let around = || {
        ancestors.iter().copied().find(|at| {
            !matches!(
                outline.kind(*at),
                "pointer_declarator"
                    | "array_declarator"
                    | "init_declarator"
                    | "parenthesized_declarator"
                    | "reference_declarator"
            )
        })
    };
    let is_declarator = || matches!(field_of(outline, index), "declarator" | "name" | "");
    let found = match kind {
        "field_identifier" => {
            let holder = around().filter(|at| outline.kind(*at) == "field_declaration")?;
            is_hidden_field(outline, holder, ancestors).then_some(Declaration::Public)?
        }
        "identifier" if outline.kind(parent) == "enumerator" && field_of(outline, index) == "name" => {
            Declaration::Public
        }
        "type_identifier" if outline.kind(parent) == "type_definition" && is_declarator() => {
            Declaration::Public
        }
        "identifier" if is_declarator() => {
            let holder = around().filter(|at| outline.kind(*at) == "declaration")?;
            let is_of_file = ancestors.iter().filter(|at| **at < holder).all(|at| {
                matches!(
                    outline.kind(*at),
                    "translation_unit"
                        | "linkage_specification"
                        | "declaration_list"
                        | "namespace_definition"
                ) || outline.kind(*at).starts_with("preproc_")
            });
            is_of_file.then_some(())?;
            let is_static = outline.children(holder).any(|child| words(outline, child, "static"));
            if is_static { Declaration::Private } else { Declaration::Public }
        }
        _ => return None,
    };
    Some(if is_given_to_a_macro(outline, outline.text(index)) { Declaration::Forbidden } else { found })
}

fn words(outline: &Outline<'_>, at: usize, word: &str) -> bool {
    outline.subtree(at).iter().any(|node| node.text == word)
}

/// A field of C, or a private one of C++: templates may ask whether a type has a field.
fn is_hidden_field(outline: &Outline<'_>, field: usize, ancestors: &[usize]) -> bool {
    const OF_CPP: &[&str] = &[
        "template_declaration",
        "class_specifier",
        "namespace_definition",
        "access_specifier",
        "template_type",
    ];
    if outline.language == Language::C || !outline.nodes.iter().any(|node| OF_CPP.contains(&node.kind)) {
        return true;
    }
    let list = ancestors.iter().copied().find(|at| outline.kind(*at) == "field_declaration_list");
    let Some(list) = list else { return false };
    let holder = ancestors.iter().copied().find(|at| *at < list);
    let access = outline
        .children(list)
        .take_while(|child| *child < field)
        .filter(|child| outline.kind(*child) == "access_specifier")
        .last();
    match access {
        Some(access) => words(outline, access, "private"),
        None => holder.is_some_and(|holder| outline.kind(holder) == "class_specifier"),
    }
}

/// Whether a name stands among what is given to something that is called like a macro.
fn is_given_to_a_macro(outline: &Outline<'_>, name: &str) -> bool {
    outline.nodes.iter().enumerate().filter(|(_, node)| node.kind == "call_expression").any(|(at, node)| {
        let is_macro = outline
            .child_by_field(at, "function")
            .is_some_and(|function| !outline.text(function).chars().any(char::is_lowercase));
        is_macro && (!outline.budget.spend(node.size) || words(outline, at, name))
    })
}

/// Fields that more than the module sees, and variants that no derive turns into text.
fn in_rust(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let parent = *ancestors.first()?;
    if field_of(outline, index) != "name" {
        return None;
    }
    match outline.kind(parent) {
        "field_declaration" => {
            derives_only_quiet(outline, ancestors).then_some(())?;
            let is_public =
                outline.children(parent).any(|child| outline.kind(child) == "visibility_modifier");
            Some(if is_public { Declaration::Public } else { Declaration::Private })
        }
        "enum_variant" => {
            let item = ancestors.iter().copied().find(|at| outline.kind(*at) == "enum_item")?;
            let above: Vec<usize> = ancestors.iter().copied().filter(|at| *at < item).collect();
            let is_quiet = !is_marked(outline, item, &above) && !is_printed(outline, item, &above);
            is_quiet.then_some(Declaration::Public)
        }
        _ => None,
    }
}

/// Whether `Debug` is derived: it writes the names of variants.
fn is_printed(outline: &Outline<'_>, item: usize, above: &[usize]) -> bool {
    let parent = above.first().copied().unwrap_or(0);
    let mut run = Vec::new();
    for child in outline.children(parent).take_while(|child| *child < item) {
        if outline.kind(child) == "attribute_item" { run.push(child) } else { run.clear() }
    }
    run.into_iter().any(|mark| words(outline, mark, "Debug"))
}

/// `#a`, which nothing else can name.
fn in_script(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let parent = *ancestors.first()?;
    let is_member =
        matches!(outline.kind(parent), "field_definition" | "public_field_definition" | "method_definition");
    let is_own = outline.kind(index) == "private_property_identifier" && is_member;
    let found = if is_decorated(outline, parent) { Declaration::Forbidden } else { Declaration::Private };
    is_own.then_some(found)
}

/// Whether a decorator stands in a member or right before it.
fn is_decorated(outline: &Outline<'_>, member: usize) -> bool {
    outline.subtree(member).iter().any(|node| node.kind == "decorator")
        || member.checked_sub(1).is_some_and(|before| {
            outline
                .nodes
                .iter()
                .enumerate()
                .any(|(at, node)| node.kind == "decorator" && at + node.size == before + 1 && at < member)
        })
}

/// A field that the assembly alone sees.
fn in_csharp(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let [declarator, _, field, ..] = ancestors else { return None };
    let is_declared = outline.kind(*declarator) == "variable_declarator"
        && outline.kind(*field) == "field_declaration"
        && field_of(outline, index) == "name";
    let heads = outline.nodes.get(*field..*declarator)?;
    let says = |word: &str| heads.iter().any(|node| node.text == word);
    let is_internal = is_declared
        && says("internal")
        && !says("protected")
        && !heads.iter().any(|node| node.kind == "attribute_list");
    is_internal.then_some(Declaration::Public)
}

/// A variable of an object whose class has no other above it, where nothing asks for it by a text.
fn in_ruby(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    if outline.kind(index) != "instance_variable" {
        return None;
    }
    let is_assigned = field_of(outline, index) == "left"
        && ancestors
            .first()
            .is_some_and(|at| matches!(outline.kind(*at), "assignment" | "operator_assignment"));
    let class = ancestors.iter().copied().find(|at| matches!(outline.kind(*at), "class" | "module"))?;
    let name = outline.text(index).trim_start_matches('@');
    let is_alone = outline.kind(class) == "class"
        && outline.child_by_field(class, "superclass").is_none()
        && !says(outline, |text| {
            text.trim_matches([':', '"', '\'', '@']) == name
                && !text.starts_with('@')
                && text.contains([':', '"', '\''])
                || text.starts_with("instance_variable")
                || matches!(
                    text,
                    "include" | "extend" | "prepend" | "attr_accessor" | "attr_writer" | "attr_reader"
                )
                || matches!(text, "inspect" | "instance_eval" | "class_eval" | "marshal_dump" | "binding")
        });
    match (is_alone, is_assigned) {
        (true, true) => Some(Declaration::Private),
        (true, false) => Some(Declaration::None),
        (false, _) => Some(Declaration::Forbidden),
    }
}
