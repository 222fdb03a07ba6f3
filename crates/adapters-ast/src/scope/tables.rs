//! What opens a scope and what declares a name, language by language.

use crate::language::Language;

/// How a scope sees what surrounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Names from outside are visible.
    Inner,
    /// Names of functions around it are not visible.
    Barrier,
    /// Names from outside may be visible, or may be hidden by something that is not in the text.
    Clouded,
}

/// Kinds of nodes that are a barrier, that cloud what is outside, and that only open a scope.
type Openings = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// Whether a node of this kind opens a scope.
pub(super) fn opening(language: Language, kind: &str) -> Option<Opening> {
    let (barriers, clouded, inner) = match language {
        Language::Java | Language::CSharp | Language::C | Language::Cpp => braced(language),
        _ => other(language),
    };
    if barriers.contains(&kind) {
        Some(Opening::Barrier)
    } else if clouded.contains(&kind) {
        Some(Opening::Clouded)
    } else {
        inner.contains(&kind).then_some(Opening::Inner)
    }
}

fn other(language: Language) -> Openings {
    match language {
        Language::Rust => (
            &["function_item", "const_item", "static_item", "impl_item", "mod_item", "trait_item"],
            &["macro_definition"],
            &[
                "closure_expression",
                "block",
                "match_arm",
                "for_expression",
                "if_expression",
                "while_expression",
                "async_block",
            ],
        ),
        Language::TypeScript | Language::Tsx | Language::JavaScript => (
            &[],
            &["internal_module"],
            &[
                "function_declaration",
                "function_expression",
                "generator_function_declaration",
                "generator_function",
                "arrow_function",
                "method_definition",
                "statement_block",
                "for_statement",
                "for_in_statement",
                "catch_clause",
                "switch_body",
                "class_static_block",
            ],
        ),
        Language::Python => (&[], &[], &["function_definition", "lambda"]),
        Language::Go => (
            &["function_declaration", "method_declaration"],
            &[],
            &[
                "func_literal",
                "block",
                "if_statement",
                "for_statement",
                "expression_switch_statement",
                "type_switch_statement",
                "select_statement",
                "expression_case",
                "type_case",
                "default_case",
                "communication_case",
            ],
        ),
        Language::Ruby => (
            &["method", "singleton_method", "class", "module", "singleton_class"],
            &["case_match"],
            &["block", "do_block", "lambda"],
        ),
        Language::Php => (
            &["function_definition", "method_declaration", "anonymous_function"],
            &["class_declaration", "anonymous_class"],
            &["arrow_function"],
        ),
        _ => (&[], &[], &[]),
    }
}

fn braced(language: Language) -> Openings {
    match language {
        Language::Java => (
            &[],
            &["class_body", "interface_body", "enum_body"],
            &[
                "method_declaration",
                "constructor_declaration",
                "compact_constructor_declaration",
                "lambda_expression",
                "block",
                "constructor_body",
                "for_statement",
                "enhanced_for_statement",
                "try_with_resources_statement",
                "catch_clause",
                "switch_block",
                "switch_rule",
            ],
        ),
        Language::CSharp => (
            &[],
            &["declaration_list", "query_expression"],
            &[
                "method_declaration",
                "constructor_declaration",
                "local_function_statement",
                "lambda_expression",
                "anonymous_method_expression",
                "block",
                "for_statement",
                "foreach_statement",
                "using_statement",
                "catch_clause",
                "switch_section",
                "accessor_declaration",
            ],
        ),
        Language::C | Language::Cpp => (
            &["function_definition"],
            &["field_declaration_list"],
            &[
                "lambda_expression",
                "compound_statement",
                "for_statement",
                "for_range_loop",
                "if_statement",
                "while_statement",
                "switch_statement",
                "catch_clause",
            ],
        ),
        _ => (&[], &[], &[]),
    }
}

type Fields = &'static [&'static str];

fn after(fields: Fields) -> Option<(Fields, bool)> {
    Some((fields, false))
}

/// The fields of a node that declare names, and whether they do so before the rest of the node is read.
pub(super) fn declares(language: Language, kind: &str) -> Option<(Fields, bool)> {
    match (language, kind) {
        (Language::Rust, "let_declaration" | "parameter" | "for_expression" | "let_condition") => {
            after(&["pattern"])
        }
        (
            Language::Go,
            "var_spec" | "const_spec" | "parameter_declaration" | "variadic_parameter_declaration",
        ) => after(&["name"]),
        (Language::Go, "short_var_declaration") => after(&["left"]),
        (
            Language::Java,
            "variable_declarator"
            | "formal_parameter"
            | "catch_formal_parameter"
            | "resource"
            | "enhanced_for_statement",
        ) => after(&["name"]),
        (
            Language::CSharp,
            "variable_declarator" | "parameter" | "catch_declaration" | "declaration_expression",
        ) => after(&["name"]),
        (Language::CSharp, "foreach_statement") => after(&["left"]),
        (Language::C | Language::Cpp, "declaration" | "init_declarator" | "parameter_declaration") => {
            Some((&["declarator"], true))
        }
        (Language::Cpp, "optional_parameter_declaration") => Some((&["declarator"], true)),
        (Language::Cpp, "for_range_loop") => after(&["declarator"]),
        (Language::Ruby, "assignment" | "operator_assignment") => Some((&["left"], true)),
        (Language::Ruby, "for") => Some((&["pattern"], true)),
        _ => None,
    }
}

