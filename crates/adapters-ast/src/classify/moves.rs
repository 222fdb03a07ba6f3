//! Functions and types of Go that moved from one file of a package to another. A package is one scope, so that only the
//! imports of the two files can make a difference; they are looked at here, and both sides are handed on without what
//! moved.
//!
//! Other languages have a scope for each file or class: there a move changes what names mean, and is no proof.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::MutationEvidence;

use crate::classify::Pair;
use crate::items::{self, Item};
use crate::language::Language;
use crate::outline::{Node, Outline};
use crate::units::words_of;

/// An import as it is written: the path and the name that it is given.
type Spec = (String, Option<String>);

/// The pairs without what moved between them, and what that was; `None` where nothing moved or a move is not proved.
pub(crate) fn settled<'t>(pairs: &[Pair<'t>]) -> Option<(Vec<Pair<'t>>, Vec<MutationEvidence>)> {
    let files: Option<Vec<File<'_, 't>>> = pairs.iter().map(File::read).collect();
    let files = files?;
    let moves = moves(&files);
    if moves.is_empty() || !moves.iter().all(|found| found.is_proved(&files)) || !same_imports(&files, &moves)
    {
        return None;
    }
    let mut cut: Vec<Pair<'t>> = pairs.iter().map(copied).collect();
    for (at, pair) in cut.iter_mut().enumerate() {
        let Some(file) = files.get(at) else { continue };
        let left = moves.iter().filter(|found| found.from == at).map(|found| &found.old);
        let come = moves.iter().filter(|found| found.to == at).map(|found| &found.new);
        if left.clone().next().is_none() && come.clone().next().is_none() {
            continue;
        }
        pair.before = without(&pair.before, left.chain(file.old.iter().filter(|item| item.is_import)));
        pair.after = without(&pair.after, come.chain(file.new.iter().filter(|item| item.is_import)));
    }
    let told = moves.iter().filter_map(|found| found.told(pairs)).collect();
    Some((cut, told))
}

/// One file of a package.
struct File<'p, 't> {
    pair: &'p Pair<'t>,
    package: (String, String, Vec<&'p str>),
    old: Vec<Item>,
    new: Vec<Item>,
    before: BTreeSet<Spec>,
    after: BTreeSet<Spec>,
}

impl<'p, 't> File<'p, 't> {
    /// `None` for files whose place in a package cannot be told: other languages, comments that act, imports that are
    /// there for more than their name.
    fn read(pair: &'p Pair<'t>) -> Option<Self> {
        let acts = |outline: &Outline<'_>| {
            outline.errors > 0 || outline.nodes.iter().any(|node| node.kind == "PRAGMA")
        };
        if pair.before.language != Language::Go
            || acts(&pair.before)
            || acts(&pair.after)
            || pair.was.is_some()
        {
            return None;
        }
        let clause = |outline: &Outline<'_>| {
            let clause = outline.children(0).find(|child| outline.kind(*child) == "package_clause")?;
            Some(words_of(&outline.nodes, clause))
        };
        let name = clause(&pair.before).filter(|name| clause(&pair.after).as_ref() == Some(name))?;
        let path = pair.path.as_str();
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (old, new) = (items::split(&pair.before, 0), items::split(&pair.after, 0));
        Some(Self {
            package: (folder.to_owned(), name, condition(file)),
            before: specs(&pair.before)?,
            after: specs(&pair.after)?,
            pair,
            old,
            new,
        })
    }
}

/// The parts of a file's name that say when it is compiled: for a test, a system, a processor.
pub(crate) fn condition(file: &str) -> Vec<&str> {
    let stem = file.split('.').next().unwrap_or(file);
    let parts = stem.split('_').skip(1).collect::<Vec<_>>();
    let last = parts.into_iter().rev().take_while(|part| *part == "test" || PLATFORMS.contains(part));
    last.take(3).collect()
}

/// The systems and processors that Go knows in the names of files.
const PLATFORMS: &[&str] = &[
    "386",
    "aix",
    "amd64",
    "amd64p32",
    "android",
    "arm",
    "arm64",
    "arm64be",
    "armbe",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "mipsle",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "solaris",
    "sparc",
    "sparc64",
    "wasip1",
    "wasm",
    "windows",
    "zos",
];

/// One item that is gone in one file and stands in another.
struct Move {
    from: usize,
    to: usize,
    old: Item,
    new: Item,
}

/// What is gone in exactly one file and new in exactly one other.
fn moves(files: &[File<'_, '_>]) -> Vec<Move> {
    let mut gone: BTreeMap<&str, Vec<(usize, &Item)>> = BTreeMap::new();
    let mut come: BTreeMap<&str, Vec<(usize, &Item)>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        let keys = |items: &'_ [Item]| items.iter().map(|item| item.key.clone()).collect::<BTreeSet<_>>();
        let (here, there) = (keys(&file.old), keys(&file.new));
        let named = |item: &&Item| item.name.is_some();
        for item in file.old.iter().filter(named).filter(|item| !there.contains(&item.key)) {
            gone.entry(&item.key).or_default().push((at, item));
        }
        for item in file.new.iter().filter(named).filter(|item| !here.contains(&item.key)) {
            come.entry(&item.key).or_default().push((at, item));
        }
    }
    let both = gone.iter().filter_map(|(key, old)| match (old.as_slice(), come.get(key)?.as_slice()) {
        ([(from, old)], [(to, new)]) => {
            Some(Move { from: *from, to: *to, old: (*old).clone(), new: (*new).clone() })
        }
        _ => None,
    });
    both.collect()
}

