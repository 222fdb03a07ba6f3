//! How a person allows a command and takes it back. Every door that a person uses comes through here.

use bailiwick_domain::{
    Action, Actor, Allowance, AllowanceId, AllowanceTerms, AllowedFile, DecisionRecord, IntentId, Location,
    RepoPath, State, ToolError, TrustedCommand,
};

use super::{Allowances, Context, spelling};
use crate::closed;
use crate::gathering::case::{folder_of, in_folder};
use crate::presentation::redact::redact;

/// Why a command is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum AllowError {
    /// Nobody can allow it: why.
    #[error("{0}")]
    Never(String),
    /// It could not be written down.
    #[error("{}", .0.message())]
    Failed(ToolError),
}

impl Allowances<'_> {
    /// The command that a person wrote down, with the folder of the root that the person is in: `cargo test …`,
    /// `cd web && npm test`.
    ///
    /// # Errors
    /// When it is not one simple command of literal words inside the root.
    pub async fn written_command(
        &self,
        text: &str,
        folder: Option<&RepoPath>,
    ) -> Result<TrustedCommand, AllowError> {
        let (line, further) = self.commands.written(text).map_err(AllowError::Never)?;
        let [command] = line.commands.as_slice() else {
            let why = match line.commands.len() {
                0 => "it only reads, which nobody is asked about",
                _ => "allow one command at a time",
            };
            return Err(AllowError::Never(why.to_owned()));
        };
        let here = folder.map(RepoPath::as_str);
        let folder = match &command.folder {
            Some(moved) => self.folder_at(&in_folder(here, moved)).await?,
            None => folder.cloned(),
        };
        let words = spelling::from_folder(&command.words, &self.workspace.root(), folder.as_ref());
        Ok(TrustedCommand { folder, words, further })
    }

    async fn folder_at(&self, spelled: &str) -> Result<Option<RepoPath>, AllowError> {
        let found = folder_of(self.workspace.locate(spelled, None).await);
        found.ok_or_else(|| AllowError::Never(format!("`{spelled}` is not in the governed root")))
    }

    /// What an allowance of this command would depend on.
    ///
    /// # Errors
    /// Why nobody can allow it.
    pub async fn allowable(&self, command: &TrustedCommand) -> Result<Vec<AllowedFile>, AllowError> {
        let script = self.commands.can_allow(command).map_err(AllowError::Never)?;
        let folder = command.folder.as_ref().map(RepoPath::as_str);
        let named = self.commands.admits(command, &command.words).map_err(AllowError::Never)?;
        let named = named.ok_or_else(|| AllowError::Never("it is not what is allowed then".to_owned()))?;
        for path in &named.paths {
            let location = self.workspace.locate(&in_folder(folder, path), None).await;
            if !matches!(location, Location::Inside(_) | Location::Root) {
                return Err(AllowError::Never(format!("`{path}` is not in the governed root")));
            }
        }
        let settings = self.policy.settings().await.map_err(|error| AllowError::Failed(closed(error)))?;
        let context = Context { active: None, settings: &settings, cwd: None };
        let open = self.are_open(context, folder, &named).await;
        open.map_err(|why| AllowError::Never(format!("an allowance {why}")))?;
        let files = self.files_of(command, named.elsewhere.as_deref()).await.map_err(AllowError::Never)?;
        if let Some(script) = script {
            let location = self.workspace.locate(&in_folder(folder, &script), None).await;
            let is_there = |file: &AllowedFile| {
                file.hash.is_some() && crate::gathering::case::inside(&location) == Some(&file.path)
            };
            if !files.iter().any(is_there) {
                return Err(AllowError::Never(format!("`{script}` is not a file of this repository")));
            }
        }
        Ok(files)
    }

    /// The files of an allowance that are not what they were.
    pub async fn changed_since(&self, allowance: &Allowance) -> Vec<AllowedFile> {
        self.changed_files(&allowance.terms.files).await.into_iter().cloned().collect()
    }

    /// Writes down that a person trusts a command, with the files that it depends on as they are now.
    ///
    /// # Errors
    /// Nobody can allow it, or it could not be written down.
    pub async fn allow(
        &self,
        command: &TrustedCommand,
        intent: Option<&IntentId>,
        setting: Option<&str>,
        by: &str,
    ) -> Result<Allowance, AllowError> {
        self.allow_on(command, None, (intent, setting), by).await
    }

    /// The same, for a command that a question offered: only as long as its files are what they were in the question.
    ///
    /// # Errors
    /// One of them changed, nobody can allow it, or it could not be written down.
    pub async fn allow_offered(
        &self,
        command: &TrustedCommand,
        asked: &[AllowedFile],
        by: &str,
    ) -> Result<Allowance, AllowError> {
        self.allow_on(command, Some(asked), (None, None), by).await
    }

    async fn allow_on(
        &self,
        command: &TrustedCommand,
        asked: Option<&[AllowedFile]>,
        (intent, setting): (Option<&IntentId>, Option<&str>),
        by: &str,
    ) -> Result<Allowance, AllowError> {
        let files = self.allowable(command).await?;
        if let Some(asked) = asked.filter(|asked| *asked != files) {
            let changed = files.iter().find(|file| !asked.contains(file)).or(asked.first());
            let what = changed.map_or_else(|| "a file".to_owned(), |file| file.path.to_string());
            return Err(AllowError::Never(format!("{what} changed since it was asked")));
        }
        let failed = |error| AllowError::Failed(closed(error));
        let _held = self.lock.acquire().await.map_err(failed)?;
        let terms = AllowanceTerms {
            command: command.clone(),
            intent: intent.cloned(),
            setting: setting.map(str::to_owned),
            files,
            by: by.to_owned(),
            at: self.clock.now(),
        };
        let allowance = self.allowances.allow(&terms).await.map_err(failed)?;
        let note = format!("{by} allowed `{command}`");
        self.log_allowance(&allowance, Action::Granted, by, note).await.map_err(AllowError::Failed)?;
        Ok(allowance)
    }

    /// Takes an allowance back; `None` when it is not there.
    ///
    /// # Errors
    /// It could not be taken back, or that could not be written down.
    pub async fn revoke_allowance(&self, id: AllowanceId, by: &str) -> Result<Option<Allowance>, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let Some(revoked) = self.allowances.revoke(id).await.map_err(closed)? else {
            return Ok(None);
        };
        let note = format!("{by} revoked `{}`", revoked.terms.command);
        self.log_allowance(&revoked, Action::GrantEnded, by, note).await?;
        Ok(Some(revoked))
    }

    async fn log_allowance(
        &self,
        allowance: &Allowance,
        action: Action,
        by: &str,
        note: String,
    ) -> Result<(), ToolError> {
        let (at, actor) = (self.clock.now(), Actor::root("human", by));
        let record = DecisionRecord {
            intent: allowance.terms.intent.clone(),
            approval: Some(allowance.id.as_approval()),
            command: Some(redact(&allowance.terms.command.to_string())),
            ..DecisionRecord::new(at, actor, "allow", State::Request, action, redact(&note))
        };
        self.decisions.log(&record).await
    }
}
