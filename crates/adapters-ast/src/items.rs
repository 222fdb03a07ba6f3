//! The items of a text: what stands side by side in a file, a class or a module, and which of them may change places.
//!
//! Two items may change places when nothing can tell. What runs when it is reached keeps its place; so does what carries
//! a decorator or an attribute that might look at its surroundings.

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::names::{Renames, ancestors};
use crate::outline::{Node, Outline};
use crate::units;

/// One item: a run of nodes, attributes included.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The node that gives it its name.
    pub(crate) unit: usize,
    /// What it is found by on the other side.
    pub(crate) key: String,
    pub(crate) name: Option<String>,
    pub(crate) is_import: bool,
    /// The body, where it is a list of items itself.
    pub(crate) body: Option<usize>,
}

impl Item {
    /// The key under accepted renames.
    pub(crate) fn renamed_key(&self, renames: &Renames) -> String {
        match &self.name {
            Some(name) => self.key.replace(name.as_str(), &renames.words(name)),
            None => self.key.clone(),
        }
    }
}

/// Attributes that stand beside what they belong to.
fn is_attribute(kind: &str) -> bool {
    matches!(kind, "attribute_item" | "inner_attribute_item" | "decorator")
}

/// Documentation of Rust that a program reads: it goes where its item goes.
fn is_documentation(outline: &Outline<'_>, at: usize) -> bool {
    let text = outline.text(at);
    outline.language == Language::Rust
        && outline.kind(at) == "PRAGMA"
        && (text.starts_with("///") || text.starts_with("/**"))
}

fn is_bracket(kind: &str) -> bool {
    matches!(kind, "{" | "}" | ":" | "end")
}

pub(crate) fn is_import(language: Language, kind: &str) -> bool {
    match language {
        Language::Rust => kind == "use_declaration",
        Language::Python => matches!(kind, "import_statement" | "import_from_statement"),
        Language::TypeScript | Language::Tsx | Language::JavaScript => kind == "import_statement",
        Language::Go | Language::Java => kind == "import_declaration",
        Language::CSharp => kind == "using_directive",
        Language::Php => kind == "namespace_use_declaration",
        Language::C | Language::Cpp | Language::Ruby => false,
    }
}

/// The items of a container's body.
pub(crate) fn split(outline: &Outline<'_>, container: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let mut pending = None;
    for child in outline.children(container) {
        let Some(node) = outline.nodes.get(child) else { continue };
        if is_bracket(node.kind) && node.is_leaf() {
            continue;
        }
        let from = pending.take().unwrap_or(child);
        if is_attribute(node.kind) || is_documentation(outline, child) {
            pending = Some(from);
            continue;
        }
        items.push(item(outline, from, child));
    }
    if let Some(from) = pending {
        items.push(item(outline, from, from));
    }
    items
}

fn item(outline: &Outline<'_>, from: usize, child: usize) -> Item {
    let node_size = outline.nodes.get(child).map_or(1, |node| node.size);
    let kind = outline.kind(child);
    let unit = unit_of(outline, child);
    let unit_kind = outline.kind(unit);
    let is_unit = units::kind_of(outline.language, unit_kind).is_some();
    let name = if is_unit { units::name_of(outline, unit) } else { None };
    let key = match &name {
        Some(name) => format!("{unit_kind} {name}"),
        None => format!("{kind} -"),
    };
    let is_import = from == child && is_import(outline.language, kind);
    Item { from, to: child + node_size, unit, key, name, is_import, body: body_of(outline, unit) }
}

