//! What forbids a rename: names that a language, a framework or a reader of text may look up.

use bailiwick_domain::SymbolKind;

use crate::language::Language;
use crate::outline::{Node, Outline};
use crate::spelling::QUALIFIED;
use crate::units;

use super::declared::{self, Declaration};
use super::dynamic::calls_by_text;
use super::mentions;
use super::reserved::is_looked_for;

/// Whether a name may be renamed.
pub(super) fn may_be_renamed(pairs: &[(&Outline<'_>, &Outline<'_>)], old: &str, new: &str) -> bool {
    if !is_as_visible(pairs, old, new)
        || is_looked_for(old)
        || is_looked_for(new)
        || is_spelled_out(pairs, old, true)
        || is_spelled_out(pairs, new, false)
    {
        return false;
    }
    let mut declarations = 0;
    let mut mentions = 0;
    let mut is_private = true;
    for (before, _) in pairs {
        if !before.spend() {
            return false;
        }
        for (index, node) in before.nodes.iter().enumerate() {
            if !(node.is_leaf() && super::is_name(node.kind) && node.text == old) {
                continue;
            }
            mentions += 1;
            match declaration(before, index) {
                Declaration::Forbidden => return false,
                Declaration::None => {}
                Declaration::Public => {
                    declarations += 1;
                    is_private = false;
                }
                Declaration::Private => declarations += 1,
            }
        }
    }
    // Behind a path of Rust stands a mention as well.
    let qualified = |outline: &Outline<'_>, name: &str| {
        outline.nodes.iter().filter(|node| node.kind == QUALIFIED && node.text == name).count()
    };
    if pairs.iter().any(|(before, after)| qualified(before, new) + qualified(after, old) > 0) {
        return false;
    }
    mentions += pairs.iter().map(|(before, _)| qualified(before, old)).sum::<usize>();
    // Properties of Java, for what makes a text of an object.
    let is_java = pairs.iter().any(|(before, _)| before.language == Language::Java);
    if is_java && !is_private && (is_property(old) || is_property(new)) {
        return false;
    }
    // A name that nothing in the set mentions is asked for elsewhere; where nobody else may, by what finds it by its text.
    declarations > 0
        && mentions > declarations
        && mentions::are_own(pairs.iter().map(|(before, _)| *before), old)
        && mentions::are_own(pairs.iter().map(|(_, after)| *after), new)
}

fn is_property(name: &str) -> bool {
    ["get", "is", "set"]
        .iter()
        .filter_map(|prefix| name.strip_prefix(prefix))
        .any(|rest| rest.starts_with(char::is_uppercase))
}

/// Whether the new name says the same of who may see it, in languages where the name says it.
fn is_as_visible(pairs: &[(&Outline<'_>, &Outline<'_>)], old: &str, new: &str) -> bool {
    pairs.iter().all(|(before, _)| match before.language {
        // In JSX a small letter makes an element of it.
        Language::Go | Language::TypeScript | Language::Tsx | Language::JavaScript => {
            old.starts_with(char::is_uppercase) == new.starts_with(char::is_uppercase)
        }
        Language::Python => {
            let signs = |name: &str| name.len() - name.trim_start_matches('_').len();
            signs(old) == signs(new)
        }
        _ => true,
    })
}

/// Whether the name stands alone in a text somewhere: it may be looked up there.
fn is_spelled_out(pairs: &[(&Outline<'_>, &Outline<'_>)], name: &str, is_old: bool) -> bool {
    let stands_alone = |node: &Node<'_>| {
        let is_text =
            node.kind.contains("string") || node.kind.contains("symbol") || node.kind == "preproc_arg";
        is_text && node.text.trim_matches(['\'', '"', '`', ':']) == name
    };
    // A path in a text leads to what has the name: `a.b`, `A::b`, `a#b`; so does a call in what a page holds.
    let ends_a_path = |text: &str, language: Language| {
        let is_of_page = (language.is_script() || language == Language::Php) && text.contains(['<', '=']);
        text.match_indices(name).any(|(at, _)| {
            let (head, tail) =
                (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            !tail.starts_with(is_word)
                && (head.ends_with(['.', ':', '#', '\\', '@']) || is_of_page && tail.starts_with('('))
        })
    };
    let in_macro = |node: &Node<'_>| {
        node.kind == "preproc_arg"
            && node.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
    };
    pairs.iter().any(|(before, after)| {
        if matches!(before.language, Language::Rust) {
            return false;
        }
        let (own, other) = if is_old { (before, after) } else { (after, before) };
        // A template calls it where it has that name.
        let is_called = |node: &&Node<'_>| node.text.contains("{{");
        let mut texts = own.nodes.iter().filter(|node| !is_called(node)).chain(&other.nodes);
        own.nodes.iter().chain(&other.nodes).any(|node| stands_alone(node) || in_macro(node))
            || texts.any(|node| super::is_text(node.kind) && ends_a_path(&node.text, before.language))
    })
}

