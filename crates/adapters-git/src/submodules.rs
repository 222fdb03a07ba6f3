//! The submodules of a repository: git looks into them when it reads, and obeys what it finds there.
//!
//! The settings of one are among git's own files (`modules`), or in a repository that lies in the working copy. The index
//! says where those are, so that no folder is searched.

use std::path::{Path, PathBuf};

use crate::config;
use crate::index;
use crate::meaning::{names_program, starts_helper};
use crate::nested;
use crate::place::{GitPlace, place_at};

/// How many submodules, and how many folders of them, are looked at.
const MOST: usize = 256;

/// What keeps a repository from being believed, of what its submodules have.
pub(crate) fn fault(place: &GitPlace, home: Option<&Path>) -> Option<String> {
    kept(&place.common_dir.join("modules"), home).or_else(|| populated(place, home))
}

/// Those whose repositories are kept among git's own files.
fn kept(modules: &Path, home: Option<&Path>) -> Option<String> {
    let mut folders = vec![modules.to_owned()];
    let mut looked = 0_usize;
    while let Some(folder) = folders.pop() {
        for below in folders_in(&folder) {
            looked += 1;
            if looked > MOST {
                return Some(format!("git has more than {MOST} folders of submodules"));
            }
            if let Some(why) = kept_fault(&below, home) {
                return Some(why);
            }
            folders.push(below);
        }
    }
    None
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    const PARTS: &[&str] = &["objects", "refs", "logs", "hooks", "info"];
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let is_meant = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        !PARTS.iter().any(|part| name == *part) && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    entries.filter(is_meant).map(|entry| entry.path()).collect()
}

fn kept_fault(folder: &Path, home: Option<&Path>) -> Option<String> {
    match config::read(&[folder.join("config"), folder.join("config.worktree")], home) {
        Err(why) => Some(format!("a submodule's configuration cannot be read: {why}")),
        Ok(settings) => {
            let setting = settings.iter().find(|it| names_program(it) || starts_helper(it))?;
            let (name, file) = (setting.name(), setting.file.display());
            Some(format!("`{name}` names a program in {file}"))
        }
    }
}

/// Those that are there in the working copy, and theirs in turn.
fn populated(place: &GitPlace, home: Option<&Path>) -> Option<String> {
    let mut places = vec![place.clone()];
    let mut seen = vec![place.git_dir.clone()];
    while let Some(outer) = places.pop() {
        let Some(paths) = paths_of(&outer, home) else {
            let shown = outer.worktree_root.display();
            return Some(format!("the submodules of {shown} are not understood"));
        };
        for path in paths {
            match inner(&outer.worktree_root.join(&path), home) {
                Ok(Some(found)) if !seen.contains(&found.git_dir) => {
                    seen.push(found.git_dir.clone());
                    places.push(found);
                }
                Ok(_) => {}
                Err(why) => return Some(format!("the submodule {} {why}", path.display())),
            }
            if seen.len() > MOST {
                return Some(format!("there are more than {MOST} submodules"));
            }
        }
    }
    None
}

/// Where submodules are: as the index says, and `.gitmodules`, whose commits may have them where the index has none.
fn paths_of(place: &GitPlace, home: Option<&Path>) -> Option<Vec<PathBuf>> {
    let mut paths = index::submodules(&place.git_dir)?;
    let named = config::read(&[place.worktree_root.join(".gitmodules")], home).ok()?;
    let named = named.into_iter().filter(|setting| setting.key == "submodule.path");
    paths.extend(named.map(|setting| PathBuf::from(setting.value)));
    paths.sort_unstable();
    paths.dedup();
    Some(paths)
}

/// The repository in a submodule's folder, if it is there, and what is wrong with it.
fn inner(folder: &Path, home: Option<&Path>) -> Result<Option<GitPlace>, String> {
    let place = place_at(folder).map_err(|error| format!("cannot be looked at ({error})"))?;
    let at_fault = match &place {
        Some(place) => nested::fault(place, None, home).map(|why| format!("is {why}")),
        None => nested::unknown(folder).map(str::to_owned),
    };
    at_fault.map_or(Ok(place), Err)
}
