//! The folder of a project whose specs are imported, and which part of it a person named.

use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::FsDocuments;
use bailiwick_adapters_specs::{MOST_DOCUMENTS, PLACES, Place, Tool};

use super::kinds;
use crate::command::CommandError;

/// So far up is looked for the folder of the project.
const HIGHEST: usize = 6;

/// A project with specs.
pub(super) struct Project {
    /// Its folder, free of links.
    pub(super) base: PathBuf,
    /// What paths begin with.
    pub(super) place: Place,
    /// What a person named of it: names begin with it; empty for all.
    part: String,
    /// The folder, for a person.
    pub(super) shown: String,
}

impl Project {
    /// The project that a path is, or is in. `root` is that of the governed repository.
    pub(super) fn find(root: &Path, named: Option<&Path>) -> Result<Self, CommandError> {
        let shown = named.map_or_else(|| ".".to_owned(), |path| path.display().to_string());
        let path = match named {
            None => root.to_path_buf(),
            Some(path) => path.canonicalize().map_err(|_| {
                CommandError::Usage(format!("there is no folder `{}`", crate::inert::line(&shown)))
            })?,
        };
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(root).to_path_buf() };
        let above = folder.ancestors().take(HIGHEST);
        let base =
            above.into_iter().find(|base| is_project(base) && is_place(base, &folder)).unwrap_or(&folder);
        let part = relative(base, &folder).unwrap_or_default();
        let inside = relative(root, base);
        let place = match inside {
            Some(below) => Place { specs: below.clone(), paths: below },
            None => {
                let name =
                    base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                Place { specs: format!("{name}/"), paths: String::new() }
            }
        };
        Ok(Self { base: base.to_path_buf(), place, part, shown })
    }

    /// Whether a person named this file, or a folder above it.
    pub(super) fn has(&self, name: &str) -> bool {
        name.starts_with(&self.part)
    }

    /// The name of a file of the project, as the intents file has it.
    pub(super) fn named(&self, name: &str) -> String {
        format!("{}{name}", self.place.specs)
    }

    /// Whether specs of that name, as the intents file has it, were looked for.
    pub(super) fn covers(&self, path: &str) -> bool {
        let name = path.strip_prefix(&self.place.specs);
        let is_there = |name: &str| PLACES.iter().any(|place| name.split('/').next() == Some(*place));
        name.is_some_and(|name| is_there(name) && self.has(name))
    }

    /// The kind of specs that a person named, or the only one that is there.
    pub(super) fn tool(&self, named: Option<Tool>, names: &[String]) -> Result<Tool, CommandError> {
        let shown = crate::inert::line(&self.shown);
        let names: Vec<String> = names.iter().filter(|name| self.has(name)).cloned().collect();
        let kinds = kinds(&names);
        let listed = |kinds: &[Tool]| kinds.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(" and ");
        match (named, kinds.as_slice()) {
            (Some(tool), kinds) if kinds.contains(&tool) => Ok(tool),
            (Some(tool), kinds) => {
                let there = if kinds.is_empty() {
                    String::new()
                } else {
                    format!("; there are those of {}", listed(kinds))
                };
                Err(CommandError::Other(format!(
                    "there are no specs of {} in `{shown}` ({}){there}",
                    tool.name(),
                    tool.place()
                )))
            }
            (None, [tool]) => Ok(*tool),
            (None, []) => {
                let known = Tool::ALL.iter().map(|tool| format!("{} ({})", tool.place(), tool.name()));
                let known = known.collect::<Vec<_>>().join(", ");
                Err(CommandError::Other(format!("there are no specs in `{shown}`; looked for {known}")))
            }
            (None, kinds) => Err(CommandError::Usage(format!(
                "there are specs of {} in `{shown}`; say which: {}",
                listed(kinds),
                kinds
                    .iter()
                    .map(|tool| format!("`bailiwick intent import {} {shown}`", tool.word()))
                    .collect::<Vec<_>>()
                    .join(" or ")
            ))),
        }
    }
}

/// Whether a folder has specs, and does not lie where the specs of another are: `openspec` and its changes hold `specs`,
/// too.
fn is_project(folder: &Path) -> bool {
    let is_place = |name: &std::ffi::OsStr| PLACES.iter().any(|place| name == *place);
    let holds_specs =
        |above: &Path| above.file_name().is_some_and(is_place) && above.parent().is_some_and(has_specs);
    has_specs(folder) && !folder.ancestors().take(HIGHEST).any(holds_specs)
}

/// Whether there are specs below a folder.
fn has_specs(folder: &Path) -> bool {
    let has_place = PLACES.iter().any(|place| folder.join(place).is_dir());
    has_place && !kinds(&FsDocuments::new(folder).names(PLACES, MOST_DOCUMENTS).0).is_empty()
}

/// Whether a folder is the project's, or lies where specs are.
fn is_place(base: &Path, folder: &Path) -> bool {
    let below = relative(base, folder).unwrap_or_default();
    below.is_empty() || PLACES.iter().any(|place| below.split('/').next() == Some(*place))
}

/// The way from one folder to another below it, with `/` at the end where there is one.
fn relative(from: &Path, to: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = to.strip_prefix(from).ok()?.iter().map(|part| part.to_str()).collect();
    let way = parts?.join("/");
    Some(if way.is_empty() { way } else { format!("{way}/") })
}
