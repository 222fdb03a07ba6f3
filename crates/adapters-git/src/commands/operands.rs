//! What a word of a command in git's configuration may stand for besides the file of that name.
//!
//! An interpreter adds an ending to a name, looks into a folder, or finds a module. Deliberately absent: what is on the
//! disk (`obeys`).

/// What runs a file, or what it is given to read.
#[rustfmt::skip]
const INTERPRETERS: &[&str] = &[
    "python", "pypy", "perl", "ruby", "jruby", "node", "nodejs", "ts-node", "tsx", "php", "lua", "luajit", "rscript",
    "tclsh", "osascript",
];

/// What takes a name without its ending or a folder as well, and does something else where it is given none.
const FURTHER: &[&str] =
    &["java", "javaw", "kotlin", "scala", "groovy", "elixir", "erl", "guile", "emacs", "awk", "gawk"];

/// What a folder stands for: Python, Node, PHP and npm begin with these.
const ENTRIES: &[&str] = &["__main__", "index", "package"];

/// The name of a program by its path, without the ending that Windows adds.
pub(crate) fn plain_name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let ends = [".exe", ".cmd", ".bat"];
    ends.iter().find_map(|end| name.strip_suffix(end)).map_or(name.clone(), str::to_owned)
}

/// Whether the program of this plain name runs files that it is given, whatever its version.
pub(crate) fn interprets(name: &str) -> bool {
    INTERPRETERS.contains(&without_version(name))
}

/// Whether the program of this plain name finds a file by less than its name.
pub(crate) fn completes(name: &str) -> bool {
    interprets(name) || FURTHER.contains(&without_version(name))
}

fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// The paths that a word may spell, with whether a program may complete them: the word and the value in an option. For a
/// program that completes names, each path of a list and a module by its name, too.
pub(crate) fn paths_in(word: &str, by_completer: bool) -> Vec<(String, bool)> {
    let value = word.split_once('=').map(|(_, value)| value);
    let joined = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    let parts = [Some(word), value, joined].into_iter().flatten();
    let parts = parts.flat_map(|part| std::iter::once(part).chain(part.split(':').filter(|_| by_completer)));
    let parts = parts.map(|part| part.trim_start_matches('@').trim_end_matches("/*"));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let modules = parts.iter().filter(|_| by_completer).flat_map(|part| modules(part));
    let plain = parts.iter().map(|part| ((*part).to_owned(), by_completer || part.contains('/')));
    let mut paths: Vec<_> = plain.chain(modules.map(|path| (path, true))).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Where an interpreter looks for a module, or for what begins in the current folder.
fn modules(name: &str) -> Vec<String> {
    if matches!(name, "." | "./") {
        return ENTRIES.iter().map(ToString::to_string).collect();
    }
    if name.starts_with(['.', '/', '\\']) {
        return Vec::new();
    }
    vec![name.replace("::", "/").replace('.', "/"), format!("node_modules/{name}")]
}
