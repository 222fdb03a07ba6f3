//! Names of a whole set of files that were changed: proposed where the shapes agree, accepted only where the name is
//! declared in the set, nothing is left of the old one, and nobody outside can look it up by its text.

mod declared;
mod dynamic;
mod guards;
mod mentions;
mod reserved;

pub(crate) use guards::ancestors;

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::SymbolKind;

use crate::outline::{Node, Outline};
use crate::spelling::QUALIFIED;
use crate::units;

/// Accepted renames, old to new.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renames(BTreeMap<String, String>);

impl Renames {
    /// What a name is called now.
    pub(crate) fn name<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.get(name).map_or(name, String::as_str)
    }

    pub(crate) fn is_renamed(&self, name: &str, kind: &str) -> bool {
        is_name(kind) && self.0.contains_key(name)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter()
    }

    /// A node's text after the renames; `None` where they do not apply to it.
    pub(crate) fn applied(&self, node: &Node<'_>) -> Option<String> {
        if is_name(node.kind) || node.kind == QUALIFIED {
            return self.0.get(node.text.as_ref()).cloned();
        }
        // A name behind a dot inside a text is a template's call; any other word of a text is only a word.
        (is_text(node.kind) && !self.0.is_empty()).then(|| self.members(&node.text))
    }

    /// A path of names after the renames.
    pub(crate) fn words(&self, text: &str) -> String {
        self.replaced(text, |_| true)
    }

    fn members(&self, text: &str) -> String {
        self.replaced(text, |before| before == Some('.'))
    }

    fn replaced(&self, text: &str, is_place: impl Fn(Option<char>) -> bool) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut previous = None;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let end = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (word, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
            match self.0.get(word).filter(|_| is_place(previous)) {
                Some(new) => out.push_str(new),
                None => out.push_str(word),
            }
            previous = word.chars().next_back();
            rest = tail;
        }
        out
    }
}

/// Whether leaves of this kind are names.
pub(crate) fn is_name(kind: &str) -> bool {
    kind.contains("identifier")
        || matches!(kind, "name" | "constant" | "variable_name" | "simple_symbol" | "hash_key_symbol")
}

fn is_text(kind: &str) -> bool {
    kind.contains("string") || kind.contains("heredoc") || kind == "jsx_text" || kind == "text"
}

/// Renames that the set of files proves.
pub(crate) fn accepted(pairs: &[(&Outline<'_>, &Outline<'_>)]) -> Renames {
    let before = counts(pairs.iter().map(|(before, _)| *before));
    let after = counts(pairs.iter().map(|(_, after)| *after));
    let mut proposed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (old, new) in pairs {
        if has_same_shape(old, new) {
            propose(old, new, &mut proposed);
        }
    }
    if proposed.is_empty() {
        for (old, new) in pairs {
            propose_units(old, new, &mut proposed);
        }
    }
    let mut renames = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (old, candidates) in proposed {
        // What is still there, or was before, only came to stand in another place.
        let mut candidates = candidates.into_iter().filter(|new| !before.contains_key(new));
        let (Some(new), None) = (candidates.next(), candidates.next()) else { continue };
        let is_gone = !after.contains_key(&old) && !before.contains_key(&new);
        let is_counted = before.get(&old) == after.get(&new);
        if is_gone && is_counted && !taken.contains(&new) && guards::may_be_renamed(pairs, &old, &new) {
            taken.insert(new.clone());
            renames.insert(old, new);
        }
    }
    Renames(renames)
}

fn counts<'o>(outlines: impl Iterator<Item = &'o Outline<'o>>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for outline in outlines {
        for node in outline.nodes.iter().filter(|node| node.is_leaf() && is_name(node.kind)) {
            *counts.entry(node.text.to_string()).or_default() += 1;
        }
    }
    counts
}

fn has_same_shape(old: &Outline<'_>, new: &Outline<'_>) -> bool {
    let same = |(old, new): (&Node<'_>, &Node<'_>)| old.kind == new.kind && old.size == new.size;
    old.nodes.len() == new.nodes.len() && old.nodes.iter().zip(&new.nodes).all(same)
}

fn propose(old: &Outline<'_>, new: &Outline<'_>, proposed: &mut BTreeMap<String, BTreeSet<String>>) {
    for (old, new) in old.nodes.iter().zip(&new.nodes) {
        if old.text != new.text && old.is_leaf() && is_name(old.kind) {
            proposed.entry(old.text.to_string()).or_default().insert(new.text.to_string());
        }
    }
}

/// Where the shapes differ: units that are gone against units that are new, of the same kind and shape.
fn propose_units(old: &Outline<'_>, new: &Outline<'_>, proposed: &mut BTreeMap<String, BTreeSet<String>>) {
    let units = |outline: &Outline<'_>| {
        let mut found = Vec::new();
        for (index, node) in outline.nodes.iter().enumerate() {
            if units::kind_of(outline.language, node.kind) == Some(SymbolKind::Function)
                && let Some(name) = units::name_of(outline, index)
            {
                found.push((
                    name.rsplit('.').next().unwrap_or(&name).to_owned(),
                    node.kind,
                    node.size,
                    index,
                ));
            }
        }
        found
    };
    let (old_units, new_units) = (units(old), units(new));
    let names: BTreeSet<&String> = old_units.iter().map(|unit| &unit.0).collect();
    let new_names: BTreeSet<&String> = new_units.iter().map(|unit| &unit.0).collect();
    let come: Vec<_> = new_units.iter().filter(|unit| !names.contains(&unit.0)).collect();
    for (name, kind, size, _) in old_units.iter().filter(|unit| !new_names.contains(&unit.0)) {
        if !old.budget.spend(come.len()) {
            break;
        }
        let mut alike = come.iter().filter(|unit| unit.1 == *kind && unit.2 == *size);
        if let (Some(unit), None) = (alike.next(), alike.next()) {
            proposed.entry(name.clone()).or_default().insert(unit.0.clone());
        }
    }
}
