//! Puts governed files back for a person: all of them or none, each only if it is what was expected.
//!
//! Every file is reached through folders that are held open and were entered without following a link, so that a folder
//! that is swapped meanwhile leads nowhere else. A file is exchanged in one step for a finished one beside it, and what
//! came out of the exchange is compared: if it is not what was expected, it goes back. Deliberately absent: what is
//! put back, and which paths are protected.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod place;

use std::path::PathBuf;

use async_trait::async_trait;
use bailiwick_domain::{ContentHash, FileState, PutBack, PutBackError, RepoPath, WorkspaceWriter};

use crate::Layout;
#[cfg(not(unix))]
use elsewhere::{Folders, Place};
#[cfg(unix)]
use place::{Folders, Place};

/// How one file takes the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swap {
    /// In one step.
    Exchange,
    /// By renames.
    Renames,
}

/// Writes below one governed root.
#[derive(Clone, Debug)]
pub struct FsWorkspaceWriter {
    root: PathBuf,
    swap: Swap,
}

impl FsWorkspaceWriter {
    /// A writer of this root's files.
    pub fn new(layout: &Layout) -> Self {
        Self { root: super::real(layout.root()), swap: Swap::Exchange }
    }

    /// The same as on a file system that cannot exchange two files in one step: for a moment there is none.
    #[must_use]
    pub fn without_exchange(mut self) -> Self {
        self.swap = Swap::Renames;
        self
    }

    /// Prepares every change beside its file, then makes them one after another; the first failure takes all back.
    fn put_all(&self, files: &[PutBack]) -> Result<(), PutBackError> {
        let mut folders = Folders::new(&self.root)?;
        let mut changes = Vec::with_capacity(files.len());
        let made = self.stage_all(files, &mut folders, &mut changes).and_then(|()| commit_all(&mut changes));
        match made.and_then(|()| still_there(&mut folders, &changes)) {
            Ok(()) => {
                changes.iter().for_each(Change::finish);
                Ok(())
            }
            Err(error) => Err(take_back(&mut folders, &changes, error)),
        }
    }

    fn stage_all<'a>(
        &self,
        files: &'a [PutBack],
        folders: &mut Folders,
        changes: &mut Vec<Change<'a>>,
    ) -> Result<(), PutBackError> {
        for file in files {
            let Some(place) = folders.place(&file.path, file.content.is_some(), self.swap)? else {
                if file.expected == FileState::Absent {
                    continue;
                }
                return Err(PutBackError::Changed(file.path.clone()));
            };
            if file.expected == FileState::Other || place.state()? != file.expected {
                return Err(PutBackError::Changed(file.path.clone()));
            }
            clear_up(&place, &file.path, &[&file.expected, &file.target()])?;
            let mode = match &file.expected {
                FileState::Absent => self.mode_of_origin(files, file, folders)?,
                _ => place.mode()?,
            };
            // Known before its spare file exists, so that whatever fails now is cleared up.
            changes.push(Change { file, place, is_made: false });
            if let (Some(change), Some(content)) = (changes.last(), &file.content) {
                change.place.stage(content, mode, file.executable)?;
            }
        }
        Ok(())
    }

    /// The mode of the file that this one comes from: the one that is named, or one that goes away while this one comes back
    /// with its content, as where a move is undone.
    fn mode_of_origin(
        &self,
        files: &[PutBack],
        file: &PutBack,
        folders: &mut Folders,
    ) -> Result<Option<u32>, PutBackError> {
        let goes = |other: &&PutBack| match &file.origin {
            Some(origin) => other.path == *origin,
            None => other.content.is_none() && other.expected == file.target(),
        };
        match files.iter().find(goes) {
            Some(origin) => match folders.place(&origin.path, false, self.swap)? {
                Some(place) => place.mode(),
                None => Ok(None),
            },
            None => Ok(None),
        }
    }
}

#[async_trait]
impl WorkspaceWriter for FsWorkspaceWriter {
    async fn put_back(&self, files: &[PutBack]) -> Result<(), PutBackError> {
        self.put_all(files)
    }

    async fn clear_up(&self, path: &RepoPath, known: &[FileState]) -> Result<(), PutBackError> {
        let known: Vec<&FileState> = known.iter().collect();
        match Folders::new(&self.root)?.place(path, false, self.swap)? {
            Some(place) => clear_up(&place, path, &known),
            None => Ok(()),
        }
    }
}

/// Removes what a killed put-back left beside a file, when it is one of these.
fn clear_up(place: &Place, path: &RepoPath, known: &[&FileState]) -> Result<(), PutBackError> {
    place.recover(known)?;
    if known.iter().any(|state| place.clear(state)) {
        return Ok(());
    }
    let why = format!("an unknown file `{}` lies beside it; look at it and move it away", spare_name(path));
    Err(PutBackError::Confined { path: path.clone(), why })
}

