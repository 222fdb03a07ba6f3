//! Keeps git from being believed read-only where it would run what nobody looked at.
//!
//! Git obeys the configuration of the repository that it finds, and starts programs that it names: a stranger's, or files
//! of the working copy that an agent may write. What the configuration says, the version control port tells;
//! it is asked only where a command runs git.

use bailiwick_domain::{Location, ToolCall};

use super::Gathering;

impl Gathering<'_> {
    /// Why a command that was proved to read is not believed in the folder that it runs in: it moved out of the root to
    /// get there, or git may obey what lies there.
    pub(crate) async fn misleads(
        &self,
        call: &ToolCall,
        command: &str,
        moved: Option<&str>,
        folder: Option<&str>,
    ) -> Option<String> {
        if let Some(moved) = moved
            && !matches!(
                self.workspace.locate(moved, call.cwd.as_deref()).await,
                Location::Inside(_) | Location::Root
            )
        {
            return Some(format!("`cd {moved}` leaves the governed root"));
        }
        // A sign in quotes splits here too, which can only find one `git` too many.
        let mut parts = command.split(['|', '&', ';']);
        if !parts.any(|part| part.trim_start().starts_with("git ")) {
            return None;
        }
        match self.workspace.locate(folder.unwrap_or("."), call.cwd.as_deref()).await {
            Location::Root => self.vcs.distrusted("").await,
            Location::Inside(found) => self.vcs.distrusted(found.path.as_str()).await,
            _ => Some(
                "it runs outside of this repository, and git obeys the settings that are there".to_owned(),
            ),
        }
    }
}
