//! Which signing keys are known on this machine: one's own, and those of others that a person named here. A key in the
//! tree would come from whoever can change the tree, so the list is in the user's state folder.

use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};

use super::{Signer, TraceKey};
use crate::Layout;
use crate::files::atomic::{Durability, invalid, read_optional, replace};

const FILE: &str = "trace-keys";

/// Before the ledgers up to which a key counts.
const UNTIL: &str = "until=";

/// A key of somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// The key.
    pub key: TraceKey,
    /// Whose it is, as the person here calls them.
    pub name: String,
    /// Where it was stolen: the ledgers whose first entries it counts for, and no others.
    pub until: Option<Vec<Until>>,
}

/// So many entries of a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Until {
    /// The checksum of the ledger's first entry.
    pub chain: ContentHash,
    /// How many.
    pub entries: u64,
}

impl Until {
    fn read(text: &str) -> Option<Self> {
        let (digits, entries) = text.split_once(':')?;
        Some(Self { chain: ContentHash::parse(&format!("sha256:{digits}"))?, entries: entries.parse().ok()? })
    }
}

impl KnownKey {
    /// A key and a name, as they are written one behind the other; `None` where it is none.
    pub fn parse(line: &str) -> Option<Self> {
        let (key, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let key = TraceKey::parse(key)?;
        let (until, name) = match rest.strip_prefix(UNTIL) {
            None => (None, rest),
            Some(rest) => {
                let (list, name) = rest.split_once(' ')?;
                let list = list.split(',').filter(|one| !one.is_empty());
                (Some(list.map(Until::read).collect::<Option<Vec<_>>>()?), name)
            }
        };
        Some(Self { key, name: name.trim().to_owned(), until })
    }

    fn line(&self) -> String {
        let until = self.until.as_ref().map(|list| {
            let list: Vec<String> =
                list.iter().map(|one| format!("{}:{}", one.chain.digits(), one.entries)).collect();
            format!("{UNTIL}{} ", list.join(","))
        });
        format!("{} {}{}\n", self.key, until.unwrap_or_default(), self.name)
    }

    /// A key that counts for whatever it signs.
    pub fn new(key: TraceKey, name: &str) -> Self {
        Self { key, name: name.trim().to_owned(), until: None }
    }

    /// Whether it counts for the first so many entries of that ledger.
    pub fn counts(&self, chain: Option<&ContentHash>, entries: u64) -> bool {
        let has = |until: &Until| Some(&until.chain) == chain && entries <= until.entries;
        self.until.as_ref().is_none_or(|list| list.iter().any(has))
    }
}

/// Whose a key is, for so many entries of a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose<'k> {
    /// One's own.
    You,
    /// That of somebody whom a person named here.
    Known(&'k str),
    /// It was this one's and was stolen: nobody knows who signed these entries.
    Stolen(&'k str),
    /// Nobody said whose it is.
    Nobody,
}

impl<'k> Whose<'k> {
    /// Who answers for what is signed: `you`, or the name that the key was given here.
    pub fn name(self) -> Option<&'k str> {
        match self {
            Self::You => Some("you"),
            Self::Known(name) => Some(name),
            Self::Stolen(_) | Self::Nobody => None,
        }
    }
}

/// The keys of a list, one a line; else the line that is none.
///
/// # Errors
/// The first line that does not start with a key.
pub fn listed(text: &str) -> Result<Vec<KnownKey>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| KnownKey::parse(line).ok_or_else(|| line.to_owned())).collect()
}

/// The keys that are known on this machine.
#[derive(Clone, Debug, Default)]
pub struct TraceKeys {
    file: Option<PathBuf>,
    own: Option<TraceKey>,
    others: Vec<KnownKey>,
}

impl TraceKeys {
    /// Reads them; none where there is no user's state folder.
    ///
    /// # Errors
    /// A file of theirs cannot be read, or is not what this program writes.
    pub fn open(layout: &Layout) -> Result<Self, PortError> {
        let Some(folder) = layout.user_state() else { return Ok(Self::default()) };
        let file = folder.join(FILE);
        let own = Signer::load(folder)?.map(|signer| signer.public());
        let text = read_optional(&file)?.unwrap_or_default();
        let text = String::from_utf8(text).map_err(|_| invalid(&file, "not text"))?;
        let others =
            listed(&text).map_err(|line| invalid(&file, format!("`{line}` does not start with a key")))?;
        Ok(Self { others, own, file: Some(file) })
    }

