//! The files that a command may run, as they are now: an approval of the command is bound to them.

use std::collections::{BTreeSet, VecDeque};

use bailiwick_domain::{ContentHash, FileState, RepoPath, ToolError};

use super::Gathering;
use super::case::{Case, in_folder, inside};
use crate::refusals::Hindrance;

/// The largest file that counts as a script, in bytes.
const LARGEST_SCRIPT: u64 = 16 << 20;

/// How many files that others include are followed.
const MOST_INCLUDED: usize = 64;

/// How many bytes of scripts one command may name: others wait for the lock of the root meanwhile.
const MOST_SCRIPTS: u64 = 64 << 20;

impl Gathering<'_> {
    /// The scripts and manifests that a command names or dispatches to, each file once, with what they hold; of manifests
    /// also those that are not there, since one that comes is taken before others. They are read once for each look. This
    /// happens under the lock of the root, so what is too big for a script is not read through.
    ///
    /// # Errors
    /// The files have more bytes together than a yes is bound to.
    pub(crate) async fn dispatched<'c>(
        &self,
        case: &'c Case<'_>,
    ) -> Result<&'c [(RepoPath, FileState)], ToolError> {
        let runs = match case.runs.get() {
            Some(runs) => runs,
            None => {
                let found = self.found_to_run(case).await?;
                case.runs.get_or_init(|| found)
            }
        };
        Ok(runs)
    }

    async fn found_to_run(&self, case: &Case<'_>) -> Result<Vec<(RepoPath, FileState)>, ToolError> {
        let Some(command) = &case.facts.command else { return Ok(Vec::new()) };
        let (mut runs, mut seen, mut size) = (Vec::new(), BTreeSet::new(), 0_u64);
        let mut names: VecDeque<String> = super::dispatch::names(command)
            .iter()
            .map(|name| in_folder(case.targets.cwd.as_deref(), name))
            .collect();
        let mut included = 0_usize;
        while let Some(name) = names.pop_front() {
            let location = self.workspace.locate(&name, case.call.cwd.as_deref()).await;
            let Some(path) = inside(&location).filter(|path| seen.insert((*path).clone())) else { continue };
            match self.workspace.read(path, LARGEST_SCRIPT).await {
                Ok(Some(content)) => {
                    size = size.saturating_add(content.len() as u64);
                    if size > MOST_SCRIPTS {
                        return Err(Hindrance::TooManyScripts(MOST_SCRIPTS).error());
                    }
                    runs.push((path.clone(), FileState::Content(ContentHash::of(&content))));
                    let more = super::dispatch::included(&name, &content);
                    included += more.len();
                    if included <= MOST_INCLUDED {
                        names.extend(more);
                    }
                }
                Ok(None)
                    if super::dispatch::is_manifest(&name)
                        && self.workspace.state(path).await == Ok(FileState::Absent) =>
                {
                    runs.push((path.clone(), FileState::Absent));
                }
                _ => {}
            }
        }
        Ok(runs)
    }
}
