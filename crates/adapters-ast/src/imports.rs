//! Imports as a set: what name is bound to what source. An unchanged name with another source is another behaviour;
//! the order of imports is not, unless one is there for what it runs or may hide a name of another, and neither is a name
//! that is not used, where importing runs nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::items::Item;
use crate::language::Language;
use crate::names::Renames;
use crate::outline::Outline;
use crate::units::words_of;

/// What was found out about the imports of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The same, in the same order or another that cannot matter.
    Same,
    /// They differ in names that are not used.
    Harmless,
    /// They differ; with an item of either side.
    Different { before: Option<usize>, after: Option<usize> },
}

/// One name that a file gets from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Import {
    bound: String,
    source: String,
    /// Words that change what it means: visibility, `static`, `type`, attributes.
    marks: String,
    /// How many things stand before it that it may not pass; 0 where its order does not count.
    place: usize,
}

impl Import {
    /// Whether it is gone when a text of TypeScript runs.
    fn is_type(&self) -> bool {
        self.marks.starts_with("type")
    }
}

/// Compares the imports among two lists of items.
pub(crate) fn compare(
    before: &Outline<'_>,
    old: &[Item],
    after: &Outline<'_>,
    new: &[Item],
    renames: &Renames,
) -> Verdict {
    let gathered = |outline: &Outline<'_>, items: &[Item]| {
        let mut found: BTreeMap<Import, usize> = BTreeMap::new();
        let mut order = Order::default();
        for item in items {
            order.pass(outline, item);
            let imports = if item.is_import { read(outline, item.from) } else { Vec::new() };
            for mut import in imports {
                import.place = order.place(outline.language, &import);
                found.entry(import).or_insert(item.from);
            }
        }
        found
    };
    if before.language.is_script() && directives(before, old) != directives(after, new) {
        return Verdict::Different { before: old.first().map(|item| item.from), after: None };
    }
    let old_imports: BTreeMap<Import, usize> = gathered(before, old)
        .into_iter()
        .map(|(import, at)| {
            let bound = renames.name(&import.bound).to_owned();
            let source = renames.words(&import.source);
            (Import { bound, source, ..import }, at)
        })
        .collect();
    let new_imports = gathered(after, new);
    let gone: Vec<_> = old_imports.iter().filter(|(import, _)| !new_imports.contains_key(*import)).collect();
    let come: Vec<_> = new_imports.iter().filter(|(import, _)| !old_imports.contains_key(*import)).collect();
    if gone.is_empty() && come.is_empty() {
        return Verdict::Same;
    }
    let (used_before, used_after) = (words_outside(before, old), words_outside(after, new));
    // A module of JavaScript runs once, whatever names are taken from it.
    let stays_imported = |import: &Import| {
        let of = |found: &BTreeMap<Import, usize>| {
            let is_of = |other: &Import| {
                other.marks.is_empty() && module_of(&other.source) == module_of(&import.source)
            };
            found.keys().any(is_of)
        };
        before.language.is_script() && import.marks.is_empty() && of(&old_imports) && of(&new_imports)
    };
    let has_elements = before.language.is_script()
        && [before, after].iter().any(|text| text.nodes.iter().any(|node| node.kind.starts_with("jsx_")));
    let is_quiet = |import: &Import| {
        let bound = import.bound.as_str();
        let mut words = used_before.iter().chain(&used_after);
        let is_used = if before.language == Language::Php {
            words.any(|word| word.eq_ignore_ascii_case(bound))
        } else {
            words.any(|word| *word == bound) || has_elements && makes_elements(bound)
        };
        let may_go = runs_nothing(before.language, import) || stays_imported(import);
        may_go && !is_used || is_number_module(before.language, import)
    };
    match (
        gone.iter().find(|(import, _)| !is_quiet(import)),
        come.iter().find(|(import, _)| !is_quiet(import)),
    ) {
        // What comes in the place of what goes may be meant for it.
        (None, None) if gone.is_empty() || come.is_empty() => Verdict::Harmless,
        (None, None) => Verdict::Different {
            before: gone.first().map(|(_, at)| **at),
            after: come.first().map(|(_, at)| **at),
        },
        (gone, come) => {
            Verdict::Different { before: gone.map(|(_, at)| **at), after: come.map(|(_, at)| **at) }
        }
    }
}