/// The unit that an item wraps: what is exported, decorated, or declared alone.
fn unit_of(outline: &Outline<'_>, index: usize) -> usize {
    let mut at = index;
    for _ in 0..4 {
        let Some(node) = outline.nodes.get(at) else { return index };
        if units::kind_of(outline.language, node.kind).is_some() {
            return at;
        }
        if outline.language == Language::Java && node.kind == "field_declaration" {
            let mut fields = outline.children(at).filter(|child| {
                outline.nodes.get(*child).is_some_and(|node| node.kind == "variable_declarator")
            });
            return match (fields.next(), fields.next()) {
                (Some(only), None) => only,
                _ => index,
            };
        }
        let is_wrapper = matches!(
            node.kind,
            "export_statement"
                | "decorated_definition"
                | "template_declaration"
                | "lexical_declaration"
                | "type_declaration"
                | "const_declaration"
                | "ambient_declaration"
        );
        if !is_wrapper {
            return index;
        }
        let mut inner = outline.children(at).filter(|child| {
            outline.nodes.get(*child).is_some_and(|node| {
                !node.is_leaf() && !matches!(node.kind, "decorator" | "template_parameter_list")
            })
        });
        match (inner.next(), inner.next()) {
            (Some(only), None) => at = only,
            _ => return index,
        }
    }
    at
}

fn body_of(outline: &Outline<'_>, unit: usize) -> Option<usize> {
    let kind = outline.nodes.get(unit)?.kind;
    if !matches!(units::kind_of(outline.language, kind)?, SymbolKind::Type | SymbolKind::Module) {
        return None;
    }
    let is_list = |child: &usize| {
        outline.nodes.get(*child).is_some_and(|node| {
            matches!(
                node.kind,
                "class_body"
                    | "declaration_list"
                    | "block"
                    | "interface_body"
                    | "body_statement"
                    | "statement_block"
            ) || (node.kind == "field_declaration_list" && outline.language.is_c())
        })
    };
    outline.children(unit).find(is_list)
}

/// Whether a node of this kind holds variables of its own.
pub(crate) fn binds_variables(language: Language, kind: &str) -> bool {
    match units::kind_of(language, kind) {
        Some(SymbolKind::Function) => !matches!(kind, "macro_definition" | "preproc_function_def"),
        _ => matches!(
            kind,
            "arrow_function"
                | "function_expression"
                | "generator_function"
                | "func_literal"
                | "lambda"
                | "closure_expression"
        ),
    }
}

/// How an item stands to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mobility {
    /// Nothing can tell where it stands.
    Free,
    /// Only what runs where it stands can tell.
    Declaration,
    /// It runs.
    Fixed,
    /// Something may run for it and look at its surroundings.
    Marked,
}

/// Whether two items may change places.
pub(crate) fn commute(outline: &Outline<'_>, one: &Item, other: &Item) -> bool {
    if is_property_beside_field(outline, one, other) || is_property_beside_field(outline, other, one) {
        return true;
    }
    let (Some(name), Some(other_name)) = (&one.name, &other.name) else {
        let (named, unnamed) = if one.name.is_some() { (one, other) } else { (other, one) };
        let is_free = named.name.is_some() && mobility(outline, named) == Mobility::Free;
        return is_free && cannot_tell(outline, unnamed);
    };
    if name == other_name {
        // Which of several functions of one name is called does not depend on their order.
        let is_function = |item: &Item| {
            let kind = outline.kind(item.unit);
            matches!(kind, "method_declaration" | "constructor_declaration")
        };
        return matches!(outline.language, Language::Java | Language::CSharp)
            && [one, other]
                .into_iter()
                .all(|item| is_function(item) && mobility(outline, item) == Mobility::Free);
    }
    match (mobility(outline, one), mobility(outline, other)) {
        (Mobility::Free, Mobility::Free) => true,
        (Mobility::Free, Mobility::Declaration | Mobility::Fixed)
        | (Mobility::Declaration | Mobility::Fixed, Mobility::Free) => {
            let is_namespace = |item: &Item| outline.kind(item.unit) == "namespace_definition";
            !matches!(outline.language, Language::Python | Language::Ruby | Language::C | Language::Cpp)
                && !is_namespace(one)
                && !is_namespace(other)
                && !calls_macro(outline, one, other)
                && !calls_macro(outline, other, one)
        }
        (Mobility::Declaration, Mobility::Declaration) => {
            !needs(outline, one, other_name) && !needs(outline, other, name)
        }
        _ => false,
    }
}

