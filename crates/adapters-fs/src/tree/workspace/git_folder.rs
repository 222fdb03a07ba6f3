//! Which folders git keeps a repository in, whatever they are called. Only the way from the root to a path is looked at,
//! never a tree.

use std::path::Path;

use bailiwick_domain::RepoPath;

/// The name under which such a folder is protected.
const GIT: &str = ".git";

/// Finds the folders in which git keeps repositories.
#[derive(Clone, Debug, Default)]
pub(super) struct GitFolders {
    /// The governed repository's own folder relative to the root, when it lies below it.
    own: Option<String>,
}

impl GitFolders {
    /// The governed repository keeps its files here.
    pub(super) fn governed(root: &Path, common_dir: &Path) -> Self {
        let own = common_dir.strip_prefix(root).ok().and_then(Path::to_str);
        Self { own: own.map(str::to_owned) }
    }

    /// The path with the name of the outermost such folder replaced by `.git`; `None` without one. A folder that holds
    /// the governed repository's own counts as that one: whoever moves it takes the repository along.
    pub(super) fn named_plainly(&self, root: &Path, path: &RepoPath) -> Option<String> {
        let text = path.as_str();
        if let Some(own) = &self.own {
            let below =
                |whole: &str, part: &str| whole.strip_prefix(part).is_some_and(|rest| rest.starts_with('/'));
            if text == own || below(own, text) {
                return Some(GIT.to_owned());
            }
            if below(text, own) {
                return text.get(own.len()..).map(|rest| format!("{GIT}{rest}"));
            }
        }
        let ends = text.match_indices('/').map(|(end, _)| end);
        ends.filter_map(|end| Some((text.get(..end)?, text.get(end + 1..)?))).find_map(|(folder, rest)| {
            let above = folder.rsplit_once('/').map_or(String::new(), |(above, _)| format!("{above}/"));
            is_repository(&root.join(folder), rest).then(|| format!("{above}{GIT}/{rest}"))
        })
    }
}

/// Whether git would take the folder for a repository once the path `rest` is there.
fn is_repository(folder: &Path, rest: &str) -> bool {
    let next = rest.split('/').next().unwrap_or_default();
    let has = |name: &str| next == name || exists(&folder.join(name));
    has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
