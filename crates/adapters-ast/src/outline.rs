//! A text as a list of nodes in preorder, with everything left out that cannot matter: comments, docstrings, layout,
//! and spellings that the language treats alike.
//!
//! Two outlines that are equal belong to texts with the same meaning. That is the one fact that every proof stands on,
//! so each thing that is left out here is left out for a reason of the language: the structure of the tree is kept,
//! and with it what layout, precedence and automatic semicolons decided; text between tokens that is not blank is kept.

use std::borrow::Cow;

use tree_sitter::{Node as Syntax, TreeCursor};

use crate::budget::Budget;
use crate::comments::{self, Weight};
use crate::language::Language;
use crate::parse::{Exceeded, Limits, parse};
use crate::spelling::{self, Treatment};

/// One node. A leaf has a text, an inner node has a subtree of `size - 1` nodes behind it.
#[derive(Clone, Debug)]
pub(crate) struct Node<'t> {
    pub(crate) kind: &'static str,
    pub(crate) field: &'static str,
    pub(crate) text: Cow<'t, str>,
    /// The nodes of the subtree, itself included.
    pub(crate) size: usize,
    /// Where it starts in the text, in bytes.
    pub(crate) start: usize,
    /// Where it ends in the text, in bytes.
    pub(crate) end: usize,
}

impl Node<'_> {
    pub(crate) fn is_leaf(&self) -> bool {
        self.size == 1
    }

    /// Whether the two mean the same, subtrees aside.
    pub(crate) fn is_like(&self, other: &Node<'_>) -> bool {
        self.kind == other.kind && self.size == other.size && self.text == other.text
    }
}

/// A text, reduced to what matters.
#[derive(Clone, Debug)]
pub(crate) struct Outline<'t> {
    pub(crate) language: Language,
    pub(crate) source: &'t str,
    pub(crate) nodes: Vec<Node<'t>>,
    /// Syntax errors.
    pub(crate) errors: usize,
    /// Comments that silence a tool: no behaviour, but worth a word.
    pub(crate) suppressions: Vec<&'t str>,
    /// What may still be spent on it.
    pub(crate) budget: &'t Budget,
}

impl<'t> Outline<'t> {
    /// Reads a text.
    pub(crate) fn read(
        language: Language,
        source: &'t str,
        limits: &Limits,
        budget: &'t Budget,
    ) -> Result<Self, Exceeded> {
        let tree = parse(language, source, limits, budget)?;
        let remarks = comments::Remarks::of(language, source, tree.root_node(), budget);
        let outline =
            Self { language, source, nodes: Vec::new(), errors: 0, suppressions: Vec::new(), budget };
        let mut builder = Builder { outline, remarks, frames: Vec::new() };
        builder.walk(tree.walk(), limits)?;
        Ok(builder.outline)
    }

    /// The subtree of a node.
    pub(crate) fn subtree(&self, index: usize) -> &[Node<'t>] {
        let size = self.nodes.get(index).map_or(0, |node| node.size);
        self.nodes.get(index..index + size).unwrap_or_default()
    }

    /// The kind of a node; empty where there is none.
    pub(crate) fn kind(&self, index: usize) -> &'static str {
        self.nodes.get(index).map_or("", |node| node.kind)
    }

    /// The text of a leaf; empty for other nodes and where there is none.
    pub(crate) fn text(&self, index: usize) -> &str {
        self.nodes.get(index).map_or("", |node| node.text.as_ref())
    }

    /// The first direct child of a node with this field name.
    pub(crate) fn child_by_field(&self, index: usize, field: &str) -> Option<usize> {
        self.children(index).find(|child| self.nodes.get(*child).is_some_and(|node| node.field == field))
    }

    /// The direct children of a node, by index.
    pub(crate) fn children(&self, index: usize) -> Children<'_, 't> {
        children_of(&self.nodes, index)
    }

    /// Spends a step for each node of the text; says whether they were left.
    pub(crate) fn spend(&self) -> bool {
        self.budget.spend(self.nodes.len())
    }

    /// The line of a node, 1-based.
    pub(crate) fn line(&self, index: usize) -> usize {
        let at = self.nodes.get(index).map_or(self.source.len(), |node| node.start);
        line_of(self.source, at)
    }
}

/// The line of a byte, 1-based.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    let head = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    head.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The direct children of a node in a list of nodes in preorder.
pub(crate) fn children_of<'n, 't>(nodes: &'n [Node<'t>], index: usize) -> Children<'n, 't> {
    let size = nodes.get(index).map_or(0, |node| node.size);
    Children { nodes, next: index + 1, end: index + size }
}

/// Direct children, by index.
#[derive(Clone, Debug)]
pub(crate) struct Children<'n, 't> {
    nodes: &'n [Node<'t>],
    next: usize,
    end: usize,
}

impl Iterator for Children<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        self.next += self.nodes.get(index)?.size;
        Some(index)
    }
}