/// Whether an item calls a macro of Rust, which is the last one of its name that stands above.
fn calls_macro(outline: &Outline<'_>, item: &Item, definition: &Item) -> bool {
    outline.kind(definition.unit) == "macro_definition"
        && outline.nodes.get(item.from..item.to).unwrap_or_default().iter().any(|node| {
            node.is_leaf() && definition.name.as_ref().is_some_and(|name| node.text == name.as_str())
        })
}

/// Whether they are a property of C# that is given no value and a field that only the class sees, where no attribute says
/// how they lie in memory.
fn is_property_beside_field(outline: &Outline<'_>, property: &Item, field: &Item) -> bool {
    let is_seen = |child: usize| {
        outline
            .subtree(child)
            .iter()
            .any(|node| matches!(node.text.as_ref(), "public" | "internal" | "protected"))
    };
    outline.language == Language::CSharp
        && outline.kind(property.unit) == "property_declaration"
        && outline.child_by_field(property.unit, "value").is_none()
        && outline.kind(field.unit) == "field_declaration"
        && !outline.children(field.unit).any(is_seen)
        && ancestors(outline, field.unit).get(1).is_some_and(|class| {
            outline.kind(*class) == "class_declaration"
                && !outline.children(*class).any(|child| outline.kind(child) == "attribute_list")
        })
        && ![property, field]
            .into_iter()
            .any(|item| outline.children(item.unit).any(|child| outline.kind(child) == "attribute_list"))
}

/// Whether an item without a name is one that free items may pass.
fn cannot_tell(outline: &Outline<'_>, item: &Item) -> bool {
    let kind = outline.kind(item.unit);
    let is_known =
        matches!(outline.language, Language::Go | Language::Java | Language::CSharp | Language::Php);
    (is_known || outline.language.is_script()) && !kind.starts_with("preproc") && kind != "PRAGMA"
}

fn mobility(outline: &Outline<'_>, item: &Item) -> Mobility {
    let Some(node) = outline.nodes.get(item.unit) else { return Mobility::Fixed };
    let Some(kind) = units::kind_of(outline.language, node.kind) else { return Mobility::Fixed };
    if !has_only_quiet_attributes(outline, item) {
        return Mobility::Marked;
    }
    let is_function = kind == SymbolKind::Function;
    match outline.language {
        Language::Rust if node.kind == "macro_definition" => Mobility::Fixed,
        Language::Rust => Mobility::Free,
        Language::Go if kind == SymbolKind::Constant && node.kind != "const_spec" => Mobility::Fixed,
        Language::Go => Mobility::Free,
        Language::Java if node.kind == "variable_declarator" => {
            if is_quiet_field(outline, item) {
                Mobility::Declaration
            } else {
                Mobility::Fixed
            }
        }
        Language::Java | Language::CSharp | Language::Php => {
            if is_function || (kind == SymbolKind::Type && outline.language != Language::Php) {
                Mobility::Free
            } else {
                Mobility::Fixed
            }
        }
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            script_mobility(outline, item, node.kind)
        }
        Language::Python => python_mobility(outline, item, node.kind),
        Language::Ruby | Language::C | Language::Cpp => {
            if is_function && !node.kind.starts_with("preproc") {
                Mobility::Declaration
            } else {
                Mobility::Fixed
            }
        }
    }
}

/// Whether a field is made without running anything.
fn is_quiet_field(outline: &Outline<'_>, item: &Item) -> bool {
    let value = outline.child_by_field(item.unit, "value");
    value
        .and_then(|value| outline.nodes.get(value))
        .is_none_or(|node| node.kind.ends_with("_literal") || matches!(node.kind, "true" | "false"))
}

