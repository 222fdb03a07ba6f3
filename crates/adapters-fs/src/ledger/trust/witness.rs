//! The witness: what the ledger's entries were, remembered outside the repository, so that a
//! ledger cut short or put back shows.
//!
//! It lives in the user's state folder, one for each clone, and has one short line for each entry: the first half of
//! its checksum. So it says how many entries there were and which, a line costs one small write, and nothing that was
//! remembered is ever written over. It only ever takes an entry that follows the one it saw last: a ledger that was cut
//! or put back does not get a new witness by going on.
//!
//! It is kept by place and by origin: a folder for each clone, and in it a file for each ledger that was there, which
//! begins with the checksum of that ledger's first entry. A clone is known by the folder that outlives its private state: the git common directory, else the root. Deliberately
//! absent: judging what differs.

mod elsewhere;

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};

use crate::Layout;
use crate::files::atomic::{
    Durability, create_dirs, open_private, open_regular_optional, private_options, read_optional, replace,
    shorten, sync_parent, unavailable,
};
use crate::files::identity;
use crate::ledger::trust::accounting::MAX_UNSEEN;

pub(in crate::ledger) use elsewhere::Elsewhere;

/// Where the clone was when that was last looked at.
const PLACE: &str = "place";
/// Digits of a checksum that are remembered.
const DIGITS: usize = 32;
/// A line: the digits and an LF.
const LINE: usize = DIGITS + 1;
const LINE_BYTES: u64 = LINE as u64;
/// How many lines are held at a time when all are looked at.
const PIECE_LINES: u64 = 2_048;

/// The witness of one clone; without a user's state folder there is none.
#[derive(Clone, Debug)]
pub(in crate::ledger) struct Witness {
    folder: Option<PathBuf>,
    home: PathBuf,
}

/// What a witness says of the end of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ledger) enum Last {
    /// There is none for this place, or nowhere to keep one.
    Unknown,
    /// It saw nothing yet.
    Nothing,
    /// It saw that many entries; the newest of them is, or is not, the one that was asked about.
    Saw {
        /// How many.
        count: u64,
        /// Whether the newest fits.
        fits: bool,
    },
}

/// Entries that a witness has not seen, and follow those that it saw.
#[derive(Debug)]
pub(in crate::ledger) struct Unseen {
    file: File,
    path: PathBuf,
    length: u64,
    /// The newest first.
    checksums: Vec<ContentHash>,
}

impl Unseen {
    /// How many they are.
    pub(in crate::ledger) fn count(&self) -> u64 {
        u64::try_from(self.checksums.len()).unwrap_or(u64::MAX)
    }

    /// Remembers them. A witness that cannot be written stays behind, and verifying says so.
    pub(in crate::ledger) fn remember(self) {
        let _ = self.write();
    }

    /// Writes their lines behind the whole ones.
    fn write(mut self) -> std::io::Result<()> {
        let mut bytes = Vec::with_capacity(self.checksums.len() * LINE);
        for checksum in self.checksums.iter().rev() {
            bytes.extend_from_slice(remembered(checksum));
            bytes.push(b'\n');
        }
        match self.length % LINE_BYTES {
            0 => Ok(()),
            torn => shorten(&self.file, &self.path, self.length - torn),
        }?;
        self.file.write_all(&bytes)
    }
}

impl Witness {
    pub(in crate::ledger) fn new(layout: &Layout) -> Self {
        let home = home_of(layout);
        let folder = layout.user_state().map(|state| state.join("witness"));
        Self { folder, home }
    }

    /// The folder of this clone's witness. Looks at the clone's folder, so that only who needs it pays for it.
    pub(in crate::ledger) fn folder(&self) -> Option<PathBuf> {
        let all = self.folder.as_ref()?;
        let identity = identity::of_folder(&self.home)?;
        Some(all.join(identity.digits().get(..DIGITS).unwrap_or_default()))
    }

    fn heads(&self) -> Option<PathBuf> {
        Some(self.folder()?.join("heads"))
    }

