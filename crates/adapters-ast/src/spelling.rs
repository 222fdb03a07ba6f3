//! Spellings that a language treats alike: separators, brackets, quotes. Each rule is one that the language's own
//! definition gives; a rule that needs types or a library is not here.

mod docstrings;
mod strings;
pub(crate) mod unread;
mod words;

use std::borrow::Cow;

use tree_sitter::Node as Syntax;

use crate::language::Language;

/// The last name of a path: what it stands for is settled by the path before it.
pub(crate) const QUALIFIED: &str = "qualified_name";

/// How a node is taken into an outline.
pub(crate) enum Treatment<'t> {
    /// Left out with all below it.
    Nothing,
    /// One leaf of this kind and text.
    Leaf(&'static str, Cow<'t, str>),
    /// As it is.
    Inner,
    /// As if it were of another kind.
    As(&'static str),
    /// Only its named children stand there.
    Inside,
}

/// Where a node stands.
pub(crate) struct Place<'t> {
    pub(crate) language: Language,
    pub(crate) kind: &'static str,
    pub(crate) parent: &'static str,
    /// Whether nothing reads docstrings.
    pub(crate) docstrings: bool,
    pub(crate) source: &'t str,
}

/// What blanks between the children of a node are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blanks {
    Layout,
    Content,
    Jsx,
}

pub(crate) fn blanks_in(kind: &str) -> Blanks {
    const TEXTS: &[&str] =
        &["string", "template", "heredoc", "nowdoc", "regex", "char", "subshell", "symbol", "encapsed"];
    match kind {
        "jsx_element" | "jsx_fragment" => Blanks::Jsx,
        "template_string" | "template_literal_type" | "text_interpolation" => Blanks::Content,
        "concatenated_string" | "chained_string" | "interpolation" => Blanks::Layout,
        _ if kind.starts_with("template_") => Blanks::Layout,
        _ if TEXTS.iter().any(|part| kind.contains(part)) => Blanks::Content,
        _ => Blanks::Layout,
    }
}

/// What blanks between the children of a node are, where a sign among them may be spelled out.
pub(crate) fn blanks_of(kind: &str, node: Syntax<'_>) -> Blanks {
    match blanks_in(kind) {
        Blanks::Jsx if node.named_children(&mut node.walk()).any(is_spelled_sign) => Blanks::Content,
        blanks => blanks,
    }
}

/// `&amp;` in JSX.
fn is_spelled_sign(node: Syntax<'_>) -> bool {
    node.kind() == "html_character_reference"
}

/// What of the text between two nodes matters.
pub(crate) fn gap(text: &str, blanks: Blanks) -> Option<Cow<'_, str>> {
    match blanks {
        Blanks::Content => Some(Cow::Borrowed(text)),
        Blanks::Jsx => jsx_text(text).map(Cow::Owned),
        Blanks::Layout => {
            let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\\' || c == '\u{feff}');
            (!text.is_empty()).then_some(Cow::Borrowed(text))
        }
    }
}

/// What a run of text in JSX stands for: blanks with a line end in them go, as the language has it.
fn jsx_text(text: &str) -> Option<String> {
    if !text.contains('\n') {
        return (!text.is_empty()).then(|| text.to_owned());
    }
    let blank = |c: char| c == ' ' || c == '\t' || c == '\r';
    let last = text.lines().count().saturating_sub(1) + usize::from(text.ends_with('\n'));
    let mut kept = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let line = if number > 0 { line.trim_start_matches(blank) } else { line };
        let line = if number < last { line.trim_end_matches(blank) } else { line };
        if !line.trim_matches(blank).is_empty() {
            kept.push(line);
        }
    }
    (!kept.is_empty()).then(|| kept.join(" "))
}

