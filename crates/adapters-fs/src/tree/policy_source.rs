//! Settings, ignore rules and the store's health: the port `PolicySource`. Judges only whether the store can be
//! believed; what follows from that is policy.

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_domain::{
    Clock, Diagnostic, Health, HealthFault, IgnoreFile, IgnoreSource, PolicySource, PortError, Settings,
};

use crate::files::Layout;
use crate::files::cache::{Cached, Fault, FileCache, bytes_of};
use crate::state::accepted::Accepted;
use crate::tree::config::{self, Config, ConfigReport};
use crate::tree::intents::{FsIntentRepo, Outcome};

/// Settings, ignore rules and health of one governed root.
#[derive(Debug)]
pub struct FsPolicySource {
    layout: Layout,
    intents: FsIntentRepo,
    config: FileCache<Config>,
}

impl FsPolicySource {
    /// The policy source of this root.
    pub fn new(layout: Layout) -> Self {
        let intents = FsIntentRepo::new(layout.clone());
        Self::sharing(layout, intents)
    }

    /// The same, remembering together with an intent repository of the same root.
    pub fn sharing(layout: Layout, intents: FsIntentRepo) -> Self {
        Self::build(layout, intents, None)
    }

    /// The same, with another clock than the system's; it decides when a file's times are believed.
    pub fn with_clock(layout: Layout, clock: Arc<dyn Clock>) -> Self {
        let intents = FsIntentRepo::with_clock(layout.clone(), Arc::clone(&clock));
        Self::build(layout, intents, Some(clock))
    }

    fn build(layout: Layout, intents: FsIntentRepo, clock: Option<Arc<dyn Clock>>) -> Self {
        let config = FileCache::new(&layout, "config", layout.config_file(), clock);
        Self { layout, intents, config }
    }

    /// Everything that can be said about the settings file, for `bailiwick config show` and `config check`.
    ///
    /// # Errors
    /// The file is there but cannot be read.
    pub fn config_report(&self) -> Result<ConfigReport, PortError> {
        let Some(cached) = self.config()? else { return Ok(Config::default().report(false)) };
        let accepted = self.is_accepted(&cached);
        Ok(cached.value.report(accepted))
    }

