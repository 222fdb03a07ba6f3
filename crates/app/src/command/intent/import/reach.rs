//! What of a proposed scope is worth a person's look: no pattern that only a person changes, and no bare name of which
//! nobody knows the file.

use bailiwick_adapters_fs::FsScopeMeter;
use bailiwick_adapters_specs::Left;
use bailiwick_domain::{IntentRecord, ScopeMeter as _, ScopePattern};
use bailiwick_policy::breadth::names_protected;

use crate::command::CommandError;
use crate::site::Site;

/// The files of the repository below the folder of the project.
pub(super) struct Reach<'p> {
    folder: &'p str,
    /// Nothing where there are more than are listed.
    files: Option<Vec<String>>,
}

impl<'p> Reach<'p> {
    pub(super) fn of(site: &Site, folder: &'p str) -> Result<Self, CommandError> {
        let listing = pollster::block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
        let files = listing.files.iter().map(|path| path.as_str().to_owned());
        let files = files.filter(|path| path.starts_with(folder)).collect();
        Ok(Self { folder, files: listing.is_complete.then_some(files) })
    }

    /// Keeps of the proposed scope what can be accepted, and says why the rest is left out.
    pub(super) fn narrow(&self, record: &mut IntentRecord, left: &mut Vec<Left>) {
        let source = record.source.clone().unwrap_or_default();
        let mut kept: Vec<String> = Vec::new();
        for path in std::mem::take(&mut record.proposed_scope) {
            match self.placed(&path).and_then(|path| allowed(&path)) {
                Ok(pattern) if !kept.contains(&pattern) => kept.push(pattern),
                Ok(_) => {}
                Err(why) => {
                    let why = format!("`{path}` is not proposed for {}: {why}", record.id);
                    left.push(Left { path: source.path.clone(), line: 0, why });
                }
            }
        }
        record.proposed_scope = kept;
    }

    /// The path, where it is in a folder, or is the only one of its name.
    fn placed(&self, path: &str) -> Result<String, String> {
        let name = path.strip_prefix(self.folder).unwrap_or(path).replace('\\', "");
        let Some(files) = self.files.as_ref().filter(|_| !name.contains('/')) else {
            return Ok(path.to_owned());
        };
        let whole = format!("{}{name}", self.folder);
        if files.contains(&whole) {
            return Ok(path.to_owned());
        }
        let end = format!("/{name}");
        let mut found = files.iter().filter(|file| file.ends_with(&end));
        match (found.next(), found.count()) {
            (Some(file), 0) => Ok(file.clone()),
            (None, _) => Err("no file has this name; name its folder".to_owned()),
            (Some(_), more) => Err(format!("{} files have this name; name its folder", more + 1)),
        }
    }
}

/// The path as a pattern, unless only a person changes it.
fn allowed(path: &str) -> Result<String, String> {
    let pattern = ScopePattern::new(path).ok().filter(|pattern| names_protected(pattern).is_none());
    pattern.map(|pattern| pattern.as_str().to_owned()).ok_or_else(|| "only you change it".to_owned())
}