/// An inner node under construction.
struct Frame {
    /// Its place in the list; `None` when only its children stand there.
    index: Option<usize>,
    /// How blanks between its children are read.
    blanks: spelling::Blanks,
    /// Up to where its text is accounted for.
    seen: usize,
    end: usize,
    kind: &'static str,
    /// The field that children inherit from a node that is left out.
    field: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Node,
    NamedChildren,
}

struct Builder<'t> {
    outline: Outline<'t>,
    remarks: comments::Remarks,
    frames: Vec<Frame>,
}

impl<'t> Builder<'t> {
    fn walk(&mut self, mut cursor: TreeCursor<'_>, limits: &Limits) -> Result<(), Exceeded> {
        loop {
            if !self.outline.budget.spend(1) {
                return Err(Exceeded::Time);
            }
            if self.frames.len() > limits.depth {
                return Err(Exceeded::Depth);
            }
            if self.enter(&cursor) && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                self.leave();
                if !cursor.goto_parent() || self.frames.is_empty() {
                    return Ok(());
                }
            }
        }
    }

    /// Takes a node in; says whether to go into its children.
    fn enter(&mut self, cursor: &TreeCursor<'_>) -> bool {
        let node = cursor.node();
        self.gap(node.start_byte());
        let text = self.text(node.start_byte(), node.end_byte());
        if let Some(frame) = self.frames.last_mut() {
            frame.seen = node.end_byte();
        }
        if comments::is_comment(node.kind()) {
            self.comment(node, text);
            return false;
        }
        if node.is_error() || node.is_missing() {
            self.outline.errors += 1;
            let language = self.outline.language;
            let has_comments = node.is_error() && (language.is_c() || language == Language::CSharp);
            let unread = if has_comments { spelling::unread::normalized(text) } else { None };
            let text = unread.map_or(Cow::Borrowed(text), Cow::Owned);
            self.leaf(node, "", if node.is_error() { "ERROR" } else { "MISSING" }, text);
            return false;
        }
        let grammar = self.outline.language.grammar();
        let kind = grammar.node_kind_for_id(node.kind_id()).unwrap_or("");
        let field = cursor.field_id().and_then(|id| grammar.field_name_for_id(id.get())).unwrap_or("");
        let parent = self.frames.last();
        if parent.is_some_and(|frame| frame.index.is_none()) && !node.is_named() {
            return false;
        }
        let field = match parent {
            Some(frame) if frame.index.is_none() => frame.field,
            _ => field,
        };
        let place = spelling::Place {
            language: self.outline.language,
            kind,
            parent: parent.map_or("", |frame| frame.kind),
            docstrings: self.remarks.docstrings_are_inert(),
            source: self.outline.source,
        };
        match spelling::treat(&place, node, field, text) {
            Treatment::Nothing => false,
            Treatment::Leaf(kind, text) => {
                self.leaf(node, field, kind, text);
                false
            }
            Treatment::Inner => self.open(node, kind, field, Keep::Node),
            Treatment::As(kind) => self.open(node, kind, field, Keep::Node),
            Treatment::Inside => self.open(node, kind, field, Keep::NamedChildren),
        }
    }

    fn open(&mut self, node: Syntax<'_>, kind: &'static str, field: &'static str, keep: Keep) -> bool {
        let index = (keep == Keep::Node).then_some(self.outline.nodes.len());
        if index.is_some() {
            self.leaf(node, field, kind, Cow::Borrowed(""));
        }
        self.frames.push(Frame {
            index,
            blanks: spelling::blanks_of(kind, node),
            seen: node.start_byte(),
            end: node.end_byte(),
            kind,
            field,
        });
        true
    }

    fn leave(&mut self) {
        let Some(end) = self.frames.last().map(|frame| frame.end) else { return };
        self.gap(end);
        if let Some(Frame { index: Some(index), .. }) = self.frames.pop() {
            let size = self.outline.nodes.len() - index;
            if let Some(node) = self.outline.nodes.get_mut(index) {
                node.size = size;
            }
        }
    }

    fn leaf(&mut self, node: Syntax<'_>, field: &'static str, kind: &'static str, text: Cow<'t, str>) {
        let (start, end) = (node.start_byte(), node.end_byte());
        self.outline.nodes.push(Node { kind, field, text, size: 1, start, end });
    }

    /// Text that no node stands for, up to a byte.
    fn gap(&mut self, to: usize) {
        let Some(frame) = self.frames.last() else { return };
        let (from, blanks) = (frame.seen, frame.blanks);
        if from >= to {
            return;
        }
        let text = self.text(from, to);
        if let Some(text) = spelling::gap(text, blanks) {
            self.outline.nodes.push(Node { kind: "GAP", field: "", text, size: 1, start: from, end: to });
        }
    }

    fn comment(&mut self, node: Syntax<'_>, text: &'t str) {
        match self.remarks.weigh(node, text) {
            Weight::Nothing => {}
            Weight::Suppression => self.outline.suppressions.push(text.trim()),
            Weight::Code(text) => self.leaf(node, "", "PRAGMA", Cow::Owned(text)),
        }
    }

    fn text(&self, from: usize, to: usize) -> &'t str {
        self.outline.source.get(from..to).unwrap_or_default()
    }
}