/// One file with what was done to it so far.
#[derive(Debug)]
struct Change<'a> {
    file: &'a PutBack,
    place: Place,
    is_made: bool,
}

impl Change<'_> {
    fn changed(&self) -> PutBackError {
        PutBackError::Changed(self.file.path.clone())
    }

    /// Makes the change, and looks at what it put aside.
    fn commit(&mut self) -> Result<(), PutBackError> {
        let place = &self.place;
        let made = match (&self.file.expected, &self.file.content) {
            (FileState::Absent, None) => return Ok(()),
            (FileState::Absent, Some(_)) => place.come()?,
            (_, Some(_)) => place.exchange()?,
            (_, None) => place.go()?,
        };
        if !made {
            return Err(self.changed());
        }
        self.is_made = true;
        if self.file.expected == FileState::Absent || place.spare_state()? == self.file.expected {
            return Ok(());
        }
        Err(self.changed())
    }

    /// Takes the change back; whether the file is as it was.
    fn undo(&self) -> bool {
        if !self.is_made {
            return self.place.clear(&self.file.target());
        }
        let target = self.file.target();
        let place = &self.place;
        let back = match (&self.file.expected, &self.file.content) {
            (FileState::Absent, _) => place.go(),
            (_, Some(_)) => place.exchange(),
            (_, None) => return place.come().unwrap_or(false),
        };
        if !back.unwrap_or(false) {
            return false;
        }
        if place.spare_state().is_ok_and(|state| state == target) {
            return place.clear(&target);
        }
        // Somebody wrote there meanwhile: that stays, and what was there before stays beside it.
        let _ = match &self.file.expected {
            FileState::Absent => place.come(),
            _ => place.exchange(),
        };
        false
    }

    /// Removes what was put aside, which is what was expected.
    fn finish(&self) {
        let _ = self.place.clear(&self.file.expected);
        self.place.sync();
    }
}

