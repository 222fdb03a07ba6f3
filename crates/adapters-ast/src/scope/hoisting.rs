//! Names that are visible before they are declared (JavaScript, Python, PHP), and declarations that need more than a
//! row in the table.

use std::collections::BTreeMap;

use crate::language::Language;

use super::tables::Opening;
use super::{Binder, Binding, Declared, Scope};

const SCRIPT_FUNCTIONS: &[&str] = &[
    "function_declaration",
    "function_expression",
    "generator_function_declaration",
    "generator_function",
    "arrow_function",
    "method_definition",
];

pub(super) fn is_ruby_parameters(kind: &str) -> bool {
    matches!(kind, "method_parameters" | "block_parameters" | "lambda_parameters")
}

impl Binder<'_, '_> {
    /// Declares what is visible in the whole of a scope that was just opened.
    pub(super) fn hoist(&mut self, index: usize) {
        if self.language.is_script() {
            self.hoist_script(index);
        }
        if self.language == Language::Php {
            self.hoist_php(index);
        }
    }

    fn hoist_script(&mut self, index: usize) {
        let kind = self.kind(index);
        if SCRIPT_FUNCTIONS.contains(&kind) {
            for child in self.children(index) {
                match self.field(child) {
                    "parameters" | "parameter" => self.script_names(child, false),
                    "name" if kind == "function_expression" => self.script_names(child, false),
                    "body" => self.script_vars(child),
                    _ => {}
                }
            }
        }
        for child in self.children(index) {
            if kind == "switch_body" {
                self.children(child).into_iter().for_each(|statement| self.script_statement(statement));
            }
            self.script_statement(child);
            let is_loop_variable = kind == "for_in_statement"
                && self.field(child) == "left"
                && self
                    .children(index)
                    .into_iter()
                    .any(|at| self.field(at) == "kind" && self.text(at) != "var");
            if is_loop_variable || (kind == "catch_clause" && self.field(child) == "parameter") {
                self.script_names(child, false);
            }
        }
    }

    /// The names that a statement gives to the block around it.
    fn script_statement(&mut self, statement: usize) {
        match self.kind(statement) {
            "lexical_declaration" => self.script_declarators(statement),
            "function_declaration" | "generator_function_declaration" | "class_declaration" => {
                for name in self.children(statement) {
                    if self.field(name) == "name" {
                        let text = self.text(name).to_owned();
                        self.declare(&text, false);
                    }
                }
            }
            _ => {}
        }
    }

    /// `var` names anywhere in a function.
    fn script_vars(&mut self, index: usize) {
        let kind = self.kind(index);
        if SCRIPT_FUNCTIONS.contains(&kind) || matches!(kind, "class_declaration" | "class") {
            return;
        }
        if kind == "variable_declaration" {
            self.script_declarators(index);
        }
        let is_var_loop = kind == "for_in_statement"
            && self.children(index).into_iter().any(|at| self.field(at) == "kind" && self.text(at) == "var");
        for child in self.children(index) {
            if is_var_loop && self.field(child) == "left" {
                self.script_names(child, false);
            }
            self.script_vars(child);
        }
    }

    fn script_declarators(&mut self, declaration: usize) {
        for declarator in self.children(declaration) {
            for child in self.children(declarator) {
                if self.field(child) == "name" {
                    self.script_names(child, false);
                }
            }
        }
    }

    /// The names of a pattern: not the keys, not the default values, not the types.
    fn script_names(&mut self, index: usize, is_fixed: bool) {
        let Some(node) = self.node(index) else { return };
        if node.is_leaf() {
            if matches!(node.kind, "identifier" | "shorthand_property_identifier_pattern") {
                // What begins with `$` may be given by its name.
                let is_fixed = is_fixed || node.kind.starts_with("shorthand") || node.text.starts_with('$');
                let text = node.text.to_string();
                self.declare(&text, is_fixed);
            }
            return;
        }
        let is_property = matches!(node.kind, "required_parameter" | "optional_parameter")
            && (self.has_child(index, "accessibility_modifier")
                || self.has_child(index, "readonly")
                || self.has_child(index, "decorator"));
        for child in self.children(index) {
            let is_value = matches!(self.field(child), "right" | "value" if node.kind != "pair_pattern");
            let is_other = matches!(self.field(child), "key" | "type" | "decorator");
            if !is_value && !is_other {
                self.script_names(child, is_fixed || is_property);
            }
        }
    }

