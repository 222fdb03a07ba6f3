//! What a call has shown to its actor, remembered after it ran.
//!
//! A reading counts for what was there while the tool looked: the host's own output tells, or, in a gate that keeps
//! running, the state that the file had before. How much of it counts is `policy`'s to say.

use std::collections::BTreeMap;

use bailiwick_domain::{
    ContentHash, Effect, FileState, Observation, PortError, RepoPath, Showed, Shown, ToolError, ToolResult,
};
use bailiwick_policy::registry::Extractor;
use bailiwick_policy::shown::{self, Sight};

use super::case::{Case, inside};
use super::looked::MAX_LOOK;
use crate::parts::Looked;
use crate::{HostTraits, PostReport, closed};

part! {
    /// Remembers what calls show to their actors.
    pub(crate) struct Sights {
        from tree: workspace;
        from records: sessions;
        keeps host: HostTraits, looked: &'g Looked;
    }
}

/// How many calls that look are remembered until they are over; beyond, the host tells of none.
const MOST_LOOKS: usize = 1024;

impl Sights<'_> {
    /// Remembers what is there right before a call looks at it, where one process serves both events.
    pub(crate) async fn remember_look(&self, case: &Case<'_>) -> Result<(), ToolError> {
        if !self.host.keeps_running || case.facts.tool.effect != Effect::Read {
            return Ok(());
        }
        let mut states = BTreeMap::new();
        for path in self.looked_at(case).await {
            let state = self.workspace.state(&path).await.map_err(closed)?;
            states.insert(path, state);
        }
        if let Ok(mut looked) = self.looked.lock() {
            if looked.len() >= MOST_LOOKS {
                looked.pop_first();
            }
            looked.insert((case.call.actor.clone(), case.call.id.clone()), states);
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
        let key = (actor.clone(), case.call.id.clone());
        let before = self.looked.lock().ok().and_then(|mut looked| looked.remove(&key)).unwrap_or_default();
        let paths = self.looked_at(case).await;
        for path in &paths {
            // Lines are those of one file.
            let showed = result
                .showed
                .as_ref()
                .filter(|showed| !matches!(showed, Showed::Lines { .. }) || paths.len() == 1);
            let seen = self.seen_at(case, path, showed).await.map_err(closed)?;
            let Some((seen, lines)) = seen else { continue };
            if before.get(path).is_some_and(|before| *before != seen.state) {
                continue;
            }
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

    /// What was seen of a file, `None` where nothing was; and how many lines it has, where that is known.
    async fn seen_at(
        &self,
        case: &Case<'_>,
        path: &RepoPath,
        showed: Option<&Showed>,
    ) -> Result<Option<(Observation, Option<u64>)>, PortError> {
        let asked = match case.facts.command.is_some() || shown::asks_for_all(&case.call.params) {
            true => Shown::Whole,
            false => Shown::Part,
        };
        let Some(showed) = showed else {
            let state = self.workspace.state(path).await?;
            return Ok((state != FileState::Other).then(|| (Observation::new(state, asked), None)));
        };
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
}

/// The content that a report names; `None` for a file that is gone.
pub(crate) fn content(state: &FileState) -> Option<ContentHash> {
    match state {
        FileState::Content(hash) => Some(hash.clone()),
        FileState::Absent | FileState::Other => None,
    }
}
