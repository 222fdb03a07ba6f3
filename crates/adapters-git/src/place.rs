//! Where a repository is: its working copy, its git directory and the common directory that is its identity.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{is_absent, path_of, read_small, unless_failed, without_line_end};

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
    /// The files of configuration that are the repository's own.
    pub(crate) fn own_files(&self) -> [PathBuf; 2] {
        [self.common_dir.join("config"), self.git_dir.join("config.worktree")]
    }
}

/// The repository whose working copy holds `start`, an absolute path that need not exist yet.
///
/// Symlinks in the part that exists are followed first. A `.git` that is no repository (an empty folder, a file that
/// points nowhere, a device) is passed over and the search goes on upwards, so that planting one inside a governed
/// root takes nothing out of it. A bare repository has no working copy and is not found.
///
/// # Errors
/// The system could not say what is there. That must not count as *nothing there*, or a broken root would be
/// ungoverned.
pub fn discover(start: &Path) -> io::Result<Option<GitPlace>> {
    if !start.is_absolute() {
        return Ok(None);
    }
    let Some(existing) = start.ancestors().find_map(|ancestor| fs::canonicalize(ancestor).ok()) else {
        return Ok(None);
    };
    for root in existing.ancestors() {
        if let Some(place) = place_at(root)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// The repository whose working copy has its top here.
pub(crate) fn place_at(root: &Path) -> io::Result<Option<GitPlace>> {
    let entry = root.join(".git");
    let Some(itself) = unless_failed(fs::symlink_metadata(&entry))? else { return Ok(None) };
    let git_dir = if itself.is_dir() { Some(entry) } else { git_dir_behind(root, &entry)? };
    let Some(git_dir) = git_dir else { return Ok(None) };
    let Some(common_dir) = common_dir_of(&git_dir)? else { return Ok(None) };
    let place = GitPlace {
        worktree_root: root.to_path_buf(),
        git_is_symlink: itself.is_symlink(),
        git_dir,
        common_dir,
    };
    Ok(is_repository(&place)?.then_some(place))
}

/// The git directory that a link or a file leads to.
fn git_dir_behind(root: &Path, entry: &Path) -> io::Result<Option<PathBuf>> {
    let Some(target) = unless_failed(fs::metadata(entry))? else { return Ok(None) };
    if !target.is_file() {
        return unless_failed(fs::canonicalize(entry));
    }
    match unless_failed(read_small(entry))?.as_deref().and_then(git_file_target) {
        Some(named) => unless_failed(fs::canonicalize(root.join(named))),
        None => Ok(None),
    }
}

/// What a `.git` file (`gitdir: PATH`) points at, as written.
fn git_file_target(text: &[u8]) -> Option<PathBuf> {
    path_of(without_line_end(text.strip_prefix(b"gitdir: ")?))
}

fn common_dir_of(git_dir: &Path) -> io::Result<Option<PathBuf>> {
    match read_small(&git_dir.join("commondir")) {
        Ok(text) => match path_of(without_line_end(&text)) {
            Some(named) => unless_failed(fs::canonicalize(git_dir.join(named))),
            None => Ok(None),
        },
        Err(error) if is_absent(&error) => Ok(Some(git_dir.to_path_buf())),
        Err(error) => unless_failed(Err(error)),
    }
}

/// What git itself asks for before it believes that a folder is a repository.
fn is_repository(place: &GitPlace) -> io::Result<bool> {
    let is_dir =
        |path: PathBuf| unless_failed(fs::metadata(path)).map(|found| found.is_some_and(|it| it.is_dir()));
    Ok(unless_failed(fs::symlink_metadata(place.git_dir.join("HEAD")))?.is_some()
        && is_dir(place.common_dir.join("objects"))?
        && is_dir(place.common_dir.join("refs"))?)
}