/// How a name is declared at this place, if it is.
pub(super) fn declaration(outline: &Outline<'_>, index: usize) -> Declaration {
    let ancestors = ancestors(outline, index);
    let parent = ancestors.first().and_then(|at| outline.nodes.get(*at));
    let Some(parent) = parent else { return Declaration::None };
    let field = outline.nodes.get(index).map_or("", |node| node.field);
    let is_unexported =
        outline.nodes.get(index).is_some_and(|node| node.text.starts_with(char::is_lowercase));
    if outline.language == Language::Go
        && parent.kind == "field_declaration"
        && field == "name"
        && is_unexported
    {
        return if mentions::prints_types(outline) { Declaration::Forbidden } else { Declaration::Private };
    }
    if let Some(found) = declared::of(outline, index, &ancestors) {
        return found;
    }
    if is_text_of_data(outline, parent.kind, field) {
        return Declaration::Forbidden;
    }
    if outline.language.is_script() && is_prototype_method(outline, &ancestors, index) {
        return Declaration::Public;
    }
    if outline.language == Language::Rust && parent.kind == "field_declaration" && field == "name" {
        return Declaration::Forbidden;
    }
    if outline.language == Language::Python
        && let Some(declaration) = python_variable(outline, index, &ancestors)
    {
        return declaration;
    }
    let unit = ancestors.iter().copied().find(|at| {
        outline.nodes.get(*at).is_some_and(|node| units::kind_of(outline.language, node.kind).is_some())
    });
    let Some(unit) = unit else { return Declaration::None };
    let name_node = name_leaf(outline, unit);
    if name_node != Some(index) {
        return Declaration::None;
    }
    declared_unit(outline, unit, &ancestors)
}

fn declared_unit(outline: &Outline<'_>, unit: usize, ancestors: &[usize]) -> Declaration {
    let kind = outline.kind(unit);
    let symbol = units::kind_of(outline.language, kind);
    if is_marked(outline, unit, ancestors) || is_given_elsewhere(outline, unit, ancestors) {
        return Declaration::Forbidden;
    }
    let is_method = ancestors.iter().skip(1).any(|at| {
        outline.nodes.get(*at).is_some_and(|node| {
            matches!(units::kind_of(outline.language, node.kind), Some(SymbolKind::Type))
                || node.kind == "impl_item"
        })
    });
    if symbol == Some(SymbolKind::Type) && !may_rename_type(outline, unit) {
        return Declaration::Forbidden;
    }
    let may_override = symbol == Some(SymbolKind::Function) && kind != "constructor_declaration";
    if is_method && may_override && overrides_something(outline, unit, ancestors) {
        return Declaration::Forbidden;
    }
    if symbol == Some(SymbolKind::Constant) && is_method && outline.language != Language::Rust {
        let is_own = is_private_field(outline, unit, ancestors);
        return if is_own { Declaration::Private } else { Declaration::Forbidden };
    }
    if is_visible(outline, unit, ancestors, is_method) { Declaration::Public } else { Declaration::Private }
}

/// Whether another program gives the name its meaning, or the language makes a text of it.
fn is_given_elsewhere(outline: &Outline<'_>, unit: usize, ancestors: &[usize]) -> bool {
    let is_type = units::kind_of(outline.language, outline.kind(unit)) == Some(SymbolKind::Type);
    let is_member = ancestors.iter().any(|at| *at < unit && outline.kind(*at) == "class_definition");
    if is_type && mentions::asks_for_types(outline) || !is_type && calls_by_text(outline, is_member) {
        return true;
    }
    let above: Vec<usize> = ancestors.iter().copied().filter(|at| *at < unit).collect();
    let name = units::name_of(outline, unit).unwrap_or_default();
    if above.iter().any(|at| is_made_public(outline, *at)) {
        return true;
    }
    match outline.language {
        // Another package asks at run time whether a value has such a method; for names that say little.
        Language::Go => {
            let is_asked_for =
                |name: &str| name.starts_with(char::is_uppercase) && !mentions::is_of_many_words(name);
            (outline.kind(unit) == "method_declaration" && name.rsplit('.').next().is_some_and(is_asked_for))
                || (is_type && mentions::prints_types(outline))
        }
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            above.first().is_some_and(|at| outline.kind(*at) == "object")
                || above.iter().any(|at| outline.kind(*at) == "ambient_declaration")
                || above.iter().all(|at| matches!(outline.kind(*at), "program" | "lexical_declaration"))
                    && !is_module(outline)
        }
        Language::Rust => {
            above.iter().any(|at| outline.kind(*at) == "foreign_mod_item")
                || (is_type
                    && (declared::is_printed(outline, unit, &above) || mentions::prints_types(outline)))
        }
        Language::Java | Language::CSharp => {
            words_before_name(outline, unit).any(|word| matches!(word, "native" | "extern"))
                || (is_type && outline.kind(unit).starts_with("record"))
        }
        _ => false,
    }
}

