//! Where a `cd` of a line leads: out of the root, through a link, or to no folder.

use std::path::{Component, Path, PathBuf};

use bailiwick_domain::{FileState, Location, Moves, RepoPath, ToolCall};

use crate::gathering::Gathering;
use crate::gathering::case::{folder_of, in_folder};

impl Gathering<'_> {
    /// Why a `cd` does not surely lead to a folder of the root. A shell goes back by names behind `a/..`; where `a` is a link, what
    /// it starts goes back from where that leads.
    pub(super) async fn leaves(&self, call: &ToolCall, moved: &str) -> Option<String> {
        let place = folder_of(self.workspace.locate(moved, call.cwd.as_deref()).await);
        if place.is_none() {
            return Some(format!("`cd {moved}` leaves the governed root"));
        }
        let named = by_names(moved).filter(|named| named != moved)?;
        let place_by_names = folder_of(self.workspace.locate(&named, call.cwd.as_deref()).await);
        (place != place_by_names)
            .then(|| format!("`cd {moved}` goes through a link, and may lead to another folder"))
    }

    /// The first folder of a line that its shell may not come to. One that resolves `..` itself needs each folder before it; what a
    /// command may have taken away is there only where it is the root.
    pub(crate) async fn missing_folder(
        &self,
        call: &ToolCall,
        moves: &Moves,
        cwd: Option<&str>,
    ) -> Option<String> {
        for needed in &moves.needs {
            let folder = in_folder(cwd, needed);
            let is_there = match moves.doubted.contains(needed) {
                true => self.workspace.locate(&folder, call.cwd.as_deref()).await == Location::Root,
                false => self.is_way(call, &folder).await,
            };
            if !is_there {
                return Some(folder);
            }
        }
        None
    }

    /// Whether each folder on the way to one is there.
    async fn is_way(&self, call: &ToolCall, folder: &str) -> bool {
        let root = self.workspace.root();
        for part in Path::new(folder).ancestors().filter(|part| !part.as_os_str().is_empty()) {
            let place = self.workspace.locate(&part.to_string_lossy(), call.cwd.as_deref()).await;
            if !self.is_folder_at(&place).await && !Path::new(&root).starts_with(part) {
                return false;
            }
        }
        true
    }

    /// Whether a folder is spelled otherwise than where it is, so that what is spelled from there may be something else.
    pub(crate) async fn goes_through_a_link(&self, call: &ToolCall, folder: &str) -> bool {
        let place = folder_of(self.workspace.locate(folder, call.cwd.as_deref()).await);
        let Some(named) = by_names(folder) else { return true };
        let root = self.workspace.root();
        let below = Path::new(&named).strip_prefix(&root).unwrap_or(Path::new(&named));
        let spelled = below.to_str().filter(|below| !matches!(*below, "" | "."));
        place.is_none_or(|place| place.as_ref().map(RepoPath::as_str) != spelled)
    }

    /// Whether a folder of the root is at a place.
    pub(crate) async fn is_folder_at(&self, place: &Location) -> bool {
        match place {
            Location::Root => true,
            Location::Inside(found) => {
                self.workspace.state(&found.path).await.is_ok_and(|state| state == FileState::Other)
            }
            _ => false,
        }
    }
}

/// A folder without the `..` behind other names.
fn by_names(folder: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for part in Path::new(folder).components() {
        let goes_back = part == Component::ParentDir
            && matches!(path.components().next_back(), Some(Component::Normal(_)));
        if goes_back {
            path.pop();
        } else {
            path.push(part);
        }
    }
    let path = if path.as_os_str().is_empty() { ".".into() } else { path };
    path.to_str().map(str::to_owned)
}
