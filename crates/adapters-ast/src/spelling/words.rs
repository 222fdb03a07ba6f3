//! Words that a language reads as if they were not there, or as others: a default that is said, a longer form of the same
//! thing. Each rule is one that the language's own definition gives.

use std::borrow::Cow;

use tree_sitter::Node as Syntax;

use crate::language::Language;

use super::{Place, Treatment};

/// How a node is taken in that is only another spelling; `None` for all others.
pub(super) fn treat<'t>(
    place: &Place<'t>,
    node: Syntax<'_>,
    field: &str,
    text: &'t str,
) -> Option<Treatment<'t>> {
    if let Some(plain) = number(place, node, text) {
        return Some(Treatment::Leaf(place.kind, Cow::Owned(plain)));
    }
    match place.language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => script(place, node),
        Language::Python => python(place, node, field, text),
        Language::Java => java(place, node, text),
        Language::CSharp => c_sharp(place, node, field, text),
        Language::Ruby => ruby(place, node, field, text),
        Language::Php => php(place, node, text),
        Language::Rust => rust(place, node, field),
        Language::Go | Language::C | Language::Cpp => None,
    }
}

fn leaf<'t>(kind: &'static str) -> Option<Treatment<'t>> {
    Some(Treatment::Leaf(kind, Cow::Borrowed(kind)))
}

fn nothing_if<'t>(is_nothing: bool) -> Option<Treatment<'t>> {
    is_nothing.then_some(Treatment::Nothing)
}

fn field_text<'t>(place: &Place<'t>, node: Syntax<'_>, field: &str) -> Option<&'t str> {
    place.source.get(node.child_by_field_name(field)?.byte_range())
}

/// A number without the marks that only help to read it. A macro of Rust may look at them.
fn number(place: &Place<'_>, node: Syntax<'_>, text: &str) -> Option<String> {
    const NUMBERS: &[&str] = &[
        "decimal_floating_point_literal",
        "decimal_integer_literal",
        "float",
        "float_literal",
        "hex_integer_literal",
        "int_literal",
        "integer",
        "integer_literal",
        "number",
        "real_literal",
    ];
    if !NUMBERS.contains(&place.kind)
        || node.child_count() > 0
        || place.parent == "token_tree"
        || place.language.is_c()
    {
        return None;
    }
    let octal = text.strip_prefix("0o").filter(|_| place.language == Language::Go);
    let plain = octal.map_or_else(|| text.to_owned(), |digits| format!("0{digits}"));
    let plain = plain.replace('_', "");
    (plain != text).then_some(plain)
}

/// `{ a: a }` as `{ a }`. A key `__proto__` is more than a key.
fn script<'t>(place: &Place<'t>, node: Syntax<'_>) -> Option<Treatment<'t>> {
    let kind = match place.kind {
        "pair" => "shorthand_property_identifier",
        "pair_pattern" => "shorthand_property_identifier_pattern",
        _ => return None,
    };
    let (key, value) = (node.child_by_field_name("key")?, node.child_by_field_name("value")?);
    let name = place.source.get(key.byte_range())?;
    let is_same = key.kind() == "property_identifier"
        && value.kind() == "identifier"
        && place.source.get(value.byte_range()) == Some(name)
        && name != "__proto__"
        && node.child_count() == 3;
    is_same.then_some(Treatment::Leaf(kind, Cow::Borrowed(name)))
}

fn python<'t>(place: &Place<'t>, node: Syntax<'_>, field: &str, text: &str) -> Option<Treatment<'t>> {
    let has_siblings = || node.parent().is_some_and(|parent| parent.named_child_count() > 1);
    nothing_if(match place.kind {
        // A block that has nothing else is empty with it and with a docstring alone.
        "pass_statement" => true,
        "argument_list" => field == "superclasses" && node.named_child_count() == 0,
        "none" => place.parent == "return_statement" && text == "None" && !has_siblings(),
        _ => false,
    })
}

/// Types of which a variable of Java may be a constant.
const CONSTANT: &[&str] =
    &["String", "boolean", "byte", "char", "double", "float", "int", "long", "short", "var"];

/// Whether a value of Java may be known when it is compiled: nothing is called, made or looked up in it.
fn is_constant_value(value: &str) -> bool {
    let is_called = value.match_indices('(').any(|(at, _)| {
        let head = value.get(..at).unwrap_or_default().trim_end();
        head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '>'))
    });
    let is_text = value.contains(['"', '\'']);
    is_text || !(is_called || value.contains(['[', '{']) || value.contains("->") || value.contains("new "))
}

