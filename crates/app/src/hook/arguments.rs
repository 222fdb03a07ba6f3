//! The few words that an installed hook passes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::{Host, host};

/// What the registered command line says.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) host: &'static Host,
    /// The hook was installed by this project, so a missing store means *broken*.
    pub(super) governed: bool,
    /// The user's state folder, written at install: the hook does not trust its environment to name it.
    pub(super) state: Option<PathBuf>,
    /// The person's home folder: written at install, or the one that the usual state folder lies in.
    pub(super) home: Option<PathBuf>,
    /// The host's own folder, where it is not the usual one in the home folder.
    pub(super) config: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn parse(mut words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let (mut agent, mut governed, mut state) = (None, false, None);
        let (mut home, mut config) = (None::<PathBuf>, None::<PathBuf>);
        while let Some(word) = words.next() {
            match word.to_str() {
                Some("--agent") => agent = words.next(),
                Some("--governed") => governed = true,
                Some("--state") => state = words.next().map(PathBuf::from),
                Some("--home") => home = words.next().map(PathBuf::from),
                Some("--config") => config = words.next().map(PathBuf::from),
                _ => return Err(format!("unknown argument `{}`", word.to_string_lossy())),
            }
        }
        let agent = agent.ok_or("`--agent NAME` is missing")?;
        let host = agent
            .to_str()
            .and_then(host)
            .ok_or_else(|| format!("unknown agent `{}`", agent.to_string_lossy()))?;
        let state =
            state.filter(|folder| folder.is_absolute()).or_else(crate::user_state::from_password_database);
        let told = || state.as_deref().and_then(crate::user_state::home_of);
        let home = home.filter(|folder| folder.is_absolute()).or_else(told);
        Ok(Self { host, governed, state, home, config })
    }

    /// The host's own scratch places for a project; none where it is not known where the host keeps them. What
    /// `init` has written down on this machine is asked where the command line says nothing.
    pub(super) fn scratch(
        &self,
        project: &Path,
        written_down: impl FnOnce() -> Option<PathBuf>,
    ) -> Vec<PathBuf> {
        let profile = &self.host.profile;
        let usual = || self.home.as_ref().map(|home| home.join(profile.client.own_folder));
        let own = match &self.config {
            Some(told) => Some(told.clone()),
            None => written_down(),
        };
        let own = own.filter(|own| own.is_absolute()).or_else(usual);
        own.map(|own| (profile.own_scratch)(&own, project)).unwrap_or_default()
    }
}
