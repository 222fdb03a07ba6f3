//! Parameters and variables whose names something reads: a framework that gives each parameter what has its name, a macro
//! or the compiler that makes a text of it.

use std::ops::Range;

use crate::language::Language;
use crate::names::ancestors;
use crate::outline::Outline;

use super::Binder;

/// Attributes and annotations that do not look at the parameters of a function, nor do those of what is around it.
const QUIET: &[&str] = &[
    "After",
    "Before",
    "Deprecated",
    "FunctionalInterface",
    "NonNull",
    "Nullable",
    "Override",
    "SafeVarargs",
    "SuppressWarnings",
    "Test",
    "VisibleForTesting",
    "allow",
    "async_trait",
    "bench",
    "cfg",
    "clippy",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "ignore",
    "inline",
    "must_use",
    "no_mangle",
    "rustfmt",
    "should_panic",
    "target_feature",
    "test",
    "tokio",
    "track_caller",
    "warn",
];

/// The parameters of a function that may be given by their names (Java, Rust); nothing where they are not.
pub(super) fn parameters(outline: &Outline<'_>, function: usize) -> Range<usize> {
    let none = function..function;
    let Some(list) = outline.child_by_field(function, "parameters") else { return none };
    let within = list..list + outline.subtree(list).len();
    let is_held = match outline.language {
        Language::Java => {
            let is_plain = |at: usize| marks(outline, at).all(|mark| is_quiet(outline, mark));
            let holder = ancestors(outline, function).into_iter().nth(1);
            let is_made = outline.kind(function) == "constructor_declaration";
            let parameters = outline.children(list).filter(|part| !outline.subtree(*part).is_empty());
            // What has no body is given one by something that reads how it is declared.
            outline.child_by_field(function, "body").is_none()
                || !is_plain(function)
                || is_made && holder.is_some_and(|holder| !is_plain(holder))
                || !parameters.into_iter().all(is_plain)
        }
        Language::Rust => std::iter::once(function)
            .chain(ancestors(outline, function))
            .any(|item| !attributes(outline, item).all(|mark| is_quiet(outline, mark))),
        _ => false,
    };
    if is_held { within } else { none }
}

/// The annotations of a declaration of Java.
fn marks<'o>(outline: &'o Outline<'_>, at: usize) -> impl Iterator<Item = usize> + use<'o> {
    let modifiers = outline.children(at).filter(|child| outline.kind(*child) == "modifiers");
    modifiers
        .flat_map(|modifiers| outline.children(modifiers))
        .filter(|word| matches!(outline.kind(*word), "annotation" | "marker_annotation"))
}

/// The attributes of Rust that stand right before an item.
fn attributes<'o>(outline: &'o Outline<'_>, item: usize) -> impl Iterator<Item = usize> + use<'o> {
    let parent = ancestors(outline, item).first().copied().unwrap_or(0);
    let mut run = Vec::new();
    for child in outline.children(parent).take_while(|child| *child < item) {
        match outline.kind(child) {
            "attribute_item" => run.push(child),
            "PRAGMA" => {}
            _ => run.clear(),
        }
    }
    run.into_iter()
}

fn is_quiet(outline: &Outline<'_>, mark: usize) -> bool {
    let mut words = outline.subtree(mark).iter().filter(|node| node.is_leaf());
    words
        .find(|node| node.text.starts_with(char::is_alphabetic))
        .is_some_and(|name| QUIET.contains(&name.text.as_ref()))
}

impl Binder<'_, '_> {
    /// Whether arguments of C or C++ are those of what is written as a macro.
    pub(super) fn is_of_macro(&self, list: usize) -> bool {
        let callee = list.checked_sub(1).map_or("", |at| self.text(at));
        callee.starts_with(char::is_uppercase) && !callee.contains(char::is_lowercase)
    }

    /// Whether a name of C# stands where its text is asked for: `nameof(a)`, or an argument of a check that tells what it
    /// was given.
    pub(super) fn is_asked_for(&self, index: usize) -> bool {
        if self.language != Language::CSharp || !self.budget.spend(index - self.root) {
            return false;
        }
        let is_list = |at: &usize| {
            self.kind(*at) == "argument_list" && self.node(*at).is_some_and(|node| at + node.size > index)
        };
        let mut lists = (self.root..index).rev().filter(is_list);
        const CHECKS: &[&str] =
            &["Argument", "Assert", "Check", "Ensure", "Guard", "Requires", "ThrowIf", "Verify"];
        lists.next().is_some_and(|list| {
            let words = (self.root..list).rev().take_while(|at| self.kind(*at) != "argument_list").take(8);
            let mut words = words.filter(|at| self.kind(*at) == "identifier").map(|at| self.text(at));
            words.any(|word| word == "nameof" || CHECKS.iter().any(|check| word.starts_with(check)))
        })
    }
}
