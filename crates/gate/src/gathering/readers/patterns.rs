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

/// So many patterns a line may have, each so long in bytes, and so many names are held against them in all.
const MOST_PATTERNS: usize = 64;
const LONGEST_PATTERN: usize = 256;
const MOST_COMPARED: usize = 50_000;

/// What stands for any number of folders.
const ANY_FOLDERS: &str = "**";

/// A place that a pattern came to, and what is left of the pattern.
struct Step<'p> {
    place: String,
    rest: &'p str,
    /// Whether the word begins here, so that a name is one that a program may take for an option.
    begins: bool,
}

impl Gathering<'_> {
    /// The files that patterns name now, as spelled from a folder. Where a shell splits their names, a name with a blank or
    /// with the sign of a pattern stands for others.
    ///
    /// # Errors
    /// Why that cannot be told, for people.
    pub(super) async fn named_by(
        &self,
        call: &ToolCall,
        (patterns, splits): (&BTreeSet<String>, bool),
        folder: Option<&str>,
    ) -> Result<Vec<String>, String> {
        let (mut named, mut compared) = (Vec::new(), 0);
        if patterns.len() > MOST_PATTERNS || patterns.iter().any(|pattern| pattern.len() > LONGEST_PATTERN) {
            return Err("its patterns are too many, or too long".to_owned());
        }
        for pattern in patterns {
            let start = if pattern.starts_with('/') { "/".to_owned() } else { in_folder(folder, ".") };
            let (rest, begins) = (pattern.trim_start_matches('/'), !pattern.starts_with('/'));
            let mut steps = vec![Step { place: start, rest, begins }];
            while let Some(Step { place, rest, begins }) = steps.pop() {
                let (before, part, behind) = next_part(rest);
                let place = if before.is_empty() { place } else { in_folder(Some(&place), before) };
                let names = self.names_at(call, pattern, &place).await?;
                compared += names.len();
                if compared > MOST_COMPARED {
                    return Err("its patterns are held against too many names".to_owned());
                }
                let taken = shell_pattern::taken(part, &names);
                let begins = begins && before.is_empty();
                if named.len() + steps.len() + taken.len() > MOST_NAMED {
                    return Err(format!("its patterns name more than {MOST_NAMED} files"));
                }
                if let Some(odd) = taken.iter().find(|name| is_more_than_a_name(name, begins, splits)) {
                    return Err(format!("`{pattern}` may name `{odd}`, which is more than a file there"));
                }
                // To some shells it stands for folders below each other, or for none.
                let goes_down = part == ANY_FOLDERS;
                let again = rest.get(before.len()..).unwrap_or_default().trim_start_matches('/');
                for name in taken {
                    let place = in_folder(Some(&place), name);
                    match behind {
                        "" => named.push(place),
                        _ if goes_down => steps.push(Step { place, rest: again, begins: false }),
                        rest => steps.push(Step { place, rest, begins: false }),
                    }
                }
                if goes_down {
                    steps.push(Step { place, rest: behind, begins });
                }
            }
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

/// The folders up to the next part with a sign of a pattern, that part, and what is behind it.
fn next_part(pattern: &str) -> (&str, &str, &str) {
    let at = pattern.find(['*', '?']).unwrap_or_default();
    let (before, rest) = pattern.split_at_checked(at).unwrap_or_default();
    let start = before.rfind('/').map_or(0, |slash| slash + 1);
    let end = rest.find('/').map_or(pattern.len(), |slash| at + slash);
    let folders = pattern.get(..start).unwrap_or_default().trim_end_matches('/');
    let behind = pattern.get(end..).unwrap_or_default().trim_start_matches('/');
    (folders, pattern.get(start..end).unwrap_or_default(), behind)
}

/// Whether a program may take a name for an option, for a file of words or for a revision with a path, a shell for several, or it is a folder around
/// this one.
fn is_more_than_a_name(name: &str, begins: bool, splits: bool) -> bool {
    let is_option = begins && name.starts_with(['-', '@']);
    let is_many = splits && name.contains(|sign: char| sign.is_whitespace() || "*?[\\".contains(sign));
    is_option || is_many || name.contains(':') || matches!(name, "." | "..")
}
