//! A governed root in a scratch folder.

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use bailiwick_adapters_fs::Layout;
use bailiwick_domain::{Clock, Timestamp};
use tempfile::TempDir;

/// A root with an empty list of intents, private state and a user's state folder.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.layout().orchestration()).unwrap();
        fs::create_dir_all(place.layout().private()).unwrap();
        fs::create_dir_all(place.user_state()).unwrap();
        fs::write(place.layout().intents_file(), "active_intents: []\n").unwrap();
        place
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    pub(crate) fn user_state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout_with_state_of(self)
    }

    pub(crate) fn layout_with_state_of(&self, other: &Self) -> Layout {
        Layout::new(self.root(), self.root().join(".git/bailiwick"), Some(other.user_state()))
    }

    pub(crate) fn layout_without_state(&self) -> Layout {
        Layout::new(self.root(), self.root().join(".git/bailiwick"), None)
    }
}

/// A clock that stands an hour after every file of the test was written, so that their times are believed.
#[derive(Debug)]
pub(crate) struct Later;

impl Clock for Later {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap()).plus_seconds(3600)
    }
}
