//! What a call would touch, read from its parameters (K-14; agent-independent).
//!
//! Every shape that the known hosts send is accepted; a shape that is not recognised is an error, never a guess: the
//! call is then malformed. Where the paths lead is not known here.

use bailiwick_domain::Params;

mod files;
mod params;
mod shapes;

use crate::facts::Access;
use crate::patch::{Hunk, Patch, PatchOp};
use crate::preview::{self, Edit};
use crate::registry::ToolEntry;

/// One path that a call names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedTarget {
    /// As the agent spelled it.
    pub requested: String,
    /// What happens to it.
    pub access: Access,
    /// For [`Access::MoveFrom`] and copies: the new name, which is a target of its own.
    pub moved_to: Option<String>,
}

impl RequestedTarget {
    /// A path with what happens to it.
    pub fn new(requested: impl Into<String>, access: Access) -> Self {
        Self { requested: requested.into(), access, moved_to: None }
    }

    /// A path that is read.
    pub fn read(requested: impl Into<String>) -> Self {
        Self::new(requested, Access::Read)
    }
}

/// Everything that a call says about its effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The paths, in the order of the parameters.
    pub paths: Vec<RequestedTarget>,
    /// The command's text; several commands of one call are joined by line feeds.
    pub command: Option<String>,
    /// The directory that the parameters ask to run in.
    pub cwd: Option<String>,
    /// Quoted replacements.
    pub edits: Vec<Edit>,
    /// The whole new content.
    pub content: Option<String>,
    /// The patch.
    pub patch: Option<Patch>,
}

impl Targets {
    /// The whole new content of a file that is overwritten, when the call says it.
    pub fn content_for(&self, requested: &str) -> Option<String> {
        let added = self.ops().find_map(|op| match op {
            PatchOp::Add { path, content } if path == requested => Some(content.clone()),
            _ => None,
        });
        added.or_else(|| self.content.clone().filter(|_| self.patch.is_none()))
    }

    /// The edits of one file.
    pub fn edits_for(&self, requested: &str) -> Vec<Edit> {
        let is_of = |edit: &&Edit| edit.path.as_deref().is_none_or(|path| path == requested);
        self.edits.iter().filter(is_of).cloned().collect()
    }

    /// A file's text after the patch; for a move, under the old or the new name, from the old file's text.
    pub fn patched(&self, requested: &str, current: &str) -> Option<String> {
        let hunks = self.ops().find_map(|op| match op {
            PatchOp::Update { path, move_to, hunks }
                if path == requested || move_to.as_deref() == Some(requested) =>
            {
                Some(hunks)
            }
            PatchOp::Copy { to, hunks, .. } if to == requested => Some(hunks),
            _ => None,
        })?;
        if hunks.is_empty() { None } else { preview::apply_hunks(current, hunks) }
    }

    /// What the patch changes within one file.
    pub fn hunks_for(&self, requested: &str) -> &[Hunk] {
        let found = self.ops().find_map(|op| match op {
            PatchOp::Update { path, hunks, .. } if path == requested => Some(hunks.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    fn ops(&self) -> impl Iterator<Item = &PatchOp> {
        self.patch.iter().flat_map(|patch| &patch.ops)
    }
}

/// Reads the parameters as the entry's extractor says.
///
/// ```
/// use bailiwick_domain::json;
/// use bailiwick_policy::registry::{classify, targets};
/// let edit = classify("Edit", &Default::default());
/// let params = json!({"file_path": "a.rs", "old_string": "1", "new_string": "2"});
/// let found = targets(&edit, params.as_object().unwrap()).unwrap();
/// assert_eq!(found.paths[0].requested, "a.rs");
/// ```
///
/// # Errors
/// Why the parameters cannot be understood: nothing where something must be, two different values for one thing
/// (threat D11), a form that no known host sends.
pub fn targets(entry: &ToolEntry, params: &Params) -> Result<Targets, String> {
    shapes::read(entry.extractor, params)
}
