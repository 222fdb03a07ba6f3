//! Which files run, or decide what runs, when somebody builds, tests, installs, opens an editor or pushes: the
//! executable surface. Judged by name alone; the names are data (`surface.txt`), with what happens to the file and
//! where that is documented.
//!
//! Deliberately absent: what a file's mode, its first line or git's configuration says, which takes a look at the disk.

use std::collections::HashMap;
use std::sync::OnceLock;

use bailiwick_domain::RepoPath;

use crate::globs::wildcard;

/// What happens to a file, where that is documented, and patterns; see the head of the file.
const SURFACE: &str = include_str!("executable/surface.txt");

/// Whether the file is of the executable surface, by its name.
///
/// ```
/// use bailiwick_domain::RepoPath;
/// use bailiwick_policy::executable::can_run;
/// assert!(can_run(&RepoPath::new("tools/Makefile").unwrap()));
/// assert!(!can_run(&RepoPath::new("src/makefile.rs").unwrap()));
/// ```
pub fn can_run(path: &RepoPath) -> bool {
    run_by(path).is_some()
}

/// What happens to such a file, as a sentence without its end: `npm obeys it`.
///
/// ```
/// use bailiwick_domain::RepoPath;
/// use bailiwick_policy::executable::run_by;
/// assert_eq!(run_by(&RepoPath::new("web/package.json").unwrap()), Some("npm obeys it"));
/// ```
pub fn run_by(path: &RepoPath) -> Option<&'static str> {
    surface().find(&path.as_str().to_lowercase())
}

/// One line of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceRow {
    /// What happens to the files.
    pub says: &'static str,
    /// Where that is documented.
    pub source: &'static str,
    /// Their names, separated by blanks.
    pub patterns: &'static str,
}

/// The data, line by line.
pub fn rows() -> impl Iterator<Item = SurfaceRow> {
    let lines = SURFACE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| {
        let (says, rest) = line.split_once(" | ")?;
        let (source, patterns) = rest.split_once(" | ")?;
        Some(SurfaceRow { says, source, patterns })
    })
}

/// A pattern with what happens to the files that have its form.
#[derive(Clone, Copy, Debug)]
struct Row {
    pattern: &'static str,
    says: &'static str,
}

/// The patterns, by the first name in them where that is literal.
#[derive(Debug, Default)]
struct Surface {
    at_root: Vec<Row>,
    by_name: HashMap<&'static str, Vec<Row>>,
    /// Patterns of one name with a wildcard in it: they are compared with the last name of a path.
    wild_names: Vec<Row>,
    /// Longer patterns that begin with such a name.
    wild_folders: Vec<Row>,
}

fn surface() -> &'static Surface {
    static READ: OnceLock<Surface> = OnceLock::new();
    READ.get_or_init(|| {
        let mut surface = Surface::default();
        for row in rows() {
            for pattern in row.patterns.split(' ') {
                surface.add(pattern, row.says);
            }
        }
        surface
    })
}

impl Surface {
    fn add(&mut self, pattern: &'static str, says: &'static str) {
        if let Some(pattern) = pattern.strip_prefix('/') {
            self.at_root.push(Row { pattern, says });
            return;
        }
        let row = Row { pattern, says };
        let head = pattern.split('/').next().unwrap_or_default();
        match (head.contains(['*', '?']), head == pattern) {
            (false, _) => self.by_name.entry(head).or_default().push(row),
            (true, true) => self.wild_names.push(row),
            (true, false) => self.wild_folders.push(row),
        }
    }

    /// What happens to the file of this folded path.
    fn find(&self, path: &str) -> Option<&'static str> {
        if let Some(row) = self.at_root.iter().find(|row| fits_here(row.pattern, path)) {
            return Some(row.says);
        }
        let mut rest = Some(path);
        while let Some(here) = rest {
            let (name, below) =
                here.split_once('/').map_or((here, None), |(name, below)| (name, Some(below)));
            let named = self.by_name.get(name).into_iter().flatten();
            let wild = if below.is_some() { &self.wild_folders } else { &self.wild_names };
            if let Some(row) = named.chain(wild).find(|row| fits_here(row.pattern, here)) {
                return Some(row.says);
            }
            rest = below;
        }
        None
    }
}

/// Whether a path has the form of a pattern from its first name on.
fn fits_here(pattern: &str, path: &str) -> bool {
    let mut names = path.split('/');
    for wanted in pattern.split('/') {
        if wanted == "**" {
            return true;
        }
        if !names.next().is_some_and(|name| wildcard::fits(wanted, name)) {
            return false;
        }
    }
    names.next().is_none()
}