fn script_mobility(outline: &Outline<'_>, item: &Item, kind: &str) -> Mobility {
    match kind {
        "function_declaration"
        | "generator_function_declaration"
        | "interface_declaration"
        | "type_alias_declaration" => Mobility::Free,
        "method_definition" => {
            let is_computed =
                outline.subtree(item.unit).iter().any(|node| node.kind == "computed_property_name");
            if is_computed { Mobility::Fixed } else { Mobility::Free }
        }
        "variable_declarator" => {
            let value = outline.child_by_field(item.unit, "value");
            let is_inert = value.and_then(|value| outline.nodes.get(value)).is_some_and(|node| {
                matches!(
                    node.kind,
                    "arrow_function" | "function_expression" | "number" | "string" | "true" | "false"
                )
            });
            if is_inert { Mobility::Declaration } else { Mobility::Fixed }
        }
        _ => Mobility::Fixed,
    }
}

fn python_mobility(outline: &Outline<'_>, item: &Item, kind: &str) -> Mobility {
    match kind {
        "function_definition" => Mobility::Declaration,
        "class_definition" => {
            let runs = eager(outline, item).any(|node| matches!(node.kind, "call" | "decorator"));
            let has_bases = outline
                .children(item.unit)
                .any(|child| outline.nodes.get(child).is_some_and(|node| node.field == "superclasses"));
            if runs || has_bases { Mobility::Fixed } else { Mobility::Declaration }
        }
        _ => Mobility::Fixed,
    }
}

/// What of an item runs, or is looked up, when the item itself is reached: all of it where functions may be called or
/// resolved by position, else what lies outside the bodies of functions.
fn eager<'o, 't>(outline: &'o Outline<'t>, item: &Item) -> impl Iterator<Item = &'o Node<'t>> {
    let mut skip_to = item.from;
    let is_lazy = !outline.language.is_c();
    let nodes = outline.nodes.get(item.from..item.to).unwrap_or_default();
    nodes.iter().enumerate().filter_map(move |(at, node)| {
        let index = item.from + at;
        if index < skip_to {
            return None;
        }
        let is_function_body = is_lazy && node.field == "body" && is_in_function(outline, index);
        if is_function_body {
            skip_to = index + node.size;
            return None;
        }
        Some(node)
    })
}

fn is_in_function(outline: &Outline<'_>, body: usize) -> bool {
    let parent = ancestors(outline, body).first().copied();
    let kind = parent.and_then(|parent| outline.nodes.get(parent)).map_or("", |node| node.kind);
    binds_variables(outline.language, kind)
}

/// Whether an item needs a name at the time that it is reached.
fn needs(outline: &Outline<'_>, item: &Item, name: &str) -> bool {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    eager(outline, item).any(|node| node.is_leaf() && node.text == last)
}

fn has_only_quiet_attributes(outline: &Outline<'_>, item: &Item) -> bool {
    const QUIET: &[&str] = &[
        "Deprecated",
        "FunctionalInterface",
        "NotNull",
        "NonNull",
        "Nullable",
        "Override",
        "SafeVarargs",
        "SuppressWarnings",
        "VisibleForTesting",
        "abstractmethod",
        "allow",
        "cfg",
        "classmethod",
        "cold",
        "deprecated",
        "derive",
        "expect",
        "inline",
        "must_use",
        "non_exhaustive",
        "property",
        "repr",
        "staticmethod",
        "test",
        "track_caller",
    ];
    let nodes = outline.nodes.get(item.from..item.to).unwrap_or_default();
    let end_of_heads = item.body.unwrap_or(item.to).saturating_sub(item.from);
    let heads = nodes.get(..end_of_heads).unwrap_or_default();
    heads.iter().enumerate().all(|(at, node)| {
        let is_mark = matches!(
            node.kind,
            "attribute_item"
                | "decorator"
                | "annotation"
                | "marker_annotation"
                | "attribute_list"
                | "attribute_group"
        );
        if !is_mark {
            return true;
        }
        let name = heads
            .iter()
            .skip(at + 1)
            .find(|node| node.is_leaf() && node.text.starts_with(char::is_alphabetic));
        name.is_some_and(|name| QUIET.contains(&name.text.as_ref()))
    })
}
