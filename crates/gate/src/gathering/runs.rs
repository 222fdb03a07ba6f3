//! What runs a file or obeys it, so that a change of it does more than it shows.

use bailiwick_domain::RepoPath;
use bailiwick_policy::executable;

use super::Gathering;

impl Gathering<'_> {
    /// What runs a file or obeys it: by its name, its mode, or git's configuration.
    pub(crate) async fn run_by(&self, path: &RepoPath) -> Option<&'static str> {
        if let Some(says) = executable::run_by(path) {
            return Some(says);
        }
        let has_bit = self.workspace.is_executable(path).await.unwrap_or(true);
        if has_bit && self.vcs.heeds_modes().await {
            return Some("its mode makes it a program");
        }
        self.vcs.runs(path).await.then_some("git runs it, by its configuration")
    }
}
