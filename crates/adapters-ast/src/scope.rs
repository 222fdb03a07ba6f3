//! Which declaration each name in a function stands for.
//!
//! Two functions of the same shape are equal up to the names of their variables exactly when each name stands for the
//! same declaration in both. That is how a proof of renaming works here: capture, shadowing and swapped arguments change
//! what a name stands for. Where a name might be looked up by its text, or might be hidden by something that is not in
//! the text, it is held to its text as well.

mod held;
mod hoisting;
mod macros;
mod tables;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::budget::Budget;
use crate::language::Language;
use crate::outline::{Node, Outline, children_of};
use tables::Opening;

/// What a node of a function stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Itself: its text counts.
    Text,
    /// The function's nth declaration; its text does not count.
    Local(usize),
    /// The function's nth declaration; its text counts as well.
    Fixed(usize),
    /// A text in which names of declarations stand, each replaced by its number.
    Filled(String),
}

/// What each node of the function stands for, in the order of its subtree; `None` when names are not followed there.
pub(crate) fn bind(outline: &Outline<'_>, root: usize) -> Option<Vec<Binding>> {
    let Outline { language, nodes, budget, .. } = outline;
    let size = nodes.get(root)?.size;
    let bindings = vec![Binding::Text; size];
    let mut binder = Binder {
        language: *language,
        nodes,
        budget,
        root,
        bindings,
        scopes: Vec::new(),
        declared: 0,
        is_beyond: false,
        held: held::parameters(outline, root),
        is_told: false,
    };
    binder.visit(root, "");
    (!binder.is_beyond && !budget.is_spent()).then_some(binder.bindings)
}

#[derive(Clone, Copy, Debug)]
struct Declared {
    /// `None` for a name that is known not to be a variable of the function.
    number: Option<usize>,
    is_fixed: bool,
}

struct Scope {
    opening: Opening,
    names: BTreeMap<String, Declared>,
}

struct Binder<'n, 't> {
    language: Language,
    nodes: &'n [Node<'t>],
    budget: &'n Budget,
    root: usize,
    bindings: Vec<Binding>,
    scopes: Vec<Scope>,
    declared: usize,
    is_beyond: bool,
    /// Parameters that are given by their names.
    held: Range<usize>,
    /// The words of an expression are written beside its value.
    is_told: bool,
}

impl<'n, 't> Binder<'n, 't> {
    fn node(&self, index: usize) -> Option<&'n Node<'t>> {
        self.nodes.get(index)
    }

