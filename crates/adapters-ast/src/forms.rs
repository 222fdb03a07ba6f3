//! One form for what is written in several ways: branches, bodies, declarations, assignments. Each rewriting keeps the
//! meaning by itself, so that texts with the same form mean the same.
//!
//! A rule is here and not among the spellings where it needs more than one node to see that both mean the same.

mod bodies;
mod branches;
mod chains;
mod declarations;
mod members;
mod statements;

use crate::expand::replace;
use crate::outline::{Node, Outline};

/// The most rewritings in one text.
const MAX: usize = 2_000;

/// What stands in the place of a node; `None` where it has its form already.
type Rewriting<'t> = Option<Vec<Node<'t>>>;

/// The text in that form; `None` where it has it already.
pub(crate) fn in_one_form<'t>(outline: &Outline<'t>) -> Option<Outline<'t>> {
    if outline.errors > 0 {
        return None;
    }
    let mut own = outline.clone();
    let assigned = declarations::assigned(outline);
    let (mut at, mut done, mut last) = (0, 0, 0);
    // A rewriting may open the way for one around it: again from the start, until nothing is left.
    while done < MAX && own.budget.spend(1) {
        if at >= own.nodes.len() {
            if done == last {
                break;
            }
            (at, last) = (0, done);
        }
        let rewritten = branches::rewritten(&own, at)
            .or_else(|| chains::rewritten(&own, at))
            .or_else(|| bodies::rewritten(&own, at))
            .or_else(|| declarations::rewritten(&own, at, &assigned))
            .or_else(|| statements::rewritten(&own, at))
            .or_else(|| members::rewritten(&own, at));
        match rewritten {
            Some(nodes) if own.spend() => {
                replace(&mut own, at, nodes);
                done += 1;
            }
            Some(_) => break,
            None => at += 1,
        }
    }
    (done > 0).then_some(own)
}

/// A node with other children: nodes in preorder, without the node itself.
fn with_children<'t>(own: &Outline<'t>, at: usize, children: Vec<Node<'t>>) -> Rewriting<'t> {
    let node = own.nodes.get(at)?;
    let mut nodes = vec![Node { size: children.len() + 1, ..node.clone() }];
    nodes.extend(children);
    Some(nodes)
}

/// A leaf at the place of another node.
fn leaf<'t>(own: &Outline<'t>, at: usize, kind: &'static str, text: &'static str) -> Option<Node<'t>> {
    let node = own.nodes.get(at)?;
    Some(Node { kind, field: "", text: text.into(), size: 1, start: node.start, end: node.end })
}
