//! Where the language makes a text of a name of C#.

use super::Binder;

impl Binder<'_, '_> {
    /// Whether a name of C# stands where its text is asked for: `nameof(a)`, or an argument of a check that tells what it
    /// was given.
    pub(super) fn is_asked_for(&self, index: usize) -> bool {
        let list = (self.root..index).rev().find(|at| {
            self.kind(*at) == "argument_list" && self.node(*at).is_some_and(|node| at + node.size > index)
        });
        let callee = list.and_then(|list| list.checked_sub(1)).map_or("", |at| self.text(at));
        self.budget.spend(index - self.root)
            && (callee == "nameof" || callee.starts_with("ThrowIf") || callee.starts_with("Assert"))
    }
}
