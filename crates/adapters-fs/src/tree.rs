//! The files of the working copy, for measuring a scope (the port `ScopeMeter`) and for finding lines. Walks the tree, so it is never used on
//! the way of an ordinary call. Ignored files do not count; hidden ones do.

use std::path::{Component, Path};

use async_trait::async_trait;
use bailiwick_domain::{PortError, RepoPath, ScopeMeter, TreeListing};
use ignore::{DirEntry, WalkBuilder};

use crate::layout::Layout;

/// How many files are looked at; a larger tree is listed in part, and the listing says so.
const MOST_FILES: usize = 50_000;

/// The files of one governed root.
#[derive(Clone, Debug)]
pub struct FsScopeMeter {
    layout: Layout,
}

impl FsScopeMeter {
    /// The meter of this root.
    pub fn new(layout: Layout) -> Self {
        Self { layout }
    }
}

#[async_trait]
impl ScopeMeter for FsScopeMeter {
    async fn tree(&self) -> Result<TreeListing, PortError> {
        let mut listing = TreeListing { files: Vec::new(), is_complete: true };
        for (path, _) in files_below(self.layout.root()) {
            if listing.files.len() == MOST_FILES {
                listing.is_complete = false;
                break;
            }
            listing.files.push(path);
        }
        listing.files.sort();
        Ok(listing)
    }
}

/// The governed files below a root, in no order. What counts is the repository's own: a person's or a parent folder's
/// ignore rules would make two machines see different trees.
pub(crate) fn files_below(root: &Path) -> impl Iterator<Item = (RepoPath, DirEntry)> {
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    let files =
        walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()));
    files.filter_map(move |entry| Some((relative(root, entry.path())?, entry)))
}

fn relative(root: &Path, path: &Path) -> Option<RepoPath> {
    let mut text = String::new();
    for component in path.strip_prefix(root).ok()?.components() {
        let Component::Normal(name) = component else { return None };
        if !text.is_empty() {
            text.push('/');
        }
        text.push_str(name.to_str()?);
    }
    RepoPath::new(&text).ok()
}