/// Whether what is in a type, an `impl` or a module is offered to others by its name: by a decorator or an attribute on it
/// that is not known to be quiet, or as the actions of a controller.
fn is_made_public(outline: &Outline<'_>, around: usize) -> bool {
    let kind = outline.kind(around);
    match outline.language {
        Language::Rust => {
            let above: Vec<usize> = ancestors(outline, around);
            matches!(kind, "impl_item" | "mod_item" | "trait_item") && is_marked(outline, around, &above)
        }
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            let is_mark = |at: usize| outline.children(at).any(|child| outline.kind(child) == "decorator");
            kind.contains("class_declaration")
                && (declared::is_decorated(outline, around)
                    || ancestors(outline, around).first().is_some_and(|up| is_mark(*up)))
        }
        Language::CSharp | Language::Php => {
            kind == "class_declaration"
                && units::name_of(outline, around).is_some_and(|name| name.ends_with("Controller"))
        }
        _ => false,
    }
}

/// Whether a text of JavaScript is loaded by others: the names of any other belong to the whole page.
fn is_module(outline: &Outline<'_>) -> bool {
    outline.nodes.iter().any(|node| {
        node.is_leaf() && matches!(node.text.as_ref(), "export" | "exports" | "import" | "require")
    })
}

/// Whether nothing but the class itself names a field, and no text is made of it: private in C#, private and of the class
/// in Java.
fn is_private_field(outline: &Outline<'_>, unit: usize, ancestors: &[usize]) -> bool {
    let field = ancestors
        .iter()
        .copied()
        .find(|at| *at < unit && outline.nodes.get(*at).is_some_and(|node| node.kind == "field_declaration"));
    let Some(field) = field else { return false };
    let heads = outline.nodes.get(field..unit).unwrap_or_default();
    let says = |word: &str| heads.iter().any(|node| node.text == word);
    let is_marked =
        heads.iter().any(|node| matches!(node.kind, "annotation" | "marker_annotation" | "attribute_list"));
    // What is said of the class may be said of its fields.
    let is_within_marked = ancestors
        .iter()
        .filter(|at| **at < field)
        .flat_map(|at| outline.children(*at))
        .any(|child| child < field && outline.kind(child) == "attribute_list");
    !is_marked
        && !is_within_marked
        && match outline.language {
            Language::Java => says("private") && says("static"),
            Language::CSharp => !["public", "internal", "protected"].into_iter().any(says),
            _ => false,
        }
}

/// A variable of a module, or a member of the object itself, whose name says that it is nobody else's.
fn python_variable(outline: &Outline<'_>, index: usize, ancestors: &[usize]) -> Option<Declaration> {
    let kind = |at: &usize| outline.kind(*at);
    let node = outline.nodes.get(index)?;
    let is_own = node.text.starts_with('_') && !node.text.ends_with("__");
    let is_target = |at: usize| outline.nodes.get(at).is_some_and(|node| node.field == "left");
    let of_module = is_target(index)
        && matches!(ancestors, [assignment, statement, module, ..]
            if kind(assignment) == "assignment" && kind(statement) == "expression_statement" && kind(module) == "module");
    let of_object = node.field == "attribute"
        && matches!(ancestors, [member, assignment, ..]
            if kind(assignment) == "assignment" && is_target(*member)
                && outline.subtree(*member).get(1).is_some_and(|object| object.text == "self"))
        && ancestors
            .iter()
            .find(|at| kind(at) == "class_definition")
            .is_some_and(|class| outline.child_by_field(*class, "superclasses").is_none())
        && !ancestors.iter().any(|at| kind(at) == "decorated_definition")
        && !mentions::prints_types(outline);
    (is_own && (of_module || of_object)).then_some(Declaration::Private)
}

