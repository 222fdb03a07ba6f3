//! Which attributes of Rust may turn documentation into something that a program shows.
//!
//! Documentation and attributes stand before their item, in any order; one walk over the tree puts them together.

use std::collections::BTreeSet;

use tree_sitter::Node as Syntax;

use crate::budget::Budget;

use super::{is_comment, is_documentation};

/// Attributes and derives that do not look at documentation. Any other may turn it into help texts or schemas.
const QUIET_ATTRIBUTES: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Error",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "allow",
    "async_trait",
    "automatically_derived",
    "cfg",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "error",
    "expect",
    "feature",
    "forbid",
    "from",
    "ignore",
    "inline",
    "instrument",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "path",
    "recursion_limit",
    "repr",
    "rustfmt",
    "serde",
    "should_panic",
    "source",
    "target_feature",
    "test",
    "tokio",
    "track_caller",
    "warn",
];

/// Where documentation begins that belongs to something with an attribute that may look at it, or to what is in such a
/// thing. A walk that is cut short leaves the budget spent, with which nothing is proved.
pub(super) fn read_documentation(source: &str, root: Syntax<'_>, budget: &Budget) -> BTreeSet<usize> {
    if !any_reads(source) {
        return BTreeSet::new();
    }
    let mut reader = Reader { source, levels: vec![Level::default()], ..Reader::default() };
    let mut cursor = root.walk();
    while budget.spend(1) {
        if reader.enter(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            reader.leave();
            if !cursor.goto_parent() {
                return reader.found(root.has_error());
            }
        }
    }
    reader.every
}

/// What stands side by side.
#[derive(Default)]
struct Level {
    /// An attribute of something around may look at documentation.
    is_read: bool,
    /// One of the next item may.
    next_is_read: bool,
    /// Documentation of the next item.
    next: Vec<usize>,
    /// Documentation of what is around.
    inner: Vec<usize>,
}

#[derive(Default)]
struct Reader<'s> {
    source: &'s str,
    levels: Vec<Level>,
    found: BTreeSet<usize>,
    /// All documentation there is.
    every: BTreeSet<usize>,
    any_reads: bool,
}

impl Reader<'_> {
    /// Takes a node in; says whether to go into its children.
    fn enter(&mut self, node: Syntax<'_>) -> bool {
        let text = self.source.get(node.byte_range()).unwrap_or_default();
        // Nothing is derived for a whole file.
        let is_of_file = self.levels.len() == 2;
        let Some(level) = self.levels.last_mut() else { return false };
        match node.kind() {
            kind if is_comment(kind) => {
                if is_documentation(text.trim()) {
                    let is_inner = text.starts_with("//!") || text.starts_with("/*!");
                    if is_inner {
                        level.inner.push(node.start_byte())
                    } else {
                        level.next.push(node.start_byte())
                    }
                    self.every.insert(node.start_byte());
                }
                false
            }
            "attribute_item" => {
                level.next_is_read |= reads(text);
                self.any_reads |= level.next_is_read;
                false
            }
            "inner_attribute_item" => {
                level.is_read |= reads(text) && !is_of_file;
                self.any_reads |= level.is_read;
                false
            }
            kind => {
                let is_read = self.close_run();
                let goes_in = node.child_count() > 0 && !kind.starts_with("macro_") && kind != "token_tree";
                if goes_in {
                    self.levels.push(Level { is_read, ..Level::default() });
                }
                goes_in
            }
        }
    }

    /// Ends what stands before an item; says whether its documentation may be looked at.
    fn close_run(&mut self) -> bool {
        let Some(level) = self.levels.last_mut() else { return true };
        let is_read = level.is_read || level.next_is_read;
        level.next_is_read = false;
        let documentation = std::mem::take(&mut level.next);
        if is_read {
            self.found.extend(documentation);
        }
        is_read
    }

    fn leave(&mut self) {
        self.close_run();
        if let Some(level) = self.levels.pop().filter(|level| level.is_read) {
            self.found.extend(level.inner);
        }
    }

    /// In a text that the grammar cannot read, nobody knows what belongs to what.
    fn found(self, has_error: bool) -> BTreeSet<usize> {
        if has_error && self.any_reads { self.every } else { self.found }
    }
}

/// Whether something in the text that begins as attributes do may look at documentation: most texts have nothing of the
/// kind, and need no walk.
fn any_reads(source: &str) -> bool {
    source.match_indices('#').any(|(at, sign)| {
        let rest = source.get(at + sign.len()..).unwrap_or_default().trim_start();
        let inside = rest.strip_prefix('!').unwrap_or(rest).trim_start();
        match inside.as_bytes().first() {
            // A comment may stand between the signs.
            Some(b'/') => true,
            Some(b'[') => closed(inside).is_none_or(reads),
            _ => false,
        }
    })
}

/// What stands from the first bracket to the one that closes it, unless that is far away.
fn closed(text: &str) -> Option<&str> {
    const FAR: usize = 512;
    let mut depth = 0_usize;
    let end = text.bytes().take(FAR).position(|byte| {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    text.get(..=end)
}

/// Whether an attribute may look at documentation.
fn reads(attribute: &str) -> bool {
    let plain: String = attribute.chars().filter(|c| !c.is_whitespace()).collect();
    let inside = plain.trim_start_matches(['#', '!', '[']);
    let end = inside.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(end).unwrap_or_default();
    let is_quiet = |name: &str| QUIET_ATTRIBUTES.contains(&name);
    if name != "derive" {
        return !is_quiet(name);
    }
    let list = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(")]"));
    let mut derived = list.unwrap_or("?").split(',').map(|path| path.rsplit("::").next().unwrap_or(path));
    derived.any(|name| !name.is_empty() && !is_quiet(name))
}
