//! Who wrote each line of a file, by the way that it came: entry by entry as long as one begins with what another left,
//! and by a comparison of texts where something else changed the file in between.
//!
//! A content that comes back as a whole keeps its writers. What no text tells stays unknown. Deliberately absent: likeness
//! without a way (`blame`), copies from other files (`copies`), reading files and asking version control.

mod compare;
mod copies;
mod runs;
#[cfg(test)]
mod tests;
mod walk;

use std::rc::Rc;

use bailiwick_domain::{ChangedFile, ContentHash, RepoPath, StoredEntry, Timestamp};

pub use compare::stayed;
use walk::Walk;

/// Contents of files from before, as far as they were kept.
pub trait Contents: std::fmt::Debug {
    /// The content with that hash that the file at that path once had.
    fn text(&self, path: &RepoPath, hash: &ContentHash) -> Option<Rc<[u8]>>;
    /// What version control had before the commit that first brought this content there.
    fn parents(&self, path: &RepoPath, hash: &ContentHash) -> Vec<Committed>;
    /// The commit that first had this content there.
    fn first_commit(&self, path: &RepoPath, hash: &ContentHash) -> Option<Committed>;
    /// Whether a revision is that commit, or comes after it.
    fn follows(&self, revision: &str, commit: &str) -> bool;
    /// What a commit has there; without one the commit that the working copy stands on.
    fn committed(&self, revision: Option<&str>, path: &RepoPath) -> Option<Committed>;
    /// Whether version control shows that the content was at the one path before it was at the other.
    fn shows_move(&self, from: &RepoPath, to: &RepoPath, content: &ContentHash) -> bool;
    /// Whether a commit is known, so that what it does not have was not there.
    fn knows(&self, revision: &str) -> bool;
    /// Where the commit that first had this content there moved the file from, if it did.
    fn moved_from(&self, _path: &RepoPath, _content: &ContentHash) -> Option<Moved> {
        None
    }
}

/// A content of a file that version control keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The commit.
    pub id: String,
    /// Its hash.
    pub content: ContentHash,
    /// When it was committed.
    pub at: Timestamp,
    /// Whether the commit says that it takes another one back.
    pub takes_back: bool,
}

/// A file under the name that it had before a commit moved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The name.
    pub path: RepoPath,
    /// What was there before that commit.
    pub then: Committed,
    /// Whether it can be no other file.
    pub is_certain: bool,
}

/// Where a line is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Came<'a> {
    /// The entry that wrote it.
    pub stored: &'a StoredEntry,
    /// The file of the entry.
    pub file: &'a ChangedFile,
    /// Which line it was then, counted from 0.
    pub line: usize,
    /// How that is known.
    pub how: How,
}

/// How the way of a line is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Without a gap that leaves a doubt.
    Proved,
    /// Over a gap or beside a change where another way is as good.
    Likely,
    /// Lines of another file are the same, and were there first.
    Copied,
}

/// Where each line of a file is from, `None` where nothing tells; entries come newest first.
pub fn lineage<'a>(
    path: &RepoPath,
    text: &[u8],
    entries: &'a [StoredEntry],
    contents: &dyn Contents,
) -> Vec<Option<Came<'a>>> {
    let mut walk = Walk::new(entries, contents);
    let mut lines = walk.whole(path, text);
    copies::find(path, text, &mut lines, &mut walk);
    lines.into_iter().map(|origin| origin.and_then(|origin| walk.told(origin))).collect()
}
