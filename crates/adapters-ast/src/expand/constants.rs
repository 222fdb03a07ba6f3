//! Puts literals in the place of new constants that nobody outside the file is meant to know.
//!
//! What is taken is what the language reads alike at every place of a mention: texts and truth values; numbers where a
//! constant of that kind converts as its literal does (an untyped constant of Go, a constant variable of Java with the
//! literal's own type) or nothing converts (Python, JavaScript). A mention that binds a name, or that a macro may read as
//! a text, is none.

use crate::language::Language;
use crate::names::{ancestors, is_name};
use crate::outline::{Node, Outline};
use crate::units::words_of;

use super::rewrite::replace;
use super::values::only;

/// The most replacements in one text.
const MAX: usize = 50;

/// A new constant: its item, its name, its literal.
struct Constant<'t> {
    item: usize,
    name: String,
    literal: Vec<Node<'t>>,
}

/// Replaces mentions of new constants of the file by their literals.
pub(super) fn expand<'t>(own: &mut Outline<'t>, other: &Outline<'t>) -> bool {
    let mut has_changed = false;
    for _ in 0..MAX {
        let Some(Constant { item, name, literal }) = new_constant(own, other) else { break };
        replace(own, item, Vec::new());
        while own.spend()
            && let Some(at) =
                own.nodes.iter().position(|node| node.is_leaf() && is_name(node.kind) && node.text == name)
        {
            replace(own, at, literal.clone());
        }
        has_changed = true;
    }
    has_changed
}

/// An unexported constant of the file that the other text does not know.
fn new_constant<'t>(own: &Outline<'t>, other: &Outline<'t>) -> Option<Constant<'t>> {
    let items: Vec<usize> = match own.language {
        Language::Java => (0..own.nodes.len()).filter(|at| own.kind(*at) == "field_declaration").collect(),
        _ => own.children(0).collect(),
    };
    items.into_iter().find_map(|item| {
        let (declarator, name, value) = declared(own, item)?;
        is_made_first(own, item).then_some(())?;
        (own.spend() && other.spend()).then_some(())?;
        let name = own.nodes.get(name)?;
        let is_known = other.nodes.iter().any(|node| node.is_leaf() && node.text == name.text);
        let is_fit = name.is_leaf()
            && !is_known
            && !is_marked(own, item)
            && has_only_mentions(own, &name.text, declarator)
            && mentions(own, &name.text, declarator).all(|at| may_be_literal(own, item, at));
        is_fit.then(|| Constant { item, name: name.text.to_string(), literal: own.subtree(value).to_vec() })
    })
}

/// The declarator, the name and the literal of an item that declares one constant which no other file may name.
fn declared(own: &Outline<'_>, item: usize) -> Option<(usize, usize, usize)> {
    match (own.language, own.kind(item)) {
        (Language::Go, "const_declaration") => {
            let spec = only(own, item, "const_spec")?;
            let (name, value) = (own.child_by_field(spec, "name")?, own.child_by_field(spec, "value")?);
            let value = if own.kind(value) == "expression_list" { value + 1 } else { value };
            let is_exported = own.nodes.get(name)?.text.starts_with(char::is_uppercase);
            let is_untyped = own.child_by_field(spec, "type").is_none();
            let kinds = [
                "interpreted_string_literal",
                "raw_string_literal",
                "true",
                "false",
                "int_literal",
                "float_literal",
                "rune_literal",
            ];
            (is_untyped && !is_exported && kinds.contains(&own.kind(value))).then_some((spec, name, value))
        }
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "lexical_declaration") => {
            own.subtree(item).iter().any(|node| node.text == "const").then_some(())?;
            let declarator = only(own, item, "variable_declarator")?;
            let (name, value) =
                (own.child_by_field(declarator, "name")?, own.child_by_field(declarator, "value")?);
            let is_untyped = own.child_by_field(declarator, "type").is_none();
            let kinds = ["string", "true", "false", "number"];
            (is_untyped && kinds.contains(&own.kind(value))).then_some((declarator, name, value))
        }
        (Language::Rust, "const_item") => {
            let (name, value) = (own.child_by_field(item, "name")?, own.child_by_field(item, "value")?);
            let of = words_of(&own.nodes, own.child_by_field(item, "type")?);
            let is_private = own.children(item).all(|child| own.kind(child) != "visibility_modifier");
            let is_its_own = matches!(
                (of.as_str(), own.kind(value)),
                ("&str" | "&'staticstr", "string_literal" | "raw_string_literal")
                    | ("bool", "boolean_literal" | "true" | "false")
                    | ("char", "char_literal")
            ) || is_integer(&of) && own.kind(value) == "integer_literal";
            (is_private && is_its_own).then_some((item, name, value))
        }
        (Language::Java, "field_declaration") => java(own, item),
        (Language::Python, "expression_statement") => {
            let assignment = only(own, item, "assignment")?;
            let (name, value) =
                (own.child_by_field(assignment, "left")?, own.child_by_field(assignment, "right")?);
            // Any other name is one that a star may take along.
            let is_own = own.nodes.get(name)?.text.starts_with('_');
            let is_plain =
                is_own && own.child_by_field(assignment, "type").is_none() && own.kind(name) == "identifier";
            let kinds = ["string", "integer", "float", "true", "false"];
            let is_whole = own.subtree(value).iter().all(|node| node.kind != "interpolation");
            (is_plain && is_whole && kinds.contains(&own.kind(value))).then_some((assignment, name, value))
        }
        _ => None,
    }
}

