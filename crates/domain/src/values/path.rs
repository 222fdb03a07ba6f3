//! Paths inside a governed root, as a type of their own, so that no scope is ever checked on a raw string.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

/// What stands between the names of a path in a call. A back-slash separates on Windows only: everywhere else it is a
/// sign of the name, as it is to the programs that act on the call.
pub const SEPARATORS: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };

/// What stands before a path in a call that its client takes for a URI: such a path leads nowhere that is known.
pub const URI_MARK: &str = "uri:";

/// A path relative to the governed root: `/` separated, never absolute, never empty, no `.` or `..` segment.
///
/// ```
/// use bailiwick_domain::RepoPath;
/// assert_eq!(RepoPath::new("src/auth/jwt.rs").unwrap().as_str(), "src/auth/jwt.rs");
/// assert!(RepoPath::new("../secrets").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RepoPath(String);

/// Why a text is not a [`RepoPath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepoPathError {
    /// The text has no segment.
    #[error("path is empty")]
    Empty,
    /// The text starts at the file system's root.
    #[error("path is absolute")]
    Absolute,
    /// A segment is empty, `.` or `..`.
    #[error("path has an empty, `.` or `..` segment")]
    Segment,
    /// The text holds a NUL character.
    #[error("path holds a NUL character")]
    Nul,
}

impl RepoPath {
    /// Checks a root-relative path in its normal form.
    pub fn new(text: &str) -> Result<Self, RepoPathError> {
        if text.is_empty() {
            return Err(RepoPathError::Empty);
        }
        if text.starts_with('/') {
            return Err(RepoPathError::Absolute);
        }
        if text.contains('\0') {
            return Err(RepoPathError::Nul);
        }
        if text.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            return Err(RepoPathError::Segment);
        }
        Ok(Self(text.to_owned()))
    }

    /// The path with `/` separators.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder that it is in; `None` directly below the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(folder, _)| Self(folder.to_owned()))
    }

    /// Whether it lies in the folder that Bailiwick keeps in the tree.
    pub fn is_in_orchestration(&self) -> bool {
        self.0.starts_with(".orchestration/")
    }

    /// The segments, outermost first.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for RepoPath {
    type Error = RepoPathError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> Self {
        path.0
    }
}

/// A path inside the root together with its folded twin.
///
/// `folded` is the path after compatibility normalisation, removal of ignorable code points, case folding and
/// trimming of trailing dots and blanks in each segment: the form in which protected names are compared, so that
/// `.CLAUDE/Settings.json` and `.g\u{200c}it` are caught on every file system. A folder that git keeps a
/// repository in is called `.git` there, whatever its name is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspacePath {
    /// The real path below the root, after every symlink.
    pub path: RepoPath,
    /// The form for comparing protected names.
    pub folded: String,
    /// The path as spelled, when a symlink leads to `path`; deleting or moving acts on this one.
    pub spelled: Option<RepoPath>,
}

/// Where a requested path leads, after canonicalisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Inside the governed root.
    Inside(WorkspacePath),
    /// Exactly the governed root.
    Root,
    /// One of the host's own scratch places (plan files, task output), as an absolute path.
    Scratch(String),
    /// Readable and nothing else, as an absolute path: below one of the `read.roots` that a human listed, or what a
    /// background command of this session prints.
    ReadRoot(String),
    /// Anywhere else, as an absolute path.
    Outside(String),
    /// Not a usable path: why.
    Invalid(String),
}
