//! What names stand for before and after something moved, and what the files load.

use std::collections::BTreeSet;

use crate::imports::Binding;
use crate::items::{self, Item};
use crate::language::Language;
use crate::outline::Node;

use super::names::is_free_name;
use super::{File, Move, Side};

/// What a name stands for: a declaration of a file of the set, something of another module, or nothing that is written.
#[derive(Debug, PartialEq, Eq)]
enum Meaning {
    Of(String, String),
    Whole(String),
    Unwritten,
}

/// Files among which something moved.
pub(super) struct Set<'s, 'p, 't> {
    pub(super) files: &'s [File<'p, 't>],
    pub(super) moves: &'s [Move],
}

impl Set<'_, '_, '_> {
    /// The file of the set that a module is: by its path, or in Python by two and more parts of it.
    fn file(&self, module: &str) -> Option<usize> {
        let is_python = |file: &File<'_, '_>| file.before.outline.language == Language::Python;
        let dotted = format!("/{}", module.replace('.', "/"));
        let is_it = |file: &File<'_, '_>| {
            let is_below = module.contains('.') && !module.contains('/') && file.module.ends_with(&dotted);
            file.module == module || is_python(file) && (is_below || format!("/{}", file.module) == dotted)
        };
        self.files.iter().position(is_it)
    }

    fn meaning(&self, at: usize, is_before: bool, name: &str) -> Option<Meaning> {
        let file = self.files.get(at)?;
        let side = if is_before { &file.before } else { &file.after };
        let mut imported = side.imports.iter().filter(|import| import.bound == name);
        let found = match (imported.next(), imported.next(), side.declared.contains(name)) {
            (None, _, false) => return Some(Meaning::Unwritten),
            (None, _, true) => Meaning::Of(file.module.clone(), name.to_owned()),
            (Some(import), None, false) => self.imported(import)?,
            _ => return None,
        };
        let Meaning::Of(module, member) = &found else { return Some(found) };
        let moved = self.moves.iter().find(|moved| {
            is_before
                && moved.name == *member
                && self.files.get(moved.from).is_some_and(|file| file.module == *module)
        });
        match moved.and_then(|moved| self.files.get(moved.to)) {
            Some(file) => Some(Meaning::Of(file.module.clone(), member.clone())),
            None => Some(found),
        }
    }

    /// `None` for a whole module out of which something moved: what is asked of it is not followed.
    fn imported(&self, import: &Binding) -> Option<Meaning> {
        let whole = match (import.module.as_str(), import.member.as_str()) {
            (module, "*") => Some(module.to_owned()),
            ("", member) => Some(member.to_owned()),
            (module, member) => {
                let below = format!("{}/{member}", module.replace('.', "/"));
                self.file(&below).is_some().then_some(below)
            }
        };
        if let Some(module) = whole {
            let takes_part = |at: usize| self.moves.iter().any(|moved| moved.from == at || moved.to == at);
            return (!self.file(&module).is_some_and(takes_part)).then_some(Meaning::Whole(module));
        }
        let module = match self.file(&import.module) {
            Some(at) => self.files.get(at)?.module.clone(),
            None => import.module.clone(),
        };
        Some(Meaning::Of(module, import.member.clone()))
    }

    pub(super) fn keeps_what_moved(&self) -> bool {
        self.moves.iter().all(|moved| {
            let Some(side) = self.files.get(moved.from).map(|file| &file.before) else { return false };
            let nodes = side.outline.nodes.get(moved.old.from..moved.old.to).unwrap_or_default();
            let names: BTreeSet<&str> =
                nodes.iter().filter(|node| is_free_name(node)).map(|node| node.text.as_ref()).collect();
            names.into_iter().all(|name| {
                let was = self.meaning(moved.from, true, name);
                was.is_some() && was == self.meaning(moved.to, false, name)
            })
        })
    }

    /// Every name that is used outside of imports and of what moved.
    pub(super) fn keeps_what_stayed(&self) -> bool {
        self.files.iter().enumerate().all(|(at, file)| {
            let stays = |is_before: bool, item: &&Item| {
                !item.is_import
                    && !self.moves.iter().any(|moved| {
                        if is_before {
                            moved.from == at && moved.old.from == item.from
                        } else {
                            moved.to == at && moved.new.from == item.from
                        }
                    })
            };
            let names = |side: &Side<'_, '_>, is_before: bool| -> BTreeSet<String> {
                let items = side.items.iter().filter(|item| stays(is_before, item));
                let nodes =
                    items.flat_map(|item| side.outline.nodes.get(item.from..item.to).unwrap_or_default());
                nodes.filter(|node| is_free_name(node)).map(|node| node.text.to_string()).collect()
            };
            let used = names(&file.before, true).into_iter().chain(names(&file.after, false));
            used.collect::<BTreeSet<_>>().iter().all(|name| {
                let was = self.meaning(at, true, name);
                file.before.outline.budget.spend(1) && was.is_some() && was == self.meaning(at, false, name)
            })
        })
    }

    /// Whether the files that take part load the same other modules as before, every other file what it did, and each of
    /// those that take part is loaded anew, or no more, only where that runs nothing.
    pub(super) fn loads_the_same(&self) -> bool {
        let part: BTreeSet<usize> = self.moves.iter().flat_map(|moved| [moved.from, moved.to]).collect();
        let loaded = |is_before: bool, at: usize| -> (BTreeSet<String>, BTreeSet<usize>) {
            let Some(file) = self.files.get(at) else { return Default::default() };
            let side = if is_before { &file.before } else { &file.after };
            let (mut others, mut own) = (BTreeSet::new(), BTreeSet::new());
            for module in side.modules() {
                match self.file(module).filter(|at| part.contains(at)) {
                    Some(at) => drop(own.insert(at)),
                    None => drop(others.insert(module.to_owned())),
                }
            }
            (others, own)
        };
        let of_part = |is_before: bool| -> BTreeSet<String> {
            part.iter().flat_map(|at| loaded(is_before, *at).0).collect()
        };
        let is_inert = |at: &usize| {
            self.files.get(*at).is_some_and(|file| is_inert(&file.before) && is_inert(&file.after))
        };
        of_part(true) == of_part(false)
            && (0..self.files.len()).all(|at| {
                let ((was, was_own), (is, is_own)) = (loaded(true, at), loaded(false, at));
                (part.contains(&at) || was == is) && was_own.symmetric_difference(&is_own).all(is_inert)
            })
    }

    /// Whether each thing that others could import is imported in the set from where it is now: its other users are not
    /// in the set. What is imported has to be exported.
    pub(super) fn is_noticed(&self) -> bool {
        self.moves.iter().all(|moved| {
            let target = self.files.get(moved.to).map(|file| file.module.as_str());
            let is_it = |import: &Binding| {
                let file = self.file(&import.module).and_then(|at| self.files.get(at));
                import.member == moved.name && file.map(|file| file.module.as_str()) == target
            };
            let others = self.files.iter().enumerate().filter(|(at, _)| *at != moved.to);
            let is_imported = others.into_iter().any(|(_, file)| file.after.imports.iter().any(is_it));
            let is_exported = self.files.get(moved.to).is_some_and(|file| {
                let outline = file.after.outline;
                outline.language == Language::Python || outline.kind(moved.new.from) == "export_statement"
            });
            if is_imported { is_exported } else { !moved.was_seen }
        })
    }
}

/// Whether loading a file runs nothing that others could notice.
fn is_inert(side: &Side<'_, '_>) -> bool {
    const RUNNING: &[&str] = &[
        "attribute",
        "await",
        "call",
        "decorator",
        "member",
        "new_",
        "subscript",
        "template_string",
        "yield",
    ];
    const DECLARING: &[&str] = &[
        "class_declaration",
        "class_definition",
        "enum_declaration",
        "export_statement",
        "expression_statement",
        "function_declaration",
        "function_definition",
        "generator_function_declaration",
        "interface_declaration",
        "lexical_declaration",
        "type_alias_declaration",
    ];
    let outline = side.outline;
    let runs = |node: &Node<'_>| {
        RUNNING.iter().any(|part| node.kind.contains(part))
            || node.field == "superclasses"
            || node.text == "from"
    };
    side.items
        .iter()
        .filter(|item| !item.is_import)
        .all(|item| DECLARING.contains(&outline.kind(item.from)) && !items::eager(outline, item).any(runs))
}
