//! The named units of a text: functions, types, modules, constants, and what they are called.

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::outline::{Node, Outline, children_of};

/// What kind of named unit a node is.
pub(crate) fn kind_of(language: Language, kind: &str) -> Option<SymbolKind> {
    Some(match kind {
        "function_item"
        | "function_signature_item"
        | "function_declaration"
        | "generator_function_declaration"
        | "function_definition"
        | "method_definition"
        | "method_declaration"
        | "method_signature"
        | "abstract_method_signature"
        | "function_signature"
        | "constructor_declaration"
        | "destructor_declaration"
        | "local_function_statement"
        | "method"
        | "singleton_method"
        | "macro_definition"
        | "preproc_function_def" => SymbolKind::Function,
        "struct_item"
        | "enum_item"
        | "union_item"
        | "trait_item"
        | "type_item"
        | "class_declaration"
        | "abstract_class_declaration"
        | "class_definition"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "struct_declaration"
        | "trait_declaration"
        | "annotation_type_declaration"
        | "type_alias_declaration"
        | "type_spec"
        | "type_alias"
        | "class_specifier"
        | "struct_specifier"
        | "union_specifier"
        | "enum_specifier" => SymbolKind::Type,
        "class" if language == Language::Ruby => SymbolKind::Type,
        "module" if language == Language::Ruby => SymbolKind::Module,
        "mod_item" | "impl_item" | "namespace_definition" | "namespace_declaration" | "internal_module" => {
            SymbolKind::Module
        }
        "const_item"
        | "static_item"
        | "const_spec"
        | "var_spec"
        | "variable_declarator"
        | "const_element"
        | "property_element"
        | "public_field_definition"
        | "field_definition"
        | "preproc_def" => SymbolKind::Constant,
        _ => return None,
    })
}

/// The name of a unit.
pub(crate) fn name_of(outline: &Outline<'_>, index: usize) -> Option<String> {
    name_in(&outline.nodes, index)
}

/// The name of a unit in a list of nodes.
pub(crate) fn name_in(nodes: &[Node<'_>], index: usize) -> Option<String> {
    let node = nodes.get(index)?;
    let field = |wanted: &str| {
        children_of(nodes, index).find(|child| nodes.get(*child).is_some_and(|node| node.field == wanted))
    };
    if node.kind == "impl_item" {
        return field("type").map(|child| words_of(nodes, child));
    }
    let name = field("name").or_else(|| field("declarator"))?;
    let name = declared(nodes, name)?;
    if let Some(receiver) = field("receiver") {
        let of = type_of_receiver(nodes, receiver).unwrap_or_default();
        return Some(format!("{of}.{name}"));
    }
    Some(name)
}

/// The name below a declarator of C, or the name itself.
fn declared(nodes: &[Node<'_>], index: usize) -> Option<String> {
    let mut at = index;
    loop {
        let node = nodes.get(at)?;
        if node.is_leaf() {
            return Some(node.text.to_string());
        }
        if node.kind == "qualified_identifier"
            || node.kind == "destructor_name"
            || node.kind == "operator_name"
        {
            return Some(words_of(nodes, at));
        }
        let is_deeper = |child: &usize| nodes.get(*child).is_some_and(|node| node.field == "declarator");
        let next = children_of(nodes, at).find(is_deeper);
        match next {
            Some(next) => at = next,
            None => return Some(words_of(nodes, at)),
        }
    }
}

fn type_of_receiver(nodes: &[Node<'_>], receiver: usize) -> Option<String> {
    let size = nodes.get(receiver)?.size;
    let subtree = nodes.get(receiver..receiver + size)?;
    subtree.iter().find(|node| node.kind == "type_identifier").map(|node| node.text.to_string())
}

/// The texts of all leaves below a node.
pub(crate) fn words_of(nodes: &[Node<'_>], index: usize) -> String {
    let size = nodes.get(index).map_or(0, |node| node.size);
    let leaves = nodes.get(index..index + size).unwrap_or_default().iter();
    leaves.map(|node| node.text.as_ref()).collect()
}
