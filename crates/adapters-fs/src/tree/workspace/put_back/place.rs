//! One name in a folder that is held open, and the few steps that a put-back is made of. Unix only (`elsewhere`).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::rc::Rc;

use bailiwick_domain::{FileState, PortError, PutBackError, RepoPath};
use rustix::fs::{AtFlags, Mode, OFlags, fstat, linkat, mkdirat, openat, unlinkat};
use rustix::io::Errno;

use super::super::open::{LOOK, hash};
use super::{Swap, spare_name};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const NEW: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const MODE_BITS: u32 = 0o777;

/// The folders below a root, each held open once.
#[derive(Debug)]
pub(super) struct Folders {
    root: Rc<OwnedFd>,
    open: BTreeMap<String, Rc<OwnedFd>>,
    /// Folders that were made on the way, the outermost first: where, and under which name.
    made: Vec<(Rc<OwnedFd>, String)>,
}

impl Folders {
    pub(super) fn new(root: &Path) -> Result<Self, PutBackError> {
        let opened = rustix::fs::open(root, FOLDER, Mode::empty())
            .map_err(|error| PutBackError::Port(crate::files::atomic::unavailable(root, &error.into())))?;
        Ok(Self { root: Rc::new(opened), open: BTreeMap::new(), made: Vec::new() })
    }

    /// The place of a file; `None` when its folder is not there and shall not be made.
    pub(super) fn place(
        &mut self,
        path: &RepoPath,
        make: bool,
        swap: Swap,
    ) -> Result<Option<Place>, PutBackError> {
        let (parents, name) = split(path);
        let Some(folder) = self.enter(path, &parents, make)? else { return Ok(None) };
        let spare = spare_name(path);
        Ok(Some(Place { folder, name: name.to_owned(), spare, path: path.clone(), swap }))
    }

    fn enter(
        &mut self,
        path: &RepoPath,
        parents: &[&str],
        make: bool,
    ) -> Result<Option<Rc<OwnedFd>>, PutBackError> {
        let mut folder = Rc::clone(&self.root);
        let mut below = String::new();
        for name in parents {
            below.push_str(name);
            below.push('/');
            if let Some(known) = self.open.get(&below) {
                folder = Rc::clone(known);
                continue;
            }
            let Some(next) = self.step(path, &folder, name, make)? else { return Ok(None) };
            folder = Rc::new(next);
            self.open.insert(below.clone(), Rc::clone(&folder));
        }
        Ok(Some(folder))
    }

    fn step(
        &mut self,
        path: &RepoPath,
        folder: &Rc<OwnedFd>,
        name: &str,
        make: bool,
    ) -> Result<Option<OwnedFd>, PutBackError> {
        match openat(folder, name, FOLDER, Mode::empty()) {
            Ok(next) => return Ok(Some(next)),
            Err(Errno::NOENT) if make => {}
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(in_the_way(path, name, error)),
        }
        match mkdirat(folder, name, Mode::from_raw_mode(MODE_BITS)) {
            Ok(()) => self.made.push((Rc::clone(folder), name.to_owned())),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(failed(path, &error.into())),
        }
        let next = openat(folder, name, FOLDER, Mode::empty());
        next.map(Some).map_err(|error| in_the_way(path, name, error))
    }

    /// Whether going there anew leads to the same folder.
    pub(super) fn is_where_it_was(&mut self, place: &Place, path: &RepoPath) -> Result<bool, PutBackError> {
        self.open.clear();
        let (parents, _) = split(path);
        let Some(now) = self.enter(path, &parents, false)? else { return Ok(false) };
        let identity = |folder: &OwnedFd| fstat(folder).map(|stat| (stat.st_dev, stat.st_ino));
        match (identity(&now), identity(&place.folder)) {
            (Ok(now), Ok(then)) => Ok(now == then),
            (Err(error), _) | (_, Err(error)) => Err(failed(path, &error.into())),
        }
    }

    /// Removes the folders that were made, as far as they are empty.
    pub(super) fn remove_made(&mut self) {
        for (folder, name) in self.made.drain(..).rev() {
            let _ = unlinkat(&folder, &name, AtFlags::REMOVEDIR);
        }
    }
}

