//! Texts in quotes, where the language reads several kinds of quotes alike.

use std::borrow::Cow;

use tree_sitter::Node as Syntax;

use crate::language::Language;

use super::Place;

/// Quotes, where the language reads both kinds alike.
pub(super) fn string<'t>(
    place: &Place<'t>,
    node: Syntax<'_>,
    field: &str,
    text: &'t str,
) -> Option<(&'static str, Cow<'t, str>)> {
    match (place.language, node.kind()) {
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "string") => {
            Some(script_string(place, field, text))
        }
        (Language::TypeScript | Language::Tsx | Language::JavaScript, "template_string") => {
            template(place, field, text)
        }
        (Language::Python, "string") => python_string(node, text),
        (Language::Python, "string_start" | "string_end") => {
            let parent = node.parent().and_then(|parent| place.source.get(parent.byte_range()))?;
            let is_plain = !parent.contains("'''") && !parent.contains("\"\"\"") && !parent.contains('\\');
            let quotes = parent.chars().filter(|c| matches!(c, '\'' | '"')).count();
            (is_plain && quotes == 2).then(|| (place.kind, Cow::Owned(text.replace('"', "'"))))
        }
        (Language::Ruby, "string") => bare(text, &['#', '\\', '\'', '"']).map(|text| ("string", text)),
        (Language::Php, "string" | "encapsed_string") => {
            bare(text, &['$', '{', '\\', '\'', '"']).map(|text| ("string", text))
        }
        _ => None,
    }
}

/// A quoted text without special characters, in single quotes.
fn bare<'t>(text: &'t str, special: &[char]) -> Option<Cow<'t, str>> {
    let inside = inside_quotes(text)?;
    (!inside.contains(special)).then(|| Cow::Owned(format!("'{inside}'")))
}

fn inside_quotes(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}

fn script_string<'t>(place: &Place<'t>, field: &str, text: &'t str) -> (&'static str, Cow<'t, str>) {
    let Some(inside) = inside_quotes(text) else { return ("string", Cow::Borrowed(text)) };
    if place.parent == "jsx_attribute" {
        let normal = bare(text, &['\'', '"', '\\']);
        return ("string", normal.unwrap_or(Cow::Borrowed(text)));
    }
    let is_key = (field == "key" && matches!(place.parent, "pair" | "pair_pattern"))
        || (field == "name" && place.parent == "property_signature");
    if is_key && is_name(inside) {
        return ("property_identifier", Cow::Borrowed(inside));
    }
    ("string", Cow::Owned(format!("'{}'", without_quote_escapes(inside))))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// `\'` and `\"` stand for the quote itself in either kind of quotes.
fn without_quote_escapes(inside: &str) -> String {
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some(quote @ ('\'' | '"')) => out.push(quote),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

fn python_string<'t>(node: Syntax<'_>, text: &'t str) -> Option<(&'static str, Cow<'t, str>)> {
    let interpolates = (0..node.named_child_count())
        .filter_map(|index| node.named_child(u32::try_from(index).ok()?))
        .any(|part| part.kind() == "interpolation");
    if interpolates {
        return None;
    }
    let prefix_len = text.find(['\'', '"'])?;
    let (prefix, quoted) = (text.get(..prefix_len)?, text.get(prefix_len..)?);
    if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") {
        return Some(("string", Cow::Borrowed(text)));
    }
    let normal = bare(quoted, &['\'', '"', '\\'])?;
    Some(("string", Cow::Owned(format!("{prefix}{normal}"))))
}

/// A template that fills nothing in and escapes nothing is a text. Behind a function's name it is an argument of another
/// kind; alone in a statement it is no directive.
fn template<'t>(place: &Place<'_>, field: &str, text: &'t str) -> Option<(&'static str, Cow<'t, str>)> {
    let inside = text.strip_prefix('`')?.strip_suffix('`')?;
    let is_plain = !inside.contains(['$', '\\', '\n', '\r']);
    let is_text =
        field != "arguments" && !matches!(place.parent, "expression_statement" | "template_literal_type");
    (is_plain && is_text).then(|| ("string", Cow::Owned(format!("'{inside}'"))))
}
