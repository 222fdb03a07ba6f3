//! Keeps git from being believed read-only where it would run what nobody looked at.
//!
//! Git obeys the configuration of the repository that it finds, and starts programs that it names: a stranger's, or files
//! of the working copy that an agent may write (threat F6). What the configuration says, the version control port tells;
//! it is asked only where a command runs git.

use bailiwick_domain::{Location, ToolCall};
use bailiwick_policy::Targets;

use super::Gate;

impl Gate {
    /// Why a git command is not believed in the folder that it runs in.
    pub(super) async fn strange_repository(&self, call: &ToolCall, targets: &Targets) -> Option<String> {
        // A bar in quotes splits here too, which can only find one `git` too many.
        let mut parts = targets.command.as_deref()?.split('|');
        if !parts.any(|part| part.trim_start().starts_with("git ")) {
            return None;
        }
        let folder = targets.cwd.as_deref().unwrap_or(".");
        match self.ports.workspace.locate(folder, call.cwd.as_deref()).await {
            Location::Root => self.ports.vcs.distrusted("").await,
            Location::Inside(found) => self.ports.vcs.distrusted(found.path.as_str()).await,
            _ => Some(
                "it runs outside of this repository, and git obeys the settings that are there".to_owned(),
            ),
        }
    }
}