/// Functions in which names may be looked up by their text, so that no name can be changed with proof.
pub(super) fn looks_names_up(language: Language, text: &str) -> bool {
    let words: &[&str] = match language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => &["eval"],
        Language::Python => &["locals", "eval", "exec", "vars", "globals", "dir"],
        Language::Ruby => {
            &["binding", "eval", "instance_eval", "class_eval", "local_variables", "local_variable_get"]
        }
        Language::Php => &["compact", "extract", "eval", "get_defined_vars", "parse_str", "func_get_args"],
        _ => &[],
    };
    words.contains(&text)
}

/// Syntax whose names are not followed; a function that has it is compared word by word.
pub(super) fn is_beyond(language: Language, kind: &str) -> bool {
    match language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => kind == "with_statement",
        Language::Python => {
            matches!(kind, "match_statement" | "class_definition" | "exec_statement" | "print_statement")
        }
        Language::CSharp => kind == "query_expression",
        Language::Ruby => kind == "case_match",
        Language::Php => matches!(
            kind,
            "dynamic_variable_name"
                | "include_expression"
                | "include_once_expression"
                | "require_expression"
                | "require_once_expression"
                | "eval_intrinsic"
        ),
        _ => false,
    }
}

/// Whether a leaf of this kind may be the name of a variable.
pub(super) fn is_name(language: Language, kind: &str) -> bool {
    match language {
        Language::Php => kind == "variable_name",
        Language::CSharp => matches!(kind, "identifier" | "implicit_parameter"),
        Language::TypeScript | Language::Tsx | Language::JavaScript => matches!(
            kind,
            "identifier" | "shorthand_property_identifier" | "shorthand_property_identifier_pattern"
        ),
        Language::Rust => matches!(kind, "identifier" | "shorthand_field_identifier"),
        Language::Ruby => matches!(kind, "identifier" | "hash_key_symbol"),
        _ => kind == "identifier",
    }
}

/// Names that stand where no variable can stand: members, labels, keyword arguments, parts of paths.
pub(super) fn is_no_variable(language: Language, parent: &str, field: &str) -> bool {
    match language {
        Language::Rust => {
            matches!(
                parent,
                "scoped_identifier"
                    | "lifetime"
                    | "label"
                    | "attribute"
                    | "use_declaration"
                    | "scoped_use_list"
                    | "use_list"
                    | "use_as_clause"
                    | "enum_variant"
            ) || matches!(field, "macro" | "type" | "trait")
        }
        Language::Python => {
            (parent == "keyword_argument" && field == "name")
                || (parent == "attribute" && field == "attribute")
                || parent == "dotted_name"
                || parent == "global_statement"
        }
        Language::Java => {
            (parent == "method_invocation" && field == "name")
                || (parent == "field_access" && field == "field")
                || matches!(
                    parent,
                    "scoped_identifier"
                        | "annotation"
                        | "marker_annotation"
                        | "element_value_pair"
                        | "labeled_statement"
                        | "break_statement"
                        | "continue_statement"
                        | "switch_label"
                        | "enum_constant"
                )
                || (parent == "method_reference" && field != "object")
        }
        Language::CSharp => {
            matches!(field, "type" | "returns")
                || (matches!(parent, "member_access_expression" | "argument" | "member_binding_expression")
                    && field == "name")
                || matches!(
                    parent,
                    "generic_name"
                        | "type_argument_list"
                        | "qualified_name"
                        | "labeled_statement"
                        | "goto_statement"
                        | "attribute"
                        | "nullable_type"
                        | "array_type"
                        | "cast_expression"
                        | "as_expression"
                        | "is_expression"
                        | "name_colon"
                ) && field != "value"
                    && field != "left"
        }
        Language::Ruby => parent == "call" && field == "method",
        Language::Php => parent == "scoped_property_access_expression" && field == "name",
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            matches!(parent, "nested_identifier" | "import_specifier" | "export_specifier" | "type_predicate")
        }
        Language::Go => matches!(parent, "qualified_type"),
        Language::C | Language::Cpp => {
            matches!(parent, "qualified_identifier" | "preproc_ifdef" | "preproc_defined")
        }
    }
}
