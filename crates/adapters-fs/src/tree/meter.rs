//! The files of the working copy, for measuring a scope (the port `ScopeMeter`) and for finding lines.
//!
//! Walks the tree, so it is never used on the way of an ordinary call. Ignored files do not count; hidden ones do.

use std::path::{MAIN_SEPARATOR, Path, is_separator};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use bailiwick_domain::{PortError, RepoPath, ScopeMeter, TreeListing};
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::files::Layout;
use crate::tree::past::FsPastCache;

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

    async fn past(&self) -> Vec<Vec<RepoPath>> {
        let kept = FsPastCache::new(&self.layout).read().map(|kept| kept.commits).unwrap_or_default();
        let paths = |files: Vec<String>| files.iter().filter_map(|file| RepoPath::new(file).ok()).collect();
        kept.into_iter().map(|commit| paths(commit.files)).collect()
    }
}

/// The governed files below a root, in no order.
pub(crate) fn files_below(root: &Path) -> impl Iterator<Item = (RepoPath, DirEntry)> {
    let files = walk(root).build().filter_map(Result::ok).filter(is_file);
    files.filter_map(move |entry| Some((relative(root, entry.path())?, entry)))
}

/// The same, looked at by several threads at once. Each gathers into a value of its own; those come back in no order.
pub(crate) fn gather_below<T: Default + Send>(
    root: &Path,
    take: impl Fn(&mut T, RepoPath, &DirEntry) -> WalkState + Sync,
) -> Vec<T> {
    let gathered = Mutex::new(Vec::new());
    let take = &take;
    walk(root).build_parallel().run(|| {
        let mut own = Gathering { own: T::default(), into: &gathered };
        Box::new(move |entry| {
            let file = entry.ok().filter(is_file);
            let found = file.and_then(|entry| Some((relative(root, entry.path())?, entry)));
            found.map_or(WalkState::Continue, |(path, entry)| take(&mut own.own, path, &entry))
        })
    });
    gathered.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread gathers; it is handed over when the thread is done.
struct Gathering<'g, T: Default> {
    own: T,
    into: &'g Mutex<Vec<T>>,
}

impl<T: Default> Drop for Gathering<'_, T> {
    fn drop(&mut self) {
        let mut all = self.into.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(std::mem::take(&mut self.own));
    }
}

/// What counts is the repository's own: a person's or a parent folder's ignore rules would make two machines see
/// different trees.
fn walk(root: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(root);
    walk.hidden(false).parents(false).git_global(false).git_exclude(false).require_git(false);
    walk.filter_entry(|entry| entry.file_name() != ".git");
    walk
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| !kind.is_dir())
}

fn relative(root: &Path, path: &Path) -> Option<RepoPath> {
    // The walk only appends names to the root.
    let below = path.as_os_str().as_encoded_bytes().strip_prefix(root.as_os_str().as_encoded_bytes())?;
    let text = str::from_utf8(below).ok()?.trim_start_matches(is_separator);
    match MAIN_SEPARATOR {
        '/' => RepoPath::new(text).ok(),
        other => RepoPath::new(&text.replace(other, "/")).ok(),
    }
}
