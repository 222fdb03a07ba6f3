//! Who may name the parameters of a function: nobody, where all its calls stand in the text and give their arguments by
//! place.

use super::Binder;

impl Binder<'_, '_> {
    /// Whether a function of Python whose name says that it is nobody else's is only ever called, and by place.
    pub(super) fn is_called_by_place(&self, function: usize) -> bool {
        let name = self.children(function).into_iter().find(|child| self.field(*child) == "name");
        let Some(name) = name else { return false };
        let text = self.text(name);
        let is_own = self.asks_callers
            && text.starts_with('_')
            && !text.starts_with("__")
            && !self.is_decorated(function);
        is_own && self.budget.spend(self.nodes.len()) && {
            let mut places = self.nodes.iter().enumerate().filter(|(_, node)| node.is_leaf());
            places.all(|(at, node)| {
                let is_it = node.text == text;
                let is_spelled = node.kind.contains("string") && node.text.contains(text);
                let is_defined = || self.field(at) == "name" && at > 0 && self.text(at - 1) == "def";
                let is_called =
                    || matches!(self.field(at), "function" | "attribute") && self.has_plain_arguments(at + 1);
                !is_spelled && (!is_it || is_defined() || is_called())
            })
        }
    }

    fn is_decorated(&self, function: usize) -> bool {
        let around =
            (0..function).rev().find(|at| self.node(*at).is_some_and(|node| at + node.size > function));
        around.is_some_and(|around| self.kind(around) == "decorated_definition")
    }

    fn has_plain_arguments(&self, list: usize) -> bool {
        self.kind(list) == "argument_list"
            && !self
                .children(list)
                .into_iter()
                .any(|argument| matches!(self.kind(argument), "keyword_argument" | "dictionary_splat"))
    }

    /// Whether a method of C# is its class's own, and nothing in the text names an argument like this parameter.
    pub(super) fn is_nameless_parameter(&self, function: usize, parameter: usize) -> bool {
        const SEEN: &[&str] =
            &["public", "internal", "protected", "override", "virtual", "abstract", "partial"];
        let holder = (0..function).rev().find(|at| {
            let is_around = self.node(*at).is_some_and(|node| at + node.size > function);
            is_around && self.kind(*at).ends_with("_declaration")
        });
        let is_member = match self.kind(function) {
            "local_function_statement" => true,
            "method_declaration" => holder.is_some_and(|holder| {
                matches!(self.kind(holder), "class_declaration" | "struct_declaration" | "record_declaration")
            }),
            _ => false,
        };
        let is_seen = |child: usize| match self.kind(child) {
            "explicit_interface_specifier" | "attribute_list" => true,
            "modifier" => {
                let size = self.node(child).map_or(1, |node| node.size);
                (child..child + size).any(|at| SEEN.contains(&self.text(at)))
            }
            kind => SEEN.contains(&kind),
        };
        let name = self.text(parameter);
        let is_named = |at: usize| {
            self.text(at) == name
                && (self.text(at + 1) == ":"
                    || self.kind(at + 1) == "name_colon"
                    || self.field(at) == "name" && self.kind(at - 1) == "argument")
        };
        self.asks_callers
            && is_member
            && self.budget.spend(self.nodes.len())
            && !self.children(function).into_iter().any(is_seen)
            && !(1..self.nodes.len()).any(is_named)
    }

    /// Whether a name of C# stands where its text is asked for.
    pub(super) fn is_asked_for(&self, index: usize) -> bool {
        index.checked_sub(4).is_some_and(|call| {
            self.text(call) == "nameof"
                && self.kind(call + 1) == "argument_list"
                && self.kind(index - 1) == "argument"
        })
    }
}
