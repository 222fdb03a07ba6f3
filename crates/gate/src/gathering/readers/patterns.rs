//! What a shell puts in place of a pattern in a command that reads: `wc -l src/*.rs` reads each of these files.

use std::collections::BTreeSet;

use bailiwick_domain::{FileState, Location, PortError, ToolCall};
use bailiwick_policy::registry::Extractor;
use bailiwick_policy::{TargetFact, ToolEntry, shell_pattern};

use crate::gathering::Gathering;
use crate::gathering::case::{folder_of, in_folder};

/// So many files the patterns of a line may name, in folders of so many: each of them is looked at.
const MOST_NAMED: usize = 200;
const MOST_NAMES: usize = 10_000;

impl Gathering<'_> {
    /// The files that patterns name in a folder now, as spelled.
    ///
    /// # Errors
    /// Why that cannot be told, for people.
    pub(super) async fn named_by(
        &self,
        call: &ToolCall,
        patterns: &BTreeSet<String>,
        folder: Option<&str>,
    ) -> Result<Vec<String>, String> {
        let mut named = Vec::new();
        for pattern in patterns {
            let (place, last) = pattern.rsplit_once('/').map_or((".", pattern.as_str()), |(place, last)| {
                (if place.is_empty() { "/" } else { place }, last)
            });
            let place = in_folder(folder, place);
            let names = self.names_at(call, pattern, &place).await?;
            let taken = shell_pattern::taken(last, &names);
            if named.len() + taken.len() > MOST_NAMED {
                return Err(format!("its patterns name more than {MOST_NAMED} files"));
            }
            if let Some(odd) = taken.iter().find(|name| is_more_than_a_name(name, pattern)) {
                return Err(format!("`{pattern}` may name `{odd}`, which is more than a file there"));
            }
            named.extend(taken.into_iter().map(|name| in_folder(Some(&place), name)));
        }
        Ok(named)
    }

    /// Why a tool that shows whole files is not believed: what stands in the place of a file is a pattern. It reads hidden
    /// and ignored files, too, whatever a shell would put there.
    pub(crate) async fn pattern_in_place_of_a_file(
        &self,
        tool: &ToolEntry,
        facts: &[TargetFact],
    ) -> Result<Option<String>, PortError> {
        let is_pattern = |fact: &&TargetFact| fact.requested.contains(['*', '?', '[', '{']);
        for fact in facts.iter().filter(|_| tool.extractor == Extractor::ReadFile).filter(is_pattern) {
            let is_there = match &fact.location {
                Location::Inside(found) => self.workspace.state(&found.path).await? != FileState::Absent,
                _ => false,
            };
            if !is_there {
                let pattern = fact.requested.escape_debug();
                return Ok(Some(format!(
                    "`{pattern}` is a pattern, so it would show files that nobody named"
                )));
            }
        }
        Ok(None)
    }

    async fn names_at(&self, call: &ToolCall, pattern: &str, place: &str) -> Result<Vec<String>, String> {
        let located = self.workspace.locate(place, call.cwd.as_deref()).await;
        let folder =
            folder_of(located).ok_or_else(|| format!("`{pattern}` names files out of this repository"))?;
        let names = self.workspace.names_in(folder.as_ref(), MOST_NAMES).await;
        names.map_err(|_| format!("the files that `{pattern}` names cannot be told"))
    }
}

/// Whether a program may take a name for an option or for a revision with a path, or it is a folder around this one.
fn is_more_than_a_name(name: &str, pattern: &str) -> bool {
    let is_option = name.starts_with('-') && !pattern.contains('/');
    is_option || name.contains(':') || matches!(name, "." | "..")
}
