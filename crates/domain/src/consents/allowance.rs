//! Allowances: commands that a person trusts, so that nobody is asked about them again.
//!
//! What an allowance is and what it depends on. Deliberately absent: how a command line is read and which commands can be
//! allowed, which the reader of commands knows, and when an allowance is looked up, which the gate knows.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::calls::ReadOnly;
use crate::consents::ApprovalId;
use crate::intents::IntentId;
use crate::values::{ContentHash, RepoPath, Timestamp};

/// The number of an allowance in its repository, written `allow#3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AllowanceId(u64);

/// A text that is not `allow#` and a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no allowance: expected one such as `allow#3`")]
pub struct AllowanceIdError(String);

impl AllowanceId {
    /// Before the number.
    pub const PREFIX: &str = "allow#";

    /// The allowance of that number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Reads `allow#3`, `#3` or `3`.
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn parse(text: &str) -> Result<Self, AllowanceIdError> {
        let bare = text.strip_prefix(Self::PREFIX).or_else(|| text.strip_prefix('#')).unwrap_or(text);
        let digits = (1..=18).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { bare.parse().ok() } else { None };
        number.map(Self).ok_or_else(|| AllowanceIdError(text.to_owned()))
    }

    /// How a call that it let through names it, where another call names its approval.
    pub fn as_approval(self) -> ApprovalId {
        ApprovalId(self.into())
    }
}

impl fmt::Display for AllowanceId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", Self::PREFIX, self.0)
    }
}

impl TryFrom<String> for AllowanceId {
    type Error = AllowanceIdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<AllowanceId> for String {
    fn from(id: AllowanceId) -> Self {
        alloc::format!("{id}")
    }
}

/// The words of one simple command, in one folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedCommand {
    /// The folder that it runs in, relative to the root; the root itself when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<RepoPath>,
    /// The words, the program first.
    pub words: Vec<String>,
    /// Whether further words may follow, as far as the reader of commands knows them to be harmless.
    pub further: bool,
}

impl fmt::Display for TrustedCommand {
    /// As a person types it; `…` where further words may follow.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(folder) = &self.folder {
            write!(out, "cd {folder} && ")?;
        }
        for (place, word) in self.words.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            let is_joint =
                word == "&&" && place == 2 && self.words.first().is_some_and(|word| word == "source");
            let is_plain = is_joint
                || !word.is_empty()
                    && !word.contains(|c: char| c.is_whitespace() || "'\"$`\\|&;<>()*?[]{}#!".contains(c));
            if is_plain { write!(out, "{gap}{word}")? } else { write!(out, "{gap}'{word}'")? }
        }
        if self.further { out.write_str(" …") } else { Ok(()) }
    }
}

/// What the words of an allowed command name, as far as its reader cannot tell what is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admitted {
    /// Every word that may name a path: it must stay in the root, and be open to change.
    pub paths: Vec<String>,
    /// The same, and what may be read: nobody's secret.
    pub reads: Vec<String>,
    /// Words that the command may take for patterns of paths: they ask for nothing that is guarded or secret.
    pub patterns: Vec<String>,
    /// Files by which alone it runs what its words say: of each of these one must be in the root.
    pub there: Vec<Vec<String>>,
    /// Files that it would run in place of what its words say: none of these may be in the root.
    pub absent: Vec<String>,
    /// What it runs in other packages of the root, as a command of theirs: `pnpm --filter web test` runs `pnpm test` there.
    pub elsewhere: Option<Vec<String>>,
}

/// A file, or one entry of it, that an allowance depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedFile {
    /// The file.
    pub path: RepoPath,
    /// The entry of a manifest, such as `scripts.test`; the whole file when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// What it held when it was allowed; `None` where it was not there.
    pub hash: Option<ContentHash>,
}

impl fmt::Display for AllowedFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(out, "{entry} in {}", self.path),
            None => write!(out, "{}", self.path),
        }
    }
}

/// What a person allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowanceTerms {
    /// The command.
    pub command: TrustedCommand,
    /// Only while this intent is active; for every intent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<IntentId>,
    /// The line of `commands.allow` that it stands for. It counts only as long as that line is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// The files that it depends on, as they were.
    pub files: Vec<AllowedFile>,
    /// Who allowed it.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

impl AllowanceTerms {
    /// Whether they allow the same, whatever the files held.
    pub fn is_same(&self, other: &Self) -> bool {
        self.command == other.command && self.intent == other.intent && self.setting == other.setting
    }
}

/// A command that a person trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Its number.
    pub id: AllowanceId,
    /// What was allowed.
    #[serde(flatten)]
    pub terms: AllowanceTerms,
}

/// A command of a line that is no proved reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedCommand {
    /// The folder that it runs in, as spelled from where its line begins.
    pub folder: Option<String>,
    /// Its words.
    pub words: Vec<String>,
}

/// A command line taken apart: what it does besides reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// Each simple command that is no proved reader.
    pub commands: Vec<PlacedCommand>,
    /// Whether one of these runs elsewhere if a folder is not there that the line moves to.
    pub may_stray: bool,
    /// Whether what it exports stays with a shell that is kept.
    pub exports: bool,
    /// What the others read, as if they stood alone. Of what it starts, it tells for all commands.
    pub readers: ReadOnly,
}

impl CommandLine {
    /// The words of each of its commands.
    pub fn words(&self) -> impl Iterator<Item = &[String]> {
        self.commands.iter().map(|command| command.words.as_slice())
    }
}