/// The names of the folders on the way, and the last name.
fn split(path: &RepoPath) -> (Vec<&str>, &str) {
    let mut segments: Vec<&str> = path.segments().collect();
    let name = segments.pop().unwrap_or_default();
    (segments, name)
}

fn in_the_way(path: &RepoPath, name: &str, error: Errno) -> PutBackError {
    if matches!(error, Errno::LOOP | Errno::NOTDIR) {
        let why = format!("`{name}` on the way is not a folder, or is a symbolic link");
        return PutBackError::Confined { path: path.clone(), why };
    }
    failed(path, &error.into())
}

/// A name in a folder that is held open, with the name beside it that changes are prepared under.
#[derive(Debug)]
pub(super) struct Place {
    folder: Rc<OwnedFd>,
    name: String,
    spare: String,
    path: RepoPath,
    swap: Swap,
}

impl Place {
    pub(super) fn state(&self) -> Result<FileState, PutBackError> {
        self.state_of(&self.name)
    }

    pub(super) fn spare_state(&self) -> Result<FileState, PutBackError> {
        self.state_of(&self.spare)
    }

    fn state_of(&self, name: &str) -> Result<FileState, PutBackError> {
        let Some(file) = self.open(name)? else { return Ok(FileState::Absent) };
        let meta = file.metadata().map_err(|error| failed(&self.path, &error))?;
        if !meta.is_file() {
            return Ok(FileState::Other);
        }
        Ok(FileState::Content(hash(&file, &self.path)?))
    }

