//! The files of the working copy, for measuring a scope: the port `ScopeMeter`. Walks the tree, so it is never used on
//! the way of an ordinary call. Ignored files do not count; hidden ones do.

use std::path::{Component, Path};

use async_trait::async_trait;
use bailiwick_domain::{PortError, RepoPath, ScopeMeter, TreeListing};
use ignore::WalkBuilder;

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
        let root = self.layout.root();
        // What counts is the repository's own: a person's or a parent folder's ignore rules would make the same
        // draft measure differently on two machines.
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .parents(false)
            .git_global(false)
            .git_exclude(false)
            .require_git(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        let mut listing = TreeListing { files: Vec::new(), is_complete: true };
        for entry in walk.filter_map(Result::ok) {
            if entry.file_type().is_none_or(|kind| kind.is_dir()) {
                continue;
            }
            if listing.files.len() == MOST_FILES {
                listing.is_complete = false;
                break;
            }
            listing.files.extend(relative(root, entry.path()));
        }
        listing.files.sort();
        Ok(listing)
    }
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
