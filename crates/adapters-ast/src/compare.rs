//! Compares two texts item by item: tokens under accepted renames, functions up to the names of their variables, and
//! orders where order cannot be noticed.

use std::collections::BTreeMap;

use crate::imports;
use crate::items::{self, Item};
use crate::names::Renames;
use crate::outline::{Node, Outline};
use crate::scope::{Binding, bind};
use crate::spelling::QUALIFIED;

/// What a comparison had to use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    /// Items stand in another order, or imports differ in a way that cannot matter.
    pub(crate) order: bool,
    /// Names of variables differ.
    pub(crate) variables: bool,
    /// A name of the set was renamed.
    pub(crate) names: bool,
}

/// Where two texts differ: nodes of either side; `None` where one side has nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    pub(crate) before: Option<usize>,
    pub(crate) after: Option<usize>,
}

type Outcome = Result<(), Difference>;

/// Two texts under comparison.
pub(crate) struct Comparison<'c, 't> {
    pub(crate) before: &'c Outline<'t>,
    pub(crate) after: &'c Outline<'t>,
    pub(crate) renames: &'c Renames,
    pub(crate) used: Used,
}

impl<'c, 't> Comparison<'c, 't> {
    pub(crate) fn new(before: &'c Outline<'t>, after: &'c Outline<'t>, renames: &'c Renames) -> Self {
        Self { before, after, renames, used: Used::default() }
    }

    /// Whether the two texts mean the same.
    pub(crate) fn run(&mut self) -> Outcome {
        if self.same_range((0, self.before.nodes.len()), (0, self.after.nodes.len())).is_ok() {
            return Ok(());
        }
        if self.before.errors > 0 || self.after.errors > 0 {
            return self.same_range((0, self.before.nodes.len()), (0, self.after.nodes.len()));
        }
        self.same_containers(0, 0)
    }

    /// The bodies of two containers: the same items, in an order that cannot be told apart.
    fn same_containers(&mut self, before: usize, after: usize) -> Outcome {
        let old = items::split(self.before, before);
        let new = items::split(self.after, after);
        self.same_imports(&old, &new)?;
        let code = |items: &[Item]| items.iter().filter(|item| !item.is_import).cloned().collect::<Vec<_>>();
        let (old, new) = (code(&old), code(&new));
        let places = self.matched(&old, &new)?;
        for (item, place) in old.iter().zip(&places) {
            if let Some(other) = new.get(*place) {
                self.same_items(item, other)?;
            }
        }
        self.same_order(&old, &places)
    }

    fn same_imports(&mut self, old: &[Item], new: &[Item]) -> Outcome {
        let difference = imports::compare(self.before, old, self.after, new, self.renames);
        match difference {
            imports::Verdict::Same => Ok(()),
            imports::Verdict::Harmless => {
                self.used.order = true;
                Ok(())
            }
            imports::Verdict::Different { before, after } => Err(Difference { before, after }),
        }
    }

