//! What a call has shown to its actor, remembered after it ran.
//!
//! A reading counts for what was there while the tool looked: the host's own output tells, or, where it says nothing, the
//! state that the file had before and still has. How much of it counts is `policy`'s to say.

use bailiwick_domain::{
    ContentHash, FileState, Look, Observation, PortError, RepoPath, Showed, Shown, ToolError, ToolResult,
};
use bailiwick_policy::registry::Extractor;
use bailiwick_policy::shown::{self, Sight};

use super::case::{Case, inside};
use super::looked::MAX_LOOK;
use crate::{HostTraits, PostReport, closed};

part! {
    /// Remembers what calls show to their actors.
    pub(crate) struct Sights {
        from tree: workspace;
        from records: sessions;
        keeps host: HostTraits;
    }
}

/// What was seen of a file, and how many lines it has, where that is known.
type Seen = (Observation, Option<u64>);

impl Sights<'_> {
    /// Remembers what is there right before a call looks at it, where the host will not say what it showed.
    pub(crate) async fn remember_look(&self, case: &Case<'_>) -> Result<(), ToolError> {
        if !self.host.hides_output {
            return Ok(());
        }
        let Case { call, .. } = case;
        for path in self.looked_at(case).await {
            let state = self.workspace.state(&path).await.map_err(closed)?;
            // A look that cannot be remembered makes the reading count for nothing. The call itself is safe.
            let look = Look { path, call: call.id.clone(), state };
            drop(self.sessions.look(&call.actor, &look).await);
        }
        Ok(())
    }

    /// Remembers what a call has shown.
    pub(crate) async fn observe_shown(
        &self,
        case: &Case<'_>,
        result: &ToolResult,
        report: &mut PostReport,
    ) -> Result<(), ToolError> {
        let actor = &case.call.actor;
        let paths = self.looked_at(case).await;
        for path in &paths {
            // Lines are those of one file.
            let showed = result
                .showed
                .as_ref()
                .filter(|showed| !matches!(showed, Showed::Lines { .. }) || paths.len() == 1);
            let seen = self.seen_at(case, path, showed).await.map_err(closed)?;
            let Some((seen, lines)) = seen else { continue };
            let known = self.sessions.observation(actor, path).await.map_err(closed)?;
            report.observations.insert(path.to_string(), content(&seen.state));
            self.sessions.observe(actor, path, &seen.after(known.as_ref(), lines)).await.map_err(closed)?;
        }
        Ok(())
    }

    /// The files whose content a call shows: `read_file` in full or part, and what a proved `cat` names. Listings and
    /// search hits do not count, nor does what goes on after the call is over.
    async fn looked_at(&self, case: &Case<'_>) -> Vec<RepoPath> {
        let mut paths: Vec<RepoPath> = Vec::new();
        if case.facts.command.is_some() {
            for shown in case.shows.iter().filter(|_| !shown::goes_on(&case.call.params)) {
                let location = self.workspace.locate(shown, case.call.cwd.as_deref()).await;
                paths.extend(inside(&location).cloned());
            }
        } else if case.facts.tool.extractor == Extractor::ReadFile {
            paths.extend(case.facts.targets.iter().filter_map(|target| inside(&target.location)).cloned());
        }
        paths
    }

    /// What was seen of a file, `None` where nothing was.
    async fn seen_at(
        &self,
        case: &Case<'_>,
        path: &RepoPath,
        showed: Option<&Showed>,
    ) -> Result<Option<Seen>, PortError> {
        let before = self.state_before(case, path).await?;
        let now = match &before {
            Some(_) => Some(self.workspace.state(path).await?),
            None => None,
        };
        if before != now {
            // It changed while the tool looked.
            return Ok(None);
        }
        let told = match showed {
            Some(showed) => self.told_at(path, showed).await?,
            None => None,
        };
        match (told, showed, before) {
            (Some(seen), ..) => Ok(Some(seen)),
            (None, None, _) => self.asked_at(case, path).await,
            (None, Some(_), Some(there)) => self.unsaid_at(case, path, there).await,
            (None, Some(_), None) => Ok(None),
        }
    }

    /// What was there right before the call looked, where that was remembered.
    async fn state_before(&self, case: &Case<'_>, path: &RepoPath) -> Result<Option<FileState>, PortError> {
        if !self.host.hides_output {
            return Ok(None);
        }
        let last = self.sessions.looked(&case.call.actor, path).await?;
        Ok(last.filter(|look| look.call == case.call.id).map(|look| look.state))
    }

    /// What the host's own output tells.
    async fn told_at(&self, path: &RepoPath, showed: &Showed) -> Result<Option<Seen>, PortError> {
        match self.workspace.read(path, MAX_LOOK).await {
            Ok(Some(bytes)) => {
                let state = || FileState::Content(ContentHash::of(&bytes));
                Ok(shown::of_content(&bytes, showed).map(|sight| match sight {
                    Sight::Whole => (Observation::whole(state()), None),
                    Sight::Lines(pages, lines) => (Observation::of_pages(state(), pages), Some(lines)),
                }))
            }
            Ok(None) => Ok(None),
            // More than is looked through: the file counts as seen in part.
            Err(PortError::TooLarge { .. }) if *showed != Showed::Nothing => {
                Ok(Some((Observation::part(self.workspace.state(path).await?), None)))
            }
            Err(PortError::TooLarge { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What a call asked to see of what is there.
    async fn asked_at(&self, case: &Case<'_>, path: &RepoPath) -> Result<Option<Seen>, PortError> {
        let state = self.workspace.state(path).await?;
        Ok((state != FileState::Other).then(|| (Observation::new(state, asked(case)), None)))
    }

    /// What a call asked to see of what was there before and still is. The tool may have shown a page of a long file.
    async fn unsaid_at(
        &self,
        case: &Case<'_>,
        path: &RepoPath,
        there: FileState,
    ) -> Result<Option<Seen>, PortError> {
        if there == FileState::Other {
            return Ok(None);
        }
        let fits_a_page = match self.workspace.read(path, MAX_LOOK).await {
            Ok(bytes) => bytes.is_some_and(|bytes| shown::fits_a_page(&bytes)),
            Err(PortError::TooLarge { .. }) => false,
            Err(error) => return Err(error),
        };
        let shown = if fits_a_page { asked(case) } else { Shown::Part };
        Ok(Some((Observation::new(there, shown), None)))
    }
}

/// How much of a file a call asked for.
fn asked(case: &Case<'_>) -> Shown {
    match case.facts.command.is_some() || shown::asks_for_all(&case.call.params) {
        true => Shown::Whole,
        false => Shown::Part,
    }
}

/// The content that a report names; `None` for a file that is gone.
pub(crate) fn content(state: &FileState) -> Option<ContentHash> {
    match state {
        FileState::Content(hash) => Some(hash.clone()),
        FileState::Absent | FileState::Other => None,
    }
}