/// What `final` says of a variable is for the compiler alone, unless it makes a text a constant; so is `@Override`. In an
/// interface some words are there without being said.
fn java<'t>(place: &Place<'t>, node: Syntax<'_>, text: &str) -> Option<Treatment<'t>> {
    let owner = |modifiers: Syntax<'_>| -> Option<&'static str> {
        let owner = modifiers.parent()?;
        let is_member = owner.parent().is_some_and(|body| body.kind() == "interface_body");
        let is_constant = || {
            let of = field_text(place, owner, "type").unwrap_or_default();
            let mut cursor = owner.walk();
            CONSTANT.contains(&of)
                && owner.children_by_field_name("declarator", &mut cursor).any(|declarator| {
                    let value = declarator.child_by_field_name("value");
                    value.and_then(|value| place.source.get(value.byte_range())).is_none_or(is_constant_value)
                })
        };
        match owner.kind() {
            "local_variable_declaration" if is_constant() => None,
            "local_variable_declaration"
            | "formal_parameter"
            | "spread_parameter"
            | "catch_formal_parameter"
            | "enhanced_for_statement"
            | "resource" => Some("variable"),
            "method_declaration" if is_member => Some("method"),
            "constant_declaration" if is_member => Some("constant"),
            _ => None,
        }
    };
    let is_needless = |word: &str, owner: Option<&str>| {
        matches!(
            (owner, word),
            (_, "@Override")
                | (Some("variable"), "final")
                | (Some("method"), "public" | "abstract")
                | (Some("constant"), "public" | "static" | "final")
        )
    };
    if place.kind == "modifiers" {
        let owner = owner(node);
        let mut cursor = node.walk();
        let mut words = node.children(&mut cursor).filter_map(|word| place.source.get(word.byte_range()));
        return nothing_if(words.all(|word| is_needless(word, owner)));
    }
    let modifiers = node.parent().filter(|_| place.parent == "modifiers")?;
    nothing_if(is_needless(text, owner(modifiers)))
}

/// Members of a class are private unless something else is said; an initializer calls the constructor without arguments.
fn c_sharp<'t>(place: &Place<'t>, node: Syntax<'_>, field: &str, text: &str) -> Option<Treatment<'t>> {
    match place.kind {
        "modifier" if text == "private" => {
            let member = node.parent()?;
            let holder = member.parent().and_then(|list| list.parent())?;
            let mut cursor = member.walk();
            let is_alone = !member
                .children(&mut cursor)
                .any(|word| place.source.get(word.byte_range()) == Some("protected"));
            let is_class =
                matches!(holder.kind(), "class_declaration" | "struct_declaration" | "record_declaration");
            nothing_if(is_class && is_alone)
        }
        "argument_list" => {
            let creation =
                node.parent().filter(|creation| creation.kind() == "object_creation_expression")?;
            let is_initialized = creation.child_by_field_name("initializer").is_some();
            nothing_if(field == "arguments" && is_initialized && node.named_child_count() == 0)
        }
        _ => None,
    }
}

/// Brackets of calls, `do` and `end` of blocks, words for operators, keys that are symbols, lists of words.
fn ruby<'t>(place: &Place<'t>, node: Syntax<'_>, field: &str, text: &'t str) -> Option<Treatment<'t>> {
    let is_empty = node.named_child_count() == 0;
    let in_list = matches!(place.parent, "argument_list" | "method_parameters");
    match place.kind {
        "then" if !node.is_named() && place.parent == "then" => Some(Treatment::Nothing),
        "(" | ")" if in_list => Some(Treatment::Nothing),
        "method_parameters" => nothing_if(is_empty),
        "argument_list" => {
            let call = node.parent().filter(|call| call.kind() == "call")?;
            nothing_if(is_empty && call.child_by_field_name("receiver").is_some())
        }
        "do_block" => Some(Treatment::As("block")),
        "body_statement" if place.parent == "block" => Some(Treatment::As("block_body")),
        "do" if place.parent == "block" => leaf("{"),
        "end" if place.parent == "block" => leaf("}"),
        "and" if field == "operator" => leaf("&&"),
        "or" if field == "operator" => leaf("||"),
        "not" if field == "operator" => leaf("!"),
        "simple_symbol" if place.parent == "pair" && field == "key" => {
            let name = text.strip_prefix(':')?;
            let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_word.then_some(Treatment::Leaf("hash_key_symbol", Cow::Borrowed(name)))
        }
        "=>" if place.parent == "pair" => {
            let key = node.parent().and_then(|pair| pair.child_by_field_name("key"))?;
            let name = place.source.get(key.byte_range())?.strip_prefix(':')?;
            let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_word && key.kind() == "simple_symbol" { leaf(":") } else { None }
        }
        _ => ruby_list(place, node, text),
    }
}