    /// For each old item the place of the new one that it is compared with: named items by name, the others in order.
    fn matched(&self, old: &[Item], new: &[Item]) -> Result<Vec<usize>, Difference> {
        let mut waiting: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, item) in new.iter().enumerate().rev() {
            waiting.entry(item.key.clone()).or_default().push(place);
        }
        let mut places = Vec::with_capacity(old.len());
        for item in old {
            let key = item.renamed_key(self.renames);
            let found = waiting.get_mut(&key).and_then(|waiting| match waiting.as_slice() {
                [_, _, ..] => {
                    let same = waiting.iter().rposition(|place| self.is_same_text(item, new.get(*place)));
                    Some(waiting.remove(same.unwrap_or(waiting.len() - 1)))
                }
                _ => waiting.pop(),
            });
            match found {
                Some(place) => places.push(place),
                None => return Err(Difference { before: Some(item.from), after: None }),
            }
        }
        let left = waiting.into_values().flatten().min();
        match left.and_then(|place| new.get(place)) {
            Some(item) => Err(Difference { before: None, after: Some(item.from) }),
            None => Ok(places),
        }
    }

    /// Whether two items are alike word by word.
    fn is_same_text(&self, old: &Item, new: Option<&Item>) -> bool {
        let Some(new) = new.filter(|new| new.to - new.from == old.to - old.from) else { return false };
        let (old, new) = (self.before.nodes.get(old.from..old.to), self.after.nodes.get(new.from..new.to));
        let (Some(old), Some(new)) = (old, new) else { return false };
        self.before.budget.spend(old.len()) && old.iter().zip(new).all(|(old, new)| old.is_like(new))
    }

    fn same_order(&mut self, old: &[Item], places: &[usize]) -> Outcome {
        if places.is_sorted() {
            return Ok(());
        }
        self.used.order = true;
        let mut least_behind = places.to_vec();
        for at in (1..places.len()).rev() {
            let behind = least_behind.get(at).copied();
            if let (Some(own), Some(behind)) = (least_behind.get_mut(at - 1), behind) {
                *own = behind.min(*own);
            }
        }
        let turned = old.iter().zip(places).zip(least_behind).enumerate();
        for (at, ((item, place), _)) in turned.filter(|(_, ((_, place), least))| least < *place) {
            for (other, other_place) in old.iter().zip(places).skip(at + 1) {
                let steps = 1 + item.to - item.from + other.to - other.from;
                let may_pass = || self.before.budget.spend(steps) && items::commute(self.before, item, other);
                if other_place < place && !may_pass() {
                    return Err(Difference { before: Some(item.from), after: None });
                }
            }
        }
        Ok(())
    }

    fn same_items(&mut self, old: &Item, new: &Item) -> Outcome {
        let whole = self.same_range((old.from, old.to), (new.from, new.to));
        let (Err(_), Some(old_body), Some(new_body)) = (whole, old.body, new.body) else { return whole };
        self.same_range((old.from, old_body), (new.from, new_body))?;
        let (Some(old_size), Some(new_size)) =
            (self.size(self.before, old_body), self.size(self.after, new_body))
        else {
            return whole;
        };
        self.same_range((old_body + old_size, old.to), (new_body + new_size, new.to))?;
        self.same_containers(old_body, new_body)
    }

    fn size(&self, outline: &Outline<'_>, index: usize) -> Option<usize> {
        outline.nodes.get(index).map(|node| node.size)
    }

    /// Two runs of nodes, with functions compared up to the names of their variables. The sizes of nodes that hold the
    /// bodies of containers may differ; they are compared by their items.
    fn same_range(&mut self, old: (usize, usize), new: (usize, usize)) -> Outcome {
        let ((mut left, left_end), (mut right, right_end)) = (old, new);
        while left < left_end && right < right_end {
            let (Some(before), Some(after)) = (self.before.nodes.get(left), self.after.nodes.get(right))
            else {
                break;
            };
            if before.kind != after.kind {
                return Err(Difference { before: Some(left), after: Some(right) });
            }
            let is_whole = left + before.size <= left_end;
            if is_whole != (right + after.size <= right_end) {
                return Err(Difference { before: Some(left), after: Some(right) });
            }
            if is_whole
                && before.size == after.size
                && items::binds_variables(self.before.language, before.kind)
            {
                self.same_functions(left, right)?;
                left += before.size;
                right += after.size;
                continue;
            }
            if (is_whole && before.size != after.size) || !self.is_same_leaf(before, after) {
                return Err(self.deepest(left, right));
            }
            left += 1;
            right += 1;
        }
        if left < left_end || right < right_end {
            return Err(Difference {
                before: (left < left_end).then_some(left),
                after: (right < right_end).then_some(right),
            });
        }
        Ok(())
    }

    fn is_same_leaf(&mut self, before: &Node<'_>, after: &Node<'_>) -> bool {
        if before.text == after.text {
            return before.kind == QUALIFIED
                || before.kind == after.kind && !self.renames.is_renamed(&before.text, before.kind);
        }
        let is_same =
            before.kind == after.kind && self.renames.applied(before).is_some_and(|text| text == after.text);
        self.used.names |= is_same;
        is_same
    }

    /// The first leaf in which two nodes differ.
    fn deepest(&self, left: usize, right: usize) -> Difference {
        let (old, new) = (self.before.subtree(left), self.after.subtree(right));
        let at =
            old.iter().zip(new).take_while(|(old, new)| old.kind == new.kind && old.text == new.text).count();
        let within = |nodes: &[Node<'_>], start: usize| start + at.min(nodes.len().saturating_sub(1));
        Difference { before: Some(within(old, left)), after: Some(within(new, right)) }
    }

    fn same_functions(&mut self, left: usize, right: usize) -> Outcome {
        let (old, new) = (self.before.subtree(left), self.after.subtree(right));
        let mut first = None;
        for (at, (before, after)) in old.iter().zip(new).enumerate() {
            let is_like = before.kind == after.kind && before.size == after.size;
            if !is_like {
                return Err(Difference { before: Some(left + at), after: Some(right + at) });
            }
            if !self.is_same_leaf(before, after) && first.is_none() {
                first = Some(at);
            }
        }
        let Some(first) = first else { return Ok(()) };
        let difference = |at: usize| Difference { before: Some(left + at), after: Some(right + at) };
        let bound = (bind(self.before, left), bind(self.after, right));
        let (Some(old_names), Some(new_names)) = bound else { return Err(difference(first)) };
        for (at, ((before, after), (was, is))) in
            old.iter().zip(new).zip(old_names.iter().zip(&new_names)).enumerate()
        {
            let is_same = match (was, is) {
                (Binding::Text, Binding::Text) => self.is_same_leaf(before, after),
                (Binding::Fixed(_), Binding::Fixed(_)) => was == is && before.text == after.text,
                _ => was == is,
            };
            if !is_same {
                return Err(difference(at));
            }
        }
        self.used.variables = true;
        Ok(())
    }
}
