//! For a host whose tools are the gate's own: whether it can be told before the question what a call will leave on disk.
//! What cannot be told is not asked about.

use std::collections::BTreeSet;

use bailiwick_domain::{FileState, Location, PortError, RepoPath};
use bailiwick_policy::protection::{of_reading, of_search};
use bailiwick_policy::{Access, TargetFact};

use super::Gathering;
use super::case::{Case, folder_of, inside};
use crate::closed;
use crate::judged::Refused;
use crate::refusals::{Hindrance, Unfit};

impl Gathering<'_> {
    /// Whether the gate itself writes what a call is let through for.
    pub(crate) fn carries_out(&self) -> bool {
        self.host.carries_out
    }

    /// Why a call that would be asked about cannot be carried out by the gate itself: then nobody is asked.
    pub(crate) async fn cannot_carry_out(&self, case: &Case<'_>) -> Option<Refused> {
        if !self.host.carries_out {
            return None;
        }
        if case.targets.patch.as_ref().is_some_and(|patch| !patch.modes.is_empty()) {
            return Some(unfit(Unfit::Mode));
        }
        if let Some(refused) = self.cannot_start(case).await {
            return Some(refused);
        }
        let mut seen = BTreeSet::new();
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            let path = inside(&target.location)?;
            if !seen.insert(path) {
                return Some(unfit(Unfit::Twice(path)));
            }
            if let Some(why) = misplaced(target, path) {
                return Some(unfit(why));
            }
            if let Some(why) = self.through_a_link(target).await {
                return Some(unfit(why));
            }
            match self.file_on_the_way(target, path).await {
                Ok(None) => {}
                Ok(Some(file)) => return Some(unfit(Unfit::NoFolder(&file))),
                Err(error) => return Some(failed(error)),
            }
            match self.is_told(case, target, path).await {
                Ok(true) => {}
                Ok(false) => return Some(unfit(Unfit::NotTold(path))),
                Err(error) => return Some(failed(error)),
            }
        }
        None
    }

    /// Why a command cannot be started. Nothing is told of a folder whose content is told to nobody.
    async fn cannot_start(&self, case: &Case<'_>) -> Option<Refused> {
        case.targets.command.as_deref()?;
        let folder = case.targets.cwd.as_deref()?;
        let Location::Inside(found) = self.workspace.locate(folder, case.call.cwd.as_deref()).await else {
            return None;
        };
        if of_search(&found).or_else(|| of_reading(&found, &case.facts.settings)).is_some() {
            return None;
        }
        match self.workspace.state(&found.path).await {
            Ok(FileState::Other) => None,
            Ok(FileState::Content(_)) => Some(unfit(Unfit::NoFolder(&found.path))),
            Ok(FileState::Absent) => Some(unfit(Unfit::FolderAbsent(&found.path))),
            Err(error) => Some(failed(error)),
        }
    }

    /// Why a file does not go or come at a path that is spelled as a symbolic link: other programs would remove or replace
    /// the link, and the file that it leads to is what was judged. A link further up is on the way to the same file.
    async fn through_a_link<'c>(&self, target: &'c TargetFact) -> Option<Unfit<'c>> {
        let Location::Inside(found) = &target.location else { return None };
        let spelled = found.spelled.as_ref()?;
        let acts_on_the_link = matches!(target.access, Access::Delete | Access::MoveFrom | Access::MoveTo);
        if !acts_on_the_link || self.is_below_the_link(spelled, &found.path).await {
            return None;
        }
        Some(Unfit::Link(spelled, &found.path))
    }

    /// Whether the folder of the spelled path leads to the folder of the file, where it has the same name.
    async fn is_below_the_link(&self, spelled: &RepoPath, path: &RepoPath) -> bool {
        if spelled.segments().last() != path.segments().last() {
            return false;
        }
        let Some(folder) = spelled.parent() else { return false };
        folder_of(self.workspace.locate(folder.as_str(), None).await) == Some(path.parent())
    }

    /// A file that stands where a new file needs a folder.
    async fn file_on_the_way(
        &self,
        target: &TargetFact,
        path: &RepoPath,
    ) -> Result<Option<RepoPath>, PortError> {
        if target.current != FileState::Absent {
            return Ok(None);
        }
        let mut folder = path.parent();
        while let Some(here) = folder {
            match self.workspace.state(&here).await? {
                FileState::Content(_) => return Ok(Some(here)),
                FileState::Other => return Ok(None),
                FileState::Absent => folder = here.parent(),
            }
        }
        Ok(None)
    }

    /// Whether it can be told what the file will hold.
    async fn is_told(
        &self,
        case: &Case<'_>,
        target: &TargetFact,
        path: &RepoPath,
    ) -> Result<bool, PortError> {
        let (path, state) = case.source_of(target).unwrap_or((path, &target.current));
        let before = self.content(&case.looked, path, state).await?;
        Ok(crate::change::after(&case.targets, target, before.as_deref()).is_some())
    }
}

/// Why the tool has nothing to do at the path.
fn misplaced<'a>(target: &TargetFact, path: &'a RepoPath) -> Option<Unfit<'a>> {
    match (&target.current, target.access) {
        (FileState::Other, _) => Some(Unfit::NoFile(path)),
        (FileState::Absent, Access::Delete | Access::MoveFrom) => Some(Unfit::Absent(path)),
        (FileState::Content(_), Access::MoveTo) => Some(Unfit::Taken(path)),
        _ => None,
    }
}

fn unfit(unfit: Unfit<'_>) -> Refused {
    Refused::by_carrier(Hindrance::Unfit(unfit).error())
}

/// A file that cannot be looked at. One that is too large is what the agent asked for; the rest is not its doing.
fn failed(error: PortError) -> Refused {
    match error {
        PortError::TooLarge { .. } => Refused::by_carrier(closed(error)),
        PortError::Unavailable(_) | PortError::Locked(_) | PortError::Invalid(_) => {
            Refused::by_store(closed(error))
        }
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ContentHash, FileState, Location};
    use bailiwick_policy::{Access, AnchorFact, TargetFact};

    use super::{Unfit, misplaced};

    #[test]
    fn a_tool_has_nothing_to_do_where_something_else_is() {
        let path = sample::path("src/a");
        let told = |current: FileState, access: Access| {
            let target = TargetFact {
                requested: path.to_string(),
                access,
                location: Location::Root,
                current,
                observed: None,
                explained: None,
                claimed: None,
                anchor: AnchorFact::NotQuoted,
            };
            match misplaced(&target, &path) {
                Some(Unfit::NoFile(_)) => "no file",
                Some(Unfit::Absent(_)) => "absent",
                Some(Unfit::Taken(_)) => "taken",
                Some(_) => "another reason",
                None => "fits",
            }
        };
        let file = || FileState::Content(ContentHash::of(b"x"));
        for (current, access, expected) in [
            (FileState::Other, Access::Overwrite, "no file"),
            (FileState::Absent, Access::Delete, "absent"),
            (FileState::Absent, Access::MoveFrom, "absent"),
            (FileState::Absent, Access::MoveTo, "fits"),
            (FileState::Absent, Access::Overwrite, "fits"),
            (file(), Access::MoveTo, "taken"),
            (file(), Access::MoveFrom, "fits"),
            (file(), Access::Overwrite, "fits"),
        ] {
            assert_eq!(told(current.clone(), access), expected, "{current:?} {access:?}");
        }
    }
}