    /// Opens what is there for reading, without following a link and without waiting; `None` when nothing is there.
    /// A link, a socket and the like are opened as far as they can be told apart from a file.
    fn open(&self, name: &str) -> Result<Option<File>, PutBackError> {
        match openat(&self.folder, name, LOOK, Mode::empty()) {
            Ok(file) => Ok(Some(file.into())),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NXIO) => {
                let why = format!("`{name}` is a symbolic link or not a file");
                Err(PutBackError::Confined { path: self.path.clone(), why })
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// The mode of the file that is there.
    pub(super) fn mode(&self) -> Result<Option<u32>, PutBackError> {
        let Some(file) = self.open(&self.name)? else { return Ok(None) };
        let stat = fstat(&file).map_err(|error| self.failed(error))?;
        Ok(Some(stat.st_mode & MODE_BITS))
    }

    /// Writes the content beside the file; without a mode it gets that of any new file, or of one that may be run.
    pub(super) fn stage(
        &self,
        content: &[u8],
        mode: Option<u32>,
        executable: bool,
    ) -> Result<(), PutBackError> {
        let usual = Mode::from_raw_mode(if executable { 0o777 } else { 0o666 });
        let made = openat(&self.folder, self.spare.as_str(), NEW, usual);
        let mut file = File::from(made.map_err(|error| self.failed(error))?);
        if let Some(mode) = mode {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(mode)).map_err(|error| self.failed(error))?;
        }
        let written = file.write_all(content).and_then(|()| file.sync_data());
        written.map_err(|error| failed(&self.path, &error))
    }

    /// What was put beside takes the name, if nothing has it; whether that was so.
    pub(super) fn come(&self) -> Result<bool, PutBackError> {
        self.rename(&self.spare, &self.name)
    }

    /// What has the name is put beside; whether there was something. Whatever the name holds in that moment is what
    /// goes, in one step: a file that somebody saved meanwhile is found beside, and is not lost.
    pub(super) fn go(&self) -> Result<bool, PutBackError> {
        self.renamed(rename_in_one_step(&self.folder, &self.name, &self.spare))
    }

    /// What has the name and what is beside change places; whether there was something.
    pub(super) fn exchange(&self) -> Result<bool, PutBackError> {
        if self.swap == Swap::Exchange {
            match exchange(&self.folder, &self.name, &self.spare) {
                Ok(()) => return Ok(true),
                Err(Errno::NOENT) => return Ok(false),
                Err(error) if is_unsupported(error) => {}
                Err(error) => return Err(self.failed(error)),
            }
        }
        let next = self.next();
        if !self.rename(&self.spare, &next)? {
            return Ok(false);
        }
        match self.go() {
            Ok(true) => {}
            Ok(false) => return self.rename(&next, &self.spare).map(|_| false),
            Err(error) => {
                let _ = self.rename(&next, &self.spare);
                return Err(error);
            }
        }
        if self.rename(&next, &self.name)? {
            return Ok(true);
        }
        // Somebody made a new file in that moment; the one from before goes back beside it.
        Err(PutBackError::Halfway {
            left: vec![self.path.clone()],
            why: format!("another file appeared there meanwhile; the earlier one is `{}`", self.spare),
        })
    }

    fn rename(&self, from: &str, to: &str) -> Result<bool, PutBackError> {
        self.renamed(rename_noreplace(&self.folder, from, to))
    }

    /// Whether there was something to rename and room for it.
    fn renamed(&self, done: Result<(), Errno>) -> Result<bool, PutBackError> {
        match done {
            Ok(()) => Ok(true),
            Err(Errno::NOENT | Errno::EXIST) => Ok(false),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Where what comes waits while the name is free, on a system that cannot exchange two names.
    fn next(&self) -> String {
        format!("{}-next", self.spare)
    }

    /// Ends an exchange by renames that was killed on its way: what had the name gets it back if nothing else has it.
    pub(super) fn recover(&self, known: &[&FileState]) -> Result<(), PutBackError> {
        let next = self.next();
        let state = self.state_of(&next)?;
        if state == FileState::Absent || !known.contains(&&state) {
            return Ok(());
        }
        if known.contains(&&self.spare_state()?) {
            self.come()?;
        }
        unlinkat(&self.folder, &next, AtFlags::empty()).map_err(|error| self.failed(error))
    }

    /// Removes what is beside if it is this; whether nothing is left there.
    pub(super) fn clear(&self, known: &FileState) -> bool {
        match self.spare_state() {
            Ok(FileState::Absent) => true,
            Ok(state) if state == *known => unlinkat(&self.folder, &self.spare, AtFlags::empty()).is_ok(),
            Ok(_) | Err(_) => false,
        }
    }

    /// Makes the names in the folder durable, where the system can.
    pub(super) fn sync(&self) {
        let _ = rustix::fs::fsync(&self.folder);
    }

    fn failed(&self, error: Errno) -> PutBackError {
        failed(&self.path, &std::io::Error::from(error))
    }
}

fn is_unsupported(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(folder: &OwnedFd, one: &str, other: &str) -> Result<(), Errno> {
    rustix::fs::renameat_with(folder, one, folder, other, rustix::fs::RenameFlags::EXCHANGE)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_folder: &OwnedFd, _one: &str, _other: &str) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// Renames in one step unless the new name is taken; `None` where the system cannot do that.
fn rename_if_free(folder: &OwnedFd, from: &str, to: &str) -> Option<Result<(), Errno>> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    match rustix::fs::renameat_with(folder, from, folder, to, rustix::fs::RenameFlags::NOREPLACE) {
        Err(error) if is_unsupported(error) => {}
        done => return Some(done),
    }
    None
}

/// Renames in one step, where the system cannot spare what has the new name over that.
fn rename_in_one_step(folder: &OwnedFd, from: &str, to: &str) -> Result<(), Errno> {
    rename_if_free(folder, from, to).unwrap_or_else(|| rustix::fs::renameat(folder, from, folder, to))
}

/// Renames one of our own names unless the new one is taken, by a second name where the system has no such step.
fn rename_noreplace(folder: &OwnedFd, from: &str, to: &str) -> Result<(), Errno> {
    rename_if_free(folder, from, to).unwrap_or_else(|| {
        linkat(folder, from, folder, to, AtFlags::empty())?;
        unlinkat(folder, from, AtFlags::empty())
    })
}

fn failed(path: &RepoPath, error: &std::io::Error) -> PutBackError {
    PutBackError::Port(PortError::Unavailable(format!("{path}: {error}")))
}
