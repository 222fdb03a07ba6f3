//! The files of the working copy with the words of a goal in them. What only a person changes, or ignore rules forbid,
//! is never suggested; what may not be read is not read.

use bailiwick_adapters_fs::{FsPolicySource, FsScopeMeter, FsWorkspace};
use bailiwick_domain::{
    IgnoreSource, Location, PolicySource, RepoPath, ScopeMeter, Settings, Workspace, WorkspacePath,
};
use bailiwick_policy::IgnoreRules;
use bailiwick_policy::protection::{Protection, of_change, of_reading, of_search};
use bailiwick_policy::suggest::{FileFacts, Goal, imported};
use pollster::block_on;

use crate::command::CommandError;
use crate::site::Site;

/// So many files are read, each up to this size; the others count by their path.
const MOST_READ: usize = 20_000;
const LARGEST: u64 = 64 << 10;
/// So many threads read.
const READERS: usize = 4;

/// What was seen.
pub(super) struct Tree {
    /// The files that may be suggested.
    pub(super) files: Vec<FileFacts>,
    /// All files, with whether they may.
    pub(super) all: Vec<(RepoPath, bool)>,
}

/// What decides over one file.
struct Rules {
    settings: Settings,
    ignore: IgnoreRules,
    workspace: FsWorkspace,
}

/// The files, without their texts.
pub(super) fn list(site: &Site) -> Result<Tree, CommandError> {
    listed(site, &Rules::of(site)?)
}

/// The files, and what their texts have of a goal.
pub(super) fn look(site: &Site, goal: &Goal) -> Result<Tree, CommandError> {
    let rules = Rules::of(site)?;
    let mut tree = listed(site, &rules)?;
    let read = tree.files.len().min(MOST_READ);
    std::thread::scope(|scope| {
        let parts = tree.files.get_mut(..read).unwrap_or_default().chunks_mut(read.div_ceil(READERS).max(1));
        for part in parts {
            let rules = &rules;
            scope.spawn(move || {
                let mut folders = Folders::new(&rules.workspace);
                part.iter_mut().for_each(|file| rules.read(file, goal, &mut folders));
            });
        }
    });
    Ok(tree)
}

fn listed(site: &Site, rules: &Rules) -> Result<Tree, CommandError> {
    let listing = block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
    let all: Vec<(RepoPath, bool)> =
        listing.files.into_iter().map(|path| (path.clone(), rules.may(&path))).collect();
    let files = all
        .iter()
        .filter(|(_, may)| *may)
        .map(|(path, _)| FileFacts { path: path.clone(), found: Vec::new(), imports: Vec::new() })
        .collect();
    Ok(Tree { files, all })
}

impl Rules {
    fn of(site: &Site) -> Result<Self, CommandError> {
        let source = FsPolicySource::new(site.layout.clone());
        let ignore = match block_on(source.ignore()) {
            IgnoreSource::Absent => Vec::new(),
            IgnoreSource::Files(files) => files,
            IgnoreSource::Unreadable(why) => return Err(CommandError::Other(why)),
        };
        Ok(Self {
            settings: block_on(source.settings())?,
            ignore: IgnoreRules::parse(&ignore).map_err(|error| CommandError::Other(error.to_string()))?,
            workspace: FsWorkspace::new(site.layout.clone()),
        })
    }

    /// Whether a file may be suggested.
    fn may(&self, path: &RepoPath) -> bool {
        let folded =
            WorkspacePath { folded: path.as_str().to_lowercase(), path: path.clone(), spelled: None };
        !path.is_in_orchestration()
            && !matches!(of_change(&folded, &self.settings), Protection::Protected(_))
            && of_reading(&folded, &self.settings).is_none()
            && self.ignore.forbids(path, None, false, self.workspace.folds_case()).is_none()
    }

    /// Counts the words in a text that may be read. A link is not followed.
    fn read(&self, file: &mut FileFacts, goal: &Goal, folders: &mut Folders<'_>) {
        let Some(place) = folders.place(&file.path) else { return };
        let is_kept = of_reading(&place, &self.settings).or_else(|| of_search(&place));
        let ignored = self.ignore.forbids(&file.path, None, true, self.workspace.folds_case());
        if is_kept.is_some() || ignored.is_some() {
            return;
        }
        let Ok(Some(bytes)) = block_on(self.workspace.read(&file.path, LARGEST)) else { return };
        if let Some(text) = str::from_utf8(&bytes).ok().filter(|text| !text.contains('\0')) {
            file.found = goal.count(text);
            file.imports =
                if file.found.iter().any(|count| *count > 0) { imported(text) } else { Vec::new() };
        }
    }
}

/// Where files lie, with one look for all that stand together in a folder: a link or a git folder on the way to one is on
/// the way to each.
struct Folders<'a> {
    workspace: &'a FsWorkspace,
    /// The last folder, and under which name its files are protected; `None` when they lie elsewhere than they say.
    last: Option<(String, Option<String>)>,
}

impl<'a> Folders<'a> {
    fn new(workspace: &'a FsWorkspace) -> Self {
        Self { workspace, last: None }
    }

    /// The place of a file; `None` of one whose folder is a link.
    fn place(&mut self, path: &RepoPath) -> Option<WorkspacePath> {
        let (folder, name) = path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()));
        if self.last.as_ref().is_none_or(|(last, _)| last != folder) {
            self.last = Some((folder.to_owned(), self.folded(folder)));
        }
        let (_, above) = self.last.as_ref()?;
        let folded = above.clone()? + &name.to_lowercase();
        Some(WorkspacePath { folded, path: path.clone(), spelled: None })
    }

    /// A folder, folded, with the slash behind it: where a file would lie that is not there.
    fn folded(&self, folder: &str) -> Option<String> {
        const ANY: &str = "bailiwick-asks-where";
        let named = if folder.is_empty() { ANY.to_owned() } else { format!("{folder}/{ANY}") };
        match block_on(self.workspace.locate(&named, None)) {
            Location::Inside(place) if place.path.as_str() == named => {
                place.folded.strip_suffix(ANY).map(str::to_owned)
            }
            _ => None,
        }
    }
}