    fn kind(&self, index: usize) -> &'static str {
        self.node(index).map_or("", |node| node.kind)
    }

    fn field(&self, index: usize) -> &'static str {
        self.node(index).map_or("", |node| node.field)
    }

    fn text(&self, index: usize) -> &'n str {
        self.node(index).map_or("", |node| node.text.as_ref())
    }

    /// The children of a node; none once nothing is left to spend, so that every walk ends.
    fn children(&self, index: usize) -> Vec<usize> {
        let children: Vec<usize> = children_of(self.nodes, index).collect();
        if self.budget.spend(1 + children.len()) { children } else { Vec::new() }
    }

    fn has_child(&self, index: usize, kind: &str) -> bool {
        self.children(index).into_iter().any(|child| self.kind(child) == kind)
    }

    fn set(&mut self, index: usize, binding: Binding) {
        if let Some(place) = index.checked_sub(self.root).and_then(|at| self.bindings.get_mut(at)) {
            *place = binding;
        }
    }

    fn visit(&mut self, index: usize, parent: &'static str) {
        let Some(node) = self.node(index) else { return };
        self.is_beyond |= tables::is_beyond(self.language, node.kind);
        if node.is_leaf() {
            self.leaf(index, parent);
            return;
        }
        match tables::opening(self.language, node.kind) {
            Some(opening) => {
                self.scopes.push(Scope { opening, names: BTreeMap::new() });
                self.hoist(index);
                self.inside(index);
                self.scopes.pop();
                self.after_scope(index);
            }
            None => self.inside(index),
        }
    }

    /// The parts of a node that its own scope does not reach.
    fn after_scope(&mut self, index: usize) {
        if self.kind(index) == "if_expression" && self.language == Language::Rust {
            for child in self.children(index) {
                if self.field(child) == "alternative" {
                    self.visit(child, "if_expression");
                }
            }
        }
    }

    fn inside(&mut self, index: usize) {
        let kind = self.kind(index);
        match (self.language, kind) {
            (Language::Rust, "if_expression") => self.visit_except(index, "alternative"),
            (Language::Rust, "match_pattern") => self.match_pattern(index),
            (Language::Rust, "closure_parameters") => self.closure_parameters(index),
            (Language::Rust, "macro_invocation") => self.macro_invocation(index),
            (Language::Go, "range_clause" | "receive_statement") => self.go_clause(index),
            (Language::Go, "type_switch_statement") => self.type_switch(index),
            (Language::Java, "lambda_expression") => self.java_lambda(index),
            (Language::Ruby, _) if hoisting::is_ruby_parameters(kind) => self.ruby_parameters(index),
            (Language::Ruby, "exception_variable") => self.declare_all(index),
            (
                Language::Python,
                "list_comprehension"
                | "set_comprehension"
                | "dictionary_comprehension"
                | "generator_expression",
            ) => {
                self.comprehension(index);
            }
            (Language::Python, "interpolation") if self.has_child(index, "=") => self.told(index),
            (Language::C | Language::Cpp, "argument_list") if self.is_of_macro(index) => self.told(index),
            (Language::CSharp, "initializer_expression") => self.initializer(index),
            (Language::Python, "function_definition") => self.python_function(index),
            (Language::Python, "lambda") => self.python_lambda(index),
            (Language::Php, "anonymous_function_use_clause") => {}
            (Language::Cpp, "lambda_capture_initializer") => self.visit_declaring(index, &["left"], false),
            _ => match tables::declares(self.language, kind) {
                Some((fields, is_first)) => self.visit_declaring(index, fields, is_first),
                None => self.visit_except(index, "-"),
            },
        }
    }

    /// The words in there are written beside their value.
    fn told(&mut self, index: usize) {
        let around = std::mem::replace(&mut self.is_told, true);
        self.visit_except(index, "-");
        self.is_told = around;
    }

    /// What gets a value in an initializer of C# is a member of what is made.
    fn initializer(&mut self, index: usize) {
        for child in self.children(index) {
            match self.kind(child) {
                "assignment_expression" => self.visit_except(child, "left"),
                _ => self.visit(child, "initializer_expression"),
            }
        }
    }

    fn visit_except(&mut self, index: usize, field: &str) {
        let kind = self.kind(index);
        for child in self.children(index) {
            if self.field(child) != field {
                self.visit(child, kind);
            }
        }
    }

    /// The parts of a declaration in the order in which the language reads them; a body always comes last.
    fn visit_declaring(&mut self, index: usize, fields: &[&str], is_first: bool) {
        let kind = self.kind(index);
        let (patterns, rest): (Vec<_>, Vec<_>) =
            self.children(index).into_iter().partition(|child| fields.contains(&self.field(*child)));
        let (bodies, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|child| self.field(*child) == "body");
        if is_first {
            self.declare_patterns(&patterns, kind);
        }
        for child in others {
            self.visit(child, kind);
        }
        if !is_first {
            self.declare_patterns(&patterns, kind);
        }
        for child in bodies {
            self.visit(child, kind);
        }
    }

    fn declare_patterns(&mut self, patterns: &[usize], parent: &'static str) {
        let mut session = BTreeMap::new();
        for pattern in patterns {
            self.declare_pattern(*pattern, parent, &mut session);
        }
    }

    fn declare_all(&mut self, index: usize) {
        let children = self.children(index);
        self.declare_patterns(&children, self.kind(index));
    }

    /// Declares the names of a pattern; the same name twice in one pattern is one declaration.
    fn declare_pattern(&mut self, index: usize, parent: &'static str, session: &mut BTreeMap<String, usize>) {
        let Some(node) = self.node(index) else { return };
        let (kind, field) = (node.kind, node.field);
        if node.is_leaf() {
            let is_name = tables::is_name(self.language, kind) && node.text != "_";
            let is_other = self.language == Language::Rust
                && (node.text.starts_with(char::is_uppercase)
                    || tables::is_no_variable(self.language, parent, field));
            if is_name && !is_other {
                self.declare_leaf(index, session);
            }
            return;
        }
        if self.language.is_c() {
            self.declare_c(index, session);
            return;
        }
        let is_plain = match self.language {
            Language::Ruby => {
                matches!(kind, "left_assignment_list" | "destructured_left_assignment" | "rest_assignment")
            }
            _ => !matches!(
                kind,
                "scoped_identifier"
                    | "member_access_expression"
                    | "field_access"
                    | "selector_expression"
                    | "range_pattern"
            ),
        };
        for child in self.children(index) {
            let is_expression = matches!(self.field(child), "type" | "condition");
            if is_plain && !is_expression {
                self.declare_pattern(child, kind, session);
            } else {
                self.visit(child, kind);
            }
        }
    }

    fn declare_leaf(&mut self, index: usize, session: &mut BTreeMap<String, usize>) {
        let name = self.text(index).to_owned();
        let is_shorthand = self.kind(index).starts_with("shorthand");
        let is_fixed = is_shorthand || self.is_fixed_parameter(index);
        let number = match session.get(&name) {
            Some(number) => *number,
            None => self.declare(&name, is_fixed),
        };
        session.insert(name.clone(), number);
        let is_fixed = is_fixed || self.find(&name).is_some_and(|(found, _)| found.is_fixed);
        self.set(index, if is_fixed { Binding::Fixed(number) } else { Binding::Local(number) });
    }

    /// Parameters that callers may name.
    fn is_fixed_parameter(&self, index: usize) -> bool {
        if self.held.contains(&index) {
            return true;
        }
        if self.language != Language::CSharp || !self.budget.spend(index - self.root) {
            return false;
        }
        let holder = (self.root..index).rev().find(|at| {
            self.kind(*at) == "parameter" && self.node(*at).is_some_and(|node| at + node.size > index)
        });
        let list = holder.and_then(|holder| {
            (self.root..holder)
                .rev()
                .find(|at| self.node(*at).is_some_and(|node| at + node.size > holder && !node.is_leaf()))
        });
        let function = list.and_then(|list| {
            (self.root..list).rev().find(|at| self.node(*at).is_some_and(|node| at + node.size > list))
        });
        // A lambda whose types are said may be given to what reads the names of its parameters.
        let is_typed = holder.is_some_and(|holder| self.children(holder).len() > 1);
        function.is_some_and(|function| self.kind(function) != "lambda_expression" || is_typed)
    }

    /// Declares a name in the innermost scope. Rust may declare a name anew in the same scope, the others mean the same
    /// variable; Ruby's assignments mean one from outside if it is visible.
    fn declare(&mut self, name: &str, is_fixed: bool) -> usize {
        if self.language == Language::Ruby
            && let Some((Declared { number: Some(number), .. }, _)) = self.find(name)
        {
            return number;
        }
        let number = self.declared;
        let is_anew = self.language == Language::Rust;
        let Some(scope) = self.scopes.last_mut() else { return number };
        if let Some(Declared { number: Some(known), .. }) = scope.names.get(name).copied()
            && !is_anew
        {
            return known;
        }
        scope.names.insert(name.to_owned(), Declared { number: Some(number), is_fixed });
        self.declared += 1;
        number
    }

    /// The declaration that a name stands for, and whether something between may hide it.
    fn find(&self, name: &str) -> Option<(Declared, bool)> {
        let mut is_clouded = false;
        for scope in self.scopes.iter().rev() {
            if let Some(found) = scope.names.get(name) {
                return Some((*found, is_clouded));
            }
            match scope.opening {
                Opening::Barrier => return None,
                Opening::Clouded => is_clouded = true,
                Opening::Inner => {}
            }
        }
        None
    }

    fn leaf(&mut self, index: usize, parent: &'static str) {
        let Some(node) = self.node(index) else { return };
        // What C++ takes for a type among the arguments of a template is the variable, where there is one of that name.
        let may_be_type =
            self.language == Language::Cpp && node.kind == "type_identifier" && parent == "type_descriptor";
        if !tables::is_name(self.language, node.kind) && !may_be_type {
            return;
        }
        let name = node.text.as_ref();
        self.is_beyond |= tables::looks_names_up(self.language, name);
        if tables::is_no_variable(self.language, parent, node.field) {
            return;
        }
        let is_held = node.kind.starts_with("shorthand")
            || matches!(parent, "shorthand_field_initializer" | "anonymous_object_creation_expression")
            || (parent == "literal_element"
                && index.checked_sub(1).is_some_and(|at| self.field(at) == "key"))
            || (parent.starts_with("jsx_") && parent.ends_with("_element"))
            || self.is_told
            || self.is_asked_for(index)
            || (self.language == Language::Ruby && node.kind == "hash_key_symbol");
        if self.language == Language::Php && !matches!(name, "$this" | "$GLOBALS") && !name.starts_with("$_")
        {
            self.php_variable(index, name);
            return;
        }
        self.refer(index, name, is_held);
    }

    fn refer(&mut self, index: usize, name: &str, is_held: bool) {
        let Some((Declared { number: Some(number), is_fixed }, is_clouded)) = self.find(name) else { return };
        let is_fixed = is_fixed || is_clouded || is_held;
        self.set(index, if is_fixed { Binding::Fixed(number) } else { Binding::Local(number) });
    }

    fn declare_c(&mut self, index: usize, session: &mut BTreeMap<String, usize>) {
        let kind = self.kind(index);
        if kind == "init_declarator" {
            self.visit(index, kind);
            return;
        }
        for child in self.children(index) {
            let is_deeper = self.field(child) == "declarator"
                || matches!(
                    kind,
                    "reference_declarator" | "parenthesized_declarator" | "structured_binding_declarator"
                );
            match self.kind(child) {
                "parameter_list" => {
                    self.scopes.push(Scope { opening: Opening::Inner, names: BTreeMap::new() });
                    self.visit(child, kind);
                    self.scopes.pop();
                }
                _ if is_deeper => self.declare_pattern(child, kind, session),
                _ => self.visit(child, kind),
            }
        }
    }
}
