//! Which folder may be governed: a working copy's top, or a folder outside of git that is not a whole home.

use std::path::Path;

use bailiwick_adapters_git::discover;

use crate::command::{CommandError, Context};
use crate::site::Site;
use crate::user_state;

/// The site to govern.
///
/// # Errors
/// The folder is missing, lies inside a working copy, or is far too big to be meant.
pub(super) fn to_govern(context: &Context) -> Result<Site, CommandError> {
    let site = context.place()?;
    let root = site.layout.root();
    if !root.is_dir() {
        return Err(CommandError::Usage(format!("{}: no such folder", root.display())));
    }
    // A working copy may lie in the bare repository that it belongs to.
    if site.git.is_none()
        && let Some(bare) = root.ancestors().find(|folder| is_git_folder(folder))
    {
        let bare = bare.display();
        return Err(CommandError::Usage(format!("{bare}: a bare repository has no files to govern")));
    }
    if site.git.is_none()
        && let Some(outer) = discover(root).map_err(|error| CommandError::io(root.display(), error))?
    {
        let top = outer.worktree_root.display();
        return Err(CommandError::Usage(format!(
            "{} lies inside the working copy {top}: run `bailiwick init --root {top}`",
            root.display()
        )));
    }
    if context.root.is_none() && site.git.is_none() && is_whole_home(root) {
        let root = root.display();
        return Err(CommandError::Usage(format!(
            "{root} is no repository; to govern everything in it, say so: `bailiwick init --root {root}`"
        )));
    }
    Ok(site)
}

/// Whether git keeps its own files here: a bare repository, or the folder `.git` of another one.
fn is_git_folder(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && ["objects", "refs"].iter().all(|name| folder.join(name).is_dir())
}

fn is_whole_home(root: &Path) -> bool {
    let home = user_state::home().and_then(|home| home.canonicalize().ok());
    root.parent().is_none() || home.is_some_and(|home| home.starts_with(root))
}
