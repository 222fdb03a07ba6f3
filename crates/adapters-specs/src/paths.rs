//! Paths that a text names, and those of a tree that is drawn in it.

use std::collections::BTreeSet;

/// So many paths are kept of one story.
const MOST: usize = 100;

/// Ends of names that make a word a file, also without a folder before it.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "astro", "bash", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "cts", "dart", "env", "ex", "example", "exs", "go", "gql", "gradle",
    "graphql", "h", "hpp", "html", "ini", "java", "jl", "js", "json", "jsonc", "jsx", "kt", "kts", "less", "lock", "lua", "md",
    "mdx", "mjs", "mts", "php", "prisma", "proto", "ps1", "py", "pyi", "r", "rb", "rs", "sass", "scala", "scss", "sh", "snap",
    "sol", "sql", "svelte", "svg", "swift", "tf", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig",
];

/// Names of files without an end.
const NAMES: &[&str] =
    &["Dockerfile", "Makefile", "Justfile", "Procfile", "Gemfile", "Rakefile", "CODEOWNERS"];

/// Names that begin with a dot and are files.
#[rustfmt::skip]
const DOTTED: &[&str] = &[
    ".babelrc", ".dockerignore", ".editorconfig", ".env", ".eslintignore", ".eslintrc", ".gitattributes", ".gitignore", ".gitmodules",
    ".mailmap", ".node-version", ".npmignore", ".npmrc", ".nvmrc", ".prettierignore", ".prettierrc", ".python-version", ".ruby-version",
    ".tool-versions",
];

/// Folders that projects commonly begin with.
#[rustfmt::skip]
const ROOTS: &[&str] = &[
    "app", "apps", "backend", "bin", "cmd", "components", "config", "contracts", "crates", "db", "docs", "e2e", "examples", "frontend",
    "internal", "lib", "libs", "migrations", "packages", "pkg", "public", "scripts", "server", "services", "shared", "src", "test", "tests",
    "tools", "web", "website",
];

/// What counts as a folder of the project: those that are common, and those that its plan draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots(BTreeSet<String>);

impl Roots {
    pub(crate) fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let first = |path: &str| path.split('/').next().map(str::to_owned);
        Self(paths.into_iter().filter(|path| path.contains('/')).filter_map(first).collect())
    }

    fn has(&self, name: &str) -> bool {
        ROOTS.contains(&name) || self.0.contains(name)
    }
}

/// Adds a path that is not there yet, within the bound.
pub(crate) fn keep(paths: &mut Vec<String>, path: String) {
    if paths.len() < MOST && !paths.contains(&path) {
        paths.push(path);
    }
}

/// The paths that a text names: between backticks, or as words of their own.
pub(crate) fn named(text: &str, codes: &[String], roots: &Roots) -> Vec<String> {
    let mut found = Vec::new();
    for code in codes {
        for word in code.split_whitespace() {
            path(word, true, roots).into_iter().for_each(|path| keep(&mut found, path));
        }
    }
    let mut is_code = false;
    for part in text.split('`') {
        let words = part.split_whitespace().filter(|_| !is_code);
        words.filter_map(|word| path(word, false, roots)).for_each(|path| keep(&mut found, path));
        is_code = !is_code;
    }
    found
}

/// The word as a path relative to the root, if it is one.
fn path(word: &str, is_code: bool, roots: &Roots) -> Option<String> {
    let word = word.trim_matches(|c: char| matches!(c, '"' | '\'' | '(' | ')' | ',' | ';' | ':' | '“' | '”'));
    let word = word.trim_end_matches(['.', '!', '?']).trim_start_matches("./");
    let word = without_lines(word);
    let fits = |c: char| c.is_alphanumeric() || "._-/@()[]+$~".contains(c);
    let inner = word.strip_suffix('/').unwrap_or(word);
    if word.is_empty()
        || word.len() > 200
        || !word.chars().all(fits)
        || word.starts_with(['/', '~', '-', '@'])
    {
        return None;
    }
    if inner.split('/').any(|part| matches!(part, "" | "." | "..")) || is_placeholder(word) {
        return None;
    }
    let (folder, file) = inner.rsplit_once('/').unwrap_or(("", inner));
    let first = inner.split('/').next().unwrap_or_default();
    let is_file = is_file(file);
    let is_folder = word.ends_with('/') && (is_code || folder.contains('/') || roots.has(first));
    let is_known = word.contains('/') && roots.has(first) && file.chars().any(char::is_alphanumeric);
    let counts = match (is_file, folder.is_empty()) {
        (true, true) => is_code || NAMES.contains(&file),
        (true, false) => true,
        (false, _) => is_folder || (is_code && is_known),
    };
    let is_folder = !is_file && !word.ends_with('/') && !has_end(file);
    counts.then(|| literal(&if is_folder { format!("{word}/") } else { word.to_owned() }))
}

