//! What a hook gives along with a call of our own MCP server: who acts, and under which id the host calls it.
//!
//! The server is a process of the client and cannot know which session calls it; the hook does. A pass is bound to one
//! call, good once, and sealed with the key outside every tree, so that nobody else writes one. Deliberately absent:
//! proving that a call reaches our server, and judging it.

use std::path::PathBuf;

use bailiwick_domain::{
    Actor, CallId, ContentHash, Params, PortError, Timestamp, Value, canonical_json, json,
};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, create_once};
use crate::files::freeing::{Doing, entries, modified, remove};
use crate::state::consents::approvals::seal::SealKey;

/// The form of a pass; another one is none.
const FORMAT: u32 = 1;

/// How long a call may take from its hook to the server, in seconds: a host may queue it behind others.
const LIFETIME_S: u64 = 600;

/// Writes and reads the passes of one repository.
#[derive(Clone, Debug)]
pub struct HookPasses {
    place: PathBuf,
    user_state: Option<PathBuf>,
    /// A file for each pass that was taken, so that no server of this root takes it again.
    taken: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: u32,
    actor: Actor,
    call: CallId,
    at: Timestamp,
    seal: ContentHash,
}

impl HookPasses {
    /// The passes of this root's repository.
    pub fn new(layout: &Layout) -> Self {
        let user_state = layout.user_state().map(ToOwned::to_owned);
        Self { place: layout.root().to_owned(), user_state, taken: layout.private().join("passes") }
    }

    /// A pass for exactly this call.
    ///
    /// # Errors
    /// There is no key to seal it with.
    pub fn issue(
        &self,
        actor: &Actor,
        call: &CallId,
        (tool, params): (&str, &Params),
        now: Timestamp,
    ) -> Result<String, PortError> {
        let mut stored = Stored {
            format: FORMAT,
            actor: actor.clone(),
            call: call.clone(),
            at: now,
            seal: ContentHash::of(&[]),
        };
        stored.seal = self.seal(&stored, tool, params)?;
        Ok(json!(stored).to_string())
    }

    /// Who acts and under which id, where the text is a pass for exactly this call and nobody took it before.
    pub fn take(
        &self,
        text: &str,
        (tool, params): (&str, &Params),
        now: Timestamp,
    ) -> Option<(Actor, CallId)> {
        let stored: Stored = serde_json::from_str(text).ok()?;
        let is_in_time = stored.at <= now && now <= stored.at.plus_seconds(LIFETIME_S);
        let is_whole = stored.format == FORMAT && is_in_time;
        let seal = self.seal(&stored, tool, params).ok().filter(|_| is_whole)?;
        (seal == stored.seal && self.is_first(&seal, now)).then_some((stored.actor, stored.call))
    }

    /// Whether this pass was not taken before; where that cannot be written down, it is not taken now either.
    fn is_first(&self, seal: &ContentHash, now: Timestamp) -> bool {
        for (path, meta) in entries(&self.taken).unwrap_or_default() {
            // A pass that is out of time is none, whether or not its file is still there.
            if modified(&meta).plus_seconds(LIFETIME_S) < now {
                let _ = remove(&path, Doing::Collect);
            }
        }
        create_once(&self.taken.join(seal.digits()), b"", Durability::Os).unwrap_or(false)
    }

    fn seal(&self, stored: &Stored, tool: &str, params: &Params) -> Result<ContentHash, PortError> {
        let none = || PortError::Unavailable("there is no state folder to seal a pass with".into());
        let folder = self.user_state.as_ref().ok_or_else(none)?;
        let says = canonical_json(&Value::Object(params.clone()));
        let place = ContentHash::of(self.place.as_os_str().as_encoded_bytes());
        let sealed = json!({"hook_pass": {
            "format": stored.format, "actor": stored.actor, "call": stored.call, "at": stored.at, "place": place,
            "tool": tool, "params": ContentHash::of(says.as_bytes()),
        }});
        Ok(SealKey::load_or_create(folder)?.seal(&sealed))
    }
}
