//! Keeps git from being believed read-only where it would obey a stranger's settings.
//!
//! Git takes a folder for a bare repository when it looks like one, and starts programs that its `config` names. Such a
//! folder is not called `.git`, so nothing protects its files: they may come with a clone, or by harmless-looking writes
//! (threat F6).

use bailiwick_domain::{FileState, Location, RepoPath, ToolCall};
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
        let Location::Inside(found) = self.ports.workspace.locate(folder, call.cwd.as_deref()).await else {
            return None;
        };
        let mut folder = Some(found.path.as_str());
        while let Some(here) = folder {
            if !self.is_absent(&format!("{here}/HEAD")).await {
                return Some(format!("{here} may be a repository with settings of its own"));
            }
            folder = here.rsplit_once('/').map(|(above, _)| above);
        }
        None
    }

    async fn is_absent(&self, path: &str) -> bool {
        let Ok(path) = RepoPath::new(path) else { return false };
        matches!(self.ports.workspace.state(&path).await, Ok(FileState::Absent))
    }
}