    /// These keys in place of those that are known on this machine, for a machine that belongs to nobody.
    #[must_use]
    pub fn only(keys: Vec<KnownKey>) -> Self {
        Self { file: None, own: None, others: keys }
    }

    /// One's own key; `None` as long as nothing was signed here.
    pub fn own(&self) -> Option<&TraceKey> {
        self.own.as_ref()
    }

    /// The keys of others.
    pub fn others(&self) -> &[KnownKey] {
        &self.others
    }

    /// Whose key it is for the first so many entries of the ledger with that first entry: one that was stolen counts for
    /// what is known to be from before. Nobody is told a name without saying for what.
    pub fn whose(&self, key: &TraceKey, chain: Option<&ContentHash>, entries: u64) -> Whose<'_> {
        if self.own.as_ref() == Some(key) {
            return Whose::You;
        }
        match self.others.iter().find(|known| known.key == *key) {
            Some(known) if known.counts(chain, entries) => Whose::Known(&known.name),
            Some(known) => Whose::Stolen(&known.name),
            None => Whose::Nobody,
        }
    }

    /// Counts a key for these entries alone from now on: it was stolen, and a checkpoint from before says which are its
    /// owner's. Whether it was known.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn until(&mut self, key: &TraceKey, until: Vec<Until>) -> Result<bool, PortError> {
        let is_known = self.others.iter().any(|known| known.key == *key);
        self.change(|others| {
            let known = others.iter_mut().filter(|known| known.key == *key);
            known.for_each(|known| known.until = Some(until.clone()));
        })?;
        Ok(is_known)
    }

    /// Lets another key of one's own sign from now on; the one before stays known, under that name.
    ///
    /// # Errors
    /// There is no user's state folder, or a file in it cannot be written.
    pub fn rotate(&mut self, name: &str) -> Result<TraceKey, PortError> {
        let missing = || PortError::Unavailable("no state folder to keep keys in".to_owned());
        let folder = self.file.as_ref().and_then(|file| file.parent()).ok_or_else(missing)?.to_path_buf();
        if let Some(own) = self.own.clone() {
            self.trust(KnownKey::new(own, name))?;
            Signer::put_aside(&folder)?;
        }
        let next = Signer::load_or_create(Some(&folder))?.public();
        self.own = Some(next.clone());
        Ok(next)
    }

    /// Whether a key is known here as stolen.
    pub fn is_stolen(&self, key: &TraceKey) -> bool {
        self.others.iter().any(|known| known.key == *key && known.until.is_some())
    }

    /// Knows a key from now on, under this name in place of another.
    ///
    /// # Errors
    /// There is no user's state folder, the name is empty or has a control character, the key was stolen, or the list cannot
    /// be written.
    pub fn trust(&mut self, new: KnownKey) -> Result<(), PortError> {
        let name = new.name.as_str();
        if self.is_stolen(&new.key) {
            let why = "was stolen, and whoever has it signs with it: `bailiwick trace key forget` drops what you said of it";
            return Err(PortError::Unavailable(format!("{} {why}", new.key)));
        }
        if name.is_empty() || name.starts_with(UNTIL) || name.chars().any(char::is_control) {
            return Err(invalid(Path::new(FILE), "the name of a key is one line"));
        }
        self.change(|others| {
            others.retain(|known| known.key != new.key);
            others.push(new);
        })
    }

    /// Does not know these keys any more, by key or by name; how many they were.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn forget(&mut self, key_or_name: &str) -> Result<usize, PortError> {
        let before = self.others.len();
        self.change(|others| {
            others.retain(|known| known.key.as_str() != key_or_name && known.name != key_or_name);
        })?;
        Ok(before - self.others.len())
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<KnownKey>)) -> Result<(), PortError> {
        let missing = || PortError::Unavailable("no state folder to keep keys in".to_owned());
        let file = self.file.clone().ok_or_else(missing)?;
        let mut others = self.others.clone();
        change(&mut others);
        let lines: String = others.iter().map(KnownKey::line).collect();
        replace(&file, lines.as_bytes(), Durability::Synced)?;
        self.others = others;
        Ok(())
    }
}