/// A constant variable whose declared type is the literal's own, so that the compiler puts the literal there itself.
fn java(own: &Outline<'_>, item: usize) -> Option<(usize, usize, usize)> {
    let modifiers = own.children(item).find(|child| own.kind(*child) == "modifiers")?;
    let words: Vec<&str> =
        own.subtree(modifiers).iter().filter(|node| node.is_leaf()).map(|node| node.text.as_ref()).collect();
    let is_private =
        words.len() == 3 && ["private", "static", "final"].iter().all(|word| words.contains(word));
    let declarator = only(own, item, "variable_declarator")?;
    let (name, value) = (own.child_by_field(declarator, "name")?, own.child_by_field(declarator, "value")?);
    let of = words_of(&own.nodes, own.child_by_field(item, "type")?);
    let text = words_of(&own.nodes, value);
    let is_long = text.ends_with(['l', 'L']);
    let is_its_own = match (of.as_str(), own.kind(value)) {
        ("String", "string_literal") | ("boolean", "true" | "false") | ("char", "character_literal") => true,
        ("int", "decimal_integer_literal") => !is_long,
        ("long", "decimal_integer_literal") => is_long,
        ("double", "decimal_floating_point_literal") => !text.ends_with(['f', 'F']),
        _ => false,
    };
    let is_looked_up = own.nodes.get(name)?.text == "serialVersionUID";
    (is_private && is_its_own && !is_looked_up).then_some((declarator, name, value))
}

/// Whether nothing runs before a constant of JavaScript has its value that might ask for it.
fn is_made_first(own: &Outline<'_>, item: usize) -> bool {
    const QUIET: &[&str] = &[
        "function_declaration",
        "generator_function_declaration",
        "import_statement",
        "interface_declaration",
        "type_alias_declaration",
    ];
    let is_inert = |value: usize| {
        let nodes = own.subtree(value);
        nodes.iter().all(|node| node.is_leaf())
            || matches!(own.kind(value), "string" | "arrow_function" | "function_expression" | "regex")
            || own.kind(value) == "call_expression" && own.text(value + 1) == "require"
    };
    let is_quiet = |at: usize| match own.kind(at) {
        "lexical_declaration" | "variable_declaration" => {
            own.children(at).filter_map(|declarator| own.child_by_field(declarator, "value")).all(is_inert)
        }
        "expression_statement" => own.kind(at + 1).starts_with("string"),
        kind => QUIET.contains(&kind) || own.nodes.get(at).is_some_and(|node| node.is_leaf()),
    };
    !own.language.is_script()
        || own.children(0).take_while(|at| *at < item).all(|at| {
            let inside = own.child_by_field(at, "declaration").filter(|_| own.kind(at) == "export_statement");
            is_quiet(inside.unwrap_or(at))
        })
}

/// Whether an attribute stands before the item: it would stay behind and belong to the next one.
fn is_marked(own: &Outline<'_>, item: usize) -> bool {
    let parent = ancestors(own, item).first().copied().unwrap_or(0);
    let before = own.children(parent).take_while(|child| *child < item).last();
    before.is_some_and(|before| matches!(own.kind(before), "attribute_item" | "PRAGMA" | "decorator"))
}

