//! Commands that look at no repository and report nothing: the options of all others are neither shown nor taken there.

use std::path::PathBuf;

use crate::command::CommandError;

/// The options of every command that mean nothing here.
///
/// They have the names of the global ones and so stand in their place.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Apart {
    #[arg(long, hide = true)]
    root: Option<PathBuf>,
    #[arg(long, hide = true)]
    json: bool,
}

impl Apart {
    /// # Errors
    /// One of them was given: it would be dropped without a word.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        let given = match self {
            Self { root: Some(_), .. } => "--root",
            Self { json: true, .. } => "--json",
            _ => return Ok(()),
        };
        Err(CommandError::Usage(format!("`{given}` means nothing to this command")))
    }
}