/// Which imports may not change places.
#[derive(Default)]
struct Order {
    passed: usize,
    /// Where each module of JavaScript is loaded first.
    loaded: BTreeMap<String, usize>,
    /// What each name of Python stands for.
    bound: BTreeMap<String, String>,
}

impl Order {
    /// Goes over an item: statements of Python run, and what JavaScript exports from elsewhere is loaded.
    fn pass(&mut self, outline: &Outline<'_>, item: &Item) {
        let loads = || {
            (item.from..item.to).any(|at| outline.nodes.get(at).is_some_and(|node| node.field == "source"))
        };
        let counts = match outline.language {
            Language::Python => true,
            language => language.is_script() && outline.kind(item.from) == "export_statement" && loads(),
        };
        self.passed += usize::from(!item.is_import && counts);
    }

    fn place(&mut self, language: Language, import: &Import) -> usize {
        if language.is_script() {
            self.of_script(import)
        } else if language == Language::Python {
            self.of_python(import)
        } else {
            // A star may hide any name.
            let is_in_order = language == Language::Java && !import.marks.contains("static");
            let counts = import.bound == "*" && !is_in_order || import.bound.is_empty();
            self.passed += usize::from(counts);
            if counts { self.passed } else { 0 }
        }
    }

    /// An import without a name is there for what it runs: no module is loaded on its other side.
    fn of_script(&mut self, import: &Import) -> usize {
        if import.is_type() {
            return 0;
        }
        if import.bound.is_empty() {
            self.passed += 1;
            return self.passed;
        }
        let module = module_of(&import.source).to_owned();
        *self.loaded.entry(module).or_insert(self.passed)
    }

    /// The last import of a name is what it stands for; a star may be the last of any.
    fn of_python(&mut self, import: &Import) -> usize {
        // `import a.b` and `import a.c` both give `a`.
        let is_root = import.source.starts_with(' ') && import.marks.is_empty();
        let of = if is_root { &import.bound } else { &import.source };
        let known = self.bound.insert(import.bound.clone(), of.clone());
        let is_hidden = known.is_some_and(|known| known != *of);
        self.passed += usize::from(import.bound == "*" || is_hidden);
        self.passed
    }
}

/// Whether what JSX is compiled to may call a name that stands nowhere.
fn makes_elements(bound: &str) -> bool {
    matches!(bound, "Fragment" | "Preact" | "React" | "createElement" | "h" | "jsx")
}

/// How many directives a text of JavaScript begins with: behind an import they are none.
fn directives(outline: &Outline<'_>, items: &[Item]) -> usize {
    let is_directive = |item: &&Item| {
        outline.kind(item.from) == "expression_statement" && outline.kind(item.from + 1).starts_with("string")
    };
    items.iter().take_while(is_directive).count()
}

/// The module that a name of JavaScript comes from.
fn module_of(source: &str) -> &str {
    source.rsplit_once(' ').map_or(source, |(module, _)| module)
}

/// All words of a text that do not stand in its imports.
fn words_outside<'o>(outline: &'o Outline<'_>, items: &[Item]) -> BTreeSet<&'o str> {
    let mut imports = items.iter().filter(|item| item.is_import).peekable();
    let mut words = BTreeSet::new();
    for (at, node) in outline.nodes.iter().enumerate().filter(|(_, node)| node.is_leaf()) {
        while imports.next_if(|item| item.to <= at).is_some() {}
        if imports.peek().is_none_or(|item| at < item.from) && outline.budget.spend(1) {
            words.extend(node.text.split(|c: char| !(c.is_alphanumeric() || c == '_')));
        }
    }
    words
}

/// Whether a name that nobody uses can come or go without a trace. A trait of Rust works without being named.
fn runs_nothing(language: Language, import: &Import) -> bool {
    // Where two packages of Java offer one name, the text does not compile.
    if import.bound == "*" {
        return language == Language::Java && !import.marks.contains("static");
    }
    if import.bound == "_" {
        return false;
    }
    match language {
        Language::Java => !import.marks.contains("static"),
        // One of several names in a list may be used while the last is not.
        Language::Php => !import.source.contains(['{', ',']),
        Language::Rust => {
            let is_trait = import.bound.starts_with(char::is_uppercase) && !holds_no_trait(&import.source);
            import.marks.is_empty() && !is_trait
        }
        Language::TypeScript | Language::Tsx => import.is_type(),
        _ => false,
    }
}

