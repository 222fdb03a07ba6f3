//! Which signing keys are known on this machine: one's own, and those of others that a person named here. A key in the
//! tree would come from whoever can change the tree, so the list is in the user's state folder (D-15, D-18).

use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use super::{Signer, TraceKey};
use crate::Layout;
use crate::atomic::{Durability, invalid, read_optional, replace};

const FILE: &str = "trace-keys";

/// A key of somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// The key.
    pub key: TraceKey,
    /// Whose it is, as the person here calls them.
    pub name: String,
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
        let others = text.lines().filter(|line| !line.is_empty()).map(|line| {
            let (key, name) = line.split_once(' ').unwrap_or((line, ""));
            let key =
                TraceKey::parse(key).ok_or_else(|| invalid(&file, format!("`{line}` begins with no key")))?;
            Ok(KnownKey { key, name: name.to_owned() })
        });
        Ok(Self { others: others.collect::<Result<_, PortError>>()?, own, file: Some(file) })
    }

    /// One's own key; `None` as long as nothing was signed here.
    pub fn own(&self) -> Option<&TraceKey> {
        self.own.as_ref()
    }

    /// The keys of others.
    pub fn others(&self) -> &[KnownKey] {
        &self.others
    }

    /// Whose key it is: `you`, or the name that it was given here.
    pub fn owner(&self, key: &TraceKey) -> Option<&str> {
        if self.own.as_ref() == Some(key) {
            return Some("you");
        }
        self.others.iter().find(|known| known.key == *key).map(|known| known.name.as_str())
    }

    /// Knows a key from now on, under this name in place of another.
    ///
    /// # Errors
    /// There is no user's state folder, the name is empty or has a control character, or the list cannot be written.
    pub fn trust(&mut self, key: TraceKey, name: &str) -> Result<(), PortError> {
        let name = name.trim();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(invalid(Path::new(FILE), "a key needs a name of one line"));
        }
        self.change(|others| {
            others.retain(|known| known.key != key);
            others.push(KnownKey { key, name: name.to_owned() });
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
        let missing = || PortError::Unavailable("no user's state folder to keep keys in".to_owned());
        let file = self.file.clone().ok_or_else(missing)?;
        let mut others = self.others.clone();
        change(&mut others);
        let lines: String = others.iter().map(|known| format!("{} {}\n", known.key, known.name)).collect();
        replace(&file, lines.as_bytes(), Durability::Synced)?;
        self.others = others;
        Ok(())
    }
}
