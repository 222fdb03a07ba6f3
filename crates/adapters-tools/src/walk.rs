//! Walks the tree below a folder as `git` sees it: what it ignores is left out, and so is its own folder. No link is
//! followed.

use std::path::{Path, PathBuf};

use ignore::overrides::OverrideBuilder;
use ignore::{DirEntry, Walk, WalkBuilder};

use crate::ignored::{Ignored, Tree};

/// So many names are listed.
const MOST_NAMES: usize = 2_000;

/// So many entries are looked at in one walk.
const MOST_LOOKED_AT: usize = 100_000;

/// The names below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Relative to the root, with `/` between and, for a folder, at the end; sorted.
    pub names: Vec<String>,
    /// Whether there are more.
    pub more: bool,
}

/// Why nothing is listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// The pattern of names is none.
    #[error("`{pattern}` is no pattern of file names: {why}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no such folder below the root.
    #[error("there is no folder `{0}` in the repository")]
    Missing(String),
}

/// The names below a folder, which is given relative to the root; all of them, or those of its own level.
///
/// # Errors
/// There is no such folder.
pub fn list(tree: Tree<'_>, below: &str, recursive: bool) -> Result<Listing, WalkError> {
    let start = start(tree.root, below)?;
    if !start.is_dir() {
        return Err(WalkError::Missing(below.to_owned()));
    }
    let mut listing = Listing::default();
    for entry in walk(tree, &start, (!recursive).then_some(1), None)? {
        let Some(mut name) = name_of(tree.root, &entry).filter(|_| entry.depth() > 0) else { continue };
        if listing.names.len() >= MOST_NAMES {
            listing.more = true;
            break;
        }
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            name.push('/');
        }
        listing.names.push(name);
    }
    Ok(listing)
}

/// Where a walk starts: really below the root.
pub(crate) fn start(root: &Path, below: &str) -> Result<PathBuf, WalkError> {
    let missing = || WalkError::Missing(below.to_owned());
    let start = root.join(below).canonicalize().map_err(|_| missing())?;
    if start.starts_with(root) { Ok(start) } else { Err(missing()) }
}

/// The entries at and below a place, in the order of their names.
pub(crate) fn walk(
    tree: Tree<'_>,
    start: &Path,
    depth: Option<usize>,
    names: Option<&str>,
) -> Result<impl Iterator<Item = DirEntry>, WalkError> {
    let mut builder = WalkBuilder::new(start);
    // The walker reads no file by itself: it would wait for a pipe that has the name of one.
    builder.standard_filters(false).follow_links(false);
    builder.max_depth(depth).sort_by_file_name(std::ffi::OsStr::cmp);
    let ignored = Ignored::of(tree);
    builder.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.file_name() != ".git" && !ignored.leaves_out(entry.path(), is_folder)
    });
    if let Some(pattern) = names {
        let broken =
            |error: ignore::Error| WalkError::Pattern { pattern: pattern.to_owned(), why: error.to_string() };
        let mut overrides = OverrideBuilder::new(tree.root);
        // A leading `!` would turn the pattern round.
        overrides.add(pattern.trim_start_matches('!')).map_err(broken)?;
        builder.overrides(overrides.build().map_err(broken)?);
    }
    let walk: Walk = builder.build();
    Ok(walk.flatten().take(MOST_LOOKED_AT))
}

/// The name of an entry relative to the root; `None` where it is not text, or is the root.
pub(crate) fn name_of(root: &Path, entry: &DirEntry) -> Option<String> {
    let below = entry.path().strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/")).filter(|name| !name.is_empty())
}
