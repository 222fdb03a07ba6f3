//! What a person asked of an agent last, for showing it beside the agent's questions (ADR 0014).
//!
//! One small file for each session, written over by the next prompt and gone with the session; what is a day old is gone
//! as well. Nothing is decided by it. Deliberately absent: taking out secrets, which whoever keeps a prompt does first.

use std::path::PathBuf;

use bailiwick_domain::{Actor, PortError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, remove_optional, replace, unavailable};
use crate::files::freeing::{Doing, Freed, entries, modified, remove};

/// The most characters that are kept of one.
const LONGEST: usize = 2_000;

/// How long one is kept at most, in seconds.
const KEPT_S: u64 = 86_400;

/// The prompts of a root's sessions.
#[derive(Clone, Debug)]
pub struct FsPrompts {
    dir: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    session: String,
    at: Timestamp,
    text: String,
}

impl FsPrompts {
    /// Those of this root.
    pub fn new(layout: &Layout) -> Self {
        Self { dir: layout.private().join("prompts") }
    }

    fn file(&self, actor: &Actor) -> PathBuf {
        self.dir.join(format!("{}.json", actor.parent().key().digits()))
    }

    /// Keeps the beginning of what a person asked for in this session, in place of what they asked for before. Old ones
    /// of other sessions go.
    ///
    /// # Errors
    /// It cannot be written, or old ones not be removed.
    pub fn keep(&self, actor: &Actor, text: &str, now: Timestamp) -> Result<(), PortError> {
        let text = text.trim();
        let mut kept: String = text.chars().take(LONGEST).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        let kept = Kept { session: actor.parent().to_string(), at: now, text: kept };
        let bytes = serde_json::to_vec(&kept).map_err(|error| PortError::Unavailable(error.to_string()))?;
        let cleared = self.forget_old(now, Doing::Collect);
        replace(&self.file(actor), &bytes, Durability::Os)?;
        cleared.map(drop)
    }

    /// What the person had asked for when this session asked a question at that moment, where it is still known.
    pub fn before(&self, actor: &Actor, asked: Timestamp) -> Option<String> {
        let bytes = read_optional(&self.file(actor)).ok()??;
        let kept: Kept = serde_json::from_slice(&bytes).ok()?;
        let is_its_own = kept.session == actor.parent().to_string();
        let is_of_then = kept.at <= asked && asked < kept.at.plus_seconds(KEPT_S);
        (is_its_own && is_of_then && !kept.text.is_empty()).then_some(kept.text)
    }

    /// The session is over, or asked for something else.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn forget(&self, actor: &Actor) -> Result<(), PortError> {
        remove_optional(&self.file(actor))
    }

    /// Nobody wants any prompt kept.
    ///
    /// # Errors
    /// They cannot be removed.
    pub fn forget_all(&self) -> Result<(), PortError> {
        match std::fs::remove_dir_all(&self.dir) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unavailable(&self.dir, &error)),
            _ => Ok(()),
        }
    }

    /// Hosts lose the events that end sessions, so what is old goes without them.
    pub(crate) fn forget_old(&self, now: Timestamp, doing: Doing) -> Result<Freed, PortError> {
        let mut freed = Freed::default();
        for (path, meta) in entries(&self.dir)? {
            let is_prompt = meta.is_file() && path.extension().is_some_and(|ending| ending == "json");
            if is_prompt && modified(&meta).plus_seconds(KEPT_S) <= now {
                freed.add(meta.len());
                remove(&path, doing)?;
            }
        }
        Ok(freed)
    }
}
