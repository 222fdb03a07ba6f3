//! Paths that are protected whatever a scope says: by file, at any depth, case folded, so that no agent changes what
//! governs it. The tables are data; matching compares segments and compiles no glob unless the settings add patterns.

use bailiwick_domain::{OwnedScope, RepoPath, SEPARATORS, ScopePattern, Settings, WorkspacePath};

mod named;
mod table;

pub use named::{guarded_named_by, secret_named_by, unusable};

use crate::globs::scope_match::ScopeMatcher;
use crate::globs::wildcard;

/// How a path is guarded against change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Not at all; scopes decide.
    None,
    /// No scope, no grant and no yes opens it: the pattern.
    Protected(String),
    /// A scope must name it literally and a human is always asked: the pattern.
    Sensitive(String),
}

/// How a path is guarded against change, under its real and under its spelled name.
///
/// ```
/// use bailiwick_domain::{RepoPath, Settings, WorkspacePath};
/// use bailiwick_policy::protection::{Protection, of_change};
/// let path = RepoPath::new("sub/.CLAUDE/Settings.json").unwrap();
/// let path = WorkspacePath { folded: path.as_str().to_lowercase(), path, spelled: None };
/// assert!(matches!(of_change(&path, &Settings::default()), Protection::Protected(_)));
/// ```
pub fn of_change(path: &WorkspacePath, settings: &Settings) -> Protection {
    let names = names(path);
    let listed = |table: &Table| names.iter().find_map(|name| table.guard(name, true));
    if let Some(pattern) = listed(&PROTECTED) {
        return Protection::Protected(pattern.to_owned());
    }
    if let Some(pattern) = configured(&settings.protect_write, path.path.as_str(), &names) {
        return Protection::Protected(pattern);
    }
    listed(&SENSITIVE).map_or(Protection::None, |pattern| Protection::Sensitive(pattern.to_owned()))
}

/// The built-in patterns of what only a human changes.
pub(crate) fn protected_patterns() -> &'static [&'static str] {
    PROTECTED.rows
}

/// The pattern that keeps a path inside the root from being read, if one does.
pub fn of_reading(path: &WorkspacePath, settings: &Settings) -> Option<String> {
    let names = names(path);
    names.iter().find_map(secret).or_else(|| configured(&settings.protect_read, path.path.as_str(), &names))
}

/// The pattern that keeps a folder from being searched through, because the gate's private state lies in it.
pub fn of_search(path: &WorkspacePath) -> Option<String> {
    let private = |name: &Name| guards(table::PRIVATE, name, true).then(|| table::PRIVATE.to_owned());
    names(path).iter().find_map(private)
}

/// The pattern that keeps a path outside the root from being read: only the built-in list, at any depth.
pub fn of_reading_outside(absolute: &str) -> Option<String> {
    secret(&Name::new(folded(absolute)))
}

/// Rows of a table with the first bytes that they have: most names are told apart from all rows of a table by that
/// alone, and every call asks the whole of it.
struct Table {
    rows: &'static [&'static str],
    firsts: u128,
}

const PROTECTED: Table = Table::new(table::PROTECTED);
const SENSITIVE: Table = Table::new(table::SENSITIVE);
const SECRET: Table = Table::new(table::SECRET);

impl Table {
    const fn new(rows: &'static [&'static str]) -> Self {
        let (mut firsts, mut rest) = (0, rows);
        while let [row, below @ ..] = rest {
            firsts |= first_of(row);
            rest = below;
        }
        Self { rows, firsts }
    }

    /// The first row that guards a name.
    fn guard(&self, name: &Name, holders: bool) -> Option<&'static str> {
        if self.firsts & (name.firsts | WILD) == 0 {
            return None;
        }
        self.rows.iter().copied().find(|row| guards(row, name, holders))
    }
}

/// The bits of patterns that may start anyhow.
const WILD: u128 = bit(b'*') | bit(b'?');

