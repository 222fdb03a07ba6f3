//! The token that lets programs in over HTTP: one for each root and user, in the user's state folder, where no tree is that
//! an agent works in.
//!
//! Deliberately absent: what a token looks like, and comparing it.

use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};

use crate::Layout;
use crate::files::atomic::{Durability, create_dirs, create_once, invalid, read_optional, replace};

/// So much of the hash of a root's path names its token.
const NAME: usize = 16;

/// Where the token of a root is kept.
#[derive(Clone, Debug)]
pub struct FsMcpToken {
    path: PathBuf,
}

impl FsMcpToken {
    /// The place of this root's token; `None` where the user has no state folder.
    pub fn of(layout: &Layout) -> Option<Self> {
        let hash = ContentHash::of(layout.root().as_os_str().as_encoded_bytes());
        let name = hash.digits().get(..NAME).unwrap_or_default().to_owned();
        Some(Self { path: layout.user_state()?.join("mcp").join(format!("{name}.token")) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The token that is there; else `fresh`, which is kept from now on.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn kept_or(&self, fresh: &str) -> Result<String, PortError> {
        self.make_folder()?;
        create_once(&self.path, line(fresh).as_bytes(), Durability::Synced)?;
        let text = String::from_utf8(read_optional(&self.path)?.unwrap_or_default())
            .map_err(|_| invalid(&self.path, "not a token"))?;
        Ok(text.trim().to_owned())
    }

    /// Keeps another token from now on.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn replace(&self, fresh: &str) -> Result<(), PortError> {
        self.make_folder()?;
        replace(&self.path, line(fresh).as_bytes(), Durability::Synced)
    }

    fn make_folder(&self) -> Result<(), PortError> {
        self.path.parent().map_or(Ok(()), create_dirs)
    }
}

fn line(token: &str) -> String {
    format!("{token}\n")
}