/// Whether the place is a key, a member of an enumeration, or a field that programs turn into text.
fn is_text_of_data(outline: &Outline<'_>, parent: &str, field: &str) -> bool {
    match outline.language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            matches!(
                parent,
                "pair"
                    | "pair_pattern"
                    | "property_signature"
                    | "enum_assignment"
                    | "enum_body"
                    | "shorthand_property_identifier"
            ) && matches!(field, "key" | "name" | "")
                || (matches!(parent, "public_field_definition" | "field_definition") && field == "name")
        }
        Language::Python => parent == "keyword_argument" && field == "name",
        Language::Java => {
            matches!(parent, "enum_constant" | "element_value_pair")
        }
        Language::CSharp => {
            matches!(parent, "enum_member_declaration" | "property_declaration" | "name_colon")
        }
        Language::Rust => parent == "enum_variant",
        Language::Go => parent == "field_declaration",
        Language::Php => matches!(parent, "property_element" | "enum_case"),
        Language::Ruby => parent == "pair",
        Language::C | Language::Cpp => false,
    }
}

fn is_prototype_method(outline: &Outline<'_>, ancestors: &[usize], index: usize) -> bool {
    let [member, assignment, ..] = ancestors else { return false };
    let (Some(member_node), Some(assignment_node)) =
        (outline.nodes.get(*member), outline.nodes.get(*assignment))
    else {
        return false;
    };
    let is_target = member_node.kind == "member_expression" && member_node.field == "left";
    let is_name = outline.nodes.get(index).is_some_and(|node| node.field == "property");
    let is_function = outline.children(*assignment).any(|child| {
        outline.nodes.get(child).is_some_and(|node| node.field == "right" && node.kind.contains("function"))
    });
    let is_prototype = outline.subtree(*member).iter().any(|node| node.text == "prototype");
    is_target && is_name && is_function && is_prototype && assignment_node.kind == "assignment_expression"
}

/// Whether an attribute, annotation or decorator on the unit may read its name.
pub(super) fn is_marked(outline: &Outline<'_>, unit: usize, ancestors: &[usize]) -> bool {
    const QUIET: &[&str] = &[
        "Clone",
        "Copy",
        "Debug",
        "Default",
        "Deprecated",
        "Eq",
        "FunctionalInterface",
        "Hash",
        "NonNull",
        "NotNull",
        "Nullable",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "SafeVarargs",
        "SuppressWarnings",
        "VisibleForTesting",
        "abstractmethod",
        "allow",
        "async_trait",
        "cfg",
        "classmethod",
        "cold",
        "deprecated",
        "derive",
        "doc",
        "expect",
        "inline",
        "must_use",
        "non_exhaustive",
        "staticmethod",
        "test",
        "tokio",
        "track_caller",
    ];
    let inside = outline.children(unit).flat_map(|child| {
        let is_mark = outline.nodes.get(child).is_some_and(|node| {
            matches!(node.kind, "modifiers" | "attribute_list" | "attributes" | "decorator")
        });
        if is_mark { child..child + outline.subtree(child).len() } else { child..child }
    });
    let mut marks: Vec<usize> = inside.filter(|at| is_mark_head(outline, *at)).collect();
    // Beside it: attributes of Rust, decorators.
    if let Some(parent) = ancestors.iter().copied().find(|at| *at < unit) {
        let mut run = Vec::new();
        for child in outline.children(parent) {
            let kind = outline.kind(child);
            if child == unit {
                marks.extend(&run);
            }
            if matches!(kind, "attribute_item" | "decorator") { run.push(child) } else { run.clear() }
        }
    }
    marks.into_iter().any(|mark| {
        let mut words = outline
            .subtree(mark)
            .iter()
            .filter(|node| node.is_leaf() && node.text.starts_with(char::is_alphabetic));
        let is_derive = outline.subtree(mark).iter().any(|node| node.text == "derive");
        if is_derive {
            words.any(|word| !QUIET.contains(&word.text.as_ref()))
        } else {
            words.next().is_none_or(|word| !QUIET.contains(&word.text.as_ref()))
        }
    })
}

fn is_mark_head(outline: &Outline<'_>, index: usize) -> bool {
    let kind = outline.kind(index);
    matches!(kind, "annotation" | "marker_annotation" | "attribute" | "decorator" | "attribute_group")
}

/// Types whose text reaches the outside world: by file name, by registration, by reflection.
fn may_rename_type(outline: &Outline<'_>, unit: usize) -> bool {
    let has_bases = outline.children(unit).any(|child| {
        outline.nodes.get(child).is_some_and(|node| {
            matches!(
                node.kind,
                "argument_list"
                    | "base_list"
                    | "class_heritage"
                    | "superclass"
                    | "base_clause"
                    | "class_interface_clause"
            )
        })
    });
    match outline.language {
        Language::Ruby | Language::Php => false,
        Language::Python | Language::CSharp | Language::TypeScript | Language::Tsx | Language::JavaScript => {
            !has_bases
        }
        _ => true,
    }
}

