//! No circles between sibling modules: of two modules in one folder, at most one names the other.
//!
//! It reads paths that begin with `crate`, `self` or `super`; methods that a type gets in another module are not seen.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::rust_source::RustSource;

/// Circles that are there still, as they are reported. One that is gone must go from here too.
const KNOWN: &[&str] = &[
    "crates/adapters-ast/src: budget, parse",
    "crates/adapters-ast/src: names, scope",
    "crates/adapters-ast/src/expand: calls, places",
    "crates/adapters-ast/src/names: declared, guards, mentions",
];

/// Modules of one folder, each with those beside it that it names.
type Siblings<'s> = BTreeMap<&'s str, BTreeSet<&'s str>>;

/// What is wrong with the modules of all crates.
pub(crate) fn check(sources: &[RustSource<'_>]) -> Vec<String> {
    let found = circles(sources);
    let new = found.iter().filter(|one| !KNOWN.contains(&one.as_str()));
    let new = new.map(|one| format!("{one}: circles: these modules name each other"));
    let gone = KNOWN.iter().filter(|one| !found.iter().any(|found| found == *one));
    let gone = gone.map(|one| format!("{one}: circles: this one is gone, take it off the list"));
    new.chain(gone).collect()
}

/// Each circle with the folder that it is in.
fn circles(sources: &[RustSource<'_>]) -> Vec<String> {
    let mut modules: BTreeMap<&str, BTreeMap<Vec<String>, &RustSource<'_>>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test_file()) {
        if let Some((package, module)) = place(source.path) {
            modules.entry(package).or_default().insert(module, source);
        }
    }
    modules.iter().flat_map(|(package, modules)| circles_of(package, modules)).collect()
}

fn circles_of(package: &str, modules: &BTreeMap<Vec<String>, &RustSource<'_>>) -> Vec<String> {
    let named: Vec<(&Vec<String>, BTreeSet<Vec<String>>)> =
        modules.iter().map(|(module, source)| (module, names(module, source, modules))).collect();
    let mut folders: BTreeMap<&[String], Siblings<'_>> = BTreeMap::new();
    for (module, others) in &named {
        for other in others {
            let shared = module.iter().zip(other).take_while(|(one, other)| one == other).count();
            let (Some(from), Some(to)) = (module.get(shared), other.get(shared)) else { continue };
            let folder = module.get(..shared).unwrap_or_default();
            folders.entry(folder).or_default().entry(from).or_default().insert(to);
        }
    }
    let circles = folders.iter().flat_map(|(folder, siblings)| {
        let place = std::iter::once(package).chain(folder.iter().map(String::as_str));
        let place = place.collect::<Vec<_>>().join("/");
        components(siblings).into_iter().map(move |circle| format!("{place}: {}", circle.join(", ")))
    });
    circles.collect()
}

fn components<'s>(siblings: &Siblings<'s>) -> Vec<Vec<&'s str>> {
    let edges = siblings.iter().flat_map(|(from, others)| others.iter().map(|to| (*from, *to)));
    let graph: DiGraphMap<&str, ()> = edges.collect();
    let mut circles: Vec<Vec<&str>> = tarjan_scc(&graph).into_iter().filter(|all| all.len() > 1).collect();
    circles.iter_mut().for_each(|circle| circle.sort_unstable());
    circles.sort();
    circles
}

/// The folder of a crate's sources, and the module that a file is.
fn place(path: &str) -> Option<(&str, Vec<String>)> {
    let at = path.find("/src/")?;
    let (package, rest) = (path.get(..at + "/src".len())?, path.get(at + "/src/".len()..)?);
    let mut module: Vec<String> = rest.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    module.pop_if(|last| matches!(last.as_str(), "lib" | "main" | "mod"));
    Some((package, module))
}

/// The modules that a module names.
fn names(
    module: &[String],
    source: &RustSource<'_>,
    modules: &BTreeMap<Vec<String>, &RustSource<'_>>,
) -> BTreeSet<Vec<String>> {
    let mut paths = Paths { source, found: Vec::new() };
    paths.visit_file(&source.syntax);
    let resolve = |path: Vec<String>| {
        let mut all = Vec::new();
        for (at, part) in path.into_iter().enumerate() {
            match (at, part.as_str()) {
                (0, "crate") => {}
                (0, "self") => all = module.to_vec(),
                (0, "super") => {
                    all = module.split_last().map(|(_, above)| above.to_vec()).unwrap_or_default()
                }
                (_, "super") => drop(all.pop()),
                _ => all.push(part),
            }
        }
        while !all.is_empty() && !modules.contains_key(&all) {
            all.pop();
        }
        all
    };
    paths.found.into_iter().map(resolve).collect()
}

struct Paths<'s> {
    source: &'s RustSource<'s>,
    found: Vec<Vec<String>>,
}

impl Paths<'_> {
    fn note(&mut self, path: Vec<String>) {
        if path.first().is_some_and(|first| matches!(first.as_str(), "crate" | "self" | "super")) {
            self.found.push(path);
        }
    }

    fn tree(&mut self, above: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| above.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.note(with(&name.ident)),
            syn::UseTree::Rename(rename) => self.note(with(&rename.ident)),
            syn::UseTree::Glob(_) => self.note(above.to_vec()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(above, tree)),
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !self.source.is_test_line(item.span().start().line) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.note(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::TextFile;

    fn circles_in(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<TextFile> = files.iter().map(|(path, text)| TextFile::sample(path, text)).collect();
        let sources: Vec<RustSource<'_>> =
            files.iter().map(|file| RustSource::parse(file).unwrap()).collect();
        circles(&sources)
    }

    #[test]
    fn two_modules_that_name_each_other_are_found() {
        let found = circles_in(&[
            ("crates/x/src/lib.rs", "mod a; mod b;"),
            ("crates/x/src/a.rs", "use super::b::{B, inner::C};"),
            ("crates/x/src/b.rs", "fn f() { crate::a::deep::g() }"),
        ]);
        assert_eq!(found, ["crates/x/src: a, b"]);
    }

    #[test]
    fn a_circle_over_three_is_found_in_its_own_folder() {
        let found = circles_in(&[
            ("crates/x/src/m.rs", "mod a; mod b; mod c;"),
            ("crates/x/src/m/a.rs", "use super::b::B;"),
            ("crates/x/src/m/b.rs", "use super::c::C;"),
            ("crates/x/src/m/c.rs", "use super::super::m::a as other;"),
        ]);
        assert_eq!(found, ["crates/x/src/m: a, b, c"]);
    }

    #[test]
    fn a_module_may_name_its_parent_and_tests_may_name_all() {
        let found = circles_in(&[
            ("crates/x/src/lib.rs", "mod a; mod b; use a::A;"),
            ("crates/x/src/a.rs", "use super::b::B; use super::*;"),
            ("crates/x/src/b.rs", "use super::L; #[cfg(test)] mod tests { use crate::a::A; }"),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
