//! What a call would touch, read from its parameters, the same way for every host.
//!
//! Every shape that the known hosts send is accepted; a shape that is not recognised is an error, never a guess: the
//! call is then malformed. Where the paths lead is not known here.

use bailiwick_domain::{EditRules, Params};

mod files;
mod several;
mod shapes;

use crate::calls::patch::{Hunk, ModeNote, Patch, PatchOp};
use crate::calls::preview;
use crate::calls::registry::ToolEntry;
use crate::calls::terms::{Access, Candidate, Edit, Unreadable};

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
    /// Texts that may be paths, too.
    pub candidates: Vec<Candidate>,
    /// The command's text; several commands of one call stand one a line, each closed in itself.
    pub command: Option<String>,
    /// The directory that the parameters ask to run in.
    pub cwd: Option<String>,
    /// Quoted replacements.
    pub edits: Vec<Edit>,
    /// The whole new content.
    pub content: Option<String>,
    /// The patch.
    pub patch: Option<Patch>,
    /// How the door's own tools turn edits into bytes.
    pub rules: EditRules,
    /// The file patterns that a search goes by.
    pub names: Vec<String>,
    /// The pattern of a tool that lists the files which it names.
    pub listed: Option<String>,
    /// Paths of a command that must be no folders.
    pub files: Vec<String>,
    /// Whether a command looks through what is in the files of a folder.
    pub searches: bool,
    /// Whether further parameters change what becomes of the files, so that it cannot be told before.
    pub unforeseen: bool,
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
        let mut after = None;
        for hunks in self.sections_of(requested) {
            after = Some(preview::apply_hunks(after.as_deref().unwrap_or(current), hunks)?);
        }
        after
    }

    /// What the patch quotes and adds in a file, as far as that is text.
    pub fn quoted_hunks<'a>(&'a self, requested: &'a str) -> Vec<&'a Hunk> {
        let opaque = self.ops().flat_map(|op| match op {
            PatchOp::Opaque { path, hunks } if path == requested => hunks.as_slice(),
            _ => &[],
        });
        self.sections_of(requested).flatten().chain(opaque).collect()
    }

    /// What the patch changes within one file, without what it does to a file that comes from elsewhere.
    pub fn hunks_for<'a>(&'a self, requested: &'a str) -> Vec<&'a Hunk> {
        let own = self.ops().filter_map(move |op| match op {
            PatchOp::Update { path, hunks, .. } if path == requested => Some(hunks),
            _ => None,
        });
        own.flatten().collect()
    }

    /// The mode that the patch gives a file.
    pub fn mode_of(&self, requested: &str) -> Option<&ModeNote> {
        self.patch.iter().flat_map(|patch| &patch.modes).find(|note| note.path == requested)
    }

    /// The hunks of each section that changes the file's text.
    fn sections_of<'a>(&'a self, requested: &'a str) -> impl Iterator<Item = &'a [Hunk]> {
        let hunks = move |op: &'a PatchOp| match op {
            PatchOp::Update { path, move_to, hunks }
                if path == requested || move_to.as_deref() == Some(requested) =>
            {
                Some(hunks)
            }
            PatchOp::Copy { to, hunks, .. } if to == requested => Some(hunks),
            _ => None,
        };
        self.ops().filter_map(hunks).map(Vec::as_slice).filter(|hunks| !hunks.is_empty())
    }

    fn ops(&self) -> impl Iterator<Item = &PatchOp> {
        self.patch.iter().flat_map(|patch| &patch.ops)
    }
}

/// Reads the parameters as the entry's extractor says.
///
/// ```
/// use bailiwick_domain::json;
/// use bailiwick_policy::{registry::classify, targets};
/// let edit = classify("Edit", &Default::default());
/// let params = json!({"file_path": "a.rs", "old_string": "1", "new_string": "2"});
/// let found = targets(&edit, params.as_object().unwrap()).unwrap();
/// assert_eq!(found.paths[0].requested, "a.rs");
/// ```
///
/// # Errors
/// Why the parameters cannot be understood: nothing where something must be, two different values for one thing
/// (a host might run the other one), a form that no known host sends, more than is looked at.
pub fn targets(entry: &ToolEntry, params: &Params) -> Result<Targets, Unreadable> {
    shapes::read(entry.extractor, params)
}