/// Whether the method may answer to a name that was given elsewhere.
fn overrides_something(outline: &Outline<'_>, unit: usize, ancestors: &[usize]) -> bool {
    let holder = ancestors.iter().copied().find(|at| {
        *at < unit
            && outline.nodes.get(*at).is_some_and(|node| {
                matches!(units::kind_of(outline.language, node.kind), Some(SymbolKind::Type))
                    || node.kind == "impl_item"
            })
    });
    let Some(holder) = holder else { return false };
    let is_private = match outline.language {
        Language::CSharp => !is_visible(outline, unit, ancestors, true),
        _ => words_before_name(outline, unit).any(|word| word == "private"),
    };
    outline.children(holder).any(|child| {
        outline.nodes.get(child).is_some_and(|node| {
            node.field == "trait"
                || (!is_private
                    && matches!(
                        node.kind,
                        "argument_list"
                            | "base_list"
                            | "class_heritage"
                            | "superclass"
                            | "base_clause"
                            | "class_interface_clause"
                            | "super_interfaces"
                            | "base_class_clause"
                    ))
        })
    })
}

fn words_before_name<'o>(outline: &'o Outline<'_>, unit: usize) -> impl Iterator<Item = &'o str> {
    let name = name_leaf(outline, unit).unwrap_or(unit);
    outline.nodes.get(unit..name).unwrap_or_default().iter().map(|node| node.text.as_ref())
}

fn is_visible(outline: &Outline<'_>, unit: usize, ancestors: &[usize], is_method: bool) -> bool {
    let mut words = words_before_name(outline, unit);
    let is_exported =
        ancestors.iter().any(|at| outline.nodes.get(*at).is_some_and(|node| node.kind == "export_statement"));
    let name = units::name_of(outline, unit).unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    match outline.language {
        Language::Rust => words.any(|word| word == "pub") || is_of_visible_trait(outline, ancestors),
        Language::Go => last.starts_with(char::is_uppercase),
        Language::Python => !last.starts_with('_'),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            if is_method {
                !words.any(|word| word == "private")
            } else {
                is_exported
            }
        }
        Language::Java => !words.any(|word| word == "private"),
        // Members of a class are private unless something else is said.
        Language::CSharp => {
            let holder = ancestors.iter().copied().filter(|at| *at < unit).find_map(|at| {
                let kind = outline.nodes.get(at)?.kind;
                let is_part = matches!(kind, "field_declaration" | "variable_declaration");
                (kind.ends_with("_declaration") && !is_part).then_some(kind)
            });
            let is_member =
                matches!(holder, Some("class_declaration" | "struct_declaration" | "record_declaration"));
            !is_member || words.any(|word| matches!(word, "public" | "internal" | "protected"))
        }
        Language::C | Language::Cpp => !words.any(|word| word == "static"),
        Language::Ruby | Language::Php => true,
    }
}

/// Whether a trait that others see declares it.
fn is_of_visible_trait(outline: &Outline<'_>, ancestors: &[usize]) -> bool {
    let is_seen = |at: usize| outline.children(at).any(|child| outline.kind(child) == "visibility_modifier");
    ancestors.iter().any(|at| outline.kind(*at) == "trait_item" && is_seen(*at))
}

/// The leaf that holds a unit's name.
fn name_leaf(outline: &Outline<'_>, unit: usize) -> Option<usize> {
    let mut at =
        outline.child_by_field(unit, "name").or_else(|| outline.child_by_field(unit, "declarator"))?;
    while !outline.nodes.get(at)?.is_leaf() {
        at = outline
            .child_by_field(at, "declarator")
            .or_else(|| outline.child_by_field(at, "name"))
            .or_else(|| outline.children(at).next())?;
    }
    Some(at)
}

/// The nodes around a node, innermost first; none once nothing is left to spend.
pub(crate) fn ancestors(outline: &Outline<'_>, index: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    // From the root down, past the siblings before the one that holds the node.
    while at < index
        && outline.budget.spend(1)
        && let Some(node) = outline.nodes.get(at)
    {
        if at + node.size > index {
            found.push(at);
            at += 1;
        } else {
            at += node.size;
        }
    }
    if outline.budget.is_spent() {
        return Vec::new();
    }
    found.reverse();
    found
}
