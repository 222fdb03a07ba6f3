//! Functions and types that moved from one module to another of TypeScript, JavaScript or Python.
//!
//! Each file is a scope of its own there, so that every name of what moved, and every name of what stayed, must stand for
//! the same thing as before: something that a file of the set declares, something that is imported from the same module
//! under the same name, or nothing that the text gives. Both sides are handed on without what moved and without imports.

mod meaning;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::MutationEvidence;

use crate::classify::Pair;
use crate::imports::{self, Binding};
use crate::items::{self, Item};
use crate::language::Language;
use crate::outline::{Node, Outline};

use super::{copied, without};
use meaning::Set;
use names::{module_of, resolved, top_names};

/// The pairs without what moved and without imports, and what moved; `None` where nothing did or it is not proved.
pub(super) fn settled<'t>(pairs: &[Pair<'t>]) -> Option<(Vec<Pair<'t>>, Vec<MutationEvidence>)> {
    let files: Vec<File<'_, 't>> = pairs.iter().map(File::read).collect::<Option<_>>()?;
    let moves = moves(&files)?;
    let set = Set { files: &files, moves: &moves };
    (set.keeps_what_moved() && set.keeps_what_stayed() && set.loads_the_same() && set.is_noticed())
        .then_some(())?;
    let cut = pairs.iter().zip(&files).enumerate().map(|(at, (pair, file))| {
        let left = moves.iter().filter(|found| found.from == at).map(|found| &found.old);
        let come = moves.iter().filter(|found| found.to == at).map(|found| &found.new);
        let is_import = |item: &&Item| item.is_import;
        Pair {
            before: without(&pair.before, left.chain(file.before.items.iter().filter(is_import))),
            after: without(&pair.after, come.chain(file.after.items.iter().filter(is_import))),
            ..copied(pair)
        }
    });
    let told = moves.iter().filter_map(|found| {
        let (from, to) = (pairs.get(found.from)?, pairs.get(found.to)?);
        let what = format!("`{}` moved here from {}", found.name, from.path);
        Some(MutationEvidence { path: to.path.clone(), line: to.after.line(found.new.from), what })
    });
    Some((cut.collect(), told.collect()))
}

/// One side of a file.
struct Side<'p, 't> {
    outline: &'p Outline<'t>,
    items: Vec<Item>,
    imports: Vec<Binding>,
    declared: BTreeSet<String>,
}

struct File<'p, 't> {
    module: String,
    before: Side<'p, 't>,
    after: Side<'p, 't>,
}

impl<'p, 't> File<'p, 't> {
    /// `None` for other languages, and where an import may bring names that are not written.
    fn read(pair: &'p Pair<'t>) -> Option<Self> {
        let language = pair.before.language;
        let is_known = (language.is_script() || language == Language::Python)
            && pair.was.is_none()
            && pair.before.errors + pair.after.errors == 0;
        is_known.then_some(())?;
        let path = pair.path.as_str();
        let (before, after) = (Side::read(&pair.before, path)?, Side::read(&pair.after, path)?);
        // What is imported for what it runs stays where it is.
        let nameless = |side: &Side<'_, '_>| -> Vec<String> {
            side.imports
                .iter()
                .filter(|import| import.bound.is_empty())
                .map(|import| import.module.clone())
                .collect()
        };
        (nameless(&before) == nameless(&after)).then(|| Self { module: module_of(path), before, after })
    }
}

impl<'p, 't> Side<'p, 't> {
    fn read(outline: &'p Outline<'t>, path: &str) -> Option<Self> {
        let items = items::split(outline, 0);
        let mut found = imports::bindings(outline, &items);
        for import in &mut found {
            import.module = resolved(outline.language, &import.module, path);
        }
        let is_star = |import: &Binding| import.bound == "*";
        let is_unknown = |node: &Node<'_>| matches!(node.kind, "PRAGMA" | "wildcard_import");
        let has_pragma = outline.nodes.iter().any(is_unknown);
        (!found.iter().any(is_star) && !has_pragma && outline.spend()).then_some(())?;
        let declared = top_names(outline, &items);
        Some(Self { outline, items, imports: found, declared })
    }

    fn modules(&self) -> BTreeSet<&str> {
        let loaded = self.imports.iter().filter(|import| !import.is_type);
        loaded.map(|import| import.module.as_str()).collect()
    }
}