/// `src/a.rs:12` and `src/a.rs:12-40` are `src/a.rs`.
fn without_lines(word: &str) -> &str {
    match word.rsplit_once(':') {
        Some((path, lines)) if lines.starts_with(|c: char| c.is_ascii_digit()) => path,
        _ => word,
    }
}

/// A segment such as `[name]` in a template; `[id].tsx` and `(group)` are names that frameworks have.
fn is_placeholder(word: &str) -> bool {
    let names =
        ["[location]", "[file]", "[name]", "[entity]", "[entity1]", "[entity2]", "[service]", "[feature]"];
    word.split('/').any(|part| {
        names.iter().any(|name| part.starts_with(name))
            || (part.contains('[')
                && (part.contains("###") || part.matches('[').count() != part.matches(']').count()))
    })
}

/// Whether a name ends like that of a file, whatever the end: letters behind a dot.
fn has_end(name: &str) -> bool {
    let end = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, end)| end);
    end.is_some_and(|end| end.starts_with(char::is_alphabetic) && end.chars().all(char::is_alphanumeric))
}

/// Whether a name is an end alone, such as `.g.dart`.
fn is_end(name: &str) -> bool {
    let first = name.strip_prefix('.').and_then(|rest| rest.split_once('.')).map(|(first, _)| first);
    let is_known = |first: &str| {
        first.ends_with("rc") || first.contains('-') || DOTTED.contains(&format!(".{first}").as_str())
    };
    first.is_some_and(|first| !is_known(first) && first != "golangci" && first != "travis")
}

fn is_file(name: &str) -> bool {
    if NAMES.contains(&name) || DOTTED.contains(&name) {
        return true;
    }
    if is_end(name) {
        return false;
    }
    let end = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, end)| end);
    end.is_some_and(|end| ENDS.contains(&end))
}

/// The path as a scope pattern that matches it and nothing else.
fn literal(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '!') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// What stands before a name in a drawn tree.
const BRANCHES: &[char] = &['│', '├', '└', '─', '┬', '|', '`', '+', '-', ' ', '\t', '\u{a0}'];

/// The paths of a tree that is drawn with branches: files, and folders that nothing is drawn below. Nothing where the
/// drawing is none, or is still the template's.
pub(crate) fn drawn(code: &str) -> Vec<String> {
    if !code.contains("──") || says_template(code) {
        return Vec::new();
    }
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut all: Vec<String> = Vec::new();
    for line in code.lines().take(2_000) {
        let bare = line.split_once('#').map_or(line, |(before, _)| before).trim_end();
        let name = bare.trim_start_matches(BRANCHES);
        let Some(name) = name.split_whitespace().next() else { continue };
        let column = bare.chars().count() - bare.trim_start_matches(BRANCHES).chars().count();
        let fits = name.chars().all(|c| c.is_alphanumeric() || "._-/@()+$".contains(c));
        if !fits || name.contains("..") || name.starts_with('/') {
            continue;
        }
        open.retain(|(deep, _)| *deep < column);
        let above: String =
            open.last().map(|(_, path)| format!("{}/", path.trim_end_matches('/'))).unwrap_or_default();
        let path = format!("{}{name}", if column == 0 { "" } else { above.as_str() });
        open.push((column, path.clone()));
        all.push(path);
        if open.len() > 32 {
            return Vec::new();
        }
    }
    let mut kept = Vec::new();
    for path in &all {
        let stem = path.trim_end_matches('/');
        let has_below = all.iter().any(|other| {
            other.strip_prefix(stem).is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
        });
        let name = stem.rsplit('/').next().unwrap_or_default();
        let is_file = (is_file(name) || has_end(name)) && !path.ends_with('/');
        if !has_below && path.contains('/') {
            keep(&mut kept, literal(&if is_file { path.clone() } else { format!("{stem}/") }));
        }
    }
    kept
}

fn says_template(code: &str) -> bool {
    code.contains("REMOVE IF UNUSED") || code.contains("Option 1") || code.contains("[###")
}
