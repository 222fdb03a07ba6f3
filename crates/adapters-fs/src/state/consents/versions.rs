//! How new each sealed record is. The private state is anybody's to write, so a record that was valid once can be put back
//! there; the newest number lies in the user's state folder, and what is older counts no more.
//!
//! What may hold consent has a number of its own, whatever stops while it is written: the number is reserved before, and noted
//! after. What a call uses is noted after it was written, for the call runs only then. What takes a consent back is noted before:
//! whatever stops in between, it is taken back.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bailiwick_domain::PortError;

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, remove_optional, replace};
use crate::files::lock::FileLock;

/// Stands for a number that cannot be read. It is newer than all that is there.
const DAMAGED: u64 = u64::MAX;

/// What a record does to consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It may hold some.
    Gives,
    /// It holds none, nor does what may come after it, so that no harm is done where two have the same number.
    UsesUp,
    /// It takes some back.
    TakesBack,
}

/// What is written of one record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) next: Next,
    pub(crate) effect: Effect,
    pub(crate) durability: Durability,
}

/// The number of the record that is written next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub(crate) version: u64,
    /// That of the record that is the newest until then.
    newest: u64,
}

/// What is noted of the records of one name, as one number or, while the next record is written, as two.
#[derive(Clone, Copy, Debug, Default)]
struct Noted {
    /// The number of the newest record.
    newest: u64,
    /// The highest number that was given to one.
    given: u64,
}

/// The newest numbers of the records of one kind. Without a state folder nothing is remembered, as nothing is sealed.
#[derive(Clone, Debug)]
pub(crate) struct Versions {
    folder: Option<PathBuf>,
}

impl Versions {
    pub(crate) fn of(layout: &Layout, kind: &str) -> Self {
        Self { folder: layout.remembered().map(|folder| folder.join(kind)) }
    }

    /// The number of the newest record of that name; zero where none was noted. It is asked for before the record is read, which
    /// may be written in between.
    pub(crate) fn newest(&self, name: &str) -> Result<u64, PortError> {
        Ok(self.noted(name)?.newest)
    }

    /// The number of the record that is written next, in place of one of that number that counts. Behind a number that cannot be
    /// read it is the time, which is more than any record was ever written.
    pub(crate) fn next(&self, name: &str, there: u64) -> Result<Next, PortError> {
        let Noted { newest, given } = self.noted(name)?;
        // A version that reserved no number may have written a record and not noted it.
        let last = if newest == DAMAGED { now() } else { given.max(newest).max(there) };
        Ok(Next { version: last.saturating_add(1), newest })
    }

    /// Notes that a record of this number is the newest.
    pub(crate) fn note(&self, name: &str, version: u64, durability: Durability) -> Result<(), PortError> {
        self.say(name, &version.to_string(), durability)
    }

    /// Writes a record and notes its number, in the order that what it does to consent asks for.
    pub(crate) fn written(
        &self,
        name: &str,
        record: Written,
        write: impl FnOnce() -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        let Written { next: Next { version, newest }, effect, durability } = record;
        let note = || self.note(name, version, durability);
        match effect {
            // Where nothing counts, noting it first takes nothing away.
            _ if newest == DAMAGED => note().and_then(|()| write()),
            Effect::TakesBack => note().and_then(|()| write()),
            Effect::UsesUp => write().and_then(|()| note()),
            Effect::Gives => {
                self.say(name, &format!("{newest} {version}"), durability)?;
                write()?;
                note().map_err(in_force)
            }
        }
    }

    fn noted(&self, name: &str) -> Result<Noted, PortError> {
        let Some(folder) = &self.folder else { return Ok(Noted::default()) };
        let Some(bytes) = read_optional(&folder.join(name))? else { return Ok(Noted::default()) };
        Ok(numbers(&bytes).unwrap_or(Noted { newest: DAMAGED, given: DAMAGED }))
    }