struct Move {
    from: usize,
    to: usize,
    name: String,
    old: Item,
    new: Item,
    /// Others could import it.
    was_seen: bool,
}

/// What is gone in exactly one file and stands in exactly one other, word by word; `None` where nothing is, or where
/// something cannot be taken along.
fn moves(files: &[File<'_, '_>]) -> Option<Vec<Move>> {
    let mut gone: BTreeMap<&str, Vec<(usize, &Item)>> = BTreeMap::new();
    let mut come: BTreeMap<&str, Vec<(usize, &Item)>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        let keys = |items: &[Item]| items.iter().map(|item| item.key.clone()).collect::<BTreeSet<_>>();
        let (here, there) = (keys(&file.before.items), keys(&file.after.items));
        let named = |item: &&Item| item.name.is_some();
        for item in file.before.items.iter().filter(named).filter(|item| !there.contains(&item.key)) {
            gone.entry(&item.key).or_default().push((at, item));
        }
        for item in file.after.items.iter().filter(named).filter(|item| !here.contains(&item.key)) {
            come.entry(&item.key).or_default().push((at, item));
        }
    }
    let mut found = Vec::new();
    for (key, old) in gone {
        let ([(from, old)], Some([(to, new)])) = (old.as_slice(), come.get(key).map(Vec::as_slice)) else {
            continue;
        };
        let (source, target) = (files.get(*from)?.before.outline, files.get(*to)?.after.outline);
        let (was, is) = (declaration(source, old)?, declaration(target, new)?);
        let (before, after) = (source.subtree(was), target.subtree(is));
        let is_same =
            before.len() == after.len() && before.iter().zip(after).all(|(one, other)| one.is_like(other));
        (is_same && source.budget.spend(before.len())).then_some(())?;
        let name = old.name.clone()?;
        let was_seen = was != old.from || source.language == Language::Python && !name.starts_with('_');
        found.push(Move { from: *from, to: *to, name, old: (*old).clone(), new: (*new).clone(), was_seen });
    }
    (!found.is_empty()).then_some(found)
}

/// The declaration of an item that runs nothing where it stands and does not ask where that is.
fn declaration(outline: &Outline<'_>, item: &Item) -> Option<usize> {
    const BOUND: &[&str] = &[
        "__dirname",
        "__file__",
        "__filename",
        "__name__",
        "__package__",
        "arguments",
        "await",
        "default",
        "eval",
        "exec",
        "global",
        "globals",
        "import",
        "locals",
        "meta",
        "module",
        "require",
        "super",
        "this",
        "vars",
    ];
    let is_export = outline.kind(item.from) == "export_statement";
    let at = if is_export { outline.child_by_field(item.from, "declaration")? } else { item.from };
    let is_one = match outline.kind(at) {
        "function_declaration"
        | "generator_function_declaration"
        | "interface_declaration"
        | "type_alias_declaration" => outline.language.is_script(),
        "lexical_declaration" => {
            let value = outline.child_by_field(item.unit, "value")?;
            item.unit != item.from
                && outline.text(at + 1) == "const"
                && outline.kind(value) == "arrow_function"
        }
        "function_definition" => has_plain_defaults(outline, at),
        _ => false,
    };
    let is_bound = |node: &Node<'_>| node.is_leaf() && BOUND.contains(&node.text.as_ref());
    let heads = outline.nodes.get(item.from..at).unwrap_or_default();
    (is_one && !outline.subtree(at).iter().any(is_bound) && !heads.iter().any(is_bound)).then_some(at)
}

/// Whether the defaults of a function of Python are plain values, and what its head says names nothing.
fn has_plain_defaults(outline: &Outline<'_>, function: usize) -> bool {
    let list = outline.child_by_field(function, "parameters");
    let is_plain = |at: usize| match outline.kind(at) {
        "default_parameter" | "typed_default_parameter" => {
            outline.child_by_field(at, "value").is_some_and(|value| {
                outline
                    .nodes
                    .get(value)
                    .is_some_and(|node| node.is_leaf() && !node.kind.contains("identifier"))
            })
        }
        _ => true,
    };
    list.is_some_and(|list| (list..list + outline.subtree(list).len()).all(is_plain))
}