pub(crate) fn treat<'t>(place: &Place<'t>, node: Syntax<'_>, field: &str, text: &'t str) -> Treatment<'t> {
    let kind = place.kind;
    if let Some(treatment) = words::treat(place, node, field, text) {
        return treatment;
    }
    if !node.is_named() {
        return if is_needless(place, node, kind) { Treatment::Nothing } else { plain(kind, text, node) };
    }
    if text.is_empty() && node.child_count() == 0 {
        return Treatment::Nothing;
    }
    match kind {
        // A text goes on behind a sign that is spelled out: no line of it ends there.
        "jsx_text"
            if [node.prev_sibling(), node.next_sibling()].into_iter().flatten().any(is_spelled_sign) =>
        {
            return Treatment::Leaf(kind, Cow::Borrowed(text));
        }
        "jsx_text" => {
            return jsx_text(text).map_or(Treatment::Nothing, |t| Treatment::Leaf(kind, Cow::Owned(t)));
        }
        "parenthesized_expression" | "parenthesized_statements" if parentheses_are_layout(place, node) => {
            return Treatment::Inside;
        }
        "statement_block" | "block" | "compound_statement" if is_needless_block(place, node, field) => {
            return Treatment::Inside;
        }
        "variable_name" if place.language == Language::Php => {
            return Treatment::Leaf(kind, Cow::Borrowed(text));
        }
        "expression_statement" if docstrings::is_docstring(place, node) => return Treatment::Nothing,
        "jsx_expression" if holds_only_comments(node) => return Treatment::Nothing,
        // The grammar takes for an object what is a block with a label.
        "object" if node.parent().is_some_and(|parent| parent.kind() == "arrow_function") => {
            return Treatment::As("statement_block");
        }
        "empty_statement" if matches!(place.parent, "statement_block" | "program") => {
            return Treatment::Nothing;
        }
        "formal_parameters" if place.parent == "arrow_function" => {
            if let Some(text) = only_parameter(place.source, node) {
                return Treatment::Leaf("identifier", Cow::Borrowed(text));
            }
        }
        _ => {}
    }
    if place.language == Language::Rust
        && field == "name"
        && matches!(place.parent, "scoped_identifier" | "scoped_type_identifier")
    {
        return Treatment::Leaf(QUALIFIED, Cow::Borrowed(text));
    }
    if let Some((kind, text)) = strings::string(place, node, field, text) {
        return Treatment::Leaf(kind, text);
    }
    plain(kind, text, node)
}

fn plain<'t>(kind: &'static str, text: &'t str, node: Syntax<'_>) -> Treatment<'t> {
    if node.child_count() == 0 { Treatment::Leaf(kind, Cow::Borrowed(text)) } else { Treatment::Inner }
}

/// Separators that the structure makes needless.
fn is_needless(place: &Place<'_>, node: Syntax<'_>, kind: &str) -> bool {
    match kind {
        "," => is_trailing_comma(place, node) || is_member_separator(place),
        ";" => is_needless_semicolon(place) && !ends_a_word(place, node),
        "\n" | "\r\n" => place.language == Language::Go,
        "(" | ")" => place.language == Language::Python && place.parent == "import_from_statement",
        _ => false,
    }
}

fn is_member_separator(place: &Place<'_>) -> bool {
    place.language.is_script() && matches!(place.parent, "interface_body" | "object_type")
}

/// Whether a semicolon makes a field of what would be a word for the member behind it.
fn ends_a_word(place: &Place<'_>, node: Syntax<'_>) -> bool {
    place.parent == "class_body"
        && node
            .prev_sibling()
            .and_then(|field| place.source.get(field.byte_range()))
            .is_some_and(|field| matches!(field.trim(), "accessor" | "async" | "get" | "set" | "static"))
}

fn is_needless_semicolon(place: &Place<'_>) -> bool {
    match place.language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => place.parent != "for_statement",
        Language::Python => matches!(place.parent, "module" | "block"),
        Language::Ruby => place.parent != "block_parameters",
        Language::Go => matches!(
            place.parent,
            "source_file"
                | "statement_list"
                | "field_declaration_list"
                | "import_spec_list"
                | "interface_type"
        ),
        _ => false,
    }
}

/// Lists in which a comma before the closing bracket says nothing.
fn is_trailing_comma(place: &Place<'_>, node: Syntax<'_>) -> bool {
    let lists: &[&str] = match place.language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[
            "arguments",
            "formal_parameters",
            "object",
            "array",
            "object_pattern",
            "array_pattern",
            "named_imports",
            "export_clause",
            "enum_body",
            "type_parameters",
            "type_arguments",
        ],
        Language::Python => &[
            "argument_list",
            "parameters",
            "list",
            "dictionary",
            "set",
            "import_from_statement",
            "lambda_parameters",
        ],
        Language::Rust => &[
            "arguments",
            "parameters",
            "field_initializer_list",
            "field_declaration_list",
            "ordered_field_declaration_list",
            "enum_variant_list",
            "use_list",
            "array_expression",
            "match_arm",
            "struct_pattern",
            "tuple_struct_pattern",
            "type_arguments",
            "type_parameters",
            "where_clause",
            "closure_parameters",
        ],
        Language::Go => &["argument_list", "parameter_list", "literal_value"],
        Language::Java => &["array_initializer", "element_value_array_initializer", "enum_body"],
        Language::C | Language::Cpp => &["initializer_list", "enumerator_list"],
        Language::CSharp => &["initializer_expression", "enum_member_declaration_list"],
        Language::Ruby => &["array", "hash", "argument_list"],
        Language::Php => &["arguments", "array_creation_expression", "formal_parameters"],
    };
    if place.language == Language::Python && place.parent == "tuple" {
        return is_last(node) && named_siblings(node) > 1;
    }
    if place.language == Language::Rust && place.parent == "token_tree" {
        return is_last(node) && is_in_known_macro(place.source, node);
    }
    lists.contains(&place.parent) && is_last(node) && follows_an_element(node)
}