/// `%w[a b]` and `%i[a b]` as lists of texts and symbols.
fn ruby_list<'t>(place: &Place<'t>, node: Syntax<'_>, text: &'t str) -> Option<Treatment<'t>> {
    let is_plain = |list: Syntax<'_>| {
        place.source.get(list.byte_range()).is_some_and(|text| !text.contains(['#', '\\', '\'', '"']))
    };
    let list = || node.parent().filter(|list| matches!(list.kind(), "string_array" | "symbol_array"));
    match place.kind {
        "string_array" | "symbol_array" if is_plain(node) => Some(Treatment::As("array")),
        "bare_string" if list().is_some_and(is_plain) => {
            Some(Treatment::Leaf("string", Cow::Owned(format!("'{text}'"))))
        }
        "bare_symbol" if list().is_some_and(is_plain) => {
            Some(Treatment::Leaf("simple_symbol", Cow::Owned(format!(":{text}"))))
        }
        "," if place.parent == "array" => Some(Treatment::Nothing),
        _ if !node.is_named() && place.parent == "array" => {
            let list = list().filter(|list| is_plain(*list))?;
            if list.start_byte() == node.start_byte() { leaf("[") } else { leaf("]") }
        }
        _ => None,
    }
}

fn php<'t>(place: &Place<'t>, node: Syntax<'_>, text: &'t str) -> Option<Treatment<'t>> {
    let is_long = || {
        node.parent()
            .and_then(|array| array.child(0))
            .and_then(|first| place.source.get(first.byte_range()))
            .is_some_and(|first| first.eq_ignore_ascii_case("array"))
    };
    match place.kind {
        "array" if place.parent == "array_creation_expression" => Some(Treatment::Nothing),
        "(" if place.parent == "array_creation_expression" && is_long() => leaf("["),
        ")" if place.parent == "array_creation_expression" && is_long() => leaf("]"),
        "boolean" | "null" if text.chars().any(|c| c.is_ascii_uppercase()) => {
            Some(Treatment::Leaf(place.kind, Cow::Owned(text.to_ascii_lowercase())))
        }
        // Methods are public unless something else is said.
        "visibility_modifier"
            if place.parent == "method_declaration" && text.eq_ignore_ascii_case("public") =>
        {
            Some(Treatment::Nothing)
        }
        "visibility_modifier" => Some(Treatment::Leaf(place.kind, Cow::Borrowed(text))),
        "var_modifier" => Some(Treatment::Leaf("visibility_modifier", Cow::Borrowed("public"))),
        _ => None,
    }
}

/// `S { a: a }` as `S { a }`, and the lifetime that constants have.
fn rust<'t>(place: &Place<'t>, node: Syntax<'_>, field: &str) -> Option<Treatment<'t>> {
    let is_twice = |whole: Syntax<'_>, name: &str, value: &str| {
        let is_variable = whole.child_by_field_name(value).is_some_and(|value| value.kind() == "identifier");
        is_variable && field_text(place, whole, name) == field_text(place, whole, value)
    };
    match place.kind {
        "field_initializer" if is_twice(node, "field", "value") => {
            Some(Treatment::As("shorthand_field_initializer"))
        }
        "field_identifier" | ":" if place.parent == "shorthand_field_initializer" => Some(Treatment::Nothing),
        "field_identifier" | ":" | "identifier" if place.parent == "field_pattern" => {
            let pattern = node.parent().filter(|pattern| is_twice(*pattern, "name", "pattern"))?;
            if field == "name" {
                let name = field_text(place, pattern, "name")?;
                return Some(Treatment::Leaf("shorthand_field_identifier", Cow::Borrowed(name)));
            }
            nothing_if(place.kind == ":" || field == "pattern")
        }
        "lifetime" if place.parent == "reference_type" => {
            let item = node.parent().and_then(|reference| reference.parent())?;
            let is_static = place.source.get(node.byte_range()) == Some("'static");
            nothing_if(is_static && matches!(item.kind(), "const_item" | "static_item"))
        }
        _ => None,
    }
}
