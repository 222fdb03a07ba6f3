//! Rust: names inside macro calls, patterns of arms, parameters of closures.

use crate::spelling::EXPRESSION_MACROS;

use super::{Binder, Binding, Declared};

impl Binder<'_, '_> {
    pub(super) fn match_pattern(&mut self, index: usize) {
        let (conditions, patterns): (Vec<_>, Vec<_>) =
            self.children(index).into_iter().partition(|child| self.field(*child) == "condition");
        self.declare_patterns(&patterns, "match_pattern");
        for condition in conditions {
            self.visit(condition, "match_pattern");
        }
    }

    pub(super) fn closure_parameters(&mut self, index: usize) {
        for child in self.children(index) {
            if self.kind(child) == "parameter" {
                self.visit(child, "closure_parameters");
            } else {
                self.declare_patterns(&[child], "closure_parameters");
            }
        }
    }

    /// Names among the tokens of a macro call are variables only where the macro is known to take expressions, and
    /// nothing among the tokens declares names. Elsewhere the macro may do anything with their text.
    pub(super) fn macro_invocation(&mut self, index: usize) {
        let children = self.children(index);
        let name = children
            .iter()
            .find(|child| self.field(**child) == "macro")
            .map_or("", |child| self.text(*child));
        let is_known = EXPRESSION_MACROS.contains(&name);
        let Some(size) = self.node(index).map(|node| node.size) else { return };
        let declares = (index..index + size)
            .any(|at| matches!(self.text(at), "|" | "let" | "match" | "=>" | "fn" | "||"));
        for at in index..index + size {
            match self.kind(at) {
                "identifier" if self.is_operand(at) => {
                    let text = self.text(at);
                    self.refer(at, text, !is_known || declares);
                }
                "string_content" => self.placeholders(at, !is_known || declares),
                _ => {}
            }
        }
    }

    /// Whether an identifier among tokens may be a variable: not a member, not a part of a path, not a named argument.
    fn is_operand(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map_or("", |at| self.text(at));
        let after = self.text(index + 1);
        !matches!(before, "." | "::" | "'") && !matches!(after, "::" | "!" | "=")
    }

    /// Names of variables inside a text with placeholders.
    fn placeholders(&mut self, index: usize, is_held: bool) {
        let text = self.text(index);
        if !text.contains('{') {
            return;
        }
        let mut out = String::new();
        let mut is_filled = false;
        let mut rest = text;
        while let Some((head, tail)) = rest.split_once('{') {
            out.push_str(head);
            out.push('{');
            if let Some(tail) = tail.strip_prefix('{') {
                out.push('{');
                rest = tail;
                continue;
            }
            let end = tail.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tail.len());
            let (name, behind) = tail.split_at_checked(end).unwrap_or((tail, ""));
            match self.find(name) {
                Some((Declared { number: Some(number), is_fixed }, _)) => {
                    is_filled = true;
                    out.push_str(&format!("\u{0}{number}"));
                    if is_fixed || is_held {
                        out.push_str(name);
                    }
                }
                _ => out.push_str(name),
            }
            rest = behind;
        }
        out.push_str(rest);
        if is_filled {
            self.set(index, Binding::Filled(out));
        }
    }
}
