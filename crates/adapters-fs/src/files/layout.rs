//! Where everything of one governed repository lives (ADR 0002). Names places only; touches no file.

use std::path::{Path, PathBuf};

use bailiwick_domain::ContentHash;

/// The places of one governed root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    root: PathBuf,
    private: PathBuf,
    user_state: Option<PathBuf>,
}

impl Layout {
    /// Places from the canonical root, the private state folder (`<git common dir>/bailiwick`, or
    /// `.orchestration/state` without git) and the user's state folder, when one is known.
    pub fn new(root: impl Into<PathBuf>, private: impl Into<PathBuf>, user_state: Option<PathBuf>) -> Self {
        Self { root: root.into(), private: private.into(), user_state }
    }

    /// The governed root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The private state: sessions, approvals, decision log, live ledger, pre-images.
    pub fn private(&self) -> &Path {
        &self.private
    }

    /// The user's state folder: keys, registry of governed roots, accepted configurations, caches.
    pub fn user_state(&self) -> Option<&Path> {
        self.user_state.as_deref()
    }

    /// `.orchestration` below the root.
    pub fn orchestration(&self) -> PathBuf {
        self.root.join(Self::ORCHESTRATION)
    }

    /// The file that humans write intents into.
    pub fn intents_file(&self) -> PathBuf {
        self.orchestration().join("active_intents.yaml")
    }

    /// The ledger as seen in the working copy.
    pub fn ledger_view(&self) -> PathBuf {
        self.orchestration().join("agent_trace.jsonl")
    }

    /// The settings file; need not exist.
    pub fn config_file(&self) -> PathBuf {
        self.orchestration().join("config.yaml")
    }

    /// Both places of ignore rules, the root's first, each with its name relative to the root.
    pub fn ignore_files(&self) -> [(&'static str, PathBuf); 2] {
        [Self::IGNORE_AT_ROOT, Self::IGNORE_IN_STORE].map(|name| (name, self.root.join(name)))
    }

    /// Things that can be computed again at any time. They lie in the user's state folder: they are believed unread, and a
    /// stranger may write all of git's folder.
    pub fn cache(&self) -> PathBuf {
        self.user_state.as_ref().unwrap_or(&self.private).join("cache").join(self.id())
    }

    /// What decides beside the private state and may not be put back with it, in the user's state folder: how new a consent is,
    /// and what was counted.
    pub fn remembered(&self) -> Option<PathBuf> {
        Some(self.user_state.as_ref()?.join("roots").join(self.id()))
    }

    /// The name of this root's private state among those of other roots.
    fn id(&self) -> String {
        let hash = ContentHash::of(self.private.as_os_str().as_encoded_bytes());
        hash.digits().get(..24).unwrap_or_default().to_owned()
    }

    /// The store's folder, relative to the root.
    pub const ORCHESTRATION: &str = ".orchestration";
    /// The intents file, relative to the root.
    pub const INTENTS: &str = ".orchestration/active_intents.yaml";
    /// The settings file, relative to the root.
    pub const CONFIG: &str = ".orchestration/config.yaml";

    const IGNORE_AT_ROOT: &str = ".intentignore";
    const IGNORE_IN_STORE: &str = ".orchestration/.intentignore";
}