impl Move {
    /// Whether it is the same code, of a kind that may stand in any file of its package, and means the same there.
    fn is_proved(&self, files: &[File<'_, '_>]) -> bool {
        let (Some(from), Some(to)) = (files.get(self.from), files.get(self.to)) else { return false };
        let old = from.pair.before.nodes.get(self.old.from..self.old.to).unwrap_or_default();
        let new = to.pair.after.nodes.get(self.new.from..self.new.to).unwrap_or_default();
        let is_same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.is_like(new));
        let kinds = ["function_declaration", "method_declaration", "type_declaration"];
        let is_one =
            kinds.contains(&from.pair.before.kind(self.old.from)) && self.old.name.as_deref() != Some("init");
        if !from.pair.before.budget.spend(old.len() * (1 + from.before.len())) {
            return false;
        }
        let needed = from.before.iter().filter(|spec| known_name(spec).is_none_or(|name| says(old, &name)));
        from.package == to.package
            && is_same
            && is_one
            && needed.into_iter().all(|spec| to.after.contains(spec))
    }

    fn told(&self, pairs: &[Pair<'_>]) -> Option<MutationEvidence> {
        let (from, to) = (pairs.get(self.from)?, pairs.get(self.to)?);
        let what = format!("`{}` moved here from {}", self.new.name.as_deref()?, from.path);
        Some(MutationEvidence { path: to.path.clone(), line: to.after.line(self.new.from), what })
    }
}

/// Whether the imports of the files that take part give every name that stayed what it had, and the package the same
/// packages to begin with.
fn same_imports(files: &[File<'_, '_>], moves: &[Move]) -> bool {
    let part: BTreeSet<usize> = moves.iter().flat_map(|found| [found.from, found.to]).collect();
    let part: Vec<&File<'_, '_>> = part.iter().filter_map(|at| files.get(*at)).collect();
    let all = |side: fn(&File<'_, '_>) -> BTreeSet<Spec>| -> BTreeSet<Spec> {
        part.iter().copied().flat_map(side).collect()
    };
    let only_one_way =
        |file: &&File<'_, '_>| file.before.is_subset(&file.after) || file.after.is_subset(&file.before);
    let hides = |spec: &Spec| known_name(spec).is_some_and(|name| PREDECLARED.contains(&name.as_str()));
    all(|file| file.before.clone()) == all(|file| file.after.clone())
        && part.iter().all(only_one_way)
        && !all(|file| file.after.clone()).iter().any(hides)
}

/// The imports of a file; `None` where one is there for more than its name.
fn specs(outline: &Outline<'_>) -> Option<BTreeSet<Spec>> {
    let mut found = BTreeSet::new();
    for (at, node) in outline.nodes.iter().enumerate().filter(|(_, node)| node.kind == "import_spec") {
        let field =
            |wanted: &str| outline.child_by_field(at, wanted).map(|child| words_of(&outline.nodes, child));
        let path = field("path").unwrap_or_else(|| node.text.to_string());
        let name = field("name");
        if path.trim_matches(['"', '`']) == "C"
            || name.as_deref().is_some_and(|name| matches!(name, "." | "_"))
        {
            return None;
        }
        found.insert((path, name));
    }
    Some(found)
}

/// The name that an import binds, where the text tells it: a given one, or the last part of a path of the standard
/// library. Any other package may be called as it likes.
fn known_name((path, name): &Spec) -> Option<String> {
    if name.is_some() {
        return name.clone();
    }
    let mut parts: Vec<&str> = path.trim_matches(['"', '`']).split('/').collect();
    let is_standard =
        parts.first().is_some_and(|first| !first.contains('.')) && parts.first() != Some(&"internal");
    let is_version = |part: &&str| part.strip_prefix('v').is_some_and(|digits| digits.parse::<u32>().is_ok());
    parts.pop_if(|last| is_version(&&**last));
    parts
        .last()
        .filter(|_| is_standard && STANDARD.contains(parts.first().unwrap_or(&"")))
        .map(|last| (*last).to_owned())
}

/// The first parts of the paths of the standard library: a module of one's own may have a path without a dot too.
const STANDARD: &[&str] = &[
    "archive",
    "bufio",
    "bytes",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "encoding",
    "errors",
    "fmt",
    "hash",
    "html",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "text",
    "time",
    "unicode",
];

/// Names that every file has without an import, so that one of the same name would hide them.
const PREDECLARED: &[&str] = &[
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "copy",
    "delete",
    "error",
    "false",
    "imag",
    "int",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
];

fn says(nodes: &[Node<'_>], name: &str) -> bool {
    nodes.iter().any(|node| node.is_leaf() && node.text == name)
}

/// The outline without these items, which stand side by side in the file.
fn without<'t, 'i>(outline: &Outline<'t>, items: impl Iterator<Item = &'i Item>) -> Outline<'t> {
    let gone: Vec<(usize, usize)> = items.map(|item| (item.from, item.to)).collect();
    let mut is_gone = vec![false; outline.nodes.len()];
    for (from, to) in gone {
        is_gone.get_mut(from..to).unwrap_or_default().fill(true);
    }
    let kept = outline.nodes.iter().zip(is_gone).filter(|(_, is_gone)| !is_gone);
    let nodes = kept.map(|(node, _)| node.clone()).collect();
    let mut cut = Outline { nodes, ..outline.clone() };
    let size = cut.nodes.len();
    if let Some(root) = cut.nodes.first_mut() {
        root.size = size;
    }
    cut
}

fn copied<'t>(pair: &Pair<'t>) -> Pair<'t> {
    Pair { path: pair.path, was: pair.was, before: pair.before.clone(), after: pair.after.clone() }
}