    /// Everything that the witness remembers; `None` when there is no witness.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub(in crate::ledger) fn all(&self) -> Result<Option<Heads>, PortError> {
        let Some(path) = self.heads() else { return Ok(None) };
        let opened = open_regular_optional(&path)?;
        Ok(opened.map(|(file, length)| Heads::of(file, length, path)))
    }

    /// What it says of an entry that is claimed to be the newest.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub(in crate::ledger) fn last(&self, claimed: Option<&ContentHash>) -> Result<Last, PortError> {
        let Some(path) = self.heads() else { return Ok(Last::Unknown) };
        let Some((file, length)) = open_regular_optional(&path)? else { return Ok(Last::Unknown) };
        last_of(&file, length / LINE_BYTES, claimed).map_err(|error| unavailable(&path, &error))
    }

    /// Looks at which entries it has not seen. `newest_first` gives the checksums from entry `seq` backwards; no more of
    /// them are asked for than are needed. Nothing is taken that does not follow what was seen last.
    pub(in crate::ledger) fn unseen(
        &self,
        seq: u64,
        newest_first: impl Iterator<Item = ContentHash>,
    ) -> Option<Unseen> {
        self.look(&self.heads()?, seq, newest_first).ok()?
    }

    fn look(
        &self,
        path: &Path,
        seq: u64,
        mut newest_first: impl Iterator<Item = ContentHash>,
    ) -> Result<Option<Unseen>, PortError> {
        let file = if seq == 0 { self.begin(path)? } else { appendable(path, false)? };
        let length = file.metadata().map_err(|error| unavailable(path, &error))?.len();
        let seen = length / LINE_BYTES;
        let behind = seq.saturating_add(1).saturating_sub(seen);
        if behind == 0 || behind > MAX_UNSEEN {
            return Ok(None);
        }
        let mut checksums = Vec::new();
        while u64::try_from(checksums.len()).is_ok_and(|count| count < behind) {
            let Some(checksum) = newest_first.next() else { return Ok(None) };
            checksums.push(checksum);
        }
        let before = if seen == 0 { None } else { newest_first.next() };
        match last_of(&file, seen, before.as_ref()).map_err(|error| unavailable(path, &error))? {
            Last::Unknown | Last::Nothing | Last::Saw { fits: true, .. } => {
                self.note_place(path);
                Ok(Some(Unseen { file, path: path.to_path_buf(), length, checksums }))
            }
            Last::Saw { fits: false, .. } => Ok(None),
        }
    }

    fn begin(&self, path: &Path) -> Result<File, PortError> {
        if let Some(folder) = path.parent() {
            create_dirs(folder)?;
        }
        self.note_place(path);
        appendable(path, true)
    }

    /// Writes down where the clone is, when it was moved since: a place that is gone is told from one that moved.
    fn note_place(&self, heads: &Path) {
        let (file, here) = (heads.with_file_name(PLACE), self.home.as_os_str().as_encoded_bytes());
        if read_optional(&file).ok().flatten().as_deref() != Some(here) {
            drop(replace(&file, here, Durability::Os));
        }
    }

    /// Begins anew with the checksums that `each` gives, oldest first; what was remembered is put aside, never deleted.
    ///
    /// # Errors
    /// The folder cannot be written, or what `each` says.
    pub(in crate::ledger) fn restart(
        &self,
        each: impl FnOnce(&mut dyn FnMut(&ContentHash) -> Result<(), PortError>) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        let Some(path) = self.heads() else { return Ok(()) };
        self.put_aside()?;
        let mut file = BufWriter::new(self.begin(&path)?);
        each(&mut |checksum| {
            let written = file.write_all(remembered(checksum)).and_then(|()| file.write_all(b"\n"));
            written.map_err(|error| unavailable(&path, &error))
        })?;
        file.flush().map_err(|error| unavailable(&path, &error))
    }

    /// Puts aside what it remembers here, so that this place has no witness; nothing is ever deleted.
    ///
    /// # Errors
    /// It cannot be moved.
    pub(in crate::ledger) fn put_aside(&self) -> Result<(), PortError> {
        let Some(path) = self.heads().filter(|path| path.exists()) else { return Ok(()) };
        let mut names = (1_u32..).map(|number| path.with_file_name(format!("heads.{number}")));
        let Some(aside) = names.find(|aside| !aside.exists()) else { return Ok(()) };
        std::fs::rename(&path, &aside).map_err(|error| unavailable(&path, &error))?;
        sync_parent(&path)
    }
}