    fn say(&self, name: &str, numbers: &str, durability: Durability) -> Result<(), PortError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        replace(&folder.join(name), numbers.as_bytes(), durability)
    }

    /// Forgets what was noted longer ago than any of these records counts.
    pub(crate) fn forget_older_than(&self, age: Duration) -> Result<(), PortError> {
        let entries = self.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        let since = SystemTime::now().checked_sub(age);
        for entry in entries.into_iter().flatten().flatten() {
            let noted = entry.metadata().and_then(|data| data.modified()).ok();
            if noted.zip(since).is_some_and(|(noted, since)| noted < since) {
                remove_optional(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// What a record holds, for who does not hold the lock: while it is written its number may be noted already. Where the lock
/// cannot be taken, as in a checkout that is only there to be read, it is taken as it stands.
pub(crate) fn settled<T>(
    file: &Path,
    lock: impl FnOnce() -> Result<FileLock, PortError>,
    read: impl Fn() -> Result<Option<T>, PortError>,
) -> Result<Option<T>, PortError> {
    match read()? {
        None if file.exists() => {
            let _held = lock().ok();
            read()
        }
        found => Ok(found),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// What is said when a record that may hold consent was written and its number was not noted.
fn in_force(error: PortError) -> PortError {
    PortError::Unavailable(format!("{error}; what was decided is written all the same, and counts"))
}

/// Numbers as they are noted. Versions that know one number take two for damage, and nothing counts for them.
fn numbers(bytes: &[u8]) -> Option<Noted> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (newest, given) = text.split_once(' ').unwrap_or((text, text));
    Some(Noted { newest: number(newest)?, given: number(given)? })
}

/// The number that stands for damage is none.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number != DAMAGED)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NAME: &str = "record";

    /// What is noted while a record is written, and after.
    fn noted(versions: &Versions, effect: Effect) -> [Option<String>; 2] {
        let file = versions.folder.as_ref().unwrap().join(NAME);
        let read = || fs::read_to_string(&file).ok();
        let next = versions.next(NAME, 0).unwrap();
        let mut meanwhile = None;
        let write = || {
            meanwhile = read();
            Ok(())
        };
        versions.written(NAME, Written { next, effect, durability: Durability::Os }, write).unwrap();
        [meanwhile, read()]
    }

    fn some(texts: [&str; 2]) -> [Option<String>; 2] {
        texts.map(|text| Some(text.to_owned()))
    }

    #[test]
    fn what_may_hold_consent_has_its_number_before_it_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let versions = Versions { folder: Some(dir.path().join("kind")) };
        assert_eq!(noted(&versions, Effect::Gives), some(["0 1", "1"]));
        assert_eq!(noted(&versions, Effect::TakesBack), some(["2", "2"]));
        assert_eq!(noted(&versions, Effect::UsesUp), some(["2", "3"]));
    }

    #[test]
    fn no_number_is_given_twice_whatever_stops() {
        let dir = tempfile::tempdir().unwrap();
        let versions = Versions { folder: Some(dir.path().into()) };
        fs::write(dir.path().join(NAME), "3 4").unwrap();
        assert_eq!(
            versions.newest(NAME),
            Ok(3),
            "the record before counts, and so does the one that may be there"
        );
        for effect in [Effect::Gives, Effect::UsesUp, Effect::TakesBack] {
            assert_eq!(versions.next(NAME, 3).unwrap().version, 5);
            let failed =
                Written { next: versions.next(NAME, 3).unwrap(), effect, durability: Durability::Os };
            let nothing = || Err(PortError::Unavailable("stopped".into()));
            assert!(versions.written(NAME, failed, nothing).is_err());
            let next = versions.next(NAME, 3).unwrap().version;
            assert_eq!(next, if effect == Effect::UsesUp { 5 } else { 6 }, "{effect:?}");
            fs::write(dir.path().join(NAME), "3 4").unwrap();
        }
        assert_eq!(versions.next(NAME, 9).unwrap().version, 10);
    }

    #[test]
    fn behind_damage_no_number_is_given_twice() {
        let dir = tempfile::tempdir().unwrap();
        let versions = Versions { folder: Some(dir.path().into()) };
        for damaged in ["", "x", "3 x", "x 3", "3 4 5", "18446744073709551615 3", "3 18446744073709551615"] {
            fs::write(dir.path().join(NAME), damaged).unwrap();
            assert_eq!(versions.newest(NAME), Ok(DAMAGED), "{damaged:?}");
            let [meanwhile, after] = noted(&versions, Effect::Gives);
            assert_eq!(meanwhile, after);
            assert!(after.unwrap().parse::<u64>().unwrap() > 1_700_000_000, "{damaged:?}");
        }
    }

    #[test]
    fn who_is_told_of_an_error_is_told_that_the_record_counts() {
        let dir = tempfile::tempdir().unwrap();
        let versions = Versions { folder: Some(dir.path().into()) };
        let file = dir.path().join(NAME);
        let next = versions.next(NAME, 0).unwrap();
        let record = Written { next, effect: Effect::Gives, durability: Durability::Os };
        let written = versions.written(NAME, record, || {
            fs::remove_file(&file).unwrap();
            fs::create_dir_all(file.join("in the way")).unwrap();
            Ok(())
        });
        let told = written.unwrap_err().to_string();
        assert!(told.ends_with("; what was decided is written all the same, and counts"), "{told}");
    }
}