fn named_siblings(node: Syntax<'_>) -> usize {
    node.parent().map_or(0, |parent| parent.named_child_count())
}

fn is_last(node: Syntax<'_>) -> bool {
    let mut next = node.next_sibling();
    while let Some(sibling) = next {
        if !sibling.is_extra() {
            return matches!(sibling.kind(), ")" | "]" | "}" | ">" | "|");
        }
        next = sibling.next_sibling();
    }
    true
}

fn follows_an_element(node: Syntax<'_>) -> bool {
    let mut previous = node.prev_sibling();
    while let Some(sibling) = previous {
        if !sibling.is_extra() {
            return !matches!(sibling.kind(), "," | "(" | "[" | "{" | "<" | "|");
        }
        previous = sibling.prev_sibling();
    }
    false
}

/// Macros of the standard library that take expressions, where a last comma says nothing.
pub(crate) const EXPRESSION_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

fn is_in_known_macro(source: &str, node: Syntax<'_>) -> bool {
    let invocation = node.parent().and_then(|tree| tree.parent());
    let name = invocation
        .filter(|invocation| invocation.kind() == "macro_invocation")
        .and_then(|invocation| invocation.child_by_field_name("macro"))
        .and_then(|name| source.get(name.byte_range()));
    name.is_some_and(|name| EXPRESSION_MACROS.contains(&name))
}

/// Whether the parentheses only repeat what the structure says. Where they stand round the object of an access, round
/// what is called, or round a whole statement they may say more.
fn parentheses_are_layout(place: &Place<'_>, node: Syntax<'_>) -> bool {
    let parents = match place.language {
        Language::C | Language::Cpp | Language::CSharp | Language::Php | Language::Ruby => {
            parents_of_layout_in_others(place.language)
        }
        known => parents_of_layout(known),
    };
    parents.contains(&place.parent) && only_named_child(node).is_some() && !parts_a_joined_text(place, node)
}

/// Whether the parentheses of PHP stand between a point and a sum: until its eighth version both bound alike.
fn parts_a_joined_text(place: &Place<'_>, node: Syntax<'_>) -> bool {
    let is_one = |whole: Syntax<'_>, signs: &[&str]| {
        whole.child_by_field_name("operator").is_some_and(|sign| signs.contains(&sign.kind()))
    };
    place.language == Language::Php
        && node.parent().is_some_and(|parent| is_one(parent, &["."]))
        && only_named_child(node).is_some_and(|inside| is_one(inside, &["+", "-", "<<", ">>"]))
}

/// Around which parentheses only repeat the structure.
fn parents_of_layout(language: Language) -> &'static [&'static str] {
    match language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[
            "return_statement",
            "variable_declarator",
            "arrow_function",
            "assignment_expression",
            "binary_expression",
            "ternary_expression",
            "arguments",
            "pair",
            "jsx_expression",
            "array",
            "throw_statement",
            "template_substitution",
            "parenthesized_expression",
        ],
        Language::Python => &[
            "return_statement",
            "assignment",
            "binary_operator",
            "boolean_operator",
            "not_operator",
            "comparison_operator",
            "if_statement",
            "elif_clause",
            "while_statement",
            "assert_statement",
            "for_statement",
            "keyword_argument",
            "conditional_expression",
            "pair",
            "list",
            "parenthesized_expression",
        ],
        Language::Java => &[
            "return_statement",
            "variable_declarator",
            "assignment_expression",
            "binary_expression",
            "argument_list",
            "ternary_expression",
            "lambda_expression",
            "throw_statement",
            "parenthesized_expression",
        ],
        Language::Rust => &[
            "binary_expression",
            "let_declaration",
            "arguments",
            "return_expression",
            "if_expression",
            "while_expression",
            "match_expression",
            "parenthesized_expression",
        ],
        Language::Go => &[
            "binary_expression",
            "argument_list",
            "expression_list",
            "if_statement",
            "parenthesized_expression",
        ],
        _ => &[],
    }
}

