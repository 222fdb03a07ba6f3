//! Changes an outline: puts nodes in the place of a subtree and keeps the sizes of all around it right.

use crate::outline::{Node, Outline};

/// Puts nodes in the place of a subtree; the first of several siblings inherits its field.
pub(crate) fn replace<'t>(outline: &mut Outline<'t>, index: usize, mut with: Vec<Node<'t>>) {
    let Some((size, field)) = outline.nodes.get(index).map(|node| (node.size, node.field)) else { return };
    if let Some(first) = with.first_mut() {
        first.field = field;
    }
    let added = with.len();
    for at in 0..index {
        if let Some(node) = outline.nodes.get_mut(at)
            && at + node.size > index
        {
            node.size = node.size + added - size;
        }
    }
    outline.nodes.splice(index..index + size, with);
}
