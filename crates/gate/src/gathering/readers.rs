//! Commands that are proved to read: what they read where they run, and why one is not believed there.

mod kept_shell;
mod listed;
mod moved;
mod patterns;
mod strange;

use bailiwick_domain::{
    ActorState, Classification, CommandReading, Effect, FileState, Location, Moves, PortError, ReadOnly,
    Settings, ToolCall,
};
use bailiwick_policy::{Access, RequestedTarget, TargetFact, Targets, ToolEntry};

use super::Gathering;
use super::case::in_folder;

impl Gathering<'_> {
    /// Reads a command; a proved reader becomes a safe read of the files that it names.
    pub(super) async fn read_command(
        &self,
        call: &ToolCall,
        actor: &ActorState,
        tool: &mut ToolEntry,
        targets: &mut Targets,
        settings: &Settings,
    ) -> (Vec<String>, Option<String>) {
        let Some(command) = targets.command.clone().filter(|_| tool.effect == Effect::Execute) else {
            return (Vec::new(), None);
        };
        match self.commands.read(&command) {
            CommandReading::ReadOnly(reading) if settings.read_only_commands == Classification::Safe => {
                if let Some(why) = self.reads_elsewhere(call, actor, targets.cwd.as_deref(), &reading) {
                    return (Vec::new(), Some(why));
                }
                match self.read_places(call, reading, targets).await {
                    Ok(shows) => {
                        tool.class = Classification::Safe;
                        tool.effect = Effect::Read;
                        (shows, None)
                    }
                    Err(why) => (Vec::new(), Some(why)),
                }
            }
            CommandReading::ReadOnly(_) => (
                Vec::new(),
                Some("read-only commands are asked about here (commands.read_only: destructive)".into()),
            ),
            CommandReading::OwnTool { folder, .. } => (Vec::new(), folder.map(|folder| elsewhere(&folder))),
            CommandReading::Unproved { why } => (Vec::new(), Some(why)),
        }
    }

    /// Puts what a proved command reads into the targets, and gives the files that it shows whole.
    ///
    /// # Errors
    /// Why it is not believed where it runs, for people.
    pub(crate) async fn read_places(
        &self,
        call: &ToolCall,
        reading: ReadOnly,
        targets: &mut Targets,
    ) -> Result<Vec<String>, String> {
        if reading.posix && is_powershell(&call.tool) {
            return Err("PowerShell reads a part of it in another way than other shells".to_owned());
        }
        let (mut shown, mut found) = (Vec::new(), Targets { cwd: targets.cwd.clone(), ..Targets::default() });
        let mut parts: Vec<&ReadOnly> = reading.parts().collect();
        let Moves { if_missing, .. } = reading.moves.as_ref();
        if !if_missing.is_empty()
            && self.missing_folder(call, &reading.moves, targets.cwd.as_deref()).await.is_some()
        {
            parts.extend(if_missing);
        }
        for part in parts {
            shown.extend(self.read_place(call, part, &mut found).await?);
        }
        let Targets { names, searches, files, paths, .. } = found;
        (targets.names, targets.searches, targets.files, targets.paths) = (names, searches, files, paths);
        Ok(shown)
    }

    /// The same for what it reads in one folder.
    async fn read_place(
        &self,
        call: &ToolCall,
        part: &ReadOnly,
        targets: &mut Targets,
    ) -> Result<Vec<String>, String> {
        let ReadOnly { starts, splits, looks, .. } = part;
        let stands = targets.cwd.clone();
        let moved = part.folder.as_ref().map(|folder| in_folder(stands.as_deref(), folder));
        let folder = moved.clone().or(stands);
        let folder = folder.as_deref();
        if let Some(why) = self.misleads(call, *starts, moved.as_deref(), folder).await {
            return Err(why);
        }
        for place in part.git_in.iter().map(|place| in_folder(folder, place)) {
            if let Some(why) = self.misleads(call, *starts, None, Some(&place)).await {
                return Err(why);
            }
        }
        self.taken_apart(call, &part.listed, folder).await?;
        let here = |path: &String| in_folder(folder, path);
        let mut reads: Vec<String> = part.reads.iter().map(here).chain(folder.map(str::to_owned)).collect();
        let patterns = part.patterns.iter().cloned().collect();
        reads.extend(self.named_by(call, (&patterns, *splits), folder).await?);
        let mut looked_at: Vec<String> = looks.paths.iter().map(here).collect();
        let patterns = looks.patterns.iter().cloned().collect();
        looked_at.extend(self.named_by(call, (&patterns, *splits), folder).await?);
        targets.names.extend_from_slice(&part.names);
        targets.searches |= starts.searcher;
        targets.files.extend(part.files.iter().map(here));
        let looked_at = looked_at.into_iter().map(|path| RequestedTarget::new(path, Access::Look));
        targets.paths.extend(reads.into_iter().map(RequestedTarget::read).chain(looked_at));
        Ok(part.shows.iter().map(here).collect())
    }

    /// Why a command that shows files is not believed: one of its paths is a folder, so that it would show files that
    /// nobody named, also through links.
    pub(crate) async fn folder_in_place_of_a_file(
        &self,
        targets: &Targets,
        facts: &[TargetFact],
    ) -> Result<Option<String>, PortError> {
        for file in &targets.files {
            let Some(fact) = facts.iter().find(|fact| fact.requested == *file) else { continue };
            let is_folder = match &fact.location {
                Location::Inside(found) => self.workspace.state(&found.path).await? == FileState::Other,
                Location::Root => true,
                Location::Outside(_)
                | Location::Scratch(_)
                | Location::ReadRoot(_)
                | Location::Invalid(_) => false,
            };
            if is_folder {
                return Ok(Some(format!("`{file}` is not a file, so it would show what nobody named")));
            }
        }
        Ok(None)
    }
}

/// Whether a tool hands its command to PowerShell, by its name.
fn is_powershell(tool: &str) -> bool {
    ["powershell", "pwsh"].iter().any(|name| tool.eq_ignore_ascii_case(name))
}

/// Why one of the gate's own tools is none behind this `cd`.
fn elsewhere(folder: &str) -> String {
    format!(
        "`cd {folder}` does not lead to the root of this repository; leave it out and write `bailiwick tool` alone"
    )
}
