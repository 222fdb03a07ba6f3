//! Documents below a folder that need not be governed, such as specs of another tool: their names, and what they say.
//! Within bounds, and never through a link that leads out of the folder.

use std::path::{Path, PathBuf};

use bailiwick_domain::{PortError, RepoPath};
use ignore::WalkBuilder;

use super::workspace::FsWorkspace;
use crate::files::Layout;

/// So deep is looked.
const DEEPEST: usize = 8;
/// So many entries are looked at in one folder of those that are named.
const MOST_LOOKED_AT: usize = 100_000;

/// Folders in which nobody keeps documents of their own.
const PASSED_OVER: &[&str] = &[".git", "node_modules", "target", ".venv"];

/// The documents below one folder.
#[derive(Debug)]
pub struct FsDocuments {
    root: PathBuf,
    workspace: FsWorkspace,
}

/// Why a document is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotRead {
    /// It is longer than that.
    #[error("it is larger than {0} KiB")]
    TooLarge(u64),
    /// It is no text.
    #[error("it is not UTF-8")]
    NotText,
    /// It is no file, or a link that leads elsewhere.
    #[error("it is no file, or a link that leads elsewhere")]
    NoFile,
    /// The system says no.
    #[error("{0}")]
    Failed(String),
}

impl FsDocuments {
    /// The documents below that folder, whose path is free of links.
    pub fn new(root: &Path) -> Self {
        let layout = Layout::new(root, root.join(".git/bailiwick"), None);
        Self { root: root.to_path_buf(), workspace: FsWorkspace::at_real_root(&layout) }
    }

    /// The names of the Markdown files below these folders, sorted, with `/` between; at most so many, and whether those
    /// are all.
    pub fn names(&self, places: &[&str], most: usize) -> (Vec<String>, bool) {
        let mut names = Vec::new();
        let mut is_complete = true;
        for place in places {
            let start = self.root.join(place);
            let is_folder = start.symlink_metadata().is_ok_and(|found| found.is_dir());
            if !is_folder {
                continue;
            }
            let mut walk = WalkBuilder::new(&start);
            walk.standard_filters(false).follow_links(false).max_depth(Some(DEEPEST));
            walk.filter_entry(|entry| !PASSED_OVER.iter().any(|name| entry.file_name() == *name));
            for (count, entry) in walk.build().flatten().enumerate() {
                if count >= MOST_LOOKED_AT || names.len() >= most {
                    is_complete = false;
                    break;
                }
                let is_markdown = entry.path().extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
                let is_folder = entry.file_type().is_none_or(|kind| kind.is_dir());
                names.extend(self.name(entry.path()).filter(|_| is_markdown && !is_folder));
            }
        }
        names.sort_unstable();
        (names, is_complete)
    }

    fn name(&self, path: &Path) -> Option<String> {
        let parts: Option<Vec<&str>> =
            path.strip_prefix(&self.root).ok()?.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    /// What a document says.
    ///
    /// # Errors
    /// It is too long, no text, no file below the folder, or cannot be read.
    pub fn read(&self, name: &str, limit: u64) -> Result<String, NotRead> {
        let path = RepoPath::new(name).map_err(|_| NotRead::NoFile)?;
        let bytes = match self.workspace.content(&path, limit) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(NotRead::NoFile),
            Err(PortError::TooLarge { .. }) => return Err(NotRead::TooLarge(limit / 1024)),
            Err(error) => return Err(NotRead::Failed(error.to_string())),
        };
        String::from_utf8(bytes).map_err(|_| NotRead::NotText)
    }
}