    /// A function: defaults and annotations are read outside, names that are assigned anywhere are its own.
    pub(super) fn python_function(&mut self, index: usize) {
        let scope = self.scopes.pop();
        for child in self.children(index) {
            match self.field(child) {
                "parameters" => self.python_defaults(child),
                "return_type" | "name" => self.visit(child, "function_definition"),
                _ => {}
            }
        }
        self.scopes.push(scope.unwrap_or(Scope { opening: Opening::Inner, names: BTreeMap::new() }));
        self.python_parameters(index, true);
        for child in self.children(index) {
            if self.field(child) == "body" {
                let mut outer = Vec::new();
                self.python_outer_names(child, &mut outer);
                for name in &outer {
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.names.remove(name);
                    }
                }
                self.python_assigned(child, &outer);
                for name in outer.iter().filter(|name| name.starts_with('\u{0}')) {
                    let name = name.trim_start_matches('\u{0}').to_owned();
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.names.insert(name, Declared { number: None, is_fixed: true });
                    }
                }
                self.visit(child, "function_definition");
            }
        }
    }

    /// A lambda: its defaults are read outside.
    pub(super) fn python_lambda(&mut self, index: usize) {
        let scope = self.scopes.pop();
        for child in self.children(index) {
            if self.field(child) == "parameters" {
                self.python_defaults(child);
            }
        }
        self.scopes.push(scope.unwrap_or(Scope { opening: Opening::Inner, names: BTreeMap::new() }));
        // What can be left out is what callers name.
        let is_plain = |list: usize| {
            self.children(list).into_iter().all(|part| matches!(self.kind(part), "identifier" | ","))
        };
        let is_fixed = self
            .children(index)
            .into_iter()
            .any(|child| self.field(child) == "parameters" && !is_plain(child));
        self.python_parameters(index, is_fixed);
        for child in self.children(index) {
            if self.field(child) == "body" {
                self.visit(child, "lambda");
            }
        }
    }

    fn python_defaults(&mut self, parameters: usize) {
        for parameter in self.children(parameters) {
            for child in self.children(parameter) {
                if matches!(self.field(child), "value" | "type") {
                    self.visit(child, "default_parameter");
                }
            }
        }
    }

    fn python_parameters(&mut self, function: usize, is_fixed: bool) {
        let lists = self.children(function).into_iter().filter(|child| self.field(*child) == "parameters");
        for list in lists.collect::<Vec<_>>() {
            self.python_parameter_names(list, is_fixed);
        }
    }

    fn python_parameter_names(&mut self, index: usize, is_fixed: bool) {
        for child in self.children(index) {
            if matches!(self.field(child), "value" | "type") {
                continue;
            }
            if self.kind(child) == "identifier" {
                let text = self.text(child).to_owned();
                self.declare(&text, is_fixed);
                let name = self.text(child);
                self.refer(child, name, is_fixed);
            } else {
                self.python_parameter_names(child, is_fixed);
            }
        }
    }

    /// Names that a function takes from outside; a NUL before it marks a global one.
    fn python_outer_names(&self, index: usize, outer: &mut Vec<String>) {
        let kind = self.kind(index);
        if matches!(kind, "function_definition" | "lambda" | "class_definition") {
            return;
        }
        for child in self.children(index) {
            if matches!(kind, "global_statement" | "nonlocal_statement") && self.kind(child) == "identifier" {
                outer.push(self.text(child).to_owned());
                if kind == "global_statement" {
                    outer.push(format!("\u{0}{}", self.text(child)));
                }
            }
            self.python_outer_names(child, outer);
        }
    }

    fn python_assigned(&mut self, index: usize, outer: &[String]) {
        let kind = self.kind(index);
        for child in self.children(index) {
            let field = self.field(child);
            let is_target = matches!(
                (kind, field),
                ("assignment" | "augmented_assignment" | "for_statement", "left")
                    | ("named_expression", "name")
                    | ("function_definition" | "class_definition", "name")
                    | ("aliased_import", "alias")
            ) || kind == "as_pattern_target"
                || (matches!(kind, "import_statement" | "import_from_statement") && field == "name");
            if is_target {
                self.python_names(child, outer);
            }
            let is_other_scope = matches!(self.kind(child), "function_definition" | "lambda")
                || self.kind(child).ends_with("_comprehension");
            if is_other_scope {
                let names: Vec<usize> =
                    self.children(child).into_iter().filter(|at| self.field(*at) == "name").collect();
                for name in names {
                    // What decorates a function may keep it by its name.
                    if kind == "decorated_definition" {
                        let text = self.text(name).to_owned();
                        self.declare(&text, true);
                    }
                    self.python_names(name, outer);
                }
            } else {
                self.python_assigned(child, outer);
            }
        }
    }

    fn python_names(&mut self, index: usize, outer: &[String]) {
        match self.kind(index) {
            "identifier" => {
                let text = self.text(index).to_owned();
                if !outer.contains(&text) {
                    self.declare(&text, false);
                }
            }
            "dotted_name" => {
                // What is imported under its own name is held to it.
                let text = self.text(index + 1).to_owned();
                if !outer.contains(&text) {
                    self.declare(&text, true);
                }
            }
            "attribute" | "subscript" | "aliased_import" => {}
            _ => {
                for child in self.children(index) {
                    self.python_names(child, outer);
                }
            }
        }
    }

    /// The first iterable is read outside, all else sees the loop variables.
    pub(super) fn comprehension(&mut self, index: usize) {
        let clauses: Vec<usize> =
            self.children(index).into_iter().filter(|child| self.kind(*child) == "for_in_clause").collect();
        let first = clauses.first().and_then(|clause| {
            self.children(*clause).into_iter().find(|child| self.field(*child) == "right")
        });
        if let Some(first) = first {
            self.visit(first, "for_in_clause");
        }
        self.scopes.push(Scope { opening: Opening::Inner, names: BTreeMap::new() });
        for clause in &clauses {
            let targets: Vec<usize> =
                self.children(*clause).into_iter().filter(|child| self.field(*child) == "left").collect();
            for target in targets {
                self.python_names(target, &[]);
            }
        }
        for child in self.children(index) {
            if clauses.contains(&child) {
                for part in self.children(child) {
                    if Some(part) != first {
                        self.visit(part, "for_in_clause");
                    }
                }
            } else {
                self.visit(child, "comprehension");
            }
        }
        self.scopes.pop();
    }

    pub(super) fn go_clause(&mut self, index: usize) {
        if self.has_child(index, ":=") {
            self.visit_declaring(index, &["left"], false);
        } else {
            self.visit_except(index, "-");
        }
    }

    pub(super) fn type_switch(&mut self, index: usize) {
        let kind = "type_switch_statement";
        let (aliases, rest): (Vec<_>, Vec<_>) =
            self.children(index).into_iter().partition(|child| self.field(*child) == "alias");
        let (heads, cases): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|child| matches!(self.field(*child), "initializer" | "value"));
        for child in heads {
            self.visit(child, kind);
        }
        self.declare_patterns(&aliases, kind);
        for child in cases {
            self.visit(child, kind);
        }
    }

    pub(super) fn java_lambda(&mut self, index: usize) {
        for child in self.children(index) {
            let is_bare = self.field(child) == "parameters" && self.kind(child) != "formal_parameters";
            if is_bare {
                self.declare_patterns(&[child], "lambda_expression");
            } else {
                self.visit(child, "lambda_expression");
            }
        }
    }

    /// Parameters of methods and blocks; the names of keyword parameters belong to the callers.
    pub(super) fn ruby_parameters(&mut self, index: usize) {
        for child in self.children(index) {
            match self.kind(child) {
                "identifier" => {
                    let text = self.text(child).to_owned();
                    let number = self.declare_anew(&text, false);
                    self.set(child, Binding::Local(number));
                }
                "destructured_parameter" => self.ruby_parameters(child),
                kind => {
                    for part in self.children(child) {
                        if self.field(part) == "name" {
                            let text = self.text(part).to_owned();
                            let is_fixed = kind == "keyword_parameter";
                            let number = self.declare_anew(&text, is_fixed);
                            self.set(
                                part,
                                if is_fixed { Binding::Fixed(number) } else { Binding::Local(number) },
                            );
                        } else {
                            self.visit(part, kind);
                        }
                    }
                }
            }
        }
    }

    /// A parameter hides what is outside.
    fn declare_anew(&mut self, name: &str, is_fixed: bool) -> usize {
        let number = self.declared;
        self.declared += 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned(), Declared { number: Some(number), is_fixed });
        }
        number
    }

    /// Parameters that callers may name, variables from outside, and globals.
    fn hoist_php(&mut self, index: usize) {
        let kind = self.kind(index);
        let Some(size) = self.node(index).map(|node| node.size) else { return };
        if kind == "anonymous_function" {
            let clause =
                self.children(index).into_iter().find(|c| self.kind(*c) == "anonymous_function_use_clause");
            let end = clause.and_then(|clause| self.node(clause).map(|node| clause + node.size));
            for at in clause.unwrap_or(0)..end.unwrap_or(0) {
                if self.kind(at) == "variable_name" {
                    self.php_captured(at);
                }
            }
        }
        for at in index..index + size {
            if self.kind(at) == "global_declaration" {
                let names: Vec<String> =
                    self.children(at).iter().map(|child| self.text(*child).to_owned()).collect();
                for name in names.into_iter().filter(|name| name.starts_with('$')) {
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.names.insert(name, Declared { number: None, is_fixed: true });
                    }
                }
            }
        }
        let parameters: Vec<usize> =
            self.children(index).into_iter().filter(|child| self.field(*child) == "parameters").collect();
        for list in parameters {
            for parameter in self.children(list) {
                for name in self.children(parameter) {
                    if self.field(name) == "name" {
                        let text = self.text(name).to_owned();
                        let is_fixed = matches!(kind, "function_definition" | "method_declaration");
                        self.declare_anew(&text, is_fixed);
                    }
                }
            }
        }
    }

    fn php_captured(&mut self, index: usize) {
        let name = self.text(index);
        let inner = self.scopes.pop();
        self.php_variable(index, name);
        let found = self.find(name).map(|(found, _)| found);
        self.scopes.extend(inner);
        if let (Some(found), Some(scope)) = (found, self.scopes.last_mut()) {
            scope.names.insert(name.to_owned(), found);
        }
    }

    /// A variable of PHP exists in its function from its first mention.
    pub(super) fn php_variable(&mut self, index: usize, name: &str) {
        if self.find(name).is_none() {
            self.declare_anew(name, false);
        }
        self.refer(index, name, false);
    }
}