/// Where the name stands outside its own declaration.
fn mentions<'o>(
    own: &'o Outline<'_>,
    name: &'o str,
    declarator: usize,
) -> impl Iterator<Item = usize> + use<'o> {
    let end = declarator + own.nodes.get(declarator).map_or(0, |node| node.size);
    let nodes = own.nodes.iter().enumerate();
    let outside = nodes.filter(move |(at, _)| *at <= declarator || *at >= end);
    outside.filter(move |(_, node)| node.is_leaf() && node.text == name).map(|(at, _)| at)
}

/// Whether the name is nothing but this constant everywhere: no member, no key, no other declaration. A name that only
/// its own declaration has is new for its own sake.
fn has_only_mentions(own: &Outline<'_>, name: &str, declarator: usize) -> bool {
    let is_operand = |at: usize| {
        let parent = ancestors(own, at).first().copied().unwrap_or(0);
        let kinds = ["binary_expression", "binary_operator", "boolean_operator", "comparison_operator"];
        kinds.contains(&own.kind(parent))
    };
    let is_mention = |at: usize| {
        own.nodes.get(at).is_some_and(|node| {
            let is_declared =
                matches!(node.field, "name" | "pattern" | "key" | "field" | "property" | "label");
            node.kind == "identifier" && !is_declared && (node.field != "left" || is_operand(at))
        })
    };
    mentions(own, name, declarator).next().is_some() && mentions(own, name, declarator).all(is_mention)
}

/// Whether a literal may stand at a mention and mean the same there.
fn may_be_literal(own: &Outline<'_>, item: usize, at: usize) -> bool {
    let around = ancestors(own, at);
    let is_within = |kinds: &[&str]| around.iter().any(|at| kinds.contains(&own.kind(*at)));
    match own.language {
        Language::Go => true,
        // A macro may read its words as a text.
        Language::Rust => {
            let is_number =
                own.child_by_field(item, "value").is_some_and(|value| own.kind(value) == "integer_literal");
            let of = own.child_by_field(item, "type").map_or("", |of| own.text(of));
            !is_within(&["token_tree", "macro_invocation", "macro_definition", "attribute_item"])
                && (!is_number || is_beside_another(own, around.first().copied().unwrap_or_default(), at, of))
        }
        // Another class may have a member of that name by inheritance.
        Language::Java => {
            let body =
                |at: &&usize| own.kind(**at).ends_with("_body") && own.kind(**at) != "constructor_body";
            ancestors(own, item).iter().find(body) == around.iter().find(body)
        }
        // A bare name in a pattern binds; a module runs from above.
        Language::Python => !is_within(&["case_pattern", "case_clause", "global_statement"]) && at > item,
        _ => at > item,
    }
}

fn is_integer(kind: &str) -> bool {
    let digits = kind.strip_prefix(['u', 'i']).unwrap_or_default();
    matches!(digits, "8" | "16" | "32" | "64" | "128" | "size")
}

/// Whether the other operand of an operation has the constant's type whatever stands beside it, so that a literal there
/// takes that type too: a variable that is declared with it, a length, a member, a value that is cast.
fn is_beside_another(own: &Outline<'_>, operation: usize, at: usize, of: &str) -> bool {
    const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^"];
    let parts: Vec<usize> = own.children(operation).collect();
    let [left, operator, right] = parts.as_slice() else { return false };
    own.kind(operation) == "binary_expression"
        && OPERATORS.contains(&own.kind(*operator))
        && [*left, *right].into_iter().any(|side| side != at && has_type(own, side, of))
}

fn has_type(own: &Outline<'_>, value: usize, of: &str) -> bool {
    match own.kind(value) {
        "identifier" => {
            let function =
                ancestors(own, value).into_iter().find(|around| own.kind(*around) == "function_item");
            let Some(function) = function else { return false };
            let is_it = |at: &usize| {
                matches!(own.kind(*at), "parameter" | "let_declaration")
                    && own
                        .child_by_field(*at, "pattern")
                        .is_some_and(|name| own.text(name) == own.text(value))
            };
            let mut types = (function..value)
                .filter(is_it)
                .map(|at| own.child_by_field(at, "type").map_or("", |found| own.text(found)))
                .peekable();
            own.spend() && types.peek().is_some() && types.all(|found| found == of)
        }
        "call_expression" => {
            let name =
                own.child_by_field(value, "function").and_then(|callee| own.child_by_field(callee, "field"));
            of == "usize" && name.is_some_and(|name| matches!(own.text(name), "len" | "count"))
        }
        "type_cast_expression" | "field_expression" => true,
        "binary_expression" | "parenthesized_expression" | "unary_expression" => {
            own.children(value).any(|part| has_type(own, part, of))
        }
        _ => false,
    }
}