/// The bit of a pattern's first byte; of an empty pattern the one of a wildcard, so that it is never passed over.
const fn first_of(pattern: &str) -> u128 {
    match pattern.as_bytes() {
        [first, ..] => bit(*first),
        [] => WILD,
    }
}

/// A folded path with the first byte of each of its segments.
struct Name {
    text: String,
    firsts: u128,
}

impl Name {
    fn new(text: String) -> Self {
        let firsts = text
            .split('/')
            .filter_map(|segment| segment.bytes().next())
            .map(bit)
            .fold(0, |all, one| all | one);
        Self { text, firsts }
    }

    /// Whether a segment starts as the pattern does; a pattern that starts with a wildcard may start anyhow.
    fn may_hold(&self, pattern: &str) -> bool {
        first_of(pattern) & (self.firsts | WILD) != 0
    }
}

/// One bit for each ASCII byte, and one for all others.
const fn bit(byte: u8) -> u128 {
    1 << if byte < 127 { byte } else { 127 }
}

fn names(path: &WorkspacePath) -> Vec<Name> {
    let spelled = path.spelled.as_ref().map(|spelled| folded(spelled.as_str()));
    [Some(path.folded.clone()), spelled].into_iter().flatten().map(Name::new).collect()
}

/// A poorer twin of [`WorkspacePath::folded`] for names that were not folded by the adapter.
fn folded(path: &str) -> String {
    let trimmed = path.split(SEPARATORS).map(|segment| segment.trim_end_matches(['.', ' ']).to_lowercase());
    trimmed.collect::<Vec<_>>().join("/")
}

fn secret(name: &Name) -> Option<String> {
    let last = name.text.rsplit('/').next().unwrap_or_default();
    let found = if table::HARMLESS.iter().any(|form| wildcard::fits(form, last)) {
        SECRET.rows.iter().copied().find(|row| row.contains('/') && guards(row, name, false))
    } else {
        SECRET.guard(name, false)
    };
    found.map(ToOwned::to_owned)
}

/// Whether a table pattern guards a path: at any depth; `X/**` is `X` and all below. With `holders`, a path that can
/// only be a directory holding what is guarded is guarded too, since removing or moving it takes the content along.
fn guards(pattern: &str, path: &Name, holders: bool) -> bool {
    if !path.may_hold(pattern) {
        return false;
    }
    let path = path.text.as_str();
    let head = pattern.split('/').next().unwrap_or_default();
    let mut rest = Some(path);
    while let Some(here) = rest {
        let segment = here.split('/').next().unwrap_or_default();
        if wildcard::fits(head, segment) && guards_here(pattern, here, holders) {
            return true;
        }
        rest = here.split_once('/').map(|(_, below)| below);
    }
    false
}

fn guards_here(pattern: &str, path: &str, holders: bool) -> bool {
    let mut found = path.split('/');
    for wanted in pattern.split('/') {
        if wanted == "**" {
            return true;
        }
        match found.next() {
            Some(segment) if wildcard::fits(wanted, segment) => {}
            Some(_) => return false,
            None => return holders,
        }
    }
    found.next().is_none()
}

/// Patterns of the settings, in the grammar of scopes, compared folded; also with the path's own name, where it is
/// folded to that of another. What cannot be read guards everything.
fn configured(patterns: &[String], path: &str, names: &[Name]) -> Option<String> {
    if patterns.is_empty() {
        return None;
    }
    let read = || {
        let texts = patterns.iter().map(|pattern| ScopePattern::new(&pattern.to_lowercase()));
        let scope = OwnedScope::new(texts.collect::<Result<_, _>>().ok()?, true).ok()?;
        let matcher = ScopeMatcher::that_takes_away(&scope).ok()?;
        let own = folded(path);
        let mut all = names.iter().map(|name| name.text.as_str()).chain([own.as_str()]);
        Some(all.any(|name| RepoPath::new(name).map_or(true, |path| matcher.matches(&path))))
    };
    read().unwrap_or(true).then(|| patterns.join(", "))
}
