//! Looks at the governed files: where a spelled path leads, and what is there.
//!
//! A path is judged by where it really leads, through every symlink; what cannot be judged is refused. Deliberately
//! absent: writing (`put_back`), scopes, which names are protected, and refusing what leads out (`decide::paths` of the
//! policy).

mod fold;
mod git_folder;
mod open;
mod prints;
mod put_back;
mod resolve;
mod spelling;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{FileState, Location, PortError, RepoPath, SEPARATORS, Workspace, WorkspacePath};

use crate::Layout;
use crate::files::mode;
use git_folder::GitFolders;
use open::Opened;
pub use put_back::FsWorkspaceWriter;
use resolve::{Resolved, resolve};
pub use spelling::{is_too_long, normalise};

/// The files below one governed root.
#[derive(Clone, Debug)]
pub struct FsWorkspace {
    root: PathBuf,
    /// A file that nobody makes a program: what its mode says is said of every file.
    plain: PathBuf,
    scratch: Vec<PathBuf>,
    read_roots: Vec<PathBuf>,
    prints: Vec<PathBuf>,
    git: GitFolders,
}

impl FsWorkspace {
    /// The files of this root.
    pub fn new(layout: Layout) -> Self {
        Self::below(real(layout.root()), &layout)
    }

    /// The same where the root is known to be free of symlinks, so that it need not be looked up again.
    pub fn at_real_root(layout: &Layout) -> Self {
        Self::below(layout.root().to_owned(), layout)
    }

    fn below(root: PathBuf, layout: &Layout) -> Self {
        Self {
            root,
            plain: layout.intents_file(),
            scratch: Vec::new(),
            read_roots: Vec::new(),
            prints: Vec::new(),
            git: GitFolders::default(),
        }
    }

    /// Adds absolute folders that the host keeps its own notes in.
    #[must_use]
    pub fn with_scratch(mut self, folders: Vec<PathBuf>) -> Self {
        self.scratch = folders;
        self
    }

    /// Adds absolute folders outside the root that a human lets agents read (`read.roots`).
    #[must_use]
    pub fn with_read_roots(mut self, folders: Vec<PathBuf>) -> Self {
        self.read_roots = folders;
        self
    }

    /// Adds the ends of paths of folders in which commands of this session print, such as `claude-1000/KEY/SESSION/tasks`.
    /// A file in such a folder may be read where the first folder named is this user's alone.
    #[must_use]
    pub fn with_prints(mut self, ends: Vec<PathBuf>) -> Self {
        self.prints = ends;
        self
    }

    /// Tells where the governed repository keeps its files, so that they are protected under any name.
    #[must_use]
    pub fn with_git_folder(mut self, common_dir: &Path) -> Self {
        self.git = GitFolders::governed(&self.root, common_dir);
        self
    }

    fn judge(&self, requested: &str, cwd: Option<&str>) -> Result<Location, String> {
        spelling::is_short(requested)?;
        let base = match cwd {
            Some(cwd) => spelling::directory(cwd)?,
            None => self.root.clone(),
        };
        let full = spelling::absolute(requested, &base)?;
        let lexical = spelling::normalise(&full);
        let resolved = resolve(&full, &self.root)?;
        if lexical != full && resolve(&lexical, &self.root)?.path != resolved.path {
            return Err("the path goes up (`..`) out of a symbolic link; spell it without".into());
        }
        spelling::measure(&resolved.path)?;
        if resolved.aliased {
            return Ok(Location::Outside(lexical.display().to_string()));
        }
        match resolved.path.strip_prefix(&self.root) {
            Ok(inside) => self.inside(inside, &lexical, &resolved),
            Err(_) => self.outside(&resolved.path),
        }
    }

    fn inside(&self, inside: &Path, lexical: &Path, resolved: &Resolved) -> Result<Location, String> {
        // By whatever name: nothing changes the root, so that no link to it is removed.
        if inside.as_os_str().is_empty() {
            return Ok(Location::Root);
        }
        if resolved.entry.as_ref().is_some_and(|entry| !entry.starts_with(&self.root)) {
            return Ok(Location::Outside(lexical.display().to_string()));
        }
        let path = repo_path(inside)?;
        let spelled = match self.below_root(lexical) {
            Some(spelled) if spelled != inside && !spelled.as_os_str().is_empty() => {
                Some(repo_path(&spelled)?)
            }
            _ => None,
        };
        let plain = self.git.named_plainly(&self.root, &path);
        let folded = fold::fold(plain.as_deref().unwrap_or(path.as_str()));
        Ok(Location::Inside(WorkspacePath { folded, path, spelled }))
    }

    /// The part of a spelled path below the root, by whatever name the root goes in it.
    fn below_root(&self, lexical: &Path) -> Option<PathBuf> {
        if let Ok(below) = lexical.strip_prefix(&self.root) {
            return Some(below.to_owned());
        }
        let root = lexical.ancestors().find(|ancestor| real(ancestor) == self.root)?;
        lexical.strip_prefix(root).ok().map(Path::to_owned)
    }