/// The same for languages in which a statement needs parentheses or an operator may be a type's own.
fn parents_of_layout_in_others(language: Language) -> &'static [&'static str] {
    match language {
        Language::C => &[
            "return_statement",
            "binary_expression",
            "assignment_expression",
            "conditional_expression",
            "init_declarator",
            "parenthesized_expression",
        ],
        // `decltype(auto)` reads the parentheses of what is returned.
        Language::Cpp => {
            &["binary_expression", "assignment_expression", "conditional_expression", "init_declarator"]
        }
        Language::CSharp => &[
            "return_statement",
            "binary_expression",
            "assignment_expression",
            "conditional_expression",
            "variable_declarator",
            "argument",
            "arrow_expression_clause",
            "parenthesized_expression",
        ],
        Language::Php => &["binary_expression", "assignment_expression", "conditional_expression"],
        Language::Ruby => &[
            "binary",
            "assignment",
            "conditional",
            "if",
            "elsif",
            "unless",
            "while",
            "until",
            "if_modifier",
            "unless_modifier",
        ],
        _ => &[],
    }
}

/// The only child that is neither a bracket nor a comment.
fn only_named_child<'n>(node: Syntax<'n>) -> Option<Syntax<'n>> {
    let mut found = None;
    for index in 0..node.named_child_count() {
        let child = node.named_child(u32::try_from(index).ok()?)?;
        if child.is_error() || child.is_missing() {
            return None;
        }
        if child.is_extra() {
            continue;
        }
        if found.replace(child).is_some() {
            return None;
        }
    }
    found
}

/// A block round one simple statement that is the body of a branch or a loop.
fn is_needless_block(place: &Place<'_>, node: Syntax<'_>, field: &str) -> bool {
    let is_body = match place.language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            node.kind() == "statement_block"
                && matches!(
                    place.parent,
                    "if_statement" | "else_clause" | "for_statement" | "for_in_statement" | "while_statement"
                )
        }
        Language::Java => {
            node.kind() == "block"
                && matches!(field, "consequence" | "alternative" | "body")
                && matches!(
                    place.parent,
                    "if_statement" | "for_statement" | "enhanced_for_statement" | "while_statement"
                )
        }
        Language::C | Language::Cpp => {
            node.kind() == "compound_statement"
                && matches!(
                    place.parent,
                    "if_statement" | "else_clause" | "for_statement" | "for_range_loop" | "while_statement"
                )
        }
        Language::CSharp => {
            node.kind() == "block"
                && matches!(
                    place.parent,
                    "if_statement" | "for_statement" | "foreach_statement" | "while_statement"
                )
        }
        Language::Php => {
            node.kind() == "compound_statement"
                && matches!(
                    place.parent,
                    "if_statement"
                        | "else_if_clause"
                        | "else_clause"
                        | "for_statement"
                        | "foreach_statement"
                        | "while_statement"
                )
        }
        _ => false,
    };
    const SIMPLE: &[&str] = &[
        "expression_statement",
        "return_statement",
        "throw_statement",
        "break_statement",
        "continue_statement",
        "for_statement",
        "for_in_statement",
        "enhanced_for_statement",
        "foreach_statement",
        "while_statement",
        "switch_statement",
        "switch_expression",
        "try_statement",
    ];
    is_body
        && only_named_child(node)
            .is_some_and(|statement| SIMPLE.contains(&statement.kind()) && !is_macro(place, statement))
}

/// Whether a statement of C calls what may be a macro: it may stand for more than one statement.
fn is_macro(place: &Place<'_>, statement: Syntax<'_>) -> bool {
    let call = statement.named_child(0).filter(|call| call.kind() == "call_expression");
    let callee = call.and_then(|call| call.child_by_field_name("function"));
    place.language.is_c()
        && callee.and_then(|callee| place.source.get(callee.byte_range())).is_some_and(|name| {
            !name.contains(|c: char| c.is_ascii_lowercase())
                || place.source.contains(&format!("define {name}("))
        })
}

fn holds_only_comments(node: Syntax<'_>) -> bool {
    (0..node.named_child_count())
        .filter_map(|index| node.named_child(u32::try_from(index).ok()?))
        .all(|child| child.is_extra())
}

/// `x` of `(x) => …`.
fn only_parameter<'t>(source: &'t str, node: Syntax<'_>) -> Option<&'t str> {
    let parameter = only_named_child(node)?;
    let name = match parameter.kind() {
        "identifier" => parameter,
        "required_parameter" if parameter.child_count() == 1 => parameter.named_child(0)?,
        _ => return None,
    };
    if name.kind() == "identifier" { source.get(name.byte_range()) } else { None }
}