fn commit_all(changes: &mut [Change<'_>]) -> Result<(), PutBackError> {
    for change in changes.iter() {
        change.place.sync();
    }
    changes.iter_mut().try_for_each(Change::commit)
}

/// Whether each folder still is where the path says: one that was moved away meanwhile holds the wrong file.
fn still_there(folders: &mut Folders, changes: &[Change<'_>]) -> Result<(), PutBackError> {
    for change in changes {
        if !folders.is_where_it_was(&change.place, &change.file.path)? {
            let why = "its folder was moved meanwhile".to_owned();
            return Err(PutBackError::Confined { path: change.file.path.clone(), why });
        }
    }
    Ok(())
}

fn take_back(folders: &mut Folders, changes: &[Change<'_>], error: PutBackError) -> PutBackError {
    let left: Vec<RepoPath> =
        changes.iter().rev().filter(|change| !change.undo()).map(|change| change.file.path.clone()).collect();
    folders.remove_made();
    if left.is_empty() {
        return error;
    }
    PutBackError::Halfway { left, why: error.to_string() }
}

/// The name beside a file that its change is prepared under. The same each time, so that what a killed process left is
/// found by the next one.
fn spare_name(path: &RepoPath) -> String {
    const DIGITS: usize = 16;
    let hash = ContentHash::of(path.as_str().as_bytes());
    format!(".bailiwick-restore-{}", hash.digits().get(..DIGITS).unwrap_or_default())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use bailiwick_domain::{ContentHash, FileState, PutBack, PutBackError, RepoPath};

    use super::{Change, Folders, FsWorkspaceWriter, Swap, commit_all, spare_name, still_there, take_back};

    /// A root with files in one folder: `stays` and `goes`, which hold their names.
    struct Tree {
        root: PathBuf,
        writer: FsWorkspaceWriter,
        _dir: tempfile::TempDir,
    }

    impl Tree {
        fn new() -> Self {
            let dir = tempfile::TempDir::new().unwrap();
            let root = dir.path().canonicalize().unwrap();
            fs::create_dir(root.join("src")).unwrap();
            let tree = Self {
                writer: FsWorkspaceWriter { root: root.clone(), swap: Swap::Exchange },
                root,
                _dir: dir,
            };
            tree.write("stays", "stays");
            tree.write("goes", "goes");
            tree
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.root.join("src").join(name), text).unwrap();
        }

        /// The files of the folder, with what they hold.
        fn all(&self) -> Vec<(String, String)> {
            let entries = fs::read_dir(self.root.join("src")).unwrap();
            let file = |entry: fs::DirEntry| {
                let name = entry.file_name().into_string().unwrap();
                let name = if name.starts_with(".bailiwick-restore-") { "spare".to_owned() } else { name };
                (name, fs::read_to_string(entry.path()).unwrap())
            };
            let mut all: Vec<_> = entries.map(|entry| file(entry.unwrap())).collect();
            all.sort();
            all
        }
    }

    fn asked(name: &str, now: Option<&str>, then: Option<&str>) -> PutBack {
        PutBack {
            path: RepoPath::new(&format!("src/{name}")).unwrap(),
            expected: now
                .map_or(FileState::Absent, |text| FileState::Content(ContentHash::of(text.as_bytes()))),
            content: then.map(|text| text.as_bytes().to_vec()),
            executable: false,
            origin: None,
        }
    }

    /// One of each kind: a file changes, one goes, one comes.
    fn wishes() -> [PutBack; 3] {
        [
            asked("stays", Some("stays"), Some("changed")),
            asked("goes", Some("goes"), None),
            asked("comes", None, Some("comes")),
        ]
    }

    fn files(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    fn staged<'f>(tree: &Tree, files: &'f [PutBack]) -> (Folders, Vec<Change<'f>>) {
        let mut folders = Folders::new(&tree.root).unwrap();
        let mut changes = Vec::new();
        tree.writer.stage_all(files, &mut folders, &mut changes).unwrap();
        (folders, changes)
    }

    // REQ 75: all or none, also when one of them was saved between the look and the change
    #[test]
    fn what_was_saved_meanwhile_takes_every_change_back() {
        for late in ["stays", "goes", "comes"] {
            let tree = Tree::new();
            let mut wishes = wishes();
            // It is the last one, so that the others are made already.
            wishes.sort_by_key(|wish| wish.path.as_str().ends_with(late));
            let (mut folders, mut changes) = staged(&tree, &wishes);
            tree.write(late, "saved");
            let error = commit_all(&mut changes).unwrap_err();
            assert!(
                matches!(&error, PutBackError::Changed(path) if path.as_str().ends_with(late)),
                "{error}"
            );
            assert_eq!(take_back(&mut folders, &changes, error.clone()), error);
            let mut expected = vec![("goes", "goes"), ("stays", "stays"), ("comes", "")];
            expected.retain(|(name, text)| *name != late && !text.is_empty());
            expected.push((late, "saved"));
            expected.sort_unstable();
            assert_eq!(tree.all(), files(&expected), "{late}");
        }
    }

    // REQ 75: what somebody saves over a change that was made stays, and what was there before lies beside it
    #[test]
    fn what_was_saved_over_a_change_stays_when_it_is_taken_back() {
        for (late, beside) in [("stays", Some("stays")), ("comes", None)] {
            let tree = Tree::new();
            let wishes = wishes();
            let (mut folders, mut changes) = staged(&tree, &wishes);
            commit_all(&mut changes).unwrap();
            tree.write(late, "saved");
            let why = PutBackError::Changed(RepoPath::new("src/x").unwrap());
            let told = take_back(&mut folders, &changes, why);
            assert!(
                matches!(&told, PutBackError::Halfway { left, .. } if left.len() == 1 && left[0].as_str().ends_with(late)),
                "{told}"
            );
            let mut expected = vec![("goes", "goes"), ("stays", "stays")];
            expected.retain(|(name, _)| *name != late);
            expected.push((late, "saved"));
            expected.extend(beside.map(|text| ("spare", text)));
            expected.sort_unstable();
            assert_eq!(tree.all(), files(&expected), "{late}");
        }
    }

    // REQ 75: a step takes nobody's file away
    #[test]
    fn nothing_is_renamed_over_a_file_that_lies_there() {
        let tree = Tree::new();
        let path = RepoPath::new("src/goes").unwrap();
        let place = Folders::new(&tree.root).unwrap().place(&path, false, Swap::Exchange).unwrap().unwrap();
        tree.write(&spare_name(&path), "a person's");
        assert_eq!(place.go(), Ok(false));
        assert_eq!(place.come(), Ok(false));
        assert_eq!(tree.all(), files(&[("goes", "goes"), ("spare", "a person's"), ("stays", "stays")]));
        fs::remove_file(tree.root.join("src").join(spare_name(&path))).unwrap();
        assert_eq!(place.come(), Ok(false));
        assert_eq!(place.go(), Ok(true));
        assert_eq!(place.go(), Ok(false));
        assert_eq!(tree.all(), files(&[("spare", "goes"), ("stays", "stays")]));
    }

    // REQ 75, K-35: a folder that was moved away meanwhile holds the wrong file
    #[test]
    fn a_folder_that_was_moved_meanwhile_is_noticed() {
        let tree = Tree::new();
        let wishes = wishes();
        let (mut folders, mut changes) = staged(&tree, &wishes);
        commit_all(&mut changes).unwrap();
        still_there(&mut folders, &changes).unwrap();
        fs::rename(tree.root.join("src"), tree.root.join("aside")).unwrap();
        let gone = still_there(&mut folders, &changes);
        assert!(matches!(gone, Err(PutBackError::Confined { .. })), "{gone:?}");
        fs::create_dir(tree.root.join("src")).unwrap();
        let other = still_there(&mut folders, &changes);
        assert!(matches!(other, Err(PutBackError::Confined { .. })), "{other:?}");
    }
}