    fn outside(&self, path: &Path) -> Result<Location, String> {
        let text = path.to_str().ok_or_else(|| not_text(path))?.to_owned();
        let below =
            |roots: &[PathBuf]| roots.iter().any(|root| root.is_absolute() && path.starts_with(real(root)));
        Ok(match () {
            () if below(&self.scratch) => Location::Scratch(text),
            () if below(&self.read_roots) => Location::ReadRoot(text),
            () if prints::holds(&self.prints, path) => Location::ReadRoot(text),
            () => Location::Outside(text),
        })
    }

    /// The content of a file below the root, at most so long; `None` where no file is there.
    pub(super) fn content(&self, path: &RepoPath, limit: u64) -> Result<Option<Vec<u8>>, PortError> {
        match open::open(&self.root, path)? {
            Opened::Absent | Opened::Other => Ok(None),
            Opened::File(file, len) => open::read(file, len, limit, path).map(Some),
        }
    }

    /// What the symbolic link says that stands at a path, or first on the way to it; `None` where none does.
    pub fn link(&self, path: &RepoPath) -> Option<Vec<u8>> {
        let full = self.root.join(path.as_str());
        let below = full.ancestors().take_while(|folder| *folder != self.root);
        let links = below.filter_map(|folder| folder.read_link().ok());
        links.last().map(|target| target.as_os_str().as_encoded_bytes().to_vec())
    }
}

/// Where a folder really is, as far as it exists.
fn real(folder: &Path) -> PathBuf {
    resolve(folder, Path::new("")).map_or_else(|_| folder.to_owned(), |resolved| resolved.path)
}

fn names_in(folder: &Path, limit: usize) -> Result<Vec<String>, PortError> {
    let unavailable = |error: &io::Error| crate::files::atomic::unavailable(folder, error);
    let entries = match folder.read_dir() {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries.map_err(|error| unavailable(&error))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| unavailable(&error))?.file_name();
        if names.len() == limit {
            return Err(PortError::TooLarge { what: folder.display().to_string(), limit: limit as u64 });
        }
        let text = name.into_string().map_err(|name| PortError::Unavailable(not_text(Path::new(&name))))?;
        names.push(text);
    }
    Ok(names)
}

/// The form of a path relative to the root that the rest of the program knows.
fn repo_path(relative: &Path) -> Result<RepoPath, String> {
    let text = relative.to_str().ok_or_else(|| not_text(relative))?;
    let text = text.replace(SEPARATORS, "/");
    RepoPath::new(&text).map_err(|error| error.to_string())
}

fn not_text(path: &Path) -> String {
    let name = path.as_os_str().as_encoded_bytes().escape_ascii();
    format!("it leads to `{name}`, a name that is not valid UTF-8; ask a person to rename that file")
}

#[async_trait]
impl Workspace for FsWorkspace {
    async fn locate<'a>(&self, requested: &str, cwd: Option<&'a str>) -> Location {
        self.judge(requested, cwd).unwrap_or_else(Location::Invalid)
    }

    async fn is_there(&self, place: &Location) -> bool {
        let path = match place {
            Location::Invalid(_) => return false,
            Location::Root => return true,
            Location::Inside(found) => self.root.join(found.path.as_str()),
            Location::Scratch(path) | Location::ReadRoot(path) | Location::Outside(path) => path.into(),
        };
        let is_gone =
            |error: &io::Error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
        path.symlink_metadata().err().is_none_or(|error| !is_gone(&error))
    }

    async fn state(&self, path: &RepoPath) -> Result<FileState, PortError> {
        Ok(match open::open(&self.root, path)? {
            Opened::Absent => FileState::Absent,
            Opened::Other => FileState::Other,
            Opened::File(file, _) => FileState::Content(open::hash(&file, path)?),
        })
    }

    async fn read(&self, path: &RepoPath, limit: u64) -> Result<Option<Vec<u8>>, PortError> {
        self.content(path, limit)
    }

    async fn is_executable(&self, path: &RepoPath) -> Result<bool, PortError> {
        match open::open(&self.root, path)? {
            Opened::Absent | Opened::Other => Ok(false),
            Opened::File(file, _) => mode::is_executable(&file)
                .map(|has_bit| has_bit && !mode::is_given_to_all(&file, &self.plain))
                .map_err(|error| crate::files::atomic::unavailable(&self.root.join(path.as_str()), &error)),
        }
    }

    async fn names_in<'a>(
        &self,
        folder: Option<&'a RepoPath>,
        limit: usize,
    ) -> Result<Vec<String>, PortError> {
        let path = folder.map_or_else(|| self.root.clone(), |folder| self.root.join(folder.as_str()));
        names_in(&path, limit)
    }

    fn root(&self) -> String {
        self.root.display().to_string()
    }

    fn folds_case(&self) -> bool {
        cfg!(any(target_os = "macos", windows))
    }
}
