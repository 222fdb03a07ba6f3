//! Where a repository is: its working copy, its git directory and the common directory that is its identity (D-14).

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{is_absent, path_of, read_small, without_line_end};

/// A repository with a working copy. All paths are absolute and free of symlinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitPlace {
    /// The top of the working copy.
    pub worktree_root: PathBuf,
    /// Where `HEAD` and the index of this working copy are.
    pub git_dir: PathBuf,
    /// What all working copies of the repository share; the identity of a governed root.
    pub common_dir: PathBuf,
    /// Whether `.git` is a symlink, which is unusual enough to be reported.
    pub git_is_symlink: bool,
}

impl GitPlace {
    /// Whether this is a working copy added by `git worktree add`.
    pub fn is_linked_worktree(&self) -> bool {
        self.git_dir != self.common_dir
    }
}

/// The repository whose working copy holds `start`, an absolute path that need not exist yet.
///
/// Symlinks in the part that exists are followed first. A `.git` that is no repository (an empty folder, a file that
/// points nowhere, a device) is passed over and the search goes on upwards, so that planting one inside a governed
/// root takes nothing out of it. A bare repository has no working copy and is not found.
pub fn discover(start: &Path) -> Option<GitPlace> {
    if !start.is_absolute() {
        return None;
    }
    let existing = start.ancestors().find_map(|ancestor| fs::canonicalize(ancestor).ok())?;
    existing.ancestors().find_map(place_at)
}

fn place_at(root: &Path) -> Option<GitPlace> {
    let entry = root.join(".git");
    let itself = fs::symlink_metadata(&entry).ok()?;
    let target = if itself.is_symlink() { fs::metadata(&entry).ok()? } else { itself.clone() };
    let git_dir = if target.is_file() {
        fs::canonicalize(root.join(git_file_target(&entry)?)).ok()?
    } else if itself.is_symlink() {
        fs::canonicalize(&entry).ok()?
    } else {
        entry
    };
    let common_dir = common_dir_of(&git_dir)?;
    is_repository(&git_dir, &common_dir).then(|| GitPlace {
        worktree_root: root.to_path_buf(),
        git_dir,
        common_dir,
        git_is_symlink: itself.is_symlink(),
    })
}

/// What a `.git` file (`gitdir: PATH`) points at, as written.
fn git_file_target(file: &Path) -> Option<PathBuf> {
    let text = read_small(file).ok()?;
    path_of(without_line_end(text.strip_prefix(b"gitdir: ")?))
}

fn common_dir_of(git_dir: &Path) -> Option<PathBuf> {
    match read_small(&git_dir.join("commondir")) {
        Ok(text) => fs::canonicalize(git_dir.join(path_of(without_line_end(&text))?)).ok(),
        Err(error) if is_absent(&error) => Some(git_dir.to_path_buf()),
        Err(_) => None,
    }
}

/// What git itself asks for before it believes that a folder is a repository.
fn is_repository(git_dir: &Path, common_dir: &Path) -> bool {
    fs::symlink_metadata(git_dir.join("HEAD")).is_ok()
        && common_dir.join("objects").is_dir()
        && common_dir.join("refs").is_dir()
}
