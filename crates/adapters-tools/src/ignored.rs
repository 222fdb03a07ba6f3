//! What git ignores below a root, as the files say that it reads for that. Only plain files say something, and only within
//! bounds: a pipe or a device of such a name keeps nobody waiting.
//!
//! Deliberately absent: what git tracks although it is ignored, and the user's own settings of git.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The name of the file in each folder.
const NAME: &str = ".gitignore";

/// Longer ones say nothing, in bytes.
const LONGEST: u64 = 128 << 10;

/// A working copy.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'a> {
    /// Its top, free of links.
    pub root: &'a Path,
    /// The file that git reads beside those in the folders (`info/exclude`).
    pub exclude: Option<&'a Path>,
}

/// What is ignored there. Each file is read once.
#[derive(Debug)]
pub(crate) struct Ignored {
    root: PathBuf,
    exclude: Gitignore,
    folders: Mutex<HashMap<PathBuf, Arc<Gitignore>>>,
}

impl Ignored {
    pub(crate) fn of(tree: Tree<'_>) -> Self {
        let exclude =
            tree.exclude.map_or_else(Gitignore::empty, |file| rules(tree.root, open(file, Links::Follow)));
        Self { root: tree.root.to_path_buf(), exclude, folders: Mutex::default() }
    }

    /// Whether git leaves this entry out. The deepest rule that says something counts.
    pub(crate) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let above = path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.root));
        for folder in above {
            match self.rules_in(folder).matched(path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        self.exclude.matched(path, is_folder).is_ignore()
    }

    fn rules_in(&self, folder: &Path) -> Arc<Gitignore> {
        let mut known = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(folder) {
            return Arc::clone(rules);
        }
        let read = Arc::new(rules(folder, open(&folder.join(NAME), Links::Refuse)));
        known.insert(folder.to_path_buf(), Arc::clone(&read));
        read
    }
}

/// The rules in that file, which count from that folder on. A line that is none is left out.
fn rules(folder: &Path, file: io::Result<File>) -> Gitignore {
    let Some(text) = file.ok().and_then(text) else { return Gitignore::empty() };
    let mut builder = GitignoreBuilder::new(folder);
    builder.allow_unclosed_class(false);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

fn text(file: File) -> Option<String> {
    let kind = file.metadata().ok().filter(|kind| kind.is_file() && kind.len() <= LONGEST)?;
    let mut bytes = Vec::new();
    file.take(kind.len()).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What git does where such a file is a link: it does not follow one in the working copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

/// Opens it without waiting for anybody.
#[cfg(unix)]
fn open(path: &Path, links: Links) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    File::options().read(true).custom_flags(i32::try_from(flags.bits()).unwrap_or_default()).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path, links: Links) -> io::Result<File> {
    if links == Links::Refuse && path.symlink_metadata()?.is_symlink() {
        return Err(io::Error::other("a link"));
    }
    File::open(path)
}