    /// What the settings file would set if a person accepted it as it is now.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn config_to_accept(&self) -> Result<ConfigReport, PortError> {
        Ok(self.config()?.map(|cached| cached.value).unwrap_or_default().report(true))
    }

    /// Remembers on this machine that a person accepts the settings file as it is now.
    ///
    /// # Errors
    /// The file is missing or invalid, or there is no user's state folder to remember it in.
    pub fn accept_config(&self) -> Result<(), PortError> {
        let cached =
            self.config()?.ok_or_else(|| unavailable(&self.layout.config_file(), &Fault::Missing))?;
        if let Some(error) = cached.value.errors.into_iter().next() {
            return Err(PortError::Invalid(error));
        }
        let folder = self
            .layout
            .user_state()
            .ok_or_else(|| PortError::Unavailable("there is no state folder to store it in".into()))?;
        Accepted::new(folder, self.layout.root()).add(self.layout.root(), &cached.hash)
    }

    /// How often the settings file was read and how often it was parsed.
    pub fn reads_and_parses(&self) -> (usize, usize) {
        (self.config.reads(), self.config.parses())
    }

    /// What the settings file says, `None` when there is none.
    fn config(&self) -> Result<Option<Cached<Config>>, PortError> {
        match self.config.current(|bytes, _| config::decode(bytes)) {
            Ok(cached) => Ok(Some(cached)),
            Err(Fault::Missing) => Ok(None),
            Err(fault) => Err(PortError::Invalid(whole_file(Layout::CONFIG, &fault))),
        }
    }

    fn is_accepted(&self, cached: &Cached<Config>) -> bool {
        let folder = self.layout.user_state().filter(|_| cached.value.loosens());
        folder.is_some_and(|folder| Accepted::new(folder, self.layout.root()).contains(&cached.hash))
    }

    fn fault(&self) -> Option<HealthFault> {
        let fault = self
            .folder_fault()
            .or_else(|| self.intents_fault())
            .or_else(|| self.config_fault())
            .or_else(|| self.state_fault())?;
        Some(self.with_way_out(fault))
    }

    /// Every fault names the exact command that ends the governance, so that nobody is locked in.
    fn with_way_out(&self, fault: HealthFault) -> HealthFault {
        let way_out = self.way_out();
        match fault {
            HealthFault::Invalid(diagnostic) => {
                HealthFault::Invalid(Diagnostic { way_out: Some(way_out), ..diagnostic })
            }
            HealthFault::StateUnavailable(why) => {
                HealthFault::StateUnavailable(format!("{why}, or {way_out}"))
            }
            // They name it themselves.
            HealthFault::Missing(_) | HealthFault::NoRoot => fault,
        }
    }

    fn way_out(&self) -> String {
        let team = self.layout.orchestration().join("launch").exists();
        let shared = if team { " --shared" } else { "" };
        let root = quoted(&self.layout.root().display().to_string());
        format!("`cd {root} && bailiwick uninstall{shared}` to stop governing this repository")
    }

    /// The store's folder must be a folder, not a link to somewhere else.
    fn folder_fault(&self) -> Option<HealthFault> {
        match self.layout.orchestration().symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => {
                Some(HealthFault::Invalid(whole_file(Layout::ORCHESTRATION, &"the folder is a symlink")))
            }
            Ok(metadata) if metadata.is_dir() => None,
            Ok(_) => Some(HealthFault::Invalid(whole_file(Layout::ORCHESTRATION, &"it is not a folder"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(self.missing(Layout::ORCHESTRATION))
            }
            Err(error) => {
                let why = format!("cannot be looked at: {error}");
                Some(HealthFault::Invalid(whole_file(Layout::ORCHESTRATION, &why)))
            }
        }
    }

    fn intents_fault(&self) -> Option<HealthFault> {
        match self.intents.outcome() {
            Ok(Outcome::Valid { .. }) => None,
            Ok(Outcome::Invalid(diagnostic)) => Some(HealthFault::Invalid(diagnostic)),
            Err(Fault::Missing) => Some(self.missing(Layout::INTENTS)),
            Err(fault) => Some(HealthFault::Invalid(whole_file(Layout::INTENTS, &fault))),
        }
    }

    fn config_fault(&self) -> Option<HealthFault> {
        match self.config() {
            Ok(None) => None,
            Ok(Some(cached)) => cached.value.errors.into_iter().next().map(HealthFault::Invalid),
            Err(PortError::Invalid(diagnostic)) => Some(HealthFault::Invalid(diagnostic)),
            Err(error) => Some(HealthFault::StateUnavailable(error.to_string())),
        }
    }

    fn state_fault(&self) -> Option<HealthFault> {
        let folder = self.layout.private();
        let why = is_writable_folder(folder).err()?;
        let root = self.layout.root().display();
        Some(HealthFault::StateUnavailable(format!(
            "the private state {}: {why}; run `bailiwick init` in {root}",
            folder.display()
        )))
    }

    fn missing(&self, what: &str) -> HealthFault {
        let root = self.layout.root().display();
        let named = quoted(&root.to_string());
        HealthFault::Missing(format!(
            "`{what}` is missing in {root}. If the branch that is checked out is older than it, switch \
             back or merge; otherwise run `cd {named} && bailiwick init` to create it again, or {}",
            self.way_out()
        ))
    }
}

#[async_trait]
impl PolicySource for FsPolicySource {
    async fn health(&self) -> Health {
        self.fault().map_or(Health::Ok, Health::Broken)
    }

    async fn settings(&self) -> Result<Settings, PortError> {
        let Some(cached) = self.config()? else { return Ok(Settings::default()) };
        let accepted = self.is_accepted(&cached);
        match cached.value.errors.first() {
            Some(error) => Err(PortError::Invalid(error.clone())),
            None => Ok(cached.value.settings(accepted).clone()),
        }
    }

    async fn ignore(&self) -> IgnoreSource {
        let mut files = Vec::new();
        for (name, path) in self.layout.ignore_files() {
            match bytes_of(&path).map(String::from_utf8) {
                Ok(Ok(text)) => files.push(IgnoreFile { name: name.into(), text }),
                Ok(Err(_)) => return IgnoreSource::Unreadable(format!("{name}: the file is not UTF-8")),
                Err(Fault::Missing) => {}
                Err(fault) => return IgnoreSource::Unreadable(format!("{name}: {fault}")),
            }
        }
        if files.is_empty() { IgnoreSource::Absent } else { IgnoreSource::Files(files) }
    }
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if path.bytes().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn whole_file(file: &str, why: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic {
        file: file.into(),
        line: 0,
        column: 0,
        message: why.to_string(),
        fix: String::new(),
        way_out: None,
    }
}

fn unavailable(path: &Path, fault: &Fault) -> PortError {
    PortError::Unavailable(format!("{}: {fault}", path.display()))
}

#[cfg(unix)]
fn is_writable_folder(path: &Path) -> io::Result<()> {
    if !path.symlink_metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(rustix::fs::access(path, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)?)
}

#[cfg(not(unix))]
fn is_writable_folder(path: &Path) -> io::Result<()> {
    let metadata = path.symlink_metadata()?;
    match () {
        () if !metadata.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
        () if metadata.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        () => Ok(()),
    }
}