fn home_of(layout: &Layout) -> PathBuf {
    let private = layout.private();
    match private.parent() {
        Some(parent) if !private.starts_with(layout.orchestration()) => parent.to_path_buf(),
        _ => layout.root().to_path_buf(),
    }
}

fn appendable(path: &Path, create: bool) -> Result<File, PortError> {
    open_private(path, private_options().read(true).append(true).create(create))
}

/// What a witness of so many entries says of its newest one; an unfinished line does not count.
fn last_of(mut file: &File, count: u64, claimed: Option<&ContentHash>) -> std::io::Result<Last> {
    if count == 0 {
        return Ok(Last::Nothing);
    }
    file.seek(SeekFrom::Start((count - 1) * LINE_BYTES))?;
    let mut digits = [0; DIGITS];
    file.read_exact(&mut digits)?;
    Ok(Last::Saw { count, fits: claimed.is_some_and(|claimed| remembered(claimed) == digits) })
}

fn remembered(checksum: &ContentHash) -> &[u8] {
    checksum.digits().as_bytes().get(..DIGITS).unwrap_or_default()
}

/// All that a witness remembers, as it was when it was opened; a piece of it is held at a time.
#[derive(Debug)]
pub(in crate::ledger) struct Heads {
    file: File,
    path: PathBuf,
    count: u64,
    /// The piece, and the entry that it begins with.
    piece: Vec<u8>,
    first: u64,
    is_readable: bool,
}

impl Heads {
    fn of(file: File, length: u64, path: PathBuf) -> Self {
        let count = length / LINE_BYTES;
        Self { file, path, count, piece: Vec::new(), first: 0, is_readable: true }
    }

    /// Where they are kept.
    pub(in crate::ledger) fn path(&self) -> &Path {
        &self.path
    }

    /// How many entries it saw; an unfinished line does not count.
    pub(in crate::ledger) fn count(&self) -> u64 {
        self.count
    }

    /// Whether entry `seq` was this one; `None` when it did not see that entry.
    pub(in crate::ledger) fn saw(&mut self, seq: u64, checksum: &ContentHash) -> Option<bool> {
        self.line(seq).map(|line| line.strip_suffix(b"\n") == Some(remembered(checksum)))
    }

    /// What is remembered in a file; `None` when there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub(in crate::ledger) fn open(path: &Path) -> Result<Option<Self>, PortError> {
        Ok(open_regular_optional(path)?.map(|(file, length)| Self::of(file, length, path.to_path_buf())))
    }

    /// What the file of a ledger with that first entry begins with.
    pub(in crate::ledger) fn name_of(first: &ContentHash) -> String {
        String::from_utf8_lossy(remembered(first)).into_owned()
    }

    fn line(&mut self, seq: u64) -> Option<&[u8]> {
        if seq >= self.count {
            return None;
        }
        let lines = u64::try_from(self.piece.len() / LINE).unwrap_or_default();
        if !(self.first..self.first + lines).contains(&seq) && self.load(seq - seq % PIECE_LINES).is_err() {
            self.piece.clear();
            self.is_readable = false;
        }
        let start = usize::try_from(seq.checked_sub(self.first)?).ok()?.checked_mul(LINE)?;
        self.piece.get(start..start.checked_add(LINE)?)
    }

    /// Reads the piece that begins with that entry. Pieces begin at even places, so that reading backwards costs the same.
    fn load(&mut self, first: u64) -> std::io::Result<()> {
        let size = LINE_BYTES * PIECE_LINES.min(self.count - first);
        self.piece.clear();
        self.first = first;
        self.file.seek(SeekFrom::Start(first * LINE_BYTES))?;
        Read::by_ref(&mut self.file).take(size).read_to_end(&mut self.piece).map(drop)
    }

    /// Whether it could be read, and has the form that this program writes.
    pub(in crate::ledger) fn is_well_formed(&mut self) -> bool {
        let digits = |line: &[u8]| line.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let formed =
            (0..self.count).all(|seq| matches!(self.line(seq), Some([start @ .., b'\n']) if digits(start)));
        formed && self.is_readable
    }
}