/// Whether a path of Rust leads into a module of the standard library that has no trait in it.
fn holds_no_trait(path: &str) -> bool {
    ["cell", "collections", "path", "rc", "sync", "time"].iter().any(|module| {
        ["std::", "core::", "alloc::"].iter().any(|root| {
            path.strip_prefix(root)
                .and_then(|rest| rest.strip_prefix(module))
                .is_some_and(|rest| rest.starts_with("::"))
        })
    })
}

/// The deprecated modules of Rust that hold nothing but what the number types themselves hold.
fn is_number_module(language: Language, import: &Import) -> bool {
    const NUMBERS: &[&str] =
        &["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
    let is_one = |name: &&str| {
        import.bound == **name
            && import.marks.is_empty()
            && (import.source == format!("std::{name}") || import.source == format!("core::{name}"))
    };
    language == Language::Rust && NUMBERS.iter().any(is_one)
}

fn read(outline: &Outline<'_>, index: usize) -> Vec<Import> {
    let mut found = Vec::new();
    match outline.language {
        Language::Rust => rust(outline, index, &mut found),
        Language::Python => python(outline, index, &mut found),
        Language::Go => go(outline, index, &mut found),
        Language::TypeScript | Language::Tsx | Language::JavaScript => script(outline, index, &mut found),
        _ => {
            let words = words_of_leaves(outline, index);
            let name =
                words.iter().rev().find(|word| word.starts_with(|c: char| c.is_alphanumeric() || c == '*'));
            let marks = if words.iter().any(|word| word == "static") { "static" } else { "" };
            let bound = name.cloned().unwrap_or_default();
            found.push(Import { bound, source: words.join(" "), marks: marks.to_owned(), place: 0 });
        }
    }
    found
}

fn words_of_leaves(outline: &Outline<'_>, index: usize) -> Vec<String> {
    outline.subtree(index).iter().filter(|node| node.is_leaf()).map(|node| node.text.to_string()).collect()
}

fn words(outline: &Outline<'_>, index: usize) -> String {
    words_of(&outline.nodes, index)
}

fn rust(outline: &Outline<'_>, index: usize, found: &mut Vec<Import>) {
    let marks: String = outline
        .children(index)
        .filter(|child| outline.kind(*child) == "visibility_modifier")
        .map(|child| words(outline, child))
        .collect();
    let mut waiting: Vec<(usize, String)> =
        outline.child_by_field(index, "argument").into_iter().map(|tree| (tree, String::new())).collect();
    while let Some((tree, prefix)) = waiting.pop() {
        let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
        let mut push = |bound: &str, source: String| {
            found.push(Import { bound: bound.to_owned(), source, marks: marks.clone(), place: 0 });
        };
        match outline.kind(tree) {
            "scoped_use_list" => {
                let path = outline.child_by_field(tree, "path").map(|path| words(outline, path));
                let prefix = path.map_or(prefix.clone(), |path| join(&path));
                waiting.extend(outline.child_by_field(tree, "list").map(|list| (list, prefix)));
            }
            "use_list" => {
                let parts =
                    outline.children(tree).filter(|part| !matches!(outline.kind(*part), "{" | "}" | ","));
                waiting.extend(parts.map(|part| (part, prefix.clone())));
            }
            "use_as_clause" => {
                let path =
                    outline.child_by_field(tree, "path").map(|path| words(outline, path)).unwrap_or_default();
                let alias = outline
                    .child_by_field(tree, "alias")
                    .map(|alias| words(outline, alias))
                    .unwrap_or_default();
                push(&alias, join(&path));
            }
            "use_wildcard" => push("*", join(&words(outline, tree))),
            "self" => push(prefix.rsplit("::").next().unwrap_or(""), prefix.clone()),
            _ => {
                let path = join(&words(outline, tree));
                push(path.rsplit("::").next().unwrap_or(""), path.clone());
            }
        }
    }
}

fn python(outline: &Outline<'_>, index: usize, found: &mut Vec<Import>) {
    let module = outline.child_by_field(index, "module_name").map(|module| words(outline, module));
    let from = module.clone().unwrap_or_default();
    for part in outline.children(index) {
        let (bound, name) = match (outline.kind(part), outline.nodes.get(part).map_or("", |node| node.field))
        {
            ("wildcard_import", _) => ("*".to_owned(), "*".to_owned()),
            ("aliased_import", _) => (
                outline.child_by_field(part, "alias").map(|alias| words(outline, alias)).unwrap_or_default(),
                outline.child_by_field(part, "name").map(|name| words(outline, name)).unwrap_or_default(),
            ),
            (_, "name") => {
                let name = words(outline, part);
                let bound = if module.is_some() {
                    name.clone()
                } else {
                    name.split('.').next().unwrap_or("").to_owned()
                };
                (bound, name)
            }
            _ => continue,
        };
        let marks = if outline.kind(part) == "aliased_import" { "as" } else { "" }.to_owned();
        found.push(Import { bound, source: format!("{from} {name}"), marks, place: 0 });
    }
}

fn go(outline: &Outline<'_>, index: usize, found: &mut Vec<Import>) {
    let end = index + outline.nodes.get(index).map_or(0, |node| node.size);
    for spec in index..end {
        if outline.kind(spec) != "import_spec" {
            continue;
        }
        let source =
            outline.child_by_field(spec, "path").map(|path| words(outline, path)).unwrap_or_default();
        let alias = outline.child_by_field(spec, "name").map(|name| words(outline, name));
        let own = source.trim_matches(['"', '`']).rsplit('/').next().unwrap_or("").to_owned();
        let marks = if alias.is_some() { "named" } else { "" }.to_owned();
        found.push(Import { bound: alias.unwrap_or(own), source, marks, place: 0 });
    }
}

fn script(outline: &Outline<'_>, index: usize, found: &mut Vec<Import>) {
    let source =
        outline.child_by_field(index, "source").map(|source| words(outline, source)).unwrap_or_default();
    let clause = outline.children(index).find(|child| outline.kind(*child) == "import_clause");
    let is_type = outline.children(index).any(|child| outline.kind(child) == "type");
    let attributes: String = outline
        .children(index)
        .filter(|child| outline.kind(*child) == "import_attribute")
        .map(|child| words(outline, child))
        .collect();
    let mut push = |bound: String, name: &str, is_of_type: bool| {
        // A name that alone is a type goes, but a compiler may be told to load its module still.
        let kept = if is_type { "type" } else { "one type" };
        let marks = format!("{}{attributes}", if is_of_type { kept } else { "" });
        found.push(Import { bound, source: format!("{source} {name}"), marks, place: 0 });
    };
    let is_none = |clause: &usize| {
        !outline
            .subtree(*clause)
            .iter()
            .any(|node| node.is_leaf() && !matches!(node.kind, "{" | "}" | "named_imports"))
    };
    let Some(clause) = clause.filter(|clause| !is_none(clause)) else {
        push(String::new(), &words(outline, index), is_type);
        return;
    };
    for part in outline.children(clause) {
        match outline.kind(part) {
            "identifier" => push(words(outline, part), "default", is_type),
            "namespace_import" => {
                let name = outline.children(part).last().map(|name| words(outline, name)).unwrap_or_default();
                push(name, "*", is_type);
            }
            "named_imports" => {
                for specifier in
                    outline.children(part).filter(|part| outline.kind(*part) == "import_specifier")
                {
                    let name = outline
                        .child_by_field(specifier, "name")
                        .map(|name| words(outline, name))
                        .unwrap_or_default();
                    let alias = outline.child_by_field(specifier, "alias").map(|alias| words(outline, alias));
                    let is_of_type =
                        is_type || outline.children(specifier).any(|part| outline.kind(part) == "type");
                    push(alias.unwrap_or_else(|| name.clone()), &name, is_of_type);
                }
            }
            _ => {}
        }
    }
}
